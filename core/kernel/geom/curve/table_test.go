package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"

	"pgregory.net/rapid"
)

// TestTableAgreesWithClosedForms is the twin test of Table: on curves that have closed forms it must
// find the same closest points and boxes.
func TestTableAgreesWithClosedForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBounded(t)
		inner := c
		if t, ok := c.(*Trimmed); ok {
			inner = t.Base
		}
		if inner.Kind() == KindPolyline || inner.Kind() == KindBSpline {
			return // corners, which a table bridges; branches closer than its sagitta
		}
		tab := NewTable(alien{c}, c.Domain())
		iv := drawPart(t, c)
		if !(iv.Length() > 1e-6) {
			return
		}
		p := drawVec(t, 30, "p")
		_, want := InvertIn(c, p, iv)
		got, d := tab.InvertIn(p, iv)
		if got < iv.Lo || got > iv.Hi {
			t.Fatalf("parameter %v is outside %v", got, iv)
		}
		size := c.Bounds(iv).Diagonal() + p.Norm()
		if math.Abs(d-want) > 1e-6*size {
			t.Fatalf("distance %v over %v, want %v", d, iv, want)
		}
		a, b := tab.Bounds(iv), c.Bounds(iv)
		if a.Min.Dist(b.Min) > 2e-6*size || a.Max.Dist(b.Max) > 2e-6*size {
			t.Fatalf("box %v over %v, want %v", a, iv, b)
		}
	})
}

func TestTableOfAPoint(t *testing.T) {
	o := geom.Vec3{X: 1, Y: 2, Z: 3}
	c, err := NewBSpline(1, []float64{0, 0, 1, 1}, []geom.Vec3{o, o}, nil, false)
	must(t, c, err)
	tab := NewTable(alien{c}, c.Domain())
	if x, d := tab.InvertIn(geom.Vec3{X: 1, Y: 2}, c.Domain()); d != 3 || x < 0 || x > 1 {
		t.Errorf("closest point %v at %v, want distance 3", x, d)
	}
	if box := tab.Bounds(c.Domain()); box.Min != o || box.Max != o {
		t.Errorf("box %v, want the point", box)
	}
}

// TestBoxesOfKnownSplines has extrema known in closed form.
func TestBoxesOfKnownSplines(t *testing.T) {
	w := math.Sqrt2 / 2
	rows := []struct {
		name    string
		degree  int
		knots   []float64
		points  []geom.Vec3
		weights []float64
		iv      geom.Interval
		want    geom.Box
	}{
		{"straight", 1, []float64{0, 0, 1, 1}, []geom.Vec3{{X: -1}, {X: 2, Y: 1}}, nil,
			geom.Interval{Hi: 1}, geom.Box{Min: geom.Vec3{X: -1}, Max: geom.Vec3{X: 2, Y: 1}}},
		{"parabola: 2·t·(1-t)·h", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{{}, {X: 1, Y: 6}, {X: 2}}, nil,
			geom.Interval{Hi: 1}, geom.Box{Max: geom.Vec3{X: 2, Y: 3}}},
		{"left of its top", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{{}, {X: 1, Y: 6}, {X: 2}}, nil,
			geom.Interval{Hi: 0.25}, geom.Box{Max: geom.Vec3{X: 0.5, Y: 2.25}}},
		{"right of its top", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{{}, {X: 1, Y: 6}, {X: 2}}, nil,
			geom.Interval{Lo: 0.75, Hi: 1}, geom.Box{Min: geom.Vec3{X: 1.5}, Max: geom.Vec3{X: 2, Y: 2.25}}},
		// 3·t·(1-t)²·6 - 3·t²·(1-t)·6 has its extrema at ½ ± √3/6, of height √3.
		{"S", 3, []float64{0, 0, 0, 0, 1, 1, 1, 1}, []geom.Vec3{{}, {X: 1, Y: 6}, {X: 2, Y: -6}, {X: 3}}, nil,
			geom.Interval{Hi: 1},
			geom.Box{Min: geom.Vec3{Y: -math.Sqrt(3)}, Max: geom.Vec3{X: 3, Y: math.Sqrt(3)}}},
		{"quarter circle", 2, []float64{0, 0, 0, 1, 1, 1}, []geom.Vec3{{X: 1}, {X: 1, Y: 1}, {Y: 1}},
			[]float64{1, w, 1}, geom.Interval{Hi: 1}, geom.Box{Max: geom.Vec3{X: 1, Y: 1}}},
		{"arc over the top", 2, []float64{0, 0, 0, 1, 1, 1},
			[]geom.Vec3{{X: w, Y: w}, {Y: math.Sqrt2}, {X: -w, Y: w}}, []float64{1, w, 1},
			geom.Interval{Hi: 1}, geom.Box{Min: geom.Vec3{X: -w, Y: w}, Max: geom.Vec3{X: w, Y: 1}}},
		{"beyond the domain", 1, []float64{0, 0, 1, 1}, []geom.Vec3{{}, {X: 2}}, nil,
			geom.Interval{Lo: -5, Hi: 9}, geom.Box{Max: geom.Vec3{X: 2}}},
		{"no length", 1, []float64{0, 0, 1, 1}, []geom.Vec3{{}, {X: 2}}, nil,
			geom.Interval{Lo: 0.5, Hi: 0.5}, geom.Box{Min: geom.Vec3{X: 1}, Max: geom.Vec3{X: 1}}},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			c, err := NewBSpline(r.degree, r.knots, r.points, r.weights, false)
			must(t, c, err)
			got := c.Bounds(r.iv)
			slack := boundsMargin*r.want.Diagonal() + 1e-15
			if !r.want.Grow(slack).Contains(got.Min, 0) || !r.want.Grow(slack).Contains(got.Max, 0) ||
				!got.Contains(r.want.Min, 1e-15) || !got.Contains(r.want.Max, 1e-15) {
				t.Errorf("box %v, want %v", got, r.want)
			}
			if got.Min.Z != 0 || got.Max.Z != 0 {
				t.Errorf("a plane curve has the thickness %v", got.Size().Z)
			}
		})
	}
	if got := drawnOnce(t).Bounds(geom.Interval{Lo: 1, Hi: 0}); !got.IsEmpty() {
		t.Errorf("box of a backward interval is %v", got)
	}
}

