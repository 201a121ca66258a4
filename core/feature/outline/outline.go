// Package outline projects the boundaries of patches: as closed chains of segments and arcs in the plane across a
// direction.
package outline

// Outlines of patches.
//
// The boundary of several patches together is made of the coedges whose edge has some other patch on its far side; they
// are chained over their vertices. Seen along the direction, lines give segments and circles about it arcs, exactly.
// All other curves give arcs and segments within fitted of the curve, see flat.go. Edges along the direction vanish.
//
// Cost: linear in edges. Limits: if boundaries share more than one vertex, their order decides how they continue there.

import (
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Projection projects along the z axis of a frame. It may be used by several goroutines.
type Projection struct {
	Graph     *graph.Graph
	Frame     geom.Frame
	samples   *Samples
	projected *projected // nil: nothing is kept
}

// Along returns the view along a unit direction, which is the z axis of its frame. The view caches its projections.
func (s *Samples) Along(g *graph.Graph, dir geom.Vec3) Projection {
	v := s.In(g, geom.NewFrame(geom.Vec3{}, dir, geom.Vec3{}))
	v.projected = s.newLaid()
	return v
}

// In returns the view along the z axis of a frame, for few edges: it keeps nothing.
func (s *Samples) In(g *graph.Graph, f geom.Frame) Projection {
	return Projection{Graph: g, Frame: f, samples: s}
}

// Point projects a point.
func (v Projection) Point(p geom.Vec3) geom.Vec2 {
	return geom.Vec2{X: p.Dot(v.Frame.X), Y: p.Dot(v.Frame.Y)}
}

// Contour is a closed boundary of some patches, which lie on its left seen from outside the material.
type Contour struct {
	Coedges []brep.CoedgeID
}

// Chains returns the boundaries of patches together.
func (v Projection) Chains(patches []int32) []Contour {
	m := v.Graph.Model
	inside := func(p int32) bool { return p != graph.None && slices.Contains(patches, p) }
	next := make(map[brep.VertexID][]brep.CoedgeID)
	var all []brep.CoedgeID
	for _, p := range patches {
		for _, f := range v.Graph.Patches[p].Faces {
			for _, l := range m.Faces[f].Loops {
				for _, c := range m.Loops[l].Coedges {
					if e := &m.Edges[m.Coedges[c].Edge]; e.Curve == nil || inside(v.Across(c)) {
						continue
					}
					all = append(all, c)
					next[m.CoedgeStart(c)] = append(next[m.CoedgeStart(c)], c)
				}
			}
		}
	}
	used := make(map[brep.CoedgeID]bool, len(all))
	var out []Contour
	for _, start := range all {
		if used[start] {
			continue
		}
		var chain Contour
		for c := start; ; {
			used[c] = true
			chain.Coedges = append(chain.Coedges, c)
			follow := next[m.CoedgeEnd(c)]
			i := slices.IndexFunc(follow, func(n brep.CoedgeID) bool { return !used[n] })
			if i < 0 {
				break
			}
			c = follow[i]
		}
		out = append(out, v.parted(chain)...)
	}
	return out
}

// parted splits a chain at a repeated vertex. Boundaries that touch in one point, such as a hole at the outer edge, are
// separate, however the chain continues there.
func (v Projection) parted(c Contour) []Contour {
	m := v.Graph.Model
	at := map[brep.VertexID]int{} // position of a vertex in open
	var open []brep.CoedgeID
	var out []Contour
	for _, ce := range c.Coedges {
		at[m.CoedgeStart(ce)] = len(open)
		open = append(open, ce)
		k, isAgain := at[m.CoedgeEnd(ce)]
		if !isAgain {
			continue
		}
		for _, gone := range open[k:] {
			delete(at, m.CoedgeStart(gone))
		}
		out = append(out, Contour{slices.Clone(open[k:])})
		open = open[:k]
	}
	if len(open) > 0 {
		out = append(out, Contour{open})
	}
	return out
}

// Across returns the patch on the far side of a coedge, None at a free edge of a sheet.
func (v Projection) Across(c brep.CoedgeID) int32 {
	m := v.Graph.Model
	e := &m.Edges[m.Coedges[c].Edge]
	if len(e.Coedges) != 2 {
		return graph.None
	}
	o := e.Coedges[0]
	if o == c {
		o = e.Coedges[1]
	}
	return v.Graph.PatchOf[m.FaceOf(o)]
}

// Loop projects a chain; the tag of every segment is the patch across it.
func (v Projection) Loop(c Contour) planar.Loop {
	var l planar.Loop
	for _, ce := range c.Coedges {
		l = v.Append(l, ce, v.Across(ce))
	}
	return l
}

// Append adds the projection of a coedge, in walking order.
func (v Projection) Append(dst []planar.Segment, c brep.CoedgeID, tag int32) []planar.Segment {
	ce := &v.Graph.Model.Coedges[c]
	return v.AppendEdge(dst, ce.Edge, ce.Reversed, tag)
}

// AppendEdge adds the projection of an edge, walked backward when reversed.
func (v Projection) AppendEdge(dst []planar.Segment, id brep.EdgeID, reversed bool, tag int32) []planar.Segment {
	e := &v.Graph.Model.Edges[id]
	if e.Curve == nil {
		return dst
	}
	from, to := v.Point(e.Curve.At(e.Range.Lo)), v.Point(e.Curve.At(e.Range.Hi))
	if reversed {
		from, to = to, from
	}
	if e.Curve.Kind() == curve.KindLine {
		if from.Dist(to) > geom.Resolution {
			dst = append(dst, planar.Segment{From: from, To: to, Tag: tag})
		}
		return dst
	}
	if c, ok := e.Curve.(curve.Circle); ok && v.isLevel(c) {
		turn := e.Range.Length()
		if (c.Frame.Z.Dot(v.Frame.Z) < 0) != reversed {
			turn = -turn
		}
		if !c.Frame.IsRightHanded() {
			turn = -turn
		}
		center := v.Point(c.Frame.Origin)
		return append(dst, planar.Segment{From: from, To: to, Center: center, Turn: turn, Tag: tag})
	}
	return v.appendFlat(dst, id, reversed, tag)
}

// Boundary returns the projections of all edges of some patches, in no order.
func (v Projection) Boundary(patches []int32) []planar.Segment {
	var out []planar.Segment
	for _, p := range patches {
		for _, f := range v.Graph.Patches[p].Faces {
			for _, l := range v.Graph.Model.Faces[f].Loops {
				for _, c := range v.Graph.Model.Loops[l].Coedges {
					out = v.Append(out, c, p)
				}
			}
		}
	}
	return out
}

// EdgeLength returns the length of an edge, mm.
func EdgeLength(e *brep.Edge) float64 {
	switch c := e.Curve.(type) {
	case nil:
		return 0
	case curve.Line:
		return e.Range.Length()
	case curve.Circle:
		return c.Radius * e.Range.Length()
	}
	return curve.Length(e.Curve, e.Range)
}

// Span returns the range of an edge along the view, mm: exact for lines, circles and ellipses.
func (v Projection) Span(id brep.EdgeID) geom.Interval { return v.spanAlong(id, v.Frame.Z) }

// spanAlong returns the range of an edge along a unit vector.
func (v Projection) spanAlong(id brep.EdgeID, axis geom.Vec3) geom.Interval {
	e := &v.Graph.Model.Edges[id]
	iv := geom.EmptyInterval()
	if e.Curve == nil {
		return iv
	}
	if r, ok := curve.AsEllipse(e.Curve); ok {
		return r.Span(e.Range, axis)
	}
	add := func(h float64) { iv = iv.Add(h) }
	add(e.Curve.At(e.Range.Lo).Dot(axis))
	add(e.Curve.At(e.Range.Hi).Dot(axis))
	for _, q := range v.samples.of(id) {
		add(q.at.Dot(axis))
	}
	return iv
}
