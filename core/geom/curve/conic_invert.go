package curve

import (
	"math"

	"millwright/core/geom"
)

// Closest points on conics.
//
// In the plane of the conic, by symmetry with y ≥ 0 (and x ≥ 0 for the ellipse), half the squared
// distance f(t) has its global minimum on the side of the point, in a bracket on which f' has exactly
// one zero. Across the major axis it has at most one more local minimum, if the point lies inside the
// evolute; f' divided by a factor of fixed sign is unimodal there, and the place of its extremum
// splits off a bracket for that minimum too. Both zeros are found by Newton steps kept inside the
// bracket, with bisection where Newton is slow, so they converge for every point, also on the evolute
// and on the axes. The second minimum matters when the curve is bounded and the first lies outside.
// Cost: 2 to 6 steps for a point near the curve. Nothing is allocated.

// Invert returns the parameter in [0, 2π) of the point closest to p and the distance from p to it. All
// points are equally close to a p on the axis; it gives 0.
func (c Circle) Invert(p geom.Vec3) (t, dist float64) {
	q := c.Frame.Local(p)
	return turn.Wrap(math.Atan2(q.Y, q.X)), math.Hypot(math.Hypot(q.X, q.Y)-c.Radius, q.Z)
}

// InvertIn is Invert on the arc over iv.
func (c Circle) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	t, dist = c.Invert(p)
	if u, ok := within(t, iv, turn.Hi); ok {
		return u, dist
	}
	return pick(iv, turn.Hi, minima{}, func(t float64) float64 { return c.At(t).Dist(p) })
}

// Invert returns the parameter in [0, 2π) of the point closest to p and the distance from p to it.
func (c Ellipse) Invert(p geom.Vec3) (t, dist float64) {
	m := c.minima(c.Frame.Local(p))
	t = turn.Wrap(m.t[0])
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Ellipse) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	return pick(iv, turn.Hi, c.minima(c.Frame.Local(p)), func(t float64) float64 { return c.At(t).Dist(p) })
}

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c Hyperbola) Invert(p geom.Vec3) (t, dist float64) {
	t = c.minima(c.Frame.Local(p)).t[0]
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Hyperbola) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	return pick(iv, 0, c.minima(c.Frame.Local(p)), func(t float64) float64 { return c.At(t).Dist(p) })
}

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c Parabola) Invert(p geom.Vec3) (t, dist float64) {
	t = c.minima(c.Frame.Local(p)).t[0]
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Parabola) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	return pick(iv, 0, c.minima(c.Frame.Local(p)), func(t float64) float64 { return c.At(t).Dist(p) })
}

// minima are the local minima of the distance, the global one first.
type minima struct {
	t [2]float64
	n int
}

func (m *minima) add(t float64) {
	m.t[m.n] = t
	m.n++
}

// within moves t by whole periods to the right of iv.Lo and reports whether it lies in iv then.
func within(t float64, iv geom.Interval, period float64) (float64, bool) {
	if period > 0 {
		t = geom.Interval{Lo: iv.Lo, Hi: iv.Lo + period}.Wrap(t)
	}
	return t, t >= iv.Lo && t <= iv.Hi
}

// pick returns the best of the minima in iv and the ends of iv. The first minimum wins if it is in iv.
func pick(iv geom.Interval, period float64, m minima, at func(float64) float64) (t, dist float64) {
	dist = math.Inf(1)
	try := func(x float64) {
		if d := at(x); d < dist {
			t, dist = x, d
		}
	}
	for i, x := range m.t[:m.n] {
		if x, ok := within(x, iv, period); ok {
			if try(x); i == 0 {
				return t, dist
			}
		}
	}
	for _, x := range [2]float64{iv.Lo, iv.Hi} {
		if !math.IsInf(x, 0) {
			try(x)
		}
	}
	return t, dist
}

