// Package shadow computes, for a direction and a height, the area of the plane across the direction under which the
// part has material above that height. No tool that comes along the direction may be there at that height. Walls are
// cut along the area's boundary; a flat tool may sweep its complement.
//
// Method: material above a height lies under the upward faces, within their parts above it. A face that is upward
// everywhere covers the inside of its boundary, with a winding number equal to its layers there. So its boundary alone,
// projected as lines and arcs (package outline), gives its area, exactly if its edges are lines and circles. If the
// height cuts it along lines and circles, the cut is exact too. Faces that are upward in part, or that the height cuts
// along other curves, are taken from the upward triangles of their mesh, cut at the height. Their area is within the
// tolerance of the mesh and may leave slivers of that width at the exact boundary of a neighbor. Package arcpoly
// computes the union.
//
// The plane and the heights are in a tool-axis frame. The Tag of a boundary segment is the patch that goes down there:
// the wall below an edge, or the face itself where the height cuts it.
//
// Lengths are mm. A Shadow is safe for concurrent use.
package shadow

import (
	"math"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/parallel"
)

const (
	// level is the sine of the slope up to which a face counts as a wall along the direction, which covers nothing: it
	// leans by less than 1 µm on a metre.
	level = 1e-6
	// margin (mm) is the tolerance of heights: a face within slack of a height counts as on its other side. Edges are
	// not more exact, and heights of plans are rounded to it.
	margin = 1e-4
)

// Shadow is a part seen along a direction.
type Shadow struct {
	view   outline.Projection // along the frame, but with the origin of the part
	faces  []face
	exact  parallel.Memo[layer, *arcpoly.Area]
	meshed parallel.Memo[layer, *arcpoly.Area]
	wide   parallel.Memo[layer, *arcpoly.Area]
	walls  parallel.Memo[int32, []wall]        // of patches
	sheets parallel.Memo[int32, *sheet]        // likewise
	all    parallel.Memo[int32, *arcpoly.Area] // of patches, enclosing the whole patch
	joined parallel.Memo[set, *arcpoly.Area]
}

// layer identifies a range of heights with the same faces above: by the highest start and end of a face below it and,
// if the height cuts a face, by the height itself.
type layer struct{ begun, ended, cut float64 }

// face is a patch that is upward at least in part.
type face struct {
	patch int32
	span  geom.Interval // of heights
	whole *arcpoly.Area // whole area of an upward face; nil: use its triangles
	// isExact reports that its level curves are lines and circles.
	isExact bool
}

// New computes the faces of a part along a tool-axis frame. Errors are those of arcpoly; no case is known.
func New(g *graph.Graph, samples *outline.Samples, frame geom.Frame) (*Shadow, error) {
	s := &Shadow{view: samples.In(g, frame)}
	heights := g.HeightsAlong(frame.Z)
	for p := range g.Patches {
		q, looksUp := s.face(int32(p), heights)
		if !looksUp {
			continue
		}
		q, err := s.lay(q)
		if err != nil {
			return nil, err
		}
		s.faces = append(s.faces, q)
	}
	return s, nil
}

// face returns a patch that is upward somewhere, not yet projected.
func (s *Shadow) face(p int32, heights *graph.Extents) (face, bool) {
	f := s.view.Frame
	if s.view.Graph.Slopes(p, f.Z).Hi <= level {
		return face{}, false
	}
	span, ground := heights.Of(p), f.Origin.Dot(f.Z)
	q := face{patch: p, span: geom.Interval{Lo: span.Lo - ground, Hi: span.Hi - ground}}
	if sh := &s.view.Graph.Patches[p].Shape; sh.Kind == surface.KindPlane && sh.Axis.Cross(f.Z).Norm() <= level {
		// Gaps between its edges do not make it a slope.
		at := f.Local(sh.Origin).Z
		q.span = geom.Interval{Lo: at, Hi: at}
	}
	return q, true
}

// lay projects a face that is upward everywhere.
func (s *Shadow) lay(q face) (face, error) {
	g := s.view.Graph
	if g.Slopes(q.patch, s.view.Frame.Z).Lo < -level {
		return q, nil
	}
	var err error
	if q.whole, err = ProjectedArea(s.view, []int32{q.patch}); err == nil {
		_, _, q.isExact = s.places(&g.Patches[q.patch].Shape, q.whole, q.span.Mid())
	}
	return q, err
}

