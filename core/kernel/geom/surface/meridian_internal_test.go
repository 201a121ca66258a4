package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestHarmonicRange(t *testing.T) {
	rows := []struct {
		name   string
		a, b   float64
		iv     geom.Interval
		lo, hi float64
	}{
		{"cosine over a turn", 2, 0, geom.Interval{Hi: turn}, -2, 2},
		{"cosine over its fall", 2, 0, geom.Interval{Hi: math.Pi}, -2, 2},
		{"cosine over a quarter", 2, 0, geom.Interval{Hi: math.Pi / 2}, 0, 2},
		{"sine over its peak", 0, 3, geom.Interval{Lo: 1, Hi: 2}, 3 * math.Sin(1), 3},
		{"a point", 1, 1, geom.Interval{Lo: math.Pi, Hi: math.Pi}, -1, -1},
		{"nothing", 0, 0, geom.Interval{Lo: -5, Hi: 5}, 0, 0},
		{"more than a turn", 3, 4, geom.Interval{Lo: -9, Hi: 9}, -5, 5},
		{"everything", 3, 4, geom.Unbounded, -5, 5},
		{"across the seam", 1, 0, geom.Interval{Lo: 6, Hi: 7}, math.Cos(7), 1},
		{"far out", 1, 0, geom.Interval{Lo: 100 * turn, Hi: 100*turn + 1}, math.Cos(1), 1},
	}
	for _, r := range rows {
		got := harmonicRange(r.a, r.b, r.iv)
		if math.Abs(got.Lo-r.lo) > 1e-12 || math.Abs(got.Hi-r.hi) > 1e-12 {
			t.Errorf("%s: got %v, want %v … %v", r.name, got, r.lo, r.hi)
		}
	}
}

func TestHarmonicRangeHoldsSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-9, 9)
		a, b, lo := c.Draw(t, "a"), c.Draw(t, "b"), c.Draw(t, "lo")
		iv := geom.Interval{Lo: lo, Hi: lo + rapid.Float64Range(0, 7).Draw(t, "length")}
		got := harmonicRange(a, b, iv)
		seen := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
		const n = 400
		for i := range n + 1 {
			x := iv.At(float64(i) / n)
			f := a*math.Cos(x) + b*math.Sin(x)
			seen = geom.Interval{Lo: min(seen.Lo, f), Hi: max(seen.Hi, f)}
		}
		slack := 1e-3 * math.Hypot(a, b)
		if seen.Lo < got.Lo-1e-12 || seen.Hi > got.Hi+1e-12 || seen.Lo > got.Lo+slack || seen.Hi < got.Hi-slack {
			t.Fatalf("%v·cos + %v·sin over %v: got %v, samples fill %v", a, b, iv, got, seen)
		}
	})
}

func TestLinearRange(t *testing.T) {
	inf := math.Inf(1)
	rows := []struct {
		c          float64
		iv, wanted geom.Interval
	}{
		{2, geom.Interval{Lo: -1, Hi: 3}, geom.Interval{Lo: -2, Hi: 6}},
		{-2, geom.Interval{Lo: -1, Hi: 3}, geom.Interval{Lo: -6, Hi: 2}},
		{0, geom.Unbounded, geom.Interval{}},
		{-1, geom.Unbounded, geom.Unbounded},
		{1, geom.Interval{Lo: 4, Hi: inf}, geom.Interval{Lo: 4, Hi: inf}},
	}
	for _, r := range rows {
		if got := linearRange(r.c, r.iv); got != r.wanted {
			t.Errorf("%g · %v = %v, want %v", r.c, r.iv, got, r.wanted)
		}
	}
}

func TestUnwrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-50, 50)
		x, hint := c.Draw(t, "x"), c.Draw(t, "hint")
		period := rapid.Float64Range(0.5, 20).Draw(t, "period")
		got := unwrap(x, hint, period)
		turns := (got - x) / period
		if math.Abs(got-hint) > 0.5*period+1e-9 || math.Abs(turns-math.Round(turns)) > 1e-9 {
			t.Fatalf("unwrap(%v, %v, %v) = %v", x, hint, period, got)
		}
	})
}

