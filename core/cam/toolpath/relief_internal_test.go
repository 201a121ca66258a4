package toolpath

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestPassesLowerTheStock: under a pass no stock is higher than the tool leaves it, and none is taken for lower.
func TestPassesLowerTheStock(t *testing.T) {
	const radius, z = 3.0, 1.0
	l := newRelief(&planning.Setup{Before: geom.BoxOf(geom.Vec3{}, geom.Vec3{X: 20, Y: 12, Z: 9})})
	l.pass([]geom.Vec3{{X: 4, Y: 6, Z: z}, {X: 16, Y: 6, Z: z}}, radius, radius)
	for _, c := range []struct{ x, aside float64 }{{10, 0}, {10, 1}, {10, 2}, {4, 0}, {16, 2}, {10, 2.6}} {
		ball := func(d float64) float64 { return z + radius - math.Sqrt(radius*radius-d*d) }
		got := l.over(geom.Vec2{X: c.x, Y: 6 + c.aside})
		if most := ball(min(c.aside+2*stockCell, radius)); got < ball(max(c.aside-stockCell, 0)) || got > most {
			t.Errorf("%g mm beside the pass at x %g: %g mm, want at most %g", c.aside, c.x, got, most)
		}
	}
	for _, at := range []geom.Vec2{{X: 10, Y: 9.5}, {X: 0.2, Y: 6}, {X: -50, Y: 6}, {X: 10, Y: 99}} {
		if got := l.over(at); !math.IsInf(got, 1) {
			t.Errorf("at %v, where nothing passes, %g mm", at, got)
		}
	}
}
