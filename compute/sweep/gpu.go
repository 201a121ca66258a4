package sweep

import (
	"context"
	"fmt"

	"millwright/compute/device"
	"millwright/compute/primitive"
	"millwright/core/stock/dexel"
)

// Sweep on the device. The processor divides moves into straight legs and the tool into slabs, and lists the
// legs that each tile of rays may meet; the device intersects and cuts. A ray has room for a fixed number of
// spans there; a stock with more is left to the processor.
const (
	sweepRoom    = 8       // spans per ray
	sweepOver    = 0xff    // in place of a number of spans: they outgrew their room
	sweepPerPass = 256     // legs that a tile takes in one dispatch at most, so that none takes long
	sweepRounds  = 1 << 15 // of loops of an invocation in one dispatch, about: llvmpipe ends loops after 2¹⁶ in all
	sweepLegs    = 1 << 20 // in one call
	sweepUnits   = 1 << 21 // of removed length on the longest ray: a tile of 1,024 rays sums up within 32 bits
	sweepRays    = tileSide * tileSide
	raysEach     = sweepRays / 256 // of an invocation
)

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := in.output()
	for a := range 3 {
		if err := ctx.Err(); err != nil {
			return Output{}, err
		}
		if !in.Bundles.has(a) {
			continue
		}
		plan, err := newPlan(in, a, sweepLegs)
		if err != nil {
			return Output{}, device.Errorf(device.Limit, "%v", err)
		}
		if len(plan.Leg) == 0 {
			continue
		}
		b := bundleSweep{
			plan: plan, bundle: a, shelf: out.shelves[a].clone(), in: in, out: &out,
			unit:   max(float64(in.Stock.Lattice.Count[a]), 1) * in.Stock.Lattice.Step / sweepUnits,
			volume: in.Stock.Lattice.Step * in.Stock.Lattice.Step / float64(in.Bundles.count()),
		}
		for t := range plan.across * plan.down {
			if in.shelves == nil || plan.Start[t+1] > plan.Start[t] { // of a Milling only what the moves may reach
				b.tiles = append(b.tiles, t)
			}
		}
		if err := b.load(); err != nil {
			return Output{}, err
		}
		if err := gpu.Do(ctx, b.run); err != nil {
			return Output{}, err
		}
		if err := b.gather(); err != nil {
			return Output{}, err
		}
		out.shelves[a] = b.shelf
	}
	return out.finish(ctx, in, primitive.OnCPU(1))
}

// bundleSweep is the work on one bundle. Rays lie tile by tile.
type bundleSweep struct {
	plan         *plan
	bundle       int
	tiles        []int // that take part
	shelf        shelf
	in           *Input
	out          *Output
	unit, volume float64 // mm of removed length per unit, and mm² per ray
	spans        [][2]float32
	counts       []uint32
}

// rays visits the rays of the tiles that take part with where they lie.
func (b *bundleSweep) rays(visit func(at, i, j int) error) error {
	for k, t := range b.tiles {
		w := b.plan.window(t)
		for j := w.j0; j < w.j1; j++ {
			for i := w.i0; i < w.i1; i++ {
				if err := visit(k*sweepRays+(j-w.j0)*tileSide+i-w.i0, i, j); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *bundleSweep) load() error {
	b.counts = make([]uint32, len(b.tiles)*sweepRays)
	b.spans = make([][2]float32, len(b.counts)*sweepRoom)
	return b.rays(func(at, i, j int) error {
		spans := b.shelf.ray(&b.plan.layout, i, j)
		if len(spans) > sweepRoom {
			return device.Errorf(device.Limit, "a ray has %d spans, the device takes %d", len(spans), sweepRoom)
		}
		b.counts[at] = uint32(len(spans))
		for k, s := range spans {
			b.spans[at*sweepRoom+k] = [2]float32{s.Lo, s.Hi}
		}
		return nil
	})
}

// run cuts all tiles, as many at a time as fit a buffer.
func (b *bundleSweep) run(s *device.Session) error {
	p := b.plan
	ranges := make([][4]uint32, len(b.tiles))
	for k, t := range b.tiles {
		ranges[k] = [4]uint32{uint32(p.Start[t]), uint32(p.Start[t+1]), uint32(t)}
	}
	lists := make([]uint32, len(p.Leg))
	for i, l := range p.Leg {
		lists[i] = uint32(l)
	}
	rays := []float64{
		p.Origin.X, p.Origin.Y, p.Origin.Z, p.Right.X, p.Right.Y, p.Right.Z,
		p.Up.X, p.Up.Y, p.Up.Z, p.Dir.X, p.Dir.Y, p.Dir.Z,
	}
	var shared [8]device.Buffer
	for i, step := range []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, p.Slabs) },
		func() (device.Buffer, error) { return device.Upload(s, p.Legs) },
		func() (device.Buffer, error) { return device.Upload(s, ranges) },
		func() (device.Buffer, error) { return device.Upload(s, lists) },
		func() (device.Buffer, error) { return device.Alloc[uint32](s, len(lists)) },
		func() (device.Buffer, error) { return device.Upload(s, rays) },
		func() (device.Buffer, error) { return device.Upload(s, p.Parts) },
		func() (device.Buffer, error) { return device.Alloc[uint32](s, len(lists)) },
	} {
		var err error
		if shared[i], err = step(); err != nil {
			return err
		}
	}
	err := s.Chunks(len(ranges), sweepRays*sweepRoom*8, func(lo, hi int) error {
		return b.cut(s, shared, lo, hi)
	})
	if err != nil {
		return err
	}
	return b.account(s, shared[4], shared[7])
}

