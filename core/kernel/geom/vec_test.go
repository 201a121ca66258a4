package geom

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func drawVec3(t *rapid.T, name string) Vec3 {
	f := rapid.Float64Range(-100, 100)
	return Vec3{f.Draw(t, name+".x"), f.Draw(t, name+".y"), f.Draw(t, name+".z")}
}

func TestUnit(t *testing.T) {
	const denormal = math.SmallestNonzeroFloat64
	third := 1 / math.Sqrt(3)
	rows := []struct {
		name     string
		in, want Vec3
	}{
		{"zero", Vec3{}, Vec3{}},
		{"axis", Vec3{Y: -7}, Vec3{Y: -1}},
		{"three four five", Vec3{X: 3, Z: 4}, Vec3{X: 0.6, Z: 0.8}},
		{"squares lose digits", Vec3{3e-158, 0, 4e-158}, Vec3{X: 0.6, Z: 0.8}},
		{"squares underflow", Vec3{3e-200, 0, 4e-200}, Vec3{X: 0.6, Z: 0.8}},
		{"squares overflow", Vec3{3e200, 0, 4e200}, Vec3{X: 0.6, Z: 0.8}},
		{"smallest", Vec3{denormal, denormal, denormal}, Vec3{third, third, third}},
		{"largest", Vec3{math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, Vec3{third, third, third}},
		{"infinite", Vec3{X: math.Inf(1)}, Vec3{}},
		{"not a number", Vec3{X: 1, Y: math.NaN()}, Vec3{}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := r.in.Unit(); got.Dist(r.want) > 4e-16 {
				t.Errorf("Unit(%v) = %v, want %v", r.in, got, r.want)
			}
		})
	}
}

func TestVectorAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawVec3(t, "a"), drawVec3(t, "b")
		scale := 1 + a.Norm()*b.Norm()
		c := a.Cross(b)
		// Lagrange's identity ties the three products together.
		if d := c.Norm2() + a.Dot(b)*a.Dot(b) - a.Norm2()*b.Norm2(); math.Abs(d) > 1e-13*scale*scale {
			t.Errorf("|a×b|² + (a·b)² - a²b² = %v for %v, %v", d, a, b)
		}
		if math.Abs(c.Dot(a)) > 1e-12*scale*(1+a.Norm()) {
			t.Errorf("a×b is not perpendicular to a: %v", c.Dot(a))
		}
		if got := b.Cross(a); got != c.Neg() {
			t.Errorf("b×a = %v, want %v", got, c.Neg())
		}
		if got := a.Sub(b).Add(b); got.Dist(a) > 1e-13*(1+a.Norm()+b.Norm()) {
			t.Errorf("a-b+b = %v, want %v", got, a)
		}
		if a.Dist(b) != b.Dist(a) || math.Abs(a.Dist(b)*a.Dist(b)-a.Dist2(b)) > 1e-13*(1+a.Dist2(b)) {
			t.Errorf("distances %v, %v, squared %v", a.Dist(b), b.Dist(a), a.Dist2(b))
		}
		if got := a.Lerp(b, 1); got.Dist(b) > 1e-13*(1+a.Norm()+b.Norm()) {
			t.Errorf("Lerp to the end is %v, want %v", got, b)
		}
		p := a.Perp()
		if a.Norm() > 0 && (math.Abs(p.Norm()-1) > 1e-15 || math.Abs(p.Dot(a)) > 1e-14*a.Norm()) {
			t.Errorf("Perp(%v) = %v", a, p)
		}
		if q := b.Reject(p); math.Abs(q.Dot(p)) > 1e-13*b.Norm() || b.Sub(q).Cross(p).Norm() > 1e-13*b.Norm() {
			t.Errorf("component of %v perpendicular to %v is %v", b, p, q)
		}
		if q := b.AtHeight(2, p); math.Abs(q.Dot(p)-2) > 1e-13*(1+b.Norm()) ||
			q.Sub(b).Cross(p).Norm() > 1e-13*(1+b.Norm()) {
			t.Errorf("point at height 2 along %v on the line through %v is %v", p, b, q)
		}
	})
}

func TestAngle(t *testing.T) {
	rows := []struct {
		name string
		a, b Vec3
		want float64
	}{
		{"same", Vec3{X: 2}, Vec3{X: 5}, 0},
		{"opposite", Vec3{X: 2}, Vec3{X: -5}, math.Pi},
		{"right", Vec3{X: 2}, Vec3{Z: 1}, math.Pi / 2},
		{"tiny", Vec3{X: 1}, Vec3{X: 1, Y: 1e-12}, 1e-12},
		{"nearly opposite", Vec3{X: 1}, Vec3{X: -1, Y: 1e-12}, math.Pi - 1e-12},
		{"zero vector", Vec3{}, Vec3{X: 1}, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if got := r.a.Angle(r.b); math.Abs(got-r.want) > 4e-16 {
				t.Errorf("angle of %v and %v is %v, want %v", r.a, r.b, got, r.want)
			}
		})
	}
}

func TestIsFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, v := range []Vec3{{X: bad}, {Y: bad}, {Z: bad}, {X: bad, Y: -bad}} {
			if v.IsFinite() {
				t.Errorf("%v counts as finite", v)
			}
		}
	}
	if !(Vec3{X: math.MaxFloat64, Y: 1}).IsFinite() {
		t.Error("a large vector counts as not finite")
	}
	if !(Vec3{X: math.MaxFloat64, Y: math.MaxFloat64}).IsFinite() {
		t.Error("a vector whose sum overflows counts as not finite")
	}
}

func TestVec2(t *testing.T) {
	a, b := Vec2{3, 4}, Vec2{-1, 2}
	if a.Norm() != 5 || a.Norm2() != 25 || a.Dot(b) != 5 || a.Cross(b) != 10 || a.Dist(a.Add(a)) != 5 {
		t.Errorf("|a| %v, a² %v, a·b %v, a×b %v", a.Norm(), a.Norm2(), a.Dot(b), a.Cross(b))
	}
	if got := a.Lerp(b, 0.5); got != (Vec2{1, 3}) {
		t.Errorf("middle of %v and %v is %v", a, b, got)
	}
	if got := a.Sub(b).Scale(2); got != (Vec2{8, 4}) {
		t.Errorf("2(a-b) = %v", got)
	}
}
