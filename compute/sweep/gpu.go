package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// Sweep on the device. The processor divides moves into straight legs and the tool into slabs, and lists the legs that
// each tile of rays may meet; the device intersects and cuts. A ray has a fixed capacity of spans there. If a ray
// exceeds it, the bundle is cut again with a larger capacity. The largest cases run on the processor.
const (
	minSpans     = 8 // spans per ray
	maxSpans     = 128
	sweepOver    = 0xff    // in place of a number of spans: over capacity
	sweepPerPass = 256     // maximum legs per tile in one dispatch, so that no dispatch takes long
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
			plan: plan, bundle: a, spanStore: out.shelves[a].clone(), in: in, out: &out,
			unit:   max(float64(in.Stock.Lattice.Count[a]), 1) * in.Stock.Lattice.Step / sweepUnits,
			volume: in.Stock.Lattice.Step * in.Stock.Lattice.Step / float64(in.Bundles.count()),
		}
		for t := range plan.across * plan.down {
			// for a Simulation only the tiles that the moves may reach
			if in.shelves == nil || plan.Start[t+1] > plan.Start[t] {
				b.tiles = append(b.tiles, t)
			}
		}
		if err := b.load(ctx); err != nil {
			return Output{}, err
		}
		for b.room = minSpans; ; b.room *= 4 {
			if b.room > maxSpans {
				return Output{}, device.Errorf(device.Limit, "a ray falls into more than %d spans", maxSpans)
			}
			if err := gpu.Do(ctx, b.run); err == nil {
				break
			} else if !errors.Is(err, errSpans) {
				return Output{}, err
			}
		}
		if err := b.gather(ctx); err != nil {
			return Output{}, err
		}
		out.shelves[a] = b.spanStore
	}
	return out.finish(ctx, in, primitive.OnCPU(0))
}

// errSpans is the error of a ray that exceeds its capacity.
var errSpans = errors.New("a ray outgrew its room")

// bundleSweep is the work on one bundle.
type bundleSweep struct {
	plan         *plan
	bundle       int
	tiles        []int // that take part
	spanStore    spanStore
	in           *Input
	out          *Output
	unit, volume float64 // mm of removed length per unit, and mm² per ray
	room         int     // spans per ray
	given, left  rays
	updates      int64
}

// rays are the rays of the affected tiles, tile by tile, each with space for a whole tile.
type rays struct {
	counts []uint32     // spans of each ray
	spans  []dexel.Span // one ray's after the other's
}

// starts returns where the spans of each ray start, and after all where the last ends.
func starts(counts []uint32) []uint32 {
	out := make([]uint32, len(counts)+1)
	for i, n := range counts {
		out[i+1] = out[i] + n
	}
	return out
}

// eachRay visits the rays of the affected tiles, tiles side by side, with their indices among all rays.
func (b *bundleSweep) eachRay(ctx context.Context, visit func(at, i, j int)) error {
	return primitive.OnHost(ctx, len(b.tiles), func(k int) {
		w := b.plan.window(b.tiles[k])
		for j := w.j0; j < w.j1; j++ {
			for i := w.i0; i < w.i1; i++ {
				visit(k*sweepRays+(j-w.j0)*tileSide+i-w.i0, i, j)
			}
		}
	})
}

// load takes the rays from the shelf.
func (b *bundleSweep) load(ctx context.Context) error {
	b.given.counts = make([]uint32, len(b.tiles)*sweepRays)
	err := b.eachRay(ctx, func(at, i, j int) {
		b.given.counts[at] = uint32(len(b.spanStore.ray(&b.plan.layout, i, j)))
	})
	if err != nil {
		return err
	}
	start := starts(b.given.counts)
	b.given.spans = make([]dexel.Span, start[len(start)-1])
	return b.eachRay(ctx, func(at, i, j int) {
		copy(b.given.spans[start[at]:], b.spanStore.ray(&b.plan.layout, i, j))
	})
}

