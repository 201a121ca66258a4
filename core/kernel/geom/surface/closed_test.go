package surface_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func TestIsClosed(t *testing.T) {
	upright := geom.Frame{X: v3(1, 0, 0), Y: v3(0, 0, 1), Z: v3(0, -1, 0)}
	arc := func(lo, hi float64) curve.Curve {
		return trimmedCurve(t, curve.Circle{Frame: upright, Radius: 6}, lo, hi, false)
	}
	spin := func(c curve.Curve) surface.Surface { return must(surface.NewRevolution(c, geom.Vec3{}, v3(0, 0, 1))) }
	beside := upright
	beside.Origin = v3(9, 0, 0)
	for _, c := range []struct {
		name string
		s    surface.Surface
		want bool
	}{
		{"plane", surface.Plane{Frame: geom.World}, false},
		{"cylinder", cylinder(6), false},
		{"cone", cone(6, 0.5), false},
		{"sphere", sphere(6), true},
		{"torus", torus(9, 2, surface.Whole), true},
		{"apple", torus(2, 6, surface.Apple), true},
		{"half a circle turned", spin(arc(-math.Pi/2, math.Pi/2)), true},
		{"quarter of a circle turned", spin(arc(0, math.Pi/2)), false},
		{"circle turned", spin(curve.Circle{Frame: beside, Radius: 2}), true},
	} {
		if got := surface.IsClosed(c.s); got != c.want {
			t.Errorf("%s: closed %t, want %t", c.name, got, c.want)
		}
	}
}
