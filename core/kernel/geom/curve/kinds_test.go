package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

func TestKindsAndDomains(t *testing.T) {
	all := allKinds(t)
	slotLength := 8 + 2*math.Pi
	rows := []struct {
		name   string
		kind   Kind
		domain geom.Interval
		period float64
	}{
		{"line", KindLine, geom.Unbounded, 0},
		{"circle", KindCircle, turn, 2 * math.Pi},
		{"ellipse", KindEllipse, turn, 2 * math.Pi},
		{"hyperbola", KindHyperbola, geom.Unbounded, 0},
		{"parabola", KindParabola, geom.Unbounded, 0},
		{"periodic spline", KindBSpline, geom.Interval{Hi: 6}, 6},
		{"circle spline", KindBSpline, geom.Interval{Hi: 4}, 4},
		{"open spline", KindBSpline, geom.Interval{Hi: 1}, 0},
		{"trimmed", KindTrimmed, geom.Interval{Lo: 1, Hi: 2}, 0},
		{"polyline", KindPolyline, geom.Interval{Hi: 2}, 0},
		{"composite", KindComposite, geom.Interval{Hi: slotLength}, slotLength},
		{"offset", KindOffset, turn, 2 * math.Pi},
	}
	if len(rows) != len(all) {
		t.Fatalf("%d rows for %d curves", len(rows), len(all))
	}
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c := all[i]
			if c.Kind() != r.kind {
				t.Errorf("kind %v, want %v", c.Kind(), r.kind)
			}
			dom := c.Domain()
			if dom.Lo != r.domain.Lo || dom.Hi != r.domain.Hi && math.Abs(dom.Hi-r.domain.Hi) > 1e-14 {
				t.Errorf("domain %v, want %v", dom, r.domain)
			}
			if math.Abs(c.Period()-r.period) > 1e-14 {
				t.Errorf("period %v, want %v", c.Period(), r.period)
			}
		})
	}
}

// TestPartsAreKept checks that the components of a curve can be read back.
func TestPartsAreKept(t *testing.T) {
	points := []geom.Vec3{{}, {X: 1, Y: 3}, {X: 2}}
	weights := []float64{1, 2, 1}
	c, err := NewBSpline(2, []float64{0, 0, 0, 1, 1, 1}, points, weights, false)
	must(t, c, err)
	if c.Degree() != 2 || c.Knots().Points() != 3 || c.Points()[1] != points[1] || c.Weights()[1] != 2 {
		t.Errorf("degree %d, points %v, weights %v", c.Degree(), c.Points(), c.Weights())
	}
	image := c.Transform(geom.Scaling(2)).(*BSpline)
	if image.Points()[1] != (geom.Vec3{X: 2, Y: 6}) || image.Weights()[1] != 2 || c.Points()[1] != points[1] {
		t.Errorf("image %v with %v, original %v", image.Points(), image.Weights(), c.Points())
	}
	chain, poly := slot(t), must(t, &Polyline{points: points}, nil)
	if len(chain.Segments()) != 4 || len(poly.Points()) != 3 {
		t.Errorf("%d segments, %d points", len(chain.Segments()), len(poly.Points()))
	}
}

// TestMirroredConics has one row per conic and mirror plane: the image must run through the images of
// the same points at the same parameters, which a right-handed frame could not do.
func TestMirroredConics(t *testing.T) {
	f := geom.NewFrame(geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1, Y: 1, Z: 1}, geom.Vec3{Z: 1})
	x, y, z := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	mirrors := map[string]geom.Transform{
		"x": {X: x.Neg(), Y: y, Z: z}, "y": {X: x, Y: y.Neg(), Z: z}, "z": {X: x, Y: y, Z: z.Neg()},
		"point": {X: x.Neg(), Y: y.Neg(), Z: z.Neg()}, "swap": {X: y, Y: x, Z: z},
	}
	for name, m := range mirrors {
		if !m.IsMirror() {
			t.Fatalf("%s is no mirror", name)
		}
		for _, c := range []Curve{Circle{f, 2}, Ellipse{f, 3, 1}, Hyperbola{f, 1, 2}, Parabola{f, 0.5}} {
			image := c.Transform(m)
			for _, s := range []float64{-1.3, 0, 0.4, 2} {
				p, d1, d2 := c.D2(s)
				q, e1, e2 := image.D2(s)
				if q.Dist(m.Point(p)) > 1e-14 || e1.Dist(m.Dir(d1)) > 1e-14 || e2.Dist(m.Dir(d2)) > 1e-14 {
					t.Errorf("%s, kind %v at %v: %v %v %v, want %v %v %v",
						name, c.Kind(), s, q, e1, e2, m.Point(p), m.Dir(d1), m.Dir(d2))
				}
				if got, d := image.Invert(q); d > 1e-14 || math.Abs(math.Remainder(got-s, 2*math.Pi)) > 1e-12 {
					t.Errorf("%s, kind %v: Invert gives %v at %v, want %v", name, c.Kind(), got, d, s)
				}
			}
		}
	}
}

