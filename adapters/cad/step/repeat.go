package step

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
)

var solidKinds = []part21.Keyword{schema.ManifoldSolidBrep, schema.BrepWithVoids, schema.FacetedBrep}

// withoutRepeats leaves out instances if all their shells are already at the same places, in solids first. Writers list
// a solid in two representations, or once more as its surface. The rest keeps its order.
func (d *document) withoutRepeats(instances []instance) []instance {
	type place struct {
		shell  part21.Ref
		length float64
		at     geom.Transform
	}
	there := map[place]bool{}
	repeats := map[int]bool{}
	for _, solids := range []bool{true, false} {
		for i, in := range instances {
			if slices.Contains(solidKinds, d.Kind(in.item, itemKinds)) != solids {
				continue
			}
			isRepeat := true
			for _, shell := range d.shellsOf(in.item) {
				at := place{shell, in.units.Length, in.at}
				isRepeat = isRepeat && there[at]
				there[at] = true
			}
			repeats[i] = isRepeat
		}
	}
	var out []instance
	for i, in := range instances {
		if repeats[i] {
			d.Warn("repeated_shape", 1, "%s has the same place and the same shells as another shape of the file, "+
				"and was left out", d.Entity(in.item))
		} else {
			out = append(out, in)
		}
	}
	return out
}

// shellsOf returns the shells of a solid or sheet model without their orientation. It returns any other item itself.
func (d *document) shellsOf(item part21.Ref) []part21.Ref {
	k := d.Kind(item, itemKinds)
	if d.File.IsComplex(item) || k != schema.ShellBasedSurfaceModel && !slices.Contains(solidKinds, k) {
		return []part21.Ref{item}
	}
	var out []part21.Ref
	add := func(shell part21.Ref) {
		if r, _, err := unwrap(d.Document, shell, false, orientedShells, 1); err == nil {
			shell = r
		}
		out = append(out, shell)
	}
	a := d.File.Args(item)
	for a.Skip(1); a.More(); {
		if !a.IsList() {
			add(a.OptRef())
			continue
		}
		for list := a.List(); list.More(); {
			add(list.OptRef())
		}
	}
	return out
}
