package heightmaptest

import (
	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[heightmap.Input, heightmap.Output]{
	Primitive: heightmap.Primitive, Suite: Suite, Sizes: []int{256 * 256, 1024 * 1024, 4096 * 4096},
	Load: load,
}

// Above is the view of a mesh, or of a knot, from above on a grid of about so many cells.
func Above(cells int, m *mesh.Mesh) heightmap.Input {
	if m == nil {
		m = solids.Knot(solids.KnotTriangles)
	}
	return heightmap.Input{Mesh: m, Frame: geom.World, Grid: rastertest.GridOver(m, cells), Sampling: heightmap.Cover}
}

// load rasterizes a mesh from above.
func load(cells int, m *mesh.Mesh) (primitivetest.Load[heightmap.Input], error) {
	in := Above(cells, m)
	n := in.Grid.Len()
	return primitivetest.Load[heightmap.Input]{In: in, Items: n, Bytes: rastertest.Bytes(in.Mesh, n)}, nil
}
