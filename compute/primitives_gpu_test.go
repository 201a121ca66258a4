//go:build gpu

package compute

import (
	"slices"
	"testing"

	"millwright/compute/gpu"
	"millwright/core/geom"
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
	seen, err := e.Visible(t.Context(), &tetrahedron, []geom.Vec3{{Z: 1}, {X: -1}})
	if want := [][]float32{{0, 1, 1, 1}, {1, 1, 1, 0}}; err != nil || !slices.EqualFunc(seen, want, slices.Equal[[]float32]) {
		t.Errorf("seen %v (%v), want %v", seen, err, want)
	}
	for p := range costs {
		if s := e.Stats(); p != heavy && (s.OnGPU[p] == 0 || s.OnCPU[p] != 0 || len(s.FallBacks) > 0) {
			t.Errorf("%s on %s: %+v", p, e.Backend(), s)
		}
	}
}
