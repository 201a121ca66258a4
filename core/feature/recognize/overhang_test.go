package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
)

// The back of an overhang at the opening of a pocket is in the pocket, though no direction sees both the back and the
// floor.
func TestBackOfALipIsOfThePocket(t *testing.T) {
	block, hollow := build.Add(at(0, 0, 0), at(60, 30, 20)), build.Subtract(at(20, 5, 5), at(55, 25, 15))
	for _, row := range []struct {
		name, want string
		opening    build.Block
	}{
		{"beside an opening", "Pocket 1 Face 6", build.Subtract(at(55, 8, 5), at(60, 25, 15))},
		{"left by a step", "Pocket 2 Face 6", build.Subtract(at(55, 8, 0), at(60, 30, 20))},
	} {
		res := recognized(t, build.Blocks("lip", block, hollow, row.opening))
		if got := all(res); got != row.want || len(res.Unmachined) > 0 {
			t.Errorf("%s: found %s and left out %v, want %s and all of it\n%s", row.name, got, res.Unmachined, row.want,
				dump(res))
		}
	}
}
