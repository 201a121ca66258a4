package region_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/region"
)

func TestWidthsOfKnownShapes(t *testing.T) {
	island := func(outer region.Loop, islands ...region.Loop) *region.Region {
		return of(append([]region.Loop{outer}, islands...)...)
	}
	rect := func(w, h float64) region.Loop { return region.Polygon(pt(0, 0), pt(w, 0), pt(w, h), pt(0, h)) }
	l := region.Polygon(pt(0, 0), pt(30, 0), pt(30, 8), pt(10, 8), pt(10, 25), pt(0, 25))
	incircle := func(a, b float64) float64 { return a + b - math.Hypot(a, b) } // diameter, right triangle
	for _, c := range []struct {
		name              string
		of                *region.Region
		narrowest, clears float64
		bounded           bool
	}{
		{"square", of(rect(7, 7)), 7, 7, true},
		{"rectangle", of(rect(20, 8)), 8, 8, true},
		{"circle", of(region.Circle(pt(3, 3), 4, false)), 8, 8, true},
		{"slot", of(stadium(10, 2)), 4, 4, true},
		{"arc slot", of(arcSlot(20, 3, 1.5)), 6, 6, true},
		{"rounded rectangle", of(rounded(30, 20, 4)), 20, 8, true},
		{"right triangle", of(region.Polygon(pt(0, 0), pt(4, 0), pt(0, 3))), incircle(3, 4), incircle(3, 4), true},
		{"L", of(l), 8, 8, true},
		{"ring", island(region.Circle(pt(0, 0), 10, false), region.Circle(pt(0, 0), 4, true)), 6, 6, true},
		{"circle with an island off its centre", island(region.Circle(pt(0, 0), 10, false),
			region.Circle(pt(2, 0), 4, true)), 4, 4, true},
		{"rectangle with a round island", island(rect(40, 30), region.Circle(pt(12, 14), 5, true)), 7, 7, true},
		{"rectangle with two islands", island(rect(60, 40), region.Circle(pt(20, 20), 5, true),
			region.Circle(pt(33, 20), 5, true)), 3, 3, true},
		{"rectangle with a square island", island(rect(40, 40),
			region.Polygon(pt(10, 12), pt(10, 30), pt(30, 30), pt(30, 12))), 10, 10, true},
		{"slot through both ends", of(openSides(rect(50, 12), 1, 3)), 12, 12, true},
		{"slot open at one end", of(openSides(rect(50, 12), 1)), 12, 12, true},
		{"step along one wall", of(openSides(rect(50, 12), 1, 2, 3)), 12, 50, false},
		{"step in a corner", of(openSides(rect(50, 12), 1, 2)), 12, 50, false},
		{"step in a rounded corner", of(openSides(rounded(50, 12, 3), 2, 3, 4, 5, 6, 1)), 12, 6, false},
		{"step with a round inner corner", of(openSides(rounded(50, 12, 3), 1, 2, 3, 4, 5)), 12, 6, false},
		{"tapered slot", of(region.Polygon(pt(0, -5), pt(60, -9), pt(60, 9), pt(0, 5))), taper(5, 9, 60),
			taper(5, 9, 60), true},
		{"no walls", of(openSides(rect(50, 12), 0, 1, 2, 3)), 12, 50, false},
	} {
		for i, angle := range []float64{0, 0.4, 2.2} {
			m := moved(c.of, angle, 1, pt(100, -40), i)
			got := m.Widths()
			same := near(got.Narrowest, c.narrowest, 5e-5) && near(got.Clearing, c.clears, 5e-5)
			if !same || got.Bounded != c.bounded {
				t.Errorf("%s turned by %v: %+v, want %v, %v, %v", c.name, angle, got, c.narrowest, c.clears, c.bounded)
			}
		}
	}
}

// taper returns the diameter of the disc in the narrow end of a symmetric trapezoid: r/cos + r·tan =
// the half width where it touches the end at distance r.
func taper(a, b, length float64) float64 {
	tilt := math.Atan((b - a) / length)
	// The distance from (r, 0) to the side is (a + r·tan)·cos, which must be r.
	return 2 * a * math.Cos(tilt) / (1 - math.Sin(tilt))
}

