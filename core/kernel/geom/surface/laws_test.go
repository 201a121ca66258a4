package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The laws that every surface must keep, as functions of a surface and a parameter pair. Tests of the
// single kinds call them with random and with named examples.

// exact is the relative error allowed to closed forms: a few hundred roundings.
const exact = 1e-12

// scaleOf is a length typical of the surface near (u, v), the unit of all errors.
func scaleOf(s surface.Surface, u, v float64) float64 {
	d := s.D2(u, v)
	return 1 + d.P.Norm() + d.Du.Norm() + d.Dv.Norm()
}

func near(t rapid.TB, what string, got, want geom.Vec3, tol float64) {
	t.Helper()
	if d := got.Dist(want); !(d <= tol) {
		t.Fatalf("%s: got %v, want %v (off by %g, allowed %g)", what, got, want, d, tol)
	}
}

// checkDerivatives compares D1 and D2 with At and with central differences of step h, whose error is
// O(h²) in the third derivative and rounding over h.
func checkDerivatives(t rapid.TB, s surface.Surface, u, v, hu, hv, tol float64) {
	t.Helper()
	d := s.D2(u, v)
	p1, du1, dv1 := s.D1(u, v)
	unit := scaleOf(s, u, v)
	near(t, "D1 point", p1, s.At(u, v), exact*unit)
	near(t, "D2 point", d.P, s.At(u, v), exact*unit)
	near(t, "D1 Du", du1, d.Du, exact*unit)
	near(t, "D1 Dv", dv1, d.Dv, exact*unit)
	diff := func(a, b geom.Vec3, h float64) geom.Vec3 { return a.Sub(b).Scale(1 / (2 * h)) }
	near(t, "Du", d.Du, diff(s.At(u+hu, v), s.At(u-hu, v), hu), tol*unit)
	near(t, "Dv", d.Dv, diff(s.At(u, v+hv), s.At(u, v-hv), hv), tol*unit)
	a, b := s.D2(u+hu, v), s.D2(u-hu, v)
	unit += d.Duu.Norm() + d.Duv.Norm() + d.Dvv.Norm()
	near(t, "Duu", d.Duu, diff(a.Du, b.Du, hu), tol*unit)
	near(t, "Duv", d.Duv, diff(a.Dv, b.Dv, hu), tol*unit)
	a, b = s.D2(u, v+hv), s.D2(u, v-hv)
	near(t, "Dvu", d.Duv, diff(a.Du, b.Du, hv), tol*unit)
	near(t, "Dvv", d.Dvv, diff(a.Dv, b.Dv, hv), tol*unit)
}

// checkNormal expects the unit vector along Du × Dv.
func checkNormal(t rapid.TB, s surface.Surface, u, v, tol float64) {
	t.Helper()
	_, du, dv := s.D1(u, v)
	near(t, "normal", s.Normal(u, v), du.Cross(dv).Unit(), tol)
	checkLook(t, s, u, v)
}

// checkInvert checks that both inversions return the parameters of a surface point, up to periods.
func checkInvert(t rapid.TB, s surface.Surface, u, v float64, hint geom.Vec2, tol float64) {
	t.Helper()
	p := s.At(u, v)
	unit := scaleOf(s, u, v)
	uv, dist := s.Invert(p)
	if dist > tol*unit {
		t.Fatalf("Invert(At(%g, %g)) is %g away, allowed %g", u, v, dist, tol*unit)
	}
	near(t, "point of Invert", s.At(uv.X, uv.Y), p, 2*tol*unit)
	inDomain(t, s, uv)
	uv, dist = s.InvertNear(p, hint)
	if dist > tol*unit {
		t.Fatalf("InvertNear(At(%g, %g), %v) is %g away, allowed %g", u, v, hint, dist, tol*unit)
	}
	near(t, "point of InvertNear", s.At(uv.X, uv.Y), p, 2*tol*unit)
	onBranch(t, s, uv, hint)
}

