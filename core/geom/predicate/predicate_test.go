package predicate

import (
	"math"
	"math/big"
	"testing"

	"millwright/core/geom"

	"pgregory.net/rapid"
)

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// trueOrient and trueCircle are the determinants in rational arithmetic.
func trueOrient(a, b, c geom.Vec2) int {
	d := func(x, y float64) *big.Rat { return new(big.Rat).Sub(rat(x), rat(y)) }
	l := new(big.Rat).Mul(d(a.X, c.X), d(b.Y, c.Y))
	return l.Cmp(new(big.Rat).Mul(d(a.Y, c.Y), d(b.X, c.X)))
}

func trueCircle(a, b, c, d geom.Vec2) int {
	total := new(big.Rat)
	for _, r := range [3][3]geom.Vec2{{a, b, c}, {b, c, a}, {c, a, b}} {
		var m [6]*big.Rat
		for i, p := range r {
			m[2*i] = new(big.Rat).Sub(rat(p.X), rat(d.X))
			m[2*i+1] = new(big.Rat).Sub(rat(p.Y), rat(d.Y))
		}
		mul := func(x, y *big.Rat) *big.Rat { return new(big.Rat).Mul(x, y) }
		lift := new(big.Rat).Add(mul(m[0], m[0]), mul(m[1], m[1]))
		minor := new(big.Rat).Sub(mul(m[2], m[5]), mul(m[3], m[4]))
		total.Add(total, mul(lift, minor))
	}
	return total.Sign()
}

// checkOrient compares all argument orders with the true sign.
func checkOrient(t rapid.TB, a, b, c geom.Vec2) {
	t.Helper()
	want := trueOrient(a, b, c)
	for _, o := range []struct {
		p [3]geom.Vec2
		s int
	}{
		{[3]geom.Vec2{a, b, c}, 1}, {[3]geom.Vec2{b, c, a}, 1}, {[3]geom.Vec2{c, a, b}, 1},
		{[3]geom.Vec2{b, a, c}, -1}, {[3]geom.Vec2{c, b, a}, -1}, {[3]geom.Vec2{a, c, b}, -1},
	} {
		if got := sign(Orient2D(o.p[0], o.p[1], o.p[2])); got != o.s*want {
			t.Errorf("Orient2D(%v) has sign %d, want %d", o.p, got, o.s*want)
		}
	}
}

// checkCircle compares all 24 argument orders with the true sign, which each swap inverts.
func checkCircle(t rapid.TB, a, b, c, d geom.Vec2) {
	t.Helper()
	want := trueCircle(a, b, c, d)
	p := [4]geom.Vec2{a, b, c, d}
	var permute func(n, s int)
	permute = func(n, s int) {
		if n == 4 {
			if got := sign(InCircle(p[0], p[1], p[2], p[3])); got != s*want {
				t.Errorf("InCircle(%v) has sign %d, want %d", p, got, s*want)
			}
			return
		}
		for i := n; i < 4; i++ {
			p[n], p[i] = p[i], p[n]
			if i == n {
				permute(n+1, s)
			} else {
				permute(n+1, -s)
			}
			p[n], p[i] = p[i], p[n]
		}
	}
	permute(0, 1)
}

const (
	eps  = 0x1p-52
	tiny = math.SmallestNonzeroFloat64
	huge = math.MaxFloat64
)

func TestOrientRows(t *testing.T) {
	rows := []struct {
		name    string
		a, b, c geom.Vec2
		want    int
	}{
		{"left", geom.Vec2{}, geom.Vec2{X: 1}, geom.Vec2{Y: 1}, 1},
		{"all equal", geom.Vec2{X: 0.1, Y: 0.7}, geom.Vec2{X: 0.1, Y: 0.7}, geom.Vec2{X: 0.1, Y: 0.7}, 0},
		{"two equal", geom.Vec2{X: 0.1, Y: 0.7}, geom.Vec2{X: 0.1, Y: 0.7}, geom.Vec2{X: 3, Y: -4}, 0},
		{"on a diagonal", geom.Vec2{X: 0.1, Y: 0.1}, geom.Vec2{X: 0.7, Y: 0.7}, geom.Vec2{X: 0.3, Y: 0.3}, 0},
		{"one ulp left", geom.Vec2{}, geom.Vec2{X: 24, Y: 24}, geom.Vec2{X: 12, Y: 12 * (1 + eps)}, 1},
		{"one ulp right", geom.Vec2{}, geom.Vec2{X: 24, Y: 24}, geom.Vec2{X: 12, Y: 12 * (1 - eps/2)}, -1},
		{"Kettner row", geom.Vec2{X: 0.5 + eps, Y: 0.5}, geom.Vec2{X: 12, Y: 12}, geom.Vec2{X: 24, Y: 24}, -1},
		{"axis", geom.Vec2{X: 1e-30}, geom.Vec2{X: 1e30}, geom.Vec2{X: 1}, 0},
		{"far from the origin", geom.Vec2{X: 1e15, Y: 1e15}, geom.Vec2{X: 1e15 + 1, Y: 1e15},
			geom.Vec2{X: 1e15, Y: 1e15 + 0.125}, 1},
		{"underflow", geom.Vec2{}, geom.Vec2{X: tiny}, geom.Vec2{Y: tiny}, 1},
		{"underflow collinear", geom.Vec2{}, geom.Vec2{X: tiny, Y: tiny}, geom.Vec2{X: 2 * tiny, Y: 2 * tiny}, 0},
		{"overflow", geom.Vec2{X: -huge, Y: -huge}, geom.Vec2{X: huge, Y: -huge}, geom.Vec2{Y: huge}, 1},
		{"overflow collinear", geom.Vec2{X: -huge, Y: -huge}, geom.Vec2{X: huge, Y: huge}, geom.Vec2{}, 0},
		{"huge beside tiny", geom.Vec2{X: -huge}, geom.Vec2{X: huge}, geom.Vec2{Y: tiny}, 1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := sign(Orient2D(r.a, r.b, r.c)); got != r.want {
				t.Errorf("Orient2D(%v, %v, %v) has sign %d, want %d", r.a, r.b, r.c, got, r.want)
			}
			checkOrient(t, r.a, r.b, r.c)
		})
	}
}

