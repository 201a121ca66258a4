// Package sweeptest is the suite that every twin of material removal must pass, and inputs to measure it on.
package sweeptest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// Suite tests a runner of the primitive against sweep.Input. Near every end of a span and at random points of every
// ray, the material must be where no point of the tool passes. The reference tests that by brute force along the move.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	stock := sweepStock(t)
	stride := 3 // a third of all combinations: every pair of values occurs
	if testing.Short() {
		stride = 11
	}
	for f, frame := range toolFrames() {
		for k, tool := range sweepTools() {
			for i, m := range toolMoves() {
				if (f+k+i)%stride != 0 {
					continue
				}
				name := fmt.Sprintf("%s, %s, %s", frame.name, tool.name, m.name)
				in := sweep.Input{Stock: stock, Tool: tool.profile, Frame: frame.frame, Moves: m.moves}
				checkSweep(t, b, rng, name, in)
			}
		}
	}
	sweepComb(t, b, rng)
	sweepLaws(t, b, rng)
	sweepZones(t, b)
	sweepBundles(t, b)
	sweepGouges(t, b)
	sweepMilling(t, b)
	refuseSweep(t, b)
}

// sweepComb cuts a stock to a comb and the comb once more, so that rays fall into many spans.
func sweepComb(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	in := sweep.Input{Stock: sweepStock(t), Tool: toolprofile.EndMill(0.4, 0, 9), Frame: geom.World}
	const slots = 14
	for k := range slots {
		x := -5.6 + 0.83*float64(k)
		in.Moves = append(in.Moves,
			motion.Segment{From: geom.Vec3{X: x, Y: -9, Z: 0.1}, To: geom.Vec3{X: x, Y: 9, Z: 0.1}})
	}
	checkSweep(t, b, rng, "comb", in)
	out, err := sweep.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Error(err)
		return
	}
	if n := len(out.Stock.Ray(0, 10, 12)); n != slots+1 {
		t.Errorf("a ray through %d slots falls into %d spans", slots, n)
	}
	across, both := in, in
	across.Stock = out.Stock
	across.Moves = []motion.Segment{{From: geom.Vec3{X: -9, Y: 0.1, Z: 0.6}, To: geom.Vec3{X: 9, Y: 0.1, Z: 0.6}}}
	both.Moves = slices.Concat(in.Moves, across.Moves)
	later, err := sweep.Primitive.Run(context.Background(), b, across)
	atOnce, other := sweep.Primitive.Run(context.Background(), b, both)
	if err != nil || other != nil || !same(later.Stock, atOnce.Stock) {
		t.Errorf("a comb that is cut again is not what all moves at once leave: %v, %v", err, other)
	}
}

// sweepStock is a stock that the moves below cut into from all sides.
func sweepStock(t testing.TB) *dexel.Stock {
	t.Helper()
	l := dexel.Lattice{Origin: geom.Vec3{X: -6, Y: -5, Z: -4}, Step: 0.5, Count: [3]int{24, 20, 16}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	return stock
}

type toolFrame struct {
	name  string
	frame geom.Frame
}

func toolFrames() []toolFrame {
	tilt := geom.NewFrame(geom.Vec3{X: 0.3, Y: -0.2, Z: 0.1}, geom.Vec3{X: 0.3, Y: -0.5, Z: 0.8}, geom.Vec3{X: 1})
	return []toolFrame{
		{"world", geom.World},
		{"turned", geom.NewFrame(geom.Vec3{X: 0.1, Y: 0.2}, geom.Vec3{Z: 1}, geom.Vec3{X: 0.8, Y: 0.6})},
		{"from below", geom.NewFrame(geom.Vec3{Z: 0.1}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})},
		{"from the side", geom.NewFrame(geom.Vec3{Y: 0.13}, geom.Vec3{X: 1}, geom.Vec3{Y: 1})},
		{"in the yz plane", geom.NewFrame(geom.Vec3{X: 0.07}, geom.Vec3{Y: 0.6, Z: 0.8}, geom.Vec3{X: 1})},
		{"tilted", tilt},
		{"hardly tilted", geom.NewFrame(geom.Vec3{X: 0.1}, geom.Vec3{X: 1e-7, Y: 3e-8, Z: 1}, geom.Vec3{X: 1})},
	}
}

type sweepTool struct {
	name    string
	profile toolprofile.Profile
}

