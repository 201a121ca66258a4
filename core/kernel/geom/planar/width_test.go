package planar_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestNarrowestOfKnownShapes(t *testing.T) {
	island := func(outer planar.Loop, islands ...planar.Loop) *planar.Region {
		return of(append([]planar.Loop{outer}, islands...)...)
	}
	rect := func(w, h float64) planar.Loop { return planar.Polygon(pt(0, 0), pt(w, 0), pt(w, h), pt(0, h)) }
	l := planar.Polygon(pt(0, 0), pt(30, 0), pt(30, 8), pt(10, 8), pt(10, 25), pt(0, 25))
	incircle := func(a, b float64) float64 { return a + b - math.Hypot(a, b) } // diameter, right triangle
	for _, c := range []struct {
		name  string
		of    *planar.Region
		want  float64
		faced bool
	}{
		{"square", of(rect(7, 7)), 7, true},
		{"rectangle", of(rect(20, 8)), 8, true},
		{"circle", of(planar.Circle(pt(3, 3), 4, false)), 8, true},
		{"slot", of(stadium(10, 2)), 4, true},
		{"arc slot", of(arcSlot(20, 3, 1.5)), 6, true},
		{"rounded rectangle", of(rounded(30, 20, 4)), 20, true},
		{"right triangle", of(planar.Polygon(pt(0, 0), pt(4, 0), pt(0, 3))), incircle(3, 4), false},
		{"L", of(l), 8, true},
		{"ring", island(planar.Circle(pt(0, 0), 10, false), planar.Circle(pt(0, 0), 4, true)), 6, true},
		{"circle with an island off its centre", island(planar.Circle(pt(0, 0), 10, false),
			planar.Circle(pt(2, 0), 4, true)), 4, true},
		{"rectangle with a round island", island(rect(40, 30), planar.Circle(pt(12, 14), 5, true)), 7, true},
		{"rectangle with two islands", island(rect(60, 40), planar.Circle(pt(20, 20), 5, true),
			planar.Circle(pt(33, 20), 5, true)), 3, true},
		{"rectangle with a square island", island(rect(40, 40),
			planar.Polygon(pt(10, 12), pt(10, 30), pt(30, 30), pt(30, 12))), 10, true},
		{"slot through both ends", of(openSides(rect(50, 12), 1, 3)), 12, true},
		{"slot open at one end", of(openSides(rect(50, 12), 1)), 12, true},
		{"step along one wall", of(openSides(rect(50, 12), 1, 2, 3)), 12, false},
		{"step in a corner", of(openSides(rect(50, 12), 1, 2)), 12, false},
		{"step in a rounded corner", of(openSides(rounded(50, 12, 3), 2, 3, 4, 5, 6, 1)), 12, false},
		{"step with a round inner corner", of(openSides(rounded(50, 12, 3), 1, 2, 3, 4, 5)), 12, false},
		{"tapered slot", of(planar.Polygon(pt(0, -5), pt(60, -9), pt(60, 9), pt(0, 5))), taper(5, 9, 60), true},
		{"rectangle with a bevelled corner", of(planar.Polygon(pt(0, 0), pt(40, 0), pt(40, 20), pt(3, 20),
			pt(0, 17))), 20, true},
		{"wedge of 20° with a flat end", of(planar.Polygon(pt(0, -2), pt(30, -2-30*math.Tan(math.Pi/18)),
			pt(30, 2+30*math.Tan(math.Pi/18)), pt(0, 2))), taper(2, 2+30*math.Tan(math.Pi/18), 30), true},
		{"wedge of 20° that is open at both ends",
			of(openSides(planar.Polygon(pt(0, -2), pt(30, -2-30*math.Tan(math.Pi/18)),
				pt(30, 2+30*math.Tan(math.Pi/18)), pt(0, 2)), 1, 3)), 4, true},
		{"round bay behind a mouth", of(bay(10, 1.2)), 20, true},
		{"two arcs of one circle", of(opened(10, 0.6)), 20, true},
		{"slot whose round end is cut off part-way", of(cutOff(10, 3, math.Pi/3)), 6, true},
		{"hexagon that is open between two of its corners", of(openSides(ngon(6, 10), 1)), 10 * math.Sqrt(3), true},
		{"triangle that is cut off", of(openSides(planar.Polygon(pt(-9, 0), pt(9, 0), pt(2, 7*math.Sqrt(3)),
			pt(-2, 7*math.Sqrt(3))), 2)), 2 * 9 / math.Sqrt(3), false},
		{"wall with a gap in it",
			of(openSides(planar.Polygon(pt(0, 0), pt(9, 0), pt(12, 0), pt(20, 0), pt(20, 6), pt(0, 6)),
				1, 3, 4, 5)), 6, false},
		{"mouth of a bay that is wider than deep", of(openSides(rect(20, 9.9), 0)),
			2 * math.Hypot(10, (100-9.9*9.9)/(2*9.9)), true},
		{"mouth of a bay that is much wider than deep", of(openSides(rect(20, 6), 0)), 6, false},
		{"end of a wall across from another, in a corner",
			of(openSides(planar.Polygon(pt(0, 0), pt(24, 0), pt(24, 18), pt(16, 18),
				pt(0, 18)), 3, 4)), 2 * (8 + 18 - math.Sqrt(288)), true},
		{"arc that ends before it is across from a wall", of(shortArc(7, geom.Radians(4))), 14, true},
		{"no walls", of(openSides(rect(50, 12), 0, 1, 2, 3)), 12, false},
	} {
		for i, angle := range []float64{0, 0.4, 2.2} {
			m := moved(c.of, angle, 1, pt(100, -40), i)
			if got, faced := m.Narrowest(); !near(got, c.want, 5e-5) || faced != c.faced {
				t.Errorf("%s turned by %v: %v, %v, want %v, %v", c.name, angle, got, faced, c.want, c.faced)
			}
		}
	}
}

