package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// wave is a rational cubic over [0, 2] from (r0, 0) outward and up, in the plane spanned by x and z.
func wave(t rapid.TB, origin, x, z geom.Vec3, r0 float64) curve.Curve {
	var pts []geom.Vec3
	for _, q := range []geom.Vec2{{}, {X: 4, Y: 3}, {X: 2, Y: 9}, {X: 9, Y: 12}, {X: 6, Y: 20}} {
		pts = append(pts, origin.AddScaled(r0+q.X, x).AddScaled(q.Y, z))
	}
	c, err := curve.NewBSpline(3, []float64{0, 0, 0, 0, 1, 2, 2, 2, 2}, pts, []float64{1, 2, 0.7, 1, 1}, false)
	if err != nil {
		t.Fatalf("wave: %v", err)
	}
	return c
}

func trimmedCurve(t rapid.TB, c curve.Curve, lo, hi float64, reversed bool) curve.Curve {
	out, err := curve.NewTrimmed(c, span(lo, hi), reversed)
	if err != nil {
		t.Fatalf("trimmed curve: %v", err)
	}
	return out
}

// swept is a drawn surface with a rectangle inside its domain and the scale powers of its parameters.
type swept struct {
	s      surface.Surface
	u, v   geom.Interval
	pu, pv float64
}

func drawExtrusion(t *rapid.T) swept {
	f := drawFrame(t)
	dir := f.Z.AddScaled(rapid.Float64Range(-0.7, 0.7).Draw(t, "slant"), f.X)
	out := swept{v: span(-30, 40), pv: 1}
	var c curve.Curve
	switch rapid.IntRange(0, 6).Draw(t, "profile") {
	case 0:
		c, out.u, out.pu = curve.Line{Origin: f.Origin, Dir: f.X}, span(-9, 20), 1
	case 1:
		c = trimmedCurve(t, curve.Line{Origin: f.Origin, Dir: f.Y}, -4, 9, true)
		out.pu = 1
	case 2:
		c = curve.Circle{Frame: f, Radius: 7}
	case 3:
		c = curve.Ellipse{Frame: f, Major: 12, Minor: 5}
		dir = f.Z
	case 4:
		c = trimmedCurve(t, curve.Circle{Frame: f, Radius: 7}, 1, 3, true)
	case 5:
		c, out.u, dir = curve.Parabola{Frame: f, Focal: 3}, span(-3, 2), f.Z
	default:
		c = wave(t, f.Origin, f.X, f.Y, 3)
	}
	if out.u.Length() == 0 {
		out.u = c.Domain()
	}
	s, err := surface.NewExtrusion(c, dir.Scale(3))
	if err != nil {
		t.Fatalf("NewExtrusion: %v", err)
	}
	out.s = s
	return out
}

func drawRevolution(t *rapid.T) swept {
	f := drawFrame(t)
	out := swept{u: span(-1, 5)}
	var c curve.Curve
	switch rapid.IntRange(0, 7).Draw(t, "profile") {
	case 0: // cone, both nappes
		c = curve.Line{Origin: f.Origin.AddScaled(4, f.X), Dir: f.X.Add(f.Z).Unit()}
		out.v, out.pv = span(-20, 20), 1
	case 1: // hyperboloid
		c = curve.Line{Origin: f.Origin.AddScaled(4, f.X), Dir: f.Y.Add(f.Z).Unit()}
		out.v, out.pv = span(-20, 20), 1
	case 2: // half ball with a pole
		g := geom.Frame{Origin: f.Origin, X: f.X, Y: f.Z, Z: f.X.Cross(f.Z)}
		c = trimmedCurve(t, curve.Circle{Frame: g, Radius: 6}, 0, math.Pi/2, false)
	case 3: // ring
		g := geom.Frame{Origin: f.Origin.AddScaled(9, f.X), X: f.X, Y: f.Z, Z: f.X.Cross(f.Z)}
		c = curve.Circle{Frame: g, Radius: 4}
	case 4: // spindle: the profile crosses the axis twice
		g := geom.Frame{Origin: f.Origin.AddScaled(2, f.X), X: f.X, Y: f.Z, Z: f.X.Cross(f.Z)}
		c = curve.Circle{Frame: g, Radius: 4}
	case 5: // profile out of the axial plane
		c = wave(t, f.Origin.AddScaled(3, f.Y), f.X, f.Z.AddScaled(0.3, f.Y), 2)
	case 6: // profile from the axis
		c = wave(t, f.Origin, f.X, f.Z, 0)
	default:
		c = wave(t, f.Origin, f.X, f.Z, 3)
	}
	if out.v.Length() == 0 {
		out.v = c.Domain()
	}
	s, err := surface.NewRevolution(c, f.Origin.AddScaled(5, f.Z), f.Z.Scale(2))
	if err != nil {
		t.Fatalf("NewRevolution: %v", err)
	}
	out.s = s
	return out
}