// run cuts all tiles, in groups that fit one buffer.
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
	frame := []float64{
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
		func() (device.Buffer, error) { return device.Upload(s, frame) },
		func() (device.Buffer, error) { return device.Upload(s, p.Parts) },
		func() (device.Buffer, error) { return device.Alloc[uint32](s, len(lists)) },
	} {
		var err error
		if shared[i], err = step(); err != nil {
			return err
		}
	}
	const spanBytes = 8
	b.left, b.updates = rays{}, 0
	at := 0
	err := s.Chunks(len(ranges), sweepRays*b.room*spanBytes, func(lo, hi int) error {
		given := rays{counts: b.given.counts[lo*sweepRays : hi*sweepRays], spans: b.given.spans[at:]}
		start := starts(given.counts)
		at += int(start[len(start)-1])
		return b.cut(s, shared, lo, hi, given, start)
	})
	if err != nil {
		return err
	}
	return b.account(s, shared[4], shared[7])
}

// account adds up the removals, contacts and gouges of each tile's legs.
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

// kept returns the target spans of the rays in tiles lo to hi: the first index of each ray, and the spans.
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

// cut cuts tiles lo to hi, whose rays are given with their starts.
func (b *bundleSweep) cut(s *device.Session, shared [8]device.Buffer, lo, hi int, given rays, start []uint32) error {
	p := b.plan
	if slices.Max(given.counts) > uint32(b.room) {
		return errSpans
	}
	counts, updates := slices.Clone(given.counts), make([]uint32, hi-lo)
	defines := []string{
		fmt.Sprintf("ROOM %du", b.room), fmt.Sprintf("SIDE %du", tileSide),
	}
	upload := []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Alloc[dexel.Span](s, len(counts)*b.room) },
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
	sent, err := device.Upload(s, given.spans[:start[len(counts)]])
	if err != nil {
		return err
	}
	err = b.pack(s, own[0], own[1], start, sent, "UNPACK")
	s.Free(sent)
	if err != nil {
		return err
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
	perPass := min(sweepPerPass, max(sweepRounds/(raysEach*(2*len(p.Slabs)+3*b.room)), 1))
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
	return b.take(s, own[0], own[1], own[2], counts, updates)
}

// take downloads the remaining spans of rays and the numbers of their cuts.
func (b *bundleSweep) take(s *device.Session, spans, of, cuts device.Buffer, counts, updates []uint32) error {
	if err := device.Download(s, cuts, updates); err != nil {
		return err
	}
	for _, n := range updates {
		b.updates += int64(n)
	}
	if err := device.Download(s, of, counts); err != nil {
		return err
	}
	if slices.Contains(counts, sweepOver) {
		return errSpans
	}
	start := starts(counts)
	sent, err := device.Alloc[dexel.Span](s, int(start[len(counts)]))
	if err != nil {
		return err
	}
	defer s.Free(sent)
	if err := b.pack(s, spans, of, start, sent); err != nil {
		return err
	}
	done := len(b.left.spans)
	b.left.counts = append(b.left.counts, counts...)
	b.left.spans = append(b.left.spans, make([]dexel.Span, start[len(counts)])...)
	return device.Download(s, sent, b.left.spans[done:])
}

// pack brings spans from where they are cut to where they are sent from, or back.
func (b *bundleSweep) pack(
	s *device.Session, spans, counts device.Buffer, start []uint32, sent device.Buffer, defines ...string,
) error {
	first, err := device.Upload(s, start)
	if err != nil {
		return err
	}
	defer s.Free(first)
	return s.Run(device.Job{
		Shader:  device.Shader{Name: "dexel_pack.comp", Defines: append(defines, fmt.Sprintf("ROOM %du", b.room))},
		Buffers: []device.Buffer{spans, counts, first, sent}, Items: len(start) - 1,
	})
}

// gather stores the cut tiles in the shelf and adds up their cuts.
func (b *bundleSweep) gather(ctx context.Context) error {
	b.out.Updates += b.updates
	start := starts(b.left.counts)
	return primitive.OnHost(ctx, len(b.tiles), func(k int) {
		w := b.plan.window(b.tiles[k])
		from, to := start[k*sweepRays], start[(k+1)*sweepRays]
		t := dexel.Bundle{Start: make([]int32, 1, (w.i1-w.i0)*(w.j1-w.j0)+1), Spans: b.left.spans[from:to:to]}
		for j := range w.j1 - w.j0 {
			for i := range w.i1 - w.i0 {
				t.Start = append(t.Start, int32(start[k*sweepRays+j*tileSide+i+1]-from))
			}
		}
		b.spanStore.tiles[b.tiles[k]] = t
	})
}
