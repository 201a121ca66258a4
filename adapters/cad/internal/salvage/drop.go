package salvage

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
)

// Drop removes the faces with unknown surfaces, loops or edges, after linking, and reports the reason for each. It
// returns the first reason if no face is left.
func (w *PartialModel) Drop(tell func(error)) error {
	m := w.Model
	damaged := w.Faces
	for i, err := range w.Edges {
		for _, c := range m.Edges[i].Coedges {
			f := m.FaceOf(c)
			damaged[f] = cmp.Or(damaged[f], err)
		}
	}
	var first error
	for _, err := range damaged {
		if err != nil {
			tell(err)
			first = cmp.Or(first, err)
		}
	}
	if first == nil {
		if slices.ContainsFunc(m.Edges, func(e brep.Edge) bool { return e.Curve == nil && len(e.Coedges) == 0 }) {
			m.Compact() // edges of loops that were mended without them
		}
		return nil
	}
	isGone := func(f brep.FaceID) bool { return damaged[f] != nil }
	var moved []brep.ShellID
	shells := m.Shells[:0]
	for _, sh := range m.Shells {
		moved = append(moved, brep.ShellID(len(shells)))
		if sh.Faces = slices.DeleteFunc(slices.Clone(sh.Faces), isGone); len(sh.Faces) > 0 {
			shells = append(shells, sh)
		} else {
			moved[len(moved)-1] = brep.None
		}
	}
	m.Shells = shells
	solids := m.Solids[:0]
	for _, solid := range m.Solids {
		var kept []brep.ShellID
		for _, sh := range solid.Shells {
			if moved[sh] != brep.None {
				kept = append(kept, moved[sh])
			}
		}
		if solid.Shells = kept; len(kept) > 0 {
			solids = append(solids, solid)
		}
	}
	m.Solids = solids
	if len(shells) == 0 {
		return first
	}
	m.Compact()
	return nil
}
