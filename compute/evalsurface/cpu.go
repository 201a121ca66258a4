package evalsurface

import (
	"context"
	"sort"

	"millwright.dev/millwright/compute/primitive"
)

// onCPU is the twin on the processor; package surface does it, in float64.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	return fillOnCPU(ctx, on, in, newOutput(in))
}

// pointsOnCPU is the same for points alone.
func pointsOnCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	return fillOnCPU(ctx, on, in, newPoints(in))
}

func fillOnCPU(ctx context.Context, on primitive.CPU, in *Input, out Output) (Output, error) {
	const block = 1024 // samples of a task
	total := len(out.Point)
	do := func(task int) {
		at := task * block
		b := sort.SearchInts(out.First, at+1) - 1 // the batch of sample at
		for end := min(total, at+block); at < end; b++ {
			first := out.First[b]
			until := min(end, out.First[b+1])
			out.evaluate(in, b, at-first, until-first)
			at = until
		}
	}
	if total <= block { // not worth a goroutine
		do(0)
		return out, nil
	}
	if err := on.Each(ctx, (total+block-1)/block, func() func(int) { return do }); err != nil {
		return Output{}, err
	}
	return out, nil
}
