package sweep

import (
	"context"
	"fmt"
	"math"

	"millwright/compute/device"
	"millwright/core/stock/dexel"
)

// Sweep on the device. The processor divides moves into straight legs and the tool into slabs, and lists the
// legs that each tile of rays may meet; the device intersects and cuts. A ray has room for a fixed number of
// spans there; a stock with more is left to the processor.
const (
	sweepRoom    = 8       // spans per ray
	sweepOver    = 0xff    // in place of a number of spans: they outgrew their room
	sweepPerPass = 256     // legs that a tile takes in one dispatch, so that none takes long
	sweepLegs    = 1 << 20 // in one call
	sweepUnits   = 1 << 21 // of removed length on the longest ray: a tile of 1,024 rays sums up within 32 bits
	sweepRays    = tileSide * tileSide
)

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := Output{
		Stock:   &dexel.Stock{Lattice: in.Stock.Lattice},
		Removed: make([]float64, len(in.Moves)),
	}
	for a := range 3 {
		if err := ctx.Err(); err != nil {
			return Output{}, err
		}
		plan, err := newPlan(in, a, sweepLegs)
		if err != nil {
			return Output{}, device.Errorf(device.Limit, "%v", err)
		}
		b := bundleSweep{
			plan: plan, stock: &in.Stock.Bundles[a], out: &out,
			unit:   max(float64(in.Stock.Lattice.Count[a]), 1) * in.Stock.Lattice.Step / sweepUnits,
			volume: in.Stock.Lattice.Step * in.Stock.Lattice.Step / 3,
		}
		if err := b.load(); err != nil {
			return Output{}, err
		}
		if len(plan.Leg) > 0 {
			if err := gpu.Do(ctx, b.run); err != nil {
				return Output{}, err
			}
		}
		if out.Stock.Bundles[a], err = b.gather(); err != nil {
			return Output{}, err
		}
	}
	return out, nil
}

// bundleSweep is the work on one bundle. Rays lie tile by tile.
type bundleSweep struct {
	plan         *plan
	stock        *dexel.Bundle
	out          *Output
	unit, volume float64 // mm of removed length per unit, and mm² per ray
	spans        [][2]float32
	counts       []uint32
}

// place returns where ray (i, j) lies.
func (b *bundleSweep) place(i, j int) int {
	const side = tileSide
	return (j/side*b.plan.Across+i/side)*sweepRays + j%side*side + i%side
}

func (b *bundleSweep) load() error {
	p := b.plan
	b.counts = make([]uint32, p.Across*p.Down*sweepRays)
	b.spans = make([][2]float32, len(b.counts)*sweepRoom)
	for j := range p.Rows {
		for i := range p.Columns {
			r, at := j*p.Columns+i, b.place(i, j)
			spans := b.stock.Spans[b.stock.Start[r]:b.stock.Start[r+1]]
			if len(spans) > sweepRoom {
				return device.Errorf(device.Limit, "a ray has %d spans, the device takes %d", len(spans), sweepRoom)
			}
			b.counts[at] = uint32(len(spans))
			for k, s := range spans {
				b.spans[at*sweepRoom+k] = [2]float32{s.Lo, s.Hi}
			}
		}
	}
	return nil
}

// run cuts all tiles, as many at a time as fit a buffer.
func (b *bundleSweep) run(s *device.Session) error {
	p := b.plan
	ranges := make([][2]uint32, p.Across*p.Down)
	for t := range ranges {
		ranges[t] = [2]uint32{uint32(p.Start[t]), uint32(p.Start[t+1])}
	}
	lists := make([]uint32, len(p.Leg))
	for i, l := range p.Leg {
		lists[i] = uint32(l)
	}
	rays := []float64{
		p.Origin.X, p.Origin.Y, p.Origin.Z, p.Right.X, p.Right.Y, p.Right.Z,
		p.Up.X, p.Up.Y, p.Up.Z, p.Dir.X, p.Dir.Y, p.Dir.Z,
	}
	var shared [6]device.Buffer
	for i, step := range []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, p.Slabs) },
		func() (device.Buffer, error) { return device.Upload(s, p.Legs) },
		func() (device.Buffer, error) { return device.Upload(s, ranges) },
		func() (device.Buffer, error) { return device.Upload(s, lists) },
		func() (device.Buffer, error) { return device.Alloc[uint32](s, len(lists)) },
		func() (device.Buffer, error) { return device.Upload(s, rays) },
	} {
		var err error
		if shared[i], err = step(); err != nil {
			return err
		}
	}
	err := s.Chunks(len(ranges), sweepRays*sweepRoom*8, func(lo, hi int) error {
		return b.tiles(s, shared, lo, hi)
	})
	if err != nil {
		return err
	}
	removed := make([]uint32, len(lists))
	if err := device.Download(s, shared[4], removed); err != nil {
		return err
	}
	for i, n := range removed {
		b.out.Removed[p.Move[p.Leg[i]]] += float64(n) * b.unit * b.volume
	}
	return nil
}

