package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func mustOffset(t testing.TB, base surface.Surface, d float64) surface.Surface {
	t.Helper()
	s, err := surface.NewOffset(base, d)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// gentle is a bicubic sheet whose radii of curvature are all above 20 mm.
func gentle(t testing.TB) *surface.BSpline {
	var pts []geom.Vec3
	for i := range 6 {
		for j := range 5 {
			x, y := 12*float64(i), 12*float64(j)
			pts = append(pts, geom.Vec3{X: x, Y: y, Z: 4*math.Sin(x/20) + 3*math.Cos(y/18)})
		}
	}
	return mustBSpline(t, 3, 3, clamped(3, 6), clamped(3, 5), pts, nil)
}

func TestOffsetKeepsKind(t *testing.T) {
	left := geom.World
	left.Y = left.Y.Neg()
	line := curve.Line{Origin: v3(3, 0, 0), Dir: v3(0, 0, 1)}
	extruded, err := surface.NewExtrusion(curve.Circle{Frame: geom.World, Radius: 5}, v3(0, 0, -1))
	if err != nil {
		t.Fatal(err)
	}
	turned, err := surface.NewRevolution(line, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	trimmed, err := surface.NewTrimmed(cylinder(5), span(1, 2), span(0, 3), false, true)
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name string
		s    surface.Surface
		d    float64
		want surface.Kind
	}{
		{"plane", plane(), -3, surface.KindPlane},
		{"mirrored plane", surface.Plane{Frame: left}, 2, surface.KindPlane},
		{"cylinder", cylinder(5), -3, surface.KindCylinder},
		{"mirrored cylinder", surface.Cylinder{Frame: left, Radius: 5}, 7, surface.KindOffset},
		{"cylinder inside out", cylinder(5), -7, surface.KindOffset},
		{"cone", cone(5, 0.4), 2, surface.KindCone},
		{"cone from apex", cone(0, 0.4), 2, surface.KindCone},
		{"sphere", sphere(5), 2, surface.KindSphere},
		{"torus", torus(5, 2, surface.Whole), -1, surface.KindTorus},
		{"torus over its hole", torus(5, 2, surface.Whole), 4, surface.KindOffset},
		{"extrusion", extruded, 2, surface.KindExtrusion},
		{"revolution", turned, 2, surface.KindRevolution},
		{"revolution over its axis", turned, -4, surface.KindOffset},
		{"trimmed", trimmed, 1, surface.KindTrimmed},
		{"B-spline", gentle(t), 3, surface.KindOffset},
		{"offset of offset", mustOffset(t, gentle(t), 3), -1, surface.KindOffset},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := mustOffset(t, r.s, r.d)
			if s.Kind() != r.want {
				t.Errorf("kind of the offset is %v, want %v", s.Kind(), r.want)
			}
			du, dv := r.s.Domain()
			clip := span(0.2, 3)
			for i := range 7 {
				u, v := clip.At(float64(i)/6), clip.At(float64(6-i)/6)
				u, v = du.Clamp(u), dv.Clamp(v)
				near(t, "offset point", s.At(u, v), r.s.At(u, v).AddScaled(r.d, r.s.Normal(u, v)), 1e-12*20)
				checkNormal(t, s, u, v, 1e-9)
			}
		})
	}
}

func TestOffsetOfBSpline(t *testing.T) {
	base := gentle(t)
	for _, d := range []float64{-3, 5} {
		s := mustOffset(t, base, d)
		rapid.Check(t, func(t *rapid.T) {
			c := rapid.Float64Range(0.01, 0.99)
			u, v := c.Draw(t, "u"), c.Draw(t, "v")
			for _, k := range []float64{1. / 3, 0.5, 2. / 3} { // the third derivatives jump at knots
				u, v = awayFrom(u, k, 1e-4), awayFrom(v, k, 1e-4)
			}
			checkDerivatives(t, s, u, v, 2e-5, 2e-5, 1e-5)
			checkNormal(t, s, u, v, 1e-9)
			checkInvert(t, s, u, v, geom.Vec2{X: u + 0.02, Y: v - 0.02}, 1e-9)
			checkTransform(t, s, drawTransform(t), u, v, 1, 1, 1e-11)
		})
		u, v := s.Domain()
		checkBounds(t, s, u, v, 0.3)
		rapid.Check(t, func(t *rapid.T) {
			c := rapid.Float64Range(-20, 80)
			p := geom.Vec3{X: c.Draw(t, "x"), Y: c.Draw(t, "y"), Z: c.Draw(t, "z")}
			checkClosest(t, s, p, u, v, 1e-9)
		})
	}
	checkEvalAllocs(t, mustOffset(t, base, 5), 0.3, 0.4)
}

