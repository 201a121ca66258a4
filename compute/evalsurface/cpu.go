package evalsurface

import (
	"context"
	"sort"

	"millwright/compute/primitive"
)

// onCPU is the twin on the processor; package surface does it, in float64.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	const block = 1024 // samples of a task
	out := newOutput(in)
	total := len(out.Point)
	err := on.Each(ctx, (total+block-1)/block, func() func(int) {
		return func(task int) {
			at := task * block
			b := sort.SearchInts(out.First, at+1) - 1 // the batch of sample at
			for ; at < min(total, (task+1)*block); at++ {
				for at >= out.First[b+1] {
					b++
				}
				out.evaluate(in, b, at-out.First[b])
			}
		}
	})
	if err != nil {
		return Output{}, err
	}
	return out, nil
}
