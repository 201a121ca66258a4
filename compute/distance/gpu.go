package distance

import (
	"context"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// longest (cells) is the maximum side of a grid for which one invocation processes a whole row. It needs four loop
// iterations per cell, and Mesa's software renderer stops after 65,535 iterations without an error. Longer rows would
// also take the time of a whole dispatch.
const longest = (1<<16 - 1) / 4

func checkSides(g grid.Grid) error {
	if g.Width > longest || g.Height > longest {
		return device.Errorf(device.Limit, "a side of the grid is over %d cells long", longest)
	}
	return nil
}

// onGPU is the twin on a graphics device.
func onGPU(ctx context.Context, gpu *device.GPU, in *Input) (Output, error) {
	if err := checkSides(in.Grid); err != nil {
		return Output{}, err
	}
	n := in.Grid.Len()
	out := Output{Squared: make([]uint32, n), Nearest: make([]int32, n)}
	if n == 0 {
		return out, nil
	}
	sites := siteCodes(n)
	err := raster.EachBand(ctx, in.Grid.Height, func(_, lo, hi int) {
		for i, v := range in.Set[lo*in.Grid.Width : hi*in.Grid.Width] {
			if v != 0 {
				sites[lo*in.Grid.Width+i] = 1
			}
		}
	})
	if err != nil {
		return Output{}, err
	}
	w, h := int32(in.Grid.Width), int32(in.Grid.Height)
	t := pass{
		sites: sites, width: w, height: h, byRow: 1,
		stride: [2]uint32{1, uint32(w)}, number: [3]int32{1, w, 0},
	}
	if err := transformed(ctx, gpu, out.Squared, out.Nearest, &t); err != nil {
		return Output{}, err
	}
	return out, nil
}

// signedOnGPU is the implementation for a graphics device. The processor places the sites. Those on vertical and on
// horizontal lines of the grid are transformed separately.
func signedOnGPU(ctx context.Context, gpu *device.GPU, in *SignedInput) (SignedOutput, error) {
	if err := checkSides(in.Grid); err != nil {
		return SignedOutput{}, err
	}
	n := in.Grid.Len()
	out := SignedOutput{Squared: make([]uint64, n), Nearest: make([]int32, n)}
	if n == 0 {
		return out, nil
	}
	w, h := int32(in.Grid.Width), int32(in.Grid.Height)
	defines := []string{"WIDE"}
	between, across, err := codes(ctx, in)
	if err != nil {
		return SignedOutput{}, err
	}
	upright := pass{
		sites: between, width: w, height: h, shift: fineShift, byRow: 1, defines: defines,
		stride: [2]uint32{1, uint32(w)}, number: [3]int32{2, 2 * w, 1},
	}
	level := pass{
		sites: across, width: h, height: w, shift: fineShift, defines: append(defines, "MERGE"),
		stride: [2]uint32{uint32(w), 1}, number: [3]int32{2 * w, 2, 0},
	}
	if err := transformed(ctx, gpu, out.Squared, out.Nearest, &upright, &level); err != nil {
		return SignedOutput{}, err
	}
	return out, nil
}

// transformed fills squared and nearest with the results of the transforms, one after the other.
func transformed[T uint32 | uint64](
	ctx context.Context, gpu *device.GPU, squared []T, nearest []int32, all ...*pass,
) error {
	return gpu.Do(ctx, func(s *device.Session) error {
		far, err := device.Alloc[T](s, len(squared))
		if err != nil {
			return err
		}
		near, err := device.Alloc[int32](s, len(nearest))
		if err != nil {
			return err
		}
		for _, t := range all {
			if err := t.run(s, far, near); err != nil {
				return err
			}
		}
		if err := device.Download(s, far, squared); err != nil {
			return err
		}
		return device.Download(s, near, nearest)
	})
}

// siteCodes allocates one code per cell, 0 or 1 + the offset of its site, padded to whole words.
func siteCodes(cells int) []uint16 { return make([]uint16, cells+cells&1) }

// codes computes the sites of a field. upright contains the sites between cells and the next row, row by row; level
// contains the sites between cells and the next column, column by column. Sites at cell centers are in level.
func codes(ctx context.Context, in *SignedInput) (upright, level []uint16, err error) {
	upright, level = siteCodes(len(in.Field)), siteCodes(len(in.Field))
	w, h := in.Grid.Width, in.Grid.Height
	return upright, level, raster.EachBand(ctx, in.Grid.Height, func(_, lo, hi int) {
		for c := lo * w; c < min(hi, h-1)*w; c++ {
			if a, b := in.Field[c], in.Field[c+w]; a != 0 && (a < 0) != (b < 0) {
				upright[c] = uint16(1 + Crossing(a, b))
			}
		}
		for i := range w {
			next := min(i+1, w-1) // the last column has no neighbor, only sites at centers
			for j := lo; j < hi; j++ {
				a, b := in.Field[j*w+i], in.Field[j*w+next]
				if a == 0 || (a < 0) != (b < 0) {
					level[i*h+j] = uint16(1 + Crossing(a, b))
				}
			}
		}
	})
}

// pass is a separable transform of sites; see distance.comp for its fields.
type pass struct {
	sites         []uint16
	width, height int32
	shift, byRow  int32
	stride        [2]uint32
	number        [3]int32
	defines       []string
}

func (t *pass) run(s *device.Session, squared, nearest device.Buffer) error {
	n := int(t.width) * int(t.height)
	var buffers [3]device.Buffer
	defer func() {
		for _, b := range buffers {
			s.Free(b)
		}
	}()
	steps := []func() (device.Buffer, error){
		func() (device.Buffer, error) { return device.Upload(s, t.sites) },
		func() (device.Buffer, error) { return device.Alloc[int32](s, n) },
		func() (device.Buffer, error) { return device.Alloc[uint32](s, n) },
	}
	for i, step := range steps {
		var err error
		if buffers[i], err = step(); err != nil {
			return err
		}
	}
	uniforms := []device.Uniform{{Name: "size", Value: [2]int32{t.width, t.height}}, {Name: "shift", Value: t.shift}}
	err := s.Run(device.Job{
		Shader: device.Shader{Name: "distance_columns.comp"}, Buffers: buffers[:2], Uniforms: uniforms,
		Items: int(t.width), Weight: float64(t.height),
	})
	if err != nil {
		return err
	}
	return s.Run(device.Job{
		Shader:  device.Shader{Name: "distance.comp", Defines: t.defines},
		Buffers: []device.Buffer{buffers[0], buffers[1], buffers[2], squared, nearest},
		Uniforms: append(uniforms,
			device.Uniform{Name: "byRow", Value: t.byRow}, device.Uniform{Name: "stride", Value: t.stride},
			device.Uniform{Name: "number", Value: t.number}),
		Items: int(t.height), Weight: float64(t.width),
	})
}