func TestOffsetOfDegenerateBSpline(t *testing.T) {
	s := mustOffset(t, wholeSphere(t, 7), 2)
	checkParams(t, s, []float64{0, 2}, []float64{1, -1})
	for i, g := range s.Singularities() {
		near(t, "singular point", g.Point, v3(0, 0, 18*float64(i)-9), 1e-9)
	}
	rapid.Check(t, func(t *rapid.T) {
		u, v := rapid.Float64Range(0, 4).Draw(t, "u"), rapid.Float64Range(0, 2).Draw(t, "v")
		if r := s.At(u, v).Norm(); math.Abs(r-9) > 1e-9 {
			t.Fatalf("|S(%g, %g)| = %v, want 9", u, v, r)
		}
		p, du, dv := s.D1(u, v)
		if math.Abs(p.Dot(du)) > 1e-4 || math.Abs(p.Dot(dv)) > 1e-4 {
			t.Fatalf("derivatives %v, %v at %v leave the sphere", du, dv, p)
		}
	})
}

func TestTrimmed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnalytic(t)
		u, v := drawInterval(t, a.u, "range u"), drawInterval(t, a.v, "range v")
		if u.Length() < 0.2 || v.Length() < 0.2 {
			return
		}
		su, sv := rapid.Bool().Draw(t, "sense u"), rapid.Bool().Draw(t, "sense v")
		s, err := surface.NewTrimmed(a.s, u, v, su, sv)
		if err != nil {
			t.Fatal(err)
		}
		du, dv := s.Domain()
		c := rapid.Float64Range(0.01, 0.99)
		x, y := du.At(c.Draw(t, "u")), dv.At(c.Draw(t, "v"))
		bx, by := x, y
		if !su {
			bx = du.Lo + du.Hi - x // a range next to a whole turn was made one
		}
		if !sv {
			by = dv.Lo + dv.Hi - y
		}
		near(t, "point", s.At(x, y), a.s.At(bx, by), exact*scaleOf(s, x, y))
		hv := 1e-4
		if a.pv > 0 {
			hv *= a.v.Length()
		}
		checkDerivatives(t, s, x, y, 1e-4, hv, 1e-6)
		if onAxis(s, x, y) {
			return
		}
		checkNormal(t, s, x, y, 1e-9)
		checkInvert(t, s, x, y, geom.Vec2{X: x, Y: y}, 1e-9)
		checkBounds(t, s, du, dv, 0.02)
		m := drawTransform(t)
		ku, kv := surface.ParamScale(s, m)
		checkTransform(t, s, m, x, y, ku, kv, 1e-11)
	})
}

func TestTrimmedClosest(t *testing.T) {
	s, err := surface.NewTrimmed(cylinder(5), span(5, 1), span(9, -2), false, true)
	if err != nil {
		t.Fatal(err)
	}
	u, v := s.Domain()
	if u != (span(5, 1+2*math.Pi)) || v != (span(-2, 9)) {
		t.Fatalf("domain %v × %v", u, v)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawVec(t, 15, "p")
		if math.Hypot(p.X, p.Y) < geom.Resolution { // on the axis all angles are as good
			return
		}
		checkClosest(t, s, p, u, v, 1e-9)
		uv, _ := s.Invert(p)
		inDomain(t, s, uv)
	})
	sing, err := surface.NewTrimmed(sphere(5), span(0, 2*math.Pi), span(0, 9), true, false)
	if err != nil {
		t.Fatal(err)
	}
	checkParams(t, sing, []float64{0}, []float64{1})
	if pu, _ := sing.Periods(); pu != 2*math.Pi {
		t.Errorf("a whole turn has the period %g", pu)
	}
}

