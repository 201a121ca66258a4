package arcpoly_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

func near(got, want, tol float64) bool { return math.Abs(got-want) <= tol }

func sizeOf(t testing.TB, a *arcpoly.Area, err error) float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	isSound(t, a)
	return a.Size()
}

// slot is a straight slot with round ends of radius r, whose centers are on the x axis.
func slot(x0, x1, r float64) planar.Loop {
	return planar.Loop{
		planar.NewLine(pt(x0, -r), pt(x1, -r)),
		{From: pt(x1, -r), To: pt(x1, r), Center: pt(x1, 0), Turn: math.Pi},
		planar.NewLine(pt(x1, r), pt(x0, r)),
		{From: pt(x0, r), To: pt(x0, -r), Center: pt(x0, 0), Turn: math.Pi},
	}
}

func moved(l planar.Loop, by geom.Vec2) planar.Loop {
	out := slices.Clone(l)
	for i := range out {
		p := &out[i]
		p.From, p.To, p.Center = p.From.Add(by), p.To.Add(by), p.Center.Add(by)
	}
	return out
}

func TestOffsetsInClosedForm(t *testing.T) {
	square := rectangle(0, 0, 10, 10)
	frame := []planar.Loop{rectangle(-9, -9, 19, 19), square.Reverse()}
	ring := []planar.Loop{planar.Circle(pt(0, 0), 10, false), planar.Circle(pt(0, 0), 4, true)}
	// A notch with a round bottom of radius 2, the opening at the top.
	notch := planar.Loop{
		planar.NewLine(pt(-10, -10), pt(10, -10)), planar.NewLine(pt(10, -10), pt(10, 10)),
		planar.NewLine(pt(10, 10), pt(2, 10)), planar.NewLine(pt(2, 10), pt(2, 0)),
		{From: pt(2, 0), To: pt(-2, 0), Center: pt(0, 0), Turn: -math.Pi},
		planar.NewLine(pt(-2, 0), pt(-2, 10)), planar.NewLine(pt(-2, 10), pt(-10, 10)),
		planar.NewLine(pt(-10, 10), pt(-10, -10)),
	}
	for _, c := range []struct {
		name  string
		loops []planar.Loop
		by    float64
		size  float64
		loop  int // number of loops, -1 without a closed form
	}{
		{"square, out", []planar.Loop{square}, 3, 100 + 4*30 + 9*math.Pi, 1},
		{"square, in", []planar.Loop{square}, -3, 16, 1},
		{"square, in to a point", []planar.Loop{square}, -5, 0, 0},
		{"square, in to nothing", []planar.Loop{square}, -5.5, 0, 0},
		{"square, far beyond", []planar.Loop{square}, -50, 0, 0},
		{"frame, the hole all but shut", frame, 4, 28*28 + 4*28*4 + 16*math.Pi - 4, 2},
		{"frame, the hole shut", frame, 5, 28*28 + 4*28*5 + 25*math.Pi, 1},
		{"frame, the hole overgrown", frame, 7.2, 28*28 + 4*28*7.2 + 7.2*7.2*math.Pi, 1},
		{"circle, out", []planar.Loop{planar.Circle(pt(5, 5), 3, false)}, 2, 25 * math.Pi, 1},
		{"circle, in", []planar.Loop{planar.Circle(pt(5, 5), 3, false)}, -2, math.Pi, 1},
		{"circle, in to its centre", []planar.Loop{planar.Circle(pt(5, 5), 3, false)}, -3, 0, 0},
		{"circle, through its centre", []planar.Loop{planar.Circle(pt(5, 5), 3, false)}, -5, 0, 0},
		{"ring, in", ring, -2, (64 - 36) * math.Pi, 2},
		{"ring, in to a circle", ring, -3, 0, 0},
		{"ring, out, the hole shut", ring, 4.5, 14.5 * 14.5 * math.Pi, 1},
		{"slot, in to a line", []planar.Loop{slot(0, 20, 4)}, -4, 0, 0},
		{"slot, in", []planar.Loop{slot(0, 20, 4)}, -3, math.Pi + 40, 1},
		{"slot, out", []planar.Loop{slot(0, 20, 4)}, 3, 49*math.Pi + 20*14, 1},
		{"notch, a little", []planar.Loop{notch}, 1, 0, -1},
		{"two that meet on the way", []planar.Loop{rectangle(0, 0, 4, 4), rectangle(6, 0, 10, 4)}, 1, 0, -1},
		{"comb", []planar.Loop{square, rectangle(12, 0, 14, 10), rectangle(16, 0, 18, 10)}, -1, 64, 1},
	} {
		a := made(t, c.loops...)
		o := checkOffset(t, c.name, a, c.by, 2000)
		if c.loop < 0 {
			continue
		}
		if !near(o.Size(), c.size, 1e-6*(1+c.size)) || len(o.Loops()) != c.loop {
			t.Errorf("%s: %v mm², %d loops, want %v, %d", c.name, o.Size(), len(o.Loops()), c.size, c.loop)
		}
	}
}

