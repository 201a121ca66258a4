package pipeline

import (
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestWidened checks that a direction is excluded for all tools only if another tool failed from it at one of the same
// faces before.
func TestWidened(t *testing.T) {
	up, down := geom.Vec3{Z: 1}, geom.Vec3{Z: -1}
	before := []planning.Attempt{{Direction: up, Tool: &machining.Tool{ID: "6 mm"}, Regions: []int{4, 5}}}
	for _, c := range []struct {
		name      string
		direction geom.Vec3
		regions   []int
		all       bool
	}{
		{"same side and face", up, []int{5, 9}, true},
		{"other face", up, []int{9}, false},
		{"other side", down, []int{5}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			failed := []planning.Attempt{{Direction: c.direction, Tool: &machining.Tool{ID: "5 mm"},
				Regions: c.regions}}
			if got := widened(failed, before)[0].Tool == nil; got != c.all {
				t.Errorf("it holds for all tools: %v, want %v", got, c.all)
			}
		})
	}
}

// TestFindingsAreAttempts: of a program with a finding, the operation that finishes faces and has one failed.
func TestFindingsAreAttempts(t *testing.T) {
	tool := planning.Tool{Tool: machining.Tool{ID: "ball"}}
	s := &settled{
		drafted: drafted{Plan: &planning.Plan{Tools: []planning.Tool{tool}, Setups: []planning.Setup{{
			Frame: geom.World,
			Operations: []planning.Operation{
				{ID: "1.1"}, {ID: "1.2", Regions: []int{3}}, {ID: "1.3", Regions: []int{4, 5}},
			},
		}}}},
		replayed: replayed{Proof: &verify.Report{HolderCollisions: 1, Findings: []verify.Finding{
			{Kind: verify.ShankCollision, Operation: "1.1"}, {Kind: verify.ShankCollision, Operation: "1.3"},
		}}},
	}
	got := s.failed()
	if len(got) != 1 || got[0].Tool.ID != "ball" || !slices.Equal(got[0].Regions, []int{4, 5}) {
		t.Errorf("%+v, want the ball at faces 4 and 5", got)
	}
}
