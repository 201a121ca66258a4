package surface

import (
	"math"
	"math/rand"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// collapsed is a random patch of degree 2 or 3 with two adjacent sides that are one point each: a corner
// where the surface has no tangent plane and no parameter is determined.
func collapsed(rng *rand.Rand) (*BSpline, error) {
	degree := 2 + rng.Intn(2)
	n := degree + 1
	knots := make([]float64, 2*n)
	for i := n; i < 2*n; i++ {
		knots[i] = 1
	}
	net := make([]geom.Vec3, n*n)
	for i := range n {
		for j := range n {
			net[i*n+j] = geom.Vec3{X: float64(i) + rng.NormFloat64()/2, Y: float64(j) + rng.NormFloat64()/2,
				Z: rng.NormFloat64()}
		}
	}
	for k := range n {
		net[k*n] = net[0] // v = 0
		net[k] = net[0]   // u = 0
	}
	return NewBSpline(degree, degree, knots, knots, net, nil)
}

// densely is the distance of p from the surface by descent from the best of a fine grid.
func densely(s *BSpline, p geom.Vec3) float64 {
	const n = 60
	best, least := geom.Vec2{}, math.Inf(1)
	for i := range n + 1 {
		for j := range n + 1 {
			uv := geom.Vec2{X: float64(i) / n, Y: float64(j) / n}
			if d := s.At(uv.X, uv.Y).Dist(p); d < least {
				best, least = uv, d
			}
		}
	}
	return min(least, descend(s, p, best, s.everywhere()).dist)
}

// TestInvertBesideTwoCollapsedSides compares the search with a fine grid.
func TestInvertBesideTwoCollapsedSides(t *testing.T) {
	surfaces := 2000
	if testing.Short() {
		surfaces = 200
	}
	rng := rand.New(rand.NewSource(7))
	missed := 0
	for k := range surfaces {
		s, err := collapsed(rng)
		if err != nil {
			t.Fatal(err)
		}
		p := geom.Vec3{X: 3 * rng.Float64(), Y: 3 * rng.Float64(), Z: 2 * rng.NormFloat64()}
		if k%2 == 1 { // about the collapsed corner
			p = s.At(0, 0).Add(geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Scale(0.3))
		}
		_, got := s.Invert(p)
		if want := densely(s, p); got > want*(1+1e-4)+1e-6 {
			missed++
			t.Errorf("surface %d: distance %g, want %g", k, got, want)
		}
	}
	if missed > 0 {
		t.Errorf("%d of %d missed", missed, surfaces)
	}
}
