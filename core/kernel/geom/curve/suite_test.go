package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"

	"pgregory.net/rapid"
)

// The suite below draws a curve of every kind and checks the contract of the Curve interface.

func drawVec(t *rapid.T, r float64, name string) geom.Vec3 {
	f := rapid.Float64Range(-r, r)
	return geom.Vec3{X: f.Draw(t, name+".x"), Y: f.Draw(t, name+".y"), Z: f.Draw(t, name+".z")}
}

func drawFrame(t *rapid.T) geom.Frame {
	f := geom.NewFrame(drawVec(t, 50, "origin"), drawVec(t, 1, "z"), drawVec(t, 1, "x"))
	if rapid.Bool().Draw(t, "left-handed") {
		f.Y = f.Y.Neg()
	}
	return f
}

func drawTransform(t *rapid.T) geom.Transform {
	m := geom.Rotation(drawVec(t, 1, "axis").Add(geom.Vec3{Z: 1.5}), rapid.Float64Range(-4, 4).Draw(t, "turn"))
	m = m.Mul(geom.Scaling(rapid.SampledFrom([]float64{1, 0.03, 25.4}).Draw(t, "scale")))
	if rapid.Bool().Draw(t, "mirror") {
		m = m.Mul(geom.Transform{X: geom.Vec3{X: -1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}})
	}
	m.T = drawVec(t, 100, "move")
	return m
}

