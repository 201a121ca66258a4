package planning

import (
	"testing"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
)

// A failed attempt excludes the tools that would fail for the same reason, not those that might do.
func TestAttemptsRuleOutToolsThatFailAlike(t *testing.T) {
	mills := map[float64]*tool{}
	for _, m := range machining.BuiltInTools() {
		if m.Kind == machining.FlatEndMill && mills[m.Diameter] == nil {
			mills[m.Diameter] = &tool{Tool: &m, assembly: m.Assembly()}
		}
	}
	longer := *mills[12]
	longer.Tool = &machining.Tool{ID: "long", Diameter: 12}
	longer.assembly.Stickout += 50
	for _, c := range []struct {
		name   string
		reason completeness.Reason
		tool   *tool
		want   bool
	}{
		{"the same tool", "", mills[12], true},
		{"another tool, unknown reason", "", mills[10], false},
		{"too wide, a little thinner", completeness.NoToolFits, mills[10], true},
		{"too wide, half as thick", completeness.NoToolFits, mills[6], false},
		{"too round, thicker", completeness.SharpCorner, mills[16], true},
		{"its body is in the way, of the longer one not", completeness.OutOfReach, &longer, false},
		{"its body is in the way, of the thinner one perhaps not", completeness.OutOfReach, mills[10], false},
		{"the part is above it", completeness.Undercut, mills[3], true},
	} {
		a := Attempt{Tool: mills[12].Tool, Reason: c.reason}
		if got := a.rulesOut(c.tool); got != c.want {
			t.Errorf("%s: ruled out: %v, want %v", c.name, got, c.want)
		}
	}
	if any := (&Attempt{}); !any.rulesOut(mills[6]) {
		t.Error("an attempt of any tool leaves one")
	}
}
