package dropcuttertest

import (
	"millwright/compute/dropcutter"
	"millwright/compute/heightmap/heightmaptest"
	"millwright/compute/primitivetest"
	"millwright/compute/raster/rastertest"
	"millwright/core/machining/profile"
	"millwright/core/mesh"
)

// Case is what tests and benchmarks know of the primitive.
var Case = &primitivetest.Case[dropcutter.Input, dropcutter.Output]{
	Primitive: dropcutter.Primitive, Suite: Suite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: load,
}

// load drops a ball end mill of 797 cells onto the mesh itself.
func load(cells int, m *mesh.Mesh) (primitivetest.Load[dropcutter.Input], error) {
	const radius = 15.93 // cells
	view := heightmaptest.Above(cells, m)
	d := 2 * radius * view.Grid.Step
	in := dropcutter.Input{
		Mesh: view.Mesh, Frame: view.Frame, Grid: view.Grid, Tool: profile.EndMill(d, d/2, 5*d),
	}
	n := in.Grid.Len()
	return primitivetest.Load[dropcutter.Input]{
		In: in, Items: n,
		Bytes: rastertest.Bytes(in.Mesh, n),
	}, nil
}
