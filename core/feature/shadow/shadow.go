// Package shadow tells, for a direction and a height, under which places of the plane across the direction the part has
// material above that height: where no tool that comes along the direction may be at that height. Its boundary is what
// walls are cut along, its complement what a flat tool may sweep.
//
// Method: material above a height lies where faces that look up do, with what of them is above it. A face that looks up
// everywhere covers what its boundary runs round, as often as it has layers there, so the boundary alone, laid flat as
// lines and arcs (package outline), says where it is, exactly where its edges are lines and circles. Where the height
// cuts it along lines and circles it is cut there. Faces that look up in part, or that the height cuts along other curves,
// are taken by the triangles of their mesh that look up, cut at the height: within the tolerance of the mesh, which may
// leave slivers as narrow beside the exact boundary of a neighbour. The union
// of all is taken by package arcpoly.
//
// Lengths are mm. A Shadow is safe for concurrent use.
package shadow

import (
	"millwright/core/feature/graph"
	"millwright/core/feature/outline"
	"millwright/core/geom"
	"millwright/core/geom/arcpoly"
	"millwright/core/geom/region"
)

const (
	// level is the sine of the slope up to which a face counts as a wall along the direction, which covers nothing: it
	// leans by less than 1 µm on a metre.
	level = 1e-6
	// slack (mm) is how far below a height a face may reach and still count as above it: edges are not more exact.
	slack = 1e-6
)

// Shadow is a part seen along a direction.
type Shadow struct {
	view  outline.View
	faces []face
}

// face is a patch that looks up, in part at least.
type face struct {
	patch int32
	span  geom.Interval // along the direction
	whole *arcpoly.Area // all of it, when it looks up everywhere; nil: by its triangles
}

// New looks at a part along a unit direction, which points to the tool. The plane is that of the view along it. The
// error is that of arcpoly, of which no case is known.
func New(g *graph.Graph, samples *outline.Samples, dir geom.Vec3) (*Shadow, error) {
	s := &Shadow{view: samples.Along(g, dir)}
	heights := g.HeightsAlong(dir)
	for p := range g.Patches {
		slopes := g.Slopes(int32(p), dir)
		if slopes.Hi <= level {
			continue
		}
		q := face{patch: int32(p), span: heights.Of(int32(p))}
		if slopes.Lo >= -level {
			var loops []region.Loop
			for _, c := range s.view.Chains([]int32{q.patch}) {
				loops = append(loops, s.view.Loop(c))
			}
			var err error
			if q.whole, err = arcpoly.New(loops...); err != nil {
				return nil, err
			}
		}
		s.faces = append(s.faces, q)
	}
	return s, nil
}

// Above returns the shadow of what is above a height, mm: where material ends at the height, none is above it.
func (s *Shadow) Above(z float64) (*arcpoly.Area, error) {
	var areas []*arcpoly.Area
	for i := range s.faces {
		q := &s.faces[i]
		switch {
		case q.span.Hi <= z+slack:
			continue
		case q.whole != nil && q.span.Lo >= z-slack:
			areas = append(areas, q.whole)
			continue
		}
		if q.whole != nil {
			if cut, ok, err := s.split(q, z); err != nil {
				return nil, err
			} else if ok {
				areas = append(areas, cut)
				continue
			}
		}
		loops := s.cut(q.patch, z)
		if len(loops) == 0 {
			continue
		}
		a, err := arcpoly.New(loops...)
		if err != nil {
			return nil, err
		}
		areas = append(areas, a)
	}
	return arcpoly.Union(areas...)
}

// cut returns what of the triangles of a patch looks up and is above a height, laid flat.
func (s *Shadow) cut(patch int32, z float64) []region.Loop {
	var loops []region.Loop
	s.view.Graph.EachTriangle(patch, func(a, b, c geom.Vec3) bool {
		if b.Sub(a).Cross(c.Sub(a)).Dot(s.view.Frame.Z) <= 0 {
			return true
		}
		corners := above([]geom.Vec3{a, b, c}, s.view.Frame.Z, z)
		loop := make(region.Loop, 0, len(corners))
		for i, p := range corners {
			loop = append(loop, region.Segment(s.view.Point(p), s.view.Point(corners[(i+1)%len(corners)])))
		}
		if len(loop) > 0 {
			loops = append(loops, loop)
		}
		return true
	})
	return loops
}

// above cuts a polygon off at a height (Sutherland and Hodgman, 1974).
func above(polygon []geom.Vec3, up geom.Vec3, z float64) []geom.Vec3 {
	var kept []geom.Vec3
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		hp, hq := p.Dot(up)-z, q.Dot(up)-z
		if hp >= 0 {
			kept = append(kept, p)
		}
		if (hp < 0) != (hq < 0) {
			kept = append(kept, p.Lerp(q, hp/(hp-hq)))
		}
	}
	return kept
}
