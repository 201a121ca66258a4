package fit_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// hill samples the graph z = height(x, y), given with its derivatives up to the second, over a rectangle.
func hill(w, h float64, n int, f func(x, y float64) (z, zx, zy, zxx, zxy, zyy float64)) []fit.Sample {
	var out []fit.Sample
	for i := range n {
		for j := range n {
			x, y := w*((float64(i)+0.5)/float64(n)-0.5), h*((float64(j)+0.5)/float64(n)-0.5)
			z, zx, zy, zxx, zxy, zyy := f(x, y)
			d := surface.Derivs{P: geom.Vec3{X: x, Y: y, Z: z}, Du: geom.Vec3{X: 1, Z: zx}, Dv: geom.Vec3{Y: 1, Z: zy},
				Duu: geom.Vec3{Z: zxx}, Duv: geom.Vec3{Z: zxy}, Dvv: geom.Vec3{Z: zyy}}
			k1, k2 := d.Curvatures()
			out = append(out, fit.Sample{P: d.P, N: d.Du.Cross(d.Dv).Unit(), K1: k1, K2: k2})
		}
	}
	return out
}

// quadric is z = (a·x² + 2b·xy + c·y²)/2.
func quadric(a, b, c float64) func(x, y float64) (z, zx, zy, zxx, zxy, zyy float64) {
	return func(x, y float64) (z, zx, zy, zxx, zxy, zyy float64) {
		return (a*x*x + 2*b*x*y + c*y*y) / 2, a*x + b*y, b*x + c*y, a, b, c
	}
}

// TestFreeform checks that surfaces similar to an analytic one are rejected.
func TestFreeform(t *testing.T) {
	const size = 20 // mm
	wave := func(height, length float64) func(x, y float64) (z, zx, zy, zxx, zxy, zyy float64) {
		k := 2 * math.Pi / length
		return func(x, y float64) (z, zx, zy, zxx, zxy, zyy float64) {
			sin, cos := math.Sincos(k * x)
			return height * sin, height * k * cos, 0, -height * k * k * sin, 0, 0
		}
	}
	for _, c := range []struct {
		name    string
		samples []fit.Sample
	}{
		{"shallow saddle", hill(size, size, 5, quadric(1e-4, 0, -1e-4))}, // 0.005 mm at its sides
		{"twisted plane", hill(size, size, 5, quadric(0, 2e-5, 0))},      // 0.002 mm at its corners
		{"parabolic cylinder", hill(size, size, 5, quadric(0.1, 0, 0))},
		{"shallow parabolic cylinder", hill(size, size, 5, quadric(0.02, 0, 0))},
		{"paraboloid", hill(size, size, 5, quadric(0.05, 0, 0.05))},
		{"elliptic paraboloid", hill(size, size, 5, quadric(0.05, 0, 0.02))},
		{"ruffled plane", hill(size, size, 5, wave(5*tol, 7))},
		{"wave", hill(size, size, 5, wave(1, 20))},
	} {
		if got, ok := fit.Surface(c.samples, tol); ok {
			t.Errorf("%s: found %+v", c.name, got)
		}
	}
}

// TestEllipticCylinder: a cylinder across an ellipse is round only within the tolerance.
func TestEllipticCylinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(1, 100).Draw(t, "a")
		b := a + rapid.Float64Range(5*tol, a/2).Draw(t, "more")
		var samples []fit.Sample
		for i := range 9 {
			for j := range 4 {
				sin, cos := math.Sincos(2 * math.Pi * (float64(i) + 0.5) / 9)
				d := surface.Derivs{P: geom.Vec3{X: a * cos, Y: b * sin, Z: a * float64(j)},
					Du: geom.Vec3{X: -a * sin, Y: b * cos}, Dv: geom.Vec3{Z: 1},
					Duu: geom.Vec3{X: -a * cos, Y: -b * sin}}
				k1, k2 := d.Curvatures()
				samples = append(samples, fit.Sample{P: d.P, N: d.Du.Cross(d.Dv).Unit(), K1: k1, K2: k2})
			}
		}
		if got, ok := fit.Surface(samples, tol); ok {
			t.Fatalf("semi-axes %g and %g: found %+v", a, b, got)
		}
	})
}

