// Package shadow tells, for a direction and a height, under which places of the plane across the direction the part
// has material above that height: where no tool that comes along the direction may be at that height. Its boundary is
// what walls are cut along, its complement what a flat tool may sweep.
//
// Method: material above a height lies where faces that look up do, with what of them is above it. A face that looks
// up everywhere covers what its boundary runs round, as often as it has layers there, so the boundary alone, laid flat
// as lines and arcs (package outline), says where it is, exactly where its edges are lines and circles. Where the
// height cuts it along lines and circles it is cut there. Faces that look up in part, or that the height cuts along
// other curves, are taken by the triangles of their mesh that look up, cut at the height: within the tolerance of the
// mesh, which may leave slivers as narrow beside the exact boundary of a neighbour. The union of all is taken by
// package arcpoly.
//
// The plane and the heights are those of a tool-axis frame. The Tag of a piece of the boundary is the patch that goes
// down there: the wall below an edge, or the face itself where the height cuts it.
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
	view  outline.View // which looks along the frame, but from the origin of the part
	faces []face
}

// face is a patch that looks up, in part at least.
type face struct {
	patch int32
	span  geom.Interval // of heights
	whole *arcpoly.Area // all of it, when it looks up everywhere; nil: by its triangles
}

// New looks at a part along a tool-axis frame. The error is that of arcpoly, of which no case is known.
func New(g *graph.Graph, samples *outline.Samples, frame geom.Frame) (*Shadow, error) {
	s := &Shadow{view: samples.In(g, frame)}
	dir := frame.Z
	heights, ground := g.HeightsAlong(dir), frame.Origin.Dot(dir)
	for p := range g.Patches {
		slopes := g.Slopes(int32(p), dir)
		if slopes.Hi <= level {
			continue
		}
		span := heights.Of(int32(p))
		q := face{patch: int32(p), span: geom.Interval{Lo: span.Lo - ground, Hi: span.Hi - ground}}
		if slopes.Lo >= -level {
			var loops []region.Loop
			for _, c := range s.view.Chains([]int32{q.patch}) {
				loops = append(loops, s.local(s.view.Loop(c)))
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

// local moves what the view has laid flat to the frame's own origin.
func (s *Shadow) local(l region.Loop) region.Loop {
	at := s.view.Point(s.view.Frame.Origin)
	for i := range l {
		p := &l[i]
		p.From, p.To, p.Center = p.From.Sub(at), p.To.Sub(at), p.Center.Sub(at)
	}
	return l
}

func (s *Shadow) point(p geom.Vec3) geom.Vec2 {
	q := s.view.Frame.Local(p)
	return geom.Vec2{X: q.X, Y: q.Y}
}

// Above returns the shadow of what is above a height, mm: where material ends at the height, none is above it.
func (s *Shadow) Above(z float64) (*arcpoly.Area, error) {
	exact, meshed, err := s.Parts(z)
	if err != nil || meshed.IsEmpty() {
		return exact, err
	}
	return arcpoly.Union(exact, meshed)
}

// Same reports whether the shadows of what is above two heights are the same, as no face lies or ends between them.
func (s *Shadow) Same(a, b float64) bool {
	lo, hi := min(a, b), max(a, b)
	for i := range s.faces {
		if q := &s.faces[i]; q.span.Hi > lo+slack && (q.span.Lo < hi-slack || q.span.Hi <= hi+slack) {
			return false
		}
	}
	return true
}

// Parts returns the shadow of what is above a height in two parts, which may overlap: what follows from edges and
// analytic surfaces, and what was taken from the mesh and is within its tolerance.
func (s *Shadow) Parts(z float64) (exact, meshed *arcpoly.Area, err error) {
	var areas []*arcpoly.Area
	var rough []region.Loop
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
				return nil, nil, err
			} else if ok {
				areas = append(areas, cut)
				continue
			}
		}
		rough = append(rough, s.cut(q.patch, z)...)
	}
	if exact, err = arcpoly.Union(areas...); err != nil {
		return nil, nil, err
	}
	meshed, err = arcpoly.New(rough...)
	return exact, meshed, err
}
