package stage

import (
	"context"
	"fmt"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Tessellation is the artefact Mesh: a model's mesh with the sampled polylines of its edges (mm).
type Tessellation struct {
	Mesh      *mesh.Mesh
	EdgeLines [][]geom.Vec3
	// Watertight says that every edge of the mesh is shared by exactly two triangles.
	Watertight bool
	Warnings   []brep.Warning
}

func tessellate(ctx context.Context, r *run) (any, error) {
	tess, err := r.Tessellator.Tessellate(ctx, value[Part](r, Model).Model, r.recipe.ChordTolerance,
		geom.Radians(r.recipe.AngleTolerance), r.step)
	if err != nil {
		return nil, fmt.Errorf("tessellate: %w", err)
	}
	return tess, nil
}
