package compute

import (
	"testing"

	"millwright.dev/millwright/compute/primitivetest/registry"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// tetrahedron is a small closed mesh.
var tetrahedron = mesh.Mesh{
	Points:    []geom.Vec3{{}, {X: 1}, {Y: 1}, {Z: 1}},
	Triangles: [][3]int32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}},
}

// runAll calls every primitive once, on a small input. The suites check the results.
func runAll(t *testing.T, e *Engine) {
	t.Helper()
	for _, c := range registry.Primitives {
		if c.Usual() == nil {
			continue // another input of a primitive that has been
		}
		const items = 1000
		job, err := c.Job(items, &tetrahedron)
		if err != nil {
			t.Fatalf("%s: %v", c.Name(), err)
		}
		if err := job.Run(t.Context(), e); err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		}
	}
}

// TestEveryPrimitiveRunsOnTheProcessor: nothing is sent to a device that was not asked for.
func TestEveryPrimitiveRunsOnTheProcessor(t *testing.T) {
	e := OnCPU(0)
	runAll(t, e)
	for _, c := range registry.Primitives {
		if s := e.Stats(); c.Usual() != nil && (s.OnCPU[c.Name()] != 1 || s.OnGPU[c.Name()] != 0) {
			t.Errorf("%s: %+v", c.Name(), s)
		}
	}
}
