// Package plan_test plans real parts.
package plan_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/planningtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
)

var update = flag.Bool("update", false, "write the golden of the bundled part anew")

// read goes the way from a file to what plans are made from, with the default cut config.
func read(t testing.TB, file string) planning.Input {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(t.Context(), f, st.Size(), file)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := recognize.Recognize(t.Context(), m, r.Mesh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := planning.Input{Run: run, Sheets: sheets, Mill: compute.OnCPU(2)}
	configure(&in, machining.BuiltInCutConfig())
	return in
}

func configure(in *planning.Input, c machining.CutConfig) {
	in.Config, in.Tools = c, nil
	for _, id := range c.ToolLibraryIDs {
		for _, l := range machining.BuiltInToolLibraries() {
			if l.ID == id {
				in.Tools = append(in.Tools, l.Tools...)
			}
		}
	}
}

func TestTheBundledPart(t *testing.T) {
	in := read(t, filepath.Join("..", "..", "..", "cmd", "millwright", "example", "bracket.step"))
	plan, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	planningtest.Check(t, plan, in.Run)
	got, file := planningtest.Text(plan, in.Run), filepath.Join("testdata", "bracket.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (-update writes it anew); got\n%s", file, got)
	}
}

// tooLarge are the parts that the built-in machine has no room for.
var tooLarge = []string{"ctc_01", "ctc_02", "ctc_04", "ctc_05"}

// TestRealPartsArePlanned plans the parts of NIST with both built-in cut configs, twice.
func TestRealPartsArePlanned(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: reads eleven large parts")
	}
	for _, truth := range corpus.Truths(t, "step/nist_ap203/") {
		name := path.Base(truth.File)
		t.Run(name, func(t *testing.T) {
			in := read(t, filepath.Join(corpus.Dir(t), truth.File))
			for _, c := range machining.BuiltInCutConfigs() {
				configure(&in, c)
				large := false
				for _, n := range tooLarge {
					large = large || strings.Contains(name, n) && c.ID == machining.BuiltInCutConfigID
				}
				checkPlan(t, in, large)
			}
		})
	}
}

func checkPlan(t *testing.T, in planning.Input, tooLarge bool) {
	t.Helper()
	began := time.Now()
	plan, err := planning.Make(t.Context(), in)
	took := time.Since(began)
	var f *fault.Error
	if tooLarge {
		if !errors.As(err, &f) || f.Code != fault.DoesNotFitMachine {
			t.Errorf("%s: %v, want %s", in.Config.Name, err, fault.DoesNotFitMachine)
		}
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", in.Config.Name, err)
	}
	planningtest.Check(t, plan, in.Run)
	operations, named := 0, map[int]bool{}
	for i := range plan.Setups {
		operations += len(plan.Setups[i].Operations)
	}
	for _, u := range plan.Unmachinable {
		if len(u.Regions) > 0 {
			named[u.Feature] = true
		}
	}
	t.Logf("%s: %d setups, %d operations, %d of %d features named, %v", in.Config.Name, len(plan.Setups), operations,
		len(named), len(in.Run.Features), took.Round(time.Millisecond))
	t.Log("\n" + planningtest.Text(plan, in.Run))
	want, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(again); string(got) != string(want) {
		t.Errorf("%s: the plan differs on one processor", in.Config.Name)
	}
}