func TestCornerRadius(t *testing.T) {
	rect := func() region.Loop { return region.Polygon(pt(0, 0), pt(9, 0), pt(9, 5), pt(0, 5)) }
	for _, c := range []struct {
		name string
		of   *region.Region
		want float64
		ok   bool
	}{
		{"sharp", of(rect()), 0, true},
		{"rounded", of(rounded(9, 5, 1.5)), 1.5, true},
		{"slot", of(stadium(9, 2)), 2, true},
		{"circle", of(region.Circle(pt(0, 0), 3, false)), 0, false},
		{"through slot", of(openSides(rect(), 1, 3)), 0, false},
		{"one wall", of(openSides(rect(), 1, 2, 3)), 0, false},
		{"island of sharp corners", of(region.Circle(pt(3, 3), 8, false),
			region.Polygon(pt(0, 0), pt(0, 3), pt(3, 3), pt(3, 0))), 0, false},
	} {
		got, ok := c.of.CornerRadius()
		if ok != c.ok || ok && !near(got, c.want, 1e-9) {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// A polygon with a disc that is free and meets the walls at opposite ends has no narrower place than that:
// checked by walking all pairs of boundary samples.
func TestNoNarrowerPlaceThanTheNarrowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(t, "corners")
		var points []geom.Vec2
		for i := range n {
			radius := rapid.Float64Range(3, 10).Draw(t, fmt.Sprint("radius ", i))
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points = append(points, pt(radius*c, radius*s))
		}
		r := of(region.Polygon(points...))
		got := r.Widths()
		var samples []geom.Vec2
		for i := range r.Loops[0] {
			for k := range 40 {
				samples = append(samples, r.Loops[0][i].At(float64(k)/40))
			}
		}
		distance := func(q geom.Vec2) float64 {
			d := math.Inf(1)
			for i := range r.Loops[0] {
				d = min(d, r.Loops[0][i].Distance(q))
			}
			return d
		}
		for i, a := range samples {
			for _, b := range samples[:i] {
				l := a.Dist(b)
				if l >= got.Narrowest*(1-1e-6) || l < 1e-3 {
					continue
				}
				if m := a.Lerp(b, 0.5); r.Contains(m) && distance(m) >= l/2*(1-1e-9) {
					t.Fatalf("a disc of %v fits between %v and %v, narrowest is %v of %v", l, a, b, got.Narrowest, points)
				}
			}
		}
		if got.Clearing > got.Narrowest+1e-9 {
			t.Fatalf("clearing %v over narrowest %v", got.Clearing, got.Narrowest)
		}
	})
}

func TestWidthsFollowScaleAndMotion(t *testing.T) {
	base := of(rounded(40, 25, 3), region.Circle(pt(15, 12), 4, true))
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(0, 7).Draw(t, "angle")
		scale := rapid.Float64Range(0.2, 20).Draw(t, "scale")
		x, start := rapid.Float64Range(-500, 500).Draw(t, "x"), rapid.IntRange(0, 5).Draw(t, "start")
		m := moved(base, angle, scale, pt(x, 3), start)
		want, got := base.Widths(), m.Widths()
		if !near(got.Narrowest, scale*want.Narrowest, 1e-4) || !near(got.Clearing, scale*want.Clearing, 1e-4) {
			t.Fatalf("scaled by %v: %+v, before %+v", scale, got, want)
		}
	})
}

func TestNothingToMeasureGivesNoPanic(t *testing.T) {
	bad := math.NaN()
	for name, r := range map[string]*region.Region{
		"empty":      {},
		"no pieces":  of(region.Loop{}),
		"a point":    of(region.Polygon(pt(1, 1))),
		"a line":     of(region.Polygon(pt(1, 1), pt(2, 1))),
		"not finite": of(region.Polygon(pt(bad, 1), pt(2, 1), pt(3, 4))),
	} {
		w := r.Widths()
		if math.IsInf(w.Narrowest, 0) || w.Narrowest < 0 {
			t.Errorf("%s: %+v", name, w)
		}
		r.CornerRadius()
	}
}

func BenchmarkWidths(b *testing.B) {
	r := of(rounded(40, 25, 3), region.Circle(pt(15, 12), 4, true))
	for b.Loop() {
		r.Widths()
	}
}
