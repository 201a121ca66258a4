package recognize_test

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// grooved is a bar 40 long, 60 wide and 30 high with a groove in its top. Its outline goes from its right edge down and
// around to its left edge.
func grooved(groove ...build.Corner) *brep.Model {
	profile := []build.Corner{{P: v2(0, 0)}, {P: v2(60, 0)}, {P: v2(60, 30)}}
	profile = append(append(profile, groove...), build.Corner{P: v2(0, 30)})
	return build.Prism("grooved", profile, 40, build.Style{})
}

func corners(points ...geom.Vec2) []build.Corner { return build.Polygon(points...) }

// filleted rounds the two corners of a dovetail's floor.
func filleted() []build.Corner {
	s, c := math.Sincos(math.Pi / 3)
	const r = 1.0
	reach := r / math.Tan(math.Pi/6) // from the corner to the end of its fillet
	arc := -build.Bulge(2 * math.Pi / 3)
	return []build.Corner{
		{P: v2(40-12/math.Tan(math.Pi/3), 30)}, {P: v2(40-reach*c, 18+reach*s), Bulge: arc}, {P: v2(40-reach, 18)},
		{P: v2(20+reach, 18), Bulge: arc}, {P: v2(20+reach*c, 18+reach*s)}, {P: v2(20+12/math.Tan(math.Pi/3), 30)},
	}
}

// roundedSlot is a vertical slot with fillets at its floor and roundings at its opening.
func roundedSlot() []build.Corner {
	in, out := -build.Bulge(math.Pi/2), build.Bulge(math.Pi/2)
	return []build.Corner{
		{P: v2(37, 30), Bulge: out}, {P: v2(35, 28)}, {P: v2(35, 22), Bulge: in}, {P: v2(33, 20)},
		{P: v2(27, 20), Bulge: in}, {P: v2(25, 22)}, {P: v2(25, 28), Bulge: out}, {P: v2(23, 30)},
	}
}

func TestChannels(t *testing.T) {
	y := geom.Vec3{Y: 1}
	rows := []struct {
		name    string
		groove  []build.Corner
		typ     feature.Type
		regions int
	}{
		{"T-slot", corners(v2(35, 30), v2(35, 25), v2(40, 25), v2(40, 18), v2(20, 18), v2(20, 25), v2(25, 25),
			v2(25, 30)), feature.Tslot, 7},
		{"lopsided T-slot", corners(v2(35, 30), v2(35, 24), v2(42, 24), v2(42, 18), v2(20, 18), v2(20, 25),
			v2(25, 25), v2(25, 30)), feature.Tslot, 7},
		{"dovetail", corners(v2(34, 30), v2(40, 20), v2(20, 20), v2(26, 30)), feature.Dovetail, 3},
		{"dovetail with a neck", corners(v2(34, 30), v2(34, 28), v2(40, 20), v2(20, 20), v2(26, 28), v2(26, 30)),
			feature.Dovetail, 5},
		{"dovetail with fillets", filleted(), feature.Dovetail, 5},
		{"slot with a rounded mouth and fillets at its floor", roundedSlot(), feature.Pocket, 0},
		{"plain slot", corners(v2(35, 30), v2(35, 20), v2(25, 20), v2(25, 30)), feature.Pocket, 3},
		{"slot with sloping sides", corners(v2(38, 30), v2(35, 20), v2(25, 20), v2(22, 30)), feature.Pocket, 3},
		{"undercut on one side", corners(v2(35, 30), v2(35, 25), v2(40, 25), v2(40, 18), v2(25, 18), v2(25, 30)),
			feature.Pocket, 0},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, grooved(row.groove...))
			got := featuretest.Only(res, row.typ)
			if row.regions == 0 {
				if n := len(featuretest.Only(res, feature.Tslot)) + len(featuretest.Only(res, feature.Dovetail)); n > 0 {
					t.Errorf("%d channels, want none\n%s", n, dump(res))
				}
				return
			}
			if len(got) != 1 || len(got[0].Regions) != row.regions || got[0].Direction != y {
				t.Fatalf("want one %s of %d regions from %v\n%s", row.typ, row.regions, y, dump(res))
			}
			if n := len(featuretest.Only(res, feature.Face)); n != 6 {
				t.Errorf("%d faces, want the six sides of the block\n%s", n, dump(res))
			}
			if row.typ != feature.Pocket && math.Abs(got[0].Axis.Z) != 1 {
				t.Errorf("axis %v, want along the channel", *got[0].Axis)
			}
			checkCover(t, row.name, res)
		})
	}
}

