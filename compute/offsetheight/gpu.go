package offsetheight

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	out := Output{Z: make([]float32, len(in.Z))}
	if len(in.Z) == 0 {
		return out, nil
	}
	d, err := newDilation(ctx, in)
	if err != nil {
		return Output{}, err
	}
	err = gpu.Do(ctx, func(s *device.Session) error {
		return d.run(s, min(raster.MaxBlock, s.Limits().StorageBytes/heightBytes), out.Z)
	})
	if err != nil {
		return Output{}, err
	}
	return out, raster.EachBand(ctx, in.Grid.Height, func(_, lo, hi int) {
		for i := lo * in.Grid.Width; i < hi*in.Grid.Width; i++ {
			out.Z[i] += 0 // a device may take either of 0 and -0 for the greater
			if in.At != nil && !in.At[i] {
				out.Z[i] = grid.Nothing
			}
		}
	})
}

const heightBytes = 4 // of a cell

// dilation is one call.
type dilation struct {
	in     *Input
	reach  int       // cells that the tool reaches
	taps   []float32 // rows of taps, one after the other
	starts []int32   // of the rows, and the end of the last
	most   float32   // greatest height given
}

func newDilation(ctx context.Context, in *Input) (*dilation, error) {
	table := in.Footprint()
	most := make([]float32, raster.Bands(in.Grid.Height))
	err := raster.EachBand(ctx, in.Grid.Height, func(band, lo, hi int) {
		m := grid.Nothing
		for _, z := range in.Z[lo*in.Grid.Width : hi*in.Grid.Width] {
			if z > m { // the built-in max also checks for NaNs and -0, in three times the time
				m = z
			}
		}
		most[band] = m
	})
	if err != nil {
		return nil, err
	}
	d := &dilation{
		in: in, reach: table.Reach(), taps: make([]float32, 0, table.Count()), starts: []int32{0},
		most: slices.Max(most),
	}
	for _, row := range table.Rows {
		d.taps = append(d.taps, row...)
		d.starts = append(d.starts, int32(len(d.taps)))
	}
	return d, nil
}

// blocks divides the grid so that a block and the cells that the tool reaches around it have at most the given number
// of cells.
func (d *dilation) blocks(most int) ([]grid.Block, error) {
	g := d.in.Grid
	if g.Len() <= most {
		return g.Divide(g.Width, g.Height), nil
	}
	side := int(math.Sqrt(float64(most))) - 2*d.reach
	if side < 1 {
		return nil, device.Errorf(device.Limit, "a tool of %d cells reaches too far for blocks of %d", d.reach, most)
	}
	return g.Divide(side, side), nil
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
		cells = max(cells, b.Width*b.Height)
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

// around returns a block with the cells that the tool reaches around it.
func (d *dilation) around(b grid.Block) grid.Block {
	x, y := max(b.X-d.reach, 0), max(b.Y-d.reach, 0)
	return grid.Block{
		X: x, Y: y,
		Width:  min(b.X+b.Width+d.reach, d.in.Grid.Width) - x,
		Height: min(b.Y+b.Height+d.reach, d.in.Grid.Height) - y,
	}
}

// offset fills in the heights of a block.
func (d *dilation) offset(s *device.Session, inner grid.Block, buffers []device.Buffer, z []float32) error {
	b, width := d.around(inner), d.in.Grid.Width
	whole := b.Width == width // rows, which lie one after the other
	cells := d.in.Z[b.Y*width:][:b.Height*width]
	if !whole {
		cells = make([]float32, 0, b.Width*b.Height)
		for j := range b.Height {
			at := (b.Y+j)*width + b.X
			cells = append(cells, d.in.Z[at:at+b.Width]...)
		}
	}
	if err := device.Write(s, buffers[0], 0, cells); err != nil {
		return err
	}
	const across, down = 32, 8 // cells of a work group
	err := s.Run(device.Job{
		Shader: device.Shader{Name: "height_offset.comp"}, Buffers: buffers,
		Uniforms: []device.Uniform{
			{Name: "size", Value: [2]int32{int32(b.Width), int32(b.Height)}},
			{Name: "reach", Value: int32(d.reach)},
			{Name: "most", Value: d.most}, {Name: "empty", Value: float32(math.Inf(-1))},
		},
		Groups: [3]int{(b.Width + across - 1) / across, (b.Height + down - 1) / down, 1},
		Weight: float64(len(d.taps)),
	})
	if err != nil {
		return err
	}
	if whole {
		return device.Read(s, buffers[3], (inner.Y-b.Y)*width, z[inner.Y*width:][:inner.Height*width])
	}
	if err := device.Read(s, buffers[3], 0, cells); err != nil {
		return err
	}
	for j := range inner.Height {
		at := (inner.Y-b.Y+j)*b.Width + inner.X - b.X
		copy(z[(inner.Y+j)*width+inner.X:], cells[at:at+inner.Width])
	}
	return nil
}
