package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
)

// flared is a plate 100 x 60 x 20 with two round corners and a notch 20 wide and 35 deep that widens at its opening by
// a width on both sides.
func flared(by float64) *brep.Model {
	quarter := build.Bulge(math.Pi / 2)
	return build.Prism("flared", []build.Corner{
		{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 50), Bulge: quarter}, {P: v2(90, 60)},
		{P: v2(60+by, 60)}, {P: v2(60, 40)}, {P: v2(60, 25)}, {P: v2(40, 25)}, {P: v2(40, 40)}, {P: v2(40-by, 60)},
		{P: v2(10, 60), Bulge: quarter}, {P: v2(0, 50)},
	}, 20, build.Style{})
}

func TestMouthIsOfItsNotch(t *testing.T) {
	const walls = 5
	for _, by := range []float64{4, 10, 15} {
		res := recognized(t, flared(by))
		pockets := featuretest.Only(res, feature.Pocket)
		if len(pockets) != 1 || len(pockets[0].Regions) != walls {
			t.Errorf("spread by %g: %d pockets, want 1 of %d walls\n%s", by, len(pockets), walls, dump(res))
		}
	}
}

// A window with semicircular bays in two of its sides is one outline.
func TestBaysAreOfTheirWindow(t *testing.T) {
	half := build.Bulge(math.Pi)
	m := plate(build.Cut{Profile: []build.Corner{{P: v2(10, 10)}, {P: v2(25, 10), Bulge: half}, {P: v2(35, 10)},
		{P: v2(50, 10)},
		{P: v2(50, 40)}, {P: v2(35, 40), Bulge: half}, {P: v2(25, 40)}, {P: v2(10, 40)}}, Depth: 20})
	res := recognized(t, m)
	const walls = 8
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || len(pockets[0].Regions) != walls {
		t.Errorf("%d pockets, want 1 of %d walls\n%s", len(pockets), walls, dump(res))
	}
}

// A slot that turns in the plate, as a hook does, keeps the wall of its opening beyond the convex corner.
func TestHookIsOnePocket(t *testing.T) {
	quarter := build.Bulge(math.Pi / 2)
	m := build.Prism("hooked", []build.Corner{
		{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 50), Bulge: quarter}, {P: v2(90, 60)}, {P: v2(50, 60)}, {P: v2(50, 32)},
		{P: v2(75, 32)},
		{P: v2(75, 20)}, {P: v2(40, 20)}, {P: v2(40, 60)}, {P: v2(10, 60), Bulge: quarter}, {P: v2(0, 50)},
	}, 20, build.Style{})
	res := recognized(t, m)
	const walls = 5
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || len(pockets[0].Regions) != walls {
		t.Errorf("%d pockets, want 1 of %d walls\n%s", len(pockets), walls, dump(res))
	}
}
