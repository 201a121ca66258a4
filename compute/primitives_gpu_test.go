//go:build gpu

package compute

import (
	"testing"

	"millwright/compute/gpu"
)

// TestEveryPrimitiveRunsOnTheDevice: on a graphics device, be it one of software.
func TestEveryPrimitiveRunsOnTheDevice(t *testing.T) {
	e, err := New(Options{Device: GPU, GPU: gpu.Options{Software: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for p, do := range small {
		if err := do(t.Context(), e); err != nil {
			t.Errorf("%s: %v", p, err)
		}
	}
	for p := range costs {
		if s := e.Stats(); p != heavy && (s.OnGPU[p] != 1 || s.OnCPU[p] != 0 || len(s.FallBacks) > 0) {
			t.Errorf("%s on %s: %+v", p, e.Backend(), s)
		}
	}
}