// cutOff is a slot along x with a round end at 0, open from where the other end has turned so far.
func cutOff(length, radius, turn float64) planar.Loop {
	s, c := math.Sincos(turn)
	right := planar.NewArc(pt(length, 0), pt(length, -radius), turn)
	top := pt(length+radius*s, -radius*c)
	return planar.Loop{planar.NewLine(pt(0, -radius), pt(length, -radius)), right,
		{From: top, To: pt(length, radius), Open: true},
		planar.NewLine(pt(length, radius), pt(0, radius)), planar.NewArc(pt(0, 0), pt(0, radius), math.Pi)}
}

// ngon is a regular polygon with corners at a radius.
func ngon(n int, radius float64) planar.Loop {
	corners := make([]geom.Vec2, n)
	for i := range corners {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		corners[i] = pt(radius*c, radius*s)
	}
	return planar.Polygon(corners...)
}

// shortArc is a segment of a circle that begins so far past its lowest place, and a wall that touches it at its
// highest.
func shortArc(radius, past float64) planar.Loop {
	s, c := math.Sincos(past)
	arc := planar.NewArc(pt(0, 0), pt(radius*s, -radius*c), geom.Radians(116))
	return planar.Loop{arc, {From: arc.To, To: pt(2, radius), Open: true},
		planar.NewLine(pt(2, radius), pt(-6, radius)),
		{From: pt(-6, radius), To: arc.From, Open: true}}
}

// bay is a circle with an open side that is seen from its middle under an angle.
func bay(radius, angle float64) planar.Loop {
	arc := planar.NewArc(pt(0, 0), pt(radius*math.Cos(angle/2), radius*math.Sin(angle/2)), 2*math.Pi-angle)
	return planar.Loop{arc, {From: arc.To, To: arc.From, Open: true}}
}

// opened is a circle with two open sides.
func opened(radius, angle float64) planar.Loop {
	at := func(a float64) geom.Vec2 { return pt(radius*math.Cos(a), radius*math.Sin(a)) }
	one := planar.NewArc(pt(0, 0), at(angle/2), math.Pi-angle)
	two := planar.NewArc(pt(0, 0), at(math.Pi+angle/2), math.Pi-angle)
	return planar.Loop{one, {From: one.To, To: two.From, Open: true}, two, {From: two.To, To: one.From, Open: true}}
}

