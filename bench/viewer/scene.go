//go:build gpu

package viewer

import (
	"context"
	"fmt"
	"slices"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/sweep"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
)

// viewer is the state of the view. It belongs to one goroutine; drawing code runs on the thread of the device.
type viewer struct {
	Options
	gpu    *device.GPU
	part   *part
	keeper *keeper
	painter
	scenes map[[2]int]*scene // by kernel and step
}

// scene is the result of a kernel. Its buffers stay on the device under the keys of its number, one for each result.
type scene struct {
	number         int
	results        []resultKey
	title, backend string
	took           time.Duration
	direction      geom.Vec3       // view direction; zero if there is none
	in             heightmap.Input // of results on a grid
	span           [2]float32      // mm, of what the colors go over
	stock          *sweep.Input    // of dexels
}

// newViewer opens one of the devices for a part; openers are all there are where nil. Renderers on the processor will
// do: it is the picture that counts.
func newViewer(o Options, openers func() []device.Opener) (*viewer, error) {
	p, err := newPart(o.Mesh)
	if err != nil {
		return nil, err
	}
	v := &viewer{Options: o, part: p, keeper: &keeper{}, scenes: map[[2]int]*scene{}, painter: newPainter()}
	v.gpu, err = opengl.Open(device.GPUOptions{Software: true, Openers: openers, Watch: v.keeper.watch})
	return v, err
}

// results are where the kernels write: the places of the buffers among those of a job.
var results = map[string][]int{
	"visibility.comp": {8}, "heightmap.comp": {3}, "height_offset.comp": {3}, "dexel_sweep.comp": {0, 1},
}

// resultKey stands for a result that is kept on the device.
type resultKey struct{ scene, result int }

// keeper keeps the results of kernels on the device, in the order in which they come.
type keeper struct {
	scene, made int
	results     []resultKey
	of          []string // shaders whose results are wanted
	last        device.Buffer
	room        int // spans a ray of the last result
}

// watch keeps the output of a job, once even if several jobs write it in turn. If the rays of a sweep exceed their
// capacity, it cuts them again with a larger one: that is the same result.
func (k *keeper) watch(s *device.Session, j device.Job) {
	if !slices.Contains(k.of, j.Shader.Name) {
		return
	}
	var written []device.Buffer
	for _, i := range results[j.Shader.Name] {
		written = append(written, j.Buffers[i])
	}
	if written[0] == k.last {
		return
	}
	room := 0
	for _, d := range j.Shader.Defines {
		_, _ = fmt.Sscanf(d, "ROOM %du", &room) // else it is another one
	}
	key := resultKey{k.scene, k.made}
	if k.room > 0 && room > k.room {
		k.results[len(k.results)-1] = key
	} else {
		k.results = append(k.results, key)
	}
	k.last, k.room = written[0], room
	k.made++
	s.Keep(key, j, written...)
}

// look makes the scene of the kernel and step that are chosen, unless the device still has it.
func (v *viewer) look(ctx context.Context) (*scene, error) {
	n := v.part.steps(v.Kernel)
	v.Step = (v.Step%n + n) % n
	at := [2]int{int(v.Kernel), v.Step}
	if s := v.scenes[at]; s != nil {
		has, err := v.has(ctx, s)
		if has || err != nil {
			return s, err
		}
	}
	s := &scene{number: v.keeper.scene + 1, backend: v.gpu.Name()}
	*v.keeper = keeper{scene: s.number}
	make := [...]func(context.Context, *scene) error{
		Visibility: v.sight, HeightMap: v.heights, TipMap: v.tips, Dexels: v.dexels,
	}[v.Kernel]
	if err := make(ctx, s); err != nil {
		return nil, err
	}
	s.results = v.keeper.results
	s.title = fmt.Sprintf("%v · %s · %s · %.3g ms", v.Kernel, s.title, s.backend, s.took.Seconds()*1e3)
	has, err := v.has(ctx, s)
	if err == nil && !has {
		err = fmt.Errorf("%v: the device has no room to keep the result", v.Kernel)
	}
	v.scenes[at] = s
	return s, err
}

// has reports whether the device still keeps what a scene is drawn from.
func (v *viewer) has(ctx context.Context, s *scene) (has bool, err error) {
	err = v.gpu.Do(ctx, func(on *device.Session) error {
		has = len(s.results) > 0
		for _, key := range s.results {
			_, _, ok := on.Kept(key)
			has = has && ok
		}
		return nil
	})
	return has, err
}

// timed runs a primitive, measures it, and keeps what the shaders named write.
func timed[In, Out any](
	ctx context.Context, v *viewer, s *scene, on primitive.Runner,
	p *primitive.Primitive[In, Out], in In, of ...string,
) (Out, error) {
	v.keeper.of = of
	start := time.Now()
	out, err := p.Run(ctx, on, in)
	s.took = time.Since(start)
	v.keeper.of = nil
	return out, err
}

func (v *viewer) sight(ctx context.Context, s *scene) error {
	s.direction = v.part.directions[v.Step]
	out, err := timed(ctx, v, s, primitive.OnGPU(v.gpu), visibility.Primitive, v.part.sight(s.direction), "visibility.comp")
	if err != nil {
		return err
	}
	n := len(v.part.samples)
	s.title = fmt.Sprintf("%s · %d of %d samples seen", v.along(s.direction), out.Count(0, 0, n), n)
	return nil
}

