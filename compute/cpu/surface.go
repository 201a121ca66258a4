package cpu

import (
	"context"
	"sort"

	"millwright/compute/kernel"
)

// EvalSurface evaluates batches of surface samples; package surface does it, in float64.
func (e *Engine) EvalSurface(ctx context.Context, in kernel.SurfaceInput) (kernel.SurfaceOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.SurfaceOutput{}, err
	}
	const block = 1024 // samples of a task
	out := kernel.NewSurfaceOutput(&in)
	total := len(out.Point)
	err := e.each(ctx, (total+block-1)/block, func() func(int) {
		return func(task int) {
			at := task * block
			b := sort.SearchInts(out.First, at+1) - 1 // the batch of sample at
			for ; at < min(total, (task+1)*block); at++ {
				for at >= out.First[b+1] {
					b++
				}
				out.Evaluate(&in, b, at-out.First[b])
			}
		}
	})
	if err != nil {
		return kernel.SurfaceOutput{}, err
	}
	return out, nil
}