func must[C any](t rapid.TB, c C, err error) C {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func drawSize(t *rapid.T, name string) float64 { return rapid.Float64Range(0.2, 20).Draw(t, name) }

// drawBSpline draws a regular curve: control points advance along x, so that no derivative vanishes
// by accident, and inner knots have any multiplicity up to the degree.
func drawBSpline(t *rapid.T) *BSpline {
	p := rapid.IntRange(1, 6).Draw(t, "degree")
	knots, mults := []float64{-1}, []int{p + 1}
	for range rapid.IntRange(0, 4).Draw(t, "inner knots") {
		step := rapid.SampledFrom([]float64{1, 1, 0.3, 2.5}).Draw(t, "step")
		knots = append(knots, knots[len(knots)-1]+step)
		mults = append(mults, rapid.IntRange(1, p).Draw(t, "multiplicity"))
	}
	knots, mults = append(knots, knots[len(knots)-1]+1), append(mults, p+1)
	flat, err := bspline.Expand(knots, mults, len(knots)*(p+1))
	must(t, flat, err)
	n := len(flat) - p - 1
	points := make([]geom.Vec3, n)
	var weights []float64
	rational := rapid.Bool().Draw(t, "rational")
	for i := range points {
		points[i] = drawVec(t, 1, "point").Add(geom.Vec3{X: 3 * float64(i)})
		if rational {
			weights = append(weights, rapid.Float64Range(0.4, 2).Draw(t, "weight"))
		}
	}
	c, err := NewBSpline(p, flat, points, weights, false)
	return must(t, c, err)
}

// circleSpline returns a full circle in the xy plane as four rational quadratic pieces.
func circleSpline(t rapid.TB, r float64) *BSpline {
	w := math.Sqrt2 / 2
	points := []geom.Vec3{
		{X: r}, {X: r, Y: r}, {Y: r}, {X: -r, Y: r}, {X: -r}, {X: -r, Y: -r}, {Y: -r}, {X: r, Y: -r}, {X: r},
	}
	flat := []float64{0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}
	c, err := NewBSpline(2, flat, points, []float64{1, w, 1, w, 1, w, 1, w, 1}, true)
	return must(t, c, err)
}

// periodicSpline returns a closed cubic with unclamped uniform knots.
func periodicSpline(t rapid.TB) *BSpline {
	ring := []geom.Vec3{{X: 4}, {X: 3, Y: 3, Z: 1}, {Y: 4}, {X: -4, Y: 2}, {X: -3, Y: -3}, {Y: -2, Z: 1}}
	points := append(append([]geom.Vec3(nil), ring...), ring[:3]...)
	c, err := NewBSpline(3, bspline.UniformKnots(3, len(points)), points, nil, true)
	return must(t, c, err)
}

// drawBounded draws a curve with a finite domain, without composites and offsets.
func drawBounded(t *rapid.T) Curve {
	switch rapid.IntRange(0, 7).Draw(t, "bounded kind") {
	case 0:
		return Circle{drawFrame(t), drawSize(t, "radius")}
	case 1:
		return Ellipse{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
	case 2:
		return drawBSpline(t)
	case 3:
		return circleSpline(t, 3)
	case 4:
		return periodicSpline(t)
	case 5:
		n := rapid.IntRange(2, 6).Draw(t, "points")
		points := make([]geom.Vec3, n)
		for i := range points {
			points[i] = drawVec(t, 1, "point").Add(geom.Vec3{X: 3 * float64(i)})
		}
		c, err := NewPolyline(points)
		return must(t, c, err)
	default:
		var base Curve
		switch rapid.IntRange(0, 5).Draw(t, "trimmed kind") {
		case 0:
			base = Line{drawVec(t, 20, "origin"), drawVec(t, 1, "dir").Add(geom.Vec3{Y: 2}).Unit()}
		case 1:
			base = Hyperbola{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
		case 2:
			base = Parabola{drawFrame(t), drawSize(t, "focal")}
		case 3:
			base = Ellipse{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
		case 4:
			base = periodicSpline(t)
		default:
			base = drawBSpline(t)
		}
		dom := clip(base.Domain(), geom.Interval{Lo: -2, Hi: 7})
		lo := dom.At(rapid.Float64Range(0, 0.7).Draw(t, "from"))
		hi := lo + dom.Length()*rapid.Float64Range(0.05, 0.3).Draw(t, "length")
		c, err := NewTrimmed(base, geom.Interval{Lo: lo, Hi: hi}, rapid.Bool().Draw(t, "reversed"))
		return must(t, c, err)
	}
}

func drawCurve(t *rapid.T) Curve {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return Line{drawVec(t, 20, "origin"), drawVec(t, 1, "dir").Add(geom.Vec3{Y: 2}).Unit()}
	case 1:
		return Hyperbola{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
	case 2:
		return Parabola{drawFrame(t), drawSize(t, "focal")}
	case 3:
		var segments []Curve
		for range rapid.IntRange(1, 3).Draw(t, "segments") {
			s := drawBounded(t)
			if n := len(segments); n > 0 { // continue where the last one ends
				last := segments[n-1]
				s = s.Transform(geom.Translation(last.At(last.Domain().Hi).Sub(s.At(s.Domain().Lo))))
			}
			segments = append(segments, s)
		}
		c, err := NewComposite(segments)
		return must(t, c, err)
	case 4: // radii of curvature above the distance, so that the offset has no cusp
		base := Ellipse{drawFrame(t), rapid.Float64Range(6, 9).Draw(t, "major"), 7}
		f := base.Frame
		c, err := NewOffset(base, rapid.Float64Range(-3, 3).Draw(t, "distance"), f.Z.AddScaled(0.3, f.X))
		return must(t, c, err)
	}
	return drawBounded(t)
}

// window returns the domain, or a bounded part of it.
func window(c Curve) geom.Interval {
	if c.Kind() == KindHyperbola { // which grows like e^t
		return geom.Interval{Lo: -5, Hi: 7}
	}
	return clip(c.Domain(), geom.Interval{Lo: -5, Hi: 60})
}

func drawParam(t *rapid.T, c Curve) float64 {
	return window(c).At(rapid.Float64Range(0, 1).Draw(t, "s"))
}

func drawPart(t *rapid.T, c Curve) geom.Interval {
	a, b := drawParam(t, c), drawParam(t, c)
	iv := geom.Interval{Lo: min(a, b), Hi: max(a, b)}
	if p := c.Period(); p > 0 && rapid.Bool().Draw(t, "across the seam") {
		iv = geom.Interval{Lo: iv.Hi - 2*p, Hi: iv.Lo - p}
	}
	return iv
}

// nearBreak reports whether a break lies within h of t, also one at the seam.
func nearBreak(c Curve, t, h float64) bool {
	if p := c.Period(); p > 0 {
		if x := c.Domain().Wrap(t); x-c.Domain().Lo < h || c.Domain().Hi-x < h {
			return true
		}
	}
	return len(Breaks(nil, c, geom.Interval{Lo: t - h, Hi: t + h})) > 0
}

func TestDerivatives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		x := drawParam(t, c)
		if p := c.Period(); p > 0 {
			x += p * float64(rapid.IntRange(-2, 2).Draw(t, "turns"))
		}
		p, d1, d2 := c.D2(x)
		q, e1 := c.D1(x)
		const tol = 1e-13
		if max(q.Dist(p), c.At(x).Dist(p)) > tol*(1+p.Norm()) || e1.Dist(d1) > tol*(1+d1.Norm()) {
			t.Fatalf("At, D1 and D2 disagree at %v: %v %v %v; %v %v", x, c.At(x), q, p, e1, d1)
		}
		const h = 1e-4
		if dom := c.Domain(); nearBreak(c, x, 2*h) || c.Period() == 0 && (x-dom.Lo < h || dom.Hi-x < h) {
			return
		}
		a, a1 := c.D1(x - h)
		b, b1 := c.D1(x + h)
		slope, bend := b.Sub(a).Scale(0.5/h), b1.Sub(a1).Scale(0.5/h)
		// Truncation is h²/6 of the third and fourth derivative, rounding 1e-16/h of the size.
		scale := 1 + p.Norm() + d1.Norm() + d2.Norm() + third(c, x).Norm()
		if d := slope.Dist(d1); d > 1e-6*scale {
			t.Errorf("C'(%v) = %v, difference gives %v", x, d1, slope)
		}
		if d := bend.Dist(d2); d > 1e-5*scale {
			t.Errorf("C''(%v) = %v, difference gives %v", x, d2, bend)
		}
		_, _, a2 := c.D2(x - h)
		_, _, b2 := c.D2(x + h)
		if third := third(c, x); b2.Sub(a2).Scale(0.5/h).Dist(third) > 1e-3*scale {
			t.Errorf("C'''(%v) = %v, difference gives %v", x, third, b2.Sub(a2).Scale(0.5/h))
		}
	})
}

func TestPeriodRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		p := c.Period()
		if p == 0 {
			return
		}
		if got, want := p, c.Domain().Length(); got != want {
			t.Fatalf("period %v, domain length %v", got, want)
		}
		x := drawParam(t, c)
		for _, k := range []float64{-3, -1, 1, 2} {
			if d := c.At(x + k*p).Dist(c.At(x)); d > 1e-9 {
				t.Fatalf("point at %v + %v periods is off by %v", x, k, d)
			}
		}
	})
}

