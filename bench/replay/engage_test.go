package replay_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/kernel/geom"
)

// mill is an end mill with flutes of 12 mm.
func mill(diameter float64) replay.Tool {
	s := replay.Shape{Kind: "flatEndMill", Diameter: diameter, FluteLength: 12, ShankDiameter: diameter, Stickout: 25}
	return s.Body()
}

const feed = 600 // mm/min

// path is moves of one operation at the feed; the first is a rapid.
func path(operation, tool int, points ...geom.Vec3) (out []replay.Move) {
	for i, p := range points {
		out = append(out, replay.Move{Tool: tool, Operation: operation, Rapid: i == 0, To: p, Feed: feed})
	}
	out[0].Feed = 0
	return out
}

func at(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }

// block is a program in a block of 40 × 20 × 10 below the origin: tool 1 has 10 mm, tool 2 4.
func block(setups ...[]replay.Move) *replay.Program {
	p := &replay.Program{
		Stock: geom.Box{Min: at(0, 0, -10), Max: at(40, 20, 0)},
		Tools: map[int]replay.Tool{1: mill(10), 2: mill(4)},
	}
	for _, moves := range setups {
		p.Setups = append(p.Setups, replay.Setup{Z: at(0, 0, 1), X: at(1, 0, 0), Moves: moves})
	}
	return p
}

func rough(axial, radial float64) replay.Cut {
	return replay.Cut{Rough: true, Feed: feed, Axial: axial, Radial: radial}
}

func engaged(t *testing.T, p *replay.Program, cuts ...[]replay.Cut) *replay.Engaged {
	t.Helper()
	out, err := replay.Engage(t.Context(), p, cuts)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func about(t *testing.T, name string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s is %.4f, want %.4f", name, got, want)
	}
}

// sampled (mm) is the way between samples of a tool of 10 mm.
const sampled = 1.25

// TestSlotIsFull: a tool passes a block from 10 mm before to 10 mm behind it. It cuts from 5 mm before the block to its
// end, a full half circle from its begin to 5 mm before its end.
func TestSlotIsFull(t *testing.T) {
	w := engaged(t, block(path(1, 1, at(-10, 10, -2), at(50, 10, -2))), []replay.Cut{rough(10, 2.5)}).Operations[0][0]
	about(t, "minutes", w.Fed, 60.0/feed, 1e-9)
	about(t, "air, mm", w.Air*feed, 15, sampled)
	about(t, "cut, mm", w.Arcs.Length(), 45, sampled)
	about(t, "slot, mm", w.Arcs.Slot, 35, sampled)
	about(t, "over, mm", w.Arcs.Over, 40, 3)
	about(t, "removed, mm³", w.Volume, 10*2*40, 5)
	if w.Entry != 0 || w.Slow != 0 {
		t.Errorf("entries %g, slow %g", w.Entry, w.Slow)
	}
}

// TestArcFollowsTheStepover: after a pass along the edge of the block, the next is a stepover aside.
func TestArcFollowsTheStepover(t *testing.T) {
	for _, c := range []struct {
		stepover, arc float64
		over, far     bool // of a target of 60°
	}{
		{0.67, 30, false, false}, {2.5, 60, false, false}, {3, 66.4, true, false}, {4.5, 84.3, true, true},
		{5, 90, true, true},
	} {
		moves := append(path(1, 1, at(-10, -4, -2), at(50, -4, -2), at(50, -30, -2), at(-10, -30, -2)),
			path(2, 1, at(-10, -4+c.stepover, -2), at(60, -4+c.stepover, -2))...)
		w := engaged(t, block(moves), []replay.Cut{rough(10, 2.5), rough(10, 2.5)}).Operations[0][1]
		class := int(math.Ceil(c.arc/5 - 1e-9))
		about(t, "length in the class of the arc", w.Arcs.Classes[class-1]+w.Arcs.Classes[class], 40, 6)
		all := map[bool]float64{true: 40}
		about(t, "over", w.Arcs.Over, all[c.over], 5)
		about(t, "far over", w.Arcs.FarOver, all[c.far], 5)
	}
}

// TestArcsTurn: once around a round island from inside, the arc is that of the ring's width.
func TestArcsTurn(t *testing.T) {
	p := block()
	p.Stock = geom.Box{Min: at(-50, -50, -10), Max: at(50, 50, 0)}
	circle := func(operation int, r float64) []replay.Move {
		out := path(operation, 1, at(r, 0, -2))
		for _, x := range []float64{-r, r, -r, r} {
			out = append(out, replay.Move{Tool: 1, Operation: operation, Feed: feed, Turn: math.Pi, To: at(x, 0, -2)})
		}
		return out
	}
	p.Setups = []replay.Setup{{Z: at(0, 0, 1), X: at(1, 0, 0), Moves: append(circle(1, 20), circle(2, 22.5)...)}}
	w := engaged(t, p, []replay.Cut{rough(10, 2.5), rough(10, 2.5)}).Operations[0]
	about(t, "second time around, air", w[0].Air/w[0].Fed, 0.5, 0.06)
	// The wall is at 25 mm. The tool meets it where its circle is as far out: by the law of cosines.
	arc := math.Acos((25*25-22.5*22.5-5*5)/(2*22.5*5)) * 180 / math.Pi
	sum := 0.0
	for i := range 3 {
		sum += w[1].Arcs.Classes[int(arc/5)-1+i]
	}
	about(t, "share in the class", sum/w[1].Arcs.Length(), 1, 0.15)
}

