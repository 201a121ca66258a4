package gdt_test

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/gdt"
)

func TestEmpty(t *testing.T) {
	if p := (gdt.PMI{}); !p.Empty() {
		t.Error("nothing is not empty")
	}
	for name, p := range map[string]gdt.PMI{
		"dimension": {Dimensions: make([]gdt.Dimension, 1)}, "tolerance": {Tolerances: make([]gdt.Tolerance, 1)},
		"datum": {Datums: make([]gdt.Datum, 1)}, "note": {Notes: make([]gdt.Note, 1)},
	} {
		if p.Empty() {
			t.Errorf("a %s is nothing", name)
		}
	}
}

// TestRenumberReachesEveryFace puts the faces 1 to 7 into the seven lists, and drops face 4.
func TestRenumberReachesEveryFace(t *testing.T) {
	p := gdt.PMI{
		Dimensions: []gdt.Dimension{{Faces: []gdt.Face{1}, To: []gdt.Face{2}}},
		Tolerances: []gdt.Tolerance{{Faces: []gdt.Face{3}, ProjectedFrom: []gdt.Face{4}}},
		Datums:     []gdt.Datum{{Faces: []gdt.Face{5, 4}, Targets: []gdt.DatumTarget{{Faces: []gdt.Face{6}}}}},
		Notes:      []gdt.Note{{Faces: []gdt.Face{7}}, {}},
	}
	p.Renumber(func(f gdt.Face) (gdt.Face, bool) { return 10 * f, f != 4 })
	for i, got := range [][]gdt.Face{
		p.Dimensions[0].Faces, p.Dimensions[0].To, p.Tolerances[0].Faces, p.Tolerances[0].ProjectedFrom,
		p.Datums[0].Faces, p.Datums[0].Targets[0].Faces, p.Notes[0].Faces,
	} {
		want := []gdt.Face{10 * gdt.Face(i+1)}
		if i == 3 {
			want = nil
		}
		if !slices.Equal(got, want) {
			t.Errorf("place %d: faces %v, want %v", i+1, got, want)
		}
	}
	if p.Notes[1].Faces != nil {
		t.Errorf("a note about the whole part is about %v", p.Notes[1].Faces)
	}
}
