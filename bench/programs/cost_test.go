package programs

import (
	"math"
	"testing"
)

func TestCostsAreAdded(t *testing.T) {
	sum := &Costs{}
	for range 2 {
		sum.Add(&Costs{Plan: Cost{1, 2, 3}, Paths: Cost{10, 20, 30}, Proof: Cost{100, 200, 300}})
	}
	if got, want := *sum, (Costs{Plan: Cost{2, 4, 6}, Paths: Cost{20, 40, 60}, Proof: Cost{200, 400, 600}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := sum.All(), (Cost{222, 444, 666}); got != want {
		t.Errorf("in all %+v, want %+v", got, want)
	}
}

// TestQuiet: where others take half of two processors, all goes half as fast, idleness too.
func TestQuiet(t *testing.T) {
	for name, row := range map[string]struct {
		c    Cost
		want float64
	}{
		"alone":         {Cost{Wall: 10, Processors: 15, Idle: 5}, 10},
		"among others":  {Cost{Wall: 20, Processors: 15, Idle: 10}, 10},
		"nothing known": {Cost{Wall: 20}, 20},
		"rounding":      {Cost{Wall: 9, Processors: 15, Idle: 5}, 10},
	} {
		if got := row.c.Quiet(2); math.Abs(got-row.want) > 1e-9 {
			t.Errorf("%s: %g ms, want %g", name, got, row.want)
		}
	}
}