func sweepTools() []sweepTool {
	v := func(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }
	neck := v(1, 2+math.Sqrt(3))
	return []sweepTool{
		{"flat", toolprofile.EndMill(4, 0, 9)},
		{"ball", toolprofile.EndMill(4, 2, 9)},
		{"bull nose", toolprofile.EndMill(5, 0.8, 9)},
		{"drill", toolprofile.Drill(3, geom.Radians(118), 9)},
		{"taper ball", toolprofile.Profile{ // half angle with sine 0.6
			{To: v(0.8, 0.4), Radius: 1}, {From: v(0.8, 0.4), To: v(2.3, 2.4)}, {From: v(2.3, 2.4), To: v(2.3, 9)},
		}},
		{"lollipop", toolprofile.Profile{{To: neck, Radius: 2}, {From: neck, To: v(1, 9)}}},
		{"slot cutter", toolprofile.Profile{
			{To: v(2.5, 0)}, {From: v(2.5, 0), To: v(2.5, 1)}, {From: v(2.5, 1), To: v(0.7, 1)},
			{From: v(0.7, 1), To: v(0.7, 9)},
		}},
		{"dovetail", toolprofile.Profile{{To: v(2.5, 0)}, {From: v(2.5, 0), To: v(1, 3)},
			{From: v(1, 3), To: v(1, 9)}}},
		{"corner rounding", toolprofile.Profile{
			{To: v(1, 0)}, {From: v(1, 0), To: v(3, 2), Radius: -2}, {From: v(3, 2), To: v(3, 9)},
		}},
		{"barrel", toolprofile.Profile{{To: v(0.5, 0)}, {From: v(0.5, 0), To: v(1, 6), Radius: 12}}},
	}
}

type toolMove struct {
	name  string
	moves []motion.Segment
}

func toolMoves() []toolMove {
	v := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	line := func(from, to geom.Vec3) []motion.Segment { return []motion.Segment{{From: from, To: to}} }
	arc := func(from geom.Vec3, center geom.Vec2, turn, rise float64) []motion.Segment {
		m := motion.Segment{From: from, To: from, Turn: turn, Center: center}
		m.To = m.At(1)
		m.To.Z += rise
		return []motion.Segment{m}
	}
	c := geom.Vec2{X: 0.31, Y: -0.22}
	return []toolMove{
		{"nothing", nil},
		{"dwell", line(v(0.1, 0.2, 1), v(0.1, 0.2, 1))},
		{"along x", line(v(-3, 0.1, 1.03), v(3, 0.1, 1.03))},
		{"along y", line(v(0.2, 4, 1), v(0.2, -9, 1))},
		{"slanting", line(v(-4, -2, 0.5), v(2.2, 3.1, 0.5))},
		{"plunge", line(v(0.4, 0.3, 8), v(0.4, 0.3, -1.1))},
		{"ramp down", line(v(-3, -1, 2.2), v(3.3, 2, -1))},
		{"steep ramp up", line(v(-0.4, 0.1, -2), v(0.7, -0.5, 5))},
		{"ramp along y", line(v(0.1, -3, 1), v(0.1, 3, 2))},
		{"air", line(v(30, 30, 30), v(40, 30, 30))},
		{"quarter", arc(v(3, 0, 1), c, math.Pi/2, 0)},
		{"three quarters", arc(v(2.6, 1, 1), c, -1.5*math.Pi, 0)},
		{"circle", arc(v(2.9, -0.22, 0.7), c, 2*math.Pi, 0)},
		{"tight circle", arc(v(0.8, -0.22, 0.7), c, 2*math.Pi, 0)},
		{"helix", arc(v(2.5, 0.4, 2), c, -9, -3)},
		{"tight helix up", arc(v(0.8, -0.22, -1), c, 8, 4)},
		{"steep helix", arc(v(3.4, 0.5, 3), c, 4, -6)},
	}
}

// sweepMargin (mm) is the maximum distance from the swept volume of a point on the wrong side. sweep.Chord moves the
// tool, twice where chords approximate both an arc of its path and an arc of its outline. The rest covers the rounding
// of ends to float32, and the accuracy with which the reference finds the deepest moment.
const sweepMargin = 2.2 * sweep.Chord

func checkSweep(t testing.TB, b primitive.Runner, rng *rand.Rand, name string, in sweep.Input) {
	t.Helper()
	out, err := sweep.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if err := out.Stock.Check(); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	// Few rays suffice: they are drawn for every case, and the cases differ.
	const raysPerBundle, pointsPerRay = 4, 2
	for a := range 3 {
		side, other := dexel.Side(a)
		for range raysPerBundle {
			i, j := rng.IntN(in.Stock.Lattice.Count[side]), rng.IntN(in.Stock.Lattice.Count[other])
			spans := out.Stock.Ray(a, i, j)
			length := float64(in.Stock.Lattice.Count[a]) * in.Stock.Lattice.Step
			var at []float64
			for _, s := range spans {
				lo, hi := float64(s.Lo), float64(s.Hi)
				at = append(at, lo-sweepMargin, lo+sweepMargin, hi-sweepMargin, hi+sweepMargin)
			}
			for range pointsPerRay {
				at = append(at, rng.Float64()*length)
			}
			for _, s := range at {
				if s <= 0 || s >= length {
					continue
				}
				left := slices.ContainsFunc(spans, func(k dexel.Span) bool {
					return float64(k.Lo) <= s && s <= float64(k.Hi)
				})
				depth := passed(&in, pointOn(in.Stock.Lattice, a, i, j, s))
				if left && depth > sweepMargin || !left && depth < -sweepMargin {
					t.Errorf("%s: ray (%d, %d) along axis %d at %g mm: material %v, "+
						"%g mm inside of the tool's way; spans %v",
						name, i, j, a, s, left, depth, spans)
					return
				}
			}
		}
	}
}

