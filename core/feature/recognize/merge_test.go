package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A step and a slot from another side that opens in its riser are two pockets, with a round or a sharp edge between
// them.
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

// A window in the floor of a recess is a separate pocket, though one of its walls is coplanar with a wall of the
// recess.
func TestWindowInTheFloorOfARecess(t *testing.T) {
	for _, off := range []float64{5, 0.00005} {
		window := build.Cut{Profile: build.Moved(build.Rounded(40, 20, 5), v2(30, 15+off)), Depth: 14}
		recess := build.Cut{Profile: build.Moved(build.Rounded(80, 40, 3), v2(10, 15)), Depth: 6, Cuts: []build.Cut{window}}
		res := recognized(t, build.Milled("window in a recess", build.Rectangle(100, 70), 20, build.Style{},
			[]build.Cut{recess}))
		if got, want := counts(res), "Pocket 2 Face 6"; got != want {
			t.Errorf("%v mm from it: found %s, want %s\n%s", off, got, want, dump(res))
		}
	}
}

// A channel whose floor bends by less than 10°, inward or outward, is one pocket, from any direction that is normal to
// a floor.
func TestBentFloor(t *testing.T) {
	for _, end := range []float64{15, 5} {
		m := build.Polyhedron("bent floor", []geom.Vec3{
			// 0
			at(0, 0, 0), at(100, 0, 0), at(100, 0, 30), at(80, 0, 30), at(80, 0, 10), at(20, 0, 10), at(20, 0, 30), at(0, 0, 30),
			// 8
			at(0, 60, 0), at(100, 60, 0), at(100, 60, 30), at(80, 60, 30), at(80, 60, end), at(20, 60, end), at(20, 60, 30),
			at(0, 60, 30),
			at(80, 30, 10), at(20, 30, 10), // 16
		}, [][][]int{
			{{0, 1, 2, 3, 4, 5, 6, 7}}, {{15, 14, 13, 12, 11, 10, 9, 8}}, {{0, 8, 9, 1}}, {{1, 9, 10, 2}}, {{0, 7, 15, 8}},
			{{2, 10, 11, 3}},
			{{6, 14, 15, 7}}, {{3, 11, 12, 16, 4}}, {{6, 5, 17, 13, 14}}, {{4, 16, 17, 5}}, {{16, 12, 13, 17}},
		})
		res := recognized(t, m)
		if got, want := counts(res), "Pocket 1 Face 6"; got != want {
			t.Errorf("to %v mm: found %s, want %s\n%s", end, got, want, dump(res))
		}
	}
}
