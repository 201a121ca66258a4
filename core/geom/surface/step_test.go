package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/geom/surface"
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
		if slack := 1e-9 * (1 + math.Abs(k1) + math.Abs(k2)); k < k1-slack || k > k2+slack {
			t.Fatalf("normal curvature %v outside %v … %v", k, k1, k2)
		}
	})
}

// facetError returns the largest distance from the surface of the middle of facets of one cell.
func facetError(s surface.Surface, u, v, du, dv float64) float64 {
	a, b, c := s.At(u, v), s.At(u+du, v), s.At(u+du, v+dv)
	worst := 0.0
	for _, w := range [][2]float64{{0.5, 0}, {0.5, 0.5}, {0, 0.5}, {1. / 3, 1. / 3}} {
		p := a.Scale(1-w[0]-w[1]).AddScaled(w[0], b).AddScaled(w[1], c)
		_, d := s.Invert(p)
		worst = math.Max(worst, d)
	}
	return worst
}

func TestStepSizesKeepTolerances(t *testing.T) {
	ext, err := surface.NewExtrusion(wave(t, geom.Vec3{}, v3(1, 0, 0), v3(0, 1, 0), 3), v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	profile := wave(t, geom.Vec3{}, v3(1, 0, 0), v3(0, 0, 1), 3)
	rev, err := surface.NewRevolution(profile, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name string
		s    surface.Surface
		u, v geom.Interval
	}{
		{"cylinder", cylinder(5), span(0, 6), span(0, 10)},
		{"cone", cone(2, 0.6), span(0, 6), span(-2, 10)},
		{"sphere", sphere(5), span(0, 6), span(-1.4, 1.4)},
		{"torus", torus(9, 3, surface.Whole), span(0, 6), span(0, 6)},
		{"spindle", torus(2, 4, surface.Apple), span(0, 6), span(-2, 2)},
		{"sheet", gentle(t), span(0, 1), span(0, 1)},
		{"hills", hilly(t, 9, 9, 100, 9), span(0, 1), span(0, 1)},
		{"saddle", mustBSpline(t, 1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1},
			[]geom.Vec3{{}, {Y: 30}, {X: 30}, {X: 30, Y: 30, Z: 20}}, nil), span(0, 1), span(0, 1)},
		{"ring", ring(t, 9, 3), span(0, 4), span(0, 4)},
		{"extrusion", ext, span(0, 2), span(0, 10)},
		{"revolution", rev, span(0, 6), span(0, 2)},
		{"offset", mustOffset(t, gentle(t), 5), span(0, 1), span(0, 1)},
	}
	for _, r := range rows {
		for _, tol := range []float64{0.3, 0.01} {
			t.Run(r.name, func(t *testing.T) {
				const angle = 0.4
				du, dv := surface.StepSizes(r.s, r.u, r.v, tol, angle)
				worst, n := 0.0, 0
				hu, hv := math.Min(du, r.u.Length()), math.Min(dv, r.v.Length())
				for i := range 20 {
					for j := range 20 {
						u, v := r.u.Lo+(r.u.Length()-hu)*float64(i)/19, r.v.Lo+(r.v.Length()-hv)*float64(j)/19
						worst = math.Max(worst, facetError(r.s, u, v, hu, hv))
						if a := r.s.Normal(u, v).Angle(r.s.Normal(u+hu, v)); a > angle*1.05 {
							t.Fatalf("normal turns by %g over du = %g at (%g, %g)", a, hu, u, v)
						}
						if a := r.s.Normal(u, v).Angle(r.s.Normal(u, v+hv)); a > angle*1.05 {
							t.Fatalf("normal turns by %g over dv = %g at (%g, %g)", a, hv, u, v)
						}
						n++
					}
				}
				if worst > 1.02*tol {
					t.Errorf("steps %g, %g leave the surface by %g, allowed %g", du, dv, worst, tol)
				}
				if fine := 0.02 * tol; worst < fine && math.Min(hu/r.u.Length(), hv/r.v.Length()) < 0.1 {
					t.Errorf("steps %g, %g are needlessly small: the error is only %g of %g", du, dv, worst, tol)
				}
			})
		}
	}
}

func TestStepSizesWhereFlat(t *testing.T) {
	inf := math.Inf(1)
	one := span(0, 1)
	ruled, err := surface.NewExtrusion(curve.Line{Dir: v3(1, 0, 0)}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	trimmed, err := surface.NewTrimmed(cylinder(5), one, one, false, false)
	if err != nil {
		t.Fatal(err)
	}
	flat := mustBSpline(t, 1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1},
		[]geom.Vec3{{}, {Y: 1}, {X: 1}, {X: 1, Y: 1}}, nil)
	arc := 2 * math.Acos(1-0.01/5)
	rows := []struct {
		name       string
		s          surface.Surface
		chord, ang float64
		du, dv     float64
	}{
		{"plane", plane(), 0.01, 0.3, inf, inf},
		{"flat B-spline", flat, 0.01, 0.3, inf, inf},
		{"extruded line", ruled, 0.01, 0.3, inf, inf},
		{"cylinder by chord", cylinder(5), 0.01, 0.3, arc, inf},
		{"cylinder by angle", cylinder(5), 0, 0.1, 0.1, inf},
		{"cylinder without limits", cylinder(5), 0, 0, 2 * math.Pi / 3, inf},
		{"trimmed cylinder", trimmed, 0.01, 0.3, arc, inf},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			du, dv := surface.StepSizes(r.s, one, one, r.chord, r.ang)
			if math.Abs(du-r.du) > 1e-12 || math.Abs(dv-r.dv) > 1e-12 {
				t.Errorf("StepSizes = %v, %v, want %v, %v", du, dv, r.du, r.dv)
			}
		})
	}
}