func TestInvertOfPointOnCurve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		x := drawParam(t, c)
		p := c.At(x)
		got, dist := c.Invert(p)
		if dist > 1e-9*(1+p.Norm()) {
			t.Fatalf("distance of the point at %v is %v", x, dist)
		}
		if q := c.At(got); math.Abs(q.Dist(p)-dist) > 1e-12*(1+p.Norm()) {
			t.Fatalf("distance %v returned, %v measured", dist, q.Dist(p))
		}
		dom := c.Domain()
		if got < dom.Lo || got > dom.Hi || c.Period() > 0 && got == dom.Hi {
			t.Fatalf("parameter %v is outside %v (period %v)", got, dom, c.Period())
		}
	})
}

// TestInvertFindsParameter uses curves that do not cross themselves, on which the parameter is unique.
func TestInvertFindsParameter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Curve
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			c = Line{drawVec(t, 20, "origin"), drawVec(t, 1, "dir").Add(geom.Vec3{Y: 2}).Unit()}
		case 1:
			c = Circle{drawFrame(t), drawSize(t, "radius")}
		case 2:
			c = Ellipse{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
		case 3:
			c = Hyperbola{drawFrame(t), drawSize(t, "major"), drawSize(t, "minor")}
		case 4:
			c = Parabola{drawFrame(t), drawSize(t, "focal")}
		case 5:
			c = drawBSpline(t)
		case 6:
			c = circleSpline(t, 5)
		}
		x := drawParam(t, c)
		got, _ := c.Invert(c.At(x))
		diff := math.Abs(got - x)
		if p := c.Period(); p > 0 {
			diff = min(diff, p-diff)
		}
		// A point is off by about 1e-14, which the speed turns into a parameter; ten times that.
		_, d1 := c.D1(x)
		if tol := 1e-10 / min(1, d1.Norm()); diff > tol {
			t.Fatalf("Invert(At(%v)) = %v, off by %v (speed %v)", x, got, diff, d1.Norm())
		}
	})
}

