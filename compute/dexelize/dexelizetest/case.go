// Package dexelizetest provides the benchmark input of the primitive. The primitive has only a CPU backend, whose tests
// are in its own folder.
package dexelizetest

import (
	"math"

	"millwright.dev/millwright/compute/dexelize"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for benchmarks.
var Case = &primitivetest.Case[dexelize.Input, *dexel.Stock]{
	Primitive: dexelize.Primitive, Sizes: []int{1 << 14, 1 << 18, 1 << 22},
	Load: load,
}

// load makes dexels of a mesh, or of a knot, with about so many rays.
func load(rays int, m *mesh.Mesh) (primitivetest.Load[dexelize.Input], error) {
	if m == nil {
		m = solids.Knot(solids.KnotTriangles)
	}
	box := m.Bounds()
	d := box.Max.Sub(box.Min)
	step := math.Sqrt((d.X*d.Y + d.Y*d.Z + d.Z*d.X) / float64(rays))
	cells := func(length float64) int { return int(math.Ceil(length / step)) }
	in := dexelize.Input{Mesh: m, Lattice: dexel.Lattice{
		Origin: box.Min, Step: step, Count: [3]int{cells(d.X), cells(d.Y), cells(d.Z)},
	}}
	n := dexelize.Primitive.Items(&in)
	const start, span = 4, 8 // bytes
	bytes := rastertest.Bytes(m, 0) + (start+span)*float64(n)
	return primitivetest.Load[dexelize.Input]{In: in, Items: n, Bytes: bytes}, nil
}
