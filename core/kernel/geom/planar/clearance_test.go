package planar_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/kernel/geom/planar"
)

func TestAroundKnownOutlines(t *testing.T) {
	inf := math.Inf(1)
	boss := planar.Circle(pt(0, 0), 5, true)
	square := planar.Polygon(pt(-5, -5), pt(-5, 5), pt(5, 5), pt(5, -5))
	for _, c := range []struct {
		name          string
		outline       []planar.Segment
		obstacles     []planar.Segment
		closed        bool
		full, partial float64
		nearest       int
	}{
		{"alone", boss, nil, true, inf, inf, -1},
		{"in a round pocket", boss, planar.Circle(pt(0, 0), 12, false), true, 7, 7, 0},
		{"in a round pocket off centre", boss, planar.Circle(pt(3, 0), 12, false), true, 4, 10, 0},
		{"beside a wall", boss, []planar.Segment{planar.NewLine(pt(-50, -9), pt(50, -9))}, true, 4, inf, 0},
		{"beside another boss", boss, planar.Circle(pt(14, 0), 3, true), true, 6, inf, 0},
		{"square beside a post", square, planar.Circle(pt(9, 9), 1, true), true, 4*math.Sqrt2 - 1, inf, 0},
		{"square in a square pocket", square, planar.Polygon(pt(-9, -9), pt(9, -9), pt(9, 9), pt(-9, 9)), true,
			4, 2 * 4 * math.Sqrt2 / (1 + math.Sqrt2), 3},
		{"wall between two walls", []planar.Segment{planar.NewLine(pt(0, 0), pt(20, 0))},
			[]planar.Segment{planar.NewLine(pt(30, 6), pt(-10, 6))}, false, 6, 6, 0},
		{"wall that draws nearer", []planar.Segment{planar.NewLine(pt(0, 0), pt(20, 0))},
			[]planar.Segment{planar.NewLine(pt(40, 10), pt(-40, 10))}, false, 10, 10, 0},
		{"hollow arc", []planar.Segment{planar.NewArc(pt(0, 0), pt(4, 0), math.Pi)}, nil, false, 8, 8, -1},
		{"nothing", nil, nil, true, inf, inf, -1},
	} {
		got := planar.Around(c.outline, c.obstacles, c.closed)
		if !near(got.Full, c.full, 1e-7) || !near(got.Partial, c.partial, 1e-4) || got.Nearest != c.nearest {
			t.Errorf("%s: %+v, want %v, %v, %v", c.name, got, c.full, c.partial, c.nearest)
		}
	}
}

// TestAroundWithoutSpaceNamesHighest checks the limiting obstacle at a point without space. It is the highest of
// those obstacles, for any start of the walk along the outline, and also at the tip of a line walked there and back.
func TestAroundWithoutSpaceNamesHighest(t *testing.T) {
	outline := planar.Loop{
		planar.NewLine(pt(-5, -5), pt(-5, 5)), planar.NewLine(pt(-5, 5), pt(5, 5)), planar.NewLine(pt(5, 5), pt(5, 0)),
		planar.NewLine(pt(5, 0), pt(8, 0)), planar.NewLine(pt(8, 0), pt(5, 0)),
		planar.NewLine(pt(5, 0), pt(5, -5)), planar.NewLine(pt(5, -5), pt(-5, -5)),
	}
	obstacles := []planar.Obstacle{
		{Segment: planar.NewLine(pt(-5, 2), pt(-9, 2)), Top: 5},
		{Segment: planar.NewLine(pt(8, 0), pt(12, 0)), Top: 9},
		{Segment: planar.NewLine(pt(0, -5), pt(0, -8)), Top: 7},
	}
	f := planar.NewField(obstacles)
	rank := func(i int) float64 { return obstacles[i].Top }
	for i := range outline {
		begun := slices.Concat(outline[i:], outline[:i])
		got := f.Around(begun, true, planar.ObstacleFilter{Level: 1, Flush: 2e-3, Widest: 250, Rank: rank})
		if got.Full != 0 || got.Nearest != 1 {
			t.Errorf("from piece %d on: %+v, want 0 by 1", i, got)
		}
	}
}

