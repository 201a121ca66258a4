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

// angle is an L with flanges 40 and 30 long, 60 wide, with a thickness, an inner and an outer radius. The end of its
// long flange has half the thickness on a length.
func angle(thick, inner, outer, thin float64) *brep.Model {
	quarter := build.Bulge(math.Pi / 2)
	profile := []build.Corner{{P: v2(outer, 0)}, {P: v2(40, 0)}, {P: v2(40, thick)},
		{P: v2(thick+inner, thick), Bulge: -quarter}, {P: v2(thick, thick+inner)}, {P: v2(thick, 30)}, {P: v2(0, 30)},
		{P: v2(0, outer), Bulge: quarter}}
	if thin > 0 {
		step := []build.Corner{{P: v2(40-thin, 0)}, {P: v2(40-thin, thick/2)}, {P: v2(40, thick/2)}}
		profile = slices.Replace(profile, 1, 2, step...)
	}
	return build.Prism("angle", profile, 60, build.Style{})
}

// tray is a closed pocket with walls of one thickness and coaxial inner and outer corner rounds.
func tray() *brep.Model {
	return build.Milled("tray", build.Rounded(60, 40, 6), 20, build.Style{}, []build.Cut{
		{Profile: build.Moved(build.Rounded(56, 36, 4), v2(2, 2)), Depth: 18}})
}

func TestBentSheet(t *testing.T) {
	for _, row := range []struct {
		name    string
		m       *brep.Model
		pockets int
	}{
		{"bent", angle(3, 2, 5, 0), 0},
		{"bent without an inner radius", build.Prism("angle", []build.Corner{{P: v2(3, 0)}, {P: v2(40, 0)}, {P: v2(40, 3)},
			{P: v2(3, 3)}, {P: v2(3, 30)}, {P: v2(0, 30)}, {P: v2(0, 3), Bulge: build.Bulge(math.Pi / 2)}}, 60, build.Style{}),
			0},
		{"milled with a sharp outer corner", build.Prism("angle", []build.Corner{{P: v2(0, 0)}, {P: v2(40, 0)},
			{P: v2(40, 3)}, {P: v2(5, 3), Bulge: -build.Bulge(math.Pi / 2)}, {P: v2(3, 5)}, {P: v2(3, 30)},
			{P: v2(0, 30)}}, 60, build.Style{}), 1},
		{"foil folded sharply", build.Prism("angle", build.Polygon(v2(0, 0), v2(40, 0), v2(40, 0.5), v2(0.5, 0.5),
			v2(0.5, 30),
			v2(0, 30)), 60, build.Style{}), 0},
		{"an angle of bar", build.Prism("angle", build.Polygon(v2(0, 0), v2(40, 0), v2(40, 3), v2(3, 3), v2(3, 30),
			v2(0, 30)), 60, build.Style{}), 1},
		{"radii of two centres", angle(3, 2, 7, 0), 1},
		{"one radius on both sides", angle(2, 2, 2, 0), 0},
		{"folded and welded on a flat piece", welded(), 0},
		{"bent and stepped at the end of a leg", angle(3, 2, 5, 6), 1},
		{"tray with walls of one thickness", tray(), 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := len(featuretest.Only(res, feature.Pocket)); got != row.pockets {
				t.Errorf("%d pockets, want %d\n%s", got, row.pockets, dump(res))
			}
			checkCover(t, row.name, res)
		})
	}
}

// welded is a hat of thin sheet on a narrower flat piece that extends slightly beyond its flanges.
func welded() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Blocks("welded", build.Add(p(40, -53, 0), p(120, 53, 1)), // the flat piece
		build.Add(p(0, -50, 1), p(160, -30, 2)), build.Add(p(0, 30, 1), p(160, 50, 2)),
		build.Add(p(0, -31, 1), p(160, -30, 30)), build.Add(p(0, 30, 1), p(160, 31, 30)),
		build.Add(p(0, -31, 29), p(160, 31, 30)))
}

// Each flat of bent sheet is cut before bending, from one side to the other and around the fold.
func TestWindowsOfBentSheetAreCutFlatByFlat(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	hat := func(low float64) *brep.Model { // windows in both legs, from a height into the flanges
		return build.Blocks("hat", build.Add(p(-20, 0, 0), p(20, 40, 1)),
			build.Add(p(-20, 0, 0), p(-19, 40, 20)), build.Add(p(19, 0, 0), p(20, 40, 20)),
			build.Add(p(-40, 0, 19), p(-19, 40, 20)), build.Add(p(19, 0, 19), p(40, 40, 20)),
			build.Subtract(p(-35, 15, low), p(-18, 25, 21)), build.Subtract(p(18, 15, low), p(35, 25, 21)))
	}
	for _, row := range []struct {
		name string
		m    *brep.Model
	}{
		{"windows in the flanges", hat(19)},
		{"windows round the folds", hat(10)},
	} {
		res := recognized(t, row.m)
		pockets := featuretest.Only(res, feature.Pocket)
		if len(pockets) != 2 {
			t.Errorf("%s: %d pockets, want 2\n%s", row.name, len(pockets), dump(res))
		}
		for _, f := range pockets {
			if !f.Pocket.Through || f.Pocket.Open {
				t.Errorf("%s: through %v and open %v, want a window\n%s", row.name, f.Pocket.Through, f.Pocket.Open, dump(res))
			}
		}
	}
}
