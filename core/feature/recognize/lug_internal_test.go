package recognize

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
)

// A rounding belongs to the patches that it continues smoothly on both sides, or to one such patch with both sides at
// its ends.
func TestRoundingsEndBetweenSides(t *testing.T) {
	r := newReading(t, build.Prism("ear", build.Rounded(60, 40, 8), 12, build.Style{})) // walls in turn, bottom, top
	const side, corner, bottom, top = 0, 1, 8, 9
	if r.g.Patches[corner].Radius != 8 || r.g.Patches[bottom].Axis.Z != -1 || r.g.Patches[top].Axis.Z != 1 {
		t.Fatalf("patches %+v are not in the order of the profile", r.g.Patches)
	}
	for _, row := range []struct {
		name string
		of   []int32 // planes of the feature
		want bool
	}{
		{"a wall and both sides", []int32{side, bottom, top}, true},
		{"a wall and one side", []int32{side, top}, false},
		{"both sides alone", []int32{bottom, top}, false},
		{"two walls square to each other", []int32{side, side + 2}, false},
	} {
		r.claims = newClaims(len(r.g.Patches))
		for _, p := range row.of {
			r.owner[p] = 0
		}
		if got := r.endsBetween(corner, 0); got != row.want {
			t.Errorf("%s: %t, want %t", row.name, got, row.want)
		}
	}
}
