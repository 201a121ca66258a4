package fit_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
)

// traced returns n points of a curve over a range, both ends among them.
func traced(c curve.Curve, iv geom.Interval, n int) []geom.Vec3 {
	var out []geom.Vec3
	for k := range n {
		out = append(out, c.At(iv.At(float64(k)/float64(n-1))))
	}
	return out
}

// sameCurve requires a fit of the kind of want that runs through its points in their order.
func sameCurve(t check, name string, p []geom.Vec3, closed bool, want curve.Curve, length float64) {
	t.Helper()
	got, iv, ok := fit.Curve(p, closed, tol)
	if !ok {
		t.Errorf("%s: nothing found for %+v", name, want)
		return
	}
	if got.Kind() != want.Kind() {
		t.Errorf("%s: found %+v, want %+v", name, got, want)
		return
	}
	size := func(what string, g, w float64) {
		t.Helper()
		if math.Abs(g-w) > length {
			t.Errorf("%s: %s %.12g, want %.12g", name, what, g, w)
		}
	}
	switch w := want.(type) {
	case curve.Line:
		size("direction", got.(curve.Line).Dir.Cross(w.Dir).Norm(), 0)
	case curve.Circle:
		g := got.(curve.Circle)
		size("radius", g.Radius, w.Radius)
		size("centre", g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size("plane", g.Frame.Z.Cross(w.Frame.Z).Norm(), 0)
	case curve.Ellipse:
		g := got.(curve.Ellipse)
		size("major", g.Major, w.Major)
		size("minor", g.Minor, w.Minor)
		size("centre", g.Frame.Origin.Dist(w.Frame.Origin), 0)
		size("plane", g.Frame.Z.Cross(w.Frame.Z).Norm(), 0)
	}
	size("start", got.At(iv.Lo).Dist(p[0]), 0)
	size("end", got.At(iv.Hi).Dist(p[len(p)-1]), 0)
	if !(iv.Hi > iv.Lo) {
		t.Errorf("%s: range %v", name, iv)
	}
	if w, g := p[1].Sub(p[0]), got.At(iv.Lo+iv.Length()*1e-3).Sub(p[0]); w.Dot(g) <= 0 {
		t.Errorf("%s: it runs the other way", name)
	}
	if closed {
		size("turn", iv.Length(), 2*math.Pi)
	}
}

func TestCurveKinds(t *testing.T) {
	f := tilted()
	for _, c := range []struct {
		name   string
		c      curve.Curve
		iv     geom.Interval
		closed bool
	}{
		{"line", curve.Line{Origin: f.Origin, Dir: f.X}, interval(-3, 8), false},
		{"short line", curve.Line{Origin: f.Origin, Dir: f.X}, interval(0, 10*tol), false},
		{"circle", curve.Circle{Frame: f, Radius: 7}, interval(0.3, 0.3+2*math.Pi), true},
		{"quarter", curve.Circle{Frame: f, Radius: 7}, interval(1, 1+math.Pi/2), false},
		{"three quarters", curve.Circle{Frame: f, Radius: 7}, interval(5, 5+3*math.Pi/2), false},
		{"1° of a large circle", curve.Circle{Frame: f, Radius: 1000}, interval(0, degree), false},
		{"tiny arc", curve.Circle{Frame: f, Radius: 0.02}, interval(0, 1), false},
		{"ellipse", curve.Ellipse{Frame: f, Major: 7, Minor: 3}, interval(0, 2*math.Pi), true},
		{"nearly round ellipse", curve.Ellipse{Frame: f, Major: 7, Minor: 6.99}, interval(0, 2*math.Pi), true},
		{"flat ellipse", curve.Ellipse{Frame: f, Major: 70, Minor: 1}, interval(0, 2*math.Pi), true},
		{"arc of an ellipse", curve.Ellipse{Frame: f, Major: 7, Minor: 3}, interval(1, 3), false},
	} {
		for _, n := range []int{9, 40} {
			p := traced(c.c, c.iv, n)
			sameCurve(t, c.name, p, c.closed, c.c, 1e-7)
			back := make([]geom.Vec3, n)
			for i := range p {
				back[n-1-i] = p[i]
			}
			sameCurve(t, c.name+" backwards", back, c.closed, c.c, 1e-7)
		}
	}
}

func TestCurveRefuses(t *testing.T) {
	circle := curve.Circle{Frame: tilted(), Radius: 7}
	line := curve.Line{Origin: geom.Vec3{X: 1}, Dir: geom.Vec3{Y: 1}}
	arc := traced(circle, interval(0, 3), 13)
	straight := traced(line, interval(0, 5), 13)
	change := func(p []geom.Vec3, i int, q geom.Vec3) []geom.Vec3 {
		out := append([]geom.Vec3(nil), p...)
		out[i] = q
		return out
	}
	parabola, helix, cubic := make([]geom.Vec3, 13), make([]geom.Vec3, 13), make([]geom.Vec3, 13)
	for k := range parabola {
		x := float64(k)/6 - 1
		parabola[k] = geom.Vec3{X: x, Y: x * x}
		helix[k] = circle.At(x).Add(circle.Frame.Z.Scale(x))
		cubic[k] = geom.Vec3{X: x, Y: x * x * x}
	}
	twice := append(traced(circle, interval(0, 6), 13), traced(circle, interval(6.1, 12), 13)...)
	for _, c := range []struct {
		name   string
		p      []geom.Vec3
		closed bool
	}{
		{"none", nil, false},
		{"two points", straight[:2], false},
		{"an arc of six points", traced(circle, interval(0, 3), 6), false},
		{"a point off the line", change(straight, 5, straight[5].Add(geom.Vec3{X: 2 * tol})), false},
		{"a line that turns back", change(straight, 5, straight[3]), false},
		{"no length", make([]geom.Vec3, 9), false},
		{"an arc that turns back", change(arc, 5, arc[3]), false},
		{"a point off the arc", change(arc, 5, arc[5].Add(circle.Frame.Z.Scale(2*tol))), false},
		{"a point that is none", change(arc, 5, geom.Vec3{X: math.NaN()}), false},
		{"round twice", twice, false},
		{"parabola", parabola, false},
		{"helix", helix, false},
		{"cubic", cubic, false},
	} {
		if got, iv, ok := fit.Curve(c.p, c.closed, tol); ok {
			t.Errorf("%s: found %+v over %v", c.name, got, iv)
		}
	}
	for _, bad := range []float64{0, -1, math.NaN()} {
		if got, _, ok := fit.Curve(arc, false, bad); ok {
			t.Errorf("tolerance %g: found %+v", bad, got)
		}
	}
}

// drawConic draws an arc that rises above its chord by 1000 tolerances or more.
func drawConic(t *rapid.T, round bool) (curve.Curve, geom.Interval, bool) {
	coord := rapid.Float64Range(-300, 300)
	f := geom.NewFrame(geom.Vec3{X: coord.Draw(t, "ox"), Y: coord.Draw(t, "oy"), Z: coord.Draw(t, "oz")},
		geom.Vec3{X: coord.Draw(t, "zx"), Y: coord.Draw(t, "zy"), Z: 301}, geom.Vec3{})
	r := math.Exp(rapid.Float64Range(0, 5).Draw(t, "ln r"))
	start := rapid.Float64Range(-7, 7).Draw(t, "start")
	closed := rapid.Bool().Draw(t, "closed")
	length := 2 * math.Pi
	if round {
		if !closed {
			length = rapid.Float64Range(2*math.Acos(1-1000*tol/r), 6).Draw(t, "length")
		}
		return curve.Circle{Frame: f, Radius: r}, interval(start, start+length), closed
	}
	if !closed {
		length = rapid.Float64Range(2, 6).Draw(t, "length")
	}
	e := curve.Ellipse{Frame: f, Major: r, Minor: r * rapid.Float64Range(0.2, 0.95).Draw(t, "ratio")}
	return e, interval(start, start+length), closed
}

// TestAnyConic: points of any circle and ellipse give it back.
func TestAnyConic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, iv, closed := drawConic(t, rapid.Bool().Draw(t, "circle"))
		sameCurve(t, "arc", traced(c, iv, rapid.IntRange(9, 60).Draw(t, "points")), closed, c, 1e-5)
	})
}