// minima for a point in frame coordinates. For Major ≥ Minor and x, y ≥ 0,
// f'(t) = -k·sin t·cos t + A·sin t - B·cos t with k = Major² - Minor², A = Major·x, B = Minor·y.
// f'/(sin t·cos t) = -k + A/cos t - B/sin t rises on (0, π/2) and is convex on (-π/2, 0), least where
// tan³ t = -B/A.
func (c Ellipse) minima(q geom.Vec3) (m minima) {
	a, b, x, y := c.Major, c.Minor, math.Abs(q.X), math.Abs(q.Y)
	swap := a < b
	if swap {
		a, b, x, y = b, a, y, x
	}
	k, A, B := (a-b)*(a+b), a*x, b*y
	slope := func(t float64) (v, dv float64) {
		s, co := math.Sincos(t)
		return -k*s*co + A*s - B*co, k*(s-co)*(s+co) + A*co + B*s
	}
	restore := func(t float64) float64 {
		if swap {
			t = math.Pi/2 - t
		}
		if q.X < 0 {
			t = math.Pi - t
		}
		if q.Y < 0 {
			t = -t
		}
		return t
	}
	m.add(restore(risingRoot(slope, 0, math.Pi/2, math.Atan2(a*y, b*x))))
	if A+B == 0 && k == 0 {
		return m
	}
	crest := -math.Atan2(math.Cbrt(B), math.Cbrt(A))
	if A == 0 && B == 0 {
		crest = -math.Pi / 4
	}
	if v, _ := slope(crest); v > 0 || A == 0 && B < k || B == 0 && A < k {
		m.add(restore(risingRoot(slope, -math.Pi/2, crest, (crest-math.Pi/2)/2)))
	}
	return m
}

// minima for a point in frame coordinates. With K = Major² + Minor², A = Major·x, B = Minor·y ≥ 0,
// f'/cosh t = K·sinh t - A·tanh t - B: one zero for t > 0. For t < 0, f'/(sinh t·cosh t) has a single
// extremum, where tanh³ t = -B/A.
func (c Hyperbola) minima(q geom.Vec3) (m minima) {
	sign, y := 1.0, q.Y
	if y < 0 {
		sign, y = -1, -y
	}
	K, A, B := c.Major*c.Major+c.Minor*c.Minor, c.Major*q.X, c.Minor*y
	slope := func(t float64) (v, dv float64) {
		sh, ch := math.Sinh(t), math.Cosh(t)
		return K*sh - A*sh/ch - B, K*ch - A/(ch*ch)
	}
	reach := math.Asinh((math.Abs(A) + B) / K)
	m.add(sign * risingRoot(slope, 0, reach, math.Asinh(y/c.Minor)))
	if !(A > K && B < A) {
		return m
	}
	crest := -math.Atanh(math.Cbrt(B / A))
	if v, _ := slope(crest); v > 0 || B == 0 {
		m.add(sign * risingRoot(slope, -reach, crest, (crest-reach)/2))
	}
	return m
}

// minima for a point in frame coordinates: f' is proportional to t³ + q·t - r with q = 2 - x/Focal and
// r = y/Focal ≥ 0, which has one zero for t > 0 and two or none for t < 0, on either side of
// -√(-q/3).
func (c Parabola) minima(p geom.Vec3) (m minima) {
	sign, y := 1.0, p.Y
	if y < 0 {
		sign, y = -1, -y
	}
	q, r := 2-p.X/c.Focal, y/c.Focal
	slope := func(t float64) (v, dv float64) { return (t*t+q)*t - r, 3*t*t + q }
	reach := math.Sqrt(math.Max(-q, 0)) + math.Cbrt(r) // there t·(t² + q) ≥ r
	m.add(sign * risingRoot(slope, 0, reach, y/(2*c.Focal)))
	if q >= 0 {
		return m
	}
	crest := -math.Sqrt(-q / 3)
	if v, _ := slope(crest); v > 0 {
		m.add(sign * risingRoot(slope, -reach, crest, -math.Sqrt(-q)))
	}
	return m
}

// risingRoot returns the zero of f in [lo, hi] at which f changes from negative to positive. f returns
// value and derivative; it counts as negative at lo and positive at hi, so an f of one sign gives the
// end at which that is wrong. A zero at which f falls, a maximum of the distance, is passed. Newton's method, with bisection when a step leaves the bracket or
// shrinks by less than half (Press et al., Numerical Recipes, section 9.4).
func risingRoot(f func(float64) (v, dv float64), lo, hi, start float64) float64 {
	const (
		rounding = 0x1p-53 // relative: a step below it does not change t
		nothing  = 0x1p-70 // of the bracket: a zero so close to t = 0 is there
		most     = 200     // bisection alone needs about 70 steps
	)
	x := math.Max(lo, math.Min(hi, start))
	smallest, last := nothing*(hi-lo), hi-lo
	for range most {
		v, dv := f(x)
		switch {
		case v > 0:
			hi = x
		case v < 0:
			lo = x
		case dv >= 0:
			return x
		}
		step := -v / dv
		next := x + step
		if v == 0 || !(next >= lo && next <= hi) || math.Abs(step) > 0.5*math.Abs(last) {
			next = lo + 0.5*(hi-lo)
			step = next - x
		}
		if math.Abs(step) <= rounding*math.Abs(x)+smallest {
			return next
		}
		x, last = next, step
	}
	return x
}
