// Package predicate decides exactly on which side of lines and circles points of the plane lie.
//
// Method: adaptive precision as in J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
// Geometric Predicates" (1997). A determinant in plain arithmetic decides when it is larger than a bound on its
// rounding error. Otherwise it is summed without any rounding as an expansion, and coordinates so large or small that
// an expansion could overflow or underflow go to math/big. Cost: a few nanoseconds for the filter, about 0.1 µs for an
// exact Orient2D, without allocation except with math/big.
//
// The answers are exact for the given coordinates; rounding before the call is the caller's.
package predicate

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// unit is the largest relative error of one rounded operation.
	unit = 1.0 / (1 << 53)

	// orientBound times the sum of the two products' magnitudes exceeds the error of Orient2D's determinant: each
	// product has its own rounding and the roundings of two differences, 3·unit in all, and 16·unit² covers the
	// rounding of the bound itself (Shewchuk, fig. 21, stage A).
	orientBound = (3 + 16*unit) * unit

	// circleBound is the same for SurelyInCircle: ten roundings on the longest path from a coordinate to the
	// determinant, 96·unit² for the bound's own (Shewchuk, fig. 23, stage A).
	circleBound = (10 + 96*unit) * unit

	// underflow covers the loss below the normal numbers, where roundings are absolute: a product is off by at most
	// 2^-1075. In Orient2D that happens to two products. In SurelyInCircle it happens to the minors, which squared
	// lengths multiply, and to the squared lengths, which minors multiply, and a minor is no larger than the squared
	// lengths of its two rows. So all of it is less than 2^-1070 times one plus the squared lengths. The rest is margin
	// that costs nothing.
	underflow = 0x1p-1000
)

// Orient2D returns a positive number when a, b, c turn left (counter-clockwise), a negative one when
// they turn right and 0 when they lie on a line. The sign is exact; the magnitude approximates twice
// the area of the triangle. Coordinates that are not finite give 0.
func Orient2D(a, b, c geom.Vec2) float64 {
	l := (a.X - c.X) * (b.Y - c.Y)
	r := (a.Y - c.Y) * (b.X - c.X)
	det := l - r
	if math.Abs(det) > orientBound*(math.Abs(l)+math.Abs(r))+underflow {
		return det
	}
	return orientExact(a, b, c)
}

// SurelyInCircle reports whether d lies inside the circle through a, b and c, which turn left, by a margin visible in
// plain arithmetic. A point on the circle, or so near that only exact arithmetic decides, counts as not inside.
// Flipping edges by this test terminates and leaves a triangulation that is Delaunay up to rounding, at the cost of the
// filter alone.
func SurelyInCircle(a, b, c, d geom.Vec2) bool {
	ax, ay := a.X-d.X, a.Y-d.Y
	bx, by := b.X-d.X, b.Y-d.Y
	cx, cy := c.X-d.X, c.Y-d.Y
	bc, cb := bx*cy, cx*by
	ca, ac := cx*ay, ax*cy
	ab, ba := ax*by, bx*ay
	al, bl, cl := ax*ax+ay*ay, bx*bx+by*by, cx*cx+cy*cy
	det := al*(bc-cb) + bl*(ca-ac) + cl*(ab-ba)
	if det <= 0 { // most edges are as they should be
		return false
	}
	permanent := al*(math.Abs(bc)+math.Abs(cb)) + bl*(math.Abs(ca)+math.Abs(ac)) +
		cl*(math.Abs(ab)+math.Abs(ba))
	return det > circleBound*permanent+underflow*(1+al+bl+cl)
}

//go:noinline
func orientExact(a, b, c geom.Vec2) float64 {
	if (a.X == c.X || b.Y == c.Y) && (a.Y == c.Y || b.X == c.X) {
		return 0 // both products are: points of a grid lie so
	}
	switch rangeOf(a, b, c, c) {
	case notFinite:
		return 0
	case wide:
		return orientWide(a, b, c)
	}
	ax, ay := difference(a.X, c.X), difference(a.Y, c.Y)
	bx, by := difference(b.X, c.X), difference(b.Y, c.Y)
	var buf [16]float64
	return last(cross(buf[:0], &ax, &ay, &bx, &by))
}

type span uint8

const (
	normal span = iota
	wide
	notFinite
)

// Coordinates of magnitude 2^-200 … 2^250, or zero, are safe for expansions: all are multiples of
// 2^-252, so the products of Orient2D are multiples of 2^-504 and stay below 2^502.
const (
	smallest = 0x1p-200
	largest  = 0x1p250
)

func rangeOf(points ...geom.Vec2) span {
	r := normal
	for _, p := range points {
		for _, x := range [2]float64{math.Abs(p.X), math.Abs(p.Y)} {
			switch {
			case !(x <= math.MaxFloat64):
				return notFinite
			case x != 0 && x < smallest || x > largest:
				r = wide
			}
		}
	}
	return r
}
