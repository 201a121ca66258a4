//go:build gpu

package distance_test

import (
	"context"
	"testing"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/distance"
	"millwright.dev/millwright/compute/distance/distancetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

// small runs inputs on the processor that the device rejects for their size, as the engine does.
type small struct {
	primitive.Runner
	t *testing.T
}

func (s small) Do(ctx context.Context, j primitive.Job) error {
	err := s.Runner.Do(ctx, j)
	if reason, _ := device.ReasonOf(err); reason != device.Limit {
		return err
	}
	var g grid.Grid
	switch c := j.(type) {
	case *primitive.Call[distance.Input, distance.Output]:
		g = c.In.Grid
	case *primitive.Call[distance.SignedInput, distance.SignedOutput]:
		g = c.In.Grid
	}
	if max(g.Width, g.Height) <= distance.Longest {
		s.t.Errorf("a grid of %d × %d cells was refused: %v", g.Width, g.Height, err)
	}
	return primitive.OnCPU(1).Do(ctx, j)
}

func TestGPU(t *testing.T) {
	on := small{primitive.OnGPU(primitivetest.GPU(t)), t}
	distancetest.Suite(t, on)
	distancetest.SignedSuite(t, on)
}
