package dropcutter

// Dropping a tool onto a mesh.
//
// Method: the processor finds the elements that the tool can touch (ridges, their corners, facets at the distances from
// the axis where the tool has their slope) and lists them by tiles of cells, the highest first. On the device every
// cell tests the list of its tile until no further element can raise it. See shaders/drop_cutter.comp.
//
// Cost: on the processor O(n log n) for n facets, sides and corners, and 8 bytes per item and tile; on the device some
// hundred operations in float64 for each cell and item above it. Limits: grids and lists that fit one buffer of the
// device; doubles in the shader.

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/device"
)

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := Output{Z: make([]float32, in.Grid.Len())}
	if len(out.Z) == 0 {
		return out, ctx.Err()
	}
	const item = 8 // bytes
	p, ok, err := newPlan(ctx, in, gpu.Limits().StorageBytes/item)
	if err == nil && !ok {
		err = device.Errorf(device.Limit, "what the tool can touch is too much for one buffer")
	}
	if err == nil {
		err = gpu.Do(ctx, func(s *device.Session) error { return drop(s, in, p, out.Z) })
	}
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// drop runs a plan and fills in the heights of the tip.
func drop(s *device.Session, in *Input, p *plan, z []float32) error {
	tool := make([]float64, 0, 8*len(p.Spans)+len(p.Kinks))
	for _, k := range p.Spans {
		tool = append(tool, k.From, k.To, k.FromHeight, k.Height, k.Radius, k.CenterX, k.Center, k.Slope)
	}
	tool = append(tool, p.Kinks...)
	var buffers []device.Buffer
	var err error
	put := func(upload func() (device.Buffer, error)) {
		if err == nil {
			var b device.Buffer
			b, err = upload()
			buffers = append(buffers, b)
		}
	}
	put(func() (device.Buffer, error) { return device.Upload(s, p.Start) })
	put(func() (device.Buffer, error) { return device.Upload(s, p.Items) })
	put(func() (device.Buffer, error) { return device.Upload(s, p.Facets) })
	put(func() (device.Buffer, error) { return device.Upload(s, p.Sides) })
	put(func() (device.Buffer, error) { return device.Upload(s, p.Corners) })
	put(func() (device.Buffer, error) { return device.Upload(s, tool) })
	put(func() (device.Buffer, error) { return device.Alloc[float32](s, len(z)) })
	if err != nil {
		return err
	}
	err = s.Run(device.Job{
		Shader:  device.Shader{Name: "drop_cutter.comp", Defines: []string{fmt.Sprintf("TILE %d", planTile)}},
		Buffers: buffers,
		Uniforms: []device.Uniform{
			{Name: "size", Value: [2]int32{int32(in.Grid.Width), int32(in.Grid.Height)}},
			{Name: "toolCounts", Value: [2]uint32{uint32(len(p.Spans)), uint32(len(p.Kinks))}},
			{Name: "empty", Value: float32(math.Inf(-1))},
			{Name: "lengths", Value: words(in.Grid.Step)}, {Name: "reachOf", Value: words(p.Radius)},
		},
		Groups: [3]int{p.Across, p.Down, 1},
		Weight: 1 + float64(len(p.Items))/float64(p.Across*p.Down),
	})
	if err != nil {
		return err
	}
	return device.Download(s, buffers[len(buffers)-1], z)
}

// words returns the two words of a double, the lower first.
func words(x float64) [2]uint32 {
	b := math.Float64bits(x)
	return [2]uint32{uint32(b), uint32(b >> 32)}
}
