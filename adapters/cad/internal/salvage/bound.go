package salvage

import (
	"millwright.dev/millwright/core/kernel/brep"
)

// RepairBounds makes the loops that faces lack of the edges that lie on their surfaces and that no second face has.
func (w *PartialModel) RepairBounds() {
	left := maxMended
	for f, why := range w.Faces {
		id := brep.FaceID(f)
		if why == nil || !w.IsOpen(id) {
			continue
		}
		if left--; left < 0 {
			return
		}
		mend := w.close
		if w.Model.Faces[f].Surface == nil {
			mend = w.take
		}
		if !mend(id) {
			continue
		}
		w.Faces[f] = nil
		w.made(MadeBound, id, "The boundary of %s was made of the edges that its neighbours leave open", why)
	}
}

// take gives a face without loops a spare surface that contains free edges, and the loops of these edges.
func (w *PartialModel) take(f brep.FaceID) bool {
	face := &w.Model.Faces[f]
	if len(face.Loops) > 0 {
		return false
	}
	for _, s := range w.Spare() {
		face.Surface = s
		if !w.close(f) {
			continue
		}
		if o, ok := w.outline(face); ok {
			face.Reversed = o.isAgainst(s, w.reach())
		}
		return true
	}
	face.Surface = nil
	return false
}

// close gives a face the loops of free edges on its surface; it returns false without such loops.
func (w *PartialModel) close(f brep.FaceID) bool {
	const inside = 5 // samples of each edge
	reach := w.reach()
	s := w.Model.Faces[f].Surface
	leaving := map[brep.VertexID]brep.Coedge{}
	var order []brep.VertexID
	for e, uses := range w.uses() {
		id := brep.EdgeID(e)
		edge := &w.Model.Edges[e]
		if len(uses) != 1 || uses[0].face == f || !w.isKnown(id) ||
			!contains(s, samples(edge.Curve, edge.Range, inside), max(reach, edge.Tolerance)) {
			continue
		}
		c := brep.Coedge{Edge: id, Reversed: !w.Coedges[uses[0].coedge].Reversed}
		from := edge.Start
		if c.Reversed {
			from = edge.End
		}
		if _, twice := leaving[from]; twice {
			return false
		}
		leaving[from] = c
		order = append(order, from)
	}
	found := false
	for _, first := range order {
		if loop := w.follow(leaving, first); loop != nil {
			w.add(f, loop)
			found = true
		}
	}
	return found
}

// follow removes from leaving the coedges of the closed path that starts at the vertex first, and returns them. It
// returns nil if the path is not closed.
func (w *PartialModel) follow(leaving map[brep.VertexID]brep.Coedge, first brep.VertexID) []brep.Coedge {
	var loop []brep.Coedge
	for at := first; ; {
		c, ok := leaving[at]
		if !ok {
			return nil
		}
		delete(leaving, at)
		loop = append(loop, c)
		at = w.Model.Edges[c.Edge].End
		if c.Reversed {
			at = w.Model.Edges[c.Edge].Start
		}
		if at == first {
			return loop
		}
	}
}

func (w *PartialModel) add(f brep.FaceID, uses []brep.Coedge) {
	l := brep.Loop{Vertex: brep.None, Source: w.Model.Faces[f].Source}
	for _, c := range uses {
		l.Coedges = append(l.Coedges, brep.CoedgeID(len(w.Coedges)))
		w.Coedges = append(w.Coedges, c)
	}
	face := &w.Model.Faces[f]
	face.Loops = append(face.Loops, brep.LoopID(len(w.Loops)))
	w.Loops = append(w.Loops, l)
}
