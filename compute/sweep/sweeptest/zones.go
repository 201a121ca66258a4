package sweeptest

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// held returns a flat end mill of 4 mm with flutes of 3 mm, a shank of the same width, and a holder 7 mm above the tip.
func held(shank, holder float64) (toolprofile.Profile, []toolprofile.Zone) {
	a := toolprofile.Assembly{}
	a.Line(2, 0, toolprofile.Cutting)
	a.Line(2, 3, toolprofile.Cutting)
	a.Line(shank, 3, toolprofile.Shank)
	a.Line(shank, 7, toolprofile.Shank)
	a.Line(holder, 7, toolprofile.Holder)
	a.Line(holder, 30, toolprofile.Holder)
	return a.Outline, a.Zones
}

// fine is a block of 24 × 20 × 12 mm, from z = -8 to 4, in cells of 0.25 mm.
func fine(t testing.TB) *dexel.Stock {
	t.Helper()
	l := dexel.Lattice{Origin: geom.Vec3{X: -12, Y: -10, Z: -8}, Step: 0.25, Count: [3]int{96, 80, 48}}
	stock, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	return stock
}

// sweepZones compares the contacts of shank and holder with closed forms, in the order in which they pass.
func sweepZones(t testing.TB, b primitive.Runner) {
	t.Helper()
	v := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	at := func(z float64) geom.Vec3 { return v(0.41, 0.33, z) }
	for _, row := range []struct {
		name                   string
		shank, holder          float64
		from, to               geom.Vec3
		removed, shanks, holds float64 // mm³
	}{
		{"plunge", 2, 6, at(9), at(-2), math.Pi * 4 * 6, 0, 0},
		{"deep plunge", 2, 6, at(9), at(-5), math.Pi * 4 * 9, 0, math.Pi * (36 - 4) * 2},
		{"wide shank", 3, 6, at(9), at(-2), math.Pi * 4 * 6, math.Pi * 5 * 3, 0},
		{"rise", 2, 6, at(-2), at(9), math.Pi * 4 * 6, math.Pi * 4 * 3, 0},
		{"slot", 2, 6, v(-4, 0.33, -5), v(4, 0.33, -5), (8*4 + math.Pi*4) * 3, (8*4 + math.Pi*4) * 4,
			(8*12 + math.Pi*36) * 2},
		{"clear slot", 2, 6, v(-4, 0.33, 1), v(4, 0.33, 1), (8*4 + math.Pi*4) * 3, 0, 0},
	} {
		in := sweep.Input{Stock: fine(t), Frame: geom.World, Moves: []motion.Segment{{From: row.from, To: row.to}}}
		in.Tool, in.Zones = held(row.shank, row.holder)
		out, err := sweep.Primitive.Run(context.Background(), b, in)
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		got := []float64{out.Removed[0], out.Touched[toolprofile.Shank][0], out.Touched[toolprofile.Holder][0]}
		for k, want := range []float64{row.removed, row.shanks, row.holds} {
			if math.Abs(got[k]-want) > 0.01*want+1e-6 {
				t.Errorf("%s: removed, shank, holder %v mm³; want %g of number %d", row.name, got, want, k)
			}
		}
		if out.Touched[toolprofile.Cutting] != nil || out.Touched[toolprofile.Neck] != nil {
			t.Errorf("%s: zones that the tool does not have meet %v", row.name, out.Touched)
		}
		bare := in
		bare.Tool, bare.Zones = toolprofile.EndMill(4, 0, 3), nil
		if alone, err := sweep.Primitive.Run(context.Background(), b, bare); err != nil ||
			!same(alone.Stock, out.Stock) {
			t.Errorf("%s: shank and holder change the remaining stock, %v", row.name, err)
		}
	}
}

// sweepBundles checks that a bundle cut alone gets the same result as with the others, and that the others stay
// unchanged.
func sweepBundles(t testing.TB, b primitive.Runner) {
	t.Helper()
	in := sweep.Input{Stock: sweepStock(t), Tool: toolprofile.EndMill(3, 0.5, 9), Frame: toolFrames()[5].frame,
		Moves: slices.Concat(toolMoves()[6].moves, toolMoves()[14].moves)}
	all, err := sweep.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Error(err)
		return
	}
	for a := range 3 {
		in.Bundles = 1 << a
		one, err := sweep.Primitive.Run(context.Background(), b, in)
		if err != nil {
			t.Error(err)
			continue
		}
		for k := range 3 {
			want := &in.Stock.Bundles[k]
			if k == a {
				want = &all.Stock.Bundles[k]
			}
			if got := &one.Stock.Bundles[k]; !slices.Equal(got.Spans, want.Spans) ||
				!slices.Equal(got.Start, want.Start) {
				t.Errorf("bundle %d alone: bundle %d differs", a, k)
			}
		}
		lost := in.Stock.Volume()[a] - one.Stock.Volume()[a]
		if got := one.Removed[0] + one.Removed[1]; math.Abs(got-lost) > 1e-4*lost {
			t.Errorf("bundle %d alone: removed %g mm³, it lost %g", a, got, lost)
		}
	}
}

