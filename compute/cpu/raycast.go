package cpu

import (
	"context"

	"millwright/compute/cpu/raycast"
	"millwright/compute/kernel"
)

// Raycast returns what arbitrary rays meet.
func (e *Engine) Raycast(ctx context.Context, in kernel.RaycastInput) (kernel.RaycastOutput, error) {
	const chunk = 1024 // rays: some 0.1 ms
	tree, err := in.Prepared(ctx)
	if err != nil {
		return kernel.RaycastOutput{}, err
	}
	out := kernel.NewRaycastOutput(len(in.Rays))
	err = e.each(ctx, (len(in.Rays)+chunk-1)/chunk, func() func(int) {
		c := raycast.New(tree)
		return func(task int) {
			for i := task * chunk; i < min((task+1)*chunk, len(in.Rays)); i++ {
				r := &in.Rays[i]
				line, at, perMM, ok := tree.Line(r.Origin, r.Direction, r.TMin, r.TMax)
				if !ok {
					continue
				}
				if t, id := c.Cast(&line, in.Any); id >= 0 {
					out.T[i], out.Triangle[i] = at+t*perMM, id
				}
			}
		}
	})
	if err != nil {
		return kernel.RaycastOutput{}, err
	}
	return out, nil
}
