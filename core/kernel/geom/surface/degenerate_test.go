package surface_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// biquadratic returns a Bézier patch of 3 × 3 points.
func biquadratic(t testing.TB, pts ...geom.Vec3) *surface.BSpline {
	t.Helper()
	k := []float64{0, 0, 0, 1, 1, 1}
	return mustBSpline(t, 2, 2, k, k, pts, nil)
}

// sloppyFan is fan with its collapsed side spread by gap.
func sloppyFan(t testing.TB, gap float64) *surface.BSpline {
	return mustBSpline(t, 1, 1, []float64{0, 0, 2, 2}, []float64{0, 0, 5, 5},
		[]geom.Vec3{{X: gap}, {Y: 6}, {Y: gap}, {X: 8}}, nil)
}

func TestNormalAtDegeneratePoints(t *testing.T) {
	// Two sides leave the corner (0, 0) in one direction.
	tangentSides := biquadratic(t,
		v3(0, 0, 0), v3(1, 0, 0), v3(3, 2, 0),
		v3(2, 0, 0), v3(4, 1, 1), v3(5, 4, 0),
		v3(5, -1, 0), v3(7, 0, 0), v3(9, 3, 1))
	// The side u = 0 starts with a doubled point, so that Dv vanishes at the corner.
	doubled := biquadratic(t,
		v3(0, 0, 0), v3(0, 0, 0), v3(0, 6, 1),
		v3(3, 0, 0), v3(3, 3, 1), v3(3, 6, 0),
		v3(6, 0, 1), v3(6, 3, 0), v3(6, 6, 0))
	// All four corners of the lens are two points.
	lens := biquadratic(t,
		v3(0, 0, 0), v3(0, 0, 0), v3(0, 0, 0),
		v3(5, -4, 0), v3(5, 0, 3), v3(5, 4, 0),
		v3(10, 0, 0), v3(10, 0, 0), v3(10, 0, 0))
	horn, err := surface.NewRevolution(curve.Circle{
		Frame: geom.Frame{Origin: v3(4, 0, 0), X: v3(1, 0, 0), Y: v3(0, 0, 1), Z: v3(0, -1, 0)}, Radius: 4,
	}, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	stopping, err := curve.NewBSpline(2, quarterKnots, []geom.Vec3{{}, {}, v3(3, 4, 0)}, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	strip, err := surface.NewExtrusion(stopping, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		name   string
		s      surface.Surface
		at, by geom.Vec2 // the point and the direction inside
	}{
		{"tangent sides", tangentSides, uv(0, 0), uv(1, 1)},
		{"doubled corner", doubled, uv(0, 0), uv(1, 1)},
		{"doubled corner along the side", doubled, uv(0.4, 0), uv(0, 1)},
		{"left end of a lens", lens, uv(0, 0.3), uv(1, 0)},
		{"right end of a lens", lens, uv(1, 0.8), uv(-1, 0)},
		{"fan", fan(t), uv(1.3, 0), uv(0, 1)},
		{"sloppy fan", sloppyFan(t, 4e-6), uv(1.3, 0), uv(0, 1)},
		{"half sphere", halfSphere(t, 3), uv(3.3, 1), uv(0, -1)},
		{"horn", horn, uv(1, math.Pi), uv(0, 1)},
		{"strip that starts at rest", strip, uv(0, 2), uv(1, 0)},
		{"offset of a half sphere", mustOffset(t, halfSphere(t, 3), 1), uv(3.3, 1), uv(0, -1)},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := r.s.Normal(r.at.X, r.at.Y)
			if math.Abs(got.Norm()-1) > 1e-9 {
				t.Fatalf("Normal(%v) = %v is no unit vector", r.at, got)
			}
			for _, h := range []float64{1e-4, 1e-3} {
				q := r.at.Add(r.by.Scale(h))
				near(t, "normal", got, r.s.Normal(q.X, q.Y), 60*h)
			}
			m := geom.Rotation(v3(1, 2, 3), 2).Mul(geom.Scaling(0.1))
			near(t, "normal of the image", r.s.Transform(m).Normal(r.at.X, r.at.Y), m.Dir(got).Unit(), 1e-6)
		})
	}
}

