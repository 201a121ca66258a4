package step

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// An unusable record removes the face, the solid or sheet, or the component that depends on it, unless the intact
// records determine the lost geometry. A damaged loop, edge or vertex keeps its topology, marked as unknown, for
// package salvage. Geometry that salvage does not determine is left out. Sewing closes the gap if the edges around it
// are in a plane. If nothing remains, the error of the file is the error of the first loss.

// isDamage reports whether records caused an error, not a limit or the reader itself.
func isDamage(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == fault.UnreadableFile
}

// skip records an item that was left out because of damage. It returns false for any other error.
func skip(j *geometry.Journal, code, what string, err error) bool {
	var f *fault.Error
	if !isDamage(err) || !errors.As(err, &f) {
		return false
	}
	w := fault.Warnf(code, 1, "%s was left out: %s", what, f.Reason)
	w.Entity = f.Entity
	j.Add(w)
	return true
}

// skipFace records a face.
func (d *draft) skipFace(err error) bool { return skip(&d.Journal, brep.SkippedFace, "A face", err) }

// skip records a lost shape or component, and keeps the first of these errors.
func (s *structure) skip(err error) bool {
	lost := skip(&s.Journal, brep.SkippedShape, "A shape or component", err)
	if lost {
		s.lost = cmp.Or(s.lost, err)
	}
	return lost
}

// lostAll is the failure when damage has cost all shapes.
func (s *structure) lostAll() error {
	if len(s.instances) > 0 {
		return nil
	}
	return s.lost
}

// openFace records that a bound of a face is unknown.
func (t *tracer) openFace(id brep.FaceID, err error) {
	t.open[id] = true
	t.faceFaults[id] = cmp.Or(t.faceFaults[id], err)
}

// lostVertex adds a vertex whose point is unknown.
func (t *tracer) lostVertex(err error) brep.VertexID {
	id := brep.VertexID(len(t.model.Vertices))
	t.model.Vertices = append(t.model.Vertices, brep.Vertex{})
	t.pointFaults[id] = err
	return id
}

// lostEdge returns a coedge of a new edge of which only the position in a loop is known.
func (t *tracer) lostEdge(loop part21.Ref, err error) brep.Coedge {
	id := brep.EdgeID(len(t.model.Edges))
	e := brep.Edge{Start: t.lostVertex(err), End: t.lostVertex(err), Source: t.File.ID(loop)}
	t.model.Edges = append(t.model.Edges, e)
	t.edges = append(t.edges, edgeSource{entity: loop, curve: part21.Missing, fault: err})
	return brep.Coedge{Edge: id}
}

// end returns the vertex at the end of an edge, or a vertex with an unknown point if it is damaged.
func (t *tracer) end(r part21.Ref, fault error) (brep.VertexID, error) {
	if r == part21.Missing && fault != nil {
		return t.lostVertex(fault), nil
	}
	v, err := t.vertex(r)
	if isDamage(err) {
		return t.lostVertex(err), nil
	}
	return v, err
}

// unite merges unknown vertices with the ends of the adjacent edges in their loops. It also merges an unknown edge with
// the only other edge between its ends that has no second face.
func (t *tracer) unite() {
	if len(t.pointFaults) == 0 {
		return
	}
	m := &t.model
	into := map[brep.VertexID]brep.VertexID{}
	find := func(v brep.VertexID) brep.VertexID {
		for next, ok := into[v]; ok; next, ok = into[v] {
			v = next
		}
		return v
	}
	for f := range m.Faces {
		for _, l := range m.Faces[f].Loops {
			coedges := m.Loops[l].Coedges
			for i, c := range coedges {
				a, b := find(m.CoedgeEnd(c)), find(m.CoedgeStart(coedges[(i+1)%len(coedges)]))
				if t.pointFaults[a] == nil {
					a, b = b, a
				}
				if a != b && t.pointFaults[a] != nil {
					into[a] = b
				}
			}
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		e.Start, e.End = find(e.Start), find(e.End)
	}
	for v := range into {
		delete(t.pointFaults, v)
	}
	t.matchEdges()
	t.dropRings()
}

// dropRings removes the loops that consist of one unknown edge and marks their faces as incomplete.
func (t *tracer) dropRings() {
	m := &t.model
	for f := range m.Faces {
		face := &m.Faces[f]
		face.Loops = slices.DeleteFunc(face.Loops, func(l brep.LoopID) bool {
			coedges := m.Loops[l].Coedges
			if len(coedges) != 1 {
				return false
			}
			e := m.Coedges[coedges[0]].Edge
			isLost := t.edges[e].fault != nil && t.pointFaults[m.Edges[e].Start] != nil
			if isLost {
				t.openFace(brep.FaceID(f), t.edges[e].fault)
			}
			return isLost
		})
	}
}

// matchEdges replaces an unknown edge in its coedge by the only other edge between its ends that has one use.
func (t *tracer) matchEdges() {
	m := &t.model
	type ends struct{ a, b brep.VertexID }
	between := map[ends][]brep.CoedgeID{} // coedges of edges with one use
	key := func(e *brep.Edge) ends { return ends{min(e.Start, e.End), max(e.Start, e.End)} }
	uses := make([]int, len(m.Edges))
	for i := range m.Coedges {
		uses[m.Coedges[i].Edge]++
	}
	for i := range m.Coedges {
		if e := m.Coedges[i].Edge; uses[e] == 1 {
			k := key(&m.Edges[e])
			between[k] = append(between[k], brep.CoedgeID(i))
		}
	}
	for i := range m.Coedges {
		lost := m.Coedges[i].Edge
		e := &m.Edges[lost]
		pair := between[key(e)]
		if uses[lost] != 1 || t.edges[lost].fault == nil || len(pair) != 2 {
			continue
		}
		other := m.Coedges[pair[0]].Edge
		if other == lost {
			other = m.Coedges[pair[1]].Edge
		}
		c := &m.Coedges[i]
		c.Edge = other
		if c.Reversed = c.Reversed != (e.Start != m.Edges[other].Start); e.Start == e.End { // opposite to its pair
			c.Reversed = !m.Coedges[pair[0]].Reversed
			if pair[0] == brep.CoedgeID(i) {
				c.Reversed = !m.Coedges[pair[1]].Reversed
			}
		}
		uses[lost], uses[other] = 0, 2
		if t.edges[other].fault == nil {
			salvage.Tell(t.Add, salvage.MadeEdge, fmt.Sprintf("%s lacks an edge; its neighbor's edge was used",
				t.Entity(t.edges[lost].entity)), t.edges[lost].fault)
		}
	}
}

// wreck returns the draft as a partial model for package salvage.
func (d *draft) wreck(doc *document) *salvage.PartialModel {
	m := &d.model
	w := &salvage.PartialModel{Model: m, Tolerance: d.Tolerance, Points: d.pointFaults, Edges: d.edgeFaults,
		Faces: make([]error, len(m.Faces)), IsOpen: func(f brep.FaceID) bool { return d.open[f] }}
	for i, at := range d.surface {
		w.Faces[i] = d.faceFaults[brep.FaceID(i)]
		if at >= 0 {
			w.Faces[i] = cmp.Or(w.Faces[i], d.shapeFaults[at])
		}
	}
	w.Curve = func(e brep.EdgeID) curve.Curve { return d.curveOf(int(e)) }
	w.Fit = func(e brep.EdgeID) (err error) {
		d.fits[e], err = d.fitEdge(int(e))
		return err
	}
	w.Spare = func() []surface.Surface { return d.unusedSurfaces(doc) }
	w.Warn = d.Add
	return w
}
