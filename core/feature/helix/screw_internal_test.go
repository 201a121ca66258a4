package helix

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// flankSamples returns points of a straight flank that climbs k mm per radian, of a tapered thread by taper mm more
// from the axis per mm along it.
func flankSamples(f geom.Frame, radius, high, k, lean, taper, turn float64) []sample {
	var out []sample
	for i := range 121 {
		for j := range 5 {
			a, r := turn*float64(i)/120, radius+high*float64(j)/4
			at := func(a, r float64) geom.Vec3 {
				sin, cos := math.Sincos(a)
				off := r + taper*k*a
				return f.Origin.AddScaled(off*cos, f.X).AddScaled(off*sin, f.Y).AddScaled(k*a+lean*(r-radius), f.Z)
			}
			const h = 1e-5
			n := at(a+h, r).Sub(at(a-h, r)).Cross(at(a, r+h).Sub(at(a, r-h))).Unit()
			out = append(out, sample{at: at(a, r), normal: n, area: r})
		}
	}
	return out
}

func TestScrewsOfFlanks(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		in := func(lo, hi float64, name string) float64 { return rapid.Float64Range(lo, hi).Draw(r, name) }
		axis := geom.Vec3{X: in(-1, 1, "x"), Y: in(-1, 1, "y"), Z: in(0.2, 1, "z")}.Unit()
		f := geom.NewFrame(geom.Vec3{X: in(-50, 50, "ox"), Y: in(-50, 50, "oy"), Z: in(-50, 50, "oz")}, axis, geom.Vec3{})
		radius := in(1, 50, "radius")
		k := in(0.02, 0.25, "climb") * radius
		if rapid.Bool().Draw(r, "left") {
			k = -k
		}
		samples := flankSamples(f, radius, 0.15*radius, k, in(-0.6, 0.6, "lean"), 0, in(1.2, 20, "turn"))
		known, ok := about(&graph.Shape{Origin: f.Origin, Axis: graph.Canonical(f.Z)}, samples)
		if !ok || math.Abs(known.climb-k) > 1e-4*math.Abs(k) {
			r.Fatalf("about its axis it climbs %v mm per rad (%v), want %v", known.climb, ok, k)
		}
		s, ok := free(samples)
		if !ok || math.Abs(s.climb-k) > 1e-2*math.Abs(k) || graph.DistanceToAxis(&s.axis, f.Origin) > 1e-2*radius ||
			!(s.axis.Axis.Cross(f.Z).Norm() < 1e-2) {
			r.Fatalf("climbs %v mm per rad (%v) about %v, %v off; want %v about %v", s.climb, ok, s.axis.Axis,
				graph.DistanceToAxis(&s.axis, f.Origin), k, f.Z)
		}
	})
}

// Both flanks of a tapered thread follow helices whose mean is its own.
func TestTaperedFlanks(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{})
	axis := graph.Shape{Axis: geom.Vec3{Z: 1}}
	mean := 0.0
	for _, lean := range []float64{0.5, -0.5} {
		s, ok := about(&axis, flankSamples(f, 6, 0.8, 0.3, lean, 1.0/32, 12))
		if !ok || math.Abs(s.climb-0.3) < 1e-3 {
			t.Errorf("lean %v: climbs %v (%v), want not quite 0.3", lean, s.climb, ok)
		}
		mean += s.climb / 2
	}
	if math.Abs(mean-0.3) > 1e-4 {
		t.Errorf("mean climb %v, want 0.3", mean)
	}
}

// A surface that turns about an axis, runs along a line, or climbs like a flute is not a thread.
func TestOtherSurfacesAreNotScrews(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{})
	wavy := flankSamples(f, 6, 0.8, 0, 0.5, 0, 6) // a cone
	for i := range wavy {
		wavy[i].normal = wavy[i].normal.AddScaled(1e-3*math.Sin(float64(7*i)), geom.Vec3{X: 1}).Unit()
	}
	var straight []sample // a parabola swept along a line
	for i := range 20 {
		for j := range 20 {
			x := float64(i)/10 - 1
			straight = append(straight, sample{at: geom.Vec3{X: x, Y: float64(j), Z: x * x},
				normal: geom.Vec3{X: -2 * x, Z: 1}.Unit(), area: 1})
		}
	}
	for name, samples := range map[string][]sample{
		"cone, not quite exact": wavy, "flute": flankSamples(f, 6, 0.8, 9, 0.5, 0, 2), "swept along a line": straight,
	} {
		if s, ok := free(samples); ok {
			t.Errorf("%s: follows %+v", name, s)
		}
		if s, ok := about(&graph.Shape{Axis: geom.Vec3{Z: 1}}, samples); ok {
			t.Errorf("%s: climbs %+v", name, s.climb)
		}
	}
}
