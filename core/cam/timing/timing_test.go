package timing_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/timing"
	"millwright.dev/millwright/core/kernel/geom"
)

// mill has the same axes, which makes closed forms short: 100 mm/s at feeds, 500 in the air, 2000 mm/s².
func mill(jerk float64) timing.Limits {
	a := timing.Axis{Feed: 100, Rapid: 500, Acceleration: 2000, Jerk: jerk}
	return timing.Limits{Axes: [3]timing.Axis{a, a, a}, CornerTolerance: 0.01}
}

func line(x, y, feed float64) motion.Move {
	return motion.Move{Kind: motion.Cut, To: geom.Vec3{X: x, Y: y}, Feed: feed}
}

func seconds(l timing.Limits, moves ...motion.Move) float64 {
	return l.Operation(&motion.Operation{Moves: moves}).Total()
}

func TestClosedForms(t *testing.T) {
	const a, j = 2000.0, 50000.0
	rise := a / j
	corner := func(turn, tolerance float64) float64 { // speed, without jerk
		half := math.Cos(turn / 2)
		return math.Sqrt(a * tolerance * half / (1 - half))
	}
	right := corner(math.Pi/2, 0.01)
	// From rest to v, even, to the corner's speed, and the same again from the corner.
	leg := func(length, v, end float64) float64 {
		return v/a + (v-end)/a + (length-v*v/2/a-(v*v-end*end)/2/a)/v
	}
	tests := []struct {
		name  string
		mill  timing.Limits
		moves []motion.Move
		want  float64
	}{
		{"nothing", mill(0), nil, 0},
		{"a line, up, even and down", mill(0), []motion.Move{line(100, 0, 3000)}, 100.0/50 + 50/a},
		{"a short line, up and down only", mill(0), []motion.Move{line(0.5, 0, 3000)}, 2 * math.Sqrt(0.5/a)},
		{"the axis is slower than the feed", mill(0), []motion.Move{line(100, 0, 9000)}, 100.0/100 + 100/a},
		{"along the diagonal the axes share", mill(0), []motion.Move{line(100, 100, 1e6)},
			100*math.Sqrt2/(100*math.Sqrt2) + 100*math.Sqrt2/(a*math.Sqrt2)},
		{"a line in two", mill(0), []motion.Move{line(30, 0, 3000), line(100, 0, 3000)}, 100.0/50 + 50/a},
		{"a right angle", mill(0), []motion.Move{line(100, 0, 3000), line(100, 100, 3000)}, 2 * leg(100, 50, right)},
		{"there and back", mill(0), []motion.Move{line(100, 0, 3000), line(0, 0, 3000)}, 2 * (100.0/50 + 50/a)},
		{"an arc at its feed", mill(0), []motion.Move{
			{Kind: motion.Cut, To: geom.Vec3{X: 100}, Center: geom.Vec2{X: 50}, Turn: math.Pi, Feed: 3000},
		}, 50*math.Pi/50 + 50/a},
		{"an arc at its centripetal limit", mill(0), []motion.Move{
			{Kind: motion.Cut, To: geom.Vec3{X: 0.5}, Center: geom.Vec2{X: 0.25}, Turn: math.Pi, Feed: 6000},
		}, 0.25*math.Pi/math.Sqrt(a*0.25) + math.Sqrt(a*0.25)/a},
		{"a line with a jerk", mill(j), []motion.Move{line(100, 0, 6000)}, 100.0/100 + 100/a + rise},
		{"a slow line never comes to the full acceleration", mill(j), []motion.Move{line(100, 0, 600)},
			100.0/10 + 2*math.Sqrt(10/j)},
		{"a short line with a jerk", mill(j), []motion.Move{line(0.1, 0, 6000)}, 4 * math.Cbrt(0.1/2/j)},
		{"rapids and feeds meet at rest", mill(0), []motion.Move{
			{Kind: motion.Rapid, To: geom.Vec3{X: 100}}, line(200, 0, 3000),
		}, 2*math.Sqrt(100/a) + 100.0/50 + 50/a},
		{"a dwell", mill(0), []motion.Move{line(100, 0, 3000), {Kind: motion.Dwell, Seconds: 1.5}},
			100.0/50 + 50/a + 1.5},
		{"both ways of a drilled hole", mill(0), []motion.Move{
			{Kind: motion.Rapid, To: geom.Vec3{X: 100}},
			{Kind: motion.Plunge, To: geom.Vec3{X: 100, Z: -10}, Feed: 600},
			{Kind: motion.Rapid, To: geom.Vec3{X: 100}},
		}, 2*math.Sqrt(100/a) + 10.0/10 + 10/a + 2*math.Sqrt(10/a)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := seconds(tt.mill, tt.moves...); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("takes %.12f s, want %.12f", got, tt.want)
			}
		})
	}
	stop := mill(0)
	stop.ExactStop = true
	if got, want := seconds(stop, line(100, 0, 3000), line(100, 100, 3000)), 2*(100.0/50+50/a); math.Abs(got-want) > 1e-9 {
		t.Errorf("with a stop at the corner it takes %g s, want %g", got, want)
	}
	read := mill(0)
	read.BlockSeconds = 0.01
	if got, want := seconds(read, line(0.1, 0, 6000), line(0.2, 0, 6000)), 0.2/10+10/a; math.Abs(got-want) > 1e-9 {
		t.Errorf("with slow reading it takes %g s, want %g", got, want)
	}
	spindle := mill(0)
	spindle.SpindleRampSeconds = 2
	o := motion.Operation{SpindleRPM: 1000, Cycles: []motion.Cycle{{Kind: motion.Tap, Bottom: -1}}, Moves: []motion.Move{
		{Kind: motion.CannedCycle, Feed: 100}, {Kind: motion.CannedCycle, Feed: 100, To: geom.Vec3{X: 9}},
	}}
	if got := spindle.Operation(&o).Spindle; got != 10 {
		t.Errorf("the spindle ramps %g s for two tapped holes, want 10", got)
	}
}

