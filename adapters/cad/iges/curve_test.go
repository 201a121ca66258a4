package iges

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// path returns n+1 points along pieces, evenly spaced in the parameter of each.
func path(pieces []piece, n int) (out []geom.Vec3) {
	for _, p := range pieces {
		for i := range n + 1 {
			x := float64(i) / float64(n)
			if p.reversed {
				x = 1 - x
			}
			out = append(out, p.c.At(p.iv.At(x)))
		}
	}
	return out
}

// TestCurves reads each kind of curve and compares points along it.
func TestCurves(t *testing.T) {
	inch := strings.Replace(igestest.Global, "2,2HMM", "1,2HIN", 1)
	for _, c := range []struct {
		name   string
		global string
		add    func(d *igestest.Deck) int
		want   string // start, middle and end of each piece
	}{
		{"line", "", func(d *igestest.Deck) int { return d.Add(110, 0, "1.,2.,3.,1.,2.,7.") },
			"(1 2 3) (1 2 5) (1 2 7)"},
		{"line in inches", inch, func(d *igestest.Deck) int { return d.Add(110, 0, "1.,2.,0.,1.,4.,0.") },
			"(25.4 50.8 0) (25.4 76.2 0) (25.4 101.6 0)"},
		{"line moved and turned", "", func(d *igestest.Deck) int {
			turn := geom.Rotation(geom.World.Z, math.Pi/2)
			turn.T = geom.Vec3{X: 10}
			return d.Put(igestest.Entry{Type: 110, Parameters: "1.,0.,0.,3.,0.,0.", Transform: matrix(d, turn, 0)})
		}, "(10 1 0) (10 2 0) (10 3 0)"},
		{"line moved by a chain of matrices", "", func(d *igestest.Deck) int {
			outer := d.Add(124, 0, "0.,-1.,0.,0.,1.,0.,0.,0.,0.,0.,1.,0.")
			inner := d.Put(igestest.Entry{Type: 124, Parameters: "1.,0.,0.,5.,0.,1.,0.,0.,0.,0.,1.,0.",
				Transform: outer})
			return d.Put(igestest.Entry{Type: 110, Parameters: "1.,0.,0.,3.,0.,0.", Transform: inner})
		}, "(0 6 0) (0 7 0) (0 8 0)"},
		{"arc mirrored", "", func(d *igestest.Deck) int {
			m := matrix(d, geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}, 1)
			return d.Put(igestest.Entry{Type: 100, Parameters: "4.,0.,0.,2.,0.,-2.,0.", Transform: m})
		}, "(-2 0 4) (0 2 4) (2 0 4)"},
		{"points in a plane", "", func(d *igestest.Deck) int { return d.Add(106, 11, "1,3,5.,0.,0.,4.,0.,4.,2.") },
			"(0 0 5) (4 0 5) (4 2 5)"},
		{"points in space", "", func(d *igestest.Deck) int {
			return d.Add(106, 12, "2,3,0.,0.,0.,1.,1.,1.,2.,2.,3.")
		}, "(0 0 0) (1 1 1) (2 2 3)"},
		{"points with vectors", "", func(d *igestest.Deck) int {
			return d.Add(106, 13, "3,3,0.,0.,0.,9.,9.,9.,1.,1.,1.,9.,9.,9.,2.,2.,3.,9.,9.,9.")
		}, "(0 0 0) (1 1 1) (2 2 3)"},
		{"points that repeat", "", func(d *igestest.Deck) int {
			return d.Add(106, 12, "2,4,0.,0.,0.,0.,0.,0.,2.,2.,2.,2.,2.,2.")
		}, "(0 0 0) (1 1 1) (2 2 2)"},
		{"straight spline", "", func(d *igestest.Deck) int {
			return d.Add(126, 0, "1,1,0,0,1,0,0.,0.,4.,4.,1.,1.,0.,0.,0.,8.,0.,0.,1.,3.,0.,0.,1.")
		}, "(2 0 0) (4 0 0) (6 0 0)"},
		{"part of a parabola", "", func(d *igestest.Deck) int {
			return d.Add(126, 0, "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,0.5,0.,0.,1.")
		}, "(0 0 0) (0.5 0.75 0) (1 1 0)"},
		{"spline whose ends are left out", "", func(d *igestest.Deck) int {
			return d.Add(126, 0, "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.")
		}, "(0 0 0) (1 1 0) (2 0 0)"},
		{"composite with a point in it", "", func(d *igestest.Deck) int {
			a := d.Add(110, 0, "0.,0.,0.,2.,0.,0.")
			b := d.Add(116, 0, "2.,0.,0.")
			c := d.Add(110, 0, "2.,0.,0.,2.,4.,0.")
			return d.Add(102, 0, "3,%d,%d,%d", a, b, c)
		}, "(0 0 0) (1 0 0) (2 0 0) (2 0 0) (2 2 0) (2 4 0)"},
		{"circle at a distance", "", func(d *igestest.Deck) int {
			base := d.Add(100, 0, "0.,0.,0.,2.,0.,-2.,0.")
			return d.Add(130, 0, "%d,1,0,0,1,1.,0.,0.,0.,0.,0.,1.,0.,3.", base)
		}, "(1 0 0) (0 1 0) (-1 0 0)"},
	} {
		d := &igestest.Deck{Global: c.global}
		r, e := open(t, t, d, c.add(d))
		pieces, err := r.curve(e)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for _, p := range path(pieces, 2) {
			round := func(x float64) float64 { return math.Round(x*1e9)/1e9 + 0 }
			got = append(got, fmt.Sprintf("(%v %v %v)", round(p.X), round(p.Y), round(p.Z)))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
}

func TestBadCurves(t *testing.T) {
	for _, c := range []struct {
		name string
		add  func(d *igestest.Deck) int
		err  string
	}{
		{"no curve", func(d *igestest.Deck) int { return d.Add(116, 0, "1.,2.,3.") },
			"D1 entity 116 (point) is not a readable curve"},
		{"ray", func(d *igestest.Deck) int { return d.Add(110, 1, "0.,0.,0.,1.,0.,0.") }, "unbounded"},
		{"composite of itself", func(d *igestest.Deck) int { return d.Add(102, 0, "1,1") }, "part of itself"},
		{"composite of nothing", func(d *igestest.Deck) int { return d.Add(102, 0, "0") }, "has no curves"},
		{"composite of what is not there", func(d *igestest.Deck) int { return d.Add(102, 0, "1,99") },
			"refers to D99"},
		{"composite of no reference", func(d *igestest.Deck) int { return d.Add(102, 0, "1,0") }, "lacks a reference"},
		{"degree too high", func(d *igestest.Deck) int { return d.Add(126, 0, "30,29,0,0,1,0,0.,1.") },
			"has degree 29"},
		{"too few points", func(d *igestest.Deck) int { return d.Add(126, 0, "2,3,0,0,1,0,0.,1.") },
			"too few for degree 3"},
		{"too many points", func(d *igestest.Deck) int { return d.Add(126, 0, "2000000000,3,0,0,1,0,0.,1.") },
			"more control points than it has"},
		{"knots fall", func(d *igestest.Deck) int {
			return d.Add(126, 0, "2,2,0,0,1,0,1.,1.,1.,0.,0.,0.,1.,1.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,1.,0.,0.,1.")
		}, "has no valid geometry"},
		{"weight negative", func(d *igestest.Deck) int {
			return d.Add(126, 0, "2,2,0,0,0,0,0.,0.,0.,1.,1.,1.,1.,-5.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,1.,0.,0.,1.")
		}, "has no valid geometry"},
		{"points of an unknown kind", func(d *igestest.Deck) int { return d.Add(106, 11, "7,1,0.,0.") },
			"unknown kind (7)"},
		{"distance that varies", func(d *igestest.Deck) int {
			return d.Add(130, 0, "%d,2,0,0,1,1.,0.,2.,1.,0.,0.,1.,0.,1.", d.Add(110, 0, "0.,0.,0.,1.,0.,0."))
		}, "varying distance"},
		{"matrix that is none", func(d *igestest.Deck) int {
			return d.Put(igestest.Entry{Type: 110, Parameters: "0.,0.,0.,1.,0.,0.",
				Transform: d.Add(116, 0, "1.,2.,3.")})
		}, "refers to D1 entity 116 (point) where an entity 124 belongs"},
		{"matrix that is skew", func(d *igestest.Deck) int {
			return d.Put(igestest.Entry{Type: 110, Parameters: "0.,0.,0.,1.,0.,0.",
				Transform: d.Add(124, 0, "1.,.5,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.")})
		}, "is not a rotation"},
		{"matrix of itself", func(d *igestest.Deck) int {
			d.Put(igestest.Entry{Type: 124, Parameters: "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0.", Transform: 1})
			return d.Put(igestest.Entry{Type: 110, Parameters: "0.,0.,0.,1.,0.,0.", Transform: 1})
		}, "nested too deep, or is part of itself"},
	} {
		d := &igestest.Deck{}
		r, e := open(t, t, d, c.add(d))
		if _, err := r.curve(e); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		if r.depth != 0 {
			t.Errorf("%s: the depth is left at %d", c.name, r.depth)
		}
	}
}

// TestParametricSplines compares splines in the power form (112) with their polynomials.
func TestParametricSplines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(rt, "segments")
		breaks := []float64{rapid.Float64Range(-5, 5).Draw(rt, "first")}
		var coefficients [][3][4]float64
		start := [3]float64{1, 2, 3}
		var text []string
		for i := range n {
			h := rapid.Float64Range(0.2, 3).Draw(rt, "length")
			var k [3][4]float64
			for axis := range k {
				k[axis][0] = start[axis] // pieces that meet
				for power := 1; power < 4; power++ {
					k[axis][power] = rapid.Float64Range(-2, 2).Draw(rt, "coefficient")
				}
				start[axis] = k[axis][0] + h*(k[axis][1]+h*(k[axis][2]+h*k[axis][3]))
				for _, x := range k[axis] {
					text = append(text, fmt.Sprintf("%.17g", x))
				}
			}
			breaks = append(breaks, breaks[i]+h)
			coefficients = append(coefficients, k)
		}
		var knots []string
		for _, b := range breaks {
			knots = append(knots, fmt.Sprintf("%.17g", b))
		}
		d := &igestest.Deck{}
		r, e := open(t, rt, d,
			d.Add(112, 0, "3,0,3,%d,%s,%s,0.,0.,0.", n, strings.Join(knots, ","), strings.Join(text, ",")))
		pieces, err := r.curve(e)
		if err != nil {
			rt.Fatal(err)
		}
		for i, k := range coefficients {
			for _, x := range []float64{0, 0.3, 0.8} {
				s := x * (breaks[i+1] - breaks[i])
				at := func(k [4]float64) float64 { return k[0] + s*(k[1]+s*(k[2]+s*k[3])) }
				want := geom.Vec3{X: at(k[0]), Y: at(k[1]), Z: at(k[2])}
				if got := pieces[0].c.At(breaks[i] + s); got.Dist(want) > 1e-9*(1+want.Norm()) {
					rt.Fatalf("segment %d at %v: %v, want %v", i, s, got, want)
				}
			}
		}
	})
}

// TestOffsetsOfSplines checks that an offset covers the stated part of its base curve.
func TestOffsetsOfSplines(t *testing.T) {
	d := &igestest.Deck{}
	base := d.Add(126, 0, "2,2,0,0,1,0,0.,0.,0.,1.,1.,1.,1.,1.,1.,0.,0.,0.,1.,2.,0.,2.,0.,0.,0.,1.,0.,0.,1.")
	r, e := open(t, t, d, d.Add(130, 0, "%d,1,0,0,1,0.5,0.,0.,0.,0.,0.,1.,0.25,0.75", base))
	pieces, err := r.curve(e)
	if err != nil {
		t.Fatal(err)
	}
	p := pieces[0]
	if p.c.Kind() != curve.KindOffset || !isClose(p.iv.Lo, 0.25) || !isClose(p.iv.Hi, 0.75) {
		t.Errorf("%v over %v", p.c.Kind(), p.iv)
	}
	if got := p.c.At(0.5); math.Abs(math.Abs(got.Y-1)-0.5) > 1e-9 || math.Abs(got.X-1) > 1e-9 {
		t.Errorf("the apex is moved to %v", got)
	}
}
