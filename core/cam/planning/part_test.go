package planning_test

import (
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/planningtest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
)

var update = flag.Bool("update", false, "write the goldens anew")

// input returns a part of featuretest with a built-in cut config.
func input(t testing.TB, name string, config machining.CutConfig) planning.Input {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	run, err := recognize.Recognize(t.Context(), m, msh, compute.OnCPU(2))
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return planning.Input{Run: run, Sheets: sheets, Config: config, Tools: toolsOf(config), Mill: compute.OnCPU(2)}
}

func toolsOf(c machining.CutConfig) []machining.Tool {
	var out []machining.Tool
	for _, id := range c.ToolLibraryIDs {
		for _, l := range machining.BuiltInToolLibraries() {
			if l.ID == id {
				out = append(out, l.Tools...)
			}
		}
	}
	return out
}

// TestPartsArePlanned compares the plans of all parts with their goldens and checks the invariants of plans.
func TestPartsArePlanned(t *testing.T) {
	for _, config := range machining.BuiltInCutConfigs() {
		for i, name := range featuretest.Names {
			label := name
			if config.ID == machining.LargeCutConfigID {
				if testing.Short() && i%5 != 0 {
					continue // they take longest
				}
				label += "_large"
			}
			t.Run(label, func(t *testing.T) {
				in := input(t, name, config)
				plan, err := planning.Make(t.Context(), in)
				var fail *fault.Error
				var text string
				switch {
				case errors.As(err, &fail):
					text = fail.Error() + "\n"
				case err != nil:
					t.Fatal(err)
				default:
					planningtest.Check(t, plan, in.Run)
					text = planningtest.Text(plan, in.Run)
				}
				golden(t, filepath.Join("testdata", label+".txt"), text)
			})
		}
	}
}

// TestGoldensHaveJaws: what Check says of jaws is said of many.
func TestGoldensHaveJaws(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	jaws := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_large.txt") {
			jaws += strings.Count(string(text), "\n  jaw ")
		}
	}
	if jaws < 20 {
		t.Errorf("only %d jaws", jaws)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
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

// TestPlansAreTheSameEachTime: the same input gives the same bytes.
func TestPlansAreTheSameEachTime(t *testing.T) {
	for _, name := range []string{"pockets", "plate_holes", "lugs"} {
		first := ""
		for range 3 {
			plan, err := planning.Make(t.Context(), input(t, name, machining.BuiltInCutConfig()))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(plan)
			if err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = string(data)
			}
			if string(data) != first {
				t.Errorf("%s: plans differ", name)
			}
		}
		if strings.Contains(first, "null,\"operations\"") {
			t.Errorf("%s: %s", name, first)
		}
	}
}
