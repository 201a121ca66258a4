package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep/build"
)

// Reliefs belong to the pocket of their corners, with its walls: half a turn on the bisector of a corner, or at least a
// quarter at one of its sides.
func TestReliefsAreOfTheirCorners(t *testing.T) {
	const a = 4 * math.Sqrt2 // from a corner to the ends of a relief of radius 4 through it
	dog, bone := build.Bulge(-math.Pi), build.Bulge(-math.Pi/2)
	rows := []struct {
		name    string
		profile []build.Corner
		regions int // of its pocket, with adjacent patches; faces only
	}{
		{"dog-bones in a notch", []build.Corner{{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 60)}, {P: v2(65, 60)},
			{P: v2(65, 35+a), Bulge: dog}, {P: v2(65-a, 35)}, {P: v2(35+a, 35), Bulge: dog}, {P: v2(35, 35+a)}, {P: v2(35, 60)},
			{P: v2(0, 60)}}, 5},
		{"dog-bone in a step", []build.Corner{{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 35)}, {P: v2(65+a, 35), Bulge: dog},
			{P: v2(65, 35+a)}, {P: v2(65, 60)}, {P: v2(0, 60)}}, 3},
		{"T-bone in a step", []build.Corner{{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 35)}, {P: v2(65, 35), Bulge: bone},
			{P: v2(61, 39), Bulge: bone}, {P: v2(65, 43)}, {P: v2(65, 60)}, {P: v2(0, 60)}}, 4},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, build.Prism(row.name, row.profile, 14, build.Style{}))
			pockets := featuretest.Only(res, feature.Pocket)
			if len(pockets) != 1 || len(pockets[0].Regions) != row.regions {
				t.Errorf("want one pocket of %d walls\n%s", row.regions, dump(res))
			}
			if n := len(featuretest.Only(res, feature.Wall)) + len(featuretest.Only(res, feature.Profile)); n > 0 {
				t.Errorf("%d walls and profiles, want none\n%s", n, dump(res))
			}
		})
	}
}

// Planes that meet in a convex edge have no corner to relieve: a groove along it is a separate pocket.
func TestGrooveAlongAnOuterEdgeIsNoRelief(t *testing.T) {
	res := recognized(t, build.Prism("groove", []build.Corner{{P: v2(0, 0)}, {P: v2(100, 0)},
		{P: v2(100, 52), Bulge: build.Bulge(-math.Pi / 2)},
		{P: v2(92, 60)}, {P: v2(0, 60)}}, 14, build.Style{}))
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || len(pockets[0].Regions) != 1 {
		t.Errorf("want a pocket of the groove alone\n%s", dump(res))
	}
}
