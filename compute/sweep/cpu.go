package sweep

// Cutting tri-dexel stock on the processor.
//
// Method: dexels as in T. van Hook, "Real-time shaded NC milling display" (1986), in three directions as in
// H. Müller et al., "Online sculpting and visualization of multi-dexel volumes" (2003). Every ray is
// intersected with the volume that the tool sweeps on one move, in closed form (axial.go, lateral.go, arc.go,
// skew.go), and the interval found is taken from its spans. The tool is taken apart into convex bodies (body.go).
//
// The rays of a bundle are cut into square tiles. Each tile is loaded once per batch of moves, cut by all the
// moves whose footprint it meets, in their order, and stored. So what a ray goes through does not depend on the
// number of threads, sums are formed in the order of the tiles, and a tile stays in the cache meanwhile.
//
// Cost: for each move some 40 to 90 ns per ray of its footprint, 80 to 270 ns where rays are slanted to the tool;
// for each batch one copy of the stock. Limits: those of Input and 2³¹ spans per bundle.

import (
	"context"
	"errors"
	"math"

	"millwright/compute/primitive"
	"millwright/core/stock/dexel"
)

// batchLegs is how many legs are prepared at a time: 16 MB.
const batchLegs = 1 << 15

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	out := Output{
		Stock:   &dexel.Stock{Lattice: in.Stock.Lattice},
		Removed: make([]float64, len(in.Moves)),
	}
	parts := bodies(in.Tool)
	for a := range 3 {
		if err := sweepBundle(ctx, in, parts, a, on, &out); err != nil {
			return Output{}, err
		}
	}
	return out, nil
}

// sweepBundle cuts the rays of one direction, batch by batch.
func sweepBundle(ctx context.Context, in *Input, parts []body, bundle int, on primitive.CPU,
	out *Output) error {
	v := newView(in, bundle)
	run := sweeper{view: &v, bodies: parts, radius: in.Tool.MaxRadius(), height: in.Tool.Top(), on: on}
	if v.kind == slanted {
		for i := range parts {
			run.flat = append(run.flat, parts[i].flattened())
		}
	}
	run.layout()
	stock := in.Stock.Bundles[bundle]
	var legs []leg
	var err error
	flush := func() error {
		stock, err = run.batch(ctx, stock, legs, out)
		legs = legs[:0]
		return err
	}
	done := false
	for i := range in.Moves {
		if legs, err = appendLegs(legs, &in.Moves[i], int32(i), v.kind != slanted); err != nil {
			return err
		}
		if len(legs) >= batchLegs {
			if err := flush(); err != nil {
				return err
			}
			done = true
		}
	}
	if len(legs) > 0 || !done {
		if err := flush(); err != nil {
			return err
		}
	}
	out.Stock.Bundles[bundle] = stock
	return nil
}

// sweeper cuts one bundle.
type sweeper struct {
	view           *view
	bodies         []body
	flat           [][]slab // the bodies for slanted rays
	radius, height float64  // mm, of the tool
	on             primitive.CPU

	columns, rows int // of rays
	across, down  int // tiles
}

func (s *sweeper) layout() {
	v := s.view
	s.columns, s.rows = v.lattice.Count[v.b], v.lattice.Count[v.c]
	s.across, s.down = (s.columns+tileSide-1)/tileSide, (s.rows+tileSide-1)/tileSide
}

func (s *sweeper) window(tile int) window {
	i, j := tile%s.across*tileSide, tile/s.across*tileSide
	return window{i, min(i+tileSide, s.columns), j, min(j+tileSide, s.rows)}
}