func pointOn(l dexel.Lattice, a, i, j int, s float64) geom.Vec3 {
	b, c := dexel.Side(a)
	var x [3]float64
	x[a], x[b], x[c] = s, (float64(i)+0.5)*l.Step, (float64(j)+0.5)*l.Step
	return l.Origin.Add(geom.Vec3{X: x[0], Y: x[1], Z: x[2]})
}

// passed returns how deep the point lies within the tool at the time it does so most, negative outside.
func passed(in *sweep.Input, p geom.Vec3) float64 {
	p = in.Frame.Local(p)
	best := math.Inf(-1)
	for k := range in.Moves {
		m := &in.Moves[k]
		best = max(best, deepest(m, func(t float64) float64 { return inTool(in.Tool, p.Sub(m.At(t))) }))
	}
	return best
}

// deepest returns the greatest depth on a move: the depth changes by no more than the tool moves, so all samples
// that come as near to the greatest one as that are searched between their neighbors.
func deepest(m *motion.Segment, depth func(t float64) float64) float64 {
	const steps = 150
	var samples [steps + 1]float64
	top, far := math.Inf(-1), 0.0
	for i := range samples {
		samples[i] = depth(float64(i) / steps)
		top = max(top, samples[i])
		far = max(far, m.At(float64(i)/steps).Dist(m.At(float64(min(i+1, steps))/steps)))
	}
	best := top
	for i, d := range samples {
		if d < top-far || d < samples[max(i-1, 0)] || d < samples[min(i+1, steps)] {
			continue
		}
		lo, hi := float64(max(i-1, 0))/steps, float64(min(i+1, steps))/steps
		for range 30 {
			a, c := lo+(hi-lo)/3, hi-(hi-lo)/3
			if depth(a) < depth(c) {
				lo = a
			} else {
				hi = c
			}
		}
		best = max(best, depth(0.5*(lo+hi)))
	}
	return best
}

// inTool returns the depth of a point inside a piece of the tool: the distance from the outline of the piece and from
// its end discs; negative outside.
func inTool(p toolprofile.Profile, x geom.Vec3) float64 {
	at := geom.Vec2{X: math.Hypot(x.X, x.Y), Y: x.Z}
	best := math.Inf(-1)
	for _, k := range p {
		if k.From.Y == k.To.Y {
			continue
		}
		z := min(max(x.Z, k.From.Y), k.To.Y)
		r := k.From.X + (k.To.X-k.From.X)*(z-k.From.Y)/(k.To.Y-k.From.Y)
		d := min(fromLine(at, geom.Vec2{Y: k.From.Y}, k.From), fromLine(at, geom.Vec2{Y: k.To.Y}, k.To))
		if c, ok := k.Center(); ok {
			h := math.Sqrt(max(k.Radius*k.Radius-(z-c.Y)*(z-c.Y), 0))
			r = c.X + math.Copysign(h, k.Radius)
			d = min(d, fromArc(at, k, c))
		} else {
			d = min(d, fromLine(at, k.From, k.To))
		}
		if z != x.Z || at.X > r {
			d = -d
		}
		best = max(best, d)
	}
	return best
}

// fromLine returns the distance of p from the line between a and b.
func fromLine(p, a, b geom.Vec2) float64 {
	d := b.Sub(a)
	t := 0.0
	if n := d.Norm2(); n > 0 {
		t = min(max(p.Sub(a).Dot(d)/n, 0), 1)
	}
	return p.Dist(a.Lerp(b, t))
}

// fromArc returns the distance of p from an arc of an outline.
func fromArc(p geom.Vec2, k toolprofile.Segment, c geom.Vec2) float64 {
	d := min(p.Dist(k.From), p.Dist(k.To))
	if l := p.Dist(c); l > 0 {
		foot := c.Add(p.Sub(c).Scale(math.Abs(k.Radius) / l))
		if foot.Y >= k.From.Y && foot.Y <= k.To.Y && (foot.X-c.X)*k.Radius >= 0 {
			d = min(d, p.Dist(foot))
		}
	}
	return d
}

