package planar

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

func drawPieces(t *rapid.T) []Segment {
	c := rapid.Float64Range(-5, 5)
	var out []Segment
	for range rapid.IntRange(1, 12).Draw(t, "n") {
		a := geom.Vec2{X: c.Draw(t, "ax"), Y: c.Draw(t, "ay")}
		b := geom.Vec2{X: c.Draw(t, "bx"), Y: c.Draw(t, "by")}
		turn := rapid.Float64Range(-2*math.Pi, 2*math.Pi).Draw(t, "turn")
		if rapid.Bool().Draw(t, "arc") && math.Abs(turn) > 0.01 {
			out = append(out, NewArc(b, a, turn))
		} else {
			out = append(out, NewLine(a, b))
		}
	}
	return out
}

// TestFarthestOfTheHull compares the farthest site of the hull in any direction with the farthest of all segments.
func TestFarthestOfTheHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := drawPieces(t)
		h := newHull(pieces)
		for range 8 {
			angle := rapid.Float64Range(-10, 10).Draw(t, "angle")
			s, c := math.Sincos(angle)
			u := geom.Vec2{X: c, Y: s}
			want := math.Inf(-1)
			for i := range pieces {
				want = max(want, pieces[i].support(u))
			}
			at := h.farthest(u, angle)
			if got := at.reach(u); math.Abs(got-want) > 1e-9 {
				t.Fatalf("at %v the hull reaches %v, its pieces %v", angle, got, want)
			}
		}
	})
}

// TestHullIsConvex checks that the hull turns left all around, and that only segments off the hull are left out.
func TestHullIsConvex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pieces := drawPieces(t)
		h := newHull(pieces)
		n := len(h.dots)
		if !slices.IsSorted(h.turn) || h.turn[n-1]-h.turn[0] > 2*math.Pi+geom.AngularResolution {
			t.Fatalf("the sides turn %v", h.turn)
		}
		for i := range h.dots {
			s := &h.sides[i]
			for k := range h.dots {
				if over := h.dots[k].at.Dot(s.out) - s.reach; over > 1e-9 {
					t.Fatalf("point %d lies %v over side %d of %d", k, over, i, n)
				}
			}
			for k := range pieces {
				over := pieces[k].support(s.out) - s.reach
				isIt := func(a int32) bool { return h.arcs[a] == &pieces[k] }
				isOver := slices.ContainsFunc(h.over[i], isIt)
				if over > 1e-9 && !isOver {
					t.Fatalf("piece %d reaches %v over side %d and is not said to", k, over, i)
				}
			}
		}
	})
}

func TestHullOfFew(t *testing.T) {
	p := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	for _, c := range []struct {
		name   string
		pieces []Segment
		dots   int
		arcs   bool
	}{
		{"a point, twice", []Segment{NewLine(p(1, 2), p(1, 2))}, 2, false},
		{"a line", []Segment{NewLine(p(1, 2), p(3, 2)), NewLine(p(3, 2), p(5, 2))}, 2, false},
		{"a triangle round a piece", append(Polygon(p(0, 0), p(6, 0), p(0, 6)), NewLine(p(1, 1), p(2, 1))), 3,
			false},
		{"an arc that bulges inwards", Loop{NewLine(p(0, 0), p(8, 0)), NewLine(p(8, 0), p(8, 4)),
			NewArc(p(4, 9.2), p(8, 4), -2*math.Atan2(4, 5.2)), NewLine(p(0, 4), p(0, 0))}, 4, false},
		{"a half disc", Loop{NewArc(p(0, 0), p(5, 0), math.Pi), NewLine(p(-5, 0), p(5, 0))}, 16, true},
	} {
		h := newHull(c.pieces)
		if len(h.dots) != c.dots || h.hasArc() != c.arcs {
			t.Errorf("%s: %d points, round %v; want %d, %v", c.name, len(h.dots), h.hasArc(), c.dots, c.arcs)
		}
	}
}
