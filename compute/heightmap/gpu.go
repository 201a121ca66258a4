package heightmap

import (
	"context"
	"fmt"
	"math"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

const (
	tile      = 16        // cells along the sides of one invocation's area
	mostTiles = 1<<16 - 1 // per axis of a block, as two numbers of tiles share a word
)

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	r := newRasterizer(in)
	out := Output{Z: make([]float32, in.Grid.Len())}
	if len(out.Z) == 0 {
		return out, nil
	}
	err := gpu.Do(ctx, func(s *device.Session) error {
		return r.run(s, min(raster.MaxBlock, s.Limits().StorageBytes/keyBytes), out.Z)
	})
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

const keyBytes = 4 // of a cell

// fromKey returns the height of a cell.
func fromKey(key uint32) float32 {
	const sign = 1 << 31
	switch {
	case key == 0:
		return float32(math.Inf(-1))
	case key&sign != 0:
		return math.Float32frombits(key &^ sign)
	}
	return math.Float32frombits(^key)
}

// rasterizer is a height map as the shader takes it.
type rasterizer struct {
	in      *Input
	points  [][4]float32 // columns and rows from the middle of the grid, z in mm
	corners []uint32
	wide    float64 // half width of a cell with slack
	raise   float64 // mm
}

func newRasterizer(in *Input) *rasterizer {
	g := in.Grid
	lateral, vertical := in.Bound()
	r := &rasterizer{
		in: in, points: make([][4]float32, len(in.Mesh.Points)), corners: make([]uint32, 0, 3*len(in.Mesh.Triangles)),
	}
	if in.Sampling == Cover {
		r.wide, r.raise = 0.5+lateral/g.Step/2, vertical/2
	}
	middle := g.Middle()
	for i, p := range in.Mesh.Points {
		q := in.Frame.Local(p)
		r.points[i] = [4]float32{
			float32((q.X - middle.X) / g.Step), float32((q.Y - middle.Y) / g.Step), float32(q.Z), 0,
		}
	}
	for _, t := range in.Mesh.Triangles {
		r.corners = append(r.corners, uint32(t[0]), uint32(t[1]), uint32(t[2]))
	}
	return r
}

// blocks divides a grid into blocks of at most so many cells, but no less than one tile.
func blocks(g grid.Grid, most int) (list []grid.Block) {
	whole := func(n int) int { return min(max(n/tile, 1), mostTiles) * tile }
	width := min(g.Width, whole(most/tile))
	return g.Divide(width, min(g.Height, whole(most/width)))
}

// run fills in the heights, most cells at a time.
func (r *rasterizer) run(s *device.Session, most int, z []float32) error {
	all := blocks(r.in.Grid, most)
	buffers := make([]device.Buffer, 4)
	var err error
	if buffers[0], err = device.Upload(s, r.points); err != nil {
		return err
	}
	if buffers[1], err = device.Upload(s, r.corners); err != nil {
		return err
	}
	if buffers[2], err = device.Alloc[[2]uint32](s, mostTasks); err != nil {
		return err
	}
	// no block is larger than the first
	if buffers[3], err = device.Alloc[uint32](s, all[0].Width*all[0].Height); err != nil {
		return err
	}
	for _, b := range all {
		if err := r.draw(s, b, buffers); err != nil {
			return err
		}
		if err := r.take(s, b, buffers[3], z); err != nil {
			return err
		}
	}
	return nil
}

// take fills in the heights of a block from the device's result.
func (r *rasterizer) take(s *device.Session, b grid.Block, from device.Buffer, z []float32) error {
	width := r.in.Grid.Width
	keys := z[b.Y*width:][:b.Height*width] // the bits of keys, until they become heights
	if b.Width != width {
		keys = make([]float32, b.Width*b.Height)
	}
	if err := device.Download(s, from, keys); err != nil {
		return err
	}
	return raster.EachBand(s.Context(), b.Height, func(_, lo, hi int) {
		for j := lo; j < hi; j++ {
			row := z[(b.Y+j)*width+b.X:]
			for i, key := range keys[j*b.Width:][:b.Width] {
				row[i] = fromKey(math.Float32bits(key))
			}
		}
	})
}

// draw leaves the heights of a block in the last of the buffers as ordered numbers, 0 for nothing.
func (r *rasterizer) draw(s *device.Session, b grid.Block, buffers []device.Buffer) error {
	if err := s.Zero(buffers[3]); err != nil || len(r.corners) == 0 {
		return err
	}
	shader := device.Shader{Name: "heightmap.comp", Defines: []string{fmt.Sprintf("TILE %d", tile)}}
	if r.in.Sampling == Cover {
		shader.Defines = append(shader.Defines, "COVER")
	}
	return r.tasks(b, mostTasks, func(list [][2]uint32) error {
		if err := device.Write(s, buffers[2], 0, list); err != nil {
			return err
		}
		return s.Run(device.Job{
			Shader:  shader,
			Buffers: buffers,
			Uniforms: []device.Uniform{
				{Name: "size", Value: [2]int32{int32(r.in.Grid.Width), int32(r.in.Grid.Height)}},
				{Name: "first", Value: [2]int32{int32(b.X), int32(b.Y)}},
				{Name: "extent", Value: [2]int32{int32(b.Width), int32(b.Height)}},
				{Name: "wide", Value: float32(r.wide)}, {Name: "raise", Value: float32(r.raise)},
			},
			Items: len(list),
		})
	})
}

const mostTasks = 1 << 20 // at a time

// tasks lists triangles with the tiles of a block that they may touch and hands them on, at most n at a time.
func (r *rasterizer) tasks(b grid.Block, n int, flush func([][2]uint32) error) error {
	list := make([][2]uint32, 0, n)
	g := r.in.Grid
	cells := func(lo, hi float32, count, from, size int) (first, last int) {
		const room = 1 // cell: more than half a cell, its slack and rounding
		middle := float64(count-1)/2 - float64(from)
		low, high := float64(lo)+middle-r.wide-room, float64(hi)+middle+r.wide+room
		if high < 0 || low > float64(size) {
			return 0, -1
		}
		return int(max(low, 0)) / tile, int(min(high, float64(size-1))) / tile
	}
	for i := 0; i+2 < len(r.corners); i += 3 {
		p, q, t := r.points[r.corners[i]], r.points[r.corners[i+1]], r.points[r.corners[i+2]]
		uLo, uHi := cells(min(p[0], q[0], t[0]), max(p[0], q[0], t[0]), g.Width, b.X, b.Width)
		vLo, vHi := cells(min(p[1], q[1], t[1]), max(p[1], q[1], t[1]), g.Height, b.Y, b.Height)
		for v := vLo; v <= vHi; v++ {
			for u := uLo; u <= uHi; u++ {
				if len(list) == n {
					if err := flush(list); err != nil {
						return err
					}
					list = list[:0]
				}
				list = append(list, [2]uint32{uint32(i / 3), uint32(u) | uint32(v)<<16})
			}
		}
	}
	return flush(list)
}
