package canonical

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The distance of a B-spline surface from an analytic one, between the samples too.
//
// Method: on one polynomial piece of degree p the implicit equation of degree k of the analytic surface, times the k-th
// power of the weight, is a polynomial of degree p·k. Its values at p·k+1 Chebyshev nodes bound it everywhere:
// interpolation there enlarges the largest value by no more than the Lebesgue constant 2/π·ln(p·k+1) + 1 (Rivlin,
// Chebyshev Polynomials, 2nd ed., 1990, ch. 4.2), in each direction. The equation is the distance times a factor that
// varies, as the weights do, by a known ratio. So the largest distance at the nodes times all these is a bound, to
// first order in the distance.
//
// It is coarse by a factor of about ten: exact surfaces pass by a margin of many digits, and approximations must be ten
// times better than the tolerance. Near the apex of a cone and where a torus meets its axis the factor vanishes;
// maxVaries ends the bound there.
//
// Cost: (p·k+1)² evaluations per piece, 9 for a plane and 25 for a cylinder of degree 2. With more than manyPieces
// pieces, each small against the shape, p+2 nodes are used in each direction.

const (
	maxVaries  = 1e3
	manyPieces = 256
	// pieceShare is the fraction of the domain below which the remainder of a piece is rounding.
	pieceShare = 1e-9
)

// order is the degree of the implicit equation of an analytic surface.
func order(s surface.Surface) int {
	switch s.Kind() {
	case surface.KindPlane:
		return 1
	case surface.KindTorus:
		return 4
	}
	return 2
}

// deviates reports whether b is anywhere in the rectangle farther than tol from an analytic surface.
func deviates(b *surface.BSpline, rect rect, s surface.Surface, tol float64) bool {
	bu, bv := b.Breaks()
	us, vs := clipped(bu, rect.u), clipped(bv, rect.v)
	p, q := b.Degrees()
	k := order(s)
	nu, nv := p*k+1, q*k+1
	if (len(us)-1)*(len(vs)-1) > manyPieces {
		nu, nv = min(nu, p+2), min(nv, q+2)
	}
	factor := lebesgue(nu) * lebesgue(nv) * math.Pow(b.WeightRatio(), float64(k))
	xu, xv := nodes(us, nu), nodes(vs, nv)
	worst, lo, hi := 0.0, math.Inf(1), 0.0
	for _, u := range xu {
		for _, v := range xv {
			pt := b.At(u, v)
			dist, near := offset(s, pt)
			worst = max(worst, dist)
			lo, hi = min(lo, near), max(hi, near)
			if !(worst <= tol) {
				return true
			}
		}
	}
	return !(worst*factor*min(hi/lo, maxVaries) <= tol)
}

// offset returns the distance of p from an analytic surface, and the quantity by which its equation
// differs from the distance, up to a constant.
func offset(s surface.Surface, p geom.Vec3) (dist, factor float64) {
	_, dist = s.Invert(p)
	var f *geom.Frame
	switch s := s.(type) {
	case surface.Cone:
		f = &s.Frame
	case surface.Torus:
		f = &s.Frame
	default:
		return dist, 1
	}
	l := f.Local(p)
	return dist, math.Hypot(l.X, l.Y)
}

func lebesgue(n int) float64 { return 2/math.Pi*math.Log(float64(n)) + 1 }

// clipped returns the breaks inside an interval with the ends of the interval, which lies in the domain.
func clipped(breaks []float64, iv geom.Interval) []float64 {
	eps := pieceShare * iv.Length()
	out := []float64{iv.Lo}
	for _, b := range breaks {
		if b > iv.Lo+eps && b < iv.Hi-eps {
			out = append(out, b)
		}
	}
	return append(out, iv.Hi)
}

// nodes returns n Chebyshev nodes of every piece.
func nodes(breaks []float64, n int) []float64 {
	out := make([]float64, 0, n*(len(breaks)-1))
	for i := 1; i < len(breaks); i++ {
		piece := geom.Interval{Lo: breaks[i-1], Hi: breaks[i]}
		for k := range n {
			x := math.Cos((2*float64(k) + 1) / float64(2*n) * math.Pi)
			out = append(out, piece.At((1-x)/2))
		}
	}
	return out
}