// TestSaddles checks a patch that bends in both directions by more than the tolerance. For any curvatures it is not a
// plane, cylinder, cone or sphere; and it is a torus only where it bends like one.
func TestSaddles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Float64Range(1, 100).Draw(t, "width")
		h := w * rapid.Float64Range(0.3, 1).Draw(t, "height")
		n := rapid.IntRange(4, 8).Draw(t, "side")
		inner := 1 - 1/float64(n) // share of the width that samples span
		// The rise along each side, from the middle to the outermost samples, in tolerances.
		rise := rapid.Float64Range(5, 1e4)
		a := rise.Draw(t, "up") * tol * 8 / (w * w * inner * inner)
		c := -rise.Draw(t, "down") * tol * 8 / (h * h * inner * inner)
		got, ok := fit.Surface(hill(w, h, n, quadric(a, 0, c)), tol)
		if !ok {
			return
		}
		if got.Kind() != surface.KindTorus {
			t.Fatalf("curvatures %g and %g: found %+v", a, c, got)
		}
		for _, s := range hill(w, h, n, quadric(a, 0, c)) {
			if _, dist := got.Invert(s.P); dist > 1.01*tol {
				t.Fatalf("curvatures %g and %g: found %+v, %g mm off", a, c, got, dist)
			}
		}
	})
}

// TestBumps checks that an analytic patch with a bump of more than the tolerance is rejected by all kinds.
func TestBumps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPatch(t)
		samples := p.sampled(7)
		s := &samples[rapid.IntRange(0, len(samples)-1).Draw(t, "place")]
		s.P = s.P.AddScaled(rapid.Float64Range(3, 100).Draw(t, "tolerances")*tol, s.N)
		if got, ok := fit.Surface(samples, tol); ok {
			t.Fatalf("a bump on %+v: found %+v", p.s, got)
		}
	})
}

// TestFoundIsWithinTolerance checks that any surface found through any samples is within the tolerance of them.
func TestFoundIsWithinTolerance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.Float64Range(-0.2, 0.2)
		loose := math.Exp(rapid.Float64Range(-12, 0).Draw(t, "ln tolerance"))
		samples := hill(rapid.Float64Range(0.1, 10).Draw(t, "w"), rapid.Float64Range(0.1, 10).Draw(t, "h"), 5,
			quadric(k.Draw(t, "a"), k.Draw(t, "b"), k.Draw(t, "c")))
		got, ok := fit.Surface(samples, loose)
		if !ok {
			return
		}
		for _, s := range samples {
			const rounding = 1e-9
			if _, dist := got.Invert(s.P); dist > loose+rounding {
				t.Fatalf("found %+v, %g mm off, tolerance %g", got, dist, loose)
			}
		}
	})
}

// TestWavyCylinder checks that waves about a cylinder are a cylinder where the tolerance permits them, by its normals
// too.
func TestWavyCylinder(t *testing.T) {
	const (
		r, wave = 1.65, 3e-4 // mm
		turns   = 7
	)
	var samples []fit.Sample
	for i := range 40 {
		a := 2 * math.Pi * float64(i) / 40
		sin, cos := math.Sincos(a)
		swing, off := math.Sincos(turns * a)
		out, round := geom.Vec3{X: cos, Y: sin}, geom.Vec3{X: -sin, Y: cos}
		n := out.AddScaled(turns*wave*swing/r, round).Unit()
		for _, z := range []float64{0, 3} {
			samples = append(samples, fit.Sample{P: out.Scale(r + wave*off).Add(geom.Vec3{Z: z}), N: n})
		}
	}
	if s, ok := fit.Surface(samples, 1e-4); ok {
		t.Errorf("found %v within less than the wave", s)
	}
	s, ok := fit.Surface(samples, 5e-4)
	if c, is := s.(surface.Cylinder); !ok || !is || math.Abs(c.Radius-r) > wave {
		t.Errorf("found %v, %v, want a cylinder of radius %v", s, ok, r)
	}
}