func TestSloppySides(t *testing.T) {
	for _, r := range []struct {
		gap  float64
		want int
	}{{0, 1}, {4e-6, 1}, {1e-3, 0}} {
		s := sloppyFan(t, r.gap)
		if got := len(s.Singularities()); got != r.want {
			t.Errorf("a side of %g mm: %d singularities, want %d", r.gap, got, r.want)
		}
	}
	tube := func(gap float64) *surface.BSpline {
		var pts []geom.Vec3
		for i, c := range circlePoints {
			r := 5.0
			if i == len(circlePoints)-1 {
				r += gap
			}
			pts = append(pts, v3(r*c.X, r*c.Y, 0), v3(r*c.X, r*c.Y, 9))
		}
		return mustBSpline(t, 2, 1, circleKnots, []float64{0, 0, 1, 1}, pts, nil)
	}
	for _, r := range []struct{ gap, want float64 }{{0, 4}, {4e-6, 4}, {1e-3, 0}} {
		if got, _ := tube(r.gap).Periods(); got != r.want {
			t.Errorf("a tube open by %g mm has the period %g, want %g", r.gap, got, r.want)
		}
	}
	thread := sloppyFan(t, 0).Transform(geom.Scaling(1e-7))
	if got := len(thread.Singularities()); got != 1 {
		t.Errorf("an image below the tolerance has %d singularities, want that of the original", got)
	}
}

// zoo lists surfaces on which a closest-point search easily fails.
func zoo(t testing.TB) map[string]*surface.BSpline {
	skewed := []float64{0, 0, 0, 0, 1e-5, 0.5, 1, 1, 1, 1}
	var uneven, long []geom.Vec3
	for i := range 6 {
		for j := range 4 {
			x, y := float64(i), float64(j)
			uneven = append(uneven, v3(4*x, 3*y, math.Sin(x+y)))
			long = append(long, v3(2000*x, 0.3*y, 40*math.Sin(x)))
		}
	}
	ninth := make([]geom.Vec3, 0, 40)
	for i := range 10 {
		for j := range 4 {
			x, y := float64(i), float64(j)
			ninth = append(ninth, v3(2*x, 5*y, 9*math.Pow(-1, x)*math.Sin(y)))
		}
	}
	bezier := append(make([]float64, 10), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)
	cubic := clamped(3, 4)
	return map[string]*surface.BSpline{
		"half sphere":          halfSphere(t, 7),
		"sphere":               wholeSphere(t, 7),
		"ring":                 ring(t, 7, 2),
		"thin ring":            ring(t, 70, 0.02),
		"fan":                  fan(t),
		"hairpin":              hairpin(t, 0.05),
		"roof":                 kinked(t),
		"unclamped tube":       unclampedTube(t),
		"uneven knots":         mustBSpline(t, 3, 3, skewed, cubic, uneven, nil),
		"long and narrow":      mustBSpline(t, 3, 3, clamped(3, 6), cubic, long, nil),
		"degree nine":          mustBSpline(t, 9, 3, bezier, cubic, ninth, nil),
		"a point":              mustBSpline(t, 1, 1, clamped(1, 2), clamped(1, 2), make([]geom.Vec3, 4), nil),
		"hills":                hilly(t, 12, 12, 60, 8),
		"knots far from zero":  hillsOn(t, 1e6, 1),
		"knots close together": hillsOn(t, -3, 1e-6),
		"a thousandth of a mm": hilly(t, 6, 6, 1e-3, 1e-4),
		"a hundred metres":     hilly(t, 6, 6, 1e5, 1e4),
		"saddle with far walls": mustBSpline(t, 1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1},
			[]geom.Vec3{{}, {Y: 30, Z: 30}, {X: 30, Z: 30}, {X: 30, Y: 30}}, nil),
	}
}

// hillsOn is a hilly sheet with its knots from start over length.
func hillsOn(t testing.TB, start, length float64) *surface.BSpline {
	k := clamped(3, 6)
	for i := range k {
		k[i] = start + length*k[i]
	}
	var pts []geom.Vec3
	for i := range 36 {
		x, y := float64(i/6), float64(i%6)
		pts = append(pts, v3(9*x, 9*y, 5*math.Sin(x)*math.Cos(2*y)))
	}
	return mustBSpline(t, 3, 3, k, k, pts, nil)
}