// sweepLaws checks invariants that apply to any input.
func sweepLaws(t testing.TB, b primitive.Runner, rng *rand.Rand) {
	t.Helper()
	ctx := context.Background()
	in := sweep.Input{Stock: sweepStock(t), Tool: toolprofile.EndMill(2, 0.3, 9), Frame: geom.World}
	for range 60 {
		at := func() geom.Vec3 {
			return geom.Vec3{X: rng.Float64()*14 - 7, Y: rng.Float64()*12 - 6, Z: rng.Float64()*6 - 1}
		}
		in.Moves = append(in.Moves, motion.Segment{From: at(), To: at()})
	}
	out, err := sweep.Primitive.Run(ctx, b, in)
	if err != nil {
		t.Error(err)
		return
	}
	sum := 0.0
	for _, v := range out.Removed {
		sum += v
	}
	before, after := in.Stock.Volume(), out.Stock.Volume()
	mean := (before[0] + before[1] + before[2] - after[0] - after[1] - after[2]) / 3
	if !(math.Abs(sum-mean) <= 1e-4*mean) || sum == 0 || out.Updates == 0 {
		t.Errorf("the moves removed %g mm³ with %d updates, the stock lost %g", sum, out.Updates, mean)
	}
	again := in
	again.Stock = out.Stock
	second, err := sweep.Primitive.Run(ctx, b, again)
	if err != nil || slices.Max(second.Removed) != 0 || !same(second.Stock, out.Stock) {
		t.Errorf("the same moves cut again: %v, %v", second.Removed, err)
	}
	back := in
	back.Moves = slices.Clone(in.Moves)
	slices.Reverse(back.Moves)
	if reversed, err := sweep.Primitive.Run(ctx, b, back); err != nil || !same(reversed.Stock, out.Stock) {
		t.Errorf("the order of the moves changes the remaining stock, %v", err)
	}
}

// same reports whether two bodies have the same spans.
func same(a, b *dexel.Stock) bool {
	for k := range a.Bundles {
		x, y := &a.Bundles[k], &b.Bundles[k]
		if !slices.Equal(x.Start, y.Start) || !slices.Equal(x.Spans, y.Spans) {
			return false
		}
	}
	return true
}

func refuseSweep(t testing.TB, b primitive.Runner) {
	t.Helper()
	sound := func() sweep.Input {
		return sweep.Input{
			Stock: sweepStock(t), Tool: toolprofile.EndMill(2, 0, 5), Frame: geom.World,
			Moves: []motion.Segment{{To: geom.Vec3{X: 3}}},
		}
	}
	primitivetest.Refuses(t, b, sweep.Primitive, sound, map[string]func(in *sweep.Input){
		"no stock":  func(in *sweep.Input) { in.Stock = nil },
		"no tool":   func(in *sweep.Input) { in.Tool = nil },
		"no frame":  func(in *sweep.Input) { in.Frame = geom.Frame{} },
		"lost move": func(in *sweep.Input) { in.Moves = []motion.Segment{{To: geom.Vec3{X: math.NaN()}}} },
		"endless move": func(in *sweep.Input) {
			in.Moves = []motion.Segment{{From: geom.Vec3{Z: math.Inf(1)}}}
		},
		"zones of another tool": func(in *sweep.Input) { in.Zones = make([]toolprofile.Zone, len(in.Tool)+1) },
		"unknown zone": func(in *sweep.Input) {
			in.Zones = slices.Repeat([]toolprofile.Zone{9}, len(in.Tool))
		},
		"falling zones": func(in *sweep.Input) {
			in.Zones = []toolprofile.Zone{toolprofile.Holder, toolprofile.Cutting}
		},
		"unknown bundle": func(in *sweep.Input) { in.Bundles = 8 },
		"negative slack": func(in *sweep.Input) { in.Slack = -1 },
		"lost slack":     func(in *sweep.Input) { in.Slack = math.NaN() },
		"kept elsewhere": func(in *sweep.Input) { in.Keep = fine(t) },
		"broken stock":   func(in *sweep.Input) { in.Stock = &dexel.Stock{Lattice: in.Stock.Lattice} },
	})
	empty := sound()
	empty.Stock = &dexel.Stock{Lattice: dexel.Lattice{Step: 1}}
	for a := range 3 {
		empty.Stock.Bundles[a].Start = []int32{0}
	}
	if out, err := sweep.Primitive.Run(context.Background(), b, empty); err != nil || out.Removed[0] != 0 {
		t.Errorf("sweep of nothing: removed %v, %v", out.Removed, err)
	}
}
