package brep_test

import (
	"math"
	"reflect"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// stated is a cube with one statement of every kind.
func stated() *brep.Model {
	m := build.Box(geom.Vec3{X: 1, Y: 1, Z: 1})
	m.PMI = gdt.PMI{
		Dimensions: []gdt.Dimension{
			{Kind: "linear distance", Faces: []gdt.Face{0}, To: []gdt.Face{1}, Nominal: 1, Lower: -0.1,
				Upper: 0.2, HasNominal: true, HasLower: true, HasUpper: true},
			{Kind: "angle", Angle: true, Nominal: math.Pi / 2, Upper: 0.01},
		},
		Tolerances: []gdt.Tolerance{
			{Kind: "flatness", Faces: []gdt.Face{2}, Value: 0.05, PerLength: 3, Refines: gdt.None},
			{Kind: "position", Faces: []gdt.Face{3}, Value: 0.1, Projected: 5, Max: 0.4, Refines: 0,
				ProjectedFrom: []gdt.Face{4},
				Datums: []gdt.DatumCompartment{{
					Datums:    []gdt.DatumElement{{Datum: 0, Modifiers: []gdt.DatumModifier{{Name: "basic"}}}},
					Modifiers: []gdt.DatumModifier{{Name: "projected", Value: 2}},
				}}},
		},
		Datums: []gdt.Datum{{Letter: "A", Faces: []gdt.Face{5}, Targets: []gdt.DatumTarget{{
			Kind: "circle", Name: "A1", Faces: []gdt.Face{5}, HasFrame: true,
			Frame: geom.Frame{Origin: geom.Vec3{X: 1}, X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1},
				Z: geom.Vec3{Z: 1}}, Length: 4, Width: 4,
		}}}},
		Notes: []gdt.Note{{Kind: gdt.NoteThread, Text: "M8", Faces: []gdt.Face{0, 5}}},
	}
	return m
}

func TestAppendKeepsPMI(t *testing.T) {
	const scale = 2
	src := stated()
	before := stated()
	m := &brep.Model{}
	m.Append(src, geom.Identity)
	if !reflect.DeepEqual(m.PMI, src.PMI) {
		t.Fatalf("an unmoved copy states\n%+v\nwant\n%+v", m.PMI, src.PMI)
	}
	m.Append(src, geom.Translation(geom.Vec3{Z: 10}).Mul(geom.Scaling(scale)))
	if !reflect.DeepEqual(src, before) {
		t.Error("Append changed its source")
	}
	faces := gdt.Face(len(src.Faces))
	size, angle := m.PMI.Dimensions[2], m.PMI.Dimensions[3]
	if size.Faces[0] != faces || size.To[0] != faces+1 || size.Nominal != scale ||
		size.Lower != -0.1*scale || size.Upper != 0.2*scale {
		t.Errorf("moved dimension %+v", size)
	}
	if angle.Nominal != math.Pi/2 || angle.Upper != 0.01 {
		t.Errorf("a scaled angle is %+v", angle)
	}
	flat, position := m.PMI.Tolerances[2], m.PMI.Tolerances[3]
	if flat.Refines != gdt.None || flat.PerLength != 3*scale || flat.Value != 0.05*scale {
		t.Errorf("moved flatness %+v", flat)
	}
	use := position.Datums[0]
	if position.Refines != 2 || position.Projected != 5*scale || position.Max != 0.4*scale ||
		position.ProjectedFrom[0] != faces+4 || use.Datums[0].Datum != 1 || use.Modifiers[0].Value != 2*scale ||
		use.Datums[0].Modifiers[0].Name != "basic" {
		t.Errorf("moved position %+v", position)
	}
	target := m.PMI.Datums[1].Targets[0]
	if m.PMI.Datums[1].Faces[0] != faces+5 || target.Faces[0] != faces+5 || target.Length != 4*scale ||
		target.Frame.Origin != (geom.Vec3{X: scale, Z: 10}) || target.Frame.X != (geom.Vec3{X: 1}) {
		t.Errorf("moved datum %+v", m.PMI.Datums[1])
	}
	if n := m.PMI.Notes[1]; n.Faces[0] != faces || n.Faces[1] != faces+5 || n.Text != "M8" {
		t.Errorf("moved note %+v", n)
	}
}