// TestAwkwardInput offsets a shape at any position and after any change that preserves it.
func TestAwkwardInput(t *testing.T) {
	tiny := planar.Loop{ // corners rounded by 1e-4 and 1e-7 mm
		planar.NewLine(pt(1e-4, 0), pt(20, 0)), planar.NewLine(pt(20, 0), pt(20, 10-1e-7)),
		{From: pt(20, 10-1e-7), To: pt(20-1e-7, 10), Center: pt(20-1e-7, 10-1e-7), Turn: math.Pi / 2},
		planar.NewLine(pt(20-1e-7, 10), pt(0, 10)), planar.NewLine(pt(0, 10), pt(0, 1e-4)),
		{From: pt(0, 1e-4), To: pt(1e-4, 0), Center: pt(1e-4, 1e-4), Turn: math.Pi / 2},
	}
	box := rectangle(0, 0, 20, 10)
	inner := rectangle(5, 3, 8, 7)
	for _, c := range []struct {
		name  string
		loops []planar.Loop
		size  float64
	}{
		{"edges without length", []planar.Loop{polygon(pt(0, 0), pt(0, 0), pt(20, 0), pt(20, 0), pt(20, 10),
			pt(0, 10), pt(0, 10))}, 200},
		{"tiny arcs", []planar.Loop{tiny}, 200},
		{"points along edges", []planar.Loop{polygon(pt(0, 0), pt(5, 0), pt(20, 0), pt(20, 3), pt(20, 10),
			pt(7, 10), pt(0, 10))}, 200},
		{"a spike", []planar.Loop{polygon(pt(0, 0), pt(20, 0), pt(20, 5), pt(30, 5), pt(20, 5), pt(20, 10),
			pt(0, 10))}, 200},
		{"twice the same", []planar.Loop{box, box}, 200},
		{"there and back", []planar.Loop{box, box, box.Reverse()}, 200},
		{"collinear overlap", []planar.Loop{rectangle(0, 0, 12, 10), rectangle(8, 0, 20, 10)}, 200},
		{"common edge", []planar.Loop{rectangle(0, 0, 12, 10), rectangle(12, 0, 20, 10)}, 200},
		{"hole that touches", []planar.Loop{box, polygon(pt(0, 5), pt(4, 7), pt(4, 3))}, 192},
		{"island in the hole", []planar.Loop{box, rectangle(2, 2, 18, 8).Reverse(), inner}, 200 - 96 + 12},
		{"touching in a corner", []planar.Loop{rectangle(0, 0, 10, 10), rectangle(10, 10, 20, 20)}, 200},
		{"one loop that touches itself", []planar.Loop{polygon(pt(0, 0), pt(10, 0), pt(10, 10), pt(20, 10),
			pt(20, 20), pt(10, 20), pt(10, 10), pt(0, 10))}, 200},
		{"figure of eight", []planar.Loop{polygon(pt(0, 0), pt(20, 20), pt(20, 0), pt(0, 20))}, 100},
		{"hole in a hole", []planar.Loop{box, inner.Reverse(), inner.Reverse()}, 188},
		{"without area", []planar.Loop{polygon(pt(0, 0), pt(20, 0), pt(10, 0))}, 0},
		{"nothing", nil, 0},
	} {
		a := made(t, c.loops...)
		if !near(a.Size(), c.size, 1e-6) {
			t.Errorf("%s: %v mm², want %v", c.name, a.Size(), c.size)
		}
		for _, by := range []float64{0.5, 1, 1.5, 3, 5, -0.5, -1, -2, -3} {
			if !a.IsEmpty() {
				checkOffset(t, c.name, a, by, 200)
			}
		}
	}
}

