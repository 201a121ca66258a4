package offsetheighttest

import (
	"context"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/heightmap/heightmaptest"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[offsetheight.Input, offsetheight.Output]{
	Primitive: offsetheight.Primitive, Suite: Suite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: load,
}

// load runs a ball end mill of 797 cells over the height map of a mesh.
func load(cells int, m *mesh.Mesh) (primitivetest.Load[offsetheight.Input], error) {
	const radius = 15.93 // cells: a disc of 797
	given := heightmaptest.Above(cells, m)
	z, err := heightmap.Primitive.Run(context.Background(), primitive.OnCPU(0), given)
	if err != nil {
		return primitivetest.Load[offsetheight.Input]{}, err
	}
	d := 2 * radius * given.Grid.Step
	in := offsetheight.Input{
		Grid: given.Grid, Z: z.Z, Sampling: given.Sampling, Tool: toolprofile.EndMill(d, d/2, 5*d),
	}
	const cell = 4 + 4 // bytes: height in, height out
	n := in.Grid.Len()
	return primitivetest.Load[offsetheight.Input]{In: in, Items: n, Bytes: cell * float64(n)}, nil
}
