package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
)

// angle is an L of legs 40 and 30 long, 60 wide, of a thickness, with an inner radius and an outer one. The
// end of its long leg is half as thick on a length.
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

// tray is a closed pocket whose walls have one thickness, its corners rounded about one axis on either side.
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
		{"milled with a sharp outer corner", build.Prism("angle", []build.Corner{{P: v2(0, 0)}, {P: v2(40, 0)},
			{P: v2(40, 3)}, {P: v2(5, 3), Bulge: -build.Bulge(math.Pi / 2)}, {P: v2(3, 5)}, {P: v2(3, 30)},
			{P: v2(0, 30)}}, 60, build.Style{}), 1},
		{"foil folded sharply", build.Prism("angle", build.Polygon(v2(0, 0), v2(40, 0), v2(40, 0.5), v2(0.5, 0.5), v2(0.5, 30),
			v2(0, 30)), 60, build.Style{}), 0},
		{"an angle of bar", build.Prism("angle", build.Polygon(v2(0, 0), v2(40, 0), v2(40, 3), v2(3, 3), v2(3, 30),
			v2(0, 30)), 60, build.Style{}), 1},
		{"radii of two centres", angle(3, 2, 7, 0), 1},
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