func TestFarFromTheOrigin(t *testing.T) {
	loops := []planar.Loop{slot(0, 20, 4), planar.Circle(pt(3, 0), 2, true), rectangle(10, -1, 12, 1).Reverse()}
	want := made(t, loops...)
	for _, at := range []geom.Vec2{pt(1e5, 1e5), pt(-1e5, 3), pt(99999.123456, -88888.654321)} {
		var there []planar.Loop
		for _, l := range loops {
			there = append(there, moved(l, at))
		}
		a := made(t, there...)
		for _, by := range []float64{0, 0.7, -0.7, 1.3, -1.3, 2.5} {
			o, err := a.Offset(by)
			w, _ := want.Offset(by)
			if got := sizeOf(t, o, err); !near(got, w.Size(), 1e-4) || len(o.Loops()) != len(w.Loops()) {
				t.Errorf("at %v by %v: %v mm² in %d loops, want %v in %d", at, by, got, len(o.Loops()), w.Size(),
					len(w.Loops()))
			}
		}
	}
}

// A hundred offsets are as good as one, and arcs are still as long as they were.
func TestOffsetsDoNotAddUpErrors(t *testing.T) {
	start := made(t, pocket()...)
	a := start
	for range 60 {
		next, err := a.Offset(-0.25)
		if err != nil {
			t.Fatal(err)
		}
		a = next
	}
	for _, l := range a.Loops() {
		for i := range l {
			if p := l[i].At(0.4); !near(start.Distance(p), 15, off) {
				t.Fatalf("%v is %v from the start", p, start.Distance(p))
			}
		}
	}
	at, err := start.Offset(-15)
	if err != nil || !near(at.Size(), a.Size(), 0.01) {
		t.Errorf("in steps %v mm², at once %v (%v)", a.Size(), at.Size(), err)
	}
}

// The certificate at a hundred thousand points.
func TestOffsetOfThePocketAtManyPoints(t *testing.T) {
	points := 50_000
	if testing.Short() {
		points = 5000
	}
	a := made(t, pocket()...)
	checkOffset(t, "pocket", a, -3, points)
	checkOffset(t, "pocket", a, 2.5, points)
}

// Polygons of the kinds that Clipper2 went wrong on, by the number of its issue.
func TestPolygonsOfClipper2Issues(t *testing.T) {
	r := rand.New(rand.NewPCG(433, 456))
	// 433: the floor of a level, ragged walls of many vertices, shrunk by far more than their length.
	ragged := func(n int, radius, rough float64) planar.Loop {
		points := make([]geom.Vec2, n)
		for i := range points {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			points[i] = pt(c, s).Scale(radius + rough*r.Float64())
		}
		return polygon(points...)
	}
	a := made(t, ragged(900, 80, 6), moved(ragged(120, 9, 3).Reverse(), pt(20, 15)),
		moved(ragged(60, 5, 4).Reverse(), pt(-40, 0)))
	for _, by := range []float64{-1, -5, -12, -20} {
		checkOffset(t, "433", a, by, 500)
	}
	// 456: pads, each a circle of short edges with an adjacent square, offset until they join: no crumbs.
	var pads []planar.Loop
	for i := range 12 {
		at := pt(2.3*float64(i%4), 2.1*float64(i/4))
		pads = append(pads, moved(ragged(64, 0.6, 0.004), at), moved(rectangle(0.4, -0.3, 1.4, 0.3), at))
	}
	o := checkOffset(t, "456", made(t, pads...), 0.5, 2000)
	for _, l := range o.Loops() {
		if math.Abs(l.Area()) < 1e-4 {
			t.Errorf("456: a crumb of %v mm² at %v", l.Area(), l[0].From)
		}
	}
	// 1014: a tip much thinner than the offset.
	tip := polygon(pt(0, 0), pt(40, 0.01), pt(40, 0.02), pt(0.1, 0.1), pt(0, 10), pt(-5, 10), pt(-5, 0))
	checkOffset(t, "1014", made(t, tip), 0.005, 2000)
	checkOffset(t, "1014", made(t, tip), 0.5, 2000)
	checkOffset(t, "1014", made(t, tip), -0.02, 2000)
	// 1060: a shrinking area is round at the corners that point into it.
	cross := polygon(pt(-2, -9), pt(2, -9), pt(2, -2), pt(9, -2), pt(9, 2), pt(2, 2), pt(2, 9), pt(-2, 9), pt(-2, 2),
		pt(-9, 2), pt(-9, -2), pt(-2, -2))
	o = checkOffset(t, "1060", made(t, cross), -1, 2000)
	arcs := 0
	for _, p := range o.Loops()[0] {
		if p.Turn != 0 {
			arcs++
			if !near(p.Radius(), 1, 1e-9) || !near(p.Turn, -math.Pi/2, 1e-9) {
				t.Errorf("1060: %+v", p)
			}
		}
	}
	if arcs != 4 {
		t.Errorf("1060: %d arcs", arcs)
	}
}