func drawSwept(t *rapid.T) swept {
	if rapid.Bool().Draw(t, "revolution") {
		return drawRevolution(t)
	}
	return drawExtrusion(t)
}

func (a swept) drawPoint(t *rapid.T) (u, v float64) {
	c := rapid.Float64Range(0.01, 0.99)
	return a.u.At(c.Draw(t, "u")), a.v.At(c.Draw(t, "v"))
}

// awayFrom moves a parameter off the knot of the wave.
func awayFrom(t, knot, h float64) float64 {
	if math.Abs(t-knot) < 2*h {
		return knot + 3*h
	}
	return t
}

func TestSweptDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawSwept(t)
		u, v := a.drawPoint(t)
		const h = 1e-4
		checkDerivatives(t, a.s, awayFrom(u, 1, h), awayFrom(v, 1, h), h, h, 1e-5)
		if !onAxis(a.s, u, v) {
			checkNormal(t, a.s, u, v, 1e-9)
		}
	})
}

func TestSweptInvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawSwept(t)
		u, v := a.drawPoint(t)
		pu, pv := a.s.Periods()
		k := float64(rapid.IntRange(-2, 2).Draw(t, "turns"))
		hint := geom.Vec2{X: u + k*pu + 0.05, Y: v - k*pv - 0.01}
		checkInvert(t, a.s, u, v, hint, 1e-9)
	})
}

func TestSweptClosest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawSwept(t)
		u, v := a.drawPoint(t)
		p := a.s.At(u, v).Add(drawVec(t, 20, "off"))
		checkClosest(t, a.s, p, a.u, a.v, 1e-9)
		uv, dist := a.s.InvertNear(p, geom.Vec2{X: u, Y: v})
		if got := a.s.At(uv.X, uv.Y).Dist(p); math.Abs(got-dist) > 1e-9*(1+p.Norm()) {
			t.Fatalf("InvertNear(%v) says %g away, its point is %g away", p, dist, got)
		}
	})
}

func TestSweptTransform(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, m := drawSwept(t), drawTransform(t)
		u, v := a.drawPoint(t)
		if onAxis(a.s, u, v) {
			return
		}
		ku, kv := surface.ParamScale(a.s, m)
		k := m.Scale()
		if math.Abs(ku-math.Pow(k, a.pu)) > exact*ku || math.Abs(kv-math.Pow(k, a.pv)) > exact*kv {
			t.Fatalf("ParamScale = %g, %g at scale %g, want the powers %g, %g", ku, kv, k, a.pu, a.pv)
		}
		checkTransform(t, a.s, m, u, v, ku, kv, 1e-11)
	})
}

func TestSweptBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawSwept(t)
		checkBounds(t, a.s, drawInterval(t, a.u, "u"), drawInterval(t, a.v, "v"), 0.15)
	})
}

func TestRevolutionOfKnownShapes(t *testing.T) {
	axial := geom.Frame{X: v3(1, 0, 0), Y: v3(0, 0, 1), Z: v3(0, -1, 0)}
	at := func(x float64) geom.Frame { f := axial; f.Origin.X = x; return f }
	half := trimmedCurve(t, curve.Circle{Frame: axial, Radius: 6}, -math.Pi/2, math.Pi/2, false)
	rows := []struct {
		name    string
		profile curve.Curve
		same    surface.Surface
		params  []float64
		inward  []float64
	}{
		{"ball", half, sphere(6), []float64{-math.Pi / 2, math.Pi / 2}, []float64{1, -1}},
		{"ring", curve.Circle{Frame: at(9), Radius: 4}, torus(9, 4, surface.Whole), nil, nil},
		{"horn", curve.Circle{Frame: at(4), Radius: 4}, torus(4, 4, surface.Whole),
			[]float64{math.Pi}, []float64{1}},
		{"spindle", curve.Circle{Frame: at(2), Radius: 4}, torus(2, 4, surface.Whole),
			[]float64{2 * math.Pi / 3, 4 * math.Pi / 3}, []float64{-1, 1}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s, err := surface.NewRevolution(r.profile, geom.Vec3{}, v3(0, 0, 1))
			if err != nil {
				t.Fatal(err)
			}
			checkParams(t, s, r.params, r.inward)
			rapid.Check(t, func(t *rapid.T) {
				_, dom := s.Domain()
				u, v := rapid.Float64Range(-4, 9).Draw(t, "u"), rapid.Float64Range(dom.Lo, dom.Hi).Draw(t, "v")
				near(t, "point", s.At(u, v), r.same.At(u, v), 1e-11)
				if !onAxis(s, u, v) {
					near(t, "normal", s.Normal(u, v), r.same.Normal(u, v), 1e-9)
				}
				p := drawVec(t, 12, "p")
				_, got := s.Invert(p)
				if _, want := r.same.Invert(p); math.Abs(got-want) > 1e-9 {
					t.Fatalf("Invert(%v) is %v away, want %v", p, got, want)
				}
			})
		})
	}
}

