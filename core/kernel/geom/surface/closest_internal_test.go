package surface

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/internal/tensor"
)

func bilinear(t testing.TB, c ...geom.Vec3) *BSpline {
	t.Helper()
	s, err := NewBSpline(1, 1, []float64{0, 0, 1, 1}, []float64{0, 0, 1, 1}, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func unitRect() rect {
	return rect{u: geom.Interval{Hi: 1}, v: geom.Interval{Hi: 1}}
}

func TestDescendStaysInRectangle(t *testing.T) {
	// A flat parallelogram whose sides are far from perpendicular, so that the parameters are coupled.
	s := bilinear(t, geom.Vec3{}, geom.Vec3{X: 9, Y: 2}, geom.Vec3{X: 10}, geom.Vec3{X: 19, Y: 2})
	rows := []struct {
		name string
		p    geom.Vec3
		want geom.Vec2
	}{
		{"inside", geom.Vec3{X: 9.5, Y: 1, Z: 3}, geom.Vec2{X: 0.5, Y: 0.5}},
		{"beyond u = 1", geom.Vec3{X: 25, Y: 1}, geom.Vec2{X: 1, Y: 1}},
		{"beyond v = 0", geom.Vec3{X: 5, Y: -4}, geom.Vec2{X: 0.5, Y: 0}},
		{"beyond v = 1", geom.Vec3{X: 14, Y: 8}, geom.Vec2{X: 0.5, Y: 1}},
		{"beyond the corner", geom.Vec3{X: -3, Y: -4}, geom.Vec2{}},
		{"on the corner", geom.Vec3{X: 19, Y: 2}, geom.Vec2{X: 1, Y: 1}},
	}
	for _, r := range rows {
		for _, start := range []geom.Vec2{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}, {X: 0.3, Y: 0.6}, {X: -5, Y: 9}} {
			f := descend(s, r.p, start, unitRect())
			if !f.settle || f.uv.Dist(r.want) > 1e-9 {
				t.Errorf("%s from %v: got %v (settled: %v), want %v", r.name, start, f.uv, f.settle, r.want)
			}
			if d := s.At(f.uv.X, f.uv.Y).Dist(r.p); math.Abs(d-f.dist) > 1e-9 {
				t.Errorf("%s from %v: says %g away, is %g", r.name, start, f.dist, d)
			}
		}
	}
}

func TestDescendOnConcaveSide(t *testing.T) {
	// From inside a cylinder beyond its axis the squared distance is concave around the start: Newton's
	// step would climb.
	s := Cylinder{Frame: geom.World, Radius: 5}
	r := rect{u: wholeLine, v: wholeLine}
	for _, start := range []float64{math.Pi - 0.1, math.Pi + 0.3, 2, 0.1} {
		f := descend(s, geom.Vec3{X: 2, Z: 1}, geom.Vec2{X: start}, r)
		if !f.settle || math.Abs(f.dist-3) > 1e-9 {
			t.Errorf("from u = %g: got %v, %g away, want 3", start, f.uv, f.dist)
		}
	}
}

func TestDescendFarAway(t *testing.T) {
	// At 1 km the distance has no digits left to judge a last step by.
	s := Sphere{Frame: geom.World, Radius: 5}
	p := geom.Vec3{X: 6e5, Y: 8e5, Z: 2e5}
	f := descend(s, p, geom.Vec2{X: 0.1}, rect{u: wholeLine, v: latitudes})
	want, _ := s.Invert(p)
	if !f.settle || f.uv.Dist(want) > 1e-9 {
		t.Errorf("got %v (settled: %v), want %v", f.uv, f.settle, want)
	}
}

func TestDescendGivesUpOnNaN(t *testing.T) {
	s := Sphere{Frame: geom.World, Radius: 5}
	f := descend(s, geom.Vec3{X: math.NaN()}, geom.Vec2{X: 0.1}, rect{u: wholeLine, v: latitudes})
	if f.settle {
		t.Errorf("a point that is no number is said to be at %v", f.uv)
	}
}

func TestSolve(t *testing.T) {
	rows := []struct {
		name          string
		h11, h12, h22 float64
		ok            bool
	}{
		{"identity", 1, 0, 1, true},
		{"coupled", 2, 1, 3, true},
		{"indefinite", 1, 2, 1, false},
		{"negative", -1, 0, -1, false},
		{"singular", 1, 1, 1, false},
		{"zero", 0, 0, 0, false},
		{"badly scaled", 1e-12, 0, 1e12, true},
	}
	for _, r := range rows {
		g := geom.Vec2{X: 3, Y: -2}
		s, ok := solve(r.h11, r.h12, r.h22, g.X, g.Y)
		if ok != r.ok {
			t.Errorf("%s: solvable: %v, want %v", r.name, ok, r.ok)
		}
		rest := geom.Vec2{X: r.h11*s.X + r.h12*s.Y, Y: r.h12*s.X + r.h22*s.Y}.Add(g)
		if ok && rest.Norm() > 1e-9 {
			t.Errorf("%s: step %v leaves %v", r.name, s, rest)
		}
	}
}

func drawPoint(t *rapid.T, name string) geom.Vec3 {
	c := rapid.Float64Range(-10, 10)
	return geom.Vec3{X: c.Draw(t, name+".x"), Y: c.Draw(t, name+".y"), Z: c.Draw(t, name+".z")}
}

func TestTriangleDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, a, b, c := drawPoint(t, "p"), drawPoint(t, "a"), drawPoint(t, "b"), drawPoint(t, "c")
		got := math.Sqrt(triangleDist2(p, a, b, c))
		least := math.Inf(1)
		const n = 60
		for i := range n + 1 {
			for j := range n + 1 - i {
				q := a.AddScaled(float64(i)/n, b.Sub(a)).AddScaled(float64(j)/n, c.Sub(a))
				least = math.Min(least, q.Dist(p))
			}
		}
		step := (b.Sub(a).Norm() + c.Sub(a).Norm()) / n
		if got > least+1e-9 || got < least-step {
			t.Fatalf("distance of %v from %v, %v, %v: got %v, samples give %v", p, a, b, c, got, least)
		}
	})
}

