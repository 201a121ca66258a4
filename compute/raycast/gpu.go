package raycast

// What arbitrary rays meet.
//
// Method: each ray becomes a line in single precision on the processor (compute/bvh), and the device walks the binary
// hierarchy for it. See shaders/raycast.comp.
//
// Cost: 40 bytes per ray to the device and back, and 32 bytes per node, 12 per point and 16 per triangle: once for
// a tree that the caller gives, which stays on the device for its next call, else once per call. Limits: doubles in
// the shader; a hierarchy that one buffer of the device holds.

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"weak"

	"millwright/compute/bvh"
	"millwright/compute/device"
)

// rayBatch is how many rays go to the device at a time: 32 MiB.
const rayBatch = 1 << 20

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	tree, err := in.tree(ctx)
	if err != nil {
		return Output{}, err
	}
	out := newOutput(len(in.Rays))
	if tree.Len() == 0 || len(in.Rays) == 0 {
		return out, nil
	}
	c := rayCast{in: in, tree: tree}
	if err := gpu.Do(ctx, func(s *device.Session) error { return c.run(s, &out) }); err != nil {
		return Output{}, err
	}
	return out, nil
}

// rayCast is one call.
type rayCast struct {
	in    *Input
	tree  *bvh.Tree
	scene []device.Buffer // nodes, points, corners, numbers

	// of the batch at hand, an entry per line that meets the ball around the mesh
	lines  []bvh.Line
	places []place
	hits   [][2]uint32
}

// place leads from a line back to its ray.
type place struct {
	ray       int
	at, perMM float64 // t of the line's origin, and how much it grows along it
}

func (c *rayCast) run(s *device.Session, out *Output) error {
	if err := c.upload(s); err != nil {
		return err
	}
	batch := min(rayBatch, len(c.in.Rays))
	given, err := device.Alloc[bvh.Line](s, batch)
	if err != nil {
		return err
	}
	taken, err := device.Alloc[[2]uint32](s, batch)
	if err != nil {
		return err
	}
	c.hits = make([][2]uint32, batch)
	for first := 0; first < len(c.in.Rays); first += batch {
		c.prepare(first, min(first+batch, len(c.in.Rays)))
		if len(c.lines) == 0 {
			continue
		}
		if err := device.Write(s, given, 0, c.lines); err != nil {
			return err
		}
		if err := s.Run(c.job(given, taken)); err != nil {
			return err
		}
		hits := c.hits[:len(c.lines)]
		if err := device.Read(s, taken, 0, hits); err != nil {
			return err
		}
		for i, h := range hits {
			if p := &c.places[i]; int32(h[1]) >= 0 {
				out.T[p.ray] = p.at + float64(math.Float32frombits(h[0]))*p.perMM
				out.Triangle[p.ray] = int32(h[1])
			}
		}
	}
	return nil
}

func (c *rayCast) upload(s *device.Session) error {
	key := weak.Make(c.tree)
	var there bool
	if c.scene, _, there = s.Kept(key); there {
		return nil
	}
	if err := c.send(s); err != nil {
		return err
	}
	if c.in.Tree != nil {
		s.Keep(key, nil, c.scene...)
	}
	return nil
}

// send brings the tree to the device.
func (c *rayCast) send(s *device.Session) error {
	put := func(b device.Buffer, err error) error {
		c.scene = append(c.scene, b)
		return err
	}
	if err := put(device.Upload(s, c.tree.Nodes())); err != nil {
		return err
	}
	if err := put(device.Upload(s, c.tree.Points())); err != nil {
		return err
	}
	if err := put(device.Upload(s, c.tree.Triangles())); err != nil {
		return err
	}
	return put(device.Upload(s, c.tree.IDs()))
}

// prepare makes the lines of the rays [from, to), on all processors, and closes ranks.
func (c *rayCast) prepare(from, to int) {
	c.lines, c.places = make([]bvh.Line, to-from), make([]place, to-from)
	const share = 1 << 14 // rays of a goroutine, at least
	each := max(share, (to-from)/runtime.GOMAXPROCS(0)+1)
	var wg sync.WaitGroup
	for lo := from; lo < to; lo += each {
		wg.Go(func() {
			for i := lo; i < min(lo+each, to); i++ {
				r := &c.in.Rays[i]
				line, at, perMM, ok := c.tree.Line(r.Origin, r.Direction, r.TMin, r.TMax)
				if c.lines[i-from], c.places[i-from] = line, (place{i, at, perMM}); !ok {
					c.places[i-from].ray = -1
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for i, p := range c.places {
		if p.ray >= 0 {
			c.lines[n], c.places[n] = c.lines[i], p
			n++
		}
	}
	c.lines, c.places = c.lines[:n], c.places[:n]
}

func (c *rayCast) job(lines, hits device.Buffer) device.Job {
	shader := device.Shader{Name: "raycast.comp", Defines: []string{fmt.Sprintf("DEPTH %d", bvh.MaxDepth+1)}}
	if c.in.Any {
		shader.Defines = append(shader.Defines, "ANY")
	}
	return device.Job{
		Shader: shader, Items: len(c.lines), Buffers: append(slices.Clone(c.scene), lines, hits),
		Uniforms: []device.Uniform{{Name: "slack", Value: float32(bvh.LineRounding * c.tree.Radius())}},
		// A walk visits some nodes per level of the tree.
		Weight: 1 + math.Log2(1+float64(c.tree.Len())),
	}
}
