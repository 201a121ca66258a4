package surface_test

import (
	"math"
	"testing"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// TestTrimmedInvertAcrossSeam inverts on parts of a closed B-spline that cross its seam.
func TestTrimmedInvertAcrossSeam(t *testing.T) {
	base := wholeSphere(t, 5)
	_, dv := base.Domain()
	period, _ := base.Periods()
	if period == 0 {
		t.Fatal("the sphere is not closed")
	}
	for _, u := range []geom.Interval{span(3, 5), span(-1, 0.5), span(7.5, 9), span(0.5, 2)} {
		s, err := surface.NewTrimmed(base, u, span(dv.Lo+0.3, dv.Hi-0.4), true, true)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			a, b := float64(i)*0.7, float64(i)*0.31-1
			p := geom.Vec3{X: math.Cos(a) * math.Cos(b), Y: math.Sin(a) * math.Cos(b), Z: math.Sin(b)}.Scale(3 + float64(i%5))
			at, dist := s.Invert(p)
			if d := s.At(at.X, at.Y).Dist(p); math.Abs(d-dist) > 1e-7 || !s.U.Contains(at.X, 1e-9) || !s.V.Contains(at.Y, 1e-9) {
				t.Errorf("u in %v: %v is inverted to %v, %g away (said: %g)", u, p, at, d, dist)
			}
			const n = 60
			for k := range (n + 1) * (n + 1) {
				x, y := s.U.At(float64(k%(n+1))/n), s.V.At(float64(k/(n+1))/n)
				if d := s.At(x, y).Dist(p); dist > d*(1+2e-5)+1e-7 {
					t.Fatalf("u in %v: found a point %g from %v, that at (%v, %v) is %g away", u, dist, p, x, y, d)
				}
			}
		}
	}
}
