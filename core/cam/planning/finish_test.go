package planning_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
)

// finishing returns the diameters (mm) of the tools that finish some faces by a strategy, in the order of the work.
func finishing(plan *planning.Plan, strategy planning.Strategy, faces ...int) (diameters []float64) {
	for _, o := range operations(plan, strategy) {
		has := func(f int) bool { return slices.Contains(o.Regions, f) }
		if slices.ContainsFunc(faces, has) {
			diameters = append(diameters, plan.Tools[o.Tool].Tool.Diameter)
		}
	}
	return diameters
}

// The thickest mill that fits makes walls and floor, and the mill of the tightest corners what it leaves, after rest
// roughing of the same.
func TestThinMillsFinishOnlyTheRest(t *testing.T) {
	const floor, wall = 3, 10 // of pockets with sharp corners, which a mill of 6 mm makes as well as it can
	plan := made(t, input(t, "cross_link", machining.BuiltInCutConfig()))
	for _, row := range []struct {
		name     string
		strategy planning.Strategy
		face     int
	}{{"walls", planning.Contour, wall}, {"floor", planning.Pocket, floor}} {
		if got := finishing(plan, row.strategy, row.face); !slices.Equal(got, []float64{20, 6}) {
			t.Errorf("the %s are finished by mills of %v mm, want 20 and 6", row.name, got)
		}
	}
	var order []string
	for _, s := range plan.Setups {
		for _, o := range s.Operations {
			d := plan.Tools[o.Tool].Tool.Diameter
			switch {
			case o.Strategy == planning.Contour && slices.Contains(o.Regions, wall) && d == 20:
				order = append(order, "walls")
			case o.Strategy == planning.Pocket && slices.Contains(o.Beside, wall):
				order = append(order, "clear")
			case o.Strategy == planning.Contour && slices.Contains(o.Regions, wall):
				order = append(order, "corners")
			}
		}
	}
	if want := []string{"walls", "clear", "corners"}; !slices.Equal(order, want) {
		t.Errorf("order %v, want %v", order, want)
	}
}

// A wall is finished in as few passes as the flutes permit. Passes of a round corner overlap by the cusp above it.
func TestWallsAreFinishedAtFullDepth(t *testing.T) {
	several := false
	for _, name := range []string{"bosses", "bent_sheet", "cut_groove"} {
		plan := made(t, input(t, name, machining.BuiltInCutConfig()))
		for _, o := range operations(plan, planning.Contour) {
			if len(o.Beside) > 0 {
				continue // it roughs
			}
			mill := plan.Tools[o.Tool].Tool
			high, least := o.Top-o.Bottom, 1.0
			if high > mill.FluteLength {
				least, several = math.Ceil(high/(mill.FluteLength-mill.CornerRadius)-1e-9), true
			}
			if got := high / o.Cutting.Axial.Value; math.Abs(got-least) > 1e-6 {
				t.Errorf("%s %s: %g passes over %g mm with flutes of %g mm, want %g", name, o.ID, got, high,
					mill.FluteLength, least)
			}
		}
	}
	if !several {
		t.Error("no wall is higher than the flutes")
	}
}
