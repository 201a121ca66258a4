package datasheet_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A modeled thread is reported by its feature: a hole, a boss if its axis has a wider face, or a profile. The
// datasheets of the latter two have no field for it but have its size.
func TestModeledThreads(t *testing.T) {
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

// A tap drill in whole or half millimeters is a thread where a drill point or a screw on its axis speaks for it.
func TestThreadsOfPlainDiameters(t *testing.T) {
	size := geom.Vec3{X: 80, Y: 40, Z: 20}
	point := math.Pi * 118 / 180
	hole := func(x, diameter, depth, tip float64) build.Hole {
		return build.Hole{Center: geom.Vec2{X: x, Y: 20}, Profile: build.Blind(diameter, depth, tip)}
	}
	for _, row := range []struct {
		name       string
		holes      []build.Hole
		thread     string // of all holes
		confidence string
	}{
		{"one with a drill point", []build.Hole{hole(20, 5, 12, point)}, "M6x1", feature.ThreadPossible},
		{"two with drill points", []build.Hole{hole(20, 8.5, 12, point), hole(60, 8.5, 12, point)}, "M10x1.5", feature.ThreadLikely},
		{"two with flat bottoms", []build.Hole{hole(20, 5, 12, math.Pi), hole(60, 5, 12, math.Pi)}, "", ""},
		{"two that go through", []build.Hole{{Center: geom.Vec2{X: 20, Y: 20}, Profile: build.Through(2.5, 20)},
			{Center: geom.Vec2{X: 60, Y: 20}, Profile: build.Through(2.5, 20)}}, "", ""},
		{"no plain diameter", []build.Hole{{Center: geom.Vec2{X: 20, Y: 20}, Profile: build.Through(4.2, 20)}}, "M5x0.8", feature.ThreadLikely},
		{"a fine thread", []build.Hole{hole(20, 7, 12, point), hole(60, 7, 12, point)}, "", ""},
	} {
		n := 0
		for _, d := range measured(t, build.Plate(size, build.Style{}, row.holes...)).facts(t, feature.Hole) {
			n++
			th, _ := d["facts"].(map[string]any)["thread"].(map[string]any)
			thread, _ := th["designation"].(string)
			confidence, _ := th["confidence"].(string)
			if thread != row.thread || confidence != row.confidence {
				t.Errorf("%s: thread %q, %q, want %q, %q", row.name, thread, confidence, row.thread, row.confidence)
			}
		}
		if n != len(row.holes) {
			t.Errorf("%s: %d holes, want %d", row.name, n, len(row.holes))
		}
	}
}
