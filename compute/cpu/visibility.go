package cpu

import (
	"context"

	"millwright/compute/cpu/visibility"
	"millwright/compute/kernel"
)

// Visibility returns which samples are visible along which directions.
func (e *Engine) Visibility(ctx context.Context, in kernel.VisibilityInput) (kernel.VisibilityOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.VisibilityOutput{}, err
	}
	return visibility.Samples(ctx, &in, e.threads, e.each)
}
