// Package heal repairs the errors that writers of CAD files make in an otherwise sound boundary representation. Sound
// geometry stays unchanged, a second run changes nothing, and each kind of repair is a warning of the model with its
// count.
//
// Topology, before sewing: curves that end before or past their vertices (ends.go); loops with gaps, in the wrong
// order, or with reversed edges (loops.go); edges that take the complementary arc of a closed curve, unlike the other
// edges of their file or the other face (arc.go); edges shorter than the tolerance (short.go); faces narrower than it
// (sliver.go), copies of faces (copies.go).
//
// Faces, after sewing: other edges that take the complementary arc (arc.go); faces whose sense contradicts their loops
// (sense.go); edges in which a solid touches itself (touching.go); edges that lie off their faces, which get their own
// tolerance (tolerance.go).
package heal

import (
	"context"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Warning codes.
const (
	EdgeRangeFitted      = "edge_end"      // an edge's range was fitted to its vertices
	LoopGap              = "loop_gap"      // vertices were merged, where a loop had a gap
	LoopOrder            = "loop_order"    // the edges of a loop were put in order
	EdgesReversed        = "edge_sense"    // edges of a loop were reversed
	ShortEdge            = "short_edge"    // an edge shorter than the tolerance became a vertex
	SliverFace           = "sliver_face"   // a face narrower than the tolerance was removed
	DuplicateFace        = "copied_face"   // a face that coincides with another one was removed
	FlippedFace          = "turned_face"   // a face's sense was negated
	AmbiguousSide        = "either_side"   // a face could lie on the other side of its loops too
	ComplementaryArc     = "edge_way"      // an edge took the complementary arc of its curve
	SplitNonManifoldEdge = "touching_edge" // an edge was split, where a solid touches itself
	TolerantEdge         = "tolerant_edge" // an edge lies off its face by more than the tolerance
	VertexOffFace        = "vertex_off"    // a vertex that is the whole boundary of a face lies off it
)

// Faces makes the repairs that follow Topology: senses of faces, touching edges, and tolerances. The error is the error
// of ctx.
func Faces(ctx context.Context, m *brep.Model) error {
	turned, gaps, err := turnedFaces(ctx, m)
	if err != nil {
		return err
	}
	for _, f := range turned {
		m.Faces[f].Reversed = !m.Faces[f].Reversed
	}
	if n := len(turned); n > 0 {
		warn(m, FlippedFace, n, "The sense of %s contradicted its edges and was negated",
			m.FaceName(turned[0]))
	}
	if split := SplitTouching(m); len(split) > 0 {
		warn(m, SplitNonManifoldEdge, len(split), "The solid touches itself in %s, which was split",
			m.EdgeName(split[0]))
	}
	widen(m, gaps)
	return nil
}

// Topology makes the repairs that precede the repair of whole faces: ends of edges, loops, and entities smaller than
// the tolerance.
func Topology(m *brep.Model) {
	h := newHealer(m)
	h.fitEnds()
	h.repairLoops()
	repairOdd(m)
	openUses(m)
	openArcs(m)
	h.collapseShortEdges(nil)
	h.removeSlivers()
	h.removeCopies()
	h.finish()
}

// Collapse replaces each given edge shorter than tol (mm) by a vertex. Topology does the same with all edges shorter
// than the tolerance of the model.
func Collapse(m *brep.Model, edges []brep.EdgeID, tol float64) {
	h := newHealer(m)
	h.tol = tol
	h.collapseShortEdges(edges)
	h.finish()
}

func warn(m *brep.Model, code string, count int, format string, args ...any) {
	m.Warnings = append(m.Warnings, fault.Warnf(code, count, format, args...))
}

// Bounds of the repairs.
const (
	mostTolerance = 0.01 // mm: a file may state more, but nothing smaller than that is noise for certain
	mostGap       = 0.05 // mm: a wider gap of a loop is design, not rounding
	shareOfSize   = 1e-4 // of the model: the most for either
)

// healer is the state of the repairs that change topology.
type healer struct {
	m    *brep.Model
	tol  float64         // mm: anything smaller is a point
	wide float64         // mm: the widest gap that is closed
	into []brep.VertexID // by vertex: the next one toward its merged vertex; nil before the first merge

	loose   []brep.EdgeID // whose curves still end off their vertices
	removed map[brep.FaceID]bool
	changed bool // something is to be dropped
}

func newHealer(m *brep.Model) *healer {
	box := geom.EmptyBox()
	for i := range m.Vertices {
		box = box.Add(m.Vertices[i].Point)
	}
	size := 0.0
	if !box.IsEmpty() {
		size = box.Diagonal()
	}
	return &healer{
		m:    m,
		tol:  min(mostTolerance, max(m.Tolerance.Length, geom.Resolution), shareOfSize*size),
		wide: min(mostGap, shareOfSize*size),
	}
}

// root returns the vertex that v becomes.
func (h *healer) root(v brep.VertexID) brep.VertexID {
	if h.into == nil {
		return v
	}
	for h.into[v] != v {
		v = h.into[v]
	}
	return v
}

// join merges two vertices, halfway between them. It reports false when they are one already.
func (h *healer) join(v, w brep.VertexID) bool {
	if h.into == nil {
		h.into = make([]brep.VertexID, len(h.m.Vertices))
		for i := range h.into {
			h.into[i] = brep.VertexID(i)
		}
	}
	v, w = h.root(v), h.root(w)
	if v == w {
		return false
	}
	v, w = min(v, w), max(v, w)
	a, b := &h.m.Vertices[v], &h.m.Vertices[w]
	if d := a.Point.Dist(b.Point); d > geom.Resolution {
		a.Tolerance = max(a.Tolerance, b.Tolerance) + d/2
		a.Point = a.Point.Lerp(b.Point, 0.5)
	}
	h.into[w] = v
	h.changed = true
	return true
}

// applyVertices makes every edge end at the vertices that its own have become.
func (h *healer) applyVertices() {
	if h.into == nil {
		return
	}
	for i := range h.m.Edges {
		e := &h.m.Edges[i]
		e.Start, e.End = h.root(e.Start), h.root(e.End)
	}
	for i := range h.m.Loops {
		if v := h.m.Loops[i].Vertex; v != brep.None {
			h.m.Loops[i].Vertex = h.root(v)
		}
	}
}

// finish drops removed entities and gives vertices the tolerances that they need.
func (h *healer) finish() {
	if !h.changed {
		for _, i := range h.loose {
			GrowVertexTolerance(h.m, &h.m.Edges[i])
		}
		return
	}
	h.applyVertices()
	for i := range h.m.Edges {
		GrowVertexTolerance(h.m, &h.m.Edges[i])
	}
	for i := range h.m.Shells {
		h.dropFaces(&h.m.Shells[i])
	}
	h.m.Compact()
}

// dropFaces removes the removed faces from a shell, unless the shell would become empty.
func (h *healer) dropFaces(sh *brep.Shell) {
	kept := make([]brep.FaceID, 0, len(sh.Faces))
	for _, f := range sh.Faces {
		if !h.removed[f] {
			kept = append(kept, f)
		}
	}
	if len(kept) > 0 {
		sh.Faces = kept
	}
}

// remove takes a face out of the model: its edges lose their uses by it.
func (h *healer) remove(f brep.FaceID) {
	if h.removed == nil {
		h.removed = map[brep.FaceID]bool{}
	}
	h.removed[f] = true
	h.changed = true
	for _, l := range h.m.Faces[f].Loops {
		for _, c := range h.m.Loops[l].Coedges {
			h.dropUse(c)
		}
	}
}

// dropUse takes a coedge off its edge.
func (h *healer) dropUse(c brep.CoedgeID) {
	e := &h.m.Edges[h.m.Coedges[c].Edge]
	kept := make([]brep.CoedgeID, 0, len(e.Coedges))
	for _, o := range e.Coedges {
		if o != c {
			kept = append(kept, o)
		}
	}
	e.Coedges = kept
}
