package pipeline

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// statements returns the PMI of the file in the form of a result, or nil if there is no PMI.
func statements(p *gdt.PMI) *PMI {
	if p.Empty() {
		return nil
	}
	out := &PMI{}
	for i := range p.Dimensions {
		out.Dimensions = append(out.Dimensions, dimension(&p.Dimensions[i]))
	}
	for i := range p.Tolerances {
		out.Tolerances = append(out.Tolerances, tolerance(&p.Tolerances[i], p.Datums))
	}
	for i := range p.Datums {
		d := &p.Datums[i]
		datum := PMIDatum{Letter: d.Letter, Faces: regions(d.Faces)}
		for j := range d.Targets {
			datum.Targets = append(datum.Targets, target(&d.Targets[j]))
		}
		out.Datums = append(out.Datums, datum)
	}
	for _, n := range p.Notes {
		out.Notes = append(out.Notes, PMINote{
			Kind: string(n.Kind), Name: n.Name, Text: n.Text, Faces: regions(n.Faces),
		})
	}
	return out
}

func dimension(d *gdt.Dimension) PMIDimension {
	out := PMIDimension{
		Kind: d.Kind, Unit: "mm", Fit: d.Fit, Basic: d.Basic, Reference: d.Reference,
		Modifiers: d.Modifiers, Text: d.Text, Faces: regions(d.Faces),
	}
	shown := func(v float64) *float64 { return &v }
	if d.Angle {
		out.Unit = "deg"
		shown = func(v float64) *float64 { v = geom.Degrees(v); return &v }
	}
	if d.HasNominal || d.HasLower || d.HasUpper {
		out.Nominal = shown(d.Nominal)
	}
	if d.HasLower {
		out.Lower = shown(d.Lower)
	}
	if d.HasUpper {
		out.Upper = shown(d.Upper)
	}
	if d.Decimals != brep.None {
		out.Decimals = &d.Decimals
	}
	if len(d.To) > 0 {
		out.To = regions(d.To)
	}
	return out
}

func tolerance(t *gdt.Tolerance, datums []gdt.Datum) PMITolerance {
	out := PMITolerance{
		Kind: t.Kind, Name: t.Name, Value: t.Value, Zone: t.Zone, Projected: t.Projected, Max: t.Max,
		PerLength: t.PerLength, PerWidth: t.PerWidth, PerArea: t.PerArea, AllOver: t.AllOver,
		AllAround: t.AllAround, Modifiers: t.Modifiers, Text: t.Text, Faces: regions(t.Faces),
	}
	if len(t.ProjectedFrom) > 0 {
		out.ProjectedFrom = regions(t.ProjectedFrom)
	}
	if t.HasOffset {
		out.Offset = &t.Offset
	}
	if t.Refines != brep.None {
		index := int(t.Refines)
		out.Refines = &index
	}
	for _, r := range t.Datums {
		ref := PMIDatumReference{Modifiers: modifiers(r.Modifiers)}
		for _, u := range r.Datums {
			ref.Datums = append(ref.Datums, PMIDatumUse{
				Letter: datums[u.Datum].Letter, Modifiers: modifiers(u.Modifiers),
			})
		}
		out.Datums = append(out.Datums, ref)
	}
	return out
}

func target(t *gdt.DatumTarget) PMIDatumTarget {
	out := PMIDatumTarget{
		Name: t.Name, Kind: t.Kind, Length: t.Length, Width: t.Width, Faces: regions(t.Faces),
	}
	if t.HasFrame {
		origin, axis := t.Frame.Origin, t.Frame.Z
		out.Origin, out.Axis = &origin, &axis
	}
	return out
}

func modifiers(ms []gdt.DatumModifier) []PMIModifier {
	var out []PMIModifier
	for _, m := range ms {
		out = append(out, PMIModifier(m))
	}
	return out
}

// regions returns the faces as regions of the mesh, which have the same indices.
func regions(faces []gdt.Face) []int {
	out := make([]int, len(faces))
	for i, f := range faces {
		out[i] = int(f)
	}
	return out
}
