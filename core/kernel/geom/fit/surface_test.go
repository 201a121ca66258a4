package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const tol = 1e-4 // mm, of most fits here

// check is the common part of *testing.T and *rapid.T.
type check interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// patch is a parameter rectangle of a surface.
type patch struct {
	s    surface.Surface
	u, v geom.Interval
}

// sampled returns n × n samples of the patch, all away from its sides.
func (p *patch) sampled(n int) []fit.Sample {
	var out []fit.Sample
	for i := range n {
		for j := range n {
			d := p.s.D2(p.u.At((float64(i)+0.5)/float64(n)), p.v.At((float64(j)+0.5)/float64(n)))
			k1, k2 := d.Curvatures()
			out = append(out, fit.Sample{P: d.P, N: d.Du.Cross(d.Dv).Unit(), K1: k1, K2: k2})
		}
	}
	return out
}

// shaken moves samples along their normals by up to size (mm), with both extremes at least once.
func shaken(samples []fit.Sample, size float64, seed uint64) []fit.Sample {
	r := rand.New(rand.NewPCG(seed, 1))
	out := append([]fit.Sample(nil), samples...)
	for i := range out {
		d := size * (2*r.Float64() - 1)
		switch i {
		case len(out) / 3:
			d = size
		case 2 * len(out) / 3:
			d = -size
		}
		out[i].P = out[i].P.AddScaled(d, out[i].N)
	}
	return out
}

