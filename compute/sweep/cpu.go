package sweep

// Cutting tri-dexel stock on the processor.
//
// Method: dexels as in T. van Hook, "Real-time shaded NC milling display" (1986), in three directions as in H. Müller
// et al., "Online sculpting and visualization of multi-dexel volumes" (2003). Every ray is intersected with the swept
// volume of one move, in closed form (axial.go, lateral.go, arc.go, helix.go, skew.go), and the resulting interval is
// subtracted from its spans. The tool is divided into convex bodies (body.go).
//
// The rays of a bundle are cut into square tiles. Each tile is loaded once per batch of moves, cut by all moves whose
// footprint it meets, in their order, and stored. So the operations on a ray do not depend on the number of threads,
// sums are formed in the order of the tiles, and a tile stays in the cache during the batch.
//
// Cost: for each move some 40 to 90 ns per ray of its footprint that has material near it (limits.go), 80 to 270 ns per
// ray where rays are oblique to the tool; for each batch one copy of the stock. Limits: those of Input and 2³¹ spans
// per bundle.

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// batchLegs is the number of legs prepared at a time: 16 MB for each bundle and part of the tool.
const batchLegs = 1 << 15

// onCPU is the twin on the processor. The bundles are cut side by side, batch by batch.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	out := in.output()
	var all []*sweeper
	for a := range 3 {
		if in.Bundles.has(a) {
			all = append(all, newSweeper(in, a, out.shelves[a].clone()))
		}
	}
	for first := 0; first < len(in.Moves); {
		next := first
		for ; next < len(in.Moves) && !slices.ContainsFunc(all, (*sweeper).isFull); next++ {
			for _, s := range all {
				if err := s.add(in, next); err != nil {
					return Output{}, err
				}
			}
		}
		if err := batch(ctx, on, all); err != nil {
			return Output{}, err
		}
		for _, s := range all {
			s.sum(&out)
		}
		first = next
	}
	for _, s := range all {
		out.shelves[s.view.bundle] = s.spanStore
	}
	return out.finish(ctx, in, on)
}

// sweeper cuts one bundle.
type sweeper struct {
	layout
	view      *rayView
	parts     []part
	keep      *dexel.Bundle // target that no move may cut; nil: no target
	slack     float64       // mm
	area      float64       // mm² per ray
	spanStore spanStore

	// Of the current batch:
	legs    []leg
	actions []action
	bins    bins
	lengths []float64 // mm removed or met, by entry of bins
	deep    []gouged  // by entry of bins; nil: there is no target to keep
	updates []int64   // by tile
}

func newSweeper(in *Input, bundle int, spanStore spanStore) *sweeper {
	v := newView(in, bundle)
	s := &sweeper{view: &v, parts: partsOf(in, v.kind == slanted), slack: in.Slack, spanStore: spanStore}
	if in.Keep != nil {
		s.keep = &in.Keep.Bundles[bundle]
	}
	s.layout = layoutOf(v.lattice, bundle)
	s.area = v.lattice.Step * v.lattice.Step / float64(in.Bundles.count())
	return s
}

// add takes a move into the batch.
func (s *sweeper) add(in *Input, move int) (err error) {
	s.legs, err = appendLegs(s.legs, &in.Moves[move], int32(move), s.view.kind != slanted)
	return err
}

func (s *sweeper) isFull() bool { return len(s.legs) >= batchLegs }

// prepare makes the batch ready to be cut.
func (s *sweeper) prepare() {
	n := 0
	for i := range s.legs {
		for k := range s.parts {
			if s.reaches(&s.parts[k], &s.legs[i]) {
				n++
			}
		}
	}
	s.actions = slices.Grow(s.actions, n) // they are large: once
	for i := range s.legs {
		s.actions = s.appendActions(s.actions, &s.legs[i])
	}
	s.bins = s.bin(s.actions)
	s.lengths = make([]float64, len(s.bins.action))
	s.updates = make([]int64, s.across*s.down)
	if s.keep != nil {
		s.deep = make([]gouged, len(s.bins.action))
	}
}