// leg integrates an acceleration from u to v by small steps of time; the jerk is the limit's or 0.
func leg(u, v, a, j float64) (time, way float64) {
	const dt = 1e-6
	speed, acc := u, 0.0
	for speed < v {
		// Ease off when the speed that the fall of the acceleration adds brings the tip to v.
		if speed+acc*acc/2/j < v {
			acc = min(acc+j*dt, a)
		} else {
			acc = max(acc-j*dt, j*dt/10)
		}
		speed += acc * dt
		way += speed * dt
		time += dt
	}
	return time, way
}

func TestThreeCornersAgainstIntegration(t *testing.T) {
	const a, j, feed, tolerance = 2000.0, 50000.0, 80.0, 0.02
	l := mill(j)
	l.CornerTolerance = tolerance
	points := []geom.Vec3{{}, {X: 20}, {X: 20, Y: 15}, {X: 45, Y: 15}, {X: 45, Y: 50}}
	o := motion.Operation{}
	want, before := 0.0, 0.0
	half := math.Cos(math.Pi / 4)
	radius := tolerance * half / (1 - half)
	for i, p := range points[1:] {
		o.Moves = append(o.Moves, motion.Move{Kind: motion.Cut, To: p, Feed: feed * 60})
		after := min(math.Sqrt(a*radius), math.Cbrt(j*radius*radius))
		if i == len(points)-2 {
			after = 0
		}
		up, upWay := leg(before, feed, a, j)
		down, downWay := leg(after, feed, a, j)
		even := p.Dist(points[i]) - upWay - downWay
		if even < 0 {
			t.Fatal("the legs of this test are too short")
		}
		want += up + down + even/feed
		before = after
	}
	if got := l.Operation(&o).Total(); math.Abs(got-want) > 0.01*want {
		t.Errorf("takes %g s, integrated %g", got, want)
	}
}

// The division of a curve into segments must not change its time.
func TestTimeDoesNotDependOnDivision(t *testing.T) {
	for _, jerk := range []float64{0, 50000, 5000} {
		whole := seconds(mill(jerk), line(200, 0, 6000))
		for _, n := range []int{2, 7, 100, 1000} {
			var moves []motion.Move
			for i := range n {
				moves = append(moves, line(200*float64(i+1)/float64(n), 0, 6000))
			}
			if got := seconds(mill(jerk), moves...); math.Abs(got-whole) > 0.01*whole {
				t.Errorf("jerk %g: in %d pieces it takes %g s, whole %g", jerk, n, got, whole)
			}
		}
	}
}

func TestFasterMachinesTakeNoLonger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var moves []motion.Move
		at := geom.Vec3{}
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			step := rapid.Float64Range(-20, 20)
			m := motion.Move{
				Kind: motion.Cut, Feed: rapid.Float64Range(100, 8000).Draw(t, "feed"),
				To: at.Add(geom.Vec3{X: step.Draw(t, "x"), Y: step.Draw(t, "y"), Z: step.Draw(t, "z")}),
			}
			if rapid.IntRange(0, 4).Draw(t, "kind") == 0 {
				m.Kind, m.Feed = motion.Rapid, 0
			}
			moves = append(moves, m)
			at = m.To
		}
		l := mill(rapid.SampledFrom([]float64{0, 1000, 20000}).Draw(t, "jerk"))
		l.Lookahead = rapid.IntRange(0, 5).Draw(t, "lookahead")
		before := seconds(l, moves...)
		faster := map[string]func(l *timing.Limits){
			"feed":         func(l *timing.Limits) { l.Axes[0].Feed *= 1.5 },
			"rapid":        func(l *timing.Limits) { l.Axes[2].Rapid *= 1.5 },
			"acceleration": func(l *timing.Limits) { l.Axes[1].Acceleration *= 1.5 },
			"jerk":         func(l *timing.Limits) { l.Axes[0].Jerk *= 1.5 },
			"tolerance":    func(l *timing.Limits) { l.CornerTolerance *= 2 },
			"lookahead":    func(l *timing.Limits) { l.Lookahead = 0 },
		}
		for name, change := range faster {
			m := l
			change(&m)
			// Where a ramp goes over many blocks its last part is timed by mean speeds, which is some parts in a
			// hundred.
			if after := seconds(m, moves...); after > before*1.02 {
				t.Fatalf("with more %s it takes %g s, before %g", name, after, before)
			}
		}
		stop := l
		stop.ExactStop = true
		if high := seconds(stop, moves...); high < before*0.98 {
			t.Fatalf("with stops it takes %g s, without %g", high, before)
		}
	})
}

