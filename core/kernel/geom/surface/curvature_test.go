package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func TestCurvatures(t *testing.T) {
	rows := []struct {
		name   string
		s      surface.Surface
		u, v   float64
		k1, k2 float64
	}{
		{"plane", plane(), 3, 4, 0, 0},
		{"cylinder", cylinder(5), 1, 2, -0.2, 0},
		{"cone", cone(2, math.Pi/4), 1, 3, -math.Sqrt2 / 2 / 5, 0},
		{"sphere", sphere(4), 1, 0.3, -0.25, -0.25},
		{"pole of a sphere", sphere(4), 1, math.Pi / 2, -0.25, -0.25},
		{"outside of a torus", torus(5, 2, surface.Whole), 1, 0, -0.5, -1. / 7},
		{"inside of a torus", torus(5, 2, surface.Whole), 1, math.Pi, -0.5, 1. / 3},
		{"rational sphere", wholeSphere(t, 4), 1.3, 0.7, -0.25, -0.25},
		{"pole of a rational sphere", wholeSphere(t, 4), 1.3, 0, -0.25, -0.25},
		{"saddle", mustBSpline(t, 1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1},
			[]geom.Vec3{{}, {Y: 1}, {X: 1}, {X: 1, Y: 1, Z: 0.5}}, nil), 0, 0, -0.5, 0.5},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			k1, k2 := surface.Curvatures(r.s, r.u, r.v)
			if math.Abs(k1-r.k1) > 1e-6 || math.Abs(k2-r.k2) > 1e-6 {
				t.Errorf("Curvatures = %v, %v, want %v, %v", k1, k2, r.k1, r.k2)
			}
		})
	}
}

func TestNormalCurvatureLiesBetween(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawBSpline(t)
		c := rapid.Float64Range(-0.99, 1.99)
		u, v := c.Draw(t, "u"), c.Draw(t, "v")
		d := s.D2(u, v)
		if d.Du.Cross(d.Dv).Norm() < 1e-2*d.Du.Norm()*d.Dv.Norm() {
			return
		}
		k1, k2 := surface.Curvatures(s, u, v)
		b, a := math.Sincos(rapid.Float64Range(0, 7).Draw(t, "direction"))
		along := d.Du.Scale(a).AddScaled(b, d.Dv)
		bend := d.Duu.Scale(a*a).AddScaled(2*a*b, d.Duv).AddScaled(b*b, d.Dvv)
		k := bend.Dot(s.Normal(u, v)) / along.Norm2()
		slack := 1e-9 * (1 + math.Abs(k1) + math.Abs(k2))
		if k < k1-slack || k > k2+slack {
			t.Fatalf("normal curvature %v outside %v … %v", k, k1, k2)
		}
		if got, ok := d.CurvatureAlong(along); ok && math.Abs(got-k) > slack {
			t.Fatalf("curvature along %v: %v, want %v", along, got, k)
		}
	})
}
