package pipeline

import (
	"context"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Tessellation is the artifacts Mesh and DisplayMesh: a model's mesh with the sampled polylines of its edges (mm).
type Tessellation struct {
	Mesh      *mesh.Mesh
	EdgeLines [][]geom.Vec3
	// Watertight reports whether exactly two triangles share each edge of the mesh.
	Watertight bool
	Warnings   []fault.Warning
	// ChordTolerance (mm) and AngleTolerance (rad) are the tolerances of the mesh, which may be finer than requested.
	ChordTolerance, AngleTolerance float64
}

// tessellate makes the mesh for recognition, which does not depend on tolerances of a client.
func tessellate(ctx context.Context, r *run) (any, error) { return r.tessellate(ctx, 0, 0) }

// tessellateToShow makes the mesh with the client's tolerances.
func tessellateToShow(ctx context.Context, r *run) (any, error) {
	return r.tessellate(ctx, r.params.ChordTolerance, r.params.angle())
}

// tessellate meshes the model to a chord tolerance (mm) and an angle tolerance (degrees); 0 is the default.
func (r *run) tessellate(ctx context.Context, chord, angle float64) (any, error) {
	tess, err := r.Tessellator.Tessellate(ctx, value[Part](r, Model).Model, chord, geom.Radians(angle), r.step)
	if err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	return tess, nil
}

// displayed returns the display mesh.
func (r *run) displayed() Tessellation { return value[Tessellation](r, r.params.displayed()) }
