//go:build gpu

package compute

import (
	"testing"

	"millwright/compute/gpu"
)

// TestDeviceConforms does the same on a graphics device, be it one of software, with poisoned memory.
func TestDeviceConforms(t *testing.T) {
	e, err := New(Options{Device: GPU, GPU: gpu.Options{Software: true, Poison: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	conformant(t, e)
	if s := e.Stats(); s.OnGPU[EvalSurface] == 0 || s.OnGPU[Visibility] == 0 || len(s.FallBacks) > 0 {
		t.Errorf("%s: %+v", e.Backend(), s)
	}
}
