package engage

// Engagement arcs on the processor.
//
// Method: the middles of the parts are tabulated once for the radius, rotated into each direction, and evaluated in the
// bilinear field. Cost: O(parts) per sample, four cells each. Limits: those of Input.

import (
	"context"

	"millwright.dev/millwright/compute/primitive"
)

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	const chunk = 64 // samples: some 0.1 ms
	out := Output{Parts: make([]uint32, len(in.Samples))}
	middles := in.middles()
	err := on.Each(ctx, (len(in.Samples)+chunk-1)/chunk, func() func(int) {
		return func(task int) {
			for i := task * chunk; i < min((task+1)*chunk, len(in.Samples)); i++ {
				out.Parts[i] = in.count(&in.Samples[i], middles)
			}
		}
	})
	return out, err
}

// count returns the number of middles in material.
func (in *Input) count(s *CutterPosition, middles [][2]float64) (n uint32) {
	u, v := in.cells(s.Center)
	d, w := s.Direction, in.Grid.Width
	right, top := float64(w-1), float64(in.Grid.Height-1)
	for _, m := range middles {
		x, y := u+m[0]*d.X-m[1]*d.Y, v+m[0]*d.Y+m[1]*d.X
		if !(x >= 0 && x <= right && y >= 0 && y <= top) {
			continue
		}
		i, j := min(int(x), max(w-2, 0)), min(int(y), max(in.Grid.Height-2, 0))
		fx, fy := x-float64(i), y-float64(j)
		across, up := min(1, w-1), min(1, in.Grid.Height-1)*w
		at := j*w + i
		a, b := float64(in.Field[at]), float64(in.Field[at+across])
		c, e := float64(in.Field[at+up]), float64(in.Field[at+up+across])
		if (a*(1-fx)+b*fx)*(1-fy)+(c*(1-fx)+e*fx)*fy < 0 {
			n++
		}
	}
	return n
}
