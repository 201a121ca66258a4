package tessellate

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func shapeOf(s surface.Surface) *shape {
	sh := &shape{}
	sh.set(s)
	return sh
}

var tilted = geom.NewFrame(geom.Vec3{X: 3, Y: -7, Z: 11}, geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1})

// analytic lists one surface of each kind with a closed-form distance and a parameter box on it.
func analytic() map[string]surface.Surface {
	return map[string]surface.Surface{
		"plane":          surface.Plane{Frame: tilted},
		"cylinder":       surface.Cylinder{Frame: tilted, Radius: 4},
		"cone":           surface.Cone{Frame: tilted, Radius: 4, HalfAngle: 0.5},
		"narrowing cone": surface.Cone{Frame: tilted, Radius: 4, HalfAngle: -0.5},
		"sphere":         surface.Sphere{Frame: tilted, Radius: 4},
		"torus":          surface.Torus{Frame: tilted, Major: 5, Minor: 2},
	}
}

func TestGapMatchesInversionDistance(t *testing.T) {
	for name, s := range analytic() {
		sh := shapeOf(s)
		rapid.Check(t, func(t *rapid.T) {
			d := func(axis string) float64 { return rapid.Float64Range(-9, 9).Draw(t, axis) }
			p := tilted.Point(geom.Vec3{X: d("x"), Y: d("y"), Z: d("z")})
			_, want := s.Invert(p)
			const nearTheAxis = 1e-6 // where the distance from it is a difference of squares
			if got := sh.gap(p); math.Abs(got-want) > nearTheAxis {
				t.Fatalf("%s: gap(%v) = %g, want %g", name, p, got, want)
			}
		})
	}
}

func TestShapeGivesPointAndNormal(t *testing.T) {
	for name, s := range analytic() {
		sh := shapeOf(s)
		for _, uv := range []geom.Vec2{{}, {X: 1, Y: 0.5}, {X: 4, Y: -1}} {
			p, n := sh.at(uv)
			if p != s.At(uv.X, uv.Y) || n.Dist(s.Normal(uv.X, uv.Y)) > 1e-12 || sh.normal(uv).Dist(n) > 1e-12 {
				t.Errorf("%s at %v: point %v, normal %v", name, uv, p, n)
			}
		}
	}
	sh := shapeOf(surface.Sphere{Frame: tilted, Radius: 4})
	if _, n := sh.at(geom.Vec2{X: 1, Y: math.Pi / 2}); n.Dist(tilted.Z) > 1e-12 {
		t.Errorf("normal at the pole is %v, want %v", n, tilted.Z)
	}
}

func TestDensitiesInClosedForm(t *testing.T) {
	const chord, angle = 0.01, 0.35
	measure := func(s surface.Surface, lo, hi geom.Vec2) *density {
		d := &density{}
		d.measure(shapeOf(s), lo, hi, chord, angle)
		return d
	}
	lo, hi := geom.Vec2{X: 0, Y: -1}, geom.Vec2{X: 6, Y: 1}

	d := measure(surface.Plane{Frame: tilted}, lo, hi)
	if u, v := d.at(geom.Vec2{}); u > 1e-30 || v > 1e-30 {
		t.Errorf("plane: densities %g and %g, want none", u, v)
	}
	d = measure(surface.Cylinder{Frame: tilted, Radius: 4}, lo, hi)
	// The sagitta of a side over the angle 1/u is chord: R/(8u²) = chord.
	u, v := d.at(geom.Vec2{})
	if want := math.Sqrt(4 / (8 * chord)); math.Abs(u-want) > 1e-9*want {
		t.Errorf("cylinder: %g sides per rad, want %g", u, want)
	}
	if want := u / 4 / aspect; math.Abs(v-want) > 1e-9*want || !d.oneSided || d.lattice {
		t.Errorf("cylinder: %g sides per mm along the axis, want %g", v, want)
	}
	d = measure(surface.Cylinder{Frame: tilted, Radius: 0.01}, lo, hi)
	if u, _ := d.at(geom.Vec2{}); math.Abs(u-1/angle) > 1e-9/angle {
		t.Errorf("thin cylinder: %g sides per rad, want 1/%g", u, angle)
	}
	d = measure(surface.Sphere{Frame: tilted, Radius: 4}, lo, hi)
	u, v = d.at(geom.Vec2{})
	if math.Abs(u-v) > 1e-6*v || !d.lattice || d.oneSided {
		t.Errorf("sphere: densities %g and %g at the equator, want equal ones on a lattice", u, v)
	}
	if p, _ := d.at(geom.Vec2{Y: 1}); p > 0.65*u {
		t.Errorf("sphere: density %g at latitude 1, want about cos 1 of %g", p, u)
	}
	d = measure(surface.Torus{Frame: tilted, Major: 50, Minor: 0.5}, lo, hi)
	if d.lattice || d.oneSided {
		t.Errorf("a thin torus wants rows and columns")
	}
}

