//go:build gpu

package gpu

import (
	"context"
	"testing"

	"millwright/compute/conform"
	"millwright/compute/cpu"
	"millwright/compute/device"
	"millwright/compute/kernel"
)

// distances does on the processor what the device refuses for its size, as the engine above does.
type distances struct {
	*Engine
	t *testing.T
}

func (d distances) refused(g kernel.Grid, err error) bool {
	reason, _ := device.ReasonOf(err)
	if reason == device.Limit && max(g.Width, g.Height) <= longest {
		d.t.Errorf("a grid of %d × %d cells was refused: %v", g.Width, g.Height, err)
	}
	return reason == device.Limit
}

func (d distances) Distance(ctx context.Context, in kernel.DistanceInput) (kernel.DistanceOutput, error) {
	out, err := d.Engine.Distance(ctx, in)
	if d.refused(in.Grid, err) {
		return cpu.New(1).Distance(ctx, in)
	}
	return out, err
}

func (d distances) SignedDistance(ctx context.Context, in kernel.SignedDistanceInput) (
	kernel.SignedDistanceOutput, error) {
	out, err := d.Engine.SignedDistance(ctx, in)
	if d.refused(in.Grid, err) {
		return cpu.New(1).SignedDistance(ctx, in)
	}
	return out, err
}

func TestDistance(t *testing.T) { conform.Distance(t, distances{open(t), t}) }