// taper returns the diameter of the disc in the narrow end of a symmetric trapezoid: r/cos + r·tan =
// the half width where it touches the end at distance r.
func taper(a, b, length float64) float64 {
	tilt := math.Atan((b - a) / length)
	// The distance from (r, 0) to the side is (a + r·tan)·cos, which must be r.
	return 2 * a * math.Cos(tilt) / (1 - math.Sin(tilt))
}

func TestCornerRadius(t *testing.T) {
	rect := func() planar.Loop { return planar.Polygon(pt(0, 0), pt(9, 0), pt(9, 5), pt(0, 5)) }
	for _, c := range []struct {
		name string
		of   *planar.Region
		want float64
		ok   bool
	}{
		{"sharp", of(rect()), 0, true},
		{"rounded", of(rounded(9, 5, 1.5)), 1.5, true},
		{"slot", of(stadium(9, 2)), 2, true},
		{"circle", of(planar.Circle(pt(0, 0), 3, false)), 0, false},
		{"circle in halves that differ by what files round off",
			of(planar.Loop{planar.NewArc(pt(0, 0), pt(3, 0), math.Pi),
				planar.NewArc(pt(2e-5, 0), pt(-3, 0), math.Pi)}), 0, false},
		{"circle of arcs that were fitted", of(outOfRound(12.7, 1, 0.02)), 0, false},
		{"oval of arcs that were fitted", of(outOfRound(12.7, 1.001, 0.02)), 12.7 * 0.98, true},
		{"cusps of a crescent", of(crescent()), 0, true},
		{"crescent that stands in a circle", of(planar.Circle(pt(0, 0), 9, false), crescent().Reverse()), 0, false},
		{"through slot", of(openSides(rect(), 1, 3)), 0, false},
		{"kinks of 10°", of(openSides(planar.Polygon(pt(0, 0), pt(9, 0), pt(18, 9*math.Tan(math.Pi/18)), pt(0, 9)),
			2, 3)), 0, false},
		{"kinks of 20°", of(openSides(planar.Polygon(pt(0, 0), pt(9, 0), pt(18, 9*math.Tan(math.Pi/9)), pt(0, 9)),
			2, 3)), 0, true},
		{"a turn of 10°", of(turned(30, math.Pi/18)), 0, false},
		{"a turn of 20°", of(turned(30, math.Pi/9)), 30, true},
		{"a turn of 20° in two arcs", of(turned(30, math.Pi/18, math.Pi/18)), 30, true},
		{"one wall", of(openSides(rect(), 1, 2, 3)), 0, false},
		{"island of sharp corners", of(planar.Circle(pt(3, 3), 8, false),
			planar.Polygon(pt(0, 0), pt(0, 3), pt(3, 3), pt(3, 0))), 0, false},
	} {
		got, ok := c.of.CornerRadius()
		if ok != c.ok || ok && !near(got, c.want, 1e-9) {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, got, ok, c.want, c.ok)
		}
	}
}

// crescent lies between two circles that touch.
func crescent() planar.Loop {
	return append(planar.Circle(pt(0, 0), 5, false), planar.Circle(pt(2, 0), 3, true)...)
}

// outOfRound is a loop of arcs between places of an ellipse, whose radii are off by turns.
func outOfRound(radius, long, off float64) planar.Loop {
	const n = 48
	at := func(k int) geom.Vec2 {
		s, c := math.Sincos(2 * math.Pi * float64(k%n) / n)
		return pt(long*radius*c, radius*s)
	}
	var l planar.Loop
	for k := range n {
		from, to := at(k), at(k+1)
		d, r := to.Sub(from), radius*(1+off*float64(k%2*2-1))
		turn := 2 * math.Asin(d.Norm()/2/r)
		up := pt(-d.Y, d.X).Scale(1 / d.Norm())
		center := from.Lerp(to, 0.5).Add(up.Scale(r * math.Cos(turn/2)))
		l = append(l, planar.Segment{From: from, To: to, Center: center, Turn: turn, Joined: k > 0})
	}
	return l
}

// turned is a wall of arcs of one radius, closed by open sides.
func turned(radius float64, turns ...float64) planar.Loop {
	var l planar.Loop
	at := pt(radius, 0)
	for i, turn := range turns {
		arc := planar.NewArc(pt(0, 0), at, turn)
		arc.Tag = int32(i)
		l, at = append(l, arc), arc.To
	}
	return append(l, planar.Segment{From: at, To: pt(0, 0), Open: true}, planar.Segment{To: pt(radius, 0), Open: true})
}

