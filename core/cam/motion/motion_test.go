package motion_test

import (
	"math"
	"reflect"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// streams are operations as strategies make them: connected, arcs with a radius, whole circles among them.
func streams(t *rapid.T) motion.Operation {
	length := rapid.Float64Range(-300, 300)
	at := geom.Vec3{X: length.Draw(t, "x"), Y: length.Draw(t, "y"), Z: 50}
	o := motion.Operation{ID: "a", SpindleRPM: rapid.Float64Range(10, 20000).Draw(t, "rpm"), Start: at}
	for range rapid.IntRange(0, 30).Draw(t, "moves") {
		m := motion.Move{Kind: motion.Cut, Feed: rapid.Float64Range(1, 5000).Draw(t, "feed")}
		z := rapid.Float64Range(-50, 50).Draw(t, "z")
		switch rapid.IntRange(0, 4).Draw(t, "shape") {
		case 0:
			m.To = geom.Vec3{X: length.Draw(t, "x"), Y: length.Draw(t, "y"), Z: z}
		case 1, 2:
			r := math.Exp(rapid.Float64Range(-4, 5).Draw(t, "log radius"))
			angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
			m.Center = geom.Vec2{X: at.X + r*math.Cos(angle), Y: at.Y + r*math.Sin(angle)}
			m.Turn = rapid.Float64Range(-2*math.Pi, 2*math.Pi).Draw(t, "turn")
			if rapid.IntRange(0, 3).Draw(t, "whole") == 0 {
				m.Turn = math.Copysign(2*math.Pi, m.Turn)
			}
			s := motion.Segment{From: at, To: geom.Vec3{Z: z}, Turn: m.Turn, Center: m.Center}
			if m.Turn == 0 {
				continue
			}
			m.To = s.At(1)
		case 3:
			m = motion.Move{Kind: motion.Dwell, To: at, Seconds: rapid.Float64Range(0.01, 3).Draw(t, "seconds")}
		case 4:
			m.Kind, m.Cycle = motion.CannedCycle, int32(len(o.Cycles))
			m.To = geom.Vec3{X: length.Draw(t, "x"), Y: length.Draw(t, "y"), Z: 20}
			o.Cycles = append(o.Cycles, motion.Cycle{
				Kind: motion.CycleKind(rapid.IntRange(0, 4).Draw(t, "cycle")), Retract: 5,
				Bottom: rapid.Float64Range(-30, -1).Draw(t, "bottom"), Peck: rapid.Float64Range(0.5, 5).Draw(t, "peck"),
			})
		}
		o.Moves = append(o.Moves, m)
		at = m.To
	}
	return o
}

// near returns the distance of p from the path of the steps, on arcs at the angle of p.
func near(steps []motion.Step, p geom.Vec3) float64 {
	best := math.Inf(1)
	for _, s := range steps {
		t := 0.0
		if d := s.To.Sub(s.From); s.Turn == 0 && d.Norm2() > 0 {
			t = p.Sub(s.From).Dot(d) / d.Norm2()
		}
		if s.Turn != 0 {
			a, q := level(s.From).Sub(s.Center), level(p).Sub(s.Center)
			turn := math.Atan2(a.Cross(q), a.Dot(q))
			if s.Turn < 0 {
				turn = -turn
			}
			// Near the ends of the arc the angle may be just before its beginning or just after its end.
			for _, full := range []float64{-2 * math.Pi, 0, 2 * math.Pi} {
				best = min(best, p.Dist(s.At(min(max((turn+full)/math.Abs(s.Turn), 0), 1))))
			}
			continue
		}
		best = min(best, p.Dist(s.At(min(max(t, 0), 1))))
	}
	return best
}

func collect(o *motion.Operation) []motion.Step {
	var all []motion.Step
	o.Steps(func(s motion.Step) bool { all = append(all, s); return true })
	return all
}

func level(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.X, Y: p.Y} }

func printed(v float64) bool { return v == math.Round(v*1000)/1000 && !(v == 0 && math.Signbit(v)) }