// account takes in what the legs of each tile removed, met and gouged.
func (b *bundleSweep) account(s *device.Session, lengths, deepest device.Buffer) error {
	p := b.plan
	units := make([]uint32, len(p.Leg))
	if err := device.Download(s, lengths, units); err != nil {
		return err
	}
	for i, n := range units {
		l := p.Leg[i]
		b.out.count(p.Zones[int(p.Legs[l].Part)], p.Move[l], float64(n)*b.unit*b.volume)
	}
	if b.in.Keep == nil {
		return nil
	}
	if err := device.Download(s, deepest, units); err != nil {
		return err
	}
	for t := range p.across * p.down {
		w := p.window(t)
		for i := p.Start[t]; i < p.Start[t+1]; i++ {
			ray := sweepRays - 1 - int(units[i]%sweepRays)
			b.out.gouge(p.Move[p.Leg[i]], b.bundle, gouged{
				depth: float64(units[i]/sweepRays) * b.unit, ray: (w.j0+ray/tileSide)*p.columns + w.i0 + ray%tileSide,
			})
		}
	}
	return nil
}

// kept returns what is to be kept of the rays of tiles lo to hi: where the spans of each ray start, and the spans.
func (b *bundleSweep) kept(lo, hi int) (starts []uint32, spans [][2]float32) {
	starts = make([]uint32, (hi-lo)*sweepRays+1)
	spans = make([][2]float32, 0, 1)
	for k, t := range b.tiles[lo:hi] {
		w := b.plan.window(t)
		for r := range sweepRays {
			if i, j := w.i0+r%tileSide, w.j0+r/tileSide; i < w.i1 && j < w.j1 {
				for _, q := range b.in.Keep.Ray(b.bundle, i, j) {
					spans = append(spans, [2]float32{q.Lo, q.Hi})
				}
			}
			starts[k*sweepRays+r+1] = uint32(len(spans))
		}
	}
	if len(spans) == 0 {
		spans = spans[:1] // a buffer is not empty
	}
	return starts, spans
}

// cut cuts tiles lo to hi.
func (b *bundleSweep) cut(s *device.Session, shared [8]device.Buffer, lo, hi int) error {
	p := b.plan
	spans := b.spans[lo*sweepRays*sweepRoom : hi*sweepRays*sweepRoom]
	counts := b.counts[lo*sweepRays : hi*sweepRays]
	updates := make([]uint32, hi-lo)
	defines := []string{
		fmt.Sprintf("ROOM %du", sweepRoom), fmt.Sprintf("SIDE %du", tileSide),
	}
	upload := []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, spans) },
		func() (device.Buffer, error) { return device.Upload(s, counts) },
		func() (device.Buffer, error) { return device.Upload(s, updates) },
	}
	if b.in.Keep != nil {
		defines = append(defines, "GUARD")
		starts, kept := b.kept(lo, hi)
		upload = append(upload,
			func() (device.Buffer, error) { return device.Upload(s, starts) },
			func() (device.Buffer, error) { return device.Upload(s, kept) })
	}
	own := make([]device.Buffer, len(upload))
	defer func() {
		for _, k := range own {
			s.Free(k)
		}
	}()
	for i, step := range upload {
		var err error
		if own[i], err = step(); err != nil {
			return err
		}
	}
	uniforms := []device.Uniform{
		{Name: "firstTile", Value: uint32(lo)}, {Name: "unit", Value: float32(b.unit)},
		{Name: "layoutOf", Value: [4]uint32{uint32(p.columns), uint32(p.rows), uint32(p.across)}}, {Name: "pass"},
	}
	buffers := []device.Buffer{
		own[0], own[1], shared[0], shared[1], shared[2], shared[3], shared[4], own[2], shared[5], shared[6],
	}
	if b.in.Keep != nil {
		buffers = append(buffers, shared[7], own[3], own[4])
		uniforms = append(uniforms, device.Uniform{Name: "slack", Value: float32(b.in.Slack)})
	}
	longest := 0
	for _, t := range b.tiles[lo:hi] {
		longest = max(longest, p.Start[t+1]-p.Start[t])
	}
	perPass := min(sweepPerPass, max(sweepRounds/(raysEach*(2*len(p.Slabs)+3*sweepRoom)), 1))
	for done := 0; done < longest; done += perPass {
		uniforms[3].Value = [2]uint32{uint32(done), uint32(perPass)}
		err := s.Run(device.Job{
			Shader:  device.Shader{Name: "dexel_sweep.comp", Defines: defines},
			Buffers: buffers, Uniforms: uniforms, Groups: [3]int{hi - lo, 1, 1},
			Weight: float64(min(longest, perPass) * len(p.Slabs)),
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

// gather puts the tiles that were cut on the shelf.
func (b *bundleSweep) gather() error {
	for _, t := range b.tiles {
		w := b.plan.window(t)
		b.shelf.tiles[t] = dexel.Bundle{Start: make([]int32, 1, (w.i1-w.i0)*(w.j1-w.j0)+1)}
	}
	return b.rays(func(at, i, j int) error {
		n := b.counts[at]
		if n == sweepOver {
			return device.Errorf(device.Limit, "ray (%d, %d) falls into more than %d spans", i, j, sweepRoom)
		}
		t := &b.shelf.tiles[b.tiles[at/sweepRays]]
		for _, s := range b.spans[at*sweepRoom:][:n] {
			t.Spans = append(t.Spans, dexel.Span{Lo: s[0], Hi: s[1]})
		}
		t.Start = append(t.Start, int32(len(t.Spans)))
		return nil
	})
}
