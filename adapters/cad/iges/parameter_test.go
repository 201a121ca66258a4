package iges

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// rectangle adds four lines in the parameter plane as one chain.
func rectangle(d *igestest.Deck, a0, a1, b0, b1 float64) int {
	x, y := [5]float64{a0, a1, a1, a0, a0}, [5]float64{b0, b0, b1, b1, b0}
	var lines [4]int
	for i := range lines {
		lines[i] = d.Put(igestest.Entry{Type: 110, Status: "00010500",
			Parameters: fmt.Sprintf("%.15g,%.15g,0.,%.15g,%.15g,0.", x[i], y[i], x[i+1], y[i+1])})
	}
	return d.Put(igestest.Entry{Type: 102, Status: "00010500",
		Parameters: fmt.Sprintf("4,%d,%d,%d,%d", lines[0], lines[1], lines[2], lines[3])})
}

// TestParameterCurves bounds faces by curves in the parameter plane only, in all parameter ranges that writers use.
func TestParameterCurves(t *testing.T) {
	const dependent = "00010000"
	add := func(d *igestest.Deck, kind, form int, format string, args ...any) int {
		return d.Put(igestest.Entry{Type: kind, Form: form, Status: dependent,
			Parameters: fmt.Sprintf(format, args...)})
	}
	turned := func(d *igestest.Deck) int { // a cylinder of radius 5 and height 40
		axis, line := add(d, 110, 0, "0.,0.,0.,0.,0.,1."), add(d, 110, 0, "5.,0.,0.,5.,0.,40.")
		return add(d, 120, 0, "%d,%d,0.,%.15g", axis, line, 2*math.Pi)
	}
	moved := func(d *igestest.Deck) int { // an arc of 90° from (0, 5, 0), moved by 40
		arc := add(d, 100, 0, "0.,0.,0.,0.,5.,-5.,0.")
		return add(d, 122, 0, "%d,0.,5.,40.", arc)
	}
	round := func(d *igestest.Deck) int {
		o, z, x := add(d, 116, 0, "0.,0.,0.,0"), add(d, 123, 0, "0.,0.,1."), add(d, 123, 0, "1.,0.,0.")
		return add(d, 192, 1, "%d,%d,5.,%d", o, z, x)
	}
	ball := func(d *igestest.Deck) int {
		o, z, x := add(d, 116, 0, "0.,0.,0.,0"), add(d, 123, 0, "0.,0.,1."), add(d, 123, 0, "1.,0.,0.")
		return add(d, 196, 1, "%d,5.,%d,%d", o, z, x)
	}
	flat := func(d *igestest.Deck) int {
		o, z, x := add(d, 116, 0, "0.,0.,0.,0"), add(d, 123, 0, "0.,0.,1."), add(d, 123, 0, "0.,1.,0.")
		return add(d, 190, 1, "%d,%d,%d", o, z, x)
	}
	linear := func(d *igestest.Deck) int { // a directrix that is a B-spline of degree 1 over [2, 4]
		c := add(d, 126, 0, "1,1,0,0,1,0,2.,2.,4.,4.,1.,1.,0.,0.,0.,10.,0.,0.,2.,4.,0.,0.,1.")
		return add(d, 122, 0, "%d,0.,0.,40.", c)
	}
	at := func(r, angle, z float64) geom.Vec3 {
		s, c := math.Sincos(angle)
		return geom.Vec3{X: r * c, Y: r * s, Z: z}
	}
	for _, c := range []struct {
		name           string
		surface        func(d *igestest.Deck) int
		a0, a1, b0, b1 float64
		low, high      geom.Vec3 // opposite corners
	}{
		{"revolution, natural", turned, 0.25, 0.75, 0.5, 1, at(5, 0.5, 10), at(5, 1, 30)},
		{"revolution, all of the profile", turned, 0, 1, 0.5, 1, at(5, 0.5, 0), at(5, 1, 40)},
		{"revolution, angle in degrees", turned, 0.25, 0.75, 30, 60, at(5, math.Pi/6, 10), at(5, math.Pi/3, 30)},
		{"cylinder of an arc, natural", moved, 1.7, 3, 0.25, 0.5, at(5, 1.7, 10), at(5, 3, 20)},
		{"cylinder of an arc, from 0 to 1", moved, 0, 1, 0.25, 0.5, at(5, math.Pi/2, 10), at(5, math.Pi, 20)},
		{"cylinder of an arc, inside 0 to 1", moved, 0.1, 0.9, 0.25, 0.5, at(5, 0.55*math.Pi, 10),
			at(5, 0.95*math.Pi, 20)},
		{"plane of a spline", linear, 2.5, 3, 0, 0.5, geom.Vec3{X: 2.5}, geom.Vec3{X: 5, Z: 20}},
		{"cylinder", round, 1, 2, 3, 4, at(5, 1, 3), at(5, 2, 4)},
		{"sphere", ball, 1, 2, 0.1, 0.5, at(5*math.Cos(0.1), 1, 5*math.Sin(0.1)),
			at(5*math.Cos(0.5), 2, 5*math.Sin(0.5))},
		{"plane", flat, 1, 2, 3, 5, geom.Vec3{X: -3, Y: 1}, geom.Vec3{X: -5, Y: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			on := c.surface(d)
			chain := rectangle(d, c.a0, c.a1, c.b0, c.b1)
			bound := add(d, 142, 0, "0,%d,%d,0,1", on, chain)
			d.Add(144, 0, "%d,1,0,%d", on, bound)
			m := mustRead(t, d)
			if len(m.Faces) != 1 || len(m.Edges) != 4 {
				t.Fatalf("%d faces and %d edges, want 1 and 4", len(m.Faces), len(m.Edges))
			}
			for _, want := range []geom.Vec3{c.low, c.high} {
				best := math.Inf(1)
				for _, v := range m.Vertices {
					best = min(best, v.Point.Dist(want))
				}
				if best > 1e-9 {
					t.Errorf("no corner at %v: %v", want, m.Vertices)
				}
			}
			for _, e := range m.Edges {
				if p := e.Curve.At(e.Range.Mid()); offSurface(m, p) > 1e-9 {
					t.Errorf("%v is no point of the surface", p)
				}
			}
		})
	}
}

