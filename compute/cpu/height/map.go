package height

import (
	"context"

	"millwright/compute/kernel"
)

// Map computes kernel.HeightMapOutput; in has been checked.
func Map(ctx context.Context, in *kernel.HeightMapInput, each Each) (kernel.HeightMapOutput, error) {
	g := in.Grid
	out := kernel.HeightMapOutput{Z: newMap(g.Len())}
	if g.Len() == 0 {
		return out, ctx.Err()
	}
	s, err := newScene(ctx, in.Mesh, in.Frame, g, each)
	if err != nil {
		return kernel.HeightMapOutput{}, err
	}
	reach := 0.0
	if in.Sampling == kernel.Cover {
		reach = coverReach
	}
	b, err := s.bin(ctx, reach, each)
	if err != nil {
		return kernel.HeightMapOutput{}, err
	}
	err = each(ctx, bands(g.Height), func() func(int) {
		return func(band int) {
			lo, hi := bandOf(band, g.Height)
			t := target{z: out.Z, width: g.Width, first: lo, last: hi - 1, up: in.Sampling == kernel.Cover}
			for _, i := range b.of(band) {
				p := s.triangle(int(i))
				if in.Sampling == kernel.Cover {
					t.cover(&p)
				} else {
					t.triangle(&p, 0, 0, 0)
				}
			}
		}
	})
	if err != nil {
		return kernel.HeightMapOutput{}, err
	}
	return out, nil
}

// triangle returns the corners of a triangle.
func (s *scene) triangle(i int) [3]point {
	t := &s.triangles[i]
	return [3]point{s.points[t[0]], s.points[t[1]], s.points[t[2]]}
}

// bin sorts the triangles by the bands they come within reach cells of.
func (s *scene) bin(ctx context.Context, reach float64, each Each) (*bins, error) {
	return newBins(ctx, len(s.triangles), s.height, each, func(i int) (int, int) {
		t := &s.triangles[i]
		a, b, c := &s.points[t[0]], &s.points[t[1]], &s.points[t[2]]
		if max(a.u, b.u, c.u)+reach < 0 || min(a.u, b.u, c.u)-reach > float64(s.width-1) {
			return 1, 0
		}
		return rowsBetween(min(a.v, b.v, c.v)-reach, max(a.v, b.v, c.v)+reach)
	})
}
