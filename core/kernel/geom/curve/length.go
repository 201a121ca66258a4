package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"

	"gonum.org/v1/gonum/integrate/quad"
)

// Arc length by adaptive Gauss–Legendre quadrature of the speed |C'|: an interval is halved until
// its two halves agree with the whole within lengthTol, or within the rounding of the coordinates.
// Pieces between breaks are integrated one by one, since the error estimate needs a smooth integrand.

const (
	gaussPoints    = 10
	lengthTol      = 1e-12 // relative
	lengthNoise    = 1e-14 // of the coordinates: a difference that carries no information
	lengthHalvings = 24    // a cusp, where the speed has a corner, ends here
)

var gaussX, gaussW = func() (x, w [gaussPoints]float64) {
	quad.Legendre{}.FixedLocations(x[:], w[:], 0, 1)
	return x, w
}()

// Length returns the arc length of c over iv in mm, infinite for an infinite range.
func Length(c Curve, iv geom.Interval) float64 {
	switch k := c.(type) {
	case Line:
		return iv.Length()
	case Circle:
		return k.Radius * iv.Length()
	case *Trimmed:
		return Length(k.Base, k.flipRange(iv))
	case *Composite:
		sum := 0.0
		k.each(iv, func(i int, part geom.Interval, _ float64) { sum += Length(k.segments[i], part) })
		return sum
	}
	if !iv.IsFinite() {
		return math.Inf(1)
	}
	var buf [32]float64
	sum, lo := 0.0, iv.Lo
	for _, hi := range append(Breaks(buf[:0], c, iv), iv.Hi) {
		whole, size := gauss(c, lo, hi)
		sum += lengthOf(c, lo, hi, whole, lengthNoise*size, lengthHalvings)
		lo = hi
	}
	return sum
}

func lengthOf(c Curve, lo, hi, whole, noise float64, depth int) float64 {
	mid := 0.5 * (lo + hi)
	l, _ := gauss(c, lo, mid)
	r, _ := gauss(c, mid, hi)
	if depth == 0 || !(math.Abs(l+r-whole) > lengthTol*(l+r)+noise) { // also when it is not a number
		return l + r
	}
	return lengthOf(c, lo, mid, l, noise, depth-1) + lengthOf(c, mid, hi, r, noise, depth-1)
}

// gauss returns the integral and the largest distance from the origin that it saw.
func gauss(c Curve, lo, hi float64) (sum, size float64) {
	h := hi - lo
	for i, x := range gaussX {
		p, d1 := c.D1(lo + x*h)
		sum += gaussW[i] * d1.Norm()
		size = max(size, p.Norm2())
	}
	return sum * h, math.Sqrt(size)
}
