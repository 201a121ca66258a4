package sweep

// Cutting tri-dexel stock on the processor.
//
// Method: dexels as in T. van Hook, "Real-time shaded NC milling display" (1986), in three directions as in
// H. Müller et al., "Online sculpting and visualization of multi-dexel volumes" (2003). Every ray is
// intersected with the volume that the tool sweeps on one move, in closed form (axial.go, lateral.go, arc.go, helix.go,
// skew.go), and the interval found is taken from its spans. The tool is taken apart into convex bodies (body.go).
//
// The rays of a bundle are cut into square tiles. Each tile is loaded once per batch of moves, cut by all the
// moves whose footprint it meets, in their order, and stored. So what a ray goes through does not depend on the
// number of threads, sums are formed in the order of the tiles, and a tile stays in the cache meanwhile.
//
// Cost: for each move some 40 to 90 ns per ray of its footprint that has material near it (limits.go), 80 to 270 ns per
// ray where rays are slanted to the tool; for each batch one copy of the stock. Limits: those of Input and 2³¹ spans per
// bundle.

import (
	"context"
	"math"

	"millwright/compute/primitive"
	"millwright/core/machining/profile"
	"millwright/core/stock/dexel"
)

// batchLegs is how many legs are prepared at a time: 16 MB.
const batchLegs = 1 << 15

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	out := in.output()
	for a := range 3 {
		if !in.Bundles.has(a) {
			continue
		}
		if err := sweepBundle(ctx, in, a, on, &out); err != nil {
			return Output{}, err
		}
	}
	return out.finish(ctx, in, on)
}

// sweepBundle cuts the rays of one direction, batch by batch.
func sweepBundle(ctx context.Context, in *Input, bundle int, on primitive.CPU, out *Output) error {
	v := newView(in, bundle)
	run := sweeper{view: &v, parts: partsOf(in, v.kind == slanted), slack: in.Slack, on: on, out: out}
	if in.Keep != nil {
		run.keep = &in.Keep.Bundles[bundle]
	}
	run.layout = layoutOf(v.lattice, bundle)
	run.area = v.lattice.Step * v.lattice.Step / float64(in.Bundles.count())
	run.shelf = out.shelves[bundle].clone()
	var legs []leg
	var err error
	for i := range in.Moves {
		if legs, err = appendLegs(legs, &in.Moves[i], int32(i), v.kind != slanted); err != nil {
			return err
		}
		if len(legs) >= batchLegs {
			if err := run.batch(ctx, legs); err != nil {
				return err
			}
			legs = legs[:0]
		}
	}
	if err := run.batch(ctx, legs); err != nil {
		return err
	}
	out.shelves[bundle] = run.shelf
	return nil
}

// sweeper cuts one bundle.
type sweeper struct {
	layout
	view  *view
	parts []part
	keep  *dexel.Bundle // what no move may cut; nil: nothing
	slack float64       // mm
	area  float64       // mm² that a ray stands for
	shelf shelf
	on    primitive.CPU
	out   *Output
}

// batch cuts the stock with the legs and adds up what they remove and touch.
func (s *sweeper) batch(ctx context.Context, legs []leg) error {
	actions := make([]action, 0, len(legs))
	for i := range legs {
		actions = s.appendActions(actions, &legs[i])
	}
	tiles := s.across * s.down
	bins := s.bin(actions)
	lengths := make([]float64, len(bins.action))
	updates := make([]int64, tiles)
	var deep []gouged
	if s.keep != nil {
		deep = make([]gouged, len(bins.action))
	}
	err := s.on.Each(ctx, tiles, func() func(int) {
		c := newCutter(s)
		return func(t int) {
			lo, hi := bins.start[t], bins.start[t+1]
			if lo == hi {
				return
			}
			w := s.window(t)
			s.shelf.load(&c.tile, &s.layout, t)
			c.updates = 0
			isCut := false
			for k := lo; k < hi; k++ {
				if (k-lo)%surveyed == 0 && s.view.kind != slanted {
					c.survey(actions, bins.action[k:min(k+surveyed, hi)], w)
				}
				a := &actions[bins.action[k]]
				lengths[k] = c.cut(a, w)
				isCut = isCut || lengths[k] > 0 && s.parts[a.part].zone == profile.Cutting
				if deep != nil {
					deep[k], c.worst = c.worst, gouged{}
				}
			}
			updates[t] = c.updates
			if isCut {
				s.shelf.tiles[t] = c.tile.store(w)
			}
		}
	})
	if err != nil {
		return err
	}
	for k, l := range lengths {
		a := &actions[bins.action[k]]
		s.out.count(s.parts[a.part].zone, a.move, l*s.area)
		if deep != nil {
			s.out.gouge(a.move, s.view.bundle, deep[k])
		}
	}
	for _, n := range updates {
		s.out.Updates += n
	}
	return nil
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