func TestCircleRows(t *testing.T) {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	rows := []struct {
		name       string
		a, b, c, d geom.Vec2
		want       int
	}{
		{"inside", v(0, 0), v(1, 0), v(0, 1), v(0.5, 0.5), 1},
		{"outside", v(0, 0), v(1, 0), v(0, 1), v(2, 2), -1},
		{"square", v(0, 0), v(1, 0), v(1, 1), v(0, 1), 0},
		{"decimal rectangle", v(0.1, 0.3), v(0.7, 0.3), v(0.7, 0.9), v(0.1, 0.9), 0},
		{"Pythagorean", v(5, 0), v(3, 4), v(-4, 3), v(0, -5), 0},
		{"one ulp inside", v(5, 0), v(3, 4), v(-4, 3), v(0, -5*(1-eps/2)), 1},
		{"one ulp outside", v(5, 0), v(3, 4), v(-4, 3), v(0, -5*(1+eps)), -1},
		{"d equals a", v(0.1, 0.2), v(0.3, 0.4), v(0.7, 0.1), v(0.1, 0.2), 0},
		{"all equal", v(0.1, 0.2), v(0.1, 0.2), v(0.1, 0.2), v(0.1, 0.2), 0},
		{"one line", v(0.1, 0.1), v(0.2, 0.2), v(0.3, 0.3), v(0.7, 0.7), 0},
		{"inexact differences", v(1e10, 1e-10), v(-1e-10, 1e10), v(-1e10, -1e-10), v(1e-10, -1e10), 0},
		{"underflow", v(0, 0), v(4*tiny, 0), v(0, 4*tiny), v(tiny, tiny), 1},
		{"overflow", v(-huge, 0), v(huge, 0), v(0, huge), v(0, 0), 1},
		{"overflow square", v(-huge, -huge), v(huge, -huge), v(huge, huge), v(-huge, huge), 0},
		{"far point hides underflow", v(0x1p250, 0), v(0x1p-540, 0), v(0, 0x1p-540), v(0, 0), -2},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := sign(InCircle(r.a, r.b, r.c, r.d))
			if r.want == -2 { // no sign known by hand: only the comparison below counts
				r.want = trueCircle(r.a, r.b, r.c, r.d)
			}
			if got != r.want {
				t.Errorf("InCircle has sign %d, want %d", got, r.want)
			}
			checkCircle(t, r.a, r.b, r.c, r.d)
		})
	}
}

func TestNotFinite(t *testing.T) {
	o, x := geom.Vec2{}, geom.Vec2{X: 1}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		p := geom.Vec2{X: 3, Y: bad}
		if got := Orient2D(o, x, p); got != 0 {
			t.Errorf("Orient2D with %v is %v, want 0", bad, got)
		}
		if got := InCircle(o, x, geom.Vec2{Y: 1}, p); got != 0 {
			t.Errorf("InCircle with %v is %v, want 0", bad, got)
		}
	}
}

// coordinate draws from families that make degenerate and badly scaled rows likely.
func coordinate(t *rapid.T) float64 {
	switch rapid.IntRange(0, 4).Draw(t, "family") {
	case 0: // small grid, exactly representable
		return float64(rapid.IntRange(-4, 4).Draw(t, "grid"))
	case 1: // decimal grid, not representable
		return float64(rapid.IntRange(-4, 4).Draw(t, "tenths")) * 0.1
	case 2: // a few ulps from one
		return 1 + float64(rapid.IntRange(-3, 3).Draw(t, "ulps"))*eps
	case 3:
		e := rapid.SampledFrom([]int{-1074, -600, -260, -120, -30, 30, 120, 260, 600, 1020}).Draw(t, "exponent")
		return math.Ldexp(rapid.Float64Range(-1, 1).Draw(t, "mantissa"), e)
	}
	return rapid.Float64Range(-100, 100).Draw(t, "x")
}