func TestRoundStaysWithinResolution(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := streams(t)
		r := o.Round()
		for i, m := range r.Moves {
			for _, v := range []float64{m.To.X, m.To.Y, m.To.Z, m.Center.X, m.Center.Y} {
				if !printed(v) {
					t.Fatalf("move %d: %v is not what is printed", i, v)
				}
			}
		}
		steps := collect(&r)
		for i, s := range steps {
			if s.Turn == 0 {
				continue
			}
			// Controls compare the radii at both ends; LinuxCNC allows 0.005 mm at the least.
			if gap := math.Abs(s.Radius() - level(s.To).Dist(s.Center)); gap > 1.5*motion.Resolution {
				t.Fatalf("step %d: the radii of an arc differ by %g", i, gap)
			}
			if math.Abs(s.Turn) > 2*math.Pi+1e-9 {
				t.Fatalf("step %d turns by %g", i, s.Turn)
			}
		}
		if again := r.Round(); !reflect.DeepEqual(again, r) {
			t.Fatalf("rounding twice gives\n%+v\nonce\n%+v", again, r)
		}
	})
}

func TestRoundedArcsLieOnTheArcs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := math.Exp(rapid.Float64Range(-5, 5).Draw(t, "log radius"))
		turn := rapid.Float64Range(-2*math.Pi, 2*math.Pi).Draw(t, "turn")
		if turn == 0 {
			t.Skip("no arc")
		}
		angle := rapid.Float64Range(0, 2*math.Pi).Draw(t, "angle")
		start := geom.Vec3{X: rapid.Float64Range(-100, 100).Draw(t, "x"), Y: 7.00049, Z: 3}
		s := motion.Segment{
			From: start, To: geom.Vec3{Z: start.Z - 0.05*r*math.Abs(turn)}, Turn: turn,
			Center: geom.Vec2{X: start.X + r*math.Cos(angle), Y: start.Y + r*math.Sin(angle)},
		}
		s.To = s.At(1)
		o := motion.Operation{Start: start, Moves: []motion.Move{{To: s.To, Turn: turn, Center: s.Center, Kind: motion.Cut, Feed: 100}}}
		rounded := o.Round()
		steps := collect(&rounded)
		if len(steps) == 0 {
			steps = []motion.Step{{Segment: motion.Segment{From: rounded.Start, To: rounded.Start}}}
		}
		if len(steps) == 1 && steps[0].Turn != 0 && math.Abs(steps[0].Turn-turn) > 0.2+4*motion.Resolution/r {
			t.Fatalf("turns by %g, asked for %g, radius %g", steps[0].Turn, turn, r)
		}
		for k := range 17 {
			p := s.At(float64(k) / 16)
			// An end moves by half of the resolution along each axis, the middle of a flat arc by as much again for its
			// center and its sagitta.
			if d := near(steps, p); d > 3*motion.Resolution {
				t.Fatalf("radius %g, turn %g: %v is %g mm off the rounded path %+v", r, turn, p, d, steps)
			}
		}
	})
}

func TestCyclesExpand(t *testing.T) {
	base := motion.Cycle{Retract: 2, Bottom: -5, Peck: 3}
	tests := []struct {
		name  string
		kind  motion.CycleKind
		from  float64
		dwell float64
		want  []float64 // heights after each move
	}{
		{"drill", motion.Drill, 10, 0, []float64{10, 2, -5, 10}},
		{"drill from below the plane", motion.Drill, 1, 0, []float64{2, 2, -5, 10}},
		{"drill with a dwell", motion.Drill, 10, 0.5, []float64{10, 2, -5, -5, 10}},
		{"peck", motion.Peck, 10, 0, []float64{10, 2, -1, 2, -1 + motion.ChipBreakRetract, -4, 2, -4 + motion.ChipBreakRetract, -5, 10}},
		{"chip break", motion.ChipBreak, 10, 0, []float64{10, 2, -1, -1 + motion.ChipBreakRetract, -4, -4 + motion.ChipBreakRetract, -5, 10}},
		{"ream", motion.Ream, 10, 0, []float64{10, 2, -5, 2, 10}},
		{"tap", motion.Tap, 10, 0, []float64{10, 2, -5, 2, 10}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := base
			c.Kind, c.Dwell = tt.kind, tt.dwell
			o := motion.Operation{
				Start: geom.Vec3{Z: tt.from}, Cycles: []motion.Cycle{c},
				Moves: []motion.Move{{Kind: motion.CannedCycle, To: geom.Vec3{X: 4, Y: 5, Z: 10}, Feed: 80}},
			}
			var got []float64
			for _, s := range collect(&o) {
				got = append(got, s.To.Z)
				if s.Kind == motion.Rapid && s.From.Z != s.To.Z && level(s.From) != level(s.To) {
					t.Errorf("a rapid goes down and sideways at once: %+v", s)
				}
				if s.Kind == motion.Rapid && s.To.Z < -4.1 {
					t.Errorf("a rapid goes to %v", s.To)
				}
				if (s.Kind == motion.Plunge) != (s.Feed != 0 && s.To.Z < s.From.Z) {
					t.Errorf("a move down into the hole is %+v", s)
				}
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("heights %v, want %v", got, tt.want)
			}
			if end := o.End(); end != (geom.Vec3{X: 4, Y: 5, Z: 10}) {
				t.Errorf("ends at %v", end)
			}
		})
	}
}