func TestInvertInRows(t *testing.T) {
	inf := math.Inf(1)
	line := Line{geom.Vec3{Y: 1}, geom.Vec3{X: 1}}
	circle := Circle{geom.World, 2}
	parabola := Parabola{geom.World, 1}
	part := &Trimmed{Base: circle, Range: geom.Interval{Lo: 1, Hi: 2}}
	back := &Trimmed{Base: circle, Range: geom.Interval{Lo: 1, Hi: 2}, Reversed: true}
	chain := slot(t)
	rows := []struct {
		name    string
		c       Curve
		p       geom.Vec3
		iv      geom.Interval
		t, dist float64
	}{
		{"line inside", line, geom.Vec3{X: 3}, geom.Interval{Lo: 0, Hi: 5}, 3, 1},
		{"line before", line, geom.Vec3{X: -3, Y: 1}, geom.Interval{Lo: 0, Hi: 5}, 0, 3},
		{"ray", line, geom.Vec3{X: 8, Y: 1}, geom.Interval{Lo: 0, Hi: inf}, 8, 0},
		{"ray, behind", line, geom.Vec3{X: -8, Y: 1}, geom.Interval{Lo: 0, Hi: inf}, 0, 8},
		{"half parabola, other half", parabola, geom.Vec3{X: 1, Y: -2}, geom.Interval{Lo: 0, Hi: inf},
			0, math.Sqrt(5)},
		{"half parabola", parabola, geom.Vec3{X: 1, Y: -2}, geom.Interval{Lo: -inf, Hi: 0}, -1, 0},
		{"arc inside", circle, geom.Vec3{Y: 5}, geom.Interval{Lo: 1, Hi: 2}, math.Pi / 2, 3},
		{"arc, a turn later", circle, geom.Vec3{Y: 5}, geom.Interval{Lo: 7, Hi: 9}, 2.5 * math.Pi, 3},
		{"arc, a turn earlier", circle, geom.Vec3{Y: 5}, geom.Interval{Lo: -5, Hi: -4}, -1.5 * math.Pi, 3},
		{"arc, opposite", circle, geom.Vec3{X: 3}, geom.Interval{Lo: 3, Hi: 3.2},
			3, circle.At(3).Dist(geom.Vec3{X: 3})},
		{"trimmed", part, geom.Vec3{Y: 5}, part.Range, math.Pi / 2, 3},
		{"trimmed, reversed", back, geom.Vec3{Y: 5}, back.Range, 3 - math.Pi/2, 3},
		{"trimmed, beyond its range", part, geom.Vec3{Y: 5}, geom.Interval{Lo: 1, Hi: 1.2},
			1.2, part.At(1.2).Dist(geom.Vec3{Y: 5})},
		{"chain, second half", chain, geom.Vec3{Y: -9}, geom.Interval{Lo: 4, Hi: 6}, 4, math.Sqrt(4 + 64)},
		{"chain across the seam", chain, geom.Vec3{X: -1, Y: -2},
			geom.Interval{Lo: 8 + math.Pi, Hi: 10 + 2*math.Pi}, 9 + 2*math.Pi, 1},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got, d := InvertIn(r.c, r.p, r.iv)
			if math.Abs(got-r.t) > 1e-12 || math.Abs(d-r.dist) > 1e-12 {
				t.Errorf("InvertIn(%v, %v) = %v at %v, want %v at %v", r.p, r.iv, got, d, r.t, r.dist)
			}
		})
	}
}

// TestSamplesOfDerivedKinds checks that a wrapper is sampled exactly like its base.
func TestSamplesOfDerivedKinds(t *testing.T) {
	spline := periodicSpline(t)
	const chord, angle = 0.01, 0.2
	whole := Sample(spline, spline.Domain(), chord, angle)
	same := func(name string, got, want []float64, place func(float64) float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Errorf("%s: %d samples, want %d", name, len(got), len(want))
			return
		}
		for i := range got {
			if math.Abs(place(got[i])-want[i]) > 1e-12 {
				t.Errorf("%s: sample %d is %v, want %v", name, i, place(got[i]), want[i])
				return
			}
		}
	}
	trimmed, err := NewTrimmed(spline, spline.Domain(), false)
	must(t, trimmed, err)
	self := func(x float64) float64 { return x }
	same("trimmed", Sample(trimmed, trimmed.Domain(), chord, angle), whole, self)

	chain, err := NewComposite([]Curve{trimmed})
	must(t, chain, err)
	same("chain of one", Sample(chain, chain.Domain(), chord, angle), whole, self)

	arcs := slot(t)
	got := Sample(arcs, arcs.Domain(), 0, math.Pi/6)
	if len(got) != 1+1+6+1+6 {
		t.Errorf("slot: %d samples, want two lines and two half circles of six: %v", len(got), got)
	}
	shifted := geom.Interval{Lo: 1, Hi: 1 + arcs.Period()}
	if got := Sample(arcs, shifted, 0, math.Pi/6); len(got) != 1+2+6+1+6 {
		t.Errorf("slot from the middle of a line: %d samples: %v", len(got), got)
	}
}

// TestEndsAreExact: the ends of a curve are its first and last control point to the last bit, so that
// edges which share a vertex in the file share it here.
func TestEndsAreExact(t *testing.T) {
	points := []geom.Vec3{
		{X: 0.1, Y: 0.7, Z: 1e3 / 3.}, {X: 1, Y: 3}, {X: 2.2, Y: 1}, {X: 3.3, Y: 0.3, Z: 1. / 7},
	}
	for _, weights := range [][]float64{nil, {1, 0.3, 2, 1}} {
		c, err := NewBSpline(3, []float64{0.1, 0.1, 0.1, 0.1, 0.7, 0.7, 0.7, 0.7}, points, weights, false)
		must(t, c, err)
		dom := c.Domain()
		for _, end := range []struct {
			t    float64
			want geom.Vec3
		}{{dom.Lo, points[0]}, {dom.Hi, points[3]}} {
			p, _ := c.D1(end.t)
			q, _, _ := c.D2(end.t)
			if got := c.At(end.t); got != end.want || p != end.want || q != end.want {
				t.Errorf("weights %v: At(%v) = %v, %v, %v, want %v", weights, end.t, got, p, q, end.want)
			}
			if got, d := c.Invert(end.want); got != end.t || d != 0 {
				t.Errorf("weights %v: Invert(%v) = %v at %v, want %v", weights, end.want, got, d, end.t)
			}
		}
	}
}