// checkParams expects singularities at the given parameters of v.
func checkParams(t *testing.T, s surface.Surface, params, inward []float64) {
	t.Helper()
	got := s.Singularities()
	if len(got) != len(params) {
		t.Fatalf("Singularities = %v, want them at %v", got, params)
	}
	for i, g := range got {
		if !g.ConstV || math.Abs(g.Param-params[i]) > 1e-7 {
			t.Errorf("singularity %d = %+v, want v = %g", i, g, params[i])
		}
		checkSingularity(t, s, g, inward[i])
	}
}

func TestConeAsRevolution(t *testing.T) {
	l := curve.Line{Origin: v3(4, 0, 0), Dir: v3(1, 0, 1).Unit()}
	s, err := surface.NewRevolution(l, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	checkParams(t, s, []float64{-4 * math.Sqrt2}, []float64{1})
	rapid.Check(t, func(t *rapid.T) {
		p := drawVec(t, 12, "p")
		_, got := s.Invert(p)
		if _, want := cone(4, math.Pi/4).Invert(p); math.Abs(got-want) > 1e-9 {
			t.Fatalf("Invert(%v) is %v away, want %v", p, got, want)
		}
	})
}

func TestSweptErrors(t *testing.T) {
	x, z := v3(1, 0, 0), v3(0, 0, 1)
	line := curve.Line{Dir: z}
	oblique := curve.Parabola{Frame: geom.World, Focal: 1}
	rows := []struct {
		name string
		make func() (surface.Surface, error)
	}{
		{"extrusion of nothing", func() (surface.Surface, error) { return surface.NewExtrusion(nil, z) }},
		{"extrusion along nothing", func() (surface.Surface, error) {
			return surface.NewExtrusion(line, geom.Vec3{})
		}},
		{"line along itself", func() (surface.Surface, error) { return surface.NewExtrusion(line, z.Scale(-2)) }},
		{"oblique parabola", func() (surface.Surface, error) { return surface.NewExtrusion(oblique, v3(1, 0, 1)) }},
		{"revolution of nothing", func() (surface.Surface, error) { return surface.NewRevolution(nil, x, z) }},
		{"revolution about nothing", func() (surface.Surface, error) {
			return surface.NewRevolution(line, x, geom.Vec3{})
		}},
		{"axis about itself", func() (surface.Surface, error) {
			return surface.NewRevolution(line, geom.Vec3{}, z)
		}},
		{"parabola beside the axis", func() (surface.Surface, error) {
			return surface.NewRevolution(oblique, v3(0, 3, 0), v3(1, 0, 1))
		}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			if s, err := r.make(); err == nil {
				t.Errorf("got %v, want an error", s)
			}
		})
	}
}

func TestSweptAllocs(t *testing.T) {
	f := geom.NewFrame(v3(1, 2, 3), v3(0, 1, 2), v3(1, 0, 0))
	e, err := surface.NewExtrusion(wave(t, f.Origin, f.X, f.Y, 3), f.Z)
	if err != nil {
		t.Fatal(err)
	}
	checkEvalAllocs(t, e, 0.3, 0.4)
	r, err := surface.NewRevolution(wave(t, f.Origin, f.X, f.Z, 3), f.Origin, f.Z)
	if err != nil {
		t.Fatal(err)
	}
	checkEvalAllocs(t, r, 0.3, 0.4)
}