// TestInvertIsGlobal compares with the best of many samples; no sample may be closer.
func TestInvertIsGlobal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		p := drawVec(t, 30, "p")
		iv := window(c)
		got, dist := c.Invert(p)
		if d := c.At(got).Dist(p); math.Abs(d-dist) > 1e-11*(1+dist) {
			t.Fatalf("distance %v returned, %v measured", dist, d)
		}
		const n = 500
		for i := range n + 1 {
			x := iv.At(float64(i) / n)
			if d := c.At(x).Dist(p); d < dist-2*tieMargin*dist-1e-12 {
				t.Fatalf("the point at %v is at distance %v, Invert gave %v at %v", x, d, dist, got)
			}
		}
		part := drawPart(t, c)
		got, dist = InvertIn(c, p, part)
		if got < part.Lo || got > part.Hi {
			t.Fatalf("InvertIn over %v returned %v", part, got)
		}
		if d := c.At(got).Dist(p); math.Abs(d-dist) > 1e-9*(1+dist) {
			t.Fatalf("InvertIn: distance %v returned, %v measured at %v in %v", dist, d, got, part)
		}
		for i := range n + 1 {
			x := part.At(float64(i) / n)
			if d := c.At(x).Dist(p); d < dist-2*tieMargin*dist-1e-9 {
				t.Fatalf("in %v the point at %v is at distance %v, InvertIn gave %v at %v", part, x, d, dist, got)
			}
		}
	})
}

func TestBoundsAreTight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		box := c.Bounds(iv)
		seen := geom.EmptyBox()
		const n = 2000
		for i := range n + 1 {
			p := c.At(iv.At(float64(i) / n))
			seen = seen.Add(p)
			if !box.Contains(p, 1e-12*(1+p.Norm())) {
				t.Fatalf("%v at %v is outside the box %v over %v", p, iv.At(float64(i)/n), box, iv)
			}
		}
		for _, b := range Breaks(nil, c, iv) { // corners, which even steps miss
			seen = seen.Add(c.At(b))
		}
		// The samples miss an extremum by at most |C''|·step²/8 at each side.
		miss := 0.0
		for i := range n + 1 {
			_, _, d2 := c.D2(iv.At(float64(i) / n))
			miss = max(miss, d2.Norm())
		}
		step := iv.Length() / n
		slack := 1.5*miss*step*step/8 + 1e-6*seen.Diagonal() + 1e-11
		if !(geom.Box{Min: seen.Min, Max: seen.Max}).Grow(slack).Contains(box.Min, 0) ||
			!seen.Grow(slack).Contains(box.Max, 0) {
			t.Fatalf("box %v over %v, samples reach only %v", box, iv, seen)
		}
	})
}

func TestTransformCommutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, m := drawCurve(t), drawTransform(t)
		image := c.Transform(m)
		if image.Kind() != c.Kind() {
			t.Fatalf("kind changes from %v to %v", c.Kind(), image.Kind())
		}
		iv := drawPart(t, c)
		got := TransformRange(c, m, iv)
		for _, s := range []float64{0, 0.3, 1} {
			x := iv.At(s)
			want := m.Point(c.At(x))
			y := TransformRange(c, m, geom.Interval{Lo: x, Hi: x}).Lo
			if d := image.At(y).Dist(want); d > 1e-9*(1+want.Norm()) {
				t.Fatalf("image of the point at %v is off by %v at %v", x, d, y)
			}
			if !got.Contains(y, 1e-9*(1+got.Length())) {
				t.Fatalf("parameter %v is outside the image range %v", y, got)
			}
			_, d1 := c.D1(x)
			_, e1 := image.D1(y)
			if a := m.Dir(d1).Angle(e1); d1.Norm() > 0 && a > 1e-6 && !nearBreak(c, x, 1e-9) {
				t.Fatalf("tangent at %v is turned by %v", x, a)
			}
		}
		a, b := Length(c, iv)*m.Scale(), Length(image, got)
		if math.Abs(a-b) > 1e-8*(1+a) {
			t.Fatalf("length %v becomes %v, want %v", Length(c, iv), b, a)
		}
	})
}

func TestBreaksAreInsideAndAscending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		last := iv.Lo
		for _, b := range Breaks(nil, c, iv) {
			if b < last || b >= iv.Hi {
				t.Fatalf("break %v after %v in %v", b, last, iv)
			}
			last = b
		}
	})
}

func TestHotCallsDoNotAllocate(t *testing.T) {
	circle := Circle{geom.World, 2}
	offset, err := NewOffset(Ellipse{geom.World, 7, 8}, 1, geom.Vec3{X: 0.1, Z: 1})
	must(t, offset, err)
	arc, err := NewTrimmed(circle, geom.Interval{Hi: 1}, true)
	must(t, arc, err)
	composite, err := NewComposite([]Curve{arc, periodicSpline(t)})
	must(t, composite, err)
	polyline, err := NewPolyline([]geom.Vec3{{}, {X: 1}, {Y: 1}})
	must(t, polyline, err)
	for _, r := range []struct {
		name string
		c    Curve
	}{
		{"line", Line{Dir: geom.Vec3{X: 1}}}, {"circle", circle},
		{"ellipse", Ellipse{geom.World, 2, 1}}, {"hyperbola", Hyperbola{geom.World, 2, 1}},
		{"parabola", Parabola{geom.World, 2}}, {"spline", periodicSpline(t)},
		{"rational spline", circleSpline(t, 3)}, {"trimmed", arc}, {"polyline", polyline},
		{"composite", composite}, {"offset", offset},
	} {
		t.Run(r.name, func(t *testing.T) {
			p := geom.Vec3{X: 1, Y: 0.3, Z: 0.2}
			iv := geom.Interval{Lo: 0.1, Hi: 0.9}
			if n := testing.AllocsPerRun(50, func() {
				r.c.At(0.4)
				r.c.D2(0.4)
				r.c.Invert(p)
				InvertIn(r.c, p, iv)
				r.c.Bounds(iv)
			}); n != 0 {
				t.Errorf("%v allocations, want 0", n)
			}
		})
	}
}

// TestSampleOfARangeThatStartsBesideABreak: the piece of rounding length between them needs no samples.
func TestSampleOfARangeThatStartsBesideABreak(t *testing.T) {
	frame := geom.NewFrame(geom.Vec3{X: 139.6, Y: -102.6, Z: -73.3}, geom.Vec3{X: 0.7, Y: -0.2, Z: 0.6},
		geom.Vec3{X: 0.1, Y: 0.9, Z: -0.3})
	e := Ellipse{Major: 2.1475134364802853, Minor: 1.524, Frame: frame}
	for _, lo := range []float64{1.5 * math.Pi, 1.5*math.Pi - 7e-15, 1.5*math.Pi - 1e-13, 1.5*math.Pi + 2e-15} {
		iv := geom.Interval{Lo: lo, Hi: 1.75 * math.Pi}
		if got := Sample(e, iv, 0.15, 0.35); len(got) > 4 {
			t.Errorf("%d samples from %.17g on, want a handful", len(got), lo)
		}
		back := geom.Interval{Lo: 1.25 * math.Pi, Hi: lo}
		if got := Sample(e, back, 0.15, 0.35); len(got) > 4 {
			t.Errorf("%d samples up to %.17g, want a handful", len(got), lo)
		}
	}
}
