package toolpath

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

func TestPrune(t *testing.T) {
	op := func(id string, tool int, features, regions []int) planning.Operation {
		return planning.Operation{ID: id, Tool: tool, Features: features, Regions: regions}
	}
	moved := func(id string, tool int32) motion.Operation {
		return motion.Operation{ID: id, Tool: tool, Moves: []motion.Move{{To: geom.Vec3{X: 1}}}}
	}
	plan := &planning.Plan{
		Tools: []planning.Tool{{Tool: machining.Tool{ID: "a"}}, {Tool: machining.Tool{ID: "b"}},
			{Tool: machining.Tool{ID: "c"}}},
		Setups: []planning.Setup{
			{Frame: geom.World,
				Operations: []planning.Operation{op("1.1", 0, []int{1}, nil), op("1.2", 1, []int{2}, []int{5})}},
			{Frame: geom.World, Operations: []planning.Operation{op("2.1", 1, []int{3}, []int{6})}},
			{Frame: geom.World,
				Operations: []planning.Operation{op("3.1", 2, []int{4}, []int{7}), op("3.2", 2, []int{4}, []int{8})}},
		},
	}
	set := &Set{
		Setups: []motion.Setup{
			{Operations: []motion.Operation{moved("1.1", 0), {ID: "1.2", Tool: 1}}},
			{Operations: []motion.Operation{{ID: "2.1", Tool: 1}}},
			{Operations: []motion.Operation{{ID: "3.1", Tool: 2}, moved("3.2", 2)}},
		},
		Paths: [][]Path{
			{{MoveCount: 1}, {}}, {{RestMaterial: []RestMaterial{{Volume: 90, Height: 3, Reason: completeness.NoToolFits}}}}, {{}, {MoveCount: 1}},
		},
	}
	got, made, idle := Prune(plan, set)
	if len(got.Setups) != 2 || len(made.Setups) != 2 || len(made.Paths) != 2 || len(idle) != 3 {
		t.Fatalf("%d setups, %d and %d of motion, %d idle", len(got.Setups), len(made.Setups),
			len(made.Paths), len(idle))
	}
	first, last := got.Setups[0].Operations, got.Setups[1].Operations
	if len(first) != 1 || first[0].ID != "1.1" || !slices.Equal(first[0].Features, []int{1, 2}) {
		t.Errorf("setup 1: %+v, want the feature that was made before by its only operation", first)
	}
	if len(last) != 1 || last[0].ID != "2.1" || made.Setups[1].Operations[0].ID != "2.1" || last[0].Tool != 1 ||
		made.Setups[1].Operations[0].Tool != 1 || got.Tools[1].Tool.ID != "c" || len(got.Tools) != 2 {
		t.Errorf("setup 2: %+v with %+v", last, got.Tools)
	}
	for i, leaves := range []bool{false, true, false} {
		if idle[i].Leaves() != leaves {
			t.Errorf("idle operation %s leaves material: %v", idle[i].Operation.ID, idle[i].Leaves())
		}
	}
	if idle[1].Attempt.Tool.ID != "b" || !slices.Equal(idle[1].Attempt.Regions, []int{6}) ||
		idle[1].Attempt.Reason != completeness.NoToolFits {
		t.Errorf("attempt %+v", idle[1].Attempt)
	}
	if len(plan.Setups) != 3 || len(plan.Tools) != 3 || plan.Setups[2].Operations[1].ID != "3.2" ||
		set.Setups[2].Operations[1].Tool != 2 {
		t.Error("the plan that was pruned has changed")
	}
}
