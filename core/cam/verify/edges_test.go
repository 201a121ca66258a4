package verify_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
)

// withEdges is a built-in config that breaks edges by a width.
func withEdges(c machining.CutConfig, width float64) machining.CutConfig {
	c.BreakEdges = &machining.BreakEdges{Width: width}
	return c
}

// breaks returns the operations that break edges, with their motion.
func breaks(in *verify.Input) (ops []*planning.Operation, moves []*motion.Operation) {
	for i := range in.Plan.Setups {
		for k := range in.Plan.Setups[i].Operations {
			if o := &in.Plan.Setups[i].Operations[k]; o.Strategy == planning.BreakEdges {
				ops, moves = append(ops, o), append(moves, &in.Set.Setups[i].Operations[k])
			}
		}
	}
	return ops, moves
}

// checkBroken checks the broken edges of a program: at most one operation of each setup breaks them, and on parts with
// free edges they leave little of them sharp.
func checkBroken(t *testing.T, name string, in *verify.Input, proof *verify.Report) {
	t.Helper()
	ops, moves := breaks(in)
	if len(ops) > len(in.Plan.Setups) {
		t.Errorf("%d operations in %d setups", len(ops), len(in.Plan.Setups))
	}
	length, left := 0.0, 0.0
	for _, o := range moves {
		o.Steps(func(s motion.Step) bool {
			if s.Kind == motion.Cut {
				length += s.Length()
			}
			return true
		})
	}
	for _, p := range proof.Left {
		if p.Cause < -1 {
			left += p.Volume
		}
	}
	prismatic := slices.Contains([]string{"chamfers", "plate_holes", "through_hole"}, name)
	if all := length * 0.2 * 0.2 / 2; prismatic && left > 0.1*all {
		t.Errorf("of %.4g mm³ at the edges %.4g stay", all, left)
	}
}

// A chamfer wider than the plan says is a gouge, and so is one at an edge that the plan does not break.
func TestWiderBrokenEdgeIsAGouge(t *testing.T) {
	in, err := program(t, "chamfers", withEdges(machining.BuiltInCutConfig(), 0.2))
	if err != nil {
		t.Fatal(err)
	}
	gouge := func(name string, low, high float64) { // the drop-cutter gives lower bounds
		t.Helper()
		proof, _, err := verify.Replay(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		if g := proof.MaxGouge; g < low || g > high || proof.Passes() != (high == 0) {
			t.Errorf("%s: a gouge of %.4g mm, want %.4g to %.4g: %+v", name, g, low, high, proof.Findings)
		}
	}
	ops, moves := breaks(&in)
	gouge("as planned", 0, 0)
	for _, o := range ops {
		o.Width = 0.15
	}
	gouge("wider than planned by 0.05 mm", 0.02, 0.05/math.Sqrt2+0.01)
	for _, o := range ops {
		o.Width = 0.2
	}
	for _, o := range moves {
		for i := range o.Moves {
			o.Moves[i].To.Z -= 0.05
		}
	}
	gouge("deeper by 0.05 mm", 0.02, 0.05/math.Sqrt2+0.01)
	for _, o := range moves {
		for i := range o.Moves {
			o.Moves[i].To.Z += 0.05
		}
	}
	for _, o := range ops {
		o.Edges = o.Edges[1:]
	}
	gouge("an edge that is not planned", 0.07, 0.11)
}

// Edges that the paths leave sharp are in the account, and do not make a program incomplete.
func TestEdgesThatStaySharpAreNamed(t *testing.T) {
	in, err := program(t, "through_hole", withEdges(machining.BuiltInCutConfig(), 1))
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, low, high float64) {
		t.Helper()
		proof, _, err := verify.Replay(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		plan := verify.Settle(in.Plan, in.Set, proof, verify.Facts{
			Removable: 1e5, Area: 1e4, FeatureOf: slices.Repeat([]int{0}, len(in.Part.Regions)),
		})
		volume := 0.0
		for _, e := range plan.Account.Left {
			if e.Reason == completeness.EdgeNotBroken {
				volume += e.Volume
			}
		}
		named := slices.ContainsFunc(plan.Unmachinable, func(u planning.Unmachinable) bool {
			return u.Reason == completeness.EdgeNotBroken
		})
		if volume < low || volume > high || !named || plan.Account.Completeness != completeness.CompleteButNamed {
			t.Errorf("%s: %.4g mm³ at edges, want %.4g to %.4g; %s, %+v", name, volume, low, high,
				plan.Account.Completeness, plan.Account.Left)
		}
	}
	check("as planned, upright edges are named", 0, 1)
	_, moves := breaks(&in)
	for _, o := range moves {
		for i := range o.Moves {
			o.Moves[i].To.Z += 3
		}
	}
	check("3 mm over the edges", 100, 400)
}