// along says which direction is looked along.
func (v *viewer) along(d geom.Vec3) string {
	return fmt.Sprintf("direction %d of %d (%.2f, %.2f, %.2f)", v.Step, len(v.part.directions), d.X, d.Y, d.Z)
}

func (v *viewer) heights(ctx context.Context, s *scene) error {
	s.direction = v.part.directions[v.Step]
	var low, high float64
	s.in, low, high = v.part.heights(s.direction, mapCells, 0)
	s.span = [2]float32{float32(low), float32(max(high, low+s.in.Grid.Step))}
	s.title = fmt.Sprintf("%s · %d × %d cells", v.along(s.direction), s.in.Grid.Width, s.in.Grid.Height)
	_, err := timed(ctx, v, s, primitive.OnGPU(v.gpu), heightmap.Primitive, s.in, "heightmap.comp")
	return err
}

// over makes the height map from above, wider by a tool and a margin (mm), and the tool's tips over it; keep names the
// shaders whose results are wanted.
func (v *viewer) over(
	ctx context.Context, s *scene, t toolprofile.Profile, cells int, margin float64, keep ...string,
) ([]float32, error) {
	s.in, _, _ = v.part.heights(geom.Vec3{Z: 1}, cells, t.MaxRadius()+margin)
	surface, err := timed(ctx, v, s, primitive.OnGPU(v.gpu), heightmap.Primitive, s.in, keep...)
	if err != nil {
		return nil, err
	}
	out, err := timed(ctx, v, s, primitive.OnGPU(v.gpu), offsetheight.Primitive, tips(s.in, surface.Z, t), keep...)
	return out.Z, err
}

func (v *viewer) tips(ctx context.Context, s *scene) error {
	t := v.part.tools[v.Step]
	_, err := v.over(ctx, s, t.profile, mapCells, 0, "heightmap.comp", "height_offset.comp")
	s.span = [2]float32{0, float32(t.profile.MaxRadius())}
	s.title = fmt.Sprintf("tool %d of %d, %s", v.Step, len(v.part.tools), t.name)
	return err
}

func (v *viewer) dexels(ctx context.Context, s *scene) error {
	const wide = 5 // of the tools: a flat one whose rows overlap
	t, rows := v.part.tools[wide], v.Step+1
	z, err := v.over(ctx, s, t.profile, dexelCells, blockMargin*v.part.diagonal)
	if err != nil {
		return err
	}
	stock, err := v.part.block()
	if err != nil {
		return err
	}
	s.stock = &sweep.Input{Stock: stock, Tool: t.profile, Frame: geom.World, Moves: v.part.path(s.in, z, rows)}
	out, err := timed(ctx, v, s, primitive.OnGPU(v.gpu), sweep.Primitive, *s.stock, "dexel_sweep.comp")
	if reason, _ := device.ReasonOf(err); reason == device.Limit {
		s.backend = "cpu, as the device has no room for so many spans"
		if out, err = timed(ctx, v, s, primitive.OnCPU(0), sweep.Primitive, *s.stock); err == nil {
			err = v.upload(ctx, s, out.Stock)
		}
	}
	if err != nil {
		return err
	}
	removed := 0.0
	for _, r := range out.Removed {
		removed += r
	}
	s.title = fmt.Sprintf("%d of %d rows, %d moves, %s · %.4g mm³ removed",
		rows, pathRows, len(s.stock.Moves), t.name, removed)
	return nil
}

// upload brings dexels that the processor cut to the device, as its own kernel would leave them in tiles of one ray.
func (v *viewer) upload(ctx context.Context, s *scene, stock *dexel.Stock) error {
	s.number++ // what the kernel has left before it failed is not of this scene
	*v.keeper = keeper{scene: s.number}
	return v.gpu.Do(ctx, func(on *device.Session) error {
		for a := range stock.Bundles {
			b, _ := dexel.Side(a)
			spans, counts, room := packed(&stock.Bundles[a])
			columns := uint32(stock.Lattice.Count[b])
			layout := [4]uint32{columns, uint32(len(counts)) / columns, columns}
			job := device.Job{
				Shader:   device.Shader{Defines: []string{fmt.Sprintf("ROOM %du", room), "SIDE 1u"}},
				Uniforms: []device.Uniform{{Name: "layoutOf", Value: layout}},
			}
			first, err := device.Upload(on, spans)
			if err != nil {
				return err
			}
			second, err := device.Upload(on, counts)
			if err != nil {
				return err
			}
			key := resultKey{s.number, a}
			on.Keep(key, job, first, second)
			v.keeper.results = append(v.keeper.results, key)
		}
		return nil
	})
}

// packed returns the spans of the rays with room for the same number on each.
func packed(b *dexel.Bundle) (spans []dexel.Span, counts []uint32, room int) {
	room = 1
	for r := range len(b.Start) - 1 {
		counts = append(counts, uint32(b.Start[r+1]-b.Start[r]))
		room = max(room, int(counts[r]))
	}
	spans = make([]dexel.Span, room*len(counts))
	for r := range counts {
		copy(spans[r*room:], b.Spans[b.Start[r]:b.Start[r+1]])
	}
	return spans, counts, room
}