// TestBoxAcrossTheSeam compares with the box of dense samples.
func TestBoxAcrossTheSeam(t *testing.T) {
	c := periodicSpline(t)
	dom := c.Domain()
	for _, iv := range []geom.Interval{
		{Lo: dom.Hi - 1, Hi: dom.Hi + 1}, {Lo: dom.Lo - 0.5, Hi: dom.Lo + 0.2},
		{Lo: dom.Hi + 2.5, Hi: dom.Hi + 5}, {Lo: dom.Lo - 9, Hi: dom.Hi - 9.5}, {Lo: -50, Hi: 50},
	} {
		seen := geom.EmptyBox()
		for i := range 5001 {
			seen = seen.Add(c.At(iv.At(float64(i) / 5000)))
		}
		got := c.Bounds(iv)
		loose := got.Diagonal() > seen.Diagonal()*(1+1e-4)
		if loose || !got.Contains(seen.Min, 1e-12) || !got.Contains(seen.Max, 1e-12) {
			t.Errorf("box over %v is %v, samples reach %v", iv, got, seen)
		}
	}
}

// TestClosestPointInAnyWindow: over a whole period it does not matter where the window starts.
func TestClosestPointInAnyWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Curve
		switch rapid.IntRange(0, 4).Draw(t, "kind") {
		case 0:
			c = Circle{drawFrame(t), drawSize(t, "radius")}
		case 1:
			c = Ellipse{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
		case 2:
			c = periodicSpline(t)
		case 3:
			c = circleSpline(t, 3)
		case 4:
			c = slot(t)
		}
		p := drawVec(t, 20, "p")
		x, want := c.Invert(p)
		lo := rapid.Float64Range(-30, 30).Draw(t, "window")
		iv := geom.Interval{Lo: lo, Hi: lo + c.Period()}
		got, d := InvertIn(c, p, iv)
		if math.Abs(d-want) > 2*tieMargin*want+1e-9 {
			t.Fatalf("distance %v over %v, want %v", d, iv, want)
		}
		if q := c.At(got).Dist(c.At(x)); q > 1e-6 && math.Abs(d-want) > 1e-9 {
			t.Fatalf("closest point at %v over %v, want that at %v", got, iv, x)
		}
	})
}

func TestTransformsCompose(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		m, n := drawTransform(t), drawTransform(t)
		twice, once := c.Transform(n).Transform(m), c.Transform(m.Mul(n))
		x := drawParam(t, c)
		at := geom.Interval{Lo: x, Hi: x}
		a := TransformRange(c.Transform(n), m, TransformRange(c, n, at)).Lo
		b := TransformRange(c, m.Mul(n), at).Lo
		if math.Abs(a-b) > 1e-9*(1+math.Abs(a)) {
			t.Fatalf("parameter %v becomes %v in two steps, %v in one", x, a, b)
		}
		p, q := twice.At(a), once.At(b)
		if p.Dist(q) > 1e-8*(1+p.Norm()) {
			t.Fatalf("the point at %v goes to %v in two steps, %v in one", x, p, q)
		}
	})
}

