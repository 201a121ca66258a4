package geometry

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// meridianCircle is a circle in the XZ plane, parameter 0 at the angle start from X, running to Z or back.
func meridianCircle(d, r, start float64, back bool) curve.Circle {
	sin, cos := math.Sincos(start)
	z := geom.Vec3{Y: -1}
	if back {
		z = z.Neg()
	}
	return curve.Circle{Radius: r, Frame: geom.NewFrame(geom.Vec3{X: d}, z, geom.Vec3{X: cos, Z: sin})}
}

func TestMeridian(t *testing.T) {
	const half = math.Pi / 2
	z := geom.Vec3{Z: 1}
	for _, c := range []struct {
		name     string
		profile  curve.Curve
		axis     geom.Vec3
		lo, hi   float64
		isCircle bool
	}{
		{"sphere from its equator", meridianCircle(0, 2, 0, false), z, -half, half, false},
		{"sphere from its equator, running down", meridianCircle(0, 2, 0, true), z, -half, half, false},
		{"sphere from its south pole", meridianCircle(0, 2, -half, false), z, 0, math.Pi, false},
		{"sphere from its north pole", meridianCircle(0, 2, half, false), z, 0, math.Pi, false},
		{"sphere about the axis downwards", meridianCircle(0, 2, 0.3, false), z.Neg(), -half - 0.3,
			half - 0.3, false},
		{"apple", meridianCircle(1, 2, 0, false), z, -2 * math.Pi / 3, 2 * math.Pi / 3, false},
		{"lemon", meridianCircle(1, 2, math.Pi, false), z, -math.Pi / 3, math.Pi / 3, false},
		{"torus", meridianCircle(5, 2, 0, false), z, 0, 0, true},
		{"touching the axis", meridianCircle(2, 2, 0, false), z, 0, 0, true},
		{"circle in another plane", curve.Circle{Radius: 2, Frame: geom.NewFrame(geom.Vec3{Y: 1},
			geom.Vec3{Y: -1},
			geom.Vec3{X: 1})}, z, 0, 0, true},
		{"circle across the axis", curve.Circle{Radius: 2, Frame: geom.NewFrame(geom.Vec3{X: 1}, z,
			geom.Vec3{})},
			z, 0, 0, true},
		{"line", curve.Line{Origin: geom.Vec3{X: 1}, Dir: z}, z, 0, 0, true},
	} {
		got := meridian(c.profile, geom.Vec3{Z: 7}, c.axis.Scale(3))
		arc, ok := got.(*curve.Trimmed)
		if ok == c.isCircle {
			t.Errorf("%s: %T", c.name, got)
			continue
		}
		const rounding = 1e-12
		if ok && (math.Abs(arc.Range.Lo-c.lo) > rounding || math.Abs(arc.Range.Hi-c.hi) > rounding) {
			t.Errorf("%s: %v, want [%g, %g]", c.name, arc.Range, c.lo, c.hi)
		}
	}
}

// TestMeridianStaysOnOneSide checks that the arc stays on its start side for each start of the circle.
func TestMeridianStaysOnOneSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.1, 100).Draw(t, "r")
		d := r * rapid.Float64Range(-0.99, 0.99).Draw(t, "d")
		c := meridianCircle(d, r, rapid.Float64Range(-4, 4).Draw(t, "start"), rapid.Bool().Draw(t, "back"))
		arc := meridian(c, geom.Vec3{}, geom.Vec3{Z: 1}).(*curve.Trimmed)
		if !(arc.Range.Lo <= 0 && arc.Range.Hi > 0) {
			t.Fatalf("%v does not hold the start of the parameter", arc.Range)
		}
		const rounding = 1e-6 // of the radius; the root loses half of the digits where the circle just crosses
		if a, b := c.At(arc.Range.Lo),
			c.At(arc.Range.Hi); math.Abs(a.X) > rounding*r || math.Abs(b.X) > rounding*r {
			t.Fatalf("the ends %v and %v are not on the axis", a, b)
		}
		side := c.At(arc.Range.Mid()).X
		for k := range 20 {
			if x := c.At(arc.Range.At((float64(k) + 0.5) / 20)).X; x*side <= 0 {
				t.Fatalf("radius %g at one place and %g at another", side, x)
			}
		}
	})
}

// TestPartsCoverTheCircle checks that every point of a revolved circle is on the whole surface, and on the part that
// meridian chose or on the other part.
func TestPartsCoverTheCircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.Float64Range(0.1, 100).Draw(t, "r")
		// Of two sheets that nearly coincide either will do.
		d := r * rapid.Float64Range(0.01, 0.9).Draw(t, "d") * rapid.SampledFrom([]float64{1, -1}).Draw(t, "side")
		c := meridianCircle(d, r, rapid.Float64Range(-4, 4).Draw(t, "start"), rapid.Bool().Draw(t, "back"))
		axis := geom.Vec3{Z: 1}
		s, err := surface.NewRevolution(meridian(c, geom.Vec3{}, axis), geom.Vec3{}, axis)
		if err != nil {
			t.Fatal(err)
		}
		parts := Parts(s)
		if len(parts) != 2 {
			t.Fatalf("%d other parts, want 2", len(parts))
		}
		p := c.At(rapid.Float64Range(0, 2*math.Pi).Draw(t, "at"))
		sin, cos := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "turn"))
		p = geom.Vec3{X: p.X * cos, Y: p.X * sin, Z: p.Z}
		_, here := s.Invert(p)
		_, there := parts[0].Invert(p)
		_, whole := parts[1].Invert(p)
		const rounding = 1e-9 // of the radius
		if min(here, there) > rounding*r || whole > rounding*r {
			t.Fatalf("%v is %g off the part, %g off the other, %g off the whole", p, here, there, whole)
		}
	})
	if parts := Parts(surface.Plane{Frame: geom.World}); parts != nil {
		t.Errorf("a plane has the parts %v", parts)
	}
}
