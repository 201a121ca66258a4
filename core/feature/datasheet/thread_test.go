package datasheet_test

import (
	"math"
	"testing"

	"millwright/core/feature"
)

// A thread is told by what has it: a hole, a boss where something on its axis is wider, or a profile. The datasheets of the
// latter two have no field for it: they say its size.
func TestModelledThreads(t *testing.T) {
	for _, row := range []struct {
		part   string
		kind   feature.Type
		across string
		size   float64 // mm
		thread string  // of a hole
	}{
		{"threaded_bush", feature.Hole, "diameter", 10.4, "M12x1.5"},
		{"threaded_pin", feature.Boss, "diameter", 8, ""},
		{"lead_screw", feature.Profile, "minConvexRadius", 6, ""},
	} {
		n := 0
		for _, d := range example(t, row.part).facts(t, row.kind) {
			f := d["facts"].(map[string]any)
			if size, ok := f[row.across].(float64); !ok || math.Abs(size-row.size) > 1e-3 {
				continue
			}
			n++
			th, _ := f["thread"].(map[string]any)
			if name, _ := th["designation"].(string); name != row.thread {
				t.Errorf("%s: thread %v, want %q", row.part, th, row.thread)
			}
			if row.thread != "" && (th["source"] != feature.ThreadFromGeometry || th["pitch"] != 1.5) {
				t.Errorf("%s: thread %v, want it from geometry with pitch 1.5", row.part, th)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d of %s %v", row.part, n, row.across, row.size)
		}
	}
}