func TestCycleCheckRejectsInvalid(t *testing.T) {
	sound := motion.Cycle{Kind: motion.Peck, Retract: 2, Bottom: -20, Peck: 3}
	if err := sound.Check(); err != nil {
		t.Errorf("a sound cycle: %v", err)
	}
	for name, spoil := range map[string]func(c *motion.Cycle){
		"not a number":       func(c *motion.Cycle) { c.Bottom = math.NaN() },
		"unknown":            func(c *motion.Cycle) { c.Kind = motion.Tap + 1 },
		"upside down":        func(c *motion.Cycle) { c.Bottom = 3 },
		"negative":           func(c *motion.Cycle) { c.Peck = -1 },
		"dwell of a peck":    func(c *motion.Cycle) { c.Dwell = 1 },
		"endless many bites": func(c *motion.Cycle) { c.Peck = 1e-9 },
	} {
		c := sound
		if spoil(&c); c.Check() == nil {
			t.Errorf("%s: %+v passes", name, c)
		}
	}
}

func TestStepsAreConnectedAndEndWhereTheOperationEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := streams(t)
		at := o.Start
		for i, s := range collect(&o) {
			if s.From != at {
				t.Fatalf("step %d begins at %v, the one before ended at %v", i, s.From, at)
			}
			at = s.To
		}
		if at != o.End() {
			t.Fatalf("the steps end at %v, the operation at %v", at, o.End())
		}
	})
}

func TestCodec(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		setups := []motion.Setup{{Frame: geom.World, Operations: []motion.Operation{streams(t), streams(t)}}}
		var beside []byte // encoding does not write to its input
		var encoding sync.WaitGroup
		encoding.Go(func() { beside = motion.Encode(setups) })
		data := motion.Encode(setups)
		encoding.Wait()
		if string(beside) != string(data) {
			t.Fatal("encoded twice, the bytes differ")
		}
		got, err := motion.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		if string(motion.Encode(got)) != string(data) {
			t.Fatal("what was read is written in other bytes")
		}
		if !reflect.DeepEqual(collect(&got[0].Operations[1]), collect(&setups[0].Operations[1])) {
			t.Fatal("the motion has changed")
		}
		before := motion.Digest(setups)
		setups[0].Operations[0].Start.Z += motion.Resolution
		if motion.Digest(setups) == before {
			t.Fatal("another start has the same digest")
		}
	})
}

func FuzzDecode(f *testing.F) {
	o := motion.Operation{
		ID: "drill", Cycles: []motion.Cycle{{Kind: motion.Peck, Retract: 2, Bottom: -9, Peck: 3}},
		Moves: []motion.Move{
			{Kind: motion.CannedCycle, To: geom.Vec3{X: 1, Z: 5}, Feed: 90},
			{Kind: motion.Cut, To: geom.Vec3{X: 3, Z: 5}, Center: geom.Vec2{X: 2}, Turn: math.Pi, Feed: 90},
			{Kind: motion.Dwell, Seconds: 1},
		},
	}
	f.Add(motion.Encode([]motion.Setup{{Frame: geom.World, Operations: []motion.Operation{o}}}))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		setups, err := motion.Decode(data)
		if err != nil {
			return
		}
		for _, s := range setups {
			for i := range s.Operations {
				n := 0
				s.Operations[i].Steps(func(motion.Step) bool { n++; return n < 1000 })
			}
		}
	})
}