func TestBandOfAMachine(t *testing.T) {
	m := machining.BuiltInCutConfig().Machine
	band := timing.Compute(&m)
	var o motion.Operation
	for i := range 400 {
		s, c := math.Sincos(float64(i))
		o.Moves = append(o.Moves, motion.Move{Kind: motion.Cut, To: geom.Vec3{X: 20 * c, Y: 20 * s}, Feed: m.MaxFeed})
	}
	low, likely, high := band.Low.Operation(&o).Total(), band.Likely.Operation(&o).Total(), band.High.Operation(&o).Total()
	if !(0 < low && low <= likely && likely < high) {
		t.Errorf("low %g s, likely %g s, high %g s", low, likely, high)
	}
	if got, want := band.Low.Axes[0].Feed, m.MaxFeed/60; got != want {
		t.Errorf("the feed of X is %g mm/s, want %g", got, want)
	}
}

func BenchmarkOperation(b *testing.B) {
	var o motion.Operation
	for i := range 100_000 {
		s, c := math.Sincos(float64(i) * 0.05)
		o.Moves = append(o.Moves, motion.Move{Kind: motion.Cut, To: geom.Vec3{X: 20 * c, Y: 20 * s}, Feed: 3000})
	}
	l := mill(50000)
	for b.Loop() {
		l.Operation(&o)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(o.Moves)), "ns/move")
}

// TestEndsOfMovesAreOfTheClock compares the end of each move with the closed form, and the last with the total.
func TestEndsOfMovesAreOfTheClock(t *testing.T) {
	l := mill(0)
	l.SpindleRampSeconds = 2
	const a = 2000.0
	tap := []motion.Cycle{{Kind: motion.Tap, Bottom: -1}}
	o := &motion.Operation{SpindleRPM: 1000, Cycles: tap, Moves: []motion.Move{
		line(50, 0, 3000), line(100, 0, 3000), // one block of 100 mm
		{Kind: motion.Dwell, Seconds: 1.5},
		{Kind: motion.Rapid, To: geom.Vec3{X: 600}},
		{Kind: motion.Rapid, To: geom.Vec3{X: 600}}, // has no length
		{Kind: motion.CannedCycle, To: geom.Vec3{X: 600}, Feed: 100},
	}}
	ends, times := l.Ends(o)
	if got := l.Operation(o); got != times {
		t.Errorf("Ends gives the times %+v, Operation %+v", times, got)
	}
	half := 2 + 50.0/50 + 25/a // one change of speed and half of the way
	whole := 2 + 100.0/50 + 50/a
	far := whole + 1.5 + 500.0/500 + 500/a
	for i, want := range []float64{half, whole, whole + 1.5, far, far, times.Total()} {
		if math.Abs(ends[i]-want) > 1e-9 {
			t.Errorf("move %d ends at %.9f s, want %.9f", i, ends[i], want)
		}
	}
	// two ramps of the spindle, in and out at the feed
	hole := 4 + 2*(1/(100.0/60)+100.0/60/a)
	if got := ends[5] - ends[4]; math.Abs(got-hole) > 1e-9 {
		t.Errorf("the tapped hole takes %g s, want %g", got, hole)
	}
}

// TestEndsOfMovesRise: at every limit, moves end one after the other, and the last at the total.
func TestEndsOfMovesRise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Float64Range(-5, 5)
		at, o := geom.Vec3{}, &motion.Operation{SpindleRPM: 100}
		feed := rapid.SampledFrom([]float64{300, 3000, 30000})
		for range rapid.IntRange(1, 60).Draw(t, "moves") {
			m := motion.Move{Kind: motion.Cut, Feed: feed.Draw(t, "feed")}
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0:
				m.Kind, m.Feed = motion.Rapid, 0
			case 1:
				m = motion.Move{Kind: motion.Dwell, Seconds: 0.1, To: at}
				o.Moves = append(o.Moves, m)
				continue
			}
			at = at.Add(geom.Vec3{X: step.Draw(t, "x"), Y: step.Draw(t, "y")})
			m.To = at
			o.Moves = append(o.Moves, m)
		}
		l := mill(rapid.SampledFrom([]float64{0, 1000, 50000}).Draw(t, "jerk"))
		l.Lookahead = rapid.SampledFrom([]int{0, 3, 80}).Draw(t, "lookahead")
		l.SpindleRampSeconds = 1
		ends, times := l.Ends(o)
		before := 1.0
		for i, s := range ends {
			if s < before-1e-9 {
				t.Fatalf("move %d ends at %g s, the one before it at %g", i, s, before)
			}
			before = s
		}
		if math.Abs(before-times.Total()) > 1e-9 || times != l.Operation(o) {
			t.Fatalf("the last move ends at %g s of %g", before, times.Total())
		}
	})
}