// inDomain expects parameters in the domain, and below Lo + period where periodic.
func inDomain(t rapid.TB, s surface.Surface, uv geom.Vec2) {
	t.Helper()
	du, dv := s.Domain()
	pu, pv := s.Periods()
	if !du.Contains(uv.X, 0) || !dv.Contains(uv.Y, 0) ||
		(pu > 0 && uv.X >= du.Lo+pu) || (pv > 0 && uv.Y >= dv.Lo+pv) {
		t.Fatalf("parameters %v outside %v × %v (periods %g, %g)", uv, du, dv, pu, pv)
	}
}

// onBranch expects periodic parameters within half a period of the hint and others in the domain.
func onBranch(t rapid.TB, s surface.Surface, uv, hint geom.Vec2) {
	t.Helper()
	du, dv := s.Domain()
	pu, pv := s.Periods()
	check := func(name string, x, h, period float64, dom geom.Interval) {
		if period > 0 && math.Abs(x-h) > 0.5*period*(1+exact) || period == 0 && !dom.Contains(x, 0) {
			t.Fatalf("%s = %g leaves the branch of the hint %g (period %g, domain %v)", name, x, h, period, dom)
		}
	}
	check("u", uv.X, hint.X, pu, du)
	check("v", uv.Y, hint.Y, pv, dv)
}

// checkClosest expects Invert's point to be as near to p as the best of a grid over the rectangle.
func checkClosest(t rapid.TB, s surface.Surface, p geom.Vec3, u, v geom.Interval, tol float64) {
	t.Helper()
	uv, dist := s.Invert(p)
	unit := 1 + p.Norm()
	if got := s.At(uv.X, uv.Y).Dist(p); math.Abs(got-dist) > tol*unit {
		t.Fatalf("Invert(%v) says %g away, its point is %g away", p, dist, got)
	}
	const n = 24
	for i := range n + 1 {
		for j := range n + 1 {
			a, b := u.At(float64(i)/n), v.At(float64(j)/n)
			if d := s.At(a, b).Dist(p); d < dist-tol*unit {
				t.Fatalf("Invert(%v) = %v is %g away, but (%g, %g) only %g", p, uv, dist, a, b, d)
			}
		}
	}
}

// checkTransform expects the image's points to be the points' images; ku and kv are the factors by
// which the parameters change.
func checkTransform(t rapid.TB, s surface.Surface, m geom.Transform, u, v, ku, kv, tol float64) {
	t.Helper()
	img := s.Transform(m)
	unit := m.T.Norm() + m.Scale()*scaleOf(s, u, v)
	near(t, "transformed point", img.At(ku*u, kv*v), m.Point(s.At(u, v)), tol*unit)
	if img.Kind() != s.Kind() {
		t.Fatalf("transformed kind: got %v, want %v", img.Kind(), s.Kind())
	}
	sign := 1.0
	if m.IsMirror() {
		sign = -1
	}
	n := m.Dir(s.Normal(u, v)).Unit().Scale(sign)
	near(t, "transformed normal", img.Normal(ku*u, kv*v), n, 1e3*tol)
}

// checkBounds expects the box to contain a grid over the rectangle and, for a tight box, to be touched
// by it on every side up to the sagitta of the grid.
func checkBounds(t rapid.TB, s surface.Surface, u, v geom.Interval, tight float64) {
	t.Helper()
	box := s.Bounds(u, v)
	const n = 48
	seen := geom.EmptyBox()
	for i := range n + 1 {
		for j := range n + 1 {
			p := s.At(u.At(float64(i)/n), v.At(float64(j)/n))
			if !box.Contains(p, exact*(1+p.Norm())) {
				t.Fatalf("Bounds(%v, %v) = %v does not contain %v", u, v, box, p)
			}
			seen = seen.Add(p)
		}
	}
	slack := tight*seen.Diagonal() + exact*(1+box.Min.Norm()+box.Max.Norm())
	if d := math.Max(box.Min.Dist(seen.Min), box.Max.Dist(seen.Max)); d > slack {
		t.Fatalf("Bounds(%v, %v) = %v, but the points fill only %v", u, v, box, seen)
	}
}

