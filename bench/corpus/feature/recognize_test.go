package feature_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/geom"
)

// holeRow is a hole as it was measured by another kernel and seen in pictures of the part: the
// middle of its top opening, mm, and what it is.
type holeRow struct {
	top  geom.Vec3
	dir  geom.Vec3
	text string
}

// The concave cylinders and cones of both parts were listed with OCCT (radius, axis, range, sweep) and
// sorted by eye into holes and others. No holes are: the ends of slots; the four half-round lobes of
// the cut-out of FTC 09; the strokes of engraved letters. Of the keyhole of FTC 09 the bore is a hole.
func TestHolesOfNISTParts(t *testing.T) {
	inch := func(x, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: 3.0378, Z: z} }
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	up, front, y := geom.Vec3{Z: 1}, geom.Vec3{Y: -1}, geom.Vec3{Y: 1}
	ctc01 := []holeRow{
		{at(-30, -125, -25), front, "simple D20.00 L45.00 conical"}, {at(30, -125, -25), front,
			"simple D20.00 L45.00 conical"},
	}
	for _, sx := range []float64{-1, 1} {
		for _, sy := range []float64{-1, 1} {
			ctc01 = append(ctc01, holeRow{at(325*sx, 175*sy, 0), up, "simple D35.00 L100.00 through"},
				holeRow{at(160*sx, 45*sy, 0), up, "simple D25.00 L50.00 through"})
		}
	}
	var ftc09 []holeRow
	plain := func(diameter string, xz ...float64) {
		for i := 0; i < len(xz); i += 2 {
			ftc09 = append(ftc09, holeRow{inch(xz[i], xz[i+1]), y, "simple D" + diameter + " L3.04 through"})
		}
	}
	plain("6.35", -19.05, -129.54, 0, -129.54, 19.05, -129.54, -57.15, -101.6, -0.15, -101.6, -57.15, 38.4,
		-0.15, 38.4,
		-85.09, -19.05, -85.09, 0, -85.09, 19.05)
	plain("5.61", -50.8, 91.44, -12.7, 91.44)
	plain("19.05", -31.75, 91.44)
	plain("7.14", 27.94, 91.44, 46.99, 91.44, 66.04, 91.44)
	plain("3.97", 50.8, -15.24, 70.557, -7.057, 78.74, 12.7, -55.88, 110.49, -45.72, 110.49, -17.78, 110.49,
		-7.62, 110.49)
	plain("8.00", 57.15, 57.15, 38.1, 57.15)
	plain("9.52", 50.8, 12.7)
	for _, x := range []float64{-82.55, 82.55} {
		for _, z := range []float64{-107.95, 107.95} {
			ftc09 = append(ftc09, holeRow{inch(x, z), y, "countersunk D5.94 L3.04 through sink D7.47 90° L0.76"})
		}
	}
	rows := []struct {
		file string
		want []holeRow
	}{
		{"nist_ap203/nist_ctc_01_asme1_rd.stp", ctc01}, {"nist_ap242/nist_ctc_01_asme1_ap242-e1.stp", ctc01},
		{"nist_ap203/nist_ftc_09_asme1_rd.stp", ftc09},
	}
	for _, row := range rows {
		t.Run(filepath.Base(row.file), func(t *testing.T) {
			run, err := recognized(t, filepath.Join(corpus.Dir(t), "step", row.file))
			if err != nil {
				t.Fatal(err)
			}
			compareHoles(t, featuretest.Only(run.Result, feature.Hole), row.want)
		})
	}
}