// The disc of the result touches the outline and clears every obstacle by definition; here both bounds are
// compared with discs grown by bisection at many points of a round outline.
func TestAroundAgreesWithDiscsGrownByBisection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var obstacles []planar.Segment
		for range rapid.IntRange(1, 4).Draw(t, "n") {
			p := drawPiece(t, "piece")
			shift := pt(rapid.Float64Range(-8, 8).Draw(t, "sx"), rapid.Float64Range(14, 20).Draw(t, "sy"))
			p.From, p.To, p.Center = p.From.Add(shift), p.To.Add(shift), p.Center.Add(shift)
			obstacles = append(obstacles, p)
		}
		for i := range obstacles {
			if obstacles[i].Distance(pt(0, 0)) < 4 {
				t.Skip("over the outline")
			}
		}
		got := planar.Around(planar.Circle(pt(0, 0), 3, true), obstacles, true)
		const most = 1e4
		full := math.Inf(1)
		for k := range 720 {
			s, c := math.Sincos(2 * math.Pi * float64(k) / 720)
			n := pt(c, s)
			fits := func(r float64) bool {
				center := n.Scale(3 + r)
				for i := range obstacles {
					if obstacles[i].Distance(center) < r {
						return false
					}
				}
				return true
			}
			full = min(full, 2*largest(fits, most))
		}
		if got.Full > full+1e-6 || got.Full < full*0.99-0.05 {
			t.Fatalf("full %v, by bisection %v", got.Full, full)
		}
	})
}

func largest(fits func(float64) bool, hi float64) float64 {
	lo := 0.0
	for range 60 {
		if m := (lo + hi) / 2; fits(m) {
			lo = m
		} else {
			hi = m
		}
	}
	return lo
}

func TestAroundFollowsMotion(t *testing.T) {
	outline := rounded(12, 8, 2).Reverse()
	walls := planar.Polygon(pt(-6, -4), pt(30, -4), pt(30, 22), pt(-6, 22))
	want := planar.Around(outline, walls, true)
	rapid.Check(t, func(t *rapid.T) {
		angle, x := rapid.Float64Range(0, 7).Draw(t, "angle"), rapid.Float64Range(-90, 90).Draw(t, "x")
		start := rapid.IntRange(0, 7).Draw(t, "start")
		r := moved(of(outline, walls), angle, 1, pt(x, 4), start)
		got := planar.Around(r.Loops[0], r.Loops[1], true)
		if !near(got.Full, want.Full, 1e-7) || !near(got.Partial, want.Partial, 1e-4) {
			t.Fatalf("%+v, before %+v", got, want)
		}
	})
}

// TestAroundShutStretches checks that a shut stretch leaves no space in front of it, and changes nothing elsewhere.
func TestAroundShutStretches(t *testing.T) {
	wall := []planar.Segment{planar.NewLine(pt(0, 0), pt(20, 0))}
	among := planar.ObstacleFilter{Level: math.Inf(-1), Flush: 1e-3, Widest: 100}
	f := planar.NewField([]planar.Obstacle{{Segment: planar.NewLine(pt(30, 6), pt(-10, 6)), Top: 1}})
	open := f.Around(wall, false, among)
	if !near(open.Full, 6, 1e-9) || open.Nearest != 0 {
		t.Errorf("open: %+v", open)
	}
	among.Shut = []planar.Segment{planar.NewLine(pt(-4, 8), pt(-4, 9)), planar.NewLine(pt(18, 0), pt(25, 0))}
	shut := f.Around(wall, false, among)
	if shut.Full != 0 || shut.Nearest != -3 || !near(shut.Partial, 6, 1e-9) {
		t.Errorf("shut at its end: %+v", shut)
	}
	among.Shut = []planar.Segment{planar.NewLine(pt(20, 0), pt(0, 0))}
	if all := f.Around(wall, false, among); all.Full != 0 || all.Partial != 0 {
		t.Errorf("shut all along: %+v", all)
	}
}