func TestCylindricalKeepsHintOnAxis(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1, Y: 1}, geom.Vec3{Z: 1})
	angle, rho, z := cylindrical(&f, f.Point(geom.Vec3{Z: 5}), 7)
	if angle != 7 || rho > 1e-12 || math.Abs(z-5) > 1e-12 {
		t.Errorf("on the axis: angle %v, distance %v, height %v", angle, rho, z)
	}
	angle, rho, z = cylindrical(&f, f.Point(geom.Vec3{X: -3, Z: 5}), 7)
	if math.Abs(math.Abs(angle)-math.Pi) > 1e-12 || math.Abs(rho-3) > 1e-12 || math.Abs(z-5) > 1e-12 {
		t.Errorf("off the axis: angle %v, distance %v, height %v", angle, rho, z)
	}
}

func TestTorusParts(t *testing.T) {
	rows := []struct {
		name         string
		major, minor float64
		part, want   TorusPart
		lo, hi       float64
	}{
		{"ordinary", 3, 1, Whole, Whole, 0, turn},
		{"ordinary, said to be an apple", 3, 1, Apple, Whole, 0, turn},
		{"horn", 2, 2, Whole, Whole, 0, turn},
		{"horn as an apple", 2, 2, Apple, Apple, -math.Pi, math.Pi},
		{"spindle", 1, 2, Whole, Whole, 0, turn},
		{"apple", 1, 2, Apple, Apple, -2 * math.Pi / 3, 2 * math.Pi / 3},
		{"lemon", 1, 2, Lemon, Lemon, 2 * math.Pi / 3, 4 * math.Pi / 3},
		{"sphere as an apple", 0, 2, Apple, Apple, -math.Pi / 2, math.Pi / 2},
	}
	for _, r := range rows {
		s := Torus{Frame: geom.World, Major: r.major, Minor: r.minor, Part: r.part}
		_, v := s.Domain()
		if s.part() != r.want || math.Abs(v.Lo-r.lo) > 1e-12 || math.Abs(v.Hi-r.hi) > 1e-12 {
			t.Errorf("%s: part %v over %v, want %v over %v … %v", r.name, s.part(), v, r.want, r.lo, r.hi)
		}
		if _, period := s.Periods(); (period > 0) != (r.want == Whole) {
			t.Errorf("%s: period %v of v", r.name, period)
		}
	}
}

func TestParamScale(t *testing.T) {
	m := geom.Scaling(3)
	rows := []struct {
		s      Surface
		ku, kv float64
	}{
		{Plane{Frame: geom.World}, 3, 3},
		{Cylinder{Frame: geom.World, Radius: 1}, 1, 3},
		{Cone{Frame: geom.World, Radius: 1, HalfAngle: 1}, 1, 3},
		{Sphere{Frame: geom.World, Radius: 1}, 1, 1},
		{Torus{Frame: geom.World, Major: 2, Minor: 1}, 1, 1},
		{&Trimmed{Base: Cylinder{Frame: geom.World, Radius: 1}}, 1, 3},
		{&Offset{base: Cone{Frame: geom.World, Radius: 1, HalfAngle: 1}}, 1, 3},
	}
	for _, r := range rows {
		ku, kv := ParamScale(r.s, m)
		if math.Abs(ku-r.ku) > 1e-12 || math.Abs(kv-r.kv) > 1e-12 {
			t.Errorf("%v: factors %v, %v, want %v, %v", r.s.Kind(), ku, kv, r.ku, r.kv)
		}
	}
}

func TestPiecesOfPeriodicRange(t *testing.T) {
	dom := geom.Interval{Lo: 1, Hi: 5}
	rows := []struct {
		name   string
		iv     geom.Interval
		closed bool
		want   []geom.Interval
	}{
		{"inside", geom.Interval{Lo: 2, Hi: 3}, true, []geom.Interval{{Lo: 2, Hi: 3}}},
		{"open, beyond", geom.Interval{Lo: 0, Hi: 3}, false, []geom.Interval{{Lo: 1, Hi: 3}}},
		{"a turn up", geom.Interval{Lo: 6, Hi: 7}, true, []geom.Interval{{Lo: 2, Hi: 3}}},
		{"across the seam", geom.Interval{Lo: 4, Hi: 6}, true, []geom.Interval{{Lo: 4, Hi: 5}, {Lo: 1, Hi: 2}}},
		{"all and more", geom.Interval{Lo: -9, Hi: 9}, true, []geom.Interval{dom}},
	}
	for _, r := range rows {
		got := pieces(nil, r.iv, dom, r.closed)
		if len(got) != len(r.want) || got[0] != r.want[0] || got[len(got)-1] != r.want[len(r.want)-1] {
			t.Errorf("%s: got %v, want %v", r.name, got, r.want)
		}
	}
}
