package surface_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestWholeConicOnTheAxisIsHalved checks that a whole conic revolved about an axis through its middle gives the surface
// of its half.
func TestWholeConicOnTheAxisIsHalved(t *testing.T) {
	x, y, z := v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)
	at := v3(3, -2, 5)
	frame := func(a, b geom.Vec3) geom.Frame { return geom.Frame{Origin: at, X: a, Y: b, Z: a.Cross(b)} }
	aslant := geom.NewFrame(at, y.Neg(), v3(0.6, 0, 0.8))
	rows := []struct {
		name    string
		profile curve.Curve
		lo      float64 // where the half begins
		out     float64 // 1 when the normal points away from the middle
	}{
		{"circle, X across the axis", curve.Circle{Frame: frame(x, z), Radius: 4}, -math.Pi / 2, 1},
		{"circle, downwards", curve.Circle{Frame: frame(x, z.Neg()), Radius: 4}, -math.Pi / 2, -1},
		{"circle, X along the axis", curve.Circle{Frame: frame(z, x), Radius: 4}, 0, -1},
		{"circle, X against the axis", curve.Circle{Frame: frame(z.Neg(), x), Radius: 4}, 0, 1},
		{"circle aslant", curve.Circle{Frame: aslant, Radius: 4}, math.Atan(aslant.Y.Dot(z) / aslant.X.Dot(z)), 0},
		{"ellipse", curve.Ellipse{Frame: frame(x, z), Major: 5, Minor: 2}, -math.Pi / 2, 1},
		{"ellipse, X along the axis", curve.Ellipse{Frame: frame(z, x), Major: 5, Minor: 2}, 0, -1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s, err := surface.NewRevolution(r.profile, v3(3, -2, -7), z)
			if err != nil {
				t.Fatal(err)
			}
			_, v := s.Domain()
			_, period := s.Periods()
			if period != 0 || math.Abs(v.Lo-r.lo) > 1e-12 || math.Abs(v.Length()-math.Pi) > 1e-12 {
				t.Errorf("profile over %v with period %g, want half a turn from %g", v, period, r.lo)
			}
			if n := len(s.Singularities()); n != 2 {
				t.Errorf("%d poles, want 2", n)
			}
			for _, share := range []float64{0.2, 0.5, 0.7} {
				want := geom.Vec2{X: 1.3, Y: v.At(share)}
				p := s.At(want.X, want.Y)
				if got, dist := s.Invert(p); dist > 1e-9 || got.Dist(want) > 1e-9 {
					t.Errorf("Invert(At(%v)) = %v, %g away", want, got, dist)
				}
				if side := s.Normal(want.X, want.Y).Dot(p.Sub(at)); side*r.out < 0 {
					t.Errorf("at %v the normal has %g along the way outwards, want the sign of %g", want, side, r.out)
				}
			}
		})
	}
}

func TestOtherConicsStayWhole(t *testing.T) {
	z := v3(0, 0, 1)
	upright := geom.Frame{X: v3(1, 0, 0), Y: z, Z: v3(0, -1, 0)}
	beside := upright
	beside.Origin = v3(1e-3, 0, 0)
	leaning := geom.NewFrame(geom.Vec3{}, v3(0, -1, 0), v3(0.6, 0, 0.8))
	tilted := geom.NewFrame(geom.Vec3{}, v3(0, -1, 1e-3), v3(1, 0, 0))
	rows := []struct {
		name    string
		profile curve.Curve
	}{
		{"circle beside the axis", curve.Circle{Frame: beside, Radius: 4}},
		{"circle in no plane with the axis", curve.Circle{Frame: tilted, Radius: 4}},
		{"ellipse aslant", curve.Ellipse{Frame: leaning, Major: 5, Minor: 2}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s, err := surface.NewRevolution(r.profile, geom.Vec3{}, z)
			if err != nil {
				t.Fatal(err)
			}
			if _, period := s.Periods(); period != 2*math.Pi {
				t.Errorf("period %g, want a whole turn", period)
			}
		})
	}
}