func point(t *rapid.T) geom.Vec2 { return geom.Vec2{X: coordinate(t), Y: coordinate(t)} }

func TestOrientIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkOrient(t, point(t), point(t), point(t)) })
}

func TestCircleIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkCircle(t, point(t), point(t), point(t), point(t)) })
}

// TestSurelyInCircleNeverErrs: a point it calls inside is inside, and it misses only points that the
// filter of InCircle leaves to exact arithmetic.
func TestSurelyInCircleNeverErrs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := point(t), point(t), point(t), point(t)
		if Orient2D(a, b, c) < 0 {
			a, b = b, a
		}
		if SurelyInCircle(a, b, c, d) && trueCircle(a, b, c, d) <= 0 {
			t.Fatalf("SurelyInCircle(%v, %v, %v, %v) for a point that is not inside", a, b, c, d)
		}
	})
	a, b, c := geom.Vec2{}, geom.Vec2{X: 1}, geom.Vec2{Y: 1}
	for _, row := range []struct {
		d    geom.Vec2
		want bool
	}{{geom.Vec2{X: 0.5, Y: 0.5}, true}, {geom.Vec2{X: 1, Y: 1}, false}, {geom.Vec2{X: 1, Y: 1.01}, false},
		{geom.Vec2{X: 0.99, Y: 0.99}, true}} {
		if got := SurelyInCircle(a, b, c, row.d); got != row.want {
			t.Errorf("SurelyInCircle(%v) = %v, want %v", row.d, got, row.want)
		}
	}
}

// TestNearDegenerate takes points on a rounded line and a rounded circle, where only the rounding of
// the coordinates decides: the filter fails on most of them.
func TestNearDegenerate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := geom.Vec2{X: rapid.Float64Range(-10, 10).Draw(t, "x"), Y: rapid.Float64Range(-10, 10).Draw(t, "y")}
		dir := rapid.Float64Range(0, 7).Draw(t, "direction")
		s, c := math.Sincos(dir)
		r := rapid.SampledFrom([]float64{1e-9, 0.3, 1, 77, 1e9}).Draw(t, "radius")
		var line [3]geom.Vec2
		var circle [4]geom.Vec2
		for i := range line {
			d := rapid.Float64Range(-r, r).Draw(t, "along")
			line[i] = geom.Vec2{X: o.X + d*c, Y: o.Y + d*s}
		}
		for i := range circle {
			s, c := math.Sincos(rapid.Float64Range(0, 7).Draw(t, "angle"))
			circle[i] = geom.Vec2{X: o.X + r*c, Y: o.Y + r*s}
		}
		checkOrient(t, line[0], line[1], line[2])
		checkCircle(t, circle[0], circle[1], circle[2], circle[3])
	})
}

// TestExactTwins runs the stages that the filters would skip against each other.
func TestExactTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c, d := point(t), point(t), point(t), point(t)
		if got, want := sign(orientWide(a, b, c)), trueOrient(a, b, c); got != want {
			t.Fatalf("orientWide has sign %d, want %d", got, want)
		}
		want := trueCircle(a, b, c, d)
		if got := sign(circleWide(a, b, c, d)); got != want {
			t.Fatalf("circleWide has sign %d, want %d", got, want)
		}
		if rangeOf(a, b, c, d) != normal {
			return
		}
		if got := sign(orientExact(a, b, c)); got != trueOrient(a, b, c) {
			t.Fatalf("orientExact has sign %d", got)
		}
		v := [6]pair{
			difference(a.X, d.X), difference(a.Y, d.Y), difference(b.X, d.X),
			difference(b.Y, d.Y), difference(c.X, d.X), difference(c.Y, d.Y),
		}
		if got := sign(circleExpansion(&v)); got != want {
			t.Fatalf("circleExpansion has sign %d, want %d", got, want)
		}
	})
}

func TestWideResultIsFiniteAndSigned(t *testing.T) {
	if got := Orient2D(geom.Vec2{}, geom.Vec2{X: tiny}, geom.Vec2{Y: tiny}); got != tiny {
		t.Errorf("underflowing area is %v, want the smallest positive number", got)
	}
	if got := Orient2D(geom.Vec2{X: -huge}, geom.Vec2{X: huge}, geom.Vec2{Y: huge}); got != huge {
		t.Errorf("overflowing area is %v, want the largest number", got)
	}
}

func TestNoAllocation(t *testing.T) {
	a, b, c := geom.Vec2{X: 0.1, Y: 0.1}, geom.Vec2{X: 0.7, Y: 0.7}, geom.Vec2{X: 0.3, Y: 0.3}
	p, q := geom.Vec2{X: 0.1, Y: 0.3}, geom.Vec2{X: 0.7, Y: 0.3}
	r, s := geom.Vec2{X: 0.7, Y: 0.9}, geom.Vec2{X: 0.1, Y: 0.9}
	if n := testing.AllocsPerRun(100, func() {
		Orient2D(a, b, c)
		InCircle(p, q, r, s)
	}); n != 0 {
		t.Errorf("%v allocations per degenerate decision, want 0", n)
	}
}
