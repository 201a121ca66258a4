package iges

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/geom"
)

// drawnConic is a conic in a frame: points by parameter, and its form l·x² + m·y² + e·y + f = 0 there.
type drawnConic struct {
	form       int
	at         func(t float64) geom.Vec2
	l, m, e, f float64
}

// drawConic draws a conic with half axes a and b, or with the focal length a/2.
func drawConic(form int, a, b, branch float64) drawnConic {
	switch form {
	case 1:
		return drawnConic{1, func(t float64) geom.Vec2 { return geom.Vec2{X: a * math.Cos(t), Y: b * math.Sin(t)} },
			1 / (a * a), 1 / (b * b), 0, -1}
	case 2:
		return drawnConic{2, func(t float64) geom.Vec2 {
			return geom.Vec2{X: branch * a * math.Cosh(t), Y: b * math.Sinh(t)}
		}, 1 / (a * a), -1 / (b * b), 0, -1}
	}
	return drawnConic{3, func(t float64) geom.Vec2 { return geom.Vec2{X: t, Y: t * t / (2 * a)} }, 1, 0, -2 * a, 0}
}

// coefficients returns the coefficients of the conic, rotated by an angle and then moved to o.
func (c *drawnConic) coefficients(o geom.Vec2, angle float64) [6]float64 {
	s, k := math.Sincos(angle)
	// x' = k(x-ox) + s(y-oy), y' = -s(x-ox) + k(y-oy)
	a, b, d := c.l*k*k+c.m*s*s, 2*s*k*(c.l-c.m), c.l*s*s+c.m*k*k
	u, w := -c.e*s, c.e*k // e·y' = u(x-ox) + w(y-oy)
	return [6]float64{a, b, d, -2*a*o.X - b*o.Y + u, -2*d*o.Y - b*o.X + w,
		a*o.X*o.X + b*o.X*o.Y + d*o.Y*o.Y - u*o.X - w*o.Y + c.f}
}

// TestConics places conics anywhere, writes them as IGES coefficients, and compares points.
func TestConics(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		form := rapid.IntRange(1, 3).Draw(rt, "form")
		a, b := rapid.Float64Range(0.5, 20).Draw(rt, "a"), rapid.Float64Range(0.5, 20).Draw(rt, "b")
		c := drawConic(form, a, b, rapid.SampledFrom([]float64{-1, 1}).Draw(rt, "branch"))
		o := geom.Vec2{X: rapid.Float64Range(-50, 50).Draw(rt, "x"), Y: rapid.Float64Range(-50, 50).Draw(rt, "y")}
		angle := rapid.SampledFrom([]float64{0, 0.3, math.Pi / 4, math.Pi / 2, 2, math.Pi, -1}).Draw(rt, "angle")
		from := rapid.Float64Range(-2, 2).Draw(rt, "from")
		to := from + rapid.Float64Range(0.1, 3).Draw(rt, "sweep")
		if form != 1 && rapid.Bool().Draw(rt, "backwards") {
			from, to = to, from
		}
		scale := rapid.SampledFrom([]float64{1, -1, 1e-6, 1000}).Draw(rt, "scale of the coefficients")
		claimed := rapid.IntRange(0, 3).Draw(rt, "form claimed")
		const z = 3.5
		s, k := math.Sincos(angle)
		place := func(p geom.Vec2) geom.Vec3 { return geom.Vec3{X: o.X + k*p.X - s*p.Y, Y: o.Y + s*p.X + k*p.Y, Z: z} }

		d := &igestest.Deck{}
		var text []string
		for _, q := range c.coefficients(o, angle) {
			text = append(text, fmt.Sprintf("%.17g", q*scale))
		}
		start, end := place(c.at(from)), place(c.at(to))
		text = append(text, fmt.Sprint(z), fmt.Sprintf("%.17g,%.17g,%.17g,%.17g", start.X, start.Y, end.X, end.Y))
		r, e := open(t, rt, d, d.Add(104, claimed, "%s", strings.Join(text, ",")))
		pieces, err := r.curve(e)
		if err != nil {
			rt.Fatalf("%v; %s", err, strings.Join(text, ","))
		}
		p := pieces[0]
		const off = 2e-6 // mm: the coefficients cancel far from the origin
		if p.start().Dist(start) > off || p.end().Dist(end) > off {
			rt.Fatalf("form %d from %v to %v, want %v to %v", form, p.start(), p.end(), start, end)
		}
		for i := 1; i < 8; i++ {
			at := place(c.at(from + (to-from)*float64(i)/8))
			if tt, dist := p.c.Invert(at); dist > off || !p.iv.Contains(wrapped(&p, tt), 1e-6*p.iv.Length()) {
				rt.Fatalf("form %d: %v is %g mm off the arc, at %g of %v", form, at, dist, tt, p.iv)
			}
		}
	})
}

