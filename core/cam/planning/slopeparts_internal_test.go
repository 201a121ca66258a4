package planning

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// What two sets of sides reach counts once.
func TestSharesOfSides(t *testing.T) {
	shares := byMany{0: 0.1, 1: 0.2, 2: 0.3, 3: 0.15, 4: 0.25}
	for _, row := range []struct {
		from set
		want float64
	}{{0, 0}, {1, 0.35}, {2, 0.45}, {3, 0.65}, {4, 0.25}, {7, 0.9}, {1 << 5, 0}} {
		if got := shares.reached(row.from); math.Abs(got-row.want) > 1e-12 {
			t.Errorf("the sides %b reach %g, want %g", row.from, got, row.want)
		}
	}
	st := &state{from: make([]set, 1), done: make([]bool, 1)}
	for _, row := range []struct {
		s           side
		adds, whole bool
	}{{0, true, false}, {0, false, false}, {1, true, false}, {5, false, false}, {2, true, true}} {
		if got := st.adds(0, row.s, &shares); got != row.adds || st.done[0] != row.whole {
			t.Errorf("side %d adds %t, whole %t, want %t and %t", row.s, got, st.done[0], row.adds, row.whole)
		}
	}
}

// The points of a triangle stand for all of its area, and none for much of it.
func TestPointsOfSlopes(t *testing.T) {
	sum, n, middle := 0.0, 0, geom.Vec3{}
	a, b, c := geom.Vec3{}, geom.Vec3{X: 100}, geom.Vec3{Y: 1, Z: 1}
	halved([3]geom.Vec3{a, b, c}, 0.5, pointSteps, func(at, normal geom.Vec3, area float64) {
		sum, n, middle = sum+area, n+1, middle.Add(at.Scale(area))
		if area > 0.5 || normal.Dist(geom.Vec3{Y: -math.Sqrt2 / 2, Z: math.Sqrt2 / 2}) > 1e-12 {
			t.Errorf("a point of %g mm² with normal %v", area, normal)
		}
	})
	want := b.Cross(c).Norm() / 2
	if math.Abs(sum-want) > 1e-9 || n < 100 || middle.Scale(1/sum).Dist(b.Add(c).Scale(1.0/3)) > 1e-9 {
		t.Errorf("%d points stand for %g mm² around %v, want %g", n, sum, middle.Scale(1/sum), want)
	}
}
