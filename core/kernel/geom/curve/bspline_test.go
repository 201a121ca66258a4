package curve

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"

	"pgregory.net/rapid"
)

func TestNewBSplineRejects(t *testing.T) {
	two := []geom.Vec3{{}, {X: 1}}
	ok := []float64{0, 0, 1, 1}
	rows := []struct {
		name    string
		degree  int
		knots   []float64
		points  []geom.Vec3
		weights []float64
		want    string
	}{
		{"degree", 0, ok, two, nil, "degree"},
		{"knot count", 1, ok[:3], two, nil, "knots"},
		{"knot order", 1, []float64{0, 0, 1, 0.5}, two, nil, "decreases"},
		{"no points", 1, ok, nil, nil, "control points"},
		{"weight count", 1, ok, two, []float64{1}, "weights"},
		{"negative weight", 1, ok, two, []float64{1, -1}, "weight"},
		{"point not finite", 1, ok, []geom.Vec3{{}, {X: math.NaN()}}, nil, "finite"},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			_, err := NewBSpline(r.degree, r.knots, r.points, r.weights, false)
			if err == nil || !strings.Contains(err.Error(), r.want) {
				t.Errorf("error %v, want one about %q", err, r.want)
			}
		})
	}
}

func TestRationalCircleIsExact(t *testing.T) {
	const r = 3.0
	c := circleSpline(t, r)
	if c.Period() != 4 {
		t.Fatalf("period %v, want 4", c.Period())
	}
	for x := -4.0; x < 8; x += 1. / 32 {
		p, d1, d2 := c.D2(x)
		if math.Abs(p.Norm()-r) > 1e-15*r {
			t.Errorf("|C(%v)| = %.17g, want %v", x, p.Norm(), r)
		}
		if math.Abs(p.Dot(d1)) > 1e-13 {
			t.Errorf("tangent at %v is off by %v", x, p.Dot(d1))
		}
		k := d1.Cross(d2).Norm() / math.Pow(d1.Norm(), 3)
		if math.Abs(k*r-1) > 1e-12 {
			t.Errorf("curvature at %v is %v, want %v", x, k, 1/r)
		}
	}
	dom := c.Domain()
	if got, want := Length(c, dom), 2*math.Pi*r; math.Abs(got-want) > 1e-11*want {
		t.Errorf("length %v, want %v", got, want)
	}
	box := c.Bounds(dom)
	const most = r * (1 + 1e-6)
	if !box.Contains(geom.Vec3{X: r, Y: r}, 0) || box.Max.X > most || box.Min.Y < -most || box.Max.Z != 0 {
		t.Errorf("box %v of a circle of radius %v", box, r)
	}
}

func TestInvertAtCenterOfCircle(t *testing.T) {
	c := circleSpline(t, 3)
	for _, p := range []geom.Vec3{{}, {Z: 4}, {X: 1e-9, Y: -1e-9}} {
		x, dist := c.Invert(p)
		want := math.Hypot(3, p.Z)
		if math.Abs(dist-want) > 1e-6*want || math.Abs(c.At(x).Dist(p)-dist) > 1e-14 {
			t.Errorf("Invert(%v) = %v at %v, want distance %v", p, x, dist, want)
		}
	}
}

// TestClosedness has one row per form in which a file can state that a curve is closed or not.
func TestClosedness(t *testing.T) {
	clamped := []float64{0, 0, 0, 1, 1, 1}
	lens := func(gap float64) []geom.Vec3 { return []geom.Vec3{{}, {X: 5, Y: 5}, {X: gap}} }
	rows := []struct {
		name   string
		points []geom.Vec3
		said   bool
		want   float64
	}{
		{"closed and said so", lens(0), true, 1},
		{"closed, not said", lens(0), false, 1},
		{"closed within resolution", lens(1e-7), false, 1},
		{"gap within tolerance, said", lens(5e-4), true, 1},
		{"gap within tolerance, not said", lens(5e-4), false, 0},
		{"open but said closed", lens(1), true, 0},
		{"a single point", []geom.Vec3{{X: 1}, {X: 1}, {X: 1}}, true, 0},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c, err := NewBSpline(2, clamped, r.points, nil, r.said)
			must(t, c, err)
			if got := c.Period(); got != r.want {
				t.Errorf("period %v, want %v", got, r.want)
			}
		})
	}
}

