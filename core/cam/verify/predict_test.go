package verify_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// planned is the plan of the test program with the heights of its operations.
func planned(t *testing.T) *verifytest.Program {
	t.Helper()
	p := verifytest.Made(chord).Clone()
	for i := range p.Plan.Setups {
		for k := range p.Plan.Setups[i].Operations {
			o := &p.Plan.Setups[i].Operations[k]
			o.Regions = nil
			switch o.ID {
			case "face":
				o.Strategy, o.Top, o.Bottom = planning.Face, 1, 0
			case "underside":
				o.Strategy, o.Top, o.Bottom = planning.Face, 8, 0
			case "outside":
				o.Strategy, o.Top, o.Bottom = planning.Pocket, 0, -20.5
			case "hole":
				o.Strategy, o.Holes = planning.Drill, []planning.Hole{{Top: -10, Bottom: -24, Diameter: 10}}
			default:
				o.Strategy, o.Top, o.Bottom = planning.Pocket, 0, -10
			}
			o.Cutting.Axial.Value = 5
		}
	}
	return p
}

func predict(t *testing.T, p *verifytest.Program) *completeness.Account {
	t.Helper()
	volume := p.Plan.RawVolume() - p.Part.Volume()
	a, err := verify.Predict(t.Context(), p.Plan, p.Part, compute.OnCPU(0), verify.Facts{
		Removable: volume, Area: 1e4, FeatureOf: slices.Repeat([]int{2}, len(p.Part.Regions)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestPredictionFindsOmittedOperations(t *testing.T) {
	a := predict(t, planned(t))
	if a.Side != completeness.Predicted || a.Completeness != completeness.Complete || a.Made.VolumeShare < 0.99 {
		t.Errorf("a plan that reaches all: %+v", a)
	}

	p := planned(t)
	drop(t, p, "hole")
	a = predict(t, p)
	want := math.Pi * 25 * 10
	if a.Completeness != completeness.Incomplete || len(a.Left) == 0 || a.Left[0].Reason != completeness.OutOfReach ||
		math.Abs(a.Left[0].Volume-want) > 0.2*want || a.Left[0].Height < 3.5 {
		t.Errorf("without its hole: %+v, want %.4g mm³", a, want)
	}

	unmade(completeness.OutOfReach, verifytest.HoleWall)(p)
	a = predict(t, p)
	if a.Left[0].Feature != 5 || a.Left[0].Detail != "So it is." || a.Left[0].Remedy != "A file." {
		t.Errorf("its hole named: %+v", a)
	}

	p = planned(t)
	unmade(completeness.SharpCorner, verifytest.PocketWall, verifytest.Sides)(p)
	if a = predict(t, p); a.Completeness != completeness.CompleteButNamed || len(a.Left) != 1 {
		t.Errorf("a corner without volume is not named: %+v", a)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Predict(ctx, p.Plan, p.Part, compute.OnCPU(0), verify.Facts{}); err == nil {
		t.Error("it ends in spite of its context")
	}
}
