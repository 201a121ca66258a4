package recognize_test

import (
	"math"
	"testing"

	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
)

// A step and a slot from another side that opens in its riser are two pockets, whether the edge between them is round or
// sharp.
func TestCutsThatEndAtOneEdgeAreTwo(t *testing.T) {
	for name, edge := range map[string][]build.Corner{
		"sharp": build.Polygon(v2(33, 15)),
		"round": {{P: v2(33, 14), Bulge: build.Bulge(math.Pi / 2)}, {P: v2(32, 15)}},
	} {
		outline := append(build.Polygon(v2(0, 0), v2(60, 0), v2(60, 15), v2(41, 15), v2(41, 9), v2(33, 9)), edge...)
		outline = append(outline, build.Polygon(v2(20, 15), v2(20, 60), v2(0, 60))...)
		res := recognized(t, build.Prism("step", outline, 30, build.Style{}))
		if got := len(featuretest.Only(res, feature.Pocket)); got != 2 {
			t.Errorf("%s: %d pockets, want 2\n%s", name, got, dump(res))
		}
	}
}
