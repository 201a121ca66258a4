package cpu

import (
	"context"

	"millwright/compute/cpu/dexel"
	"millwright/compute/kernel"
)

// Sweep returns the stock less what the tool passes on its moves.
func (e *Engine) Sweep(ctx context.Context, in kernel.SweepInput) (kernel.SweepOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.SweepOutput{}, err
	}
	return dexel.Sweep(ctx, &in, e.each)
}
