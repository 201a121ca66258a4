package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
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
	return nearerEnd(c, p, iv)
}

// Invert returns the parameter in [0, 2π) of the point closest to p and the distance from p to it.
func (c Ellipse) Invert(p geom.Vec3) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	t = turn.Wrap(f.first())
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Ellipse) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	return pick(c, p, iv, f.first(), f.second)
}

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c Hyperbola) Invert(p geom.Vec3) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	t = f.first()
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Hyperbola) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	return pick(c, p, iv, f.first(), f.second)
}

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c Parabola) Invert(p geom.Vec3) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	t = f.first()
	return t, c.At(t).Dist(p)
}

// InvertIn is Invert on the arc over iv.
func (c Parabola) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	f := c.fold(c.Frame.Local(p))
	return pick(c, p, iv, f.first(), f.second)
}

// within moves t by whole periods to the right of iv.Lo and reports whether it lies in iv then.
func within(t float64, iv geom.Interval, period float64) (float64, bool) {
	if period > 0 {
		t = geom.Interval{Lo: iv.Lo, Hi: iv.Lo + period}.Wrap(t)
	}
	return t, t >= iv.Lo && t <= iv.Hi
}

// pick returns the global minimum first if it is in iv, otherwise the best of the second local minimum
// and the ends of iv.
func pick[C Curve](c C, p geom.Vec3, iv geom.Interval, first float64, second func() (float64, bool)) (
	t, dist float64,
) {
	if t, ok := within(first, iv, c.Period()); ok {
		return t, c.At(t).Dist(p)
	}
	t, dist = nearerEnd(c, p, iv)
	if u, ok := second(); ok {
		if u, ok := within(u, iv, c.Period()); ok {
			if d := c.At(u).Dist(p); d < dist {
				return u, d
			}
		}
	}
	return t, dist
}

// nearerEnd returns the end of iv, one of them finite, that is closer to p.
func nearerEnd[C Curve](c C, p geom.Vec3, iv geom.Interval) (t, dist float64) {
	dist = math.Inf(1)
	for _, x := range [2]float64{iv.Lo, iv.Hi} {
		if math.IsInf(x, 0) {
			continue
		}
		if d := c.At(x).Dist(p); d < dist {
			t, dist = x, d
		}
	}
	return t, dist
}

// ellipseFold is the query with the point moved by symmetry to x, y ≥ 0 and the longer axis first.
// There f'(t) = -k·sin t·cos t + A·sin t - B·cos t with k = a² - b², A = a·x, B = b·y, and
// f'/(sin t·cos t) = -k + A/cos t - B/sin t rises on (0, π/2) and is convex on (-π/2, 0), least where
// tan³ t = -B/A.
type ellipseFold struct {
	a, b, x, y, k, A, B float64
	swap, negX, negY    bool
}

func (c Ellipse) fold(q geom.Vec3) ellipseFold {
	f := ellipseFold{
		a: c.Major, b: c.Minor, x: math.Abs(q.X), y: math.Abs(q.Y), negX: q.X < 0, negY: q.Y < 0,
	}
	if f.a < f.b {
		f.a, f.b, f.x, f.y, f.swap = f.b, f.a, f.y, f.x, true
	}
	f.k, f.A, f.B = (f.a-f.b)*(f.a+f.b), f.a*f.x, f.b*f.y
	return f
}

func (f *ellipseFold) slope(t float64) (v, dv float64) {
	s, c := math.Sincos(t)
	return -f.k*s*c + f.A*s - f.B*c, f.k*(s-c)*(s+c) + f.A*c + f.B*s
}

// unfold returns the parameter on the ellipse.
func (f *ellipseFold) unfold(t float64) float64 {
	if f.swap {
		t = math.Pi/2 - t
	}
	if f.negX {
		t = math.Pi - t
	}
	if f.negY {
		t = -t
	}
	return t
}

func (f *ellipseFold) first() float64 {
	return f.unfold(risingRoot(f.slope, 0, math.Pi/2, math.Atan2(f.a*f.y, f.b*f.x), 0))
}

func (f *ellipseFold) second() (float64, bool) {
	if f.A == 0 && f.B == 0 { // the center: the other end of the shorter axis
		return f.unfold(-math.Pi / 2), true
	}
	crest := -math.Atan2(math.Cbrt(f.B), math.Cbrt(f.A))
	// On an axis f' vanishes at the crest itself; A and B then say which side of the evolute it is.
	if v, _ := f.slope(crest); !(v > 0 || f.A == 0 && f.B < f.k || f.B == 0 && f.A < f.k) {
		return 0, false
	}
	return f.unfold(risingRoot(f.slope, -math.Pi/2, crest, (crest-math.Pi/2)/2, 0)), true
}

