package codec_test

import (
	"bytes"
	"math"
	"testing"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/codec"
	"millwright.dev/millwright/core/kernel/brep/codec/codectest"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// small are models of every kind of entity that are quick to code.
func small(t testing.TB) []*brep.Model {
	t.Helper()
	free, err := build.Freeform(build.Cylinder(5, 10, build.Styles()[0]), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	swept, err := build.Swept(build.Cylinder(5, 10, build.Styles()[0]), 0.3)
	if err != nil {
		t.Fatal(err)
	}
	stated := build.Box(geom.Vec3{X: 1, Y: 2, Z: 3})
	thread := &gdt.Thread{Series: "M", Diameter: 6, Pitch: 1, Starts: 1, Class: "6H", Places: 1}
	stated.PMI = gdt.PMI{
		Dimensions: []gdt.Dimension{{
			Kind: "diameter", Faces: []gdt.Face{1, 4}, Nominal: 6, HasNominal: true, Lower: -0.1, HasLower: true,
			Modifiers: []string{"statistical"}, Decimals: brep.None, Thread: thread, Source: 77,
		}},
		Tolerances: []gdt.Tolerance{{
			Kind: "position", Faces: []gdt.Face{2}, Value: 0.1, Refines: brep.None,
			Datums: []gdt.DatumCompartment{{
				Datums: []gdt.DatumElement{{Datum: 0, Modifiers: []gdt.DatumModifier{{Name: "least", Value: 1}}}},
			}},
		}},
		Datums: []gdt.Datum{{
			Letter: "A", Faces: []gdt.Face{0},
			Targets: []gdt.DatumTarget{{Kind: "point", Name: "A1", HasFrame: true, Frame: geom.World}},
		}},
		Notes: []gdt.Note{{Kind: gdt.NoteThread, Text: "M6", Thread: thread, Faces: []gdt.Face{3}}},
	}
	red := &brep.Color{R: 1}
	stated.Faces[0].Color, stated.Faces[3].Color = red, red
	stated.Faces[5].Color, stated.Faces[5].Name = &brep.Color{B: 0.5}, "top"
	stated.Sag = math.Inf(1)
	stated.Warnings = []fault.Warning{{Code: "gap", Message: "Edge 3 is loose.", Count: 2}}
	return []*brep.Model{{}, stated, free, swept, build.Sphere(3, build.Styles()[0]),
		build.Tube(2, 4, 8, build.Styles()[1])}
}

func TestBuiltPartsRoundTrip(t *testing.T) {
	for _, m := range small(t) {
		t.Run(m.Name, func(t *testing.T) { codectest.RoundTrip(t, m) })
		mirror := geom.Transform{X: geom.Vec3{X: -2}, Y: geom.Vec3{Y: 2}, Z: geom.Vec3{Z: 2}, T: geom.Vec3{X: 5}}
		moved := &brep.Model{Name: m.Name + " moved"}
		moved.Append(m, geom.Identity)
		moved.Append(m, mirror)
		t.Run(moved.Name, func(t *testing.T) { codectest.RoundTrip(t, moved) })
	}
}

// FuzzDecode checks that any bytes give an error or a model whose references are valid.
func FuzzDecode(f *testing.F) {
	for _, m := range small(f) {
		f.Add(codec.Encode(m))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := codec.Decode(data)
		if err != nil {
			return
		}
		stored := codec.Encode(m)
		again, err := codec.Decode(stored)
		if err != nil {
			t.Fatalf("what was read cannot be read again: %v", err)
		}
		if !bytes.Equal(stored, codec.Encode(again)) {
			t.Error("a second round trip gives other bytes")
		}
	})
}
