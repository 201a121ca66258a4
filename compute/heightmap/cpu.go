package heightmap

import (
	"context"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

// onCPU computes Output; in has been checked.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	g := in.Grid
	out := Output{Z: grid.NewMap(g.Len())}
	if g.Len() == 0 {
		return out, ctx.Err()
	}
	s, err := raster.NewScene(ctx, in.Mesh, in.Frame, g, on)
	if err != nil {
		return Output{}, err
	}
	reach := 0.0
	if in.Sampling == Cover {
		reach = coverReach
	}
	b, err := s.Bin(ctx, reach, on)
	if err != nil {
		return Output{}, err
	}
	err = on.Each(ctx, raster.Bands(g.Height), func() func(int) {
		return func(band int) {
			lo, hi := raster.BandOf(band, g.Height)
			t := target{raster.Target{Z: out.Z, Width: g.Width, First: lo, Last: hi - 1, Up: in.Sampling == Cover}}
			for _, i := range b.Of(band) {
				p := s.Triangle(int(i))
				if in.Sampling == Cover {
					t.cover(&p)
				} else {
					t.Triangle(&p, 0, 0, 0)
				}
			}
		}
	})
	if err != nil {
		return Output{}, err
	}
	return out, nil
}