// TestCurveNoise checks that an arc with noise below the tolerance stays an arc, and that its true points are near the
// result. Noise above the tolerance gives no result.
func TestCurveNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, iv, closed := drawConic(t, true)
		exact := traced(c, iv, 21)
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		shaken := func(size float64) []geom.Vec3 {
			out := append([]geom.Vec3(nil), exact...)
			z := c.(curve.Circle).Frame.Z
			for i := range out {
				out[i] = out[i].AddScaled(size*(2*r.Float64()-1), z)
			}
			out[10], out[11] = exact[10].AddScaled(size, z), exact[11].AddScaled(-size, z)
			if closed {
				out[20] = out[0]
			}
			return out
		}
		got, _, ok := fit.Curve(shaken(0.2*tol), closed, tol)
		if !ok || got.Kind() != curve.KindCircle {
			t.Fatalf("below the tolerance: found %v %+v, want %+v", ok, got, c)
		}
		for _, p := range exact {
			if _, dist := got.Invert(p); dist > 2*tol {
				t.Fatalf("a true point is %g mm off: %+v, want %+v", dist, got, c)
			}
		}
		if got, _, ok := fit.Curve(shaken(4*tol), closed, tol); ok {
			t.Fatalf("noise of 4 tolerances: found %+v", got)
		}
	})
}

// TestFlatArcs checks that an arc that rises above its chord by less than the tolerance is a line. A higher one is an
// arc with the right radius.
func TestFlatArcs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := math.Exp(rapid.Float64Range(0, 8).Draw(t, "ln r"))
		rise := tol * math.Exp(rapid.Float64Range(-3, 9).Draw(t, "ln rise"))
		half := math.Acos(1 - min(rise/r, 1))
		c := curve.Circle{Frame: tilted(), Radius: r}
		got, _, ok := fit.Curve(traced(c, interval(-half, half), 15), false, tol)
		switch {
		case rise < 0.99*tol && (!ok || got.Kind() != curve.KindLine):
			t.Fatalf("a rise of %g mm: found %v %+v", rise, ok, got)
		case rise > 1.01*tol && !ok:
			if rise > 10*tol {
				t.Fatalf("a rise of %g mm: nothing found", rise)
			}
		case rise > 1.01*tol && got.Kind() != curve.KindCircle:
			t.Fatalf("a rise of %g mm: found %+v", rise, got)
		case rise > 1.01*tol:
			const share = 1e-3 // of the radius, from the rounding of points 60 mm from the origin
			if g := got.(curve.Circle); math.Abs(g.Radius-r) > share*r {
				t.Fatalf("a rise of %g mm: radius %g, want %g", rise, g.Radius, r)
			}
		}
	})
}

func BenchmarkCurve(b *testing.B) {
	p := traced(curve.Ellipse{Frame: tilted(), Major: 7, Minor: 3}, interval(0, 3), 13)
	for b.Loop() {
		fit.Curve(p, false, tol)
	}
}
