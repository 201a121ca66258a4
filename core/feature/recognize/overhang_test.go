package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
)

// A lip at the mouth of a pocket leaves its back in the pocket, though nothing that sees the floor sees that.
func TestBackOfALipIsOfThePocket(t *testing.T) {
	block, hollow := build.Add(at(0, 0, 0), at(60, 30, 20)), build.Subtract(at(20, 5, 5), at(55, 25, 15))
	for _, row := range []struct {
		name, want string
		mouth      build.Block
	}{
		{"beside an opening", "Pocket 1 Face 6", build.Subtract(at(55, 8, 5), at(60, 25, 15))},
		{"left by a step", "Pocket 2 Face 6", build.Subtract(at(55, 8, 0), at(60, 30, 20))},
	} {
		res := recognized(t, build.Blocks("lip", block, hollow, row.mouth))
		if got := all(res); got != row.want || len(res.Unmachined) > 0 {
			t.Errorf("%s: found %s and left out %v, want %s and all of it\n%s", row.name, got, res.Unmachined, row.want, dump(res))
		}
	}
}