func TestPeriodicSplineIsSmoothAcrossTheSeam(t *testing.T) {
	c := periodicSpline(t)
	dom := c.Domain()
	const h = 1e-9
	a, a1, a2 := c.D2(dom.Hi - h)
	b, b1, b2 := c.D2(dom.Hi + h)
	if a.Dist(b) > 1e-7 || a1.Dist(b1) > 1e-7 || a2.Dist(b2) > 1e-6 {
		t.Errorf("seam: %v %v %v on the left, %v %v %v on the right", a, a1, a2, b, b1, b2)
	}
	p := c.At(dom.Hi + 0.25)
	iv := geom.Interval{Lo: dom.Hi - 0.5, Hi: dom.Hi + 0.5}
	if got, d := c.InvertIn(p, iv); math.Abs(got-dom.Hi-0.25) > 1e-9 || d > 1e-12 {
		t.Errorf("InvertIn across the seam gives %v at %v, want %v", got, d, dom.Hi+0.25)
	}
	if got, d := c.Invert(p); math.Abs(got-dom.Lo-0.25) > 1e-9 || d > 1e-12 {
		t.Errorf("Invert gives %v at %v, want %v", got, d, dom.Lo+0.25)
	}
}

// TestDegenerateSplines has the shapes that break naive inversion, bounds and sampling.
func TestDegenerateSplines(t *testing.T) {
	o := geom.Vec3{X: 1, Y: 2, Z: 3}
	rows := []struct {
		name    string
		degree  int
		knots   []float64
		points  []geom.Vec3
		weights []float64
	}{
		{"zero length", 3, []float64{0, 0, 0, 0, 1, 1, 1, 1}, []geom.Vec3{o, o, o, o}, nil},
		{"zero length, rational", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{o, o, o}, []float64{1, 2, 1}},
		{"coincident start", 3, []float64{0, 0, 0, 0, 1, 1, 1, 1},
			[]geom.Vec3{{}, {}, {X: 2, Y: 1}, {X: 3}}, nil},
		{"all but one coincident", 3, []float64{0, 0, 0, 0, 1, 1, 1, 1},
			[]geom.Vec3{{}, {}, {}, {X: 3}}, nil},
		{"cusp", 3, []float64{0, 0, 0, 0, 1, 1, 1, 1}, []geom.Vec3{{}, {X: 1, Y: 1}, {Y: 1}, {X: 1}}, nil},
		{"there and back", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{{}, {X: 4}, {}}, nil},
		{"corner: multiplicity equals degree", 2, []float64{0, 0, 0, 1, 1, 2, 2, 2},
			[]geom.Vec3{{}, {X: 1}, {X: 2}, {X: 2, Y: 1}, {X: 2, Y: 2}}, nil},
		{"jump: multiplicity above degree", 1, []float64{0, 0, 1, 1, 2, 2},
			[]geom.Vec3{{}, {X: 1}, {X: 1, Y: 1e-9}, {X: 2, Y: 1}}, nil},
		{"very short piece", 3, []float64{0, 0, 0, 0, 1, 1 + 1e-12, 2, 2, 2, 2},
			[]geom.Vec3{{}, {X: 1}, {X: 2, Y: 1}, {X: 3}, {X: 4, Y: 1}, {X: 5}}, nil},
		{"far parameters", 2, []float64{1e9, 1e9, 1e9, 1e9 + 1, 1e9 + 1, 1e9 + 1},
			[]geom.Vec3{{}, {X: 1, Y: 3}, {X: 2}}, nil},
		{"weights of all sizes", 2, []float64{0, 0, 0, 1, 1, 1},
			[]geom.Vec3{{}, {X: 1, Y: 3}, {X: 2}}, []float64{1, 1e-6, 100}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c, err := NewBSpline(r.degree, r.knots, r.points, r.weights, false)
			must(t, c, err)
			dom := c.Domain()
			box := c.Bounds(dom)
			var p geom.Vec3
			for i := 0; i <= 100; i++ {
				x := dom.At(float64(i) / 100)
				p = c.At(x)
				if !box.Contains(p, 1e-13) {
					t.Errorf("%v at %v is outside %v", p, x, box)
				}
				got, d := c.Invert(p)
				if d > 1e-9 || !dom.Contains(got, 0) {
					t.Errorf("Invert(At(%v)) = %v at distance %v", x, got, d)
				}
			}
			far := geom.Vec3{X: 7, Y: -9, Z: 11}
			if _, d := c.Invert(far); !(d > 0 && d < 100) {
				t.Errorf("distance of a far point is %v", d)
			}
			s := Sample(c, dom, 0.01, 0.3)
			if len(s) < 2 || len(s) > 200 || s[0] != dom.Lo || s[len(s)-1] != dom.Hi {
				t.Errorf("%d samples from %v to %v", len(s), s[0], s[len(s)-1])
			}
			if l := Length(c, dom); !(l >= p.Dist(c.At(dom.Lo))-1e-9 && l < 20) {
				t.Errorf("length %v", l)
			}
		})
	}
}