// TestLevelsAreCountedByPlace: a tool that could cut 10 mm deep takes 4 mm in two levels; floors beside each other need
// one level each.
func TestLevelsAreCountedByPlace(t *testing.T) {
	level := func(x0, x1, z float64) []replay.Move { return path(1, 1, at(x0, 10, z), at(x1, 10, z)) }
	for name, c := range map[string]struct {
		axial float64
		moves [][]replay.Move
		want  float64
	}{
		"one":                {10, [][]replay.Move{level(-10, 50, -4)}, 1},
		"two for one":        {10, [][]replay.Move{level(-10, 50, -2), level(-10, 50, -4)}, 2},
		"two for two":        {2, [][]replay.Move{level(-10, 50, -2), level(-10, 50, -4)}, 1},
		"the same twice":     {10, [][]replay.Move{level(-10, 50, -4), level(-10, 50, -4)}, 1},
		"beside each other":  {10, [][]replay.Move{level(-10, 15, -2), level(25, 50, -4)}, 1},
		"deeper than needed": {2, [][]replay.Move{level(-10, 50, -4)}, 0.5},
	} {
		var moves []replay.Move
		for _, m := range c.moves {
			moves = append(moves, m...)
		}
		e := engaged(t, block(moves), []replay.Cut{rough(c.axial, 2.5)})
		about(t, name, e.LevelsCut/e.LevelsNeeded, c.want, 0.01)
	}
}

// TestEntriesAndReducedFeedsAreApart: a ramp is an entry, with no arc; a level move at half the feed is slow.
func TestEntriesAndReducedFeedsAreApart(t *testing.T) {
	moves := path(1, 1, at(10, 10, 0), at(30, 10, -2), at(10, 10, -2))
	moves = append(moves, replay.Move{Tool: 1, Operation: 1, Feed: feed / 2, To: at(20, 10, -2)})
	w := engaged(t, block(moves), []replay.Cut{rough(10, 2.5)}).Operations[0][0]
	about(t, "entry", w.Entry, math.Hypot(20, 2)/feed, 1e-9)
	about(t, "slow", w.Slow, 10.0*2/feed, 1e-9)
	about(t, "arcs", w.Arcs.Length(), 20, 2*sampled) // the last way is through the air
}

// TestPlungesMeetMaterialBelow: 5 mm of air, then 4 mm into the block; again, there is nothing.
func TestPlungesMeetMaterialBelow(t *testing.T) {
	moves := append(path(1, 2, at(20, 10, 5), at(20, 10, -4)), path(2, 2, at(20, 10, 5), at(20, 10, -4))...)
	w := engaged(t, block(moves), []replay.Cut{{Feed: feed}, {Feed: feed}}).Operations[0]
	about(t, "air, mm", w[0].Air*feed, 5, 0.5)
	about(t, "again", w[1].Air/w[1].Fed, 1, 1e-9)
	about(t, "volume, mm³", w[0].Volume, math.Pi*4*4, 2)
}

// TestThinSkinsAreNoAir: a floor that stands 0.1 mm too high, and a wall 0.05 mm too near.
func TestThinSkinsAreNoAir(t *testing.T) {
	moves := append(path(1, 1, at(-10, 10, -2), at(50, 10, -2)), path(2, 1, at(0, 10, -2.1), at(40, 10, -2.1))...)
	moves = append(moves, path(3, 1, at(0, 10.05, -2.1), at(40, 10.05, -2.1))...)
	moves = append(moves, path(4, 1, at(0, 10.05, -2.1), at(40, 10.05, -2.1))...)
	w := engaged(t, block(moves), []replay.Cut{rough(10, 2.5), {Feed: feed}, {Feed: feed}, {Feed: feed}}).Operations[0]
	about(t, "floor", w[1].Air*feed, 0, 2*sampled)
	about(t, "wall", w[2].Air*feed, 0, 5+2*sampled)
	about(t, "spring pass", w[3].Air/w[3].Fed, 1, 1e-9)
}

// TestLaterSetupsSeeTheCuts: the cut of a setup is air for the next, from below and from the side.
func TestLaterSetupsSeeTheCuts(t *testing.T) {
	slot := path(1, 1, at(-10, 10, -10), at(50, 10, -10)) // through
	for name, s := range map[string]replay.Setup{
		"from below":    {Z: at(0, 0, -1), X: at(1, 0, 0), Moves: path(1, 1, at(-10, -10, 5), at(50, -10, 5))},
		"from the side": {Z: at(1, 0, 0), X: at(0, 1, 0), Moves: path(1, 1, at(10, -5, 30), at(10, 20, 30))},
	} {
		p := block(slot)
		p.Setups = append(p.Setups, s)
		e := engaged(t, p, []replay.Cut{rough(10, 2.5)}, []replay.Cut{rough(10, 2.5)})
		w := e.Operations[1][0]
		if name == "from below" { // the frame's origin is on the top face
			about(t, name, w.Air/w.Fed, 1, 1e-9)
			about(t, name, w.Volume, 0, 1e-9)
			continue
		}
		about(t, name, w.Volume, 0, 12)
		about(t, name, w.Air/w.Fed, 1, 0.06)
	}
}

// TestStockMayBeRound: of a bar across the path a chord is cut.
func TestStockMayBeRound(t *testing.T) {
	p := block(path(1, 2, at(-10, 10, -2), at(50, 10, -2)))
	p.IsStock = func(q geom.Vec3) bool { return math.Hypot(q.X-20, q.Y-10) < 10 }
	w := engaged(t, p, []replay.Cut{rough(10, 1)}).Operations[0][0]
	about(t, "air, mm", w.Air*feed, 40-2, 1.5) // of the front
	about(t, "volume, mm³", w.Volume, 2*4*20, 6)
}

func TestCutsMustBeOfTheSetups(t *testing.T) {
	if _, err := replay.Engage(t.Context(), block(path(1, 1, at(0, 0, 0))), nil); err == nil {
		t.Error("no error without cutting data")
	}
}
