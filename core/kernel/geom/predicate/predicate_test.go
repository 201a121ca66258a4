package predicate

import (
	"math"
	"math/big"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

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

func TestNotFinite(t *testing.T) {
	o, x := geom.Vec2{}, geom.Vec2{X: 1}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		p := geom.Vec2{X: 3, Y: bad}
		if got := Orient2D(o, x, p); got != 0 {
			t.Errorf("Orient2D with %v is %v, want 0", bad, got)
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

// TestSurelyInCircleNeverErrs: a point it calls inside is inside.
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

// TestNearDegenerate takes points on a rounded line, where only the rounding of the coordinates decides: the filter
// fails on most of them.
func TestNearDegenerate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := geom.Vec2{X: rapid.Float64Range(-10, 10).Draw(t, "x"), Y: rapid.Float64Range(-10, 10).Draw(t, "y")}
		dir := rapid.Float64Range(0, 7).Draw(t, "direction")
		s, c := math.Sincos(dir)
		r := rapid.SampledFrom([]float64{1e-9, 0.3, 1, 77, 1e9}).Draw(t, "radius")
		var line [3]geom.Vec2
		for i := range line {
			d := rapid.Float64Range(-r, r).Draw(t, "along")
			line[i] = geom.Vec2{X: o.X + d*c, Y: o.Y + d*s}
		}
		checkOrient(t, line[0], line[1], line[2])
	})
}

// TestExactTwins runs the stages that the filters would skip against each other.
func TestExactTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := point(t), point(t), point(t)
		if got, want := sign(orientWide(a, b, c)), trueOrient(a, b, c); got != want {
			t.Fatalf("orientWide has sign %d, want %d", got, want)
		}
		if rangeOf(a, b, c) != normal {
			return
		}
		if got := sign(orientExact(a, b, c)); got != trueOrient(a, b, c) {
			t.Fatalf("orientExact has sign %d", got)
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
	if n := testing.AllocsPerRun(100, func() { Orient2D(a, b, c) }); n != 0 {
		t.Errorf("%v allocations per degenerate decision, want 0", n)
	}
}
