package planning_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
)

// Two roughing operations of a tool, one below the other, take no more levels than one operation would.
func TestRoughingBelowTheJawsAddsNoLevels(t *testing.T) {
	for _, name := range []string{"collar", "pockets"} {
		config := machining.BuiltInCutConfig()
		config.Stock.Grip, config.Workholding.JawHeight = 0, 5     // the jaws grip the part itself
		config.Workholding.Force, config.Material.Yield = 1e6, 1e4 // and hold all cuts, so that none is divided
		plan := made(t, input(t, name, config))
		below := 0
		for i := range plan.Setups {
			list := plan.Setups[i].Operations
			for k := 1; k < len(list); k++ {
				a, b := &list[k-1], &list[k]
				if a.Strategy != planning.Pocket || b.Strategy != planning.Pocket || a.Floor || b.Floor || a.Tool != b.Tool {
					continue
				}
				levels := func(high float64) float64 { return math.Ceil(high/a.Cutting.Axial.Value - 1e-6) }
				one, two := levels(max(a.Top, b.Top)-min(a.Bottom, b.Bottom)), levels(a.Top-a.Bottom)+levels(b.Top-b.Bottom)
				if below++; math.Abs(a.Bottom-b.Top) < 1e-6 && two > one {
					t.Errorf("%s: %s and %s take %g levels, want %g", name, a.ID, b.ID, two, one)
				}
			}
		}
		if below == 0 {
			t.Errorf("%s: no tool clears below the jaws", name)
		}
	}
}