// ProjectedArea returns the area of upward patches, projected into the frame of a view.
func ProjectedArea(view outline.Projection, patches []int32) (*arcpoly.Area, error) {
	at := view.Point(view.Frame.Origin)
	var loops []planar.Loop
	for _, p := range patches {
		for _, c := range view.Chains([]int32{p}) {
			l := view.Loop(c)
			for i := range l {
				q := &l[i]
				q.From, q.To, q.Center = q.From.Sub(at), q.To.Sub(at), q.Center.Sub(at)
			}
			loops = append(loops, bridged(l))
		}
	}
	return arcpoly.New(loops...)
}

// bridged closes the gaps that files leave between edges at their vertices.
func bridged(l planar.Loop) planar.Loop {
	var out planar.Loop
	for i := range l {
		out = append(out, l[i])
		if next := l[(i+1)%len(l)].From; l[i].To.Dist(next) > geom.Resolution {
			gap := planar.NewLine(l[i].To, next)
			gap.Tag = l[i].Tag
			out = append(out, gap)
		}
	}
	return out
}

func (s *Shadow) point(p geom.Vec3) geom.Vec2 {
	q := s.view.Frame.Local(p)
	return geom.Vec2{X: q.X, Y: q.Y}
}

// Exact returns the part of the shadow above a height that follows from edges and analytic surfaces. Heights between
// which it does not change share one area.
func (s *Shadow) Exact(z float64) (*arcpoly.Area, error) {
	at := newLayer()
	for i := range s.faces {
		switch q := &s.faces[i]; {
		case q.whole == nil:
		case q.isExact:
			at.pass(q, z)
		case q.span.Lo < z-margin: // the mesh has it
			at.begun = max(at.begun, q.span.Lo)
		}
	}
	return s.exact.Get(at, func() (*arcpoly.Area, error) {
		c := s.section()
		if err := s.takeExact(c, z); err != nil {
			return nil, err
		}
		return arcpoly.Union(append(c.cut(), c.Whole[ofEdges])...)
	})
}

// Meshed returns the rest, taken from the mesh and within its tolerance: the material above a height less drop, mm, if
// any of it reaches above the height. It may overlap the result of Exact.
func (s *Shadow) Meshed(z, drop float64) (*arcpoly.Area, error) {
	at, reaches := s.meshLayer(z, drop)
	if !reaches {
		return nil, nil
	}
	return s.meshed.Get(at, func() (*arcpoly.Area, error) {
		var loops []planar.Loop
		for i := range s.faces {
			if q := &s.faces[i]; s.isMeshed(q, z, drop) {
				loops = append(loops, s.cut(q.patch, z-drop)...)
			}
		}
		return arcpoly.New(loops...)
	})
}

// Wide returns an area that encloses the true shape of Meshed. It is wider by the tolerance of the mesh, which must be
// the same at each call, but does not extend beyond walls that are planes or cylinders.
func (s *Shadow) Wide(z, tolerance float64) (*arcpoly.Area, error) {
	at, reaches := s.meshLayer(z, tolerance)
	if !reaches {
		return nil, nil
	}
	return s.wide.Get(at, func() (*arcpoly.Area, error) {
		c := s.section()
		if err := s.takeWide(c, z, tolerance); err != nil {
			return nil, err
		}
		return arcpoly.Union(append(c.cut(), c.Whole[ofMesh])...)
	})
}

// meshLayer returns the layer of the meshed faces, and whether any of them reaches above the height.
func (s *Shadow) meshLayer(z, drop float64) (at layer, reaches bool) {
	at = newLayer()
	for i := range s.faces {
		q := &s.faces[i]
		isMeshed := s.isMeshed(q, z, drop)
		reaches = reaches || isMeshed && q.span.Hi > z+margin
		if q.whole == nil || isMeshed {
			at.pass(q, z-drop)
		}
		if q.whole != nil && isMeshed && q.span.Lo >= z-drop-margin {
			at.cut = z - drop // the whole face counts while the height cuts it, and is exact above
		}
	}
	return at, reaches
}

// isMeshed reports whether a face above a height less drop is taken from its triangles. A face that the height z cuts
// is, even if all of it is above the lower one.
func (s *Shadow) isMeshed(q *face, z, drop float64) bool {
	return q.span.Hi > z-drop+margin && (q.whole == nil || !q.isExact && q.span.Lo < z-margin)
}

func newLayer() layer { return layer{math.Inf(-1), math.Inf(-1), math.Inf(-1)} }

// pass updates the layer for a face that counts only above a height.
func (l *layer) pass(q *face, z float64) {
	switch {
	case q.span.Hi <= z+margin:
		l.ended = max(l.ended, q.span.Hi)
	case q.span.Lo < z-margin:
		l.cut = z
	}
}