func TestTrimmedErrors(t *testing.T) {
	one, nan := span(0, 1), math.NaN()
	rows := []struct {
		name string
		base surface.Surface
		u, v geom.Interval
	}{
		{"no base", nil, one, one},
		{"not a number", plane(), geom.Interval{Lo: nan}, one},
		{"empty", plane(), one, span(2, 2)},
		{"outside the domain", sphere(1), one, span(3, 4)},
		{"infinite angle", cylinder(1), geom.Unbounded, one},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if s, err := surface.NewTrimmed(r.base, r.u, r.v, true, true); err == nil {
				t.Errorf("got %v, want an error", s)
			}
		})
	}
	for _, d := range []float64{nan, math.Inf(1)} {
		if s, err := surface.NewOffset(plane(), d); err == nil {
			t.Errorf("offset by %g: got %v, want an error", d, s)
		}
	}
	if _, err := surface.NewOffset(nil, 1); err == nil {
		t.Error("offset of nothing: want an error")
	}
}

func TestOnSurface(t *testing.T) {
	flat := geom.Frame{X: v3(1, 0, 0), Y: v3(0, 1, 0), Z: v3(0, 0, 1)}
	at := func(u, v float64) geom.Frame { f := flat; f.Origin = v3(u, v, 0); return f }
	helix := curve.Line{Dir: v3(1, 2, 0).Unit()}
	rows := []struct {
		name   string
		s      surface.Surface
		pcurve curve.Curve
		iv     geom.Interval
	}{
		{"circle on a ring", torus(9, 3, surface.Whole), curve.Circle{Frame: at(1, 1), Radius: 0.6}, span(0, 6)},
		{"helix", cylinder(5), helix, span(-2, 7)},
		{"trimmed helix", cylinder(5), trimmedCurve(t, helix, -2, 7, true), span(-2, 7)},
		{"ellipse on a sheet", gentle(t), curve.Ellipse{Frame: at(0.5, 0.5), Major: 0.4, Minor: 0.2}, span(0, 6)},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c := surface.NewOnSurface(r.s, r.pcurve)
			rapid.Check(t, func(t *rapid.T) {
				x := rapid.Float64Range(r.iv.Lo, r.iv.Hi).Draw(t, "t")
				checkOnCurve(t, c, r.s, r.pcurve, x)
				m := drawTransform(t)
				img := c.Transform(m)
				near(t, "image", img.At(x), m.Point(c.At(x)), 1e-10)
				if _, dist := img.Invert(img.At(x)); dist > 1e-7*m.Scale() {
					t.Fatalf("Invert on the image at %g is %g away", x, dist)
				}
				if b := c.Bounds(r.iv); !b.Contains(c.At(x), 1e-9) {
					t.Fatalf("Bounds(%v) = %v miss %v", r.iv, b, c.At(x))
				}
			})
		})
	}
}

func checkOnCurve(t *rapid.T, c curve.Curve, s surface.Surface, pcurve curve.Curve, x float64) {
	q := pcurve.At(x)
	near(t, "point", c.At(x), s.At(q.X, q.Y), 1e-11)
	p, d1, d2 := c.D2(x)
	p1, e1 := c.D1(x)
	near(t, "D1", p1.Add(e1), p.Add(d1), 1e-9)
	const h = 1e-5
	near(t, "first derivative", d1, c.At(x+h).Sub(c.At(x-h)).Scale(0.5/h), 1e-4)
	_, a := c.D1(x + h)
	_, b := c.D1(x - h)
	near(t, "second derivative", d2, a.Sub(b).Scale(0.5/h), 1e-2*(1+d2.Norm()))
	got, dist := c.Invert(p)
	if dist > 1e-7 || c.At(got).Dist(p) > 1e-7 {
		t.Fatalf("Invert(At(%g)) = %g, %g away", x, got, dist)
	}
	got, dist = c.(curve.RangeInverter).InvertIn(p, span(x-0.1, x+0.1))
	if dist > 1e-7 || math.Abs(got-x) > 1e-5 {
		t.Fatalf("InvertIn(At(%g)) = %g, %g away", x, got, dist)
	}
}