func TestInvertOnDifficultSurfaces(t *testing.T) {
	for name, s := range zoo(t) {
		t.Run(name, func(t *testing.T) {
			du, dv := s.Domain()
			size := s.Bounds(du, dv).Diagonal()
			rapid.Check(t, func(t *rapid.T) {
				c := rapid.Float64Range(0, 1)
				u, v := du.At(c.Draw(t, "u")), dv.At(c.Draw(t, "v"))
				p := s.At(u, v)
				uv, dist := s.Invert(p)
				tol := 0.1*geom.Resolution + 1e-10*size // next to a pole u is noise within slack of it
				if dist > tol || s.At(uv.X, uv.Y).Dist(p) > 2*tol {
					t.Fatalf("Invert(At(%v, %v)) = %v, %v away", u, v, uv, dist)
				}
				inDomain(t, s, uv)
				hint := geom.Vec2{X: du.At(c.Draw(t, "hint u")), Y: dv.At(c.Draw(t, "hint v"))}
				uv, dist = s.InvertNear(p, hint)
				if dist > math.Max(tol, geom.Resolution) ||
					s.At(uv.X, uv.Y).Dist(p) > math.Max(2*tol, geom.Resolution) {
					t.Fatalf("InvertNear(At(%v, %v), %v) = %v, %v away", u, v, hint, uv, dist)
				}
				onBranch(t, s, uv, hint)
				d := rapid.Float64Range(-1, 1)
				off := geom.Vec3{X: d.Draw(t, "dx"), Y: d.Draw(t, "dy"), Z: d.Draw(t, "dz")}
				p = p.AddScaled(0.3*size, off)
				checkClosest(t, s, p, du, dv, 2e-5) // ties within 1e-5 of the distance may have either result
			})
		})
	}
}

func TestInvertAtCenterOfSphere(t *testing.T) {
	s := wholeSphere(t, 7)
	for _, p := range []geom.Vec3{{}, v3(1e-9, 0, 0), v3(1e-3, 2e-3, -1e-3), v3(0.5, 0, 0.5)} {
		uv, dist := s.Invert(p)
		if want := 7 - p.Norm(); math.Abs(dist-want) > 1e-4 {
			t.Errorf("Invert(%v) = %v, %v away, want %v", p, uv, dist, want)
		}
	}
}

func TestInvertFarFromSurface(t *testing.T) {
	s := hilly(t, 9, 9, 60, 8)
	rapid.Check(t, func(t *rapid.T) {
		u, v := s.Domain()
		p := drawDir(t, "direction").Unit().Scale(rapid.Float64Range(100, 1e5).Draw(t, "distance"))
		checkClosest(t, s, p, u, v, 2e-5)
	})
}

func TestHintsOutsideTheDomain(t *testing.T) {
	s := hilly(t, 9, 9, 60, 8)
	p := s.At(0.2, 0.7)
	for _, hint := range []geom.Vec2{uv(-5, 0.7), uv(0.2, 99), uv(1e300, -1e300), uv(math.Inf(1), 0.5)} {
		got, dist := s.InvertNear(p, hint)
		if dist > 1e-8 || got.Dist(uv(0.2, 0.7)) > 1e-8 {
			t.Errorf("InvertNear from %v = %v, %v away", hint, got, dist)
		}
	}
}

// TestInvertOfNaN expects any result and no panic.
func TestInvertOfNaN(t *testing.T) {
	ext, err := surface.NewExtrusion(wave(t, geom.Vec3{}, v3(1, 0, 0), v3(0, 1, 0), 3), v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	profile := wave(t, geom.Vec3{}, v3(1, 0, 0), v3(0, 0, 1), 3)
	rev, err := surface.NewRevolution(profile, geom.Vec3{}, v3(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, s := range []surface.Surface{
		plane(), cylinder(1), cone(1, 0.4), sphere(1), torus(3, 1, surface.Whole), torus(1, 3, surface.Lemon),
		hilly(t, 5, 5, 9, 1), wholeSphere(t, 3), ext, rev, mustOffset(t, gentle(t), 1),
	} {
		for _, p := range []geom.Vec3{{X: nan}, {Y: inf}, {Z: -inf}, {X: 1e300, Y: 1e300}} {
			s.Invert(p)
			s.InvertNear(p, uv(0.1, 0.2))
			s.InvertNear(v3(1, 2, 3), uv(nan, inf))
		}
		s.At(nan, 0.5)
		s.D2(0.5, nan)
		s.Normal(inf, -inf)
	}
}
