package heal

import (
	"millwright.dev/millwright/core/kernel/brep"
)

// collapseShortEdges replaces the edges shorter than the tolerance by vertices. Loops and faces without other edges are
// removed with them. In a chain of short edges, an edge collapses only if its vertices, moved by earlier collapses, are
// still that close. Only the given edges are tested, or all of them. Cost: one distance for each edge.
func (h *healer) collapseShortEdges(only []brep.EdgeID) {
	m := h.m
	var gone []brep.EdgeID
	n := len(m.Edges)
	if only != nil {
		n = len(only)
	}
	for k := range n {
		i := brep.EdgeID(k)
		if only != nil {
			i = only[k]
		}
		e := &m.Edges[i]
		if e.Curve == nil || len(e.Coedges) == 0 || e.Start == e.End {
			continue
		}
		v, w := h.root(e.Start), h.root(e.End)
		if m.Vertices[v].Point.Dist2(m.Vertices[w].Point) > h.tol*h.tol || !h.isShort(e) {
			continue
		}
		h.join(v, w) // if they are not one already, at the ends of other short edges
		gone = append(gone, i)
	}
	if len(gone) == 0 {
		return
	}
	for _, i := range gone {
		for _, c := range m.Edges[i].Coedges {
			h.removeCoedge(c)
		}
		m.Edges[i].Coedges = nil
	}
	h.applyVertices()
	warn(m, ShortEdge, len(gone), "%s is shorter than %.2g mm and became a vertex",
		m.EdgeName(gone[0]), h.tol)
}

// isShort reports whether an edge is shorter than the tolerance along its curve too.
func (h *healer) isShort(e *brep.Edge) bool {
	const pieces = 8 // enough to separate a path of the tolerance there and back from a detour
	sum, last := 0.0, e.Curve.At(e.Range.Lo)
	for k := 1; k <= pieces; k++ {
		p := e.Curve.At(e.Range.At(float64(k) / pieces))
		sum += p.Dist(last)
		last = p
	}
	return sum <= h.tol
}

// removeCoedge removes a coedge from its loop, and the loop from its face when it becomes empty.
func (h *healer) removeCoedge(c brep.CoedgeID) {
	l := h.m.Coedges[c].Loop
	loop := &h.m.Loops[l]
	kept := make([]brep.CoedgeID, 0, len(loop.Coedges))
	for _, o := range loop.Coedges {
		if o != c {
			kept = append(kept, o)
		}
	}
	loop.Coedges = kept
	if len(kept) > 0 {
		return
	}
	face := &h.m.Faces[loop.Face]
	loops := make([]brep.LoopID, 0, len(face.Loops))
	for _, o := range face.Loops {
		if o != l {
			loops = append(loops, o)
		}
	}
	face.Loops = loops
	if len(loops) == 0 {
		h.remove(loop.Face)
	}
}
