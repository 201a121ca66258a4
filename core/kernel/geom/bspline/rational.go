package bspline

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Hom is a point in homogeneous coordinates: (w·x, w·y, w·z, w).
type Hom struct{ X, Y, Z, W float64 }

// Lift returns the homogeneous point of p with weight w.
func Lift(p geom.Vec3, w float64) Hom { return Hom{w * p.X, w * p.Y, w * p.Z, w} }

// AddScaled returns a + s·b.
func (a Hom) AddScaled(s float64, b Hom) Hom {
	return Hom{a.X + s*b.X, a.Y + s*b.Y, a.Z + s*b.Z, a.W + s*b.W}
}

// Vec returns the first three coordinates, without division.
func (a Hom) Vec() geom.Vec3 { return geom.Vec3{X: a.X, Y: a.Y, Z: a.Z} }

// Point returns the point in space, the first three coordinates over the fourth.
func (a Hom) Point() geom.Vec3 { return a.Vec().Scale(1 / a.W) }

// CheckWeights returns an error unless each point has a positive finite weight. Nil weights are accepted; the net is
// then polynomial.
func CheckWeights(points int, weights []float64) error {
	if weights == nil {
		return nil
	}
	if len(weights) != points {
		return fmt.Errorf("%d control points have %d weights", points, len(weights))
	}
	for i, w := range weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("weight %d is %g, not a positive number", i, w)
		}
	}
	return nil
}

// IsRational reports whether the weights differ: equal ones cancel and leave a polynomial net.
func IsRational(weights []float64) bool {
	for _, w := range weights {
		if w != weights[0] {
			return true
		}
	}
	return false
}

// LiftNet returns the homogeneous net of points and weights; nil weights are all one.
func LiftNet(points []geom.Vec3, weights []float64) []Hom {
	net := make([]Hom, len(points))
	for i, p := range points {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		net[i] = Lift(p, w)
	}
	return net
}

// Quotient1 returns point and first derivative from the homogeneous ones (P&T A4.2).
func Quotient1(a, a1 Hom) (p, d1 geom.Vec3) {
	inv := 1 / a.W
	p = a.Vec().Scale(inv)
	return p, a1.Vec().AddScaled(-a1.W, p).Scale(inv)
}

// Quotient2 returns point, first and second derivative from the homogeneous ones (P&T A4.2).
func Quotient2(a, a1, a2 Hom) (p, d1, d2 geom.Vec3) {
	inv := 1 / a.W
	p = a.Vec().Scale(inv)
	d1 = a1.Vec().AddScaled(-a1.W, p).Scale(inv)
	d2 = a2.Vec().AddScaled(-2*a1.W, d1).AddScaled(-a2.W, p).Scale(inv)
	return p, d1, d2
}

// QuotientMixed returns the mixed derivative ∂²S/∂u∂v of a rational surface from the homogeneous
// first and mixed derivatives and the point and first derivatives in space (P&T A4.4). The other
// derivatives follow from Quotient2 in each direction.
func QuotientMixed(w float64, au, av, auv Hom, p, du, dv geom.Vec3) geom.Vec3 {
	return auv.Vec().AddScaled(-au.W, dv).AddScaled(-av.W, du).AddScaled(-auv.W, p).Scale(1 / w)
}
