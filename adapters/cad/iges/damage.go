package iges

import (
	"errors"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// An unusable entity removes its dependents, a loop, a face or a body, unless the intact entities determine it (package
// salvage). All other entities are read, and gaps are repaired where the repair is determined.

// isDamage reports whether entities of the file caused an error, not a limit or the reader itself.
func isDamage(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == fault.UnreadableFile
}

// skip records a loss by damage and returns true; it returns false for any other error.
func (r *reader) skip(code, what string, err error) bool {
	var f *fault.Error
	if !isDamage(err) || !errors.As(err, &f) {
		return false
	}
	w := fault.Warnf(code, 1, "%s was left out: %s", what, f.Reason)
	w.Entity = f.Entity
	r.note(w)
	return true
}

func (r *reader) skipShape(err error) bool { return r.skip(brep.SkippedShape, "A body", err) }

// lostEdge is an edge with known ends whose curve cannot be used.
func (t *tracer) lostEdge(of *deck.Entity, at listEntry, entry listedCurve, why error) (out traced, err error) {
	e := brep.Edge{Source: int64(entry.curve)}
	if e.Start, err = t.vertex(of, entry.start); err != nil {
		return out, err
	}
	if e.End, err = t.vertex(of, entry.end); err != nil {
		return out, err
	}
	out.id = brep.EdgeID(len(t.m.Edges))
	t.m.Edges = append(t.m.Edges, e)
	t.edges[at] = out
	t.edgeFaults[out.id] = why
	return out, nil
}

// addTo adds the model of the tracer to the model of the file, without damaged parts that cannot be reconstructed.
func (t *tracer) addTo(m *brep.Model) error {
	w := &salvage.PartialModel{Model: t.m, Tolerance: minTolerance, Edges: make([]error, len(t.m.Edges)),
		Faces: make([]error, len(t.m.Faces)), IsOpen: func(f brep.FaceID) bool { return t.open[f] },
		Curve: func(e brep.EdgeID) curve.Curve { return t.m.Edges[e].Curve },
		Spare: func() []surface.Surface { return nil },
		Warn:  t.note}
	for e, err := range t.edgeFaults {
		w.Edges[e] = err
	}
	for f, err := range t.faceFaults {
		w.Faces[f] = err
	}
	if w.IsWhole() {
		t.m.Link()
		m.Append(t.m, geom.Identity)
		return nil
	}
	w.RepairEdges()
	w.RepairBounds()
	w.RepairSurfaces()
	t.m.Link()
	if err := w.Drop(func(err error) { t.skip(brep.SkippedFace, "A face", err) }); err != nil {
		return err
	}
	m.Append(t.m, geom.Identity)
	return nil
}
