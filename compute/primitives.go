package compute

import (
	"context"

	"millwright/core/geom"
	"millwright/core/mesh"
)

// Visible returns for direction d and triangle t the visible fraction in [0, 1] at [d][t].
func (e *Engine) Visible(ctx context.Context, m *mesh.Mesh, directions []geom.Vec3) ([][]float32, error) {
	return e.cpu.Visible(ctx, m, directions)
}