// differ returns the differences of two surfaces of a kind: lengths in mm, angles in rad.
func differ(got, want surface.Surface) (length, angle float64) {
	tilt := func(f, g geom.Frame) { angle = max(angle, f.Z.Cross(g.Z).Norm()) }
	size := func(a, b float64) { length = max(length, math.Abs(a-b)) }
	switch w := want.(type) {
	case surface.Plane:
		g := got.(surface.Plane)
		tilt(g.Frame, w.Frame)
		size(g.Frame.Origin.Sub(w.Frame.Origin).Dot(w.Frame.Z), 0)
	case surface.Cylinder:
		g := got.(surface.Cylinder)
		tilt(g.Frame, w.Frame)
		size(g.Frame.Origin.Sub(w.Frame.Origin).Cross(w.Frame.Z).Norm(), 0)
		size(g.Radius, w.Radius)
	case surface.Cone:
		g := got.(surface.Cone)
		tilt(g.Frame, w.Frame)
		angle = max(angle, math.Abs(math.Abs(g.HalfAngle)-math.Abs(w.HalfAngle)))
		size(g.Singularities()[0].Point.Dist(w.Singularities()[0].Point), 0)
	case surface.Sphere:
		g := got.(surface.Sphere)
		size(g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size(g.Radius, w.Radius)
	case surface.Torus:
		g := got.(surface.Torus)
		tilt(g.Frame, w.Frame)
		size(g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size(g.Major, w.Major)
		size(g.Minor, w.Minor)
	}
	return length, angle
}

// same requires a fit of the kind of want, within the lengths and angles given.
func same(t check, name string, samples []fit.Sample, want surface.Surface, length, angle float64) {
	t.Helper()
	got, ok := fit.Surface(samples, tol)
	if !ok {
		t.Errorf("%s: nothing found for %+v", name, want)
		return
	}
	if got.Kind() != want.Kind() {
		t.Errorf("%s: found %+v, want %+v", name, got, want)
		return
	}
	if l, a := differ(got, want); !(l <= length && a <= angle) {
		t.Errorf("%s: off by %g mm and %g rad, allowed %g and %g: %+v, want %+v", name, l, a, length,
			angle, got, want)
	}
}

// tilted is a frame in no special place.
func tilted() geom.Frame {
	return geom.NewFrame(geom.Vec3{X: 30, Y: -20, Z: 50}, geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1})
}

func interval(lo, hi float64) geom.Interval { return geom.Interval{Lo: lo, Hi: hi} }

const degree = math.Pi / 180

func TestSurfaceKinds(t *testing.T) {
	f := tilted()
	for _, c := range []struct {
		name string
		p    patch
	}{
		{"plane", patch{surface.Plane{Frame: f}, interval(-3, 3), interval(-1, 2)}},
		{"narrow plane", patch{surface.Plane{Frame: f}, interval(0, 100), interval(0, 0.1)}},
		{"plane far from its origin", patch{surface.Plane{Frame: f}, interval(9000, 9001), interval(0, 1)}},
		{"whole cylinder", patch{surface.Cylinder{Frame: f, Radius: 5}, interval(0, 2*math.Pi),
			interval(0, 9)}},
		{"quarter of a cylinder", patch{surface.Cylinder{Frame: f, Radius: 5}, interval(0, math.Pi/2),
			interval(0, 9)}},
		{"2° of a large cylinder",
			patch{surface.Cylinder{Frame: f, Radius: 1000}, interval(0, 2*degree), interval(0, 20)}},
		{"thin ring of a cylinder", patch{surface.Cylinder{Frame: f, Radius: 5}, interval(0, 6),
			interval(0, 0.05)}},
		{"tiny cylinder", patch{surface.Cylinder{Frame: f, Radius: 0.05}, interval(0, 3), interval(0, 0.2)}},
		{"cone", patch{surface.Cone{Frame: f, Radius: 5, HalfAngle: 0.5}, interval(0, 6), interval(0, 9)}},
		{"narrowing cone", patch{surface.Cone{Frame: f, Radius: 5, HalfAngle: -0.5}, interval(0, 6),
			interval(0, 9)}},
		{"cone to its apex", patch{surface.Cone{Frame: f, HalfAngle: 0.5}, interval(0, 6), interval(0, 9)}},
		{"1° draft", patch{surface.Cone{Frame: f, Radius: 5, HalfAngle: degree}, interval(0, 6),
			interval(0, 9)}},
		{"flat cone", patch{surface.Cone{Frame: f, Radius: 5, HalfAngle: 85 * degree}, interval(0, 6),
			interval(0, 1)}},
		{"strip of a cone", patch{surface.Cone{Frame: f, Radius: 5, HalfAngle: 0.5}, interval(1, 2),
			interval(1, 9)}},
		{"sphere", patch{surface.Sphere{Frame: f, Radius: 5}, interval(0, 6), interval(-1.5, 1.5)}},
		{"cap of a sphere", patch{surface.Sphere{Frame: f, Radius: 5}, interval(0, 6), interval(1.3, 1.57)}},
		{"corner of a sphere", patch{surface.Sphere{Frame: f, Radius: 5}, interval(0, 1.57), interval(0,
			1.57)}},
		{"torus", patch{surface.Torus{Frame: f, Major: 9, Minor: 2}, interval(0, 6), interval(0, 6)}},
		{"fillet along an arc", patch{surface.Torus{Frame: f, Major: 9, Minor: 2}, interval(0, 1),
			interval(0, 1.57)}},
		{"inner fillet", patch{surface.Torus{Frame: f, Major: 9, Minor: 2}, interval(0, 1), interval(2, 3)}},
		{"apple", patch{surface.Torus{Frame: f, Major: 1, Minor: 2, Part: surface.Apple}, interval(0, 6),
			interval(-2, 2)}},
		{"lemon", patch{surface.Torus{Frame: f, Major: 1, Minor: 2, Part: surface.Lemon}, interval(0, 6),
			interval(2.4, 3.9)}},
		{"horn", patch{surface.Torus{Frame: f, Major: 2, Minor: 2}, interval(0, 6), interval(-2, 2)}},
	} {
		for _, n := range []int{5, 9} {
			name := fmt.Sprintf("%s from %d samples", c.name, n*n)
			same(t, name, c.p.sampled(n), c.p.s, 1e-7, 1e-9)
			back := c.p.sampled(n)
			for i := range back { // the other side of the surface
				s := &back[i]
				s.N, s.K1, s.K2 = s.N.Neg(), -s.K2, -s.K1
			}
			same(t, name+" turned inside out", back, c.p.s, 1e-7, 1e-9)
		}
	}
}

func TestSurfaceParts(t *testing.T) {
	for _, c := range []struct {
		major, minor float64
		isSpindle    bool
		want         surface.Torus
	}{
		{5, 2, false, surface.Torus{Major: 5, Minor: 2}},
		{1, 2, false, surface.Torus{Major: 1, Minor: 2, Part: surface.Apple}},
		{1, 2, true, surface.Torus{Major: 1, Minor: 2, Part: surface.Lemon}},
		{2, math.Nextafter(2, 3), false, surface.Torus{Major: 2, Minor: 2}},
		{math.Nextafter(2, 3), 2, false, surface.Torus{Major: 2, Minor: 2}},
	} {
		got := fit.Torus(geom.Frame{}, c.major, c.minor, c.isSpindle)
		if got.Part != c.want.Part || math.Abs(got.Major-c.want.Major) > 1e-15 ||
			(got.Major == got.Minor) != (c.want.Major == c.want.Minor) {
			t.Errorf("%g, %g, %v: %+v, want %+v", c.major, c.minor, c.isSpindle, got, c.want)
		}
	}
}

// TestUndetermined checks that samples that many surfaces of a kind fit within the tolerance are rejected.
func TestUndetermined(t *testing.T) {
	f := tilted()
	for _, c := range []struct {
		name string
		p    patch
	}{
		{"sliver of a plane", patch{surface.Plane{Frame: f}, interval(0, 100), interval(0, 2*tol)}},
		{"speck", patch{surface.Plane{Frame: f}, interval(0, tol/4), interval(0, tol/4)}},
		{"strip of a large cylinder that rises by hundredths of the tolerance",
			patch{surface.Cylinder{Frame: f, Radius: 10}, interval(0, 6e-4), interval(0, 5)}},
		{"fleck of a sphere", patch{surface.Sphere{Frame: f, Radius: 10}, interval(0, 6e-4), interval(0,
			6e-4)}},
	} {
		if got, ok := fit.Surface(c.p.sampled(5), tol); ok && got.Kind() != surface.KindPlane {
			t.Errorf("%s: found %+v", c.name, got)
		} else if ok && c.name[0] == 's' && c.p.s.Kind() == surface.KindPlane {
			t.Errorf("%s: found a plane", c.name)
		}
	}
}

func TestSurfaceRefuses(t *testing.T) {
	p := patch{surface.Sphere{Frame: tilted(), Radius: 5}, interval(0, 1), interval(0, 1)}
	broken := func(change func(s *fit.Sample)) []fit.Sample {
		out := p.sampled(5)
		change(&out[7])
		return out
	}
	nan := math.NaN()
	for name, samples := range map[string][]fit.Sample{
		"none":               nil,
		"too few":            p.sampled(5)[:8],
		"a normal missing":   broken(func(s *fit.Sample) { s.N = geom.Vec3{} }),
		"a normal NaN":       broken(func(s *fit.Sample) { s.N.X = nan }),
		"a point NaN":        broken(func(s *fit.Sample) { s.P.X = nan }),
		"a point infinite":   broken(func(s *fit.Sample) { s.P.X = math.Inf(1) }),
		"a point off":        broken(func(s *fit.Sample) { s.P = s.P.AddScaled(3*tol, s.N) }),
		"a normal turned":    broken(func(s *fit.Sample) { s.N = s.N.Neg() }),
		"a normal tilted":    broken(func(s *fit.Sample) { s.N = s.N.AddScaled(0.01, s.N.Perp()).Unit() }),
		"all at one place":   make([]fit.Sample, 25),
		"all but one at one": broken(func(s *fit.Sample) { s.P = s.P.Scale(1e12) }),
	} {
		if got, ok := fit.Surface(samples, tol); ok {
			t.Errorf("%s: found %+v", name, got)
		}
	}
	for _, bad := range []float64{0, -1, nan} {
		if got, ok := fit.Surface(p.sampled(5), bad); ok {
			t.Errorf("tolerance %g: found %+v", bad, got)
		}
	}
}

// drawPatch draws a patch whose radii are determined: arcs rise above their chords by 1000 tolerances.
func drawPatch(t *rapid.T) patch {
	coord := rapid.Float64Range(-300, 300)
	point := func(name string) geom.Vec3 {
		return geom.Vec3{X: coord.Draw(t, name+"x"), Y: coord.Draw(t, name+"y"), Z: coord.Draw(t, name+"z")}
	}
	f := geom.NewFrame(point("o"), point("z").Add(geom.Vec3{Z: 1e-3}), point("x"))
	r := math.Exp(rapid.Float64Range(0, 5).Draw(t, "ln r"))
	least := 2 * math.Acos(1-1000*tol/r) // of an arc
	arc := func(name string, lo, hi float64) geom.Interval {
		length := rapid.Float64Range(min(least, hi-lo), hi-lo).Draw(t, name+" length")
		start := rapid.Float64Range(lo, hi-length).Draw(t, name+" start")
		return interval(start, start+length)
	}
	height := interval(0, r*rapid.Float64Range(0.2, 3).Draw(t, "height"))
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return patch{surface.Plane{Frame: f}, interval(-r, r), height}
	case 1:
		return patch{surface.Cylinder{Frame: f, Radius: r}, arc("u", 0, 2*math.Pi), height}
	case 2:
		return patch{surface.Cone{Frame: f, Radius: r, HalfAngle: rapid.Float64Range(0.05, 1.4).Draw(t,
			"half angle")},
			arc("u", 0, 2*math.Pi), height}
	case 3:
		return patch{surface.Sphere{Frame: f, Radius: r}, arc("u", 0, 2*math.Pi), arc("v", -1, 1)}
	}
	major := r * rapid.Float64Range(1.2, 5).Draw(t, "major")
	return patch{surface.Torus{Frame: f, Major: major, Minor: r}, arc("u", 0, 2*math.Pi), arc("v", 0,
		2*math.Pi)}
}

