package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// tabbed is the outline of a plate 80 by 60 with a tab 20 wide and 5 high in the middle of its upper side, with a
// semicircular relief of radius 1.5 at each root of it, cut into the side beside the tab.
func tabbed() []build.Corner {
	half := build.Bulge(-math.Pi)
	return []build.Corner{{P: v2(0, 0)}, {P: v2(80, 0)}, {P: v2(80, 60)}, {P: v2(53, 60), Bulge: half}, {P: v2(50, 60)},
		{P: v2(50, 65)}, {P: v2(30, 65)}, {P: v2(30, 60), Bulge: half}, {P: v2(27, 60)}, {P: v2(0, 60)}}
}

// dogBone is the outline of a plate 80 by 60 with a bay 20 wide and 8 deep whose corners are relieved along its bottom.
func dogBone() []build.Corner {
	half := build.Bulge(-math.Pi)
	return []build.Corner{{P: v2(0, 0)}, {P: v2(80, 0)}, {P: v2(80, 60)}, {P: v2(50, 60)}, {P: v2(50, 52), Bulge: half},
		{P: v2(47, 52)}, {P: v2(33, 52), Bulge: half}, {P: v2(30, 52)}, {P: v2(30, 60)}, {P: v2(0, 60)}}
}

// bay is the outline of a plate 80 by 60 with a bay 30 wide and 10 deep in its upper side, whose corners are sharp.
func bay() []build.Corner {
	return build.Polygon(v2(0, 0), v2(80, 0), v2(80, 60), v2(55, 60), v2(55, 50), v2(25, 50), v2(25, 60), v2(0, 60))
}

// slotted is the outline of bay with a slot 6 wide with a round end in the lower side.
func slotted() []build.Corner {
	return append([]build.Corner{{P: v2(0, 0)}, {P: v2(37, 0)}, {P: v2(37, 20), Bulge: build.Bulge(-math.Pi)},
		{P: v2(43, 20)},
		{P: v2(43, 0)}}, bay()[1:]...)
}

// Inward turns in the outline of sheet are in one contour, with any corners, but a slot is not. Thicker parts, and
// outlines without inward turns, are recognized piece by piece.
func TestOutlineOfSheet(t *testing.T) {
	for _, row := range []struct {
		name  string
		ring  []build.Corner
		thick float64
		want  string
		sides int // of the profile
	}{
		{"a tab with reliefs at its roots", tabbed(), 3.5, "Face 2 Profile 1", 10},
		{"a bay with relieved corners", dogBone(), 3.5, "Face 2 Profile 1", 10},
		{"a bay with sharp corners", bay(), 3.5, "Face 2 Profile 1", 8},
		{"a bay in a thin plate", bay(), 2, "Face 2 Profile 1", 8},
		{"a bay in a block", bay(), 20, "Pocket 1 Face 6", 0},
		{"a bay and a slot", slotted(), 3.5, "Pocket 1 Face 2 Profile 1", 9},
		{"a bay and a slot in a thin plate", slotted(), 2, "Face 2 Profile 1", 12},
		{"no inner corner", build.Rectangle(80, 60), 3.5, "Face 6", 0},
		{"round corners alone", build.Rounded(80, 60, 6), 3.5, "Face 6 Profile 1", 8},
	} {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, build.Prism(row.name, row.ring, row.thick, build.Style{}))
			if got := all(res); got != row.want {
				t.Fatalf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			if p := featuretest.Only(res, feature.Profile); row.sides > 0 && len(p[0].Regions) != row.sides {
				t.Errorf("the profile has %d sides, want %d\n%s", len(p[0].Regions), row.sides, dump(res))
			}
		})
	}
}

// The core of a shallow groove in a disc is not a plate, though fillets hide its base on the floor.
func TestCoreOfAShallowGrooveIsNoPlate(t *testing.T) {
	fillet := -build.Bulge(math.Pi / 2)
	m := build.Revolve("disc", geom.World, []build.Corner{{P: v2(0, 0)}, {P: v2(50, 0)}, {P: v2(50, 10)}, {P: v2(40, 10)},
		{P: v2(40, 8.5), Bulge: fillet},
		{P: v2(39.5, 8)}, {P: v2(37.5, 8), Bulge: fillet}, {P: v2(37, 8.5)}, {P: v2(37, 10)}, {P: v2(0, 10)}}, build.Style{})
	res := recognized(t, m)
	if got, want := all(res), "Pocket 1 Face 2 Profile 1"; got != want {
		t.Errorf("found %s, want %s\n%s", got, want, dump(res))
	}
}