// batch cuts the stock with the legs that the sweepers have.
func batch(ctx context.Context, on primitive.CPU, all []*sweeper) error {
	err := on.Each(ctx, len(all), func() func(int) { return func(i int) { all[i].prepare() } })
	if err != nil {
		return err
	}
	type task struct{ of, tile int }
	var tasks []task
	for i, s := range all {
		for t := range s.across * s.down {
			if s.bins.start[t] < s.bins.start[t+1] {
				tasks = append(tasks, task{i, t})
			}
		}
	}
	return on.Each(ctx, len(tasks), func() func(int) {
		cutters, room := make([]*cutter, len(all)), &tile{}
		return func(i int) {
			t := tasks[i]
			if cutters[t.of] == nil {
				cutters[t.of] = newCutter(all[t.of], room)
			}
			cutters[t.of].work(t.tile)
		}
	})
}

// work cuts a tile.
func (c *cutter) work(t int) {
	w := c.window(t)
	c.spanStore.load(c.tile, &c.layout, t)
	c.counted = 0
	isCut := false
	lo, hi := c.bins.start[t], c.bins.start[t+1]
	for k := lo; k < hi; k++ {
		if (k-lo)%surveyed == 0 && c.view.kind != slanted {
			c.survey(c.actions, c.bins.action[k:min(k+surveyed, hi)], w)
		}
		a := &c.actions[c.bins.action[k]]
		c.lengths[k] = c.cut(a, w)
		isCut = isCut || c.lengths[k] > 0 && c.parts[a.part].zone == toolprofile.Cutting
		if c.deep != nil {
			c.deep[k], c.worst = c.worst, gouged{}
		}
	}
	c.updates[t] = c.counted
	if isCut {
		c.spanStore.tiles[t] = c.tile.store(w)
	}
}

// sum adds up the removals and contacts of the batch, and resets them for the next one.
func (s *sweeper) sum(out *Output) {
	for k, l := range s.lengths {
		a := &s.actions[s.bins.action[k]]
		out.count(s.parts[a.part].zone, a.move, l*s.area)
		if s.deep != nil {
			out.gouge(a.move, s.view.bundle, s.deep[k])
		}
	}
	for _, n := range s.updates {
		out.Updates += n
	}
	s.legs, s.actions = s.legs[:0], s.actions[:0]
}

// bins lists the actions that meet each tile, in their order.
type bins struct {
	start  []int
	action []int32
}

func (s *sweeper) bin(actions []action) bins {
	tiles := s.across * s.down
	b := bins{start: make([]int, tiles+1)}
	for i := range actions {
		s.visit(&actions[i], func(t int) { b.start[t+1]++ })
	}
	for t := range tiles {
		b.start[t+1] += b.start[t]
	}
	b.action = make([]int32, b.start[tiles])
	next := append([]int(nil), b.start...)
	for i := range actions {
		s.visit(&actions[i], func(t int) { b.action[next[t]] = int32(i); next[t]++ })
	}
	return b
}

// visit calls f for the tiles that an action may reach.
func (s *sweeper) visit(a *action, f func(tile int)) {
	side := tileSide * s.view.lattice.Step
	i0, i1 := dexel.Cells(a.swept.lo[1]-side/2, a.swept.hi[1]+side/2, side, 0, s.across)
	j0, j1 := dexel.Cells(a.swept.lo[2]-side/2, a.swept.hi[2]+side/2, side, 0, s.down)
	far := s.parts[a.part].radius + side*math.Sqrt2/2
	for j := j0; j < j1; j++ {
		for i := i0; i < i1; i++ {
			if s.view.kind == along && (i1-i0)*(j1-j0) > 1 {
				x, y := (float64(i)+0.5)*side, (float64(j)+0.5)*side
				if a.distance2(x, y) > far*far {
					continue
				}
			}
			f(j*s.across + i)
		}
	}
}

// distance2 returns the squared distance of (p, q) from the path of a leg seen along the tool.
func (a *action) distance2(p, q float64) float64 {
	if a.curved {
		return a.arc.distance2(p, q)
	}
	m := &a.straight
	p, q = p-m.p, q-m.q
	u, e := p*m.dp+q*m.dq, p*m.dq-q*m.dp
	d := u - min(max(u, 0), m.l)
	return d*d + e*e
}
