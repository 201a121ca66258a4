package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// ears is a plate 8 thick with two round tabs of radius 9 at one end, joined to the recess between by fillets.
func ears() *brep.Model {
	const ear, fillet, off = 9.0, 1.0, 1.0 // off: distance of the fillet centers beyond the recess
	half := build.Bulge(math.Pi / 2)
	up := math.Sqrt((ear+fillet)*(ear+fillet) - off*off) // from the center of a tab to that of its fillet
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
	if pockets, profiles := featuretest.Only(res, feature.Pocket),
		featuretest.Only(res, feature.Profile); len(pockets) != 0 ||
		len(profiles) != 1 {
		t.Errorf("%d pockets and %d profiles, want 0 and 1\n%s", len(pockets), len(profiles), dump(res))
	}
}

func TestLugHasItsRoundEnd(t *testing.T) {
	// A lug 12 wide with a full round end, along y on a block: its end is visible from the side and from above.
	half := build.Bulge(math.Pi)
	m := build.Prism("lug", []build.Corner{{P: v2(-40, 0)}, {P: v2(40, 0)}, {P: v2(40, 10)}, {P: v2(6, 10)},
		{P: v2(6, 30), Bulge: half}, {P: v2(-6, 30)}, {P: v2(-6, 10)}, {P: v2(-40, 10)}}, 20, build.Style{})
	res := recognized(t, m)
	if walls := featuretest.Only(res, feature.Wall); len(walls) != 0 {
		t.Errorf("%d walls, want none\n%s", len(walls), dump(res))
	}
}

func TestLedgesBesideALugAreTwoFaces(t *testing.T) {
	// The top around a pocket that a block splits on one side: its pieces are side by side, with no cut between.
	m := build.Blocks("rim", build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 20}),
		build.Subtract(geom.Vec3{X: -1, Y: 10, Z: 10}, geom.Vec3{X: 101, Y: 61, Z: 21}),
		build.Add(geom.Vec3{X: 40, Y: 0, Z: 0}, geom.Vec3{X: 60, Y: 20, Z: 35}))
	res := recognized(t, m)
	const want = 3 // the top of the block and a piece on both sides
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

// ribbed is an angle 3 thick with flanges of 40, 50 wide, and a rib 3 thick in its corner.
func ribbed() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("ribbed", []geom.Vec3{
		p(0, 0, 0), p(40, 0, 0), p(40, 3, 0), p(3, 3, 0), p(3, 40, 0), p(0, 40, 0),
		p(0, 0, 50), p(40, 0, 50), p(40, 3, 50), p(3, 3, 50), p(3, 40, 50), p(0, 40, 50),
		p(3, 3, 20), p(23, 3, 20), p(3, 18, 20), p(3, 3, 23), p(23, 3, 23), p(3, 18, 23),
	}, [][][]int{
		{{5, 4, 3, 2, 1, 0}}, {{6, 7, 8, 9, 10, 11}}, {{0, 1, 7, 6}}, {{1, 2, 8, 7}},
		{{3, 12, 13, 16, 15, 9, 8, 2}}, {{3, 4, 10, 9, 15, 17, 14, 12}}, {{5, 11, 10, 4}}, {{0, 6, 11, 5}},
		{{12, 14, 13}}, {{15, 16, 17}}, {{13, 14, 17, 16}},
	})
}

func TestSlopeOfARibIsAFace(t *testing.T) {
	const slope = 10 // the last face
	res := recognized(t, ribbed())
	if got := counts(res); got != "Pocket 1 Face 7" {
		t.Errorf("%s, want a step, six sides and the slope\n%s", got, dump(res))
	}
	for _, f := range res.Features {
		if f.Type != feature.Face && slices.Contains(f.Regions, slope) {
			t.Errorf("the slope is of a %s", f.Type)
		}
	}
}

// heatSink is an extruded comb: fins lean by 2°, with round tips and fillets at their bases that turn by 90° and so
// meet the fins at an edge.
func heatSink(fins int) *brep.Model {
	const (
		pitch, root, tip = 12.0, 2.0, 1.0 // mm; root and tip are half the width of a fin
		fillet, base     = 0.25, 5.0
		high             = 34.0
	)
	in := -build.Bulge(math.Pi / 2)
	end := float64(fins-1)*pitch + root
	profile := []build.Corner{{P: v2(-root, 0)}, {P: v2(end, 0)}}
	for i := fins - 1; i >= 0; i-- {
		x := float64(i) * pitch
		profile = append(profile, build.Corner{P: v2(x+root, base+fillet)},
			build.Corner{P: v2(x+tip, high), Bulge: build.Bulge(math.Pi)}, build.Corner{P: v2(x-tip, high)})
		if i > 0 {
			profile = append(profile, build.Corner{P: v2(x-root, base+fillet), Bulge: in},
				build.Corner{P: v2(x-root-fillet, base)},
				build.Corner{P: v2(x-pitch+root+fillet, base), Bulge: in})
		}
	}
	return build.Prism("heat sink", append(profile, build.Corner{P: v2(-root, base+fillet)}), 35, build.Style{})
}

func TestGapsOfACombDrawnThroughADie(t *testing.T) {
	res := recognized(t, heatSink(8))
	if pockets, profiles := featuretest.Only(res, feature.Pocket),
		featuretest.Only(res, feature.Profile); len(pockets) != 0 ||
		len(profiles) != 1 {
		t.Errorf("%d pockets and %d profiles, want 0 and 1\n%s", len(pockets), len(profiles), dump(res))
	}
}
