package heal

import (
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// removeSlivers removes the faces that are nowhere wider than the tolerance: between two coincident edges, or between
// one edge and two. The edges are merged, so that the neighbors become adjacent. Cost: a few inversions for each face
// of two or three edges.
//
// Faces of closed surfaces stay unchanged, because there the same edges may bound the large remaining part.
func (h *healer) removeSlivers() {
	count, first := 0, fault.Location{}
	for f := range h.m.Faces {
		id := brep.FaceID(f)
		if h.removed[id] || !h.removeSliver(id) {
			continue
		}
		if count++; count == 1 {
			first = h.m.FaceName(id)
		}
	}
	if count > 0 {
		warn(h.m, SliverFace, count, "%s is narrower than %.2g mm and was removed", first, h.tol)
	}
}

func (h *healer) removeSliver(f brep.FaceID) bool {
	face := &h.m.Faces[f]
	var room [3]brep.CoedgeID
	coedges := room[:0]
	for _, l := range face.Loops {
		if n := len(h.m.Loops[l].Coedges); n == 0 || len(coedges)+n > len(room) {
			return false
		}
		coedges = append(coedges, h.m.Loops[l].Coedges...)
	}
	for _, c := range coedges {
		e := &h.m.Edges[h.m.Coedges[c].Edge]
		if e.Curve == nil || len(e.Coedges) != 2 || h.m.FaceOf(e.Coedges[0]) == h.m.FaceOf(e.Coedges[1]) ||
			h.isFacets(e.Coedges[0]) || h.isFacets(e.Coedges[1]) {
			return false
		}
	}
	if u, v := face.Surface.Periods(); u != 0 && v != 0 || len(face.Surface.Singularities()) > 1 {
		return false
	}
	switch {
	case len(coedges) == 2:
		return h.closeLens(f, coedges)
	case len(coedges) == 3 && len(face.Loops) == 1:
		return h.closeWedge(f, coedges)
	}
	return false
}

// isFacets reports whether a coedge bounds triangles whose corners are exactly the corners of its edge.
func (h *healer) isFacets(c brep.CoedgeID) bool {
	return h.m.Faces[h.m.FaceOf(c)].Surface.Kind() == surface.KindFacets
}

func (h *healer) edgeOf(c brep.CoedgeID) *brep.Edge { return &h.m.Edges[h.m.Coedges[c].Edge] }

// closeLens removes a face between two edges with the same ends.
func (h *healer) closeLens(f brep.FaceID, coedges []brep.CoedgeID) bool {
	a, b := h.edgeOf(coedges[0]), h.edgeOf(coedges[1])
	if !sameEnds(a, b) {
		return false
	}
	gap, same := brep.EdgeGap(a, b, h.tol)
	if gap > h.tol {
		return false
	}
	keep, drop := h.m.Coedges[coedges[0]].Edge, h.m.Coedges[coedges[1]].Edge
	h.remove(f)
	h.mergeEdges(keep, drop, same, gap)
	return true
}

func sameEnds(a, b *brep.Edge) bool {
	return a.Start == b.Start && a.End == b.End || a.Start == b.End && a.End == b.Start
}

// closeWedge removes a face between a long edge and two short ones that lie on it: the long one is cut.
func (h *healer) closeWedge(f brep.FaceID, coedges []brep.CoedgeID) bool {
	for k, c := range coedges {
		long := *h.edgeOf(c)
		next, last := coedges[(k+1)%3], coedges[(k+2)%3]
		v := h.m.CoedgeEnd(next)
		if long.Start == long.End || v != h.m.CoedgeStart(last) {
			continue
		}
		t, d := curve.InvertIn(long.Curve, h.m.Vertices[v].Point, long.Range)
		if d > h.tol || t <= long.Range.Lo || t >= long.Range.Hi {
			continue
		}
		first, second := long, long
		first.Range.Hi, first.End = t, v
		second.Range.Lo, second.Start = t, v
		if h.m.Coedges[c].Reversed { // next follows on the start of the long edge
			first, second = second, first
		}
		gapNext, _ := brep.EdgeGap(h.edgeOf(next), &second, h.tol)
		gapLast, _ := brep.EdgeGap(h.edgeOf(last), &first, h.tol)
		if max(gapNext, gapLast) > h.tol {
			continue
		}
		n, l := h.m.Coedges[next].Edge, h.m.Coedges[last].Edge
		rest := h.cut(h.m.Coedges[c].Edge, t, v)
		h.remove(f)
		for _, short := range [2]brep.EdgeID{n, l} {
			for _, piece := range [2]brep.EdgeID{h.m.Coedges[c].Edge, rest} {
				if sameEnds(&h.m.Edges[piece], &h.m.Edges[short]) {
					gap, same := brep.EdgeGap(&h.m.Edges[piece], &h.m.Edges[short], h.tol)
					h.mergeEdges(piece, short, same, gap)
					break
				}
			}
		}
		return true
	}
	return false
}

// cut cuts an edge at a parameter, where the vertex v is, and returns the new edge behind it. Every use of
// the edge becomes two.
func (h *healer) cut(id brep.EdgeID, t float64, v brep.VertexID) brep.EdgeID {
	m := h.m
	rest := brep.EdgeID(len(m.Edges))
	next := m.Edges[id]
	next.Range.Lo, next.Start, next.Coedges = t, v, nil
	m.Edges = append(m.Edges, next)
	e := &m.Edges[id]
	e.Range.Hi, e.End = t, v
	for _, c := range e.Coedges {
		k := brep.CoedgeID(len(m.Coedges))
		ce := m.Coedges[c]
		ce.Edge = rest
		m.Coedges = append(m.Coedges, ce)
		m.Edges[rest].Coedges = append(m.Edges[rest].Coedges, k)
		loop := &m.Loops[ce.Loop]
		at := slices.Index(loop.Coedges, c)
		if !ce.Reversed {
			at++
		}
		loop.Coedges = slices.Insert(slices.Clone(loop.Coedges), at, k)
	}
	return rest
}

// mergeEdges moves every use of one edge to another one with the same ends, a gap (mm) away.
func (h *healer) mergeEdges(keep, drop brep.EdgeID, same bool, gap float64) {
	k, d := &h.m.Edges[keep], &h.m.Edges[drop]
	if d.Curve.Kind() < k.Curve.Kind() { // the simpler curve, in the direction of the one that stays
		if same {
			k.Curve, k.Range = d.Curve, d.Range
		} else {
			keep, k, d = drop, d, k
		}
	}
	for _, c := range d.Coedges {
		ce := &h.m.Coedges[c]
		ce.Edge = keep
		ce.Reversed = ce.Reversed != !same
	}
	k.Coedges = append(slices.Clone(k.Coedges), d.Coedges...)
	d.Coedges = nil
	if gap = max(k.Tolerance, d.Tolerance, gap); gap > geom.Resolution {
		k.Tolerance = gap * rounding
	}
	h.changed = true
}