// wrapped moves a parameter by periods into the range of the piece, if it can.
func wrapped(p *piece, t float64) float64 {
	if period := p.c.Period(); period > 0 {
		t -= period * math.Floor((t-p.iv.Lo)/period+1e-7)
	}
	return t
}

func TestDegenerateConics(t *testing.T) {
	for _, c := range []struct{ name, text, err string }{
		{"a line", "0.,0.,0.,1.,1.,0.,0.,1.,-1.,3.,-3.", ""},
		{"a point", "1.,0.,1.,0.,0.,0.,0.,0.,0.,0.,0.", "describe no curve"},
		{"nothing", "1.,0.,1.,0.,0.,1.,0.,0.,0.,0.,0.", "describe no curve"},
		{"two crossing lines", "1.,0.,-1.,0.,0.,0.,0.,1.,1.,2.,2.", "describe no curve"},
		{"two parallel lines", "1.,0.,0.,0.,0.,-1.,0.,1.,0.,1.,5.", "describe no curve"},
		{"too short", "1.,0.,1.", "ends too early"},
		{"no numbers", "a,b,c,d,e,f,g,h,i,j,k", "not a number"},
	} {
		d := &igestest.Deck{}
		r, e := open(t, t, d, d.Add(104, 1, "%s", c.text))
		pieces, err := r.curve(e)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: %v, error %v, want %q", c.name, pieces, err, c.err)
		}
	}
}

func TestArcs(t *testing.T) {
	for _, c := range []struct {
		name, text string
		sweep      float64 // rad
		err        string
	}{
		{"quarter", "0.,0.,0.,2.,0.,0.,2.", math.Pi / 2, ""},
		{"three quarters", "0.,0.,0.,0.,2.,2.,0.", 3 * math.Pi / 2, ""},
		{"whole", "0.,0.,0.,2.,0.,2.,0.", 2 * math.Pi, ""},
		{"whole by default", "0.,0.,0.,2.,0.,2.", 2 * math.Pi, "ends too early"},
		{"whole but for rounding", "0.,0.,0.,2.,0.,2.,1.E-8", 2 * math.Pi, ""},
		{"whole but for less than the resolution", "0.,0.,0.,20.,0.,20.,0.0009", 2 * math.Pi, ""},
		{"nearly whole", "0.,0.,0.,2.,0.,2.,-0.02", 2*math.Pi - math.Atan(0.01), ""},
		{"short", "0.,0.,0.,2.,0.,2.,0.02", math.Atan(0.01), ""},
		{"no radius", "0.,1.,1.,1.,1.,1.,1.", 0, "has no radius"},
	} {
		d := &igestest.Deck{}
		r, e := open(t, t, d, d.Add(100, 0, "%s", c.text))
		pieces, err := r.curve(e)
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.err)
		}
		if err == nil && math.Abs(pieces[0].iv.Length()-c.sweep) > 1e-12 {
			t.Errorf("%s: turns by %v, want %v", c.name, pieces[0].iv.Length(), c.sweep)
		}
	}
}
