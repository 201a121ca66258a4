package planning_test

import (
	"strings"
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/planningtest"
)

// edges plans a part whose edges are broken, and returns the plan with the entries of edges that stay sharp.
func edges(t *testing.T, name string, width float64, tools func([]machining.Tool) []machining.Tool) (*planning.Plan,
	[]planning.Unmachinable,
) {
	t.Helper()
	config := machining.BuiltInCutConfig()
	config.BreakEdges = &machining.BreakEdges{Width: width}
	in := input(t, name, config)
	in.Tools = tools(in.Tools)
	plan, err := planning.Make(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	planningtest.Check(t, plan, in.Run)
	var sharp []planning.Unmachinable
	for _, u := range plan.Unmachinable {
		if u.Reason == completeness.EdgeNotBroken {
			sharp = append(sharp, u)
		}
	}
	return plan, sharp
}

func all(tools []machining.Tool) []machining.Tool { return tools }

// The edges of a block with a hole are broken from both sides, after all other work; its upright edges are named.
func TestEdgesAreBrokenAtTheEndOfSetups(t *testing.T) {
	plan, sharp := edges(t, "through_hole", 0.3, all)
	count := 0
	for i := range plan.Setups {
		list := plan.Setups[i].Operations
		for k := range list {
			o := &list[k]
			if o.Strategy != planning.BreakEdges {
				continue
			}
			count += len(o.Edges)
			if k != len(list)-1 || o.Width != 0.3 || plan.Tools[o.Tool].Tool.Kind != machining.ChamferMill ||
				o.Cutting.Feed.Value <= 0 || len(o.Regions) > 0 {
				t.Errorf("operation %d of %d: %+v", k+1, len(list), o)
			}
		}
	}
	if count != 10 { // four around each end, and the hole at both
		t.Errorf("%d edges are broken", count)
	}
	if len(sharp) != 1 || !strings.Contains(sharp[0].Detail, "(4, ") {
		t.Errorf("sharp: %+v", sharp)
	}
}

// No edge is broken without a request or with a width of 0, and every edge is named without a mill.
func TestEdgesThatNoMillBreaks(t *testing.T) {
	count := func(p *planning.Plan) int { return len(operations(p, planning.BreakEdges)) }
	if plan, sharp := edges(t, "through_hole", 0, all); count(plan) != 0 || sharp != nil {
		t.Errorf("width 0: %d operations, %+v", count(plan), sharp)
	}
	plan, sharp := edges(t, "through_hole", 0.2, func(tools []machining.Tool) (out []machining.Tool) {
		for _, tool := range tools {
			if tool.Kind != machining.ChamferMill || *tool.TipAngleDeg != 90 {
				out = append(out, tool)
			}
		}
		return out
	})
	if count(plan) != 0 || len(sharp) != 2 || !strings.Contains(sharp[1].Detail, "(10, ") {
		t.Errorf("no mill of 90°: %d operations, %+v", count(plan), sharp)
	}
	if plan, sharp = edges(t, "through_hole", 2, all); count(plan) == 0 || len(sharp) == 0 {
		t.Errorf("2 mm: %d operations, %+v", count(plan), sharp)
	}
}
