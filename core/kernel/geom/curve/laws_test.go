package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"

	"pgregory.net/rapid"
)

// Laws that relate the results of one curve to the results of its parts, its reverse and its images, for curves without
// a closed form.

// cutPart draws a part of the domain and a place inside it.
func cutPart(t *rapid.T, c Curve) (whole, left, right geom.Interval) {
	whole = drawPart(t, c)
	at := whole.At(rapid.Float64Range(0.1, 0.9).Draw(t, "cut"))
	return whole, geom.Interval{Lo: whole.Lo, Hi: at}, geom.Interval{Lo: at, Hi: whole.Hi}
}

func TestLengthAdds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		whole, left, right := cutPart(t, c)
		sum, want := Length(c, left)+Length(c, right), Length(c, whole)
		if math.Abs(sum-want) > 1e-9*(1+want) {
			t.Fatalf("%v over %v, its parts add up to %v", want, whole, sum)
		}
		if chord := c.At(whole.Lo).Dist(c.At(whole.Hi)); want < chord-1e-9*(1+chord) {
			t.Fatalf("length %v over %v is less than the chord %v", want, whole, chord)
		}
	})
}

func TestBoxesUnite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		whole, left, right := cutPart(t, c)
		a, b := c.Bounds(whole), c.Bounds(left).Union(c.Bounds(right))
		slack := 2e-6*(a.Diagonal()+b.Diagonal()) + 1e-11
		if a.Min.Dist(b.Min) > slack || a.Max.Dist(b.Max) > slack {
			t.Fatalf("box %v over %v, its parts make %v", a, whole, b)
		}
	})
}

func TestClosestPointIsOnNearestPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		whole, left, right := cutPart(t, c)
		p := drawVec(t, 30, "p")
		_, want := InvertIn(c, p, whole)
		_, a := InvertIn(c, p, left)
		_, b := InvertIn(c, p, right)
		if got := min(a, b); math.Abs(got-want) > 4*tieMargin*want+1e-9 {
			t.Fatalf("distance %v over %v, over its parts %v and %v", want, whole, a, b)
		}
	})
}

func TestReverseGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		if !(iv.Length() > 1e-6) {
			return
		}
		there, err := NewTrimmed(c, iv, false)
		must(t, there, err)
		back, err := NewTrimmed(c, iv, true)
		must(t, back, err)
		dom := there.Domain()
		if dom != back.Domain() {
			t.Fatalf("domains %v and %v", dom, back.Domain())
		}
		if a, b := Length(there, dom), Length(back, dom); a != b {
			t.Fatalf("lengths %v and %v", a, b)
		}
		if a, b := there.Bounds(dom), back.Bounds(dom); a != b {
			t.Fatalf("boxes %v and %v", a, b)
		}
		p := drawVec(t, 30, "p")
		s, d := there.Invert(p)
		r, e := back.Invert(p)
		if math.Abs(d-e) > 1e-12*(1+d) {
			t.Fatalf("distances %v at %v and %v at %v", d, s, e, r)
		}
		x := dom.At(rapid.Float64Range(0, 1).Draw(t, "x"))
		y := back.flip(x)
		a, a1, a2 := there.D2(x)
		b, b1, b2 := back.D2(y)
		scale := 1 + a.Norm() + a1.Norm() + a2.Norm() + third(there, x).Norm()
		if a.Dist(b) > 1e-12*scale || !nearBreak(c, x, 1e-12*(1+math.Abs(x))) &&
			(a1.Add(b1).Norm() > 1e-9*scale || a2.Dist(b2) > 1e-9*scale) {
			t.Fatalf("at %v: %v %v %v, backwards at %v: %v %v %v", x, a, a1, a2, y, b, b1, b2)
		}
	})
}

func TestImagesAreSampledAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawBounded(t)
		if c.Kind() == KindTrimmed || c.Kind() == KindPolyline {
			return // lines change their parameter, polylines have their corners
		}
		scale := rapid.SampledFrom([]float64{0.1, 1, 25.4}).Draw(t, "scale")
		m := geom.Rotation(drawVec(t, 1, "axis").Add(geom.Vec3{Z: 2}), 1).Mul(geom.Scaling(scale))
		const chord, angle = 0.02, 0.3
		a := Sample(c, c.Domain(), chord, angle)
		b := Sample(c.Transform(m), c.Domain(), chord*scale, angle)
		// A need that is whole except for rounding may be rounded up on one side only.
		if d := len(a) - len(b); d < -2 || d > 2 {
			t.Fatalf("%d samples, %d of the image scaled by %v", len(a), len(b), scale)
		}
		if len(a) != len(b) {
			return
		}
		for i := range a {
			if math.Abs(a[i]-b[i]) > 1e-3*c.Domain().Length() {
				t.Fatalf("sample %d is %v, of the image %v", i, a[i], b[i])
			}
		}
	})
}

func TestFinerTolerancesGiveMoreSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		last := 0
		for _, tol := range []float64{1, 0.1, 0.01, 1e-3} {
			n := len(Sample(c, iv, tol, 1))
			if n < last {
				t.Fatalf("%d samples at a tolerance of %v, %d at ten times that", n, tol, last)
			}
			last = n
		}
	})
}

// TestCornersAreSampled gives a spline knots of full multiplicity, where its tangent jumps.
func TestCornersAreSampled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.IntRange(1, 4).Draw(t, "degree")
		corners := rapid.IntRange(1, 4).Draw(t, "corners")
		var flat []float64
		for k := range corners + 2 {
			for range p {
				flat = append(flat, float64(k))
			}
		}
		flat = append(append([]float64{0}, flat...), float64(corners+1))
		points := make([]geom.Vec3, p*(corners+1)+1)
		for i := range points { // up and down by turns, one leg a piece
			leg, x := i/p, float64(i%p)/float64(p)
			points[i] = geom.Vec3{X: float64(leg) + x, Y: x}
			if leg%2 == 1 {
				points[i].Y = 1 - x
			}
		}
		c, err := NewBSpline(p, flat, points, nil, false)
		must(t, c, err)
		s := Sample(c, c.Domain(), 10, 3)
		if len(s) != corners+2 {
			t.Fatalf("%d samples of a zigzag with %d corners: %v", len(s), corners, s)
		}
		for i, x := range s {
			if x != float64(i) {
				t.Fatalf("sample %d is %v, want the corner", i, x)
			}
		}
	})
}

func TestSampleIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCurve(t)
		iv := drawPart(t, c)
		first := Sample(c, iv, 0.01, 0.3)
		Sample(circleSpline(t, 7), geom.Interval{Hi: 4}, 1e-4, 0.1) // leaves other scratch behind
		again := Sample(c, iv, 0.01, 0.3)
		if len(first) != len(again) {
			t.Fatalf("%d samples, then %d", len(first), len(again))
		}
		for i := range first {
			if first[i] != again[i] {
				t.Fatalf("sample %d is %v, then %v", i, first[i], again[i])
			}
		}
	})
}
