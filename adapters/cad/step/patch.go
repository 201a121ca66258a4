package step

import (
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trimface"
)

// patches reads a GEOMETRIC_SET. Every bounded surface in it becomes a face of one sheet, with its own edges, which
// sewing joins. Curves, points and unbounded surfaces are skipped. Unusable surfaces are skipped with a warning: such
// sets contain all kinds of leftovers.
func (t *tracer) patches(set part21.Ref) error {
	a := t.Own(set, schema.GeometricSet)
	list := a.List()
	shell := brep.Shell{Solid: brep.None, Source: t.File.ID(set)}
	var first error
	for list.More() {
		r := list.OptRef()
		if r == part21.Missing || !t.IsPatch(r) {
			continue
		}
		made, err := t.Patches(r)
		if err != nil {
			if first == nil {
				first = err
			}
			if !t.skipFace(err) {
				return err
			}
			continue
		}
		for _, p := range made {
			id := trimface.AddFace(&t.model, p.Surface, p.Reversed, p.Loops, t.Tolerance, t.File.ID(r))
			t.model.Faces[id].Color = t.colors[r]
			t.surface = append(t.surface, -1)
			shell.Faces = append(shell.Faces, id)
		}
	}
	for range t.model.Edges {
		t.edges = append(t.edges, edgeSource{entity: set, curve: part21.Missing})
	}
	if len(shell.Faces) == 0 {
		if first == nil {
			first = &fault.Error{Code: fault.NoSolid, Reason: t.Entity(set).Text + " holds no usable surface."}
		}
		return first
	}
	t.model.Shells = append(t.model.Shells, shell)
	return nil
}
