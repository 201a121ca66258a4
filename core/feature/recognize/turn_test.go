package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// bracket is a plate whose outer contour turns inward by an angle, with a fillet of radius 10 or sharp, between a level
// edge and a slope that ends 12 higher.
func bracket(turn float64, blended bool) *brep.Model {
	sin, cos := math.Sincos(turn)
	const r, x, y, rise = 10.0, 60.0, 20.0, 12.0
	profile := []build.Corner{{P: v2(0, 0)}, {P: v2(80, 0)}, {P: v2(80, y)}}
	end := v2(x-r*sin, y+r-r*cos)
	if blended {
		profile = append(profile, build.Corner{P: v2(x, y), Bulge: -build.Bulge(turn)}, build.Corner{P: end})
	} else {
		end = v2(x, y)
		profile = append(profile, build.Corner{P: end})
	}
	end.X, end.Y = end.X-rise*cos/sin, end.Y+rise
	return build.Prism("bracket", append(profile, build.Corner{P: end}, build.Corner{P: v2(0, end.Y)}), 10, build.Style{})
}

// nosed is a plate whose outer contour turns inward between two round noses, over two arcs that meet a short plane
// between them at 2° outward.
func nosed() *brep.Model {
	const nose, r, turn, off = 20.0, 40.0, 32 * math.Pi / 180, 2 * math.Pi / 180
	way := math.Pi + turn - off // to the left along the contour
	sin, cos := math.Sincos(way + 2*off - math.Pi/2)
	at := v2(60+nose*cos, nose*sin)
	profile := []build.Corner{{P: v2(-40, 0)}, {P: v2(80, 0), Bulge: build.Bulge(way + 2*off - math.Pi/2)}}
	ahead := func(length, turn, after float64) {
		profile = append(profile, build.Corner{P: at, Bulge: -build.Bulge(turn)})
		sin, cos := math.Sincos(way - turn/2)
		at = at.Add(v2(length*cos, length*sin))
		way += after - turn
	}
	ahead(2*r*math.Sin(turn/2), turn, off)
	ahead(4, 0, off)
	ahead(2*r*math.Sin(turn/2), turn, 0)
	ahead(nose, -math.Pi/3, 0)
	ahead(20, 0, 0)
	return build.Prism("nosed", append(profile, build.Corner{P: at}), 10, build.Style{})
}

// One pass follows a contour with its inner corners, if it reaches their sides from outside.
func TestInnerCornersOfContours(t *testing.T) {
	for _, row := range []struct {
		name              string
		m                 *brep.Model
		pockets, profiles int
	}{
		{"a fillet between sides that look apart", bracket(math.Pi/4, true), 0, 1},
		{"a fillet between sides that look at each other", bracket(math.Pi/2, true), 1, 0},
		{"arcs that meet a plane nearly smoothly", nosed(), 0, 1},
		{"a slanted step", bracket(math.Pi/4, false), 1, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			pockets, profiles := len(featuretest.Only(res, feature.Pocket)), len(featuretest.Only(res, feature.Profile))
			if pockets != row.pockets || profiles != row.profiles {
				t.Errorf("%d pockets and %d profiles, want %d and %d\n%s", pockets, profiles, row.pockets, row.profiles, dump(res))
			}
			checkCover(t, row.name, res)
		})
	}
}

// A part that would bend under a cutter is cut from sheet, so that a step in its contour belongs to the contour.
func TestContourOfFoil(t *testing.T) {
	step := build.Polygon(v2(0, 0), v2(4, 0), v2(4, 5), v2(3, 5), v2(3, 9), v2(0, 9))
	for _, row := range []struct {
		thick             float64
		pockets, profiles int
	}{{0.6, 0, 1}, {1.2, 1, 0}} {
		res := recognized(t, build.Prism("pin", step, row.thick, build.Style{}))
		pockets, profiles := len(featuretest.Only(res, feature.Pocket)), len(featuretest.Only(res, feature.Profile))
		if pockets != row.pockets || profiles != row.profiles {
			t.Errorf("%v thick: %d pockets and %d profiles, want %d and %d\n%s", row.thick, pockets, profiles, row.pockets,
				row.profiles, dump(res))
		}
	}
}

// A stud above the relief of its thread is a stage of its wider base, at any height.
func TestStudAboveARelief(t *testing.T) {
	m := build.Revolve("stud", geom.World, []build.Corner{{P: v2(0, 0)}, {P: v2(3, 0)}, {P: v2(3, 10)}, {P: v2(1.3, 10),
		Bulge: -build.Bulge(math.Pi / 2)}, {P: v2(1.1, 10.2)}, {P: v2(1.1, 10.5)}, {P: v2(1.5, 11.3)}, {P: v2(1.5, 16)},
		{P: v2(0, 16)}}, build.Style{})
	res := recognized(t, m)
	if bosses, profiles := len(featuretest.Only(res, feature.Boss)),
		len(featuretest.Only(res, feature.Profile)); bosses != 1 ||
		profiles != 1 {
		t.Errorf("%d bosses and %d profiles, want one of each\n%s", bosses, profiles, dump(res))
	}
}

// swaying is a bar with a half-round groove along it, beside which its top rises by an angle, over a fillet and a
// rounding.
func swaying(turn float64) *brep.Model {
	const r, slope = 20.0, 10.0
	sin, cos := math.Sincos(turn)
	at := []geom.Vec2{v2(60, 20)}
	for _, d := range []geom.Vec2{v2(r*sin, r-r*cos), v2(slope*cos, slope*sin), v2(r*sin, r-r*cos)} {
		at = append(at, v2(at[len(at)-1].X-d.X, at[len(at)-1].Y+d.Y))
	}
	return build.Prism("swaying", []build.Corner{{P: v2(0, 0)}, {P: v2(100, 0)}, {P: v2(100, 20)},
		{P: v2(80, 20), Bulge: -build.Bulge(math.Pi)}, {P: v2(74, 20)}, {P: at[0], Bulge: -build.Bulge(turn)}, {P: at[1]},
		{P: at[2], Bulge: build.Bulge(turn)}, {P: at[3]}, {P: v2(0, at[3].Y)}}, 30, build.Style{})
}

// An outside that waves is not a pocket if no face is a wall on another.
func TestSway(t *testing.T) {
	for _, row := range []struct {
		turn    float64
		pockets int
	}{{math.Pi / 6, 1}, {math.Pi / 3, 2}} {
		res := recognized(t, swaying(row.turn))
		if pockets := featuretest.Only(res, feature.Pocket); len(pockets) != row.pockets {
			t.Errorf("rising by %v: %d pockets, want %d\n%s", row.turn, len(pockets), row.pockets, dump(res))
		}
		checkCover(t, "swaying", res)
	}
}