// compareHoles matches holes by place: each wanted one once, and no other.
func compareHoles(t *testing.T, got []feature.Feature, want []holeRow) {
	t.Helper()
	const near = 1e-2 // mm: the table has three decimals
	left := slices.Clone(got)
	for _, w := range want {
		i := slices.IndexFunc(left, func(f feature.Feature) bool { return f.Hole.TopCenter.Dist(w.top) < near })
		if i < 0 {
			t.Errorf("missing: %s at %v", w.text, w.top)
			continue
		}
		if text := featuretest.HoleText(left[i].Hole); text != w.text || left[i].Direction.Dist(w.dir) > 1e-9 {
			t.Errorf("at %v: %s from %v, want %s from %v", w.top, text, left[i].Direction, w.text, w.dir)
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, f := range left {
		t.Errorf("invented: %s at %v, regions %v", featuretest.HoleText(f.Hole), f.Hole.TopCenter, f.Regions)
	}
}

// Two exporters cut the same part into different faces: the holes are the same.
func TestExportersAgreeOnHoles(t *testing.T) {
	const revision = 0.3 // mm: the models of the two editions differ by up to a tenth
	dir := filepath.Join(corpus.Dir(t), "step")
	for _, pair := range [][2]string{
		{"nist_ctc_02_asme1_rc", "nist_ctc_02_asme1_ap242-e2"}, {"nist_ctc_03_asme1_rc",
			"nist_ctc_03_asme1_ap242-e2"},
		{"nist_ctc_05_asme1_rd", "nist_ctc_05_asme1_ap242-e1"}, {"nist_ftc_06_asme1_rd",
			"nist_ftc_06_asme1_ap242-e2"},
		{"nist_ftc_07_asme1_rd", "nist_ftc_07_asme1_ap242-e2"}, {"nist_ftc_10_asme1_rb",
			"nist_ftc_10_asme1_ap242-e2"},
	} {
		var holes [2][]feature.Feature
		for i, folder := range []string{"nist_ap203", "nist_ap242"} {
			run, err := recognized(t, filepath.Join(dir, folder, pair[i]+".stp"))
			if err != nil {
				t.Fatal(err)
			}
			holes[i] = featuretest.Only(run.Result, feature.Hole)
		}
		left := slices.Clone(holes[1])
		for _, f := range holes[0] {
			i := slices.IndexFunc(left, func(o feature.Feature) bool {
				return f.Hole.TopCenter.Dist(o.Hole.TopCenter) < revision && f.Hole.Kind == o.Hole.Kind &&
					f.Hole.Bottom == o.Hole.Bottom && math.Abs(f.Hole.Diameter-o.Hole.Diameter) < revision &&
					math.Abs(f.Hole.Depth-o.Hole.Depth) < revision && f.Direction.Dist(o.Direction) < 1e-3
			})
			if i < 0 {
				t.Errorf("%s: %s at %v is not in %s", pair[0], featuretest.HoleText(f.Hole), f.Hole.TopCenter, pair[1])
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
		for _, f := range left {
			t.Errorf("%s: %s at %v is not in %s", pair[1], featuretest.HoleText(f.Hole), f.Hole.TopCenter, pair[0])
		}
	}
}

// checkResult verifies what holds for every result.
func checkResult(t *testing.T, name string, run *recognize.Recognition) {
	t.Helper()
	res := run.Result
	used := make([]feature.Type, len(run.Graph.Model.Faces))
	for _, u := range res.Unmachined {
		used[u.Region] = feature.Type(u.Reason)
		if u.Reason == "" || u.Detail == "" {
			t.Errorf("%s: region %d is unmachined without a reason", name, u.Region)
		}
	}
	tags := map[string]bool{}
	for i, d := range res.Directions {
		if math.Abs(d.Norm()-1) > 1e-12 {
			t.Errorf("%s: direction %v is no unit vector", name, d)
		}
		for _, e := range res.Directions[:i] {
			if d.Dot(e) > 0.999999 {
				t.Errorf("%s: directions %v and %v are the same", name, d, e)
			}
		}
	}
	for _, f := range res.Features {
		for _, r := range f.Regions {
			if used[r] != "" && (used[r] != feature.Profile || f.Type != feature.Face) &&
				(used[r] != feature.Face || f.Type != feature.Profile) {
				t.Errorf("%s: region %d belongs to a %s and a %s", name, r, used[r], f.Type)
			}
			used[r] = f.Type
		}
		if tags[f.Tag] || len(f.Regions) == 0 {
			t.Errorf("%s: %s %s has the tag of another feature or no region", name, f.Type, f.Tag)
		}
		tags[f.Tag] = true
		if f.Rule == "" || len(f.Reasons) == 0 {
			t.Errorf("%s: %s %s has no rule or no reason", name, f.Type, f.Tag)
		}
		if h := f.Hole; h != nil && (!(h.Diameter > 0) || !(h.Depth > 0) || len(h.Segments) == 0) {
			t.Errorf("%s: hole %+v", name, *h)
		}
		if p := f.Pocket; p != nil && !(p.Depth > 0) {
			t.Errorf("%s: pocket %s of regions %v: %+v", name, f.Tag, f.Regions, *p)
		}
		if f.Type != feature.Hole && !slices.Contains(res.Directions, f.Direction) {
			t.Errorf("%s: %s %s from %v, which is no candidate", name, f.Type, f.Tag, f.Direction)
		}
	}
	for i, kind := range used {
		if kind == "" {
			t.Errorf("%s: region %d is in no feature and not unmachined", name, i)
		}
	}
}

// A leg with an eye at its end, cast and milled: a tray whose floor bends, a back that sways, a groove round the eye,
// and a hole through the slope of the back whose mouth is rounded.
func TestFeaturesOfAForkLeg(t *testing.T) {
	run, err := recognized(t, filepath.Join(corpus.Dir(t), "step/odri/lower_leg_structure_fork.STEP"))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		typ   feature.Type
		faces []int
	}{
		{"groove", feature.Pocket, []int{0, 1, 7, 70}},
		{"tray", feature.Pocket, []int{18, 19, 31, 45, 46, 67, 71}},
		{"outline", feature.Profile, []int{12, 13, 23, 24, 25, 26, 27, 28, 55, 56}},
		{"back", feature.Face, []int{22}},
		{"slope of the back", feature.Face, []int{63}},
		{"bends of the back", feature.Three, []int{72}},
		{"bends of the back", feature.Three, []int{73}},
		{"hole in the slope", feature.Hole, []int{5, 14, 42, 96, 97, 100, 101}},
	} {
		if !slices.ContainsFunc(run.Features, func(f feature.Feature) bool {
			return f.Type == row.typ && !slices.ContainsFunc(row.faces, func(face int) bool { return !slices.Contains(f.Regions, face) })
		}) {
			t.Errorf("%s: no %s has the faces %v", row.name, row.typ, row.faces)
		}
	}
}