func TestEqualWeightsAreNone(t *testing.T) {
	points := []geom.Vec3{{}, {X: 1, Y: 3}, {X: 2}}
	knots := []float64{0, 0, 0, 1, 1, 1}
	c, err := NewBSpline(2, knots, points, []float64{3, 3, 3}, false)
	must(t, c, err)
	if c.Weights() != nil {
		t.Errorf("weights %v, want none", c.Weights())
	}
	if got := c.At(0.5); got != (geom.Vec3{X: 1, Y: 1.5}) {
		t.Errorf("middle %v, want (1, 1.5, 0)", got)
	}
}

func TestHighDegree(t *testing.T) {
	points := make([]geom.Vec3, bspline.MaxOrder)
	for i := range points {
		points[i] = geom.Vec3{X: float64(i), Y: float64(i%2) * 9}
	}
	knots, err := bspline.BezierKnots(bspline.MaxDegree, len(points))
	must(t, knots, err)
	c, err := NewBSpline(bspline.MaxDegree, knots, points, nil, false)
	must(t, c, err)
	for x := 0.0; x <= 1; x += 1. / 64 {
		p := c.At(x)
		if math.Abs(p.X-bspline.MaxDegree*x) > 1e-13 { // evenly spaced control points: x is linear
			t.Errorf("x at %v is %v, want %v", x, p.X, bspline.MaxDegree*x)
		}
		if got, d := c.Invert(p); math.Abs(got-x) > 1e-11 || d > 1e-12 {
			t.Errorf("Invert(At(%v)) = %v at %v", x, got, d)
		}
	}
}

// TestEvaluationAgreesWithBasis is the reference twin: control points times basis functions.
func TestEvaluationAgreesWithBasis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBSpline(t)
		x := drawParam(t, c)
		net := bspline.LiftNet(c.Points(), c.Weights())
		p, d1, d2 := bspline.Quotient2(c.Knots().Point2(net, 0, 1, x))
		q, e1, e2 := c.D2(x)
		if q.Dist(p) > 1e-12*(1+p.Norm()) || e1.Dist(d1) > 1e-11*(1+d1.Norm()) || e2.Dist(d2) > 1e-9*(1+d2.Norm()) {
			t.Fatalf("at %v: %v %v %v, basis functions give %v %v %v", x, q, e1, e2, p, d1, d2)
		}
	})
}

// TestBendBoundHolds checks the bound on which inversion and boxes rest.
func TestBendBoundHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBSpline(t)
		x := c.Domain().Clamp(drawParam(t, c))
		_, _, d2 := c.D2(x)
		var m geom.Vec3
		for _, l := range c.grow() {
			if x >= l.a && x <= l.b {
				m = maxAbs(m, l.bend)
			}
		}
		// Rounding of the control points, by which the derivative and its bound both are off.
		tol := 1e-13 * (1 + geom.BoxOf(c.Points()...).Diagonal()) * 36 / math.Pow(shortest(c), 2)
		over := func(d, m float64) bool { return math.Abs(d) > m*(1+1e-9)+tol }
		if over(d2.X, m.X) || over(d2.Y, m.Y) || over(d2.Z, m.Z) {
			t.Fatalf("C'' at %v is %v, bound %v", x, d2, m)
		}
	})
}

// shortest returns the length of the shortest piece.
func shortest(c *BSpline) float64 {
	least := math.Inf(1)
	for s, b := range c.Knots().Breaks()[1:] {
		least = min(least, b-c.Knots().Breaks()[s])
	}
	return least
}

func TestInversionVisitsFewRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBSpline(t)
		x := drawParam(t, c)
		_, d1 := c.D1(x)
		p := c.At(x).AddScaled(0.01, d1.Perp())
		q := search{c: c, p: p, dist2: math.Inf(1)}
		q.run(c.Domain())
		const most = 200 // about ten times the usual number; a broken bound visits thousands
		if q.nodes > most {
			t.Fatalf("%d ranges halved for a point beside the curve", q.nodes)
		}
	})
}
