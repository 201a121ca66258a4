package holding_test

import (
	"testing"

	"millwright.dev/millwright/bench/holding"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/toolpath"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/outline"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/mesh"
)

// program returns the planner's program of a part with the default cut config.
func program(t testing.TB, model *brep.Model, coarse *mesh.Mesh) holding.Input {
	t.Helper()
	config, on := machining.BuiltInCutConfig(), compute.OnCPU(0)
	run, err := recognize.Recognize(t.Context(), model, coarse, on)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := planning.Make(t.Context(), planning.Input{
		Run: run, Sheets: sheets, Config: config, Tools: machining.BuiltInTools(), Mill: on,
	})
	if err != nil {
		t.Fatal(err)
	}
	g := run.Graph
	set, err := toolpath.Make(t.Context(), toolpath.Input{
		Plan: plan, Graph: g, Samples: outline.Sample(g), Mill: on,
		Chord: min(tessellate.DefaultChord, g.Diagonal/tessellate.SizeShare),
	})
	if err != nil {
		t.Fatal(err)
	}
	return holding.Input{Plan: plan, Set: set, Config: &config, Mill: on}
}
