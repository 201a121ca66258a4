package datasheet_test

import (
	"math"
	"testing"

	"millwright/core/feature"
)

// A thread is told by what has it: a hole, a boss where something on its axis is wider, or a profile.
func TestModelledThreads(t *testing.T) {
	for _, row := range []struct {
		part        string
		kind        feature.Type
		designation string
		pitch, size float64 // mm
		across      string  // the fact that tells its size
	}{
		{"threaded_bush", feature.Hole, "M12x1.5", 1.5, 10.4, "diameter"},
		{"threaded_pin", feature.Boss, "M8x1.25", 1.25, 8, "diameter"},
		{"lead_screw", feature.Profile, "12xPh6P3-LH", 3, 6, "minConvexRadius"},
	} {
		n := 0
		for _, d := range example(t, row.part).facts(t, row.kind) {
			f := d["facts"].(map[string]any)
			th, ok := f["thread"].(map[string]any)
			if !ok || th["source"] != feature.ThreadFromGeometry {
				continue
			}
			n++
			pitch, _ := th["pitch"].(float64)
			size, _ := f[row.across].(float64)
			if th["designation"] != row.designation || math.Abs(pitch-row.pitch) > 1e-9 ||
				math.Abs(size-row.size) > 1e-3 {
				t.Errorf("%s: %v with %s %v, want %s on %v", row.part, th, row.across, size, row.designation, row.size)
			}
		}
		if n != 1 {
			t.Errorf("%s: %d threads", row.part, n)
		}
	}
	for _, d := range example(t, "bosses").facts(t, feature.Boss) {
		if _, ok := d["facts"].(map[string]any)["thread"]; ok {
			t.Errorf("a plain boss has the field thread: %v", d)
		}
	}
}
