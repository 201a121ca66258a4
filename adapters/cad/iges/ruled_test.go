package iges

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestRuledSurface compares lines of ruled surfaces with points on their rails, by length and by parameter.
func TestRuledSurface(t *testing.T) {
	// An arc of a right angle with radius 20, a line above it, a parabola by parameter.
	arc := func(f float64) geom.Vec3 {
		s, c := math.Sincos(f * math.Pi / 2)
		return geom.Vec3{X: 20 * c, Y: 20 * s}
	}
	line := func(f float64) geom.Vec3 { return geom.Vec3{X: 20 - 20*f, Y: 20 * f, Z: 10} }
	bent := func(f float64) geom.Vec3 { return geom.Vec3{X: 20 * (1 - f) * (1 - f), Y: 20 * f * f, Z: 5} }
	corner := func(f float64) geom.Vec3 { // a line of length 10, then one of length 30
		if f < 0.25 {
			return geom.Vec3{X: 40 * f, Z: 7}
		}
		return geom.Vec3{X: 10, Y: 40 * (f - 0.25), Z: 7}
	}
	cornerByParameter := func(f float64) geom.Vec3 {
		if f < 0.5 {
			return geom.Vec3{X: 20 * f, Z: 7}
		}
		return geom.Vec3{X: 10, Y: 60 * (f - 0.5), Z: 7}
	}
	top := func(float64) geom.Vec3 { return geom.Vec3{X: 1, Y: 2, Z: 30} }
	backwards := func(c func(float64) geom.Vec3) func(float64) geom.Vec3 {
		return func(f float64) geom.Vec3 { return c(1 - f) }
	}
	const (
		arcEntity    = "0.,0.,0.,20.,0.,0.,20."
		lineEntity   = "20.,0.,10.,0.,20.,10."
		bentEntity   = "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,20.,0.,5.,0.,0.,5.,0.,20.,5.,0.,1.,0.,0.,1."
		doubleEntity = "2,2,0,0,1,0,0.,0.,0.,2.,2.,2.,1.,1.,1.,40.,0.,15.,0.,0.,15.,0.,40.,15.,0.,2.,0.,0.,1."
	)
	chain := func(d *igestest.Deck) int {
		a, b := d.Add(110, 0, "0.,0.,7.,10.,0.,7."), d.Add(110, 0, "10.,0.,7.,10.,30.,7.")
		return d.Add(102, 0, "2,%d,%d", a, b)
	}
	for _, c := range []struct {
		name   string
		form   int
		flag   int
		first  func(d *igestest.Deck) int
		second func(d *igestest.Deck) int
		a, b   func(f float64) geom.Vec3
		pieces int // breaks of u if the rails are exact, 0 for approximated rails
	}{
		{"arc and line by length", 0, 0, of(100, arcEntity), of(110, lineEntity), arc, line, 0},
		{"arc and line by parameter", 1, 0, of(100, arcEntity), of(110, lineEntity), arc, line, 0},
		{"line and arc, opposite", 1, 1, of(110, lineEntity), of(100, arcEntity), line, backwards(arc), 0},
		{"two lines", 0, 0, of(110, lineEntity), of(110, "0.,0.,0.,1.,0.,0."), line,
			func(f float64) geom.Vec3 { return geom.Vec3{X: f} }, 2},
		{"spline and line by parameter", 1, 0, of(126, bentEntity), of(110, lineEntity), bent, line, 2},
		{"splines in step by length", 0, 0, of(126, bentEntity), of(126, doubleEntity), nil, nil, 2},
		{"chain and line by length", 0, 0, chain, of(110, lineEntity), corner, line, 0},
		{"chain and line by parameter", 1, 0, chain, of(110, lineEntity), cornerByParameter, line, 0},
		{"arc and point", 0, 0, of(100, arcEntity), of(116, "1.,2.,30.,0"), nil, top, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			first, second := c.first(d), c.second(d)
			d.Put(igestest.Entry{Type: 118, Form: c.form, Parameters: fmt.Sprintf("%d,%d,%d,0", first, second, c.flag)})
			for i := range d.Entries[:len(d.Entries)-1] {
				d.Entries[i].Status = "00010000"
			}
			s, ok := mustRead(t, d).Faces[0].Surface.(*surface.BSpline)
			if !ok {
				t.Fatal("no B-spline surface")
			}
			if breaks, _ := s.Breaks(); (len(breaks) == c.pieces) != (c.pieces > 0) {
				t.Errorf("breaks %v, want %d of them", breaks, c.pieces)
			}
			for i := range 33 {
				f := float64(i) / 32
				if c.a != nil {
					near(t, s.At(f, 0), c.a(f))
				}
				if c.b != nil {
					near(t, s.At(f, 1), c.b(f))
				}
				if c.a != nil && c.b != nil {
					near(t, s.At(f, 0.5), c.a(f).Lerp(c.b(f), 0.5))
				}
			}
		})
	}
}

// of returns a function that adds an entity.
func of(kind int, parameters string) func(d *igestest.Deck) int {
	return func(d *igestest.Deck) int { return d.Add(kind, 0, "%s", parameters) }
}

func near(t *testing.T, got, want geom.Vec3) {
	t.Helper()
	if got.Dist(want) > 2*railFit {
		t.Errorf("%v, want %v, %.2g mm away", got, want, got.Dist(want))
	}
}

// TestRuledByLengthOfSpline compares with points found by summing up a curve's length.
func TestRuledByLengthOfSpline(t *testing.T) {
	d := &igestest.Deck{}
	a := d.Put(igestest.Entry{Type: 126, Status: "00010000", Parameters: "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,2.,1.," +
		"0.,0.,0.,30.,0.,0.,30.,5.,0.,0.,1.,0.,0.,1."})
	b := d.Put(igestest.Entry{Type: 110, Status: "00010000", Parameters: "0.,0.,9.,30.,5.,9."})
	d.Add(118, 0, "%d,%d,0,0", a, b)
	s := mustRead(t, d).Faces[0].Surface
	rail := func(t float64) geom.Vec3 { // the same conic in closed form
		w0, w1, w2 := (1-t)*(1-t), 4*t*(1-t), t*t
		w := w0 + w1 + w2
		return geom.Vec3{X: (30*w1 + 30*w2) / w, Y: 5 * w2 / w}
	}
	const n = 1 << 14
	total := 0.0
	for i := range n {
		total += rail(float64(i) / n).Dist(rail(float64(i+1) / n))
	}
	sum := 0.0
	for i := range n {
		if i%(n/8) == 0 {
			const chords = 1e-5 // mm: error of the sum
			if got, want := s.At(sum/total, 0), rail(float64(i)/n); got.Dist(want) > chords {
				t.Errorf("share %g: %v, want %v", sum/total, got, want)
			}
		}
		sum += rail(float64(i) / n).Dist(rail(float64(i+1) / n))
	}
}
