package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// analytic is a drawn surface with the rectangle to test on and the powers of the scale that its
// parameters take part in.
type analytic struct {
	s      surface.Surface
	u, v   geom.Interval
	pu, pv float64
}

func drawAnalytic(t *rapid.T) analytic {
	f := drawFrame(t)
	size := rapid.Float64Range(0.1, 200)
	r := size.Draw(t, "radius")
	length := span(-2*r, 3*r)
	ring := span(-1, turn-1)
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return analytic{surface.Plane{Frame: f}, length, length, 1, 1}
	case 1:
		return analytic{surface.Cylinder{Frame: f, Radius: r}, ring, length, 0, 1}
	case 2:
		half := rapid.Float64Range(-1.4, 1.4).Draw(t, "half angle")
		return analytic{surface.Cone{Frame: f, Radius: r, HalfAngle: half}, ring, length, 0, 1}
	case 3:
		half := span(-math.Pi/2, math.Pi/2)
		return analytic{surface.Sphere{Frame: f, Radius: r}, ring, half, 0, 0}
	case 4:
		minor := r * rapid.Float64Range(0.01, 1).Draw(t, "ratio")
		return analytic{surface.Torus{Frame: f, Major: r, Minor: minor}, ring, ring, 0, 0}
	}
	part := rapid.SampledFrom([]surface.TorusPart{surface.Whole, surface.Apple, surface.Lemon}).Draw(t, "part")
	s := surface.Torus{Frame: f, Major: r * rapid.Float64Range(0, 0.99).Draw(t, "ratio"), Minor: r, Part: part}
	_, v := s.Domain()
	return analytic{s, ring, v, 0, 0}
}

func (a analytic) drawPoint(t *rapid.T) (u, v float64) {
	c := rapid.Float64Range(0.001, 0.999)
	return a.u.At(c.Draw(t, "u")), a.v.At(c.Draw(t, "v"))
}

// onAxis reports whether (u, v) is so near a singularity that Du gives no direction.
func onAxis(s surface.Surface, u, v float64) bool {
	_, du, _ := s.D1(u, v)
	return du.Norm() < 1e-4
}

func TestAnalyticDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnalytic(t)
		u, v := a.drawPoint(t)
		hv := 1e-4
		if a.pv > 0 {
			hv *= a.v.Length()
		}
		checkDerivatives(t, a.s, u, v, 1e-4, hv, 1e-6)
		if !onAxis(a.s, u, v) {
			checkNormal(t, a.s, u, v, 1e-9)
		}
		if n := a.s.Normal(u, v).Norm(); math.Abs(n-1) > exact {
			t.Fatalf("|Normal(%g, %g)| = %v", u, v, n)
		}
	})
}

func TestAnalyticInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnalytic(t)
		u, v := a.drawPoint(t)
		pu, pv := a.s.Periods()
		k := float64(rapid.IntRange(-2, 2).Draw(t, "turns"))
		hint := geom.Vec2{X: u + k*pu + 0.4, Y: v - k*pv}
		checkInvert(t, a.s, u, v, hint, 1e-11)
		if onAxis(a.s, u, v) {
			return
		}
		uv, _ := a.s.InvertNear(a.s.At(u, v), hint)
		want := geom.Vec2{X: u + k*pu, Y: v - k*pv}
		if d := a.s.At(uv.X, uv.Y).Dist(a.s.At(want.X, want.Y)); d > 1e-9*scaleOf(a.s, u, v) {
			t.Fatalf("InvertNear(At(%g, %g), %v) = %v, want %v", u, v, hint, uv, want)
		}
		if math.Abs(uv.X-want.X) > 1e-3 && a.pu == 0 {
			t.Fatalf("InvertNear(At(%g, %g), %v).u = %g, want %g", u, v, hint, uv.X, want.X)
		}
	})
}

func TestAnalyticClosest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnalytic(t)
		u, v := a.drawPoint(t)
		p := a.s.At(u, v).Add(drawVec(t, 100, "off"))
		checkClosest(t, a.s, p, a.u, a.v, 1e-11)
		uv, dist := a.s.InvertNear(p, geom.Vec2{X: u, Y: v})
		if got := a.s.At(uv.X, uv.Y).Dist(p); math.Abs(got-dist) > 1e-11*(1+p.Norm()) {
			t.Fatalf("InvertNear(%v) says %g away, its point is %g away", p, dist, got)
		}
		onBranch(t, a.s, uv, geom.Vec2{X: u, Y: v})
	})
}

func TestAnalyticTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, m := drawAnalytic(t), drawTransform(t)
		u, v := a.drawPoint(t)
		k := m.Scale()
		checkTransform(t, a.s, m, u, v, math.Pow(k, a.pu), math.Pow(k, a.pv), 1e-12)
	})
}

func TestAnalyticBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawAnalytic(t)
		u, v := drawInterval(t, a.u, "u"), drawInterval(t, a.v, "v")
		// A grid of 48 steps over 2π has a sagitta of 1 - cos(2π/96) of the radius.
		checkBounds(t, a.s, u, v, 0.01)
	})
}