// Extruded bars with a slot in each of four sides.
func TestExtrusions(t *testing.T) {
	out, in := build.Bulge(math.Pi/2), -build.Bulge(math.Pi/2)
	rows := []struct {
		name string
		half []build.Corner // of a slot in the side at x = 10, from the middle of its floor up to the side
		want string
	}{
		{"upright lips", corners(v2(4, 3), v2(6.5, 5.5), v2(8.2, 5.5), v2(8.2, 3.1), v2(10, 3.1)), "Face 6 Tslot 4"},
		{"bevelled lips", corners(v2(4, 3), v2(6.5, 5.5), v2(8.2, 5.5), v2(8.2, 3.1), v2(8.5, 3.1), v2(10, 4.6)),
			"Face 6 Chamfer 8 Tslot 4"},
		{"lips that flare from the ledge", corners(v2(4, 3), v2(6.5, 5.5), v2(8.2, 5.5), v2(8.2, 2.8), v2(10, 4.6)),
			"Face 6 Tslot 4"},
		{"slopes up to the ledges", corners(v2(5, 2.3), v2(8.2, 5.5), v2(8.2, 3.1), v2(10, 3.1)), "Face 6 Tslot 4"},
		{"ledges that lean", corners(v2(4, 3), v2(6.5, 5.5), v2(8, 5.5), v2(8.6, 3.1), v2(10, 3.1)), "Face 6 Tslot 4"},
		{"round lips and fillets", []build.Corner{{P: v2(6, 4.5), Bulge: in}, {P: v2(7, 5.5)}, {P: v2(8.2, 5.5)},
			{P: v2(8.2, 3.8), Bulge: out}, {P: v2(9.1, 2.9), Bulge: out}, {P: v2(10, 3.8)}}, "Face 6 Tslot 4"},
	}
	for _, row := range rows {
		var profile []build.Corner
		n := len(row.half)
		for k := range 4 { // a corner, then a slot and its mirror image
			s, c := math.Sincos(float64(k) * math.Pi / 2)
			turned := func(p geom.Vec2) geom.Vec2 {
				return v2(math.Round(1e6*(c*p.X-s*p.Y))/1e6, math.Round(1e6*(s*p.X+c*p.Y))/1e6)
			}
			profile = append(profile, build.Corner{P: turned(v2(10, -10))})
			for i := range n {
				h := row.half[n-1-i]
				h.P.Y = -h.P.Y
				h.Bulge = 0
				if i < n-1 {
					h.Bulge = row.half[n-2-i].Bulge
				}
				profile = append(profile, build.Corner{P: turned(h.P), Bulge: h.Bulge})
			}
			for _, h := range row.half {
				profile = append(profile, build.Corner{P: turned(h.P), Bulge: h.Bulge})
			}
		}
		res := recognized(t, build.Prism("extrusion", profile, 100, build.Style{}))
		if got := all(res); got != row.want {
			t.Errorf("%s: found %s, want %s\n%s", row.name, got, row.want, dump(res))
		}
		checkCover(t, row.name, res)
	}
}

// A closed cavity of the same outline is not a channel, because no direction sees into it.
func TestClosedPassagesAreNoChannels(t *testing.T) {
	rows := []struct {
		name   string
		points []geom.Vec2
	}{
		{"triangle", []geom.Vec2{v2(20, 20), v2(40, 20), v2(30, 36)}},
		{"square", []geom.Vec2{v2(20, 20), v2(40, 20), v2(40, 36), v2(20, 36)}},
		{"trapezium", []geom.Vec2{v2(20, 20), v2(40, 20), v2(34, 36), v2(26, 36)}},
		{"T", []geom.Vec2{v2(20, 20), v2(40, 20), v2(40, 26), v2(33, 26), v2(33, 36), v2(27, 36), v2(27, 26),
			v2(20, 26)}},
	}
	for _, row := range rows {
		for _, depth := range []float64{8, 20} {
			res := recognized(t, plate(build.Cut{Profile: build.Polygon(row.points...), Depth: depth}))
			if got := counts(res); got != "Pocket 1 Face 6" {
				t.Errorf("%s %g deep: found %s, want Pocket 1 Face 6\n%s", row.name, depth, got, dump(res))
			}
		}
	}
}