// TestNestedCurves stacks the derived kinds on each other.
func TestNestedCurves(t *testing.T) {
	chain := slot(t)
	part, err := NewTrimmed(chain, geom.Interval{Lo: 3, Hi: 9}, true)
	must(t, part, err)
	outer, err := NewComposite([]Curve{part})
	must(t, outer, err)
	if got := Length(outer, outer.Domain()); math.Abs(got-6) > 1e-13 {
		t.Errorf("length %v of a chain run through at unit speed over a range of 6", got)
	}
	wide, err := NewOffset(chain, -0.5, geom.Vec3{Z: 1})
	must(t, wide, err)
	// Offset outward by a half: the same lines, half circles of radius 1.5.
	box := wide.Bounds(wide.Domain())
	want := geom.Box{Min: geom.Vec3{X: -3.5, Y: -1.5}, Max: geom.Vec3{X: 3.5, Y: 1.5}}
	if box.Min.Dist(want.Min) > 1e-5 || box.Max.Dist(want.Max) > 1e-5 {
		t.Errorf("box %v, want %v", box, want)
	}
	if got, want := Length(wide, wide.Domain()), 8+3*math.Pi; math.Abs(got-want) > 1e-9 {
		t.Errorf("length %v of the offset, want %v", got, want)
	}
	for i := range 40 {
		x := wide.Domain().At((float64(i) + 0.5) / 40)
		p := wide.At(x)
		if _, d := chain.Invert(p); math.Abs(d-0.5) > 1e-12 {
			t.Errorf("point of the offset at %v is %v away from the basis, want 0.5", x, d)
		}
		if got, d := wide.Invert(p); d > 1e-9 || math.Abs(got-x) > 1e-6 {
			t.Errorf("Invert of the point at %v is %v at %v", x, got, d)
		}
	}
}

func TestBreaksOverPeriods(t *testing.T) {
	spline := circleSpline(t, 1)
	open, err := NewBSpline(1, []float64{0, 0, 1, 2, 3, 3},
		[]geom.Vec3{{}, {X: 1}, {X: 1, Y: 1}, {Y: 1}}, nil, false)
	must(t, open, err)
	half := math.Pi / 2
	rows := []struct {
		name string
		c    Curve
		iv   geom.Interval
		want []float64
	}{
		{"line", Line{Dir: geom.Vec3{X: 1}}, geom.Interval{Hi: 9}, nil},
		{"circle", Circle{geom.World, 1}, turn, nil},
		{"ellipse", Ellipse{geom.World, 2, 1}, turn, []float64{half, 2 * half, 3 * half}},
		{"ellipse, next turn", Ellipse{geom.World, 2, 1}, geom.Interval{Lo: 6, Hi: 8},
			[]float64{4 * half, 5 * half}},
		{"ellipse, before", Ellipse{geom.World, 2, 1}, geom.Interval{Lo: -2, Hi: 0.1}, []float64{-half, 0}},
		{"open spline", open, geom.Interval{Lo: 0.5, Hi: 3}, []float64{1, 2}},
		{"open spline, beyond", open, geom.Interval{Lo: -9, Hi: 9}, []float64{0, 1, 2, 3}},
		{"closed spline", spline, geom.Interval{Lo: 0, Hi: 4}, []float64{1, 2, 3}},
		{"closed spline, two turns", spline, geom.Interval{Lo: 2.5, Hi: 9}, []float64{3, 4, 5, 6, 7, 8}},
		{"ends do not count", spline, geom.Interval{Lo: 1, Hi: 2}, nil},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			got := Breaks([]float64{42}, r.c, r.iv)
			if got[0] != 42 || len(got) != len(r.want)+1 {
				t.Fatalf("breaks %v, want %v", got[1:], r.want)
			}
			for i, want := range r.want {
				if math.Abs(got[i+1]-want) > 1e-14 {
					t.Fatalf("breaks %v, want %v", got[1:], r.want)
				}
			}
		})
	}
}

// TestSmallAndLarge samples curves much smaller and much larger than their tolerance.
func TestSmallAndLarge(t *testing.T) {
	scaled := func(s float64) *BSpline { return periodicSpline(t).Transform(geom.Scaling(s)).(*BSpline) }
	far, err := NewBSpline(3, bspline.QuasiUniformKnots(3, 5), []geom.Vec3{
		{X: 1e5, Y: 1e5}, {X: 1e5 + 1e-3, Y: 1e5 + 1e-3}, {X: 1e5 + 2e-3, Y: 1e5 - 1e-3},
		{X: 1e5 + 3e-3, Y: 1e5 + 1e-3}, {X: 1e5 + 4e-3, Y: 1e5}}, nil, false)
	must(t, far, err)
	rows := []struct {
		name      string
		c         Curve
		iv        geom.Interval
		min, most int
	}{
		{"arc of a huge radius", Circle{geom.World, 1e7}, geom.Interval{Hi: 1e-6}, 1, 1},
		{"whole huge circle", Circle{geom.World, 1e7}, turn, 22214, 22215},
		{"tiny circle", Circle{geom.World, 1e-5}, turn, 18, 18},
		{"tiny ellipse", Ellipse{geom.World, 2e-5, 1e-5}, turn, 3, 24},
		{"tiny spline", scaled(1e-5), scaled(1e-5).Domain(), 3, 30},
		{"spline below resolution", scaled(1e-8), scaled(1e-8).Domain(), 1, 30},
		{"large spline", scaled(1000), scaled(1000).Domain(), 100, 1000},
		{"small spline far away", far, far.Domain(), 1, 30},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			s := Sample(r.c, r.iv, 0.1, 0.35)
			if n := len(s) - 1; n < r.min || n > r.most {
				t.Errorf("%d segments, want %d to %d", n, r.min, r.most)
			}
		})
	}
}
