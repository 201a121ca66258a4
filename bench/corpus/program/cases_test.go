// Package program_test makes programs of small parts that showed what programs left out.
package program_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/cmd/millwright/plancmd"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// written is the output for a file.
type written struct {
	predicted, plan planning.Plan
	set             *toolpath.Set
	proof           verify.Report
}

// programOf makes a program of a file.
func programOf(ctx context.Context, t *testing.T, file, config string) (w written, err error) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cutting, err := plancmd.Cutting(config)
	if err != nil {
		t.Fatal(err)
	}
	files := pipelinetest.Files{pipeline.Source: source}
	params := pipeline.Params{FileName: filepath.Base(file), Cutting: cutting}
	want := []pipeline.Name{pipeline.Plan, pipeline.MadePlan, pipeline.Paths, pipeline.Proof}
	if _, err := millwright.Pipeline(millwright.Options{}).Make(ctx, params, want, files, nil); err != nil {
		return w, err
	}
	for n, v := range map[pipeline.Name]any{pipeline.Plan: &w.predicted, pipeline.MadePlan: &w.plan, pipeline.Proof: &w.proof} {
		if err := json.Unmarshal(files[n], v); err != nil {
			t.Fatal(err)
		}
	}
	if w.set, err = toolpath.Decode(files[pipeline.Paths]); err != nil {
		t.Fatal(err)
	}
	return w, nil
}

const (
	complete   = completeness.Complete
	named      = completeness.CompleteButNamed
	incomplete = completeness.Incomplete
)

// cases are the parts with the level of their programs, and the most that may count as left, mm³.
var cases = []struct {
	part    string
	level   completeness.Level
	left    float64
	reasons []completeness.Reason // of entries that count
}{
	{"bore_d7_t16", complete, 0, nil}, {"bore_d7_t20", complete, 0, nil}, {"bore_d7_t30", complete, 0, nil},
	{"bore_d9_t16", complete, 0, nil}, {"bore_d9_t20", complete, 0, nil}, {"bore_d9_t30", complete, 0, nil},
	{"d24_two_d9", complete, 0, nil}, {"d12_top_chamfer", complete, 0, nil}, {"d19_chamfer_pocket", complete, 0, nil},
	{"d20_rounded_plate_chamfer", complete, 0, nil}, {"h2_one_edge_chamfer", complete, 0, nil},
	{"h5_cbore16", complete, 0, nil}, {"c27_array_holes", complete, 0, nil},
	{"d01_open_slots", named, 190, []completeness.Reason{completeness.SharpCorner}}, {"t0", named, 90, []completeness.Reason{completeness.SharpCorner}},
	{"c01_island_near_wall", incomplete, 800, []completeness.Reason{completeness.OutOfReach}},
	{"c12_back_counterbore", incomplete, 950, []completeness.Reason{completeness.NoToolFits}},
	{"c32_bottom_radius_pocket", incomplete, 32, []completeness.Reason{completeness.PathLeft}},
	{"c07_hole_in_pocket", complete, 0, nil},
	{"c13_cross_holes", complete, 0, nil}, {"d02_clearance_holes", complete, 0, nil}, {"d03_near_drill_size", complete, 0, nil},
	{"c14_deep_hole", incomplete, 1100, []completeness.Reason{completeness.OutOfReach}},
	{"c17_taper_pocket", incomplete, 170, []completeness.Reason{completeness.SharpCorner, completeness.PathLeft}},
	{"c25_internal_tee", incomplete, 24000, []completeness.Reason{completeness.NoToolFits}},
}

// TestProgramsSayWhatTheyLeave compares the accounts of cases with their known results.
func TestProgramsSayWhatTheyLeave(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "cases", "programs")
	for _, c := range cases {
		t.Run(c.part, func(t *testing.T) {
			w, err := programOf(t.Context(), t, filepath.Join(dir, c.part+".step"), "builtin")
			if err != nil {
				t.Fatal(err)
			}
			checkProgram(t, &w)
			a := w.plan.Account
			if a.Completeness != c.level {
				t.Errorf("%s, want %s: %s", a.Completeness, c.level, a.Summary())
			}
			left := 0.0
			for i := range a.Left {
				e := &a.Left[i]
				if !e.Counts() {
					continue
				}
				if left += e.Volume; !slices.Contains(c.reasons, e.Reason) {
					t.Errorf("%s is left: %s (%s), want %v", e.Place(), e.Reason, e.Detail, c.reasons)
				}
			}
			if left > c.left {
				t.Errorf("%.4g mm³ are left, at most %g were", left, c.left)
			}
		})
	}
}

// TestEveryCase checks all cases against the invariants of every program.
func TestEveryCase(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: programs of all cases")
	}
	files, err := filepath.Glob(filepath.Join(corpus.Dir(t), "cases", "programs", "*.step"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			w, err := programOf(t.Context(), t, file, "builtin")
			var f *fault.Error
			if errors.As(err, &f) {
				t.Skipf("it is refused: %s", f.Reason)
			}
			if err != nil {
				t.Fatal(err)
			}
			checkProgram(t, &w)
		})
	}
}

// checkProgram checks a program against the invariants of every program.
func checkProgram(t *testing.T, w *written) {
	t.Helper()
	if !w.proof.Passes() {
		t.Errorf("%+v", w.proof.Findings)
	}
	for i := range w.set.Setups {
		for k := range w.set.Setups[i].Operations {
			if o := &w.set.Setups[i].Operations[k]; len(o.Moves) == 0 || o.ID != w.plan.Setups[i].Operations[k].ID {
				t.Errorf("operation %s has %d moves, the plan has %s", o.ID, len(o.Moves), w.plan.Setups[i].Operations[k].ID)
			}
		}
	}
	for _, a := range []*completeness.Account{w.predicted.Account, w.plan.Account} {
		if a == nil {
			t.Fatal("there is no account")
		}
		if a.Made.VolumeShare < 0 || a.Made.VolumeShare > 1 || a.Made.AreaShare < 0 || a.Made.AreaShare > 1 {
			t.Errorf("%s: made %+v", a.Side, a.Made)
		}
		for i := range a.Left {
			e := &a.Left[i]
			if len(e.Regions) == 0 || e.Reason == "" || !strings.HasSuffix(e.Detail, ".") {
				t.Errorf("%s: %+v", a.Side, e)
			}
		}
	}
	if w.predicted.Account.Side != completeness.Predicted || w.plan.Account.Side != completeness.Found {
		t.Errorf("accounts %s and %s", w.predicted.Account.Side, w.plan.Account.Side)
	}
}

// TestShortTravelIsTheReason plans for a machine whose Z travel no tool fits into.
func TestShortTravelIsTheReason(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "cases")
	_, err := programOf(t.Context(), t, filepath.Join(dir, "programs", "t0.step"), filepath.Join(dir, "configs", "k13_bigsafe_z.json"))
	var f *fault.Error
	if !errors.As(err, &f) || f.Code != fault.DoesNotFitMachine || !strings.Contains(f.Reason, "Z travel") {
		t.Errorf("%v, want the travel to be told", err)
	}
}
