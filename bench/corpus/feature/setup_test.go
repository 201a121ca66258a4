package feature_test

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/feature/setup"
	"millwright.dev/millwright/core/kernel/geom"
)

// The first file of CTC 01 has letters engraved in one side, which need a setup more.
func TestSetupsOfNISTParts(t *testing.T) {
	up, y := geom.Vec3{Z: 1}, geom.Vec3{Y: 1}
	rows := []struct {
		file string
		want []geom.Vec3 // in any order
	}{
		{"nist_ap242/nist_ctc_01_asme1_ap242-e1.stp", []geom.Vec3{up, up.Neg(), y.Neg()}},
		{"nist_ap203/nist_ctc_01_asme1_rd.stp", []geom.Vec3{up, up.Neg(), y.Neg(), {X: 1}}},
		{"nist_ap203/nist_ftc_09_asme1_rd.stp", []geom.Vec3{y, y.Neg()}},
	}
	for _, row := range rows {
		run, err := recognized(t, filepath.Join(corpus.Dir(t), "step", row.file))
		if err != nil {
			t.Fatal(err)
		}
		setups := setup.Choose(run.Graph, run.Visibility, run.Features)
		for _, s := range setups {
			if !slices.ContainsFunc(row.want, func(d geom.Vec3) bool { return direction.Same(d, s.Direction) }) {
				t.Errorf("%s: a setup from %v", row.file, s.Direction)
			}
		}
		if len(setups) != len(row.want) {
			t.Errorf("%s: %d setups, want %d", row.file, len(setups), len(row.want))
		}
	}
}

// Parts need few directions, and each of their features is made once.
func TestSetupsOfRealParts(t *testing.T) {
	const median, most = 12, 24
	var counts []int
	for n, path := range realParts(t) {
		if testing.Short() && n%10 != 0 {
			continue
		}
		run, err := recognized(t, path)
		if failure := (*fault.Error)(nil); errors.As(err, &failure) {
			continue
		} else if err != nil {
			t.Fatal(err)
		}
		setups := setup.Choose(run.Graph, run.Visibility, run.Features)
		made := make([]int, len(run.Features))
		for _, s := range setups {
			for _, i := range s.Features {
				made[i]++
			}
		}
		if i := slices.IndexFunc(made, func(n int) bool { return n != 1 }); i >= 0 {
			t.Errorf("%s: %s %d is in %d setups", filepath.Base(path), run.Features[i].Type, i, made[i])
		}
		n := needed(run, setups)
		if counts = append(counts, n); n > most {
			t.Errorf("%s: %d candidate directions", filepath.Base(path), n)
		}
	}
	slices.Sort(counts)
	if got := counts[len(counts)/2]; got > median {
		t.Errorf("%d candidate directions in the median, want at most %d", got, median)
	}
	t.Logf("%d parts, %d candidate directions in the median, %d at most", len(counts), counts[len(counts)/2],
		counts[len(counts)-1])
}

// needed returns the number of directions of features and setups.
func needed(run *recognize.Recognition, setups []setup.Setup) int {
	var dirs []geom.Vec3
	add := func(d geom.Vec3) {
		if !slices.ContainsFunc(dirs, func(o geom.Vec3) bool { return direction.Same(o, d) }) {
			dirs = append(dirs, d)
		}
	}
	for i := range run.Features {
		add(run.Features[i].Direction)
	}
	for _, s := range setups {
		add(s.Direction)
	}
	return len(dirs)
}