func offSurface(m *brep.Model, p geom.Vec3) float64 {
	_, d := m.Faces[0].Surface.Invert(p)
	return d
}

// TestCurveOffSurface checks that the curve in the parameter plane is used if the curve in space is off the surface.
func TestCurveOffSurface(t *testing.T) {
	d := &igestest.Deck{}
	on := bilinear(d, 0, "00010000")
	flat := rectangle(d, 0.25, 0.75, 0.25, 0.75)
	wrong := d.Put(igestest.Entry{Type: 100, Status: "00010000", Parameters: "3.,0.,0.,1.,0.,1.,0."})
	bound := d.Put(igestest.Entry{Type: 142, Status: "00010000",
		Parameters: fmt.Sprintf("0,%d,%d,%d,3", on, flat, wrong)})
	d.Add(144, 0, "%d,1,0,%d", on, bound)
	m := mustRead(t, d)
	if len(m.Edges) != 4 || warned(m, "curve_off_surface") != 1 {
		t.Fatalf("%d edges and warnings %v, want 4 edges and a warning", len(m.Edges), m.Warnings)
	}
	for _, v := range m.Vertices {
		if v.Point.Z != 0 || v.Point.Dist(geom.Vec3{X: 0.5, Y: 0.5}) > 0.25*math.Sqrt2+1e-12 {
			t.Errorf("a corner at %v", v.Point)
		}
	}
}

// TestBoundaryOfUnknownParameters bounds a plane by coefficients (108), which has no parameters, in its parameter
// plane.
func TestBoundaryOfUnknownParameters(t *testing.T) {
	d := &igestest.Deck{}
	on := d.Put(igestest.Entry{Type: 108, Status: "00010000", Parameters: "0.,0.,1.,0.,0,0.,0.,0.,0."})
	flat := rectangle(d, 0, 1, 0, 1)
	bound := d.Put(igestest.Entry{Type: 142, Status: "00010000", Parameters: fmt.Sprintf("0,%d,%d,0,1", on, flat)})
	d.Add(144, 0, "%d,1,0,%d", on, bound)
	if m, err := readDeck(t, d); err == nil {
		t.Errorf("read %d faces, want a failure", len(m.Faces))
	}
}
