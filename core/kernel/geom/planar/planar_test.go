package planar_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestAreaAndPerimeterOfKnownShapes(t *testing.T) {
	for _, c := range []struct {
		name            string
		of              *planar.Region
		area, perimeter float64
	}{
		{"rectangle", of(planar.Polygon(pt(0, 0), pt(4, 0), pt(4, 3), pt(0, 3))), 12, 14},
		{"circle", of(planar.Circle(pt(7, -2), 3, false)), 9 * math.Pi, 6 * math.Pi},
		{"ring", of(planar.Circle(pt(0, 0), 3, false), planar.Circle(pt(1, 0), 1, true)), 8 * math.Pi, 8 * math.Pi},
		{"slot", of(stadium(10, 2)), 40 + 4*math.Pi, 20 + 4*math.Pi},
		{"rounded", of(rounded(10, 6, 1)), 60 - 4 + math.Pi, 24 + 2*math.Pi},
		{"arc slot", of(arcSlot(10, 2, 1)), 40 + 4*math.Pi, 20 + 4*math.Pi},
	} {
		if got := c.of.Area(); !near(got, c.area, 1e-12*c.area) {
			t.Errorf("%s: area %v, want %v", c.name, got, c.area)
		}
		if got := c.of.Perimeter(); !near(got, c.perimeter, 1e-12*c.perimeter) {
			t.Errorf("%s: perimeter %v, want %v", c.name, got, c.perimeter)
		}
		l := c.of.Loops[0]
		if got := l.Reverse().Area(); !near(got, -l.Area(), 1e-9) {
			t.Errorf("%s: reversed area %v, want %v", c.name, got, -l.Area())
		}
	}
	if got := (planar.Loop{}).Area(); got != 0 {
		t.Errorf("empty loop has area %v", got)
	}
}

func TestContainsAgreesWithFinePolygon(t *testing.T) {
	shapes := map[string]*planar.Region{
		"slot":     of(stadium(10, 2)),
		"rounded":  of(rounded(10, 6, 2)),
		"arc slot": of(arcSlot(8, 2, 2.5)),
		"ring":     of(planar.Circle(pt(2, 2), 5, false), planar.Circle(pt(3, 2), 2, true)),
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"slot", "rounded", "arc slot", "ring"}).Draw(t, "shape")
		r := shapes[name]
		q := pt(rapid.Float64Range(-12, 14).Draw(t, "x"), rapid.Float64Range(-12, 14).Draw(t, "y"))
		fine := fineOf(r, 400)
		for _, l := range fine.Loops {
			for i := range l {
				if l[i].Distance(q) < 1e-3 {
					t.Skip("on the boundary")
				}
			}
		}
		if got, want := r.Contains(q), fine.Contains(q); got != want {
			t.Fatalf("%s contains %v: got %v, want %v", name, q, got, want)
		}
	})
}

// fineOf replaces arcs by polygons.
func fineOf(r *planar.Region, n int) *planar.Region {
	out := &planar.Region{}
	for _, l := range r.Loops {
		var points []geom.Vec2
		for i := range l {
			k := 1
			if l[i].Turn != 0 {
				k = n
			}
			for j := range k {
				points = append(points, l[i].At(float64(j)/float64(k)))
			}
		}
		out.Loops = append(out.Loops, planar.Polygon(points...))
	}
	return out
}

func TestNearestPointIsTheNearestOfManySamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPiece(t, "piece")
		q := pt(rapid.Float64Range(-9, 9).Draw(t, "x"), rapid.Float64Range(-9, 9).Draw(t, "y"))
		got := p.Distance(q)
		want := math.Inf(1)
		const n = 4000
		for i := range n + 1 {
			want = min(want, p.At(float64(i)/n).Dist(q))
		}
		if got > want+1e-9 || got < want-p.Length()/n {
			t.Fatalf("distance %v, of samples %v (%+v from %v)", got, want, p, q)
		}
	})
}

func TestGapIsTheLeastDistanceOfManySamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := drawPiece(t, "p"), drawPiece(t, "q")
		got, want := p.Gap(&q), math.Inf(1)
		const n = 4000
		for i := range n + 1 {
			want = min(want, q.Distance(p.At(float64(i)/n)))
		}
		if got > want+1e-7 || got < want-p.Length()/n {
			t.Fatalf("gap %v, of samples %v (%+v and %+v)", got, want, p, q)
		}
		if back := q.Gap(&p); math.Abs(back-got) > 1e-7 {
			t.Fatalf("gap %v, and %v the other way (%+v and %+v)", got, back, p, q)
		}
	})
}

func drawPiece(t *rapid.T, label string) planar.Segment {
	coord := rapid.Float64Range(-5, 5)
	a := pt(coord.Draw(t, label+" ax"), coord.Draw(t, label+" ay"))
	b := pt(coord.Draw(t, label+" bx"), coord.Draw(t, label+" by"))
	if a.Dist(b) < 0.1 {
		t.Skip("too short")
	}
	if rapid.Bool().Draw(t, label+" arc") {
		turn := rapid.Float64Range(0.1, 2*math.Pi).Draw(t, label+" turn")
		if rapid.Bool().Draw(t, label+" clockwise") {
			turn = -turn
		}
		return planar.NewArc(b, a, turn)
	}
	return planar.NewLine(a, b)
}

func TestTangentIsTheDerivative(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPiece(t, "piece")
		s := rapid.Float64Range(0.1, 0.9).Draw(t, "s")
		const h = 1e-6
		d := p.At(s + h).Sub(p.At(s - h)).Scale(1 / (2 * h * p.Length()))
		if d.Dist(p.Tangent(s)) > 1e-6 {
			t.Fatalf("tangent %v, difference %v of %+v at %v", p.Tangent(s), d, p, s)
		}
	})
}

func TestSimplifyJoinsContinuedSegments(t *testing.T) {
	half := func(from geom.Vec2) planar.Segment { return planar.NewArc(pt(0, 0), from, math.Pi) }
	for _, c := range []struct {
		name string
		in   planar.Loop
		want int
	}{
		{"two halves of a circle", planar.Loop{half(pt(2, 0)), half(pt(-2, 0))}, 1},
		{"a side in three", planar.Polygon(pt(0, 0), pt(1, 0), pt(2, 0), pt(4, 0), pt(4, 3)), 3},
		{"a side cut at the start", planar.Polygon(pt(2, 0), pt(4, 0), pt(4, 3), pt(0, 3), pt(0, 0)), 4},
		{"a point", append(planar.Polygon(pt(0, 0), pt(4, 0), pt(4, 3)), planar.NewLine(pt(0, 0), pt(0, 0))), 3},
		{"an open half of a side", openSides(planar.Polygon(pt(0, 0), pt(2, 0), pt(4, 0), pt(4, 3)), 1), 4},
	} {
		got := planar.Simplify(c.in)
		if len(got) != c.want {
			t.Errorf("%s: %d pieces, want %d: %+v", c.name, len(got), c.want, got)
		}
		if d := got.Area() - c.in.Area(); math.Abs(d) > 1e-9 {
			t.Errorf("%s: the area changed by %v", c.name, d)
		}
	}
}
