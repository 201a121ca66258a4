package pipeline

import (
	"encoding/json"
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestStatements(t *testing.T) {
	if got := statements(&gdt.PMI{}); got != nil {
		t.Errorf("nothing stated gives %+v, want nothing", got)
	}
	got, err := json.Marshal(statements(&gdt.PMI{
		Dimensions: []gdt.Dimension{
			{Kind: "diameter", Faces: []gdt.Face{3, 4}, Nominal: 8, HasNominal: true, Lower: -0.1,
				HasLower: true, HasUpper: true, Fit: "H7", Decimals: 2},
			{Kind: "angle", Angle: true, Faces: []gdt.Face{1}, To: []gdt.Face{2}, Nominal: math.Pi / 2,
				HasNominal: true, Basic: true, Decimals: brep.None},
			{Kind: "thickness", Decimals: brep.None},
		},
		Tolerances: []gdt.Tolerance{{
			Kind: "position", Value: 0.2, Faces: []gdt.Face{5}, HasOffset: true, Refines: brep.None,
			Datums: []gdt.DatumCompartment{{Datums: []gdt.DatumElement{{Datum: 1}},
				Modifiers: []gdt.DatumModifier{{Name: "projected", Value: 2}}}},
		}, {Kind: "position", Value: 0.1, Refines: 0, AllOver: true, Projected: 3,
			ProjectedFrom: []gdt.Face{6}}},
		Datums: []gdt.Datum{{Letter: "A"}, {Letter: "B", Targets: []gdt.DatumTarget{
			{Name: "B1", Kind: "point", HasFrame: true, Frame: geom.World},
		}}},
		Notes: []gdt.Note{{Kind: gdt.NoteThread, Text: "M8", Faces: []gdt.Face{7}}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"dimensions":[` +
		`{"kind":"diameter","unit":"mm","nominal":8,"lower":-0.1,"upper":0,"fit":"H7","decimals":2,` +
		`"faces":[3,4]},` +
		`{"kind":"angle","unit":"deg","nominal":90,"basic":true,"faces":[1],"to":[2]},` +
		`{"kind":"thickness","unit":"mm","faces":[]}],` +
		`"tolerances":[{"kind":"position","value":0.2,"offset":0,"datums":[{"datums":[{"letter":"B"}],` +
		`"modifiers":[{"name":"projected","value":2}]}],"faces":[5]},` +
		`{"kind":"position","value":0.1,"projected":3,"projectedFrom":[6],"allOver":true,"refines":0,` +
		`"faces":[]}],` +
		`"datums":[{"letter":"A","faces":[]},{"letter":"B","faces":[],"targets":[{"name":"B1","kind":"point",` +
		`"origin":{"x":0,"y":0,"z":0},"axis":{"x":0,"y":0,"z":1},"faces":[]}]}],` +
		`"notes":[{"kind":"thread","text":"M8","faces":[7]}]}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
