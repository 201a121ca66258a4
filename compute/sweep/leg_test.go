package sweep

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestArcBoxContainsItsPoints checks that the box of an arc is the box of its points.
func TestArcBoxContainsItsPoints(t *testing.T) {
	const near = 1e-6 // mm: distance between the tested points
	for turn := -math.Pi; turn <= math.Pi; turn += math.Pi / 16 {
		for begin := 0.0; begin < 2*math.Pi; begin += math.Pi / 7 {
			sin, cos := math.Sincos(begin)
			m := motion.Segment{From: geom.Vec3{X: 1 + 3*cos, Y: 2 + 3*sin, Z: 5},
				Center: geom.Vec2{X: 1, Y: 2}, Turn: turn}
			m.To = m.From
			m.To = m.At(1).Add(geom.Vec3{Z: 1})
			legs, err := appendLegs(nil, &m, 0, true)
			if err != nil || len(legs) != 1 {
				t.Fatalf("%v: %d legs, %v", m, len(legs), err)
			}
			want := geom.EmptyBox()
			const n = 1 << 13
			for k := range n + 1 {
				want = want.Add(m.At(float64(k) / n))
			}
			if got := legs[0].box(); got.Min.Dist(want.Min) > near || got.Max.Dist(want.Max) > near {
				t.Errorf("turn %g from %g: %v, want %v", turn, begin, got, want)
			}
		}
	}
}
