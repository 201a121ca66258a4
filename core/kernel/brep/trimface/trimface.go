// Package trimface builds faces on surfaces without topology. Their own parameter rectangle or curves in space bound
// the faces. Each face gets its own edges and vertices; package sew joins them.
//
// Lengths are mm.
package trimface

import (
	"errors"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// BoundarySegment is a bounded part of a curve. It runs from Range.Hi to Range.Lo if Reversed.
type BoundarySegment struct {
	Curve    curve.Curve
	Range    geom.Interval
	Reversed bool
}

func (p BoundarySegment) start() geom.Vec3 { return p.Curve.At(end(p.Range, p.Reversed)) }
func (p BoundarySegment) end() geom.Vec3   { return p.Curve.At(end(p.Range, !p.Reversed)) }

func end(iv geom.Interval, hi bool) float64 {
	if hi {
		return iv.Hi
	}
	return iv.Lo
}

// wholeTurn is the fraction of a period from which a range counts as a full turn.
const wholeTurn = 1 - 1e-9

// maxExtent (mm) bounds pieces of unbounded surfaces: a range beyond it was never meant as a boundary.
const maxExtent = 1e6

// Rectangle returns the loops of the part of s over u × v, counter-clockwise in the parameter plane. The result is one
// loop of up to four segments, one or two rings if a range is a whole period, or no loop for a closed surface. Sides
// that are a point are left out. The error states why the part has no boundary.
func Rectangle(s surface.Surface, u, v geom.Interval) ([][]BoundarySegment, error) {
	if !(math.Abs(u.Lo)+math.Abs(u.Hi)+math.Abs(v.Lo)+math.Abs(v.Hi) < maxExtent) {
		return nil, errors.New("the surface has no boundary")
	}
	pu, pv := s.Periods()
	closedU := pu > 0 && u.Length() >= wholeTurn*pu
	closedV := pv > 0 && v.Length() >= wholeTurn*pv
	side := func(alongU bool, at float64, back bool) []BoundarySegment {
		iv := v
		if alongU {
			iv = u
		}
		c, r := surface.Iso(s, alongU, at, iv)
		if c == nil {
			return nil
		}
		return []BoundarySegment{{c, r, back}}
	}
	bottom, top := func() []BoundarySegment { return side(true, v.Lo, false) }, func() []BoundarySegment {
		return side(true, v.Hi,
			true)
	}
	right, left := func() []BoundarySegment { return side(false, u.Hi, false) }, func() []BoundarySegment {
		return side(false,
			u.Lo, true)
	}
	var loops [][]BoundarySegment
	switch {
	case closedU && closedV:
	case closedU:
		loops = [][]BoundarySegment{bottom(), top()}
	case closedV:
		loops = [][]BoundarySegment{right(), left()}
	default:
		loops = [][]BoundarySegment{slices.Concat(bottom(), right(), top(), left())}
		if len(loops[0]) < 2 {
			return nil, errors.New("the surface collapses to a curve")
		}
	}
	return slices.DeleteFunc(loops, func(l []BoundarySegment) bool { return len(l) == 0 }), nil
}

// AddFace adds a face of s with the given loops, unlinked and in no shell. Loops keep the interior on their
// left seen from the side of the surface's normal; reversed flips the face. Ends of consecutive segments
// within tolerance (mm) of each other become one vertex; wider gaps stay open.
func AddFace(
	m *brep.Model, s surface.Surface, reversed bool, loops [][]BoundarySegment, tolerance float64, source int64,
) brep.FaceID {
	id := brep.FaceID(len(m.Faces))
	face := brep.Face{Surface: s, Reversed: reversed, Origin: int32(id), Source: source}
	for _, segments := range loops {
		if len(segments) == 0 {
			continue
		}
		l := brep.Loop{Face: id, Vertex: brep.None, Source: source}
		for _, c := range chain(m, segments, tolerance, source) {
			c.Loop = brep.LoopID(len(m.Loops))
			l.Coedges = append(l.Coedges, brep.CoedgeID(len(m.Coedges)))
			c.Reversed = c.Reversed != reversed
			m.Coedges = append(m.Coedges, c)
		}
		if reversed {
			slices.Reverse(l.Coedges)
		}
		face.Loops = append(face.Loops, brep.LoopID(len(m.Loops)))
		m.Loops = append(m.Loops, l)
	}
	m.Faces = append(m.Faces, face)
	return id
}

// chain makes the edges of a loop, with vertices at the joints of its segments.
func chain(m *brep.Model, segments []BoundarySegment, tolerance float64, source int64) []brep.Coedge {
	n := len(segments)
	starts, ends := make([]brep.VertexID, n), make([]brep.VertexID, n)
	vertex := func(p geom.Vec3, gap float64) brep.VertexID {
		v := brep.Vertex{Point: p, Source: source}
		if gap > 0 {
			v.Tolerance = gap
		}
		m.Vertices = append(m.Vertices, v)
		return brep.VertexID(len(m.Vertices) - 1)
	}
	for i, p := range segments {
		next := (i + 1) % n
		a, b := p.end(), segments[next].start()
		if gap := a.Dist(b); gap <= tolerance {
			ends[i] = vertex(a.Lerp(b, 0.5), gap)
			starts[next] = ends[i]
		} else {
			ends[i], starts[next] = vertex(a, 0), vertex(b, 0)
		}
	}
	out := make([]brep.Coedge, n)
	for i, p := range segments {
		e := brep.Edge{Curve: p.Curve, Range: p.Range, Start: starts[i], End: ends[i], Source: source}
		if p.Reversed {
			e.Start, e.End = e.End, e.Start
		}
		gap := math.Max(m.Vertices[e.Start].Tolerance, m.Vertices[e.End].Tolerance)
		e.Tolerance = gap
		out[i] = brep.Coedge{Edge: brep.EdgeID(len(m.Edges)), Reversed: p.Reversed}
		m.Edges = append(m.Edges, e)
	}
	return out
}