func span(lo, hi float64) geom.Interval { return geom.Interval{Lo: lo, Hi: hi} }

func drawVec(t *rapid.T, size float64, name string) geom.Vec3 {
	c := rapid.Float64Range(-size, size)
	return geom.Vec3{X: c.Draw(t, name+".x"), Y: c.Draw(t, name+".y"), Z: c.Draw(t, name+".z")}
}

// drawDir returns a vector that is not too short to have a direction.
func drawDir(t *rapid.T, name string) geom.Vec3 {
	d := drawVec(t, 1, name)
	if d.Norm() < 1e-3 {
		d.Z++
	}
	return d
}

func drawTransform(t *rapid.T) geom.Transform {
	m := geom.Rotation(drawDir(t, "axis"), rapid.Float64Range(-4, 4).Draw(t, "angle"))
	m = geom.Scaling(rapid.Float64Range(0.01, 30).Draw(t, "scale")).Mul(m)
	if rapid.Bool().Draw(t, "mirror") {
		m = m.Mul(geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}})
	}
	m.T = drawVec(t, 500, "shift")
	return m
}

// drawFrame returns a frame, half the time left-handed.
func drawFrame(t *rapid.T) geom.Frame {
	f := geom.NewFrame(drawVec(t, 300, "origin"), drawDir(t, "z"), drawVec(t, 1, "x"))
	if rapid.Bool().Draw(t, "left-handed") {
		f.Y = f.Y.Neg()
	}
	return f
}

func drawInterval(t *rapid.T, within geom.Interval, name string) geom.Interval {
	c := rapid.Float64Range(0, 1)
	a, b := within.At(c.Draw(t, name+".a")), within.At(c.Draw(t, name+".b"))
	return geom.Interval{Lo: math.Min(a, b), Hi: math.Max(a, b)}
}

func noAllocs(t *testing.T, name string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(100, f); n != 0 {
		t.Errorf("%s allocates %g times per call, want 0", name, n)
	}
}

// checkLook compares LocalProperties with At, Normal and Curvatures.
func checkLook(t rapid.TB, s surface.Surface, u, v float64) {
	t.Helper()
	p, n, k1, k2 := surface.LocalProperties(s, u, v)
	near(t, "Look point", p, s.At(u, v), exact*scaleOf(s, u, v))
	near(t, "Look normal", n, s.Normal(u, v), exact)
	w1, w2 := surface.Curvatures(s, u, v)
	const digits = 1e-7 // of them: Curvatures loses as many as the sizes of Du and Dv differ by
	tol := digits*max(math.Abs(w1), math.Abs(w2)) + exact
	if !(math.Abs(k1-w1) <= tol && math.Abs(k2-w2) <= tol) {
		t.Fatalf("Look curvatures %g, %g, want %g, %g", k1, k2, w1, w2)
	}
}

func TestLocalPropertiesAtSingularPoints(t *testing.T) {
	collapsed, err := surface.NewBSpline(2, 1, []float64{0, 0, 0, 1, 1, 1}, []float64{0, 0, 1, 1}, []geom.Vec3{
		{}, {X: 1}, {}, {X: 1, Y: 1}, {}, {Y: 1},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s    surface.Surface
		u, v float64
	}{
		"plane":            {surface.Plane{Frame: geom.World}, 3, 4},
		"pole of a sphere": {surface.Sphere{Frame: geom.World, Radius: 5}, 1, math.Pi / 2},
		"apex":             {surface.Cone{Frame: geom.World, HalfAngle: 0.5}, 2, 0},
		"torus on its axis": {
			surface.Torus{Frame: geom.World, Major: 2, Minor: 2}, 1, math.Pi,
		},
		"collapsed side": {collapsed, 0.5, 0},
	} {
		t.Run(name, func(t *testing.T) { checkLook(t, c.s, c.u, c.v) })
	}
}