func TestConeDensityComesFromWideEnd(t *testing.T) {
	s := shapeOf(surface.Cone{Frame: tilted, Radius: 1, HalfAngle: 0.5})
	var a, b density
	a.measure(s, geom.Vec2{Y: 0}, geom.Vec2{X: 1, Y: 9}, 0.01, 0.35)
	b.measure(s, geom.Vec2{Y: 9}, geom.Vec2{X: 1, Y: 9}, 0.01, 0.35)
	if math.Abs(a.u[0]-b.u[0]) > 1e-12*b.u[0] || math.Abs(a.v[0]-b.v[0]) > 1e-12*b.v[0] {
		t.Errorf("densities %g, %g, want %g, %g", a.u[0], a.v[0], b.u[0], b.v[0])
	}
}

func TestCoarsenStraightLimitsSeeds(t *testing.T) {
	s := shapeOf(surface.Cylinder{Frame: tilted, Radius: 1})
	var d density
	lo, hi := geom.Vec2{}, geom.Vec2{X: 1.5, Y: 1000}
	d.measure(s, lo, hi, 0.01, 0.35)
	u0, _ := d.mean()
	d.coarsenStraight(lo, hi, 40, 0)
	u, v := d.mean()
	if u != u0 {
		t.Errorf("the density of the bend changed from %g to %g", u0, u)
	}
	if seeds := u * 1.5 * v * 1000; math.Abs(seeds-40) > 1e-6 {
		t.Errorf("%g seeds, want 40", seeds)
	}
}

func TestDensityInterpolatesAndClamps(t *testing.T) {
	d := density{nu: 2, nv: 2, lo: geom.Vec2{X: 1, Y: 1}, inverse: geom.Vec2{X: 1, Y: 0.5},
		u: []float64{1, 2, 3, 4}, v: []float64{10, 20, 30, 40}}
	for _, c := range []struct {
		at   geom.Vec2
		want float64
	}{
		{geom.Vec2{X: 1, Y: 1}, 1}, {geom.Vec2{X: 2, Y: 3}, 4}, {geom.Vec2{X: 1.5, Y: 2}, 2.5},
		{geom.Vec2{X: -9, Y: -9}, 1}, {geom.Vec2{X: 99, Y: 99}, 4}, {geom.Vec2{X: 2, Y: 1}, 3},
	} {
		if u, v := d.at(c.at); math.Abs(u-c.want) > 1e-12 || math.Abs(v-10*c.want) > 1e-11 {
			t.Errorf("at(%v) = %g, %g, want %g, %g", c.at, u, v, c.want, 10*c.want)
		}
	}
	if got := d.rowDensity(1); math.Abs(got-30) > 1e-12 {
		t.Errorf("rowDensity(1) = %g, want the larger of the row, 30", got)
	}
}

func TestExtremeDensitiesAreLeveled(t *testing.T) {
	var d density
	x := []float64{1, 1, 1, 1e17, 1, 0, 1, 1, 1}
	d.level(x)
	even(x, false)
	for i, y := range x {
		if y < 1 || y > 5 {
			t.Errorf("density %d is %g, want between 1 and 5", i, y)
		}
	}
}

func TestChartRoundTrip(t *testing.T) {
	for name, s := range analytic() {
		sh := shapeOf(s)
		lo, hi := geom.Vec2{X: 0, Y: -math.Pi / 2}, geom.Vec2{X: 6, Y: math.Pi / 2}
		var d density
		var c chart
		d.measure(sh, lo, hi, 0.01, 0.35)
		c.set(sh, &d, lo, hi)
		rapid.Check(t, func(t *rapid.T) {
			uv := geom.Vec2{X: rapid.Float64Range(0, 6).Draw(t, "u"), Y: rapid.Float64Range(lo.Y, hi.Y).Draw(t, "v")}
			if got := c.param(c.plane(uv)); got.Dist(uv) > 1e-9 {
				t.Fatalf("%s: %v came back as %v", name, uv, got)
			}
		})
	}
}

// TestSphereChartIsConformal: away from the poles a small square stays a square.
func TestSphereChartIsConformal(t *testing.T) {
	sh := shapeOf(surface.Sphere{Frame: tilted, Radius: 4})
	var d density
	var c chart
	d.measure(sh, geom.Vec2{Y: -1.5}, geom.Vec2{X: 6, Y: 1.5}, 0.001, 0.35)
	c.set(sh, &d, geom.Vec2{}, geom.Vec2{})
	for _, v := range []float64{-1.2, -0.5, 0, 0.7, 1.3} {
		const h = 1e-5
		o := c.plane(geom.Vec2{X: 1, Y: v})
		east := c.plane(geom.Vec2{X: 1 + h/math.Cos(v), Y: v}).Dist(o)
		north := c.plane(geom.Vec2{X: 1, Y: v + h}).Dist(o)
		if math.Abs(east-north) > 1e-3*north {
			t.Errorf("latitude %g: a step east is %g, a step north %g", v, east, north)
		}
	}
}
