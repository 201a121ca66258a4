package brep

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

func TestEdgeGap(t *testing.T) {
	line := func(from, to geom.Vec3) *Edge {
		return &Edge{Curve: curve.Line{Origin: from, Dir: to.Sub(from).Unit()}, Range: geom.Interval{Hi: from.Dist(to)}}
	}
	arc := func(radius, lo, hi float64) *Edge {
		return &Edge{Curve: curve.Circle{Frame: geom.World, Radius: radius}, Range: geom.Interval{Lo: lo, Hi: hi}}
	}
	x := geom.Vec3{X: 10}
	for _, c := range []struct {
		name   string
		a, b   *Edge
		enough float64
		gap    float64
		same   bool
	}{
		{"the same line", line(geom.Vec3{}, x), line(geom.Vec3{}, x), 1, 0, true},
		{"the line back", line(geom.Vec3{}, x), line(x, geom.Vec3{}), 1, 0, false},
		{"a parallel", line(geom.Vec3{}, x), line(geom.Vec3{Y: 0.5}, geom.Vec3{X: 10, Y: 0.5}), 1, 0.5, true},
		{"a part of it", line(geom.Vec3{}, x), line(geom.Vec3{}, geom.Vec3{X: 9}), 2, 1, true},
		{"the whole of it", line(geom.Vec3{}, geom.Vec3{X: 9}), line(geom.Vec3{}, x), 2, 1, true},
		{"arc and chord", arc(1, 0, math.Pi/2), line(geom.Vec3{X: 1}, geom.Vec3{Y: 1}), 1, 1 - math.Sqrt(0.5), true},
		{"concentric arcs", arc(2, 0, 3), arc(2.25, 0, 3), 1, 0.25, true},
	} {
		if gap, same := EdgeGap(c.a, c.b, c.enough); math.Abs(gap-c.gap) > 1e-9 || same != c.same {
			t.Errorf("%s: gap %g, same %v; want %g, %v", c.name, gap, same, c.gap, c.same)
		}
	}
	if gap, _ := EdgeGap(arc(1, 0, 3), arc(9, 0, 3), 0.1); gap <= 0.1 {
		t.Errorf("arcs far apart: gap %g, want more than was enough", gap)
	}
}