// batch cuts the stock with the legs and adds up what they remove.
func (s *sweeper) batch(ctx context.Context, stock dexel.Bundle, legs []leg, out *Output) (
	dexel.Bundle, error) {
	actions := make([]action, len(legs))
	for i := range legs {
		actions[i] = s.view.newAction(&legs[i], s.radius, s.height)
	}
	tiles := s.across * s.down
	bins := s.bin(actions)
	removed := make([]float64, len(bins.action))
	updates := make([]int64, tiles)
	cut := dexel.Bundle{Start: make([]int32, s.columns*s.rows+1)}
	results := make([][]dexel.Span, tiles)
	err := s.on.Each(ctx, tiles, func() func(int) {
		c := &cutter{
			view: s.view, bodies: s.bodies, radius: s.radius,
			flat: s.flat, skews: make([]skew, len(s.flat)), near: make([][2]int, len(s.flat)),
		}
		return func(t int) {
			w := s.window(t)
			lo, hi := bins.start[t], bins.start[t+1]
			if lo == hi {
				s.keep(&stock, &cut, w)
				return
			}
			c.tile.load(&stock, s.columns, w.i0, w.j0, w.i1-w.i0, w.j1-w.j0)
			c.updates = 0
			for k := lo; k < hi; k++ {
				removed[k] = c.cut(&actions[bins.action[k]], w)
			}
			updates[t] = c.updates
			results[t] = s.store(&c.tile, &cut, w)
		}
	})
	if err != nil {
		return dexel.Bundle{}, err
	}
	area := s.view.lattice.Step * s.view.lattice.Step / 3
	for k, l := range removed {
		out.Removed[actions[bins.action[k]].move] += l * area
	}
	for _, n := range updates {
		out.Updates += n
	}
	return s.gather(ctx, &stock, cut, results)
}

// keep notes the numbers of spans of rays that no leg reaches, at the place after their own.
func (s *sweeper) keep(stock, cut *dexel.Bundle, w window) {
	for j := w.j0; j < w.j1; j++ {
		for r := j*s.columns + w.i0; r < j*s.columns+w.i1; r++ {
			cut.Start[r+1] = stock.Start[r+1] - stock.Start[r]
		}
	}
}

// store notes the numbers of spans of the rays of a tile and returns the spans.
func (s *sweeper) store(t *tile, cut *dexel.Bundle, w window) []dexel.Span {
	total := 0
	for j := w.j0; j < w.j1; j++ {
		for i := w.i0; i < w.i1; i++ {
			n := len(t.ray((j-w.j0)*tileSide + i - w.i0))
			cut.Start[j*s.columns+i+1] = int32(n)
			total += n
		}
	}
	spans := make([]dexel.Span, 0, total)
	for j := w.j0; j < w.j1; j++ {
		for i := w.i0; i < w.i1; i++ {
			spans = append(spans, t.ray((j-w.j0)*tileSide+i-w.i0)...)
		}
	}
	return spans
}

// gather puts the spans of all tiles into one list.
func (s *sweeper) gather(
	ctx context.Context, stock *dexel.Bundle, cut dexel.Bundle, results [][]dexel.Span,
) (dexel.Bundle, error) {
	total := 0
	for r, n := range cut.Start {
		total += int(n)
		if total > math.MaxInt32 {
			return dexel.Bundle{}, errors.New("sweep: the stock falls into more than 2³¹ spans")
		}
		cut.Start[r] = int32(total)
	}
	cut.Spans = make([]dexel.Span, total)
	err := s.on.Each(ctx, len(results), func() func(int) {
		return func(t int) {
			w, spans := s.window(t), results[t]
			for j := w.j0; j < w.j1; j++ {
				first, last := j*s.columns+w.i0, j*s.columns+w.i1
				row := cut.Spans[cut.Start[first]:cut.Start[last]]
				if spans == nil {
					copy(row, stock.Spans[stock.Start[first]:])
					continue
				}
				spans = spans[copy(row, spans):]
			}
		}
	})
	return cut, err
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
	i0, i1 := dexel.Cells(a.lo[0]-side/2, a.hi[0]+side/2, side, 0, s.across)
	j0, j1 := dexel.Cells(a.lo[1]-side/2, a.hi[1]+side/2, side, 0, s.down)
	far := s.radius + side*math.Sqrt2/2
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