func TestSweepCoversDiscPath(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		var paths [][]planar.Segment
		for range 1 + r.IntN(3) {
			l := star(r, pt(20*r.Float64(), 20*r.Float64()), 10, 2+r.IntN(8), 3)
			paths = append(paths, l[:len(l)-r.IntN(2)])
		}
		radius := 0.2 + 4*r.Float64()
		a, err := arcpoly.SweepDisc(radius, paths...)
		if err != nil {
			t.Fatal(err)
		}
		isSound(t, a)
		for range 200 {
			p := pt(44*r.Float64()-12, 44*r.Float64()-12)
			d := math.Inf(1)
			for _, path := range paths {
				d = min(d, toBoundary([]planar.Loop{path}, p))
			}
			if math.Abs(d-radius) > off && a.Contains(p) != (d < radius) {
				t.Fatalf("seed %d: %v is %v from the path, radius %v, inside %v", seed, p, d, radius, a.Contains(p))
			}
		}
	}
}

func TestLoopsAreIndependentOfThreads(t *testing.T) {
	run := func() [][]planar.Loop {
		var out [][]planar.Loop
		a := made(t, pocket()...)
		for _, by := range []float64{-2, 3, -14} {
			o, err := a.Offset(by)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, o.Loops())
		}
		return out
	}
	want := run()
	for _, threads := range []int{1, 2, 16} {
		before := runtime.GOMAXPROCS(threads)
		got := run()
		runtime.GOMAXPROCS(before)
		for i := range want {
			if !slices.EqualFunc(got[i], want[i], slices.Equal) {
				t.Errorf("%d threads, offset %d: other loops", threads, i)
			}
		}
	}
}

func TestRefusedInput(t *testing.T) {
	open := rectangle(0, 0, 1, 1)[:3]
	bent := planar.Loop{{From: pt(0, 0), To: pt(1, 0), Center: pt(0.5, 1), Turn: 1}, planar.NewLine(pt(1, 0), pt(0, 0))}
	for name, l := range map[string]planar.Loop{
		"open": open, "arc off its circle": bent, "far": rectangle(0, 0, 2e6, 1),
		"not a number": rectangle(0, 0, math.NaN(), 1), "endless": rectangle(0, 0, math.Inf(1), 1),
		"more than a turn": {{From: pt(1, 0), To: pt(1, 0), Turn: 7}},
	} {
		if _, err := arcpoly.New(l); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	a := made(t, rectangle(0, 0, 1, 1))
	for _, by := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e7} {
		if _, err := a.Offset(by); err == nil {
			t.Errorf("offset by %v: no error", by)
		}
		if _, err := arcpoly.SweepDisc(by, open); err == nil {
			t.Errorf("sweep of %v: no error", by)
		}
	}
}

// TestOffsetOfTinyArcs checks the turn of an arc that an offset makes large: its ends define it, despite the inaccurate
// turn of the small arc.
func TestOffsetOfTinyArcs(t *testing.T) {
	const radius, by = 8e-3, 27.0
	at := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	center := at(10-radius, radius)
	end := at(10, radius)
	corner := planar.Segment{From: at(10-radius, 0), To: end, Center: center, Turn: math.Pi/2 - 1.2e-4} // 1e-6 mm
	area, err := arcpoly.New(planar.Loop{planar.NewLine(at(0, 0), corner.From), corner, planar.NewLine(end, at(10, 10)),
		planar.NewLine(at(10, 10), at(0, 10)), planar.NewLine(at(0, 10), at(0, 0))})
	if err != nil {
		t.Fatal(err)
	}
	wide, err := area.Offset(by)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range wide.Loops() {
		for i := range l {
			if off := l[i].At(1).Dist(l[i].To); off > 1e-5 {
				t.Errorf("an arc of radius %.3f ends %.2g mm beside where it says", l[i].Radius(), off)
			}
		}
	}
}