// The remains of a channel are one feature, and cuts that open into it are others.
func TestChannelsAmongOthers(t *testing.T) {
	slot := []build.Block{build.Add(at(0, 0, 0), at(60, 80, 30)), build.Subtract(at(20, 0, 12), at(40, 80, 20)),
		build.Subtract(at(25, 0, 20), at(35, 80, 30))}
	with := func(more ...build.Block) []build.Block { return append(slot[:3:3], more...) }
	blind := []build.Block{build.Add(at(0, 0, 0), at(60, 80, 30)), build.Subtract(at(20, 30, 12), at(40, 80, 20)),
		build.Subtract(at(25, 30, 20), at(35, 80, 30))}
	short := []build.Block{build.Add(at(0, 0, 0), at(60, 80, 30)), build.Subtract(at(20, 0, 12), at(40, 80, 20)),
		build.Subtract(at(25, 0, 20), at(35, 80, 30)), build.Subtract(at(10, 20, 8), at(30, 80, 30))}
	rows := []struct {
		name, want string
		blocks     []build.Block
	}{
		{"alone", "Face 6 Tslot 1", slot},
		{"two passages that cross along each other", "Pocket 1 Face 6", []build.Block{
			build.Add(at(0, 0, 0), at(60, 80, 30)), build.Subtract(at(20, 30, 12), at(40, 80, 20)),
			build.Subtract(at(25, 30, 0), at(35, 80, 30))}},
		{"a quarter of one side left", "Pocket 1 Face 6 Tslot 1", short},
		{"blind", "Face 6 Tslot 1", blind},
		{"a slot that runs out of one end of a hollow at the other", "Pocket 2 Face 6", []build.Block{
			build.Add(at(0, 0, 0), at(60, 80, 30)), build.Subtract(at(20, 30, 12), at(40, 80, 20)),
			build.Subtract(at(25, 0, 20), at(35, 80, 30))}},
		{"a slot across it", "Pocket 1 Face 6 Tslot 1", with(build.Subtract(at(0, 30, 8), at(60, 40, 30)))},
		{"two slots across it", "Pocket 2 Face 6 Tslot 1", with(build.Subtract(at(0, 20, 8), at(60, 30, 30)),
			build.Subtract(at(0, 50, 10), at(60, 60, 30)))},
		{"a passage through its floor", "Pocket 1 Face 6 Tslot 1", with(build.Subtract(at(27, 30, 0), at(33, 40, 12)))},
		{"a pocket through a ledge", "Pocket 1 Face 6 Tslot 1", with(build.Subtract(at(36, 30, 15), at(50, 40, 30)))},
		{"a groove in all of the floor below the neck", "Pocket 1 Face 6 Tslot 1",
			with(build.Subtract(at(24, 0, 8), at(36, 80, 12)))},
		{"a groove where floor and side meet", "Pocket 1 Face 6 Tslot 1",
			with(build.Subtract(at(18, 0, 8), at(24, 80, 14)))},
		{"a step beside it", "Pocket 1 Face 6 Tslot 1", with(build.Subtract(at(50, 0, 16), at(60, 80, 30)))},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, build.Blocks("blocks", row.blocks...))
			if got := all(res); got != row.want {
				t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			checkCover(t, row.name, res)
		})
	}
}

// checkCover verifies that every face has a feature or a reason, and every feature a rule and reasons.
func checkCover(t *testing.T, name string, res feature.Result) {
	t.Helper()
	for _, f := range res.Features {
		if f.Rule == "" || len(f.Reasons) == 0 {
			t.Errorf("%s: %s %v says no rule or no reason", name, f.Type, f.Regions)
		}
		for _, s := range f.Reasons {
			if !strings.HasSuffix(s, ".") || strings.Contains(s, "NaN") || strings.Contains(s, "Inf") {
				t.Errorf("%s: %s %v says %q", name, f.Type, f.Regions, s)
			}
		}
	}
	if len(res.Unmachined) > 0 {
		t.Errorf("%s: unmachined %v", name, res.Unmachined)
	}
}

// A bay in a plate is cut from the sides of the plate, with any outline. Only a channel longer than the width of its
// neck needs a cutter that reaches under its sides.
func TestBayInAPlateIsNoTslot(t *testing.T) {
	for width, want := range map[float64]int{30: 1, 50: 0} { // of the neck of a channel 40 long
		a, b := 60-width/2, 60+width/2
		m := bar(v2(0, 0), v2(120, 0), v2(120, 60), v2(b, 60), v2(b, 50), v2(b+15, 50), v2(b+15, 20), v2(a-15, 20),
			v2(a-15, 50),
			v2(a, 50), v2(a, 60), v2(0, 60))
		res := recognized(t, m)
		if n := len(featuretest.Only(res, feature.Tslot)); n != want {
			t.Errorf("neck of %g: %d T-slots, want %d\n%s", width, n, want, dump(res))
		}
	}
}

func TestTslotAcrossLegsIsOne(t *testing.T) {
	// Legs 8 and 12 thick, 60 apart, with a T-slot across both in one of their sides. In the other side a passage goes
	// through both, and a slot opens it in the thinner leg only.
	v := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	res := recognized(t, build.Blocks("legs", build.Add(v(0, 0, 0), v(80, 60, 50)), build.Subtract(v(8, -1, 10),
		v(68, 61, 51)),
		build.Subtract(v(-1, -1, 28), v(81, 6, 34)), build.Subtract(v(-1, 6, 24), v(81, 12, 38)),
		build.Subtract(v(-1, 46, 24), v(81, 52, 38)), build.Subtract(v(-1, 51, 28), v(9, 61, 34))))
	if got := featuretest.Only(res, feature.Tslot); len(got) != 1 || got[0].Direction.Y > 0 {
		t.Errorf("want one T-slot, from -y\n%s", dump(res))
	}
}
