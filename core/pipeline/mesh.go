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
	// ChordTolerance (mm) and AngleTolerance (rad) are those that the mesh was made with, which may be finer than the
	// ones asked for.
	ChordTolerance, AngleTolerance float64
}

// tessellate makes the mesh that features are found on, which no client has a say in.
func tessellate(ctx context.Context, r *run) (any, error) { return r.tessellate(ctx, 0, 0) }

// tessellateToShow makes the mesh that a client asked for.
func tessellateToShow(ctx context.Context, r *run) (any, error) {
	return r.tessellate(ctx, r.params.ChordTolerance, r.params.angle())
}

// tessellate takes a chord tolerance (mm) and an angle tolerance (degrees).
func (r *run) tessellate(ctx context.Context, chord, angle float64) (any, error) {
	tess, err := r.Tessellator.Tessellate(ctx, value[Part](r, Model).Model, chord, geom.Radians(angle), r.step)
	if err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	return tess, nil
}

// displayed is the mesh that clients are shown.
func (r *run) displayed() Tessellation { return value[Tessellation](r, r.params.displayed()) }