func TestTriangleDistanceOfDegenerateTriangles(t *testing.T) {
	p, q := geom.Vec3{X: 1}, geom.Vec3{X: 5}
	rows := []struct {
		name        string
		at, a, b, c geom.Vec3
		want        float64
	}{
		{"a point", geom.Vec3{Y: 2, X: 1}, p, p, p, 2},
		{"a doubled side", geom.Vec3{X: 3, Y: 2}, p, q, q, 2},
		{"another doubled side", geom.Vec3{X: 3, Y: 2}, p, p, q, 2},
		{"a line through", geom.Vec3{X: 9}, p, q, geom.Vec3{X: 3}, 4},
	}
	for _, r := range rows {
		if got := math.Sqrt(triangleDist2(r.at, r.a, r.b, r.c)); math.Abs(got-r.want) > 1e-12 {
			t.Errorf("%s: got %v, want %v", r.name, got, r.want)
		}
	}
}

// wavy is a rational biquadratic patch with all second derivatives.
func wavy(t rapid.TB, k float64) *BSpline {
	t.Helper()
	var pts []geom.Vec3
	var w []float64
	for i := range 4 {
		for j := range 4 {
			x, y := float64(i), float64(j)
			pts = append(pts, geom.Vec3{X: 6*x + k*y*y/3, Y: 5*y - k*x*y/2, Z: k * (x*x - 2*y*x + math.Sin(3*y))})
			w = append(w, 1+0.2*math.Cos(x+2*y))
		}
	}
	knots := []float64{0, 0, 0, 0.4, 1, 1, 1}
	s, err := NewBSpline(2, 2, knots, knots, pts, w)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// drawQuad returns a cell of a patch, halved a few times, with its surface.
func drawQuad(t *rapid.T) (*BSpline, *quad) {
	s := wavy(t, rapid.Float64Range(0, 1).Draw(t, "waves"))
	var cells tensor.Search
	s.net.LeafGrid().Search(geom.Vec3{}, &cells)
	c, _ := cells.Next(math.Inf(1))
	for range rapid.IntRange(0, s.net.LeafGrid().Count()-1).Draw(t, "cell") {
		c, _ = cells.Next(math.Inf(1))
	}
	q := newQuad(s, &c)
	for range rapid.IntRange(0, 6).Draw(t, "halvings") {
		a, b := q.halves(s)
		q = a
		if rapid.Bool().Draw(t, "second half") {
			q = b
		}
	}
	return s, &q
}

func TestQuadLowerBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, q := drawQuad(t)
		p := q.center().Add(drawPoint(t, "off").Scale(rapid.Float64Range(0, 2).Draw(t, "far")))
		lower := q.lower(p)
		for i := range 49 {
			at := s.At(q.U.At(float64(i%7)/6), q.V.At(float64(i/7)/6))
			if d := at.Dist(p); d < lower-1e-9 {
				t.Fatalf("cell %v × %v: a point is %v from %v, below the bound %v", q.U, q.V, d, p, lower)
			}
		}
	})
}

