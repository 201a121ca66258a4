package cpu

import (
	"context"

	"millwright/compute/cpu/field"
	"millwright/compute/kernel"
)

// Distance returns for every cell of a binary field the nearest set cell and its exact distance.
func (e *Engine) Distance(ctx context.Context, in kernel.DistanceInput) (kernel.DistanceOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.DistanceOutput{}, err
	}
	return field.Distance(ctx, &in, e.each)
}

// SignedDistance returns for every cell of a signed field the nearest site of its contour and its distance.
func (e *Engine) SignedDistance(ctx context.Context, in kernel.SignedDistanceInput) (
	kernel.SignedDistanceOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.SignedDistanceOutput{}, err
	}
	return field.SignedDistance(ctx, &in, e.each)
}
