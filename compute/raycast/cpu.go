package raycast

import (
	"context"

	"millwright/compute/primitive"
)

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	const chunk = 1024 // rays: some 0.1 ms
	tree, err := in.tree(ctx)
	if err != nil {
		return Output{}, err
	}
	out := newOutput(len(in.Rays))
	err = on.Each(ctx, (len(in.Rays)+chunk-1)/chunk, func() func(int) {
		c := newCaster(tree)
		return func(task int) {
			for i := task * chunk; i < min((task+1)*chunk, len(in.Rays)); i++ {
				r := &in.Rays[i]
				line, at, perMM, ok := tree.Line(r.Origin, r.Direction, r.TMin, r.TMax)
				if !ok {
					continue
				}
				if t, id := c.cast(&line, in.Any); id >= 0 {
					out.T[i], out.Triangle[i] = at+t*perMM, id
				}
			}
		}
	})
	if err != nil {
		return Output{}, err
	}
	return out, nil
}