// TestAnyPatch: samples of any analytic patch give its own kind and dimensions back.
func TestAnyPatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPatch(t)
		same(t, "patch", p.sampled(rapid.IntRange(4, 8).Draw(t, "side")), p.s, 1e-5, 1e-6)
	})
}

// TestNoise checks that noise below the tolerance preserves the kind, and that the result is as near to the true
// surface as the samples are. Noise above the tolerance gives no result.
func TestNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPatch(t)
		exact := p.sampled(7)
		seed := rapid.Uint64().Draw(t, "seed")
		got, ok := fit.Surface(shaken(exact, 0.3*tol, seed), tol)
		if ok {
			if got.Kind() != p.s.Kind() {
				t.Errorf("below the tolerance: %+v, want %+v", got, p.s)
			}
			for i := range exact {
				if _, dist := got.Invert(exact[i].P); dist > 2*tol {
					t.Errorf("a true point is %g mm off: %+v, want %+v", dist, got, p.s)
				}
			}
		} else if p.s.Kind() <= surface.KindCylinder && p.v.Length() > 5 { // mm; smaller ones are tilted
			t.Errorf("below the tolerance: nothing found for %+v", p.s)
		}
		if got, ok := fit.Surface(shaken(exact, 3*tol, seed), tol); ok {
			t.Errorf("noise of 3 tolerances: found %+v", got)
		}
	})
}