// hyperbolaFold is the query with the point moved by symmetry to y ≥ 0. With K = Major² + Minor²,
// A = Major·x, B = Minor·y, f'/cosh t = K·sinh t - A·tanh t - B has one zero for t > 0. For t < 0,
// f'/(sinh t·cosh t) has a single extremum, where tanh³ t = -B/A. Beyond reach there is no zero.
type hyperbolaFold struct{ K, A, B, reach, start, sign float64 }

func (c Hyperbola) fold(q geom.Vec3) hyperbolaFold {
	f := hyperbolaFold{sign: 1}
	if q.Y < 0 {
		f.sign, q.Y = -1, -q.Y
	}
	f.K, f.A, f.B = c.Major*c.Major+c.Minor*c.Minor, c.Major*q.X, c.Minor*q.Y
	f.reach = math.Asinh((math.Abs(f.A) + f.B) / f.K)
	f.start = math.Asinh(q.Y / c.Minor)
	return f
}

func (f *hyperbolaFold) slope(t float64) (v, dv float64) {
	sh, ch := math.Sinh(t), math.Cosh(t)
	return f.K*sh - f.A*sh/ch - f.B, f.K*ch - f.A/(ch*ch)
}

func (f *hyperbolaFold) first() float64 {
	return f.sign * risingRoot(f.slope, 0, f.reach, f.start, 0)
}

func (f *hyperbolaFold) second() (float64, bool) {
	if !(f.A > f.K && f.B < f.A) {
		return 0, false
	}
	crest := -math.Atanh(math.Cbrt(f.B / f.A))
	if v, _ := f.slope(crest); !(v > 0 || f.B == 0) {
		return 0, false
	}
	return f.sign * risingRoot(f.slope, -f.reach, crest, (crest-f.reach)/2, 0), true
}

// parabolaFold is the query with the point moved by symmetry to y ≥ 0. f' is proportional to t³ + q·t - r with q = 2 -
// x/Focal and r = y/Focal. It has one zero for t > 0 and two or zero for t < 0, on either side of -√(-q/3). There are
// no zeros beyond reach, where |t|·(t² + q) ≥ r.
type parabolaFold struct{ q, r, reach, sign float64 }

func (c Parabola) fold(p geom.Vec3) parabolaFold {
	f := parabolaFold{q: 2 - p.X/c.Focal, r: math.Abs(p.Y) / c.Focal, sign: 1}
	if p.Y < 0 {
		f.sign = -1
	}
	f.reach = math.Sqrt(max(-f.q, 0)) + math.Cbrt(f.r)
	return f
}

func (f *parabolaFold) slope(t float64) (v, dv float64) {
	return (t*t+f.q)*t - f.r, 3*t*t + f.q
}

func (f *parabolaFold) first() float64 {
	return f.sign * risingRoot(f.slope, 0, f.reach, f.r/2, 0)
}

func (f *parabolaFold) second() (float64, bool) {
	if f.q >= 0 {
		return 0, false
	}
	crest := -math.Sqrt(-f.q / 3)
	if v, _ := f.slope(crest); !(v > 0) {
		return 0, false
	}
	return f.sign * risingRoot(f.slope, -f.reach, crest, -math.Sqrt(-f.q), 0), true
}

// risingRoot returns the zero of f in [lo, hi] at which f changes from negative to positive. f returns value and
// derivative; it counts as negative at lo and positive at hi, so an f of one sign gives the end where this is wrong. A
// zero at which f falls, a maximum of the distance, is skipped. A step no longer than enough is the last one; 0
// requests full precision.
//
// Newton's method, with bisection when a step leaves the bracket or shrinks by less than half (Press et al., Numerical
// Recipes, section 9.4).
func risingRoot(f func(float64) (v, dv float64), lo, hi, start, enough float64) float64 {
	const (
		rounding = 0x1p-53 // relative: a step below it does not change t
		nothing  = 0x1p-70 // of the bracket: a zero so close to t = 0 is there
		most     = 200     // bisection alone needs about 70 steps
	)
	x := max(lo, min(hi, start))
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
		if a := math.Abs(step); a <= enough || a <= rounding*math.Abs(x)+smallest {
			return next
		}
		x, last = next, step
	}
	return x
}
