package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// waves is a surface of n×n control points over the square from 0 to n-1, with waves in z.
func waves(t *testing.T, degree, n int, height float64) *BSpline {
	t.Helper()
	points := make([]geom.Vec3, 0, n*n)
	for i := range n {
		for j := range n {
			points = append(points, geom.Vec3{X: float64(i), Y: float64(j), Z: height * float64((i+2*j)%3)})
		}
	}
	knots := bspline.QuasiUniformKnots(degree, n)
	s, err := NewBSpline(degree, degree, knots, knots, points, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestInvertOnManyControls compares the foot point found from the nearest control point with the search.
func TestInvertOnManyControls(t *testing.T) {
	for _, degree := range []int{1, 3, 8} {
		s := waves(t, degree, 12, 1.5)
		if s.net.Controls() < manyControls {
			t.Fatalf("%d control points are too few to be tried first", s.net.Controls())
		}
		rapid.Check(t, func(t *rapid.T) {
			u := s.u.Lo + s.u.Length()*rapid.Float64Range(0, 1).Draw(t, "u")
			v := s.v.Lo + s.v.Length()*rapid.Float64Range(0, 1).Draw(t, "v")
			off := rapid.SampledFrom([]float64{0, 1e-5, 5e-4, 1e-2, 0.5, 20}).Draw(t, "off")
			p := s.At(u, v).AddScaled(off, s.Normal(u, v))
			uv, dist := s.Invert(p)
			exact := s.search(p, footPoint{dist: math.Inf(1)})
			if d := s.At(uv.X, uv.Y).Dist(p); math.Abs(d-dist) > 1e-9 {
				t.Fatalf("distance %g, but the point found is %g away", dist, d)
			}
			// Within trusted the first foot point is final; elsewhere the nearest is found.
			if dist > exact.dist*(1+2*tieMargin)+1e-9 && dist > trusted {
				t.Fatalf("degree %d, %g off: found a point %g away, there is one at %g", degree, off, dist, exact.dist)
			}
		})
	}
}