// sweepGouges checks that cuts into the target, everything below z = 0, are reported with moves, rays and depths.
func sweepGouges(t testing.TB, b primitive.Runner) {
	t.Helper()
	stock := fine(t)
	box := stock.Lattice.Box()
	box.Max.Z = 0
	keep, err := dexel.NewBlock(stock.Lattice, box)
	if err != nil {
		t.Fatal(err)
	}
	slot := func(y, z float64) motion.Segment {
		return motion.Segment{From: geom.Vec3{X: -15, Y: y, Z: z}, To: geom.Vec3{X: 15, Y: y, Z: z}}
	}
	in := sweep.Input{
		Stock: stock, Keep: keep, Slack: 0.001, Frame: geom.World, Tool: toolprofile.EndMill(4, 0, 30),
		Moves: []motion.Segment{
			slot(-7, 1), slot(-7, 0), slot(0.03, -0.4), slot(0.03, -0.3), slot(7, -0.0005), slot(7, -2),
		},
	}
	out, err := sweep.Primitive.Run(context.Background(), b, in)
	if err != nil {
		t.Error(err)
		return
	}
	var got [][2]int
	for _, g := range out.Gouges {
		got = append(got, [2]int{g.Move, g.Bundle})
		want := map[int]float64{2: 0.4, 5: 2}[g.Move]
		width := map[int]float64{0: 24, 1: 4, 2: want}[g.Bundle]
		if math.Abs(g.Depth-width) > 0.01 {
			t.Errorf("%+v, want a depth of %g mm", g, width)
		}
		if i, j := g.Ray%96, g.Ray/96; g.Bundle == 2 {
			y := -10 + (float64(j)+0.5)*0.25
			if near := in.Moves[g.Move].From.Y; i < 0 || math.Abs(y-near) > 2 {
				t.Errorf("%+v is a ray at y = %g, the move is at %g", g, y, near)
			}
		}
	}
	if want := [][2]int{{2, 0}, {2, 1}, {2, 2}, {5, 0}, {5, 1}, {5, 2}}; !slices.Equal(got, want) {
		t.Errorf("gouges of moves and bundles %v, want %v", got, want)
	}
	in.Slack, in.Bundles = 0.5, 1<<2
	if out, err = sweep.Primitive.Run(context.Background(), b, in); err != nil || len(out.Gouges) != 1 ||
		out.Gouges[0].Move != 5 {
		t.Errorf("gouges above 0.5 mm: %+v, %v; want that of move 5", out.Gouges, err)
	}
}

// sweepMilling checks that batches give the same stock as all moves at once, and that a failed batch leaves the stock
// unchanged.
func sweepMilling(t testing.TB, b primitive.Runner) {
	t.Helper()
	ctx := context.Background()
	in := sweep.Input{Stock: fine(t), Frame: toolFrames()[1].frame}
	in.Tool, in.Zones = held(3, 6)
	in.Keep = in.Stock
	for _, m := range toolMoves() {
		in.Moves = append(in.Moves, m.moves...)
	}
	want, err := sweep.Primitive.Run(ctx, b, in)
	if err != nil {
		t.Error(err)
		return
	}
	m, err := sweep.NewMilling(in.Stock, in.Keep, 0)
	if err != nil {
		t.Error(err)
		return
	}
	var removed, shank []float64
	gouges := 0
	for k := range in.Moves {
		batch := in
		batch.Moves = []motion.Segment{{From: geom.Vec3{X: math.NaN()}}}
		if _, err := m.Cut(ctx, b, batch); err == nil {
			t.Errorf("a move to nowhere is cut")
		}
		batch.Moves = in.Moves[k : k+1]
		out, err := m.Cut(ctx, b, batch)
		if err != nil || out.Stock != nil {
			t.Errorf("batch %d: stock %v, %v", k, out.Stock, err)
			return
		}
		removed, shank = append(removed, out.Removed...), append(shank, out.Touched[toolprofile.Shank]...)
		gouges += len(out.Gouges)
	}
	left, err := m.Stock(ctx)
	if err != nil || !same(left, want.Stock) {
		t.Errorf("batches leave another stock than all moves at once, %v", err)
	}
	if gouges != len(want.Gouges) || gouges == 0 {
		t.Errorf("%d gouges in batches, %d at once", gouges, len(want.Gouges))
	}
	for k := range removed {
		if math.Abs(removed[k]-want.Removed[k]) > 1e-9 || math.Abs(shank[k]-want.Touched[toolprofile.Shank][k]) > 1e-9 {
			t.Errorf("move %d removed %g and touched %g mm³ in batches, %g and %g at once", k, removed[k], shank[k],
				want.Removed[k], want.Touched[toolprofile.Shank][k])
		}
	}
	other := fine(t)
	other.Lattice.Origin.X++
	if _, err := sweep.NewMilling(in.Stock, other, 0); err == nil {
		t.Error("what is to be kept may lie in another lattice")
	}
}