func TestUnboundedBounds(t *testing.T) {
	c := surface.Cylinder{Frame: geom.World, Radius: 2}
	b := c.Bounds(span(0, 2*math.Pi), geom.Unbounded)
	if b.Min.X != -2 || b.Max.Y != 2 || !math.IsInf(b.Max.Z, 1) || !math.IsInf(b.Min.Z, -1) {
		t.Errorf("bounds of an unbounded cylinder: %v", b)
	}
	b = surface.Plane{Frame: geom.World}.Bounds(geom.Unbounded, span(1, 2))
	if !math.IsInf(b.Max.X, 1) || b.Min.Y != 1 || b.Max.Y != 2 || b.Max.Z != 0 {
		t.Errorf("bounds of a half-bounded plane: %v", b)
	}
}

const turn = 2 * math.Pi

func plane() surface.Surface             { return surface.Plane{Frame: geom.World} }
func cylinder(r float64) surface.Surface { return surface.Cylinder{Frame: geom.World, Radius: r} }
func cone(r, half float64) surface.Surface {
	return surface.Cone{Frame: geom.World, Radius: r, HalfAngle: half}
}
func sphere(r float64) surface.Surface { return surface.Sphere{Frame: geom.World, Radius: r} }
func torus(major, minor float64, part surface.TorusPart) surface.Surface {
	return surface.Torus{Frame: geom.World, Major: major, Minor: minor, Part: part}
}

func TestPolesAndApexes(t *testing.T) {
	const pole = math.Pi / 2
	phi := math.Acos(-0.5) // Major 1, Minor 2
	z := math.Sqrt(3)      // 2 sin φ
	lemonEnds := []float64{phi, turn - phi}
	top, bottom := v3(0, 0, z), v3(0, 0, -z)
	rows := []struct {
		name   string
		s      surface.Surface
		params []float64
		inward []float64
		points []geom.Vec3
	}{
		{"plane", plane(), nil, nil, nil},
		{"cylinder", cylinder(1), nil, nil, nil},
		{"cone", cone(2, math.Pi/4), []float64{-2}, []float64{1}, []geom.Vec3{{Z: -2}}},
		{"cone from its apex", cone(0, 0.3), []float64{0}, []float64{1}, []geom.Vec3{{}}},
		{"cone closing upwards", cone(2, -math.Pi/4), []float64{2}, []float64{-1}, []geom.Vec3{{Z: 2}}},
		{"cone without slope", cone(2, 0), nil, nil, nil},
		{"sphere", sphere(3), []float64{-pole, pole}, []float64{1, -1}, []geom.Vec3{{Z: -3}, {Z: 3}}},
		{"torus", torus(3, 1, surface.Whole), nil, nil, nil},
		{"horn torus", torus(2, 2, surface.Whole), []float64{math.Pi}, []float64{1}, []geom.Vec3{{}}},
		{"spindle torus", torus(1, 2, surface.Whole), lemonEnds, []float64{-1, 1}, []geom.Vec3{top, bottom}},
		{"apple", torus(1, 2, surface.Apple), []float64{-phi, phi}, []float64{1, -1}, []geom.Vec3{bottom, top}},
		{"lemon", torus(1, 2, surface.Lemon), lemonEnds, []float64{1, -1}, []geom.Vec3{top, bottom}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			sing := r.s.Singularities()
			if len(sing) != len(r.params) {
				t.Fatalf("got %d singularities %v, want %d", len(sing), sing, len(r.params))
			}
			for i, g := range sing {
				checkSingularity(t, r.s, g, r.inward[i])
				if !g.ConstV || math.Abs(g.Param-r.params[i]) > exact {
					t.Errorf("singularity %d: got %+v, want v = %g", i, g, r.params[i])
				}
				near(t, "singular point", g.Point, r.points[i], exact)
			}
		})
	}
}

// checkSingularity expects one point along the collapsed line, a normal that is the limit from inside,
// and the hint's free coordinate from InvertNear. inward is the direction of the parameter to inside.
func checkSingularity(t *testing.T, s surface.Surface, g surface.Singularity, inward float64) {
	t.Helper()
	free, other := s.Domain()
	at := func(u, v float64) geom.Vec2 { return geom.Vec2{X: u, Y: v} }
	if !g.ConstV {
		free = other
		at = func(u, v float64) geom.Vec2 { return geom.Vec2{X: v, Y: u} }
	}
	inside := g.Param + inward*1e-5
	for i := range 5 {
		w := free.At(0.1 + 0.17*float64(i))
		q, in := at(w, g.Param), at(w, inside)
		near(t, "point on the singular line", s.At(q.X, q.Y), g.Point, 1e-9*(1+g.Point.Norm()))
		near(t, "normal at the singularity", s.Normal(q.X, q.Y), s.Normal(in.X, in.Y), 1e-3)
		uv, dist := s.InvertNear(g.Point, q)
		if dist > 1e-9*(1+g.Point.Norm()) || uv.Sub(q).Norm() > 1e-6 {
			t.Errorf("InvertNear(%v, %v) = %v, %g away", g.Point, q, uv, dist)
		}
	}
}

