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

func v2(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

// sunk is a plate 20 thick with one hole of the given profile in the middle of its top.
func sunk(style build.Style, profile ...geom.Vec2) *brep.Model {
	return build.Plate(geom.Vec3{X: 60, Y: 60, Z: 20}, style, build.Hole{Center: v2(30, 30), Profile: profile})
}

// A pin on the floor of a hole is below its step. On the floor of a plain recess it makes a ring-shaped pocket, unless
// no mill fits between: then the pin was put into a bore.
func TestPinInAHole(t *testing.T) {
	for _, row := range []struct {
		want, text string
		profile    []geom.Vec2
	}{
		{"Hole 1 Boss 1 Face 7", "counterbored D10.00 L15.00 flat cbore D18.00 L6.00",
			[]geom.Vec2{v2(9, 0), v2(9, 6), v2(5, 6), v2(5, 15), v2(2, 15), v2(2, 10), v2(0, 10)}},
		{"Pocket 1 Boss 1 Face 7", "", []geom.Vec2{v2(9, 0), v2(9, 15), v2(2, 15), v2(2, 10), v2(0, 10)}},
		{"Pocket 1 Boss 1 Face 7", "", []geom.Vec2{v2(9, 0), v2(9, 15), v2(7, 15), v2(7, 2), v2(0, 2)}},
		{"Hole 1 Boss 1 Face 7", "simple D18.00 L15.00 flat",
			[]geom.Vec2{v2(9, 0), v2(9, 15), v2(8, 15), v2(8, 2), v2(0, 2)}},
		{"Hole 1 Boss 1 Face 7", "simple D4.00 L15.00 flat",
			[]geom.Vec2{v2(2, 0), v2(2, 15), v2(1.8, 15), v2(1.8, 11), v2(0, 11)}},
	} {
		res := recognized(t, sunk(build.Style{}, row.profile...))
		if got := counts(res); got != row.want {
			t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			continue
		}
		for _, f := range featuretest.Only(res, feature.Hole) {
			if got := featuretest.HoleText(f.Hole); got != row.text {
				t.Errorf("got %q, want %q", got, row.text)
			}
		}
		checkCover(t, row.want, res)
	}
}

func TestHoles(t *testing.T) {
	tip := 118 * math.Pi / 180
	rows := []struct {
		name    string
		profile []geom.Vec2
		want    string
		topZ    float64
	}{
		{"through", build.Through(10, 20), "simple D10.00 L20.00 through", 20},
		{"flat", build.Blind(10, 12, math.Pi), "simple D10.00 L12.00 flat", 20},
		{"drilled", build.Blind(10, 12, tip), "simple D10.00 L12.00 conical", 20},
		{"counterbored", []geom.Vec2{v2(9, 0), v2(9, 6), v2(5, 6), v2(5, 20)},
			"counterbored D10.00 L20.00 through cbore D18.00 L6.00", 20},
		{"counterbored blind", []geom.Vec2{v2(9, 0), v2(9, 6), v2(5, 6), v2(5, 15), v2(0, 18)},
			"counterbored D10.00 L15.00 conical cbore D18.00 L6.00", 20},
		{"countersunk", []geom.Vec2{v2(9, 0), v2(5, 4), v2(5, 20)},
			"countersunk D10.00 L20.00 through sink D18.00 90° L4.00", 20},
		{"countersunk blind", []geom.Vec2{v2(9, 0), v2(5, 4), v2(5, 12), v2(0, 12)},
			"countersunk D10.00 L12.00 flat sink D18.00 90° L4.00", 20},
		{"step drilled", []geom.Vec2{v2(9, 0), v2(9, 5), v2(5, 9), v2(5, 20)}, "stepped D10.00 L20.00 through", 20},
		{"three steps", []geom.Vec2{v2(9, 0), v2(9, 5), v2(7, 5), v2(7, 10), v2(5, 10), v2(5, 20)},
			"stepped D10.00 L20.00 through cbore D18.00 L5.00", 20},
		{"counterbored from below", []geom.Vec2{v2(5, 0), v2(5, 14), v2(9, 14), v2(9, 20)},
			"counterbored D10.00 L20.00 through cbore D18.00 L6.00", 0},
		{"counterbored on both sides", []geom.Vec2{v2(9, 0), v2(9, 4), v2(5, 4), v2(5, 14), v2(8, 14), v2(8, 20)},
			"counterbored D10.00 L20.00 through cbore D18.00 L4.00 far cbore D16.00 L6.00", 20},
		{"undercut groove", []geom.Vec2{v2(5, 0), v2(5, 8), v2(7, 8), v2(7, 10), v2(5, 10), v2(5, 20)},
			"simple D10.00 L20.00 through", 20},
		{"taper", []geom.Vec2{v2(6, 0), v2(5, 20)}, "simple D10.00 L20.00 through", 20},
		{"chamfer at both ends", []geom.Vec2{v2(6, 0), v2(5, 1), v2(5, 19), v2(6, 20)},
			"countersunk D10.00 L20.00 through sink D12.00 90° L1.00 far sink D12.00 90° L1.00", 20},
		{"counterbored above and countersunk below", []geom.Vec2{v2(9, 0), v2(9, 4), v2(5, 4), v2(5, 18), v2(7, 20)},
			"counterbored D10.00 L20.00 through cbore D18.00 L4.00 far sink D14.00 90° L2.00", 20},
		{"centre drilled bore", []geom.Vec2{v2(9, 0), v2(9, 8), v2(2, 8), v2(2, 12), v2(0, 13)},
			"counterbored D4.00 L12.00 conical cbore D18.00 L8.00", 20},
	}
	for _, row := range rows {
		for _, style := range build.Styles() {
			res := recognized(t, sunk(style, row.profile...))
			holes := featuretest.Only(res, feature.Hole)
			if got := counts(res); got != "Hole 1 Face 6" {
				t.Errorf("%s, style %v: found %s, want Hole 1 Face 6\n%s", row.name, style, got, dump(res))
				continue
			}
			if got := featuretest.HoleText(holes[0].Hole); got != row.want {
				t.Errorf("%s, style %v: got %q, want %q", row.name, style, got, row.want)
			}
			checkHole(t, row.name, &holes[0], geom.Vec3{X: 30, Y: 30, Z: row.topZ})
		}
	}
}

// checkHole verifies the properties of every hole: place, direction, consecutive segments.
func checkHole(t *testing.T, name string, f *feature.Feature, top geom.Vec3) {
	t.Helper()
	h := f.Hole
	if d := h.TopCenter.Dist(top); d > 1e-9 {
		t.Errorf("%s: top centre %v, want %v", name, h.TopCenter, top)
	}
	dir := geom.Vec3{Z: 1}
	if top.Z == 0 {
		dir.Z = -1
	}
	if f.Direction != dir || f.Axis == nil || f.Axis.Dist(dir) > 1e-12 {
		t.Errorf("%s: direction %v, axis %v, want %v", name, f.Direction, f.Axis, dir)
	}
	if h.Through != (h.Bottom == "through") {
		t.Errorf("%s: through %v with bottom %s", name, h.Through, h.Bottom)
	}
	z := top.Dot(dir)
	for i, s := range h.Segments {
		if math.Abs(s.ZMax-z) > 1e-9 {
			t.Errorf("%s: segment %d begins at %g, want %g", name, i, s.ZMax, z)
		}
		z = s.ZMin
	}
	if !slices.IsSorted(f.Regions) {
		t.Errorf("%s: regions %v are not ascending", name, f.Regions)
	}
}

// notched is a block 40 high with an arc of the given angle (degrees) cut into its side.
func notched(angle float64) *brep.Model {
	return build.Prism("notched", []build.Corner{
		{P: v2(0, 0)}, {P: v2(50, 0)}, {P: v2(50, 40)},
		{P: v2(30, 40), Bulge: -build.Bulge(angle * math.Pi / 180)}, {P: v2(20, 40)}, {P: v2(0, 40)},
	}, 40, build.Style{})
}

// keyhole is a bore of radius r about c with a round-ended slot of half width w up to l above c.
func keyhole(c geom.Vec2, r, w, l float64) []build.Corner {
	y := math.Sqrt(r*r - w*w)
	return []build.Corner{
		{P: c.Add(v2(-w, y)), Bulge: build.Bulge(2*math.Pi - 2*math.Asin(w/r))}, {P: c.Add(v2(w, y))},
		{P: c.Add(v2(w, l)), Bulge: build.Bulge(math.Pi)}, {P: c.Add(v2(-w, l))},
	}
}

func round(c geom.Vec2, r float64) []build.Corner {
	half := build.Bulge(math.Pi)
	return []build.Corner{{P: c.Add(v2(r, 0)), Bulge: half}, {P: c.Sub(v2(r, 0)), Bulge: half}}
}

// plate is 80 × 60 × 20 with cuts in its top.
func plate(cuts ...build.Cut) *brep.Model {
	return build.Milled("plate", build.Rectangle(80, 60), 20, build.Style{}, cuts)
}

// Round concave patches that are not holes, and incomplete holes.
func TestHoleOrNot(t *testing.T) {
	w := geom.World
	island := build.Cut{Profile: build.Moved(build.Rectangle(6, 6), v2(32, 24)), Depth: -4}
	rows := []struct {
		name string
		m    *brep.Model
		want string
	}{
		{"bore that breaks out by a quarter", notched(270), "Hole 1 Face 6"},
		{"half a circle in a side", notched(180), "Pocket 1 Face 6"},
		{"a third of a circle in a side", notched(120), "Pocket 1 Face 6"},
		{"ends of a blind slot", plate(build.Cut{Profile: build.Slot(v2(20, 20), v2(40, 30), 10), Depth: 8}),
			"Pocket 1 Face 6"},
		{"ends of a through slot", plate(build.Cut{Profile: build.Slot(v2(20, 20), v2(40, 30), 10), Depth: 20}),
			"Pocket 1 Face 6"},
		{"corners of a pocket", plate(build.Cut{Profile: build.Moved(build.Rounded(40, 30, 14), v2(10, 10)),
			Depth: 8}), "Pocket 1 Face 6"},
		{"bore of two halves", plate(build.Cut{Profile: round(v2(40, 30), 10), Depth: 20}), "Hole 1 Face 6"},
		{"round pocket with an island", plate(build.Cut{Profile: round(v2(35, 27), 15), Depth: 8,
			Cuts: []build.Cut{island}}),
			"Pocket 1 Boss 1 Face 7"},
		{"through keyhole", plate(build.Cut{Profile: keyhole(v2(40, 25), 8, 3, 20), Depth: 20}),
			"Hole 1 Pocket 1 Face 6"},
		{"blind keyhole", plate(build.Cut{Profile: keyhole(v2(40, 25), 8, 3, 20), Depth: 9}), "Pocket 1 Face 6"},
		{"ring groove", build.Revolve("groove", w, build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(15, 10),
			v2(15, 7),
			v2(12, 7), v2(12, 10), v2(0, 10)), build.Style{}), "Pocket 1 Face 2"},
		{"narrow ring groove", build.Revolve("groove", w, build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(12.5, 10),
			v2(12.5, 4), v2(12, 4), v2(12, 10), v2(0, 10)), build.Style{}), "Pocket 1 Face 2"},
		{"groove round a shaft", build.Revolve("shaft", w, build.Polygon(v2(0, 0), v2(20, 0), v2(20, 10), v2(15, 10),
			v2(15, 14), v2(20, 14), v2(20, 40), v2(0, 40)), build.Style{}), "Pocket 1 Face 2"},
		{"tube", build.Tube(5, 10, 30, build.Style{}), "Hole 1 Face 2"},
		{"two blind holes on one axis", build.Revolve("two", w, build.Polygon(v2(0, 8), v2(5, 8), v2(5, 0),
			v2(20, 0),
			v2(20, 30), v2(5, 30), v2(5, 22), v2(0, 22)), build.Style{}), "Hole 2 Face 2"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := counts(res); got != row.want {
				t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			}
		})
	}
}
