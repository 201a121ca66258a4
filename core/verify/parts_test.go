package verify_test

import (
	"errors"
	"testing"

	"millwright/compute"
	"millwright/compute/tessellate"
	"millwright/core/fault"
	"millwright/core/feature/datasheet"
	"millwright/core/feature/featuretest"
	"millwright/core/feature/outline"
	"millwright/core/feature/recognize"
	"millwright/core/machining"
	"millwright/core/planning"
	"millwright/core/toolpath"
	"millwright/core/verify"
)

// program returns the program that the product makes for a part of featuretest.
func program(t testing.TB, name string, config machining.CutConfig) (verify.Input, error) {
	t.Helper()
	on := compute.OnCPU(0)
	model, coarse := featuretest.Part(t, name)
	run, err := recognize.Part(t.Context(), model, coarse, on)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tools []machining.Tool
	for _, l := range machining.BuiltInToolLibraries() {
		for _, id := range config.ToolLibraryIDs {
			if l.ID == id {
				tools = append(tools, l.Tools...)
			}
		}
	}
	plan, err := planning.Make(t.Context(), planning.Input{Run: run, Sheets: sheets, Config: config, Tools: tools})
	if err != nil {
		return verify.Input{}, err
	}
	g := run.Graph
	set, err := toolpath.Make(t.Context(), toolpath.Input{
		Plan: plan, Graph: g, Samples: outline.Sample(g), Mill: on, Chord: 0.01,
	})
	if err != nil {
		t.Fatal(err)
	}
	fine, err := tessellate.Mesh(t.Context(), model, tessellate.Options{ChordTolerance: 0.004})
	if err != nil {
		t.Fatal(err)
	}
	return verify.Input{Plan: plan, Set: set, Part: fine.Mesh, Travel: config.Machine.Travel, Mill: on}, nil
}

// What the product makes of parts holds, with the tools of both configs.
func TestProgramsOfParts(t *testing.T) {
	for _, config := range []machining.CutConfig{machining.BuiltInCutConfig(), machining.LargeCutConfig()} {
		for _, name := range featuretest.Names {
			if testing.Short() && name != "chamfers" && name != "through_hole" { // whose paths are made at once
				continue
			}
			t.Run(config.Name+"/"+name, func(t *testing.T) {
				in, err := program(t, name, config)
				var refused *fault.Error
				if errors.As(err, &refused) {
					t.Skip(err)
				}
				if err != nil {
					t.Fatal(err)
				}
				proof, _, err := verify.Replay(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				if !proof.Holds() || !(proof.RemovedVolume > 0) {
					t.Errorf("%+v", proof)
				}
			})
		}
	}
}
