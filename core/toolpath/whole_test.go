package toolpath_test

import (
	"errors"
	"testing"
	"time"

	"millwright/compute"
	"millwright/core/fault"
	"millwright/core/feature/datasheet"
	"millwright/core/feature/featuretest"
	"millwright/core/feature/outline"
	"millwright/core/feature/recognize"
	"millwright/core/machining"
	"millwright/core/mesh"
	"millwright/core/planning"
	"millwright/core/toolpath"
	"millwright/core/verify"
)

// planned returns the plan of a part, nil where there is none.
func planned(t testing.TB, name string, config machining.CutConfig) (toolpath.Input, *mesh.Mesh) {
	t.Helper()
	m, msh := featuretest.Part(t, name)
	engine := compute.OnCPU(2)
	run, err := recognize.Part(t.Context(), m, msh, engine)
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tools []machining.Tool
	for _, id := range config.ToolLibraryIDs {
		for _, l := range machining.BuiltInToolLibraries() {
			if l.ID == id {
				tools = append(tools, l.Tools...)
			}
		}
	}
	plan, err := planning.Make(t.Context(), planning.Input{Run: run, Sheets: sheets, Config: config, Tools: tools})
	var refused *fault.Error
	if errors.As(err, &refused) {
		t.Skip(refused)
	}
	if err != nil {
		t.Fatal(err)
	}
	return toolpath.Input{Plan: plan, Graph: run.Graph, Samples: outline.Sample(run.Graph), Mill: engine, Chord: chord}, msh
}

// What planning says of real parts becomes programs that hold.
func TestProgramsHold(t *testing.T) {
	for _, name := range featuretest.Names {
		t.Run(name, func(t *testing.T) {
			in, msh := planned(t, name, machining.BuiltInCutConfig())
			began := time.Now()
			set, err := toolpath.Make(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			spent := time.Since(began)
			length := 0.0
			for i, paths := range set.Paths {
				for k, p := range paths {
					o := &in.Plan.Setups[i].Operations[k]
					length += p.CutLength + p.RapidLength
					t.Logf("%d %s %s: %d moves, %.0f mm cut, %.0f mm rapid, %.4g to %.4g", i, o.ID, o.Strategy, p.MoveCount, p.CutLength,
						p.RapidLength, o.Top, o.Bottom)
					for _, r := range p.Residue {
						t.Logf("   %s %v: %.4g mm³, %.3g mm high: %s", r.Reason, r.Regions, r.Volume, r.Height, r.Detail)
					}
				}
			}
			t.Logf("%v for %.1f m", spent, length/1000)
			proof, _, err := verify.Replay(t.Context(), verify.Input{
				Plan: in.Plan, Set: set, Part: msh, Travel: machining.Extent{X: 2000, Y: 2000, Z: 2000}, Mill: in.Mill,
				Tolerance: chord,
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range proof.Findings {
				t.Errorf("%+v", f)
			}
			t.Logf("%s: uncut %.4g of %.4g mm³", name, proof.UncutVolume, proof.StockVolume-proof.PartVolume)
		})
	}
}

var _ = planning.Face
