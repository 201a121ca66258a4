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

// Dexelize returns the dexels of what a closed mesh encloses.
func (e *Engine) Dexelize(ctx context.Context, in kernel.DexelizeInput) (*kernel.Dexels, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	return dexel.Dexelize(ctx, &in, e.each)
}
