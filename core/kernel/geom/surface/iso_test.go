package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// isoSurfaces are surfaces of every kind with a finite rectangle of their parameters.
func isoSurfaces(t testing.TB) map[string]struct {
	s    Surface
	u, v geom.Interval
} {
	t.Helper()
	f := geom.NewFrame(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1, Y: 1, Z: 2}, geom.Vec3{X: 1})
	net := func(weights []float64) *BSpline {
		var points []geom.Vec3
		for i := range 4 {
			for j := range 4 {
				points = append(points, geom.Vec3{X: float64(i), Y: float64(j), Z: math.Sin(float64(i * j))})
			}
		}
		knots := []float64{0, 0, 0, 1, 3, 3, 3}
		s, err := NewBSpline(2, 2, knots, knots, points, weights)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	weights := make([]float64, 16)
	for i := range weights {
		weights[i] = 1 + float64(i%3)
	}
	profile := curve.Ellipse{Frame: f, Major: 3, Minor: 1}
	extrusion, err := NewExtrusion(profile, geom.Vec3{X: 1, Y: 5, Z: 1})
	if err != nil {
		t.Fatal(err)
	}
	revolution, err := NewRevolution(profile, geom.Vec3{X: 9}, geom.Vec3{Y: 1})
	if err != nil {
		t.Fatal(err)
	}
	offset, err := NewOffset(net(nil), 0.1)
	if err != nil {
		t.Fatal(err)
	}
	unit, turn := geom.Interval{Lo: 0.25, Hi: 2}, geom.Interval{Lo: 1, Hi: 4}
	return map[string]struct {
		s    Surface
		u, v geom.Interval
	}{
		"plane":               {Plane{f}, unit, unit},
		"cylinder":            {Cylinder{f, 2}, turn, unit},
		"cone":                {Cone{Frame: f, Radius: 1, HalfAngle: 0.4}, turn, unit},
		"sphere":              {Sphere{f, 2}, turn, geom.Interval{Lo: -1, Hi: 1.2}},
		"torus":               {Torus{Frame: f, Major: 5, Minor: 2}, turn, turn},
		"B-spline":            {net(nil), unit, unit},
		"rational B-spline":   {net(weights), unit, unit},
		"extrusion":           {extrusion, turn, unit},
		"revolution":          {revolution, turn, turn},
		"offset":              {offset, unit, unit},
		"mirrored torus":      {Torus{Frame: f, Major: 5, Minor: 2}.Transform(mirrored), turn, turn},
		"mirrored cylinder":   {Cylinder{f, 2}.Transform(mirrored), turn, unit},
		"mirrored revolution": {revolution.Transform(mirrored), turn, turn},
	}
}

var mirrored = geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}

// TestIsoLinesLieOnTheSurface compares points along iso-lines with the surface, at their ends exactly.
func TestIsoLinesLieOnTheSurface(t *testing.T) {
	for name, c := range isoSurfaces(t) {
		rapid.Check(t, func(rt *rapid.T) {
			alongU := rapid.Bool().Draw(rt, "along u")
			iv, across := c.v, c.u
			if alongU {
				iv, across = c.u, c.v
			}
			at := across.At(rapid.Float64Range(0, 1).Draw(rt, "at"))
			place := func(t float64) geom.Vec3 {
				if alongU {
					return c.s.At(t, at)
				}
				return c.s.At(at, t)
			}
			line, r := Iso(c.s, alongU, at, iv)
			if line == nil {
				rt.Fatalf("%s: no curve", name)
			}
			const rounding = 1e-9
			if d := line.At(r.Lo).Dist(place(iv.Lo)) + line.At(r.Hi).Dist(place(iv.Hi)); d > rounding {
				rt.Errorf("%s: the ends are %g mm off", name, d)
			}
			for _, x := range []float64{0.2, 0.5, 0.9} {
				p := line.At(r.At(x))
				if uv, d := c.s.Invert(p); d > rounding {
					rt.Errorf("%s: %g mm off the surface at %v", name, d, uv)
				}
				if _, d := line.Invert(place(iv.At(x))); d > 1e-7 {
					rt.Errorf("%s: a point of the iso-line is %g mm off the curve", name, d)
				}
			}
		})
	}
}

func TestIsoLinesOfTheirKind(t *testing.T) {
	all := isoSurfaces(t)
	for _, c := range []struct {
		name string
		u, v curve.Kind // of the lines along u and along v
	}{
		{"plane", curve.KindLine, curve.KindLine}, {"cylinder", curve.KindCircle, curve.KindLine},
		{"cone", curve.KindCircle, curve.KindLine}, {"sphere", curve.KindCircle, curve.KindCircle},
		{"torus", curve.KindCircle, curve.KindCircle}, {"B-spline", curve.KindBSpline, curve.KindBSpline},
		{"extrusion", curve.KindEllipse, curve.KindLine}, {"revolution", curve.KindCircle, curve.KindEllipse},
		{"offset", curve.KindOnSurface, curve.KindOnSurface},
	} {
		s := all[c.name]
		u, _ := Iso(s.s, true, s.v.Lo, s.u)
		v, _ := Iso(s.s, false, s.u.Lo, s.v)
		if u.Kind() != c.u || v.Kind() != c.v {
			t.Errorf("%s: kinds %d along u and %d along v", c.name, u.Kind(), v.Kind())
		}
	}
	pole := Sphere{geom.NewFrame(geom.Vec3{}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), 2}
	if c, _ := Iso(pole, true, math.Pi/2, geom.Interval{Hi: 2 * math.Pi}); c != nil {
		t.Errorf("the pole of a sphere is no point but a curve of kind %d", c.Kind())
	}
}