// TestRigidMotion: fits move with their samples.
func TestRigidMotion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPatch(t)
		samples := p.sampled(5)
		shift := rapid.Float64Range(-500, 500)
		m := geom.Translation(geom.Vec3{X: shift.Draw(t, "x"), Y: shift.Draw(t, "y")}).
			Mul(geom.Rotation(geom.Vec3{X: 0.6, Z: 0.8}, rapid.Float64Range(-3, 3).Draw(t, "angle")))
		for i := range samples {
			samples[i].P, samples[i].N = m.Point(samples[i].P), m.Dir(samples[i].N)
		}
		same(t, "moved", samples, p.s.Transform(m), 1e-5, 1e-6)
	})
}

func BenchmarkSurface(b *testing.B) {
	f := tilted()
	for name, p := range map[string]patch{
		"plane":    {surface.Plane{Frame: f}, interval(0, 1), interval(0, 1)},
		"cylinder": {surface.Cylinder{Frame: f, Radius: 5}, interval(0, 1), interval(0, 9)},
		"torus":    {surface.Torus{Frame: f, Major: 9, Minor: 2}, interval(0, 1), interval(0, 1)},
	} {
		samples := p.sampled(5)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				fit.Surface(samples, tol)
			}
		})
	}
}

// TestLowRings checks a ring of a large cylinder or cone, so low that a sphere is within the tolerance. It stays a
// cylinder or cone.
func TestLowRings(t *testing.T) {
	turn := geom.Interval{Lo: 0, Hi: 2 * math.Pi}
	for _, height := range []float64{0.2, 0.3, 0.5} {
		v := geom.Interval{Lo: -height / 2, Hi: height / 2}
		for _, want := range []surface.Surface{
			surface.Cylinder{Frame: geom.World, Radius: 240},
			surface.Cone{Frame: geom.World, Radius: 240, HalfAngle: 0.3},
		} {
			p := patch{want, turn, v}
			got, ok := fit.Surface(p.sampled(5), tol)
			if !ok || got.Kind() != want.Kind() {
				t.Errorf("%v, %g mm high: %v, %v", want.Kind(), height, got, ok)
				continue
			}
			if length, angle := differ(got, want); length > 1e-6 || angle > 1e-6 {
				t.Errorf("%v, %g mm high: off by %g mm, %g rad", want.Kind(), height, length, angle)
			}
		}
	}
}
