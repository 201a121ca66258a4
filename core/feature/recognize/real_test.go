package recognize_test

import (
	"math"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
	"millwright/core/geom"
)

// ears is a plate 8 thick with two round ears of radius 9 at one end, which fillets join to the recess between.
func ears() *brep.Model {
	const ear, fillet, off = 9.0, 1.0, 1.0 // the fillets' middles lie off beyond the recess
	half := build.Bulge(math.Pi / 2)
	up := math.Sqrt((ear+fillet)*(ear+fillet) - off*off) // from the middle of an ear to that of its fillet
	touch := v2(ear*off/(ear+fillet), ear*up/(ear+fillet))
	turn := math.Atan2(touch.Y, touch.X)
	in := -build.Bulge(math.Pi/2 - math.Asin(off/(ear+fillet)))
	out := build.Bulge(math.Pi/2 + turn)
	return build.Prism("ears", []build.Corner{
		{P: v2(-60, -29)}, {P: v2(0, -29), Bulge: half}, {P: v2(9, -20), Bulge: build.Bulge(turn)},
		{P: v2(touch.X, -20+touch.Y), Bulge: in}, {P: v2(0, -20+up)}, {P: v2(0, 20-up), Bulge: in},
		{P: v2(touch.X, 20-touch.Y), Bulge: out}, {P: v2(0, 29)}, {P: v2(-60, 29)}}, 8, build.Style{})
}

func TestRecessBetweenEarsIsOfTheOutline(t *testing.T) {
	res := recognized(t, ears())
	if pockets, profiles := featuretest.Only(res, feature.Pocket), featuretest.Only(res, feature.Profile); len(pockets) != 0 ||
		len(profiles) != 1 {
		t.Errorf("%d pockets and %d profiles, want 0 and 1\n%s", len(pockets), len(profiles), dump(res))
	}
}

func TestLugHasItsRoundEnd(t *testing.T) {
	// A lug 12 wide with a full round end, lying along y on a block: its end is seen from the side as well as from above.
	half := build.Bulge(math.Pi)
	m := build.Prism("lug", []build.Corner{{P: v2(-40, 0)}, {P: v2(40, 0)}, {P: v2(40, 10)}, {P: v2(6, 10)},
		{P: v2(6, 30), Bulge: half}, {P: v2(-6, 30)}, {P: v2(-6, 10)}, {P: v2(-40, 10)}}, 20, build.Style{})
	res := recognized(t, m)
	if walls := featuretest.Only(res, feature.Wall); len(walls) != 0 {
		t.Errorf("%d walls, want none\n%s", len(walls), dump(res))
	}
}

func TestLedgesBesideALugAreTwoFaces(t *testing.T) {
	// The rim of a pocket that a block parts on one side: its pieces lie side by side, nothing was cut between them.
	m := build.Blocks("rim", build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 20}),
		build.Away(geom.Vec3{X: -1, Y: 10, Z: 10}, geom.Vec3{X: 101, Y: 61, Z: 21}),
		build.Add(geom.Vec3{X: 40, Y: 0, Z: 0}, geom.Vec3{X: 60, Y: 20, Z: 35}))
	res := recognized(t, m)
	const want = 3 // the block's top and a piece on either side
	up := 0
	for _, f := range featuretest.Only(res, feature.Face) {
		if f.Direction.Z > 0 {
			up++
		}
	}
	if up != want {
		t.Errorf("%d faces look up, want %d\n%s", up, want, dump(res))
	}
}
