package planar

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

// drawStar draws a star-shaped polygon around the origin, some of whose sides are arcs that bulge out.
func drawStar(t *rapid.T) *Region {
	n := rapid.IntRange(3, 12).Draw(t, "corners")
	points := make([]geom.Vec2, n)
	for i := range points {
		radius := rapid.Float64Range(3, 10).Draw(t, fmt.Sprint("radius ", i))
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		points[i] = geom.Vec2{X: radius * c, Y: radius * s}
	}
	var l Loop
	for i, a := range points {
		b := points[(i+1)%n]
		if !rapid.Bool().Draw(t, fmt.Sprint("round ", i)) {
			l = append(l, NewLine(a, b))
			continue
		}
		// An arc with a turn of 60° has its center on the left of the chord.
		half := b.Sub(a).Scale(0.5)
		center := a.Add(half).Add(left(half).Scale(math.Sqrt(3)))
		l = append(l, NewArc(center, a, math.Pi/3))
	}
	return &Region{Loops: []Loop{l}}
}

func drawPoint(t *rapid.T, reach float64) geom.Vec2 {
	c := rapid.Float64Range(-reach, reach)
	return geom.Vec2{X: c.Draw(t, "px"), Y: c.Draw(t, "py")}
}

func TestDistanceMatchesNearestSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawStar(t)
		w := wallsOf(r, true)
		q := drawPoint(t, 25)
		limit := math.Inf(1)
		if rapid.Bool().Draw(t, "limited") {
			limit = rapid.Float64Range(0.1, 30).Draw(t, "limit")
		}
		skipped := rapid.IntRange(-1, len(w.pieces)-1).Draw(t, "skip")
		skip := func(i int) bool { return i == skipped }
		want := limit
		for i := range w.pieces {
			if i != skipped {
				want = min(want, w.pieces[i].Distance(q))
			}
		}
		least := 0.0
		if rapid.Bool().Draw(t, "hinted") {
			least = want * rapid.Float64Range(0, 1).Draw(t, "hint")
		}
		got, at := w.distanceFrom(q, least, limit, skip)
		// Rounding of its ends may move a segment past its cell.
		rounding := 1e-14 * want
		if math.Abs(got-want) > rounding {
			t.Fatalf("distance %v, of all pieces %v", got, want)
		}
		if at >= 0 && w.pieces[at].Distance(q) != got || at < 0 && got < limit {
			t.Fatalf("piece %d is said to be at %v", at, want)
		}
	})
}

func TestFreeDiscs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawStar(t)
		w := wallsOf(r, true)
		q := drawPoint(t, 12)
		d, _ := w.distance(q, math.Inf(1), nil)
		if d < 1e-3 {
			t.Skip("on a wall")
		}
		if w.free(q, d*1.01+1e-4) || !w.free(q, d*0.999) {
			t.Fatalf("a wall lies at %v, a disc of that size is judged otherwise", d)
		}
	})
}

// TestInscribedDiscIsTheLargest checks that the largest inscribed disc lies inside, cuts no wall, and no point of a
// grid has a larger one.
func TestInscribedDiscIsTheLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawStar(t)
		w := wallsOf(r, true)
		at, radius := w.inscribed(r.Contains)
		if d, _ := w.distance(at, math.Inf(1), nil); math.Abs(d-radius) > 1e-9 || !r.Contains(at) {
			t.Fatalf("the disc of %v at %v has room for %v", radius, at, d)
		}
		lo, hi := bounds(w.pieces)
		const n = 60
		for i := range n {
			for j := range n {
				q := geom.Vec2{X: lo.X + (hi.X-lo.X)*float64(i)/n, Y: lo.Y + (hi.Y-lo.Y)*float64(j)/n}
				d, _ := w.distance(q, math.Inf(1), nil)
				if d > radius+coarseDisc*w.size && r.Contains(q) {
					t.Fatalf("a disc of %v fits at %v, found %v at %v", d, q, radius, at)
				}
			}
		}
	})
}

func TestInscribedDiscsOfKnownShapes(t *testing.T) {
	rect := func(a, b float64) Loop {
		return Polygon(geom.Vec2{}, geom.Vec2{X: a}, geom.Vec2{X: a, Y: b}, geom.Vec2{Y: b})
	}
	for _, c := range []struct {
		name string
		of   Loop
		want float64
	}{
		{"square", rect(10, 10), 5},
		{"strip", rect(200, 3), 1.5},
		{"circle", Circle(geom.Vec2{X: 3}, 7, false), 7},
		{"3-4-5", Polygon(geom.Vec2{}, geom.Vec2{X: 4}, geom.Vec2{Y: 3}), 1},
		{"equilateral", Polygon(geom.Vec2{}, geom.Vec2{X: 6}, geom.Vec2{X: 3, Y: 3 * math.Sqrt(3)}), math.Sqrt(3)},
	} {
		if got := (&Region{Loops: []Loop{c.of}}).Inscribed() / 2; math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: radius %v, want %v", c.name, got, c.want)
		}
	}
}

// TestGridWindowFindsEachItem checks that a window of the grid gives every item whose box meets it, and each once.
func TestGridWindowFindsEachItem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "n")
		var lo, hi []geom.Vec2
		for range n {
			p := drawPoint(t, 10)
			size := rapid.Float64Range(0, 8).Draw(t, "size")
			lo = append(lo, p)
			hi = append(hi, geom.Vec2{X: p.X + size, Y: p.Y + size/3})
		}
		g := NewGrid(lo, hi)
		a := drawPoint(t, 14)
		b := geom.Vec2{X: a.X + rapid.Float64Range(0, 20).Draw(t, "w"), Y: a.Y + rapid.Float64Range(0, 20).Draw(t, "h")}
		var got []int
		g.Within(a, b, func(i int) bool {
			got = append(got, i)
			return true
		})
		slices.Sort(got)
		if len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Fatalf("items come twice: %v", got)
		}
		for i := range lo {
			meets := lo[i].X <= b.X && hi[i].X >= a.X && lo[i].Y <= b.Y && hi[i].Y >= a.Y
			if meets && !slices.Contains(got, i) {
				t.Fatalf("item %d meets the window and is not among %v", i, got)
			}
		}
		count := 0
		g.Within(a, b, func(int) bool {
			count++
			return false
		})
		if count > 1 {
			t.Fatalf("%d visits after the first one wanted no more", count)
		}
	})
}

func TestGoldenFindsTheMinimum(t *testing.T) {
	for _, want := range []float64{0.1, 0.5, 0.93} {
		smooth := func(x float64) float64 { return (x - want) * (x - want) }
		kinked := func(x float64) float64 { return math.Abs(x - want) }
		if got := golden(smooth, 0, 1, 60); math.Abs(got-want) > 1e-6 {
			t.Errorf("smooth: %v, want %v", got, want)
		}
		if got := golden(kinked, 0, 1, 60); math.Abs(got-want) > 1e-9 {
			t.Errorf("kinked: %v, want %v", got, want)
		}
	}
}
