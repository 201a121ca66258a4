package millwright_test

import (
	"bytes"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/feature/recognize"
)

// designed plans a part of featuretest, and returns a program of the plan, without motion.
func designed(t *testing.T, name string, config machining.CutConfig) *millwright.Program {
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
	plan, err := planning.Make(t.Context(), planning.Input{
		Run: run, Sheets: sheets, Config: config, Tools: machining.BuiltInTools(), Mill: compute.OnCPU(2),
	})
	if err != nil {
		t.Fatal(err)
	}
	return &millwright.Program{Title: name, Plan: plan, Config: config}
}

// TestDevicesHaveProgramsOfTheirOwn makes a program of each piece of some devices from its blank.
func TestDevicesHaveProgramsOfTheirOwn(t *testing.T) {
	if testing.Short() {
		t.Skip("ten programs")
	}
	config := machining.BuiltInCutConfig()
	own := config
	own.TapInferredThreads = true // files state diameters
	for _, name := range []string{"bent_sheet", "cross_link", "eared_drum", "relieved_rod", "open_arc"} {
		p := designed(t, name, config)
		files, err := p.Devices()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f.Name, ".step") {
				continue
			}
			t.Run(name+" "+f.Name, func(t *testing.T) { isMade(t, f.Name, f.Data, own) })
		}
	}
}

// isMade makes a program of a file, which must pass its proof and leave nothing.
func isMade(t *testing.T, name string, file []byte, config machining.CutConfig) {
	t.Helper()
	part, err := millwright.Read(t.Context(), bytes.NewReader(file), int64(len(file)), name, millwright.Options{})
	if err != nil {
		t.Fatal(err)
	}
	made, err := part.Program(t.Context(), millwright.PlanOptions{Config: &config})
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range made.Plan.Unmachinable {
		t.Errorf("not made: %s", u.Detail)
	}
	for _, f := range made.Report.Findings {
		t.Errorf("%+v", f)
	}
	if got := made.Plan.Account.Completeness; got != completeness.Complete {
		t.Errorf("the program is %s", got)
	}
}