// tiles cuts tiles lo to hi.
func (b *bundleSweep) tiles(s *device.Session, shared [6]device.Buffer, lo, hi int) error {
	p := b.plan
	spans := b.spans[lo*sweepRays*sweepRoom : hi*sweepRays*sweepRoom]
	counts := b.counts[lo*sweepRays : hi*sweepRays]
	updates := make([]uint32, hi-lo)
	var own [3]device.Buffer
	defer func() {
		for _, k := range own {
			s.Free(k)
		}
	}()
	for i, step := range []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, spans) },
		func() (device.Buffer, error) { return device.Upload(s, counts) },
		func() (device.Buffer, error) { return device.Upload(s, updates) },
	} {
		var err error
		if own[i], err = step(); err != nil {
			return err
		}
	}
	longest := 0
	for t := lo; t < hi; t++ {
		longest = max(longest, p.Start[t+1]-p.Start[t])
	}
	for pass := 0; pass*sweepPerPass < longest; pass++ {
		err := s.Run(device.Job{
			Shader: device.Shader{Name: "dexel_sweep.comp", Defines: []string{
				fmt.Sprintf("ROOM %du", sweepRoom), fmt.Sprintf("SIDE %du", tileSide),
				fmt.Sprintf("PER_PASS %du", sweepPerPass),
			}},
			Buffers: []device.Buffer{
				own[0], own[1], shared[0], shared[1], shared[2], shared[3], shared[4], own[2], shared[5],
			},
			Uniforms: []device.Uniform{
				{Name: "slabCount", Value: uint32(len(p.Slabs))},
				{Name: "firstTile", Value: uint32(lo)},
				{Name: "layoutOf", Value: [4]uint32{uint32(p.Columns), uint32(p.Rows), uint32(p.Across), uint32(pass)}},
				{Name: "unit", Value: float32(b.unit)},
			},
			Groups: [3]int{hi - lo, 1, 1},
			Weight: float64(min(longest, sweepPerPass) * len(p.Slabs)),
		})
		if err != nil {
			return err
		}
	}
	if err := device.Download(s, own[0], spans); err != nil {
		return err
	}
	if err := device.Download(s, own[2], updates); err != nil {
		return err
	}
	for _, n := range updates {
		b.out.Updates += int64(n)
	}
	return device.Download(s, own[1], counts)
}

// gather brings the spans back into the order of the rays.
func (b *bundleSweep) gather() (dexel.Bundle, error) {
	p := b.plan
	out := dexel.Bundle{Start: make([]int32, 1, p.Columns*p.Rows+1)}
	for j := range p.Rows {
		for i := range p.Columns {
			at := b.place(i, j)
			n := b.counts[at]
			if n == sweepOver {
				return out, device.Errorf(device.Limit, "ray (%d, %d) falls into more than %d spans", i, j, sweepRoom)
			}
			for _, s := range b.spans[at*sweepRoom:][:n] {
				out.Spans = append(out.Spans, dexel.Span{Lo: s[0], Hi: s[1]})
			}
			if len(out.Spans) > math.MaxInt32 {
				return out, device.Errorf(device.Limit, "the stock falls into more than 2³¹ spans")
			}
			out.Start = append(out.Start, int32(len(out.Spans)))
		}
	}
	return out, nil
}
