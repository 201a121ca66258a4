package planning_test

import (
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
)

// TestFallbackTools: a made-up tool cuts what the library cannot cut, and is marked with the reason.
func TestFallbackTools(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: plans eight parts")
	}
	isBall := func(t *machining.Tool) bool { return t.Kind == machining.BallEndMill }
	for _, c := range []struct {
		name, part string
		without    func(t *machining.Tool) bool // of the library
		kind       machining.ToolKind
		why        string
	}{
		{"a bevel of another angle", "chamfers", isBall, machining.ChamferMill, "The bevel is at 35.26° to the tool"},
		{"the flat bottom of a hole", "plate_holes", nil, machining.FlatEndMill, "No end mill gets down to its flat bottom"},
		{"a deep wall", "slotted_bar", nil, machining.FlatEndMill, "It lies 90 mm deep"},
		{"a thread", "threaded_bush", nil, machining.TapRightHand, "no tap or thread mill for M12x1.5"},
		{"a hole", "through_hole", func(t *machining.Tool) bool {
			return t.Kind == machining.Drill || strings.HasSuffix(string(t.Kind), "EndMill") && t.Diameter < 10
		}, machining.Drill, ""},
	} {
		in := input(t, c.part, machining.BuiltInCutConfig())
		if c.without != nil {
			in.Tools = slices.DeleteFunc(in.Tools, func(x machining.Tool) bool { return c.without(&x) })
		}
		before := made(t, in)
		if slices.ContainsFunc(before.Tools, func(x planning.Tool) bool { return x.Fallback != "" }) {
			t.Errorf("%s: a tool is made up unasked", c.name)
		}
		in.FallbackTools = true
		plan := made(t, in)
		i := slices.IndexFunc(plan.Tools, func(x planning.Tool) bool { return x.Fallback != "" && x.Tool.Kind == c.kind })
		if i < 0 || !strings.Contains(plan.Tools[i].Fallback, c.why) || len(warningsOf(plan, "fallback_tool")) == 0 {
			t.Errorf("%s: tools %+v, warnings %v", c.name, plan.Tools, plan.Warnings)
			continue
		}
		if x := &plan.Tools[i]; !strings.HasPrefix(x.Tool.Name, "Made up: ") || x.Tool.Validate() != nil ||
			slices.ContainsFunc(in.Tools, func(o machining.Tool) bool { return o.ID == x.Tool.ID }) {
			t.Errorf("%s: %+v", c.name, x)
		}
		lacks := func(p *planning.Plan) (n int) {
			for _, u := range p.Unmachinable {
				if u.Reason == completeness.NoToolFits || u.Reason == completeness.OutOfReach {
					n += len(u.Regions)
				}
			}
			return n
		}
		if lacks(plan) >= lacks(before) {
			t.Errorf("%s: for want of tools %+v stays, before %+v", c.name, plan.Unmachinable, before.Unmachinable)
		}
		used := slices.ContainsFunc(plan.Setups, func(s planning.Setup) bool {
			return slices.ContainsFunc(s.Operations, func(o planning.Operation) bool { return o.Tool == i })
		})
		if !used {
			t.Errorf("%s: no operation uses %s", c.name, plan.Tools[i].Tool.Name)
		}
	}
}

// TestNoFallbackWithoutNeed: where the library cuts everything, the plan is the same.
func TestNoFallbackWithoutNeed(t *testing.T) {
	in := input(t, "pockets", machining.BuiltInCutConfig())
	before := made(t, in)
	in.FallbackTools = true
	if plan := made(t, in); len(plan.Tools) != len(before.Tools) || len(plan.Setups) != len(before.Setups) {
		t.Errorf("%d tools and %d setups, want %d and %d", len(plan.Tools), len(plan.Setups), len(before.Tools), len(before.Setups))
	}
}