// TestNarrowestIsMinimal checks a polygon with a free disc that meets the walls at opposite ends. All
// pairs of boundary samples are walked: none is narrower.
func TestNarrowestIsMinimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 9).Draw(t, "corners")
		var points []geom.Vec2
		for i := range n {
			radius := rapid.Float64Range(3, 10).Draw(t, fmt.Sprint("radius ", i))
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points = append(points, pt(radius*c, radius*s))
		}
		r := of(planar.Polygon(points...))
		got, _ := r.Narrowest()
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
				if l >= got*(1-1e-6) || l < 1e-3 {
					continue
				}
				if m := a.Lerp(b, 0.5); r.Contains(m) && distance(m) >= l/2*(1-1e-9) {
					t.Fatalf("a disc of %v fits between %v and %v, narrowest is %v of %v", l, a, b, got, points)
				}
			}
		}
	})
}

func TestNarrowestFollowsScaleAndMotion(t *testing.T) {
	base := of(rounded(40, 25, 3), planar.Circle(pt(15, 12), 4, true))
	rapid.Check(t, func(t *rapid.T) {
		angle := rapid.Float64Range(0, 7).Draw(t, "angle")
		scale := rapid.Float64Range(0.2, 20).Draw(t, "scale")
		x, start := rapid.Float64Range(-500, 500).Draw(t, "x"), rapid.IntRange(0, 5).Draw(t, "start")
		m := moved(base, angle, scale, pt(x, 3), start)
		want, _ := base.Narrowest()
		if got, _ := m.Narrowest(); !near(got, scale*want, 1e-4) {
			t.Fatalf("scaled by %v: %v, before %v", scale, got, want)
		}
	})
}

func TestDegenerateRegionsDoNotPanic(t *testing.T) {
	bad := math.NaN()
	for name, r := range map[string]*planar.Region{
		"empty":      {},
		"no pieces":  of(planar.Loop{}),
		"a point":    of(planar.Polygon(pt(1, 1))),
		"a line":     of(planar.Polygon(pt(1, 1), pt(2, 1))),
		"not finite": of(planar.Polygon(pt(bad, 1), pt(2, 1), pt(3, 4))),
	} {
		if d, _ := r.Narrowest(); math.IsInf(d, 0) || d < 0 {
			t.Errorf("%s: %v", name, d)
		}
		r.CornerRadius()
	}
}

func BenchmarkNarrowest(b *testing.B) {
	r := of(rounded(40, 25, 3), planar.Circle(pt(15, 12), 4, true))
	for b.Loop() {
		r.Narrowest()
	}
}

// Corners that jut out count where they are round and turn far enough.
func TestOuterRadius(t *testing.T) {
	rounded := func(turn float64) planar.Loop { // a wall, the free side above it, over a ridge
		c := pt(0, -5)
		from := pt(-5*math.Sin(turn/2), -5+5*math.Cos(turn/2))
		arc := planar.NewArc(c, from, -turn)
		along := pt(math.Cos(turn/2), math.Sin(turn/2))
		begin := from.Sub(along.Scale(10))
		end := arc.To.Add(pt(along.X, -along.Y).Scale(10))
		return planar.Loop{planar.NewLine(begin, from), arc, planar.NewLine(arc.To, end),
			{From: end, To: begin, Open: true}}
	}
	for _, c := range []struct {
		name string
		loop planar.Loop
		want float64
		ok   bool
	}{
		{"a quarter", rounded(math.Pi / 2), 5, true},
		{"13°", rounded(13 * math.Pi / 180), 0, false},
		{"a pin", planar.Circle(pt(1, 2), 3, true), 3, true},
		{"a bore", planar.Circle(pt(1, 2), 3, false), 0, false},
	} {
		got, ok := (&planar.Region{Loops: []planar.Loop{c.loop}}).OuterRadius()
		if ok != c.ok || ok && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v %v, want %v", c.name, got, ok, c.want)
		}
	}
}
