package cpu

import (
	"context"

	"millwright/compute/cpu/milling"
	"millwright/compute/dexel"
	"millwright/compute/kernel"
)

// Sweep returns the stock less what the tool passes on its moves.
func (e *Engine) Sweep(ctx context.Context, in kernel.SweepInput) (kernel.SweepOutput, error) {
	if err := in.Check(); err != nil {
		return kernel.SweepOutput{}, err
	}
	return milling.Sweep(ctx, &in, e.each)
}

// Dexelize returns the dexels of what a closed mesh encloses.
func (e *Engine) Dexelize(ctx context.Context, in kernel.DexelizeInput) (*dexel.Stock, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	return milling.Dexelize(ctx, &in, e.each)
}
