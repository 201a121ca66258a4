package planar

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom"
)

// drawObstacles draws segments and arcs of some heights in a square of 200 mm.
func drawObstacles(t *rapid.T) []Obstacle {
	out := make([]Obstacle, rapid.IntRange(0, 60).Draw(t, "obstacles"))
	for i := range out {
		from := drawPoint(t, 100)
		if out[i].Segment = NewLine(from, from.Add(drawPoint(t, 20))); rapid.Bool().Draw(t, "arc") {
			out[i].Segment = NewArc(from.Add(drawPoint(t, 20)), from, rapid.Float64Range(-6, 6).Draw(t, "turn"))
		}
		out[i].Top = rapid.Float64Range(0, 10).Draw(t, "top")
	}
	return out
}

// The tree gives the smallest of the discs that the obstacles leave one by one, of those that are asked for.
func TestFieldFindsSmallestDisc(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obstacles := drawObstacles(t)
		f := NewField(obstacles)
		s, c := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "direction"))
		p, n := drawPoint(t, 120), geom.Vec2{X: c, Y: s}
		a := ObstacleFilter{Level: rapid.Float64Range(-1, 11).Draw(t, "level"), Flush: 1e-3}
		if rapid.Bool().Draw(t, "even only") {
			a.Accept = func(i int) bool { return i%2 == 0 }
		}
		most := rapid.Float64Range(1, 300).Draw(t, "most")
		radii := make([]float64, len(obstacles))
		want := most
		for i := range obstacles {
			if obstacles[i].Top <= a.Level || a.Accept != nil && !a.Accept(i) {
				continue
			}
			h := newHurdle(&obstacles[i], int32(i))
			radii[i] = h.tangentRadius(p, n, a.Flush)
			want = min(want, radii[i])
		}
		got, by := f.touch(p, n, &a, most, -1)
		if got != want || by >= 0 && radii[by] != want || by < 0 && want != most {
			t.Fatalf("radius %v at %d, want %v of %v", got, by, want, radii)
		}
	})
}

// TestFieldWindowFindsEachObstacle checks that a window gives each selected obstacle in it once.
func TestFieldWindowFindsEachObstacle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		obstacles := drawObstacles(t)
		f := NewField(obstacles)
		lo := drawPoint(t, 100)
		hi := lo.Add(geom.Vec2{X: rapid.Float64Range(0, 90).Draw(t, "w"), Y: rapid.Float64Range(0, 90).Draw(t, "h")})
		a := ObstacleFilter{Level: 5}
		times := make([]int, len(obstacles))
		f.within(lo, hi, &a, func(h *hurdle) { times[h.id]++ })
		for i := range obstacles {
			l, h := bounds([]Segment{obstacles[i].Segment})
			meets := l.X <= hi.X && h.X >= lo.X && l.Y <= hi.Y && h.Y >= lo.Y
			if times[i] > 1 || times[i] > 0 && obstacles[i].Top <= 5 || times[i] == 0 && meets && obstacles[i].Top > 5 {
				t.Fatalf("obstacle %d of height %v (meets %v) comes %d times", i, obstacles[i].Top, meets, times[i])
			}
		}
	})
}

// TestTangentDiscsTouch checks that the largest disc in front of a segment touches it, and no larger one fits.
func TestTangentDiscsTouch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for _, o := range drawObstacles(t) {
			h := newHurdle(&o, 0)
			s, c := math.Sincos(rapid.Float64Range(0, 2*math.Pi).Draw(t, "direction"))
			n := geom.Vec2{X: c, Y: s}
			p := drawPoint(t, 120)
			if h.Distance(p) < 1 {
				continue // flush or nearly
			}
			r := h.tangentRadius(p, n, 1e-6)
			free := func(r float64) float64 { return h.Distance(addScaled(p, r, n)) - r }
			if r > 1e4 {
				r = 1e4
			} else if d := free(r); math.Abs(d) > 1e-6 {
				t.Fatalf("a disc of radius %v is %v off %+v", r, d, o)
			}
			for k := 1; k < 20; k++ {
				if d := free(r * float64(k) / 20); d < -1e-6 {
					t.Fatalf("a disc smaller than %v cuts %+v by %v", r, o, d)
				}
			}
		}
	})
}

// TestObstacleThroughTouchPoint checks that an obstacle through the touched point stops discs only if it leads away in
// front of it.
func TestObstacleThroughTouchPoint(t *testing.T) {
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	inf := math.Inf(1)
	for _, c := range []struct {
		name  string
		piece Segment
		want  float64 // of discs that touch the origin from above
	}{
		{"level line", NewLine(at(-5, 0), at(5, 0)), inf},
		{"level line a little above", NewLine(at(-5, 1e-3), at(5, 1e-3)), inf},
		{"level line a little below", NewLine(at(-5, -1e-3), at(5, -1e-3)), inf},
		{"line down from it", NewLine(at(0, 0), at(0, -5)), inf},
		{"line up from it", NewLine(at(0, 0), at(0, 5)), 0},
		{"line up to it", NewLine(at(1, 5), at(0, 0)), 0},
		{"line through it", NewLine(at(-3, -3), at(3, 3)), 0},
		{"line that ends in it from below", NewLine(at(-3, -3), at(0, 0)), inf},
		{"level line above", NewLine(at(-5, 4), at(5, 4)), 2},
		{"level line to its end", NewLine(at(-5, 0), at(0, 1e-3)), inf},
		{"circle below", Circle(at(0, -3), 3, false)[0], inf},
		{"circle around the disc", Circle(at(0, 3), 3, false)[0], 3},
		{"circle around the disc, a little off", Circle(at(0, 3), 3.001, true)[0], 3.001},
		{"circle through it", Circle(at(3, 0), 3, false)[0], 0},
		{"circle that begins in it", NewArc(at(3, 0), at(0, 0), 2*math.Pi), 0},
		{"arc up from it", NewArc(at(3, 0), at(0, 0), -1), 0},
		{"arc down from it", NewArc(at(3, 0), at(0, 0), 1), inf},
	} {
		o := Obstacle{Segment: c.piece, Top: 1}
		h := newHurdle(&o, 0)
		if got := h.tangentRadius(geom.Vec2{}, at(0, 1), 2e-3); got != c.want && math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
