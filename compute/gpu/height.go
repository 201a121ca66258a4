package gpu

import (
	"context"
	"fmt"
	"math"

	"millwright/compute/device"
	"millwright/compute/kernel"
)

const (
	tile      = 16        // cells along the sides of what one invocation rasterises
	mostTiles = 1<<16 - 1 // per axis of a block, as two numbers of tiles share a word
	blockSize = 64 << 20  // cells of a block, at most
)

// HeightMap returns the upper envelope of a mesh, seen along the axis of a frame.
func (e *Engine) HeightMap(ctx context.Context, in kernel.HeightMapInput) (kernel.HeightMapOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.HeightMapOutput{}, err
	}
	if err := ctx.Err(); err != nil {
		return kernel.HeightMapOutput{}, err
	}
	r := newRaster(&in)
	out := kernel.HeightMapOutput{Z: make([]float32, in.Grid.Len())}
	if len(out.Z) == 0 {
		return out, nil
	}
	err := e.do(ctx, func(s *device.Session) error {
		return r.run(s, min(blockSize, s.Limits().StorageBytes/keyBytes), out.Z)
	})
	if err != nil {
		return kernel.HeightMapOutput{}, err
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

// raster is a height map as the shader takes it.
type raster struct {
	in      *kernel.HeightMapInput
	points  [][4]float32 // columns and rows from the middle of the grid, z in mm
	corners []uint32
	wide    float64 // half width of a cell with slack
	raise   float64 // mm
}

func newRaster(in *kernel.HeightMapInput) *raster {
	g := in.Grid
	lateral, vertical := in.Bound()
	r := &raster{
		in: in, points: make([][4]float32, len(in.Mesh.Points)), corners: make([]uint32, 0, 3*len(in.Mesh.Triangles)),
	}
	if in.Sampling == kernel.Cover {
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

// block is a rectangle of cells that is rasterised at a time.
type block struct{ x, y, width, height int }

// blocks divides a grid into blocks of at most so many cells, but no less than one tile.
func blocks(g kernel.Grid, most int) (list []block) {
	whole := func(n int) int { return min(max(n/tile, 1), mostTiles) * tile }
	width := min(g.Width, whole(most/tile))
	return divide(g, width, min(g.Height, whole(most/width)))
}

// divide lays blocks of a size over a grid, row by row; the last ones may be smaller.
func divide(g kernel.Grid, width, height int) (list []block) {
	for y := 0; y < g.Height; y += height {
		for x := 0; x < g.Width; x += width {
			list = append(list, block{x, y, min(width, g.Width-x), min(height, g.Height-y)})
		}
	}
	return list
}

// run fills in the heights, most cells at a time.
func (r *raster) run(s *device.Session, most int, z []float32) error {
	all := blocks(r.in.Grid, most)
	keys := make([]uint32, all[0].width*all[0].height) // none is larger than the first
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
	if buffers[3], err = device.Alloc[uint32](s, len(keys)); err != nil {
		return err
	}
	for _, b := range all {
		if err := r.draw(s, b, buffers); err != nil {
			return err
		}
		keys := keys[:b.width*b.height]
		if err := device.Download(s, buffers[3], keys); err != nil {
			return err
		}
		for j := range b.height {
			row := z[(b.y+j)*r.in.Grid.Width+b.x:]
			for i, key := range keys[j*b.width : (j+1)*b.width] {
				row[i] = fromKey(key)
			}
		}
	}
	return nil
}

// draw leaves the heights of a block in the last of the buffers as ordered numbers, 0 for nothing.
func (r *raster) draw(s *device.Session, b block, buffers []device.Buffer) error {
	if err := s.Zero(buffers[3]); err != nil || len(r.corners) == 0 {
		return err
	}
	shader := device.Shader{Name: "heightmap.comp", Defines: []string{fmt.Sprintf("TILE %d", tile)}}
	if r.in.Sampling == kernel.Cover {
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
				{Name: "first", Value: [2]int32{int32(b.x), int32(b.y)}},
				{Name: "extent", Value: [2]int32{int32(b.width), int32(b.height)}},
				{Name: "wide", Value: float32(r.wide)}, {Name: "raise", Value: float32(r.raise)},
			},
			Items: len(list),
		})
	})
}

const mostTasks = 1 << 20 // at a time

// tasks lists triangles with the tiles of a block that they may touch and hands them on, at most n at a time.
func (r *raster) tasks(b block, n int, flush func([][2]uint32) error) error {
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
		uLo, uHi := cells(min(p[0], q[0], t[0]), max(p[0], q[0], t[0]), g.Width, b.x, b.width)
		vLo, vHi := cells(min(p[1], q[1], t[1]), max(p[1], q[1], t[1]), g.Height, b.y, b.height)
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
