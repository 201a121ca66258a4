package iges

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestMatrixOfSurface moves surfaces whose parameters are lengths by matrices of all kinds: the corners of a
// face within the limits of the surface move with them.
func TestMatrixOfSurface(t *testing.T) {
	turn := func(p geom.Vec3) geom.Vec3 { return geom.Vec3{X: -p.Y, Y: p.X, Z: p.Z} }
	for _, c := range []struct {
		name, matrix string
		form         int
		move         func(p geom.Vec3) geom.Vec3
		warning      string
	}{
		{"shift", "1.,0.,0.,3.,0.,1.,0.,4.,0.,0.,1.,5.", 0,
			func(p geom.Vec3) geom.Vec3 { return p.Add(geom.Vec3{X: 3, Y: 4, Z: 5}) }, ""},
		{"turn", "0.,-1.,0.,0.,1.,0.,0.,0.,0.,0.,1.,0.", 0, turn, ""},
		{"mirror", "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,-1.,0.", 1,
			func(p geom.Vec3) geom.Vec3 { return geom.Vec3{X: p.X, Y: p.Y, Z: -p.Z} }, ""},
		{"turn with rounding", "0.,-1.0004,0.,0.,.9997,0.,0.,0.,0.,0.,1.,0.", 0, turn, ""},
		{"scale", "2.,0.,0.,1.,0.,2.,0.,0.,0.,0.,2.,0.", 0,
			func(p geom.Vec3) geom.Vec3 { return p.Scale(2).Add(geom.Vec3{X: 1}) }, "scaled_matrix"},
		{"mirror and scale", "0.5,0.,0.,0.,0.,0.5,0.,0.,0.,0.,-.5,0.", 1,
			func(p geom.Vec3) geom.Vec3 { return geom.Vec3{X: p.X / 2, Y: p.Y / 2, Z: -p.Z / 2} }, "scaled_matrix"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			m := d.Add(124, c.form, "%s", c.matrix)
			arc := d.Put(igestest.Entry{Type: 100, Status: "00010000", Parameters: "0.,0.,0.,5.,0.,0.,5."})
			d.Put(igestest.Entry{Type: 122, Transform: m, Parameters: fmt.Sprintf("%d,5.,0.,40.", arc)})
			got := mustRead(t, d)
			for _, p := range []geom.Vec3{{X: 5}, {Y: 5}, {X: 5, Z: 40}, {Y: 5, Z: 40}} {
				want, best := c.move(p), math.Inf(1)
				for _, v := range got.Vertices {
					best = min(best, v.Point.Dist(want))
				}
				if best > 1e-9 {
					t.Errorf("no corner at %v: %v", want, got.Vertices)
				}
			}
			if n := warned(got, "scaled_matrix"); (n > 0) != (c.warning != "") {
				t.Errorf("%d warnings of a scale", n)
			}
		})
	}
}

// TestMatrixOfParameters scales a surface whose boundary is given in its parameters.
func TestMatrixOfParameters(t *testing.T) {
	d := &igestest.Deck{}
	m := d.Add(124, 0, "3.,0.,0.,0.,0.,3.,0.,0.,0.,0.,3.,0.")
	axis := d.Put(igestest.Entry{Type: 110, Status: "00010000", Parameters: "0.,0.,0.,0.,0.,1."})
	line := d.Put(igestest.Entry{Type: 110, Status: "00010000", Parameters: "5.,0.,0.,5.,0.,40."})
	on := d.Put(igestest.Entry{Type: 120, Status: "00010000", Transform: m,
		Parameters: fmt.Sprintf("%d,%d,0.,6.2831853", axis, line)})
	flat := rectangle(d, 0.25, 0.75, 0.5, 1)
	bound := d.Put(igestest.Entry{Type: 142, Status: "00010000", Parameters: fmt.Sprintf("0,%d,%d,0,1", on, flat)})
	d.Add(144, 0, "%d,1,0,%d", on, bound)
	got := mustRead(t, d)
	want := geom.Vec3{X: 15 * math.Cos(0.5), Y: 15 * math.Sin(0.5), Z: 30}
	best := math.Inf(1)
	for _, v := range got.Vertices {
		best = min(best, v.Point.Dist(want))
	}
	if best > 1e-9 {
		t.Errorf("no corner at %v: %v", want, got.Vertices)
	}
}

func TestMatrixRefused(t *testing.T) {
	for _, c := range []struct{ name, matrix string }{
		{"sheared", "1.,0.5,0.,0.,0.,1.,0.,0.,0.,0.,1.,0."},
		{"stretched one way", "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,2.,0."},
		{"flat", "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,0.,0."},
		{"nothing", "0.,0.,0.,0.,0.,0.,0.,0.,0.,0.,0.,0."},
		{"enormous", "1E9,0.,0.,0.,0.,1E9,0.,0.,0.,0.,1E9,0."},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			d.Add(124, 0, "%s", c.matrix)
			on := bilinear(d, 0, "00010000")
			d.Put(igestest.Entry{Type: 144, Transform: 1, Parameters: fmt.Sprintf("%d,0,0,0", on)})
			_, err := readDeck(t, d)
			var f *fault.Error
			if !errors.As(err, &f) {
				t.Errorf("got %v, want a failure", err)
			}
		})
	}
}
