package verify_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/feature/featuretest"
)

// TestFlatTipGougesIfPlannedAsPointed runs a program for a pointed tool with a tool whose tip is a flat of radius f. It
// cuts f·cos(half the tip angle) too deep. A program for the flat tool must pass.
func TestFlatTipGougesIfPlannedAsPointed(t *testing.T) {
	const flat = 2.0
	for part, kind := range map[string]machining.ToolKind{"humped": machining.ChamferMill,
		"chamfers": machining.Countersink} {
		t.Run(part, func(t *testing.T) {
			proven := func(in verify.Input, err error) *verify.Report {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
				proof, _, err := verify.Replay(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				return proof
			}
			config := machining.BuiltInCutConfig()
			in, err := program(t, part, config)
			if proof := proven(in, err); !proof.Passes() {
				t.Fatalf("the program for pointed tools: %+v", proof)
			}
			real := *in.Plan
			real.Tools, in.Plan = slices.Clone(real.Tools), &real
			deep := 0.0
			for i := range real.Tools {
				if tool := &real.Tools[i].Tool; tool.Kind == kind {
					tool.TipDiameter = new(flat)
					deep = flat / 2 * math.Cos(*tool.TipAngleDeg/2*math.Pi/180)
				}
			}
			if proof := proven(in, nil); deep == 0 || proof.Passes() || math.Abs(proof.MaxGouge-deep) > 0.05 {
				t.Errorf("with a flat tip: holds %v, gouges %.3f mm; want %.3f mm", proof.Passes(),
					proof.MaxGouge, deep)
			}

			tools := machining.BuiltInTools()
			for i := range tools {
				if tools[i].Kind == kind {
					tools[i].TipDiameter = new(flat)
				}
			}
			model, coarse := featuretest.Part(t, part)
			in, err = programWith(t, model, coarse, config, tools, planning.Terms{})
			if proof := proven(in, err); !proof.Passes() {
				t.Errorf("the program for flat tips: %+v", proof)
			}
			used := false
			for i := range in.Plan.Tools {
				used = used || in.Plan.Tools[i].Tool.TipRadius() > 0
			}
			if !used {
				t.Error("the program for flat tips uses none")
			}
		})
	}
}
