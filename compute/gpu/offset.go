package gpu

import (
	"context"
	"math"
	"slices"

	"millwright/compute/device"
	"millwright/compute/kernel"
)

// OffsetHeight returns how low the tip of a tool may come above every cell of a height map.
func (e *Engine) OffsetHeight(ctx context.Context, in kernel.OffsetHeightInput) (kernel.OffsetHeightOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.OffsetHeightOutput{}, err
	}
	if err := ctx.Err(); err != nil {
		return kernel.OffsetHeightOutput{}, err
	}
	out := kernel.OffsetHeightOutput{Z: make([]float32, len(in.Z))}
	if len(in.Z) == 0 {
		return out, nil
	}
	err := e.do(ctx, func(s *device.Session) error {
		return newDilation(&in).run(s, min(blockSize, s.Limits().StorageBytes/keyBytes), out.Z)
	})
	if err != nil {
		return kernel.OffsetHeightOutput{}, err
	}
	for i := range out.Z {
		out.Z[i] += 0 // a device may take either of 0 and -0 for the greater
	}
	return out, nil
}

// dilation is a call of OffsetHeight.
type dilation struct {
	in     *kernel.OffsetHeightInput
	reach  int       // cells that the tool reaches
	taps   []float32 // rows of taps, one after the other
	starts []int32   // of the rows, and the end of the last
}

func newDilation(in *kernel.OffsetHeightInput) *dilation {
	table := in.Taps()
	d := &dilation{in: in, reach: table.Reach(), taps: make([]float32, 0, table.Count()), starts: []int32{0}}
	for _, row := range table.Rows {
		d.taps = append(d.taps, row...)
		d.starts = append(d.starts, int32(len(d.taps)))
	}
	return d
}

// blocks divides the grid so that a block and what the tool reaches around it has at most so many cells.
func (d *dilation) blocks(most int) ([]block, error) {
	g := d.in.Grid
	if g.Len() <= most {
		return divide(g, g.Width, g.Height), nil
	}
	side := int(math.Sqrt(float64(most))) - 2*d.reach
	if side < 1 {
		return nil, device.Errorf(device.Limit, "a tool of %d cells reaches too far for blocks of %d", d.reach, most)
	}
	return divide(g, side, side), nil
}

// run fills in the heights of the tip, with at most so many cells on the device at a time.
func (d *dilation) run(s *device.Session, most int, z []float32) error {
	all, err := d.blocks(most)
	if err != nil {
		return err
	}
	outline, err := device.Upload(s, d.taps)
	if err != nil {
		return err
	}
	rows, err := device.Upload(s, d.starts)
	if err != nil {
		return err
	}
	cells := 0
	for _, b := range all {
		b = d.around(b)
		cells = max(cells, b.width*b.height)
	}
	given, err := device.Alloc[float32](s, cells)
	if err != nil {
		return err
	}
	taken, err := device.Alloc[float32](s, cells)
	if err != nil {
		return err
	}
	buffers := []device.Buffer{given, outline, rows, taken}
	for _, b := range all {
		if err := d.offset(s, b, buffers, z); err != nil {
			return err
		}
	}
	return nil
}

// around returns a block with what the tool reaches around it.
func (d *dilation) around(b block) block {
	x, y := max(b.x-d.reach, 0), max(b.y-d.reach, 0)
	return block{x, y, min(b.x+b.width+d.reach, d.in.Grid.Width) - x, min(b.y+b.height+d.reach, d.in.Grid.Height) - y}
}

// offset fills in the heights of a block.
func (d *dilation) offset(s *device.Session, inner block, buffers []device.Buffer, z []float32) error {
	b, width := d.around(inner), d.in.Grid.Width
	cells := make([]float32, 0, b.width*b.height)
	for j := range b.height {
		at := (b.y+j)*width + b.x
		cells = append(cells, d.in.Z[at:at+b.width]...)
	}
	if err := device.Write(s, buffers[0], 0, cells); err != nil {
		return err
	}
	const across, down = 32, 8 // cells of a work group
	err := s.Run(device.Job{
		Shader: device.Shader{Name: "height_offset.comp"}, Buffers: buffers,
		Uniforms: []device.Uniform{
			{Name: "size", Value: [2]int32{int32(b.width), int32(b.height)}},
			{Name: "reach", Value: int32(d.reach)},
			{Name: "most", Value: slices.Max(cells)}, {Name: "empty", Value: float32(math.Inf(-1))},
		},
		Groups: [3]int{(b.width + across - 1) / across, (b.height + down - 1) / down, 1},
		Weight: float64(len(d.taps)),
	})
	if err != nil {
		return err
	}
	if err := device.Read(s, buffers[3], 0, cells); err != nil {
		return err
	}
	for j := range inner.height {
		at := (inner.y-b.y+j)*b.width + inner.x - b.x
		copy(z[(inner.y+j)*width+inner.x:], cells[at:at+inner.width])
	}
	return nil
}