func TestQuadReachCertifiesMinima(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, q := drawQuad(t)
		p := q.center().Add(drawPoint(t, "off").Scale(rapid.Float64Range(0, 1).Draw(t, "far")))
		r := rect{q.U, q.V, s.slackU, s.slackV}
		f := descend(s, p, q.start(p), r)
		if !f.settle || f.dist >= q.reach() {
			return
		}
		for i := range 121 {
			u, v := q.U.At(float64(i%11)/10), q.V.At(float64(i/11)/10)
			if d := s.At(u, v).Dist(p); d < f.dist-1e-7 {
				t.Fatalf("cell %v × %v: the minimum %v of %v is %v away, but (%v, %v) only %v",
					q.U, q.V, f.uv, p, f.dist, u, v, d)
			}
		}
	})
}

func TestQuadReachOfFlatCell(t *testing.T) {
	s := bilinear(t, geom.Vec3{}, geom.Vec3{Y: 3}, geom.Vec3{X: 7}, geom.Vec3{X: 7, Y: 3})
	c := tensor.Cell{U: s.u, V: s.v}
	q := newQuad(s, &c)
	if r := q.reach(); !math.IsInf(r, 1) {
		t.Errorf("a flat cell certifies minima up to %v, want any distance", r)
	}
	point := bilinear(t, geom.Vec3{}, geom.Vec3{}, geom.Vec3{}, geom.Vec3{})
	q = newQuad(point, &c)
	if r := q.reach(); r != 0 {
		t.Errorf("a cell that is a point certifies minima up to %v, want none", r)
	}
}

func TestSectionDescendsOnSkewLine(t *testing.T) {
	l := curve.Line{Origin: geom.Vec3{X: 4}, Dir: geom.Vec3{Y: 1, Z: 1}.Unit()}
	s := section{c: &flattened{l, meridianOf}}
	rapid.Check(t, func(t *rapid.T) {
		q := geom.Vec3{X: rapid.Float64Range(0, 30).Draw(t, "r"), Z: rapid.Float64Range(-30, 30).Draw(t, "z")}
		at, dist := s.invert(q)
		if d := s.c.At(at).Dist(q); math.Abs(d-dist) > 1e-9 {
			t.Fatalf("invert(%v) says %v away, is %v", q, dist, d)
		}
		for i := range 400 {
			x := float64(i-200) / 4
			if d := s.c.At(x).Dist(q); d < dist-1e-9 {
				t.Fatalf("invert(%v) = %v is %v away, but %v only %v", q, at, dist, x, d)
			}
		}
	})
}

func TestMeridianDerivatives(t *testing.T) {
	tilted := geom.NewFrame(geom.Vec3{X: 5, Y: 1}, geom.Vec3{Y: 1, Z: 0.3}, geom.Vec3{X: 1})
	c := flattened{curve.Circle{Frame: tilted, Radius: 3}, meridianOf}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(0, 6).Draw(t, "t")
		const h = 1e-5
		p, d1, d2 := c.D2(x)
		p1, e1 := c.D1(x)
		if p1 != p || e1 != d1 || c.At(x) != p {
			t.Fatalf("At, D1 and D2 differ at %v", x)
		}
		if want := c.At(x + h).Sub(c.At(x - h)).Scale(0.5 / h); d1.Dist(want) > 1e-6 {
			t.Fatalf("first derivative at %v: got %v, want %v", x, d1, want)
		}
		_, a := c.D1(x + h)
		_, b := c.D1(x - h)
		if want := a.Sub(b).Scale(0.5 / h); d2.Dist(want) > 1e-5 {
			t.Fatalf("second derivative at %v: got %v, want %v", x, d2, want)
		}
	})
	p, d1, _ := meridianOf(geom.Vec3{Z: 2}, geom.Vec3{X: 3, Y: 4, Z: 5}, geom.Vec3{})
	if p != (geom.Vec3{Z: 2}) || d1 != (geom.Vec3{X: 5, Z: 5}) {
		t.Errorf("on the axis the meridian is %v with the derivative %v", p, d1)
	}
}
