//go:build gpu

package tessellate_test

import (
	"context"
	"sync/atomic"
	"testing"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/tessellate"
)

func TestMain(m *testing.M) { primitivetest.Main(m) }

// evaluated counts the calls and samples of a runner.
type evaluated struct {
	primitive.Runner
	calls, probes atomic.Int64
}

func (e *evaluated) Do(ctx context.Context, j primitive.Job) error {
	e.calls.Add(1)
	e.probes.Add(int64(j.Items()))
	return e.Runner.Do(ctx, j)
}

// TestGPU: a part meshes to the same bytes whether its probes are evaluated on the processor or on a device.
func TestGPU(t *testing.T) {
	onDevice := primitive.OnGPU(primitivetest.GPU(t))
	for _, p := range probedParts(t, probedFiles...) {
		o := tessellate.Options{ChordTolerance: p.chord}
		want, err := tessellate.Mesh(t.Context(), p.model, o)
		if err != nil {
			t.Fatal(err)
		}
		r := &evaluated{Runner: onDevice}
		o.Runner = r
		got, err := tessellate.Mesh(t.Context(), p.model, o)
		if err != nil {
			t.Fatal(err)
		}
		if string(storedMesh(got)) != string(storedMesh(want)) {
			t.Errorf("%s: another mesh by the device", p.name)
		}
		if r.probes.Load() == 0 {
			t.Errorf("%s: the device was not asked", p.name)
		}
		t.Logf("%s: %d triangles alike, %d probes in %d calls",
			p.name, len(got.Mesh.Triangles), r.probes.Load(), r.calls.Load())
	}
}