func v3(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
func uv(u, v float64) geom.Vec2    { return geom.Vec2{X: u, Y: v} }

func TestFreeCoordinateFromHint(t *testing.T) {
	rows := []struct {
		name    string
		s       surface.Surface
		p       geom.Vec3
		hint    geom.Vec2
		want    geom.Vec2
		wantFar float64
	}{
		{"axis of a cylinder", cylinder(2), v3(0, 0, 5), uv(9, 1), uv(9, 5), 2},
		{"centre of a sphere", sphere(2), v3(0, 0, 0), uv(9, 1), uv(9, 1), 2},
		{"over the pole of a sphere", sphere(2), v3(0, 0, 3), uv(-9, 1), uv(-9, math.Pi/2), 1},
		{"beyond the apex of a cone", cone(2, math.Pi/4), v3(0.1, 0, -5), uv(7, 0), uv(7, -2), math.Hypot(0.1, 3)},
		{"lower nappe of a cone", cone(2, math.Pi/4), v3(-1, 0, -3), uv(6, -5), uv(turn, -3), 0},
		{"core of a torus", torus(3, 1, surface.Whole), v3(0, 3, 0), uv(8, 8), uv(2.5*math.Pi, 8), 1},
		{"centre of a torus", torus(3, 1, surface.Whole), v3(0, 0, 0), uv(8, 8), uv(8, 3*math.Pi), 2},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			uv, dist := r.s.InvertNear(r.p, r.hint)
			if uv.Dist(r.want) > 1e-9 || math.Abs(dist-r.wantFar) > 1e-9 {
				t.Errorf("InvertNear(%v, %v) = %v, %g away; want %v, %g", r.p, r.hint, uv, dist, r.want, r.wantFar)
			}
		})
	}
}

func TestSpindleBranches(t *testing.T) {
	s := surface.Torus{Frame: geom.World, Major: 1, Minor: 2}
	apple, lemon := geom.Vec2{X: 0.3, Y: 1.9}, geom.Vec2{X: 0.3 + math.Pi, Y: 2.3}
	for _, hint := range []geom.Vec2{apple, lemon} {
		// Halfway between the skin and the spindle, on the same side of the axis.
		p := s.At(apple.X, apple.Y).Lerp(s.At(lemon.X, lemon.Y), 0.5)
		uv, _ := s.InvertNear(p, hint)
		if uv.Dist(hint) > 0.5 {
			t.Errorf("InvertNear(%v, %v) = %v leaves the part of the hint", p, hint, uv)
		}
	}
	if _, v := torus(3, 1, surface.Lemon).Domain(); v.Length() != turn {
		t.Errorf("a torus off its axis has no lemon, but its domain is %v", v)
	}
}

func TestAnalyticAllocs(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{X: 1}, geom.Vec3{X: 1, Z: 1}, geom.Vec3{Y: 1})
	for _, s := range []surface.Surface{
		surface.Plane{Frame: f}, surface.Cylinder{Frame: f, Radius: 2},
		surface.Cone{Frame: f, Radius: 2, HalfAngle: 0.5},
		surface.Sphere{Frame: f, Radius: 2}, surface.Torus{Frame: f, Major: 3, Minor: 1},
	} {
		checkAllocs(t, s, 0.3, 0.4)
	}
}

// checkAllocs expects no heap allocation in the calls of hot loops.
func checkAllocs(t *testing.T, s surface.Surface, u, v float64) {
	t.Helper()
	checkEvalAllocs(t, s, u, v)
	noAllocs(t, s.Kind().String()+".Bounds", func() {
		s.Bounds(span(u, u+0.1), span(v, v+0.1))
	})
}

// checkEvalAllocs is checkAllocs for surfaces whose Bounds needs memory.
func checkEvalAllocs(t *testing.T, s surface.Surface, u, v float64) {
	t.Helper()
	p := s.At(u, v).Add(geom.Vec3{X: 1e-3})
	s.Invert(p)
	name := s.Kind().String()
	noAllocs(t, name+".At", func() { s.At(u, v) })
	noAllocs(t, name+".D1", func() { s.D1(u, v) })
	noAllocs(t, name+".D2", func() { s.D2(u, v) })
	noAllocs(t, name+".Normal", func() { s.Normal(u, v) })
	noAllocs(t, name+".Invert", func() { s.Invert(p) })
	noAllocs(t, name+".InvertNear", func() { s.InvertNear(p, geom.Vec2{X: u, Y: v}) })
}

func TestShapeKind(t *testing.T) {
	rows := map[string]surface.Surface{
		"Plane": surface.Plane{}, "Cylinder": surface.Cylinder{}, "Cone": surface.Cone{},
		"Sphere": surface.Sphere{}, "Torus": surface.Torus{}, "Freeform": nil,
	}
	for want, s := range rows {
		if got := surface.ShapeKind(s); got != want {
			t.Errorf("ShapeKind(%T) = %q, want %q", s, got, want)
		}
	}
	if got := surface.Kind(200).String(); got != "Unknown" {
		t.Errorf("name of an unknown kind: %q", got)
	}
}
