package raycasttest

import (
	"math"
	"math/rand/v2"

	"millwright/compute/bvh"
	"millwright/compute/primitivetest"
	"millwright/compute/primitivetest/body"
	"millwright/compute/raycast"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// Case is what tests and benchmarks know of the primitive.
var Case = &primitivetest.Case[raycast.Input, raycast.Output]{
	Primitive: raycast.Primitive, Suite: Suite, Sizes: []int{1 << 14, 1 << 18, 1 << 22},
	Load: load,
}

// load casts rays from above the triangles in directions at random, and asks for the nearest hit; the tree is made
// beforehand.
func load(rays int, m *mesh.Mesh) (primitivetest.Load[raycast.Input], error) {
	if m == nil {
		m = body.Knot(body.KnotTriangles)
	}
	tree, err := bvh.New(m.Points, m.Triangles, 1)
	if err != nil {
		return primitivetest.Load[raycast.Input]{}, err
	}
	in := raycast.Input{Tree: tree, Rays: make([]raycast.Ray, rays)}
	r := rand.New(rand.NewPCG(4, 2))
	for i := range in.Rays {
		t := m.Triangles[r.IntN(len(m.Triangles))]
		a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		const third, off = 1.0 / 3, 1e-3 // mm off the facet
		in.Rays[i] = raycast.Ray{
			Origin:    a.Add(b).Add(c).Scale(third).AddScaled(off, b.Sub(a).Cross(c.Sub(a)).Unit()),
			Direction: geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, TMax: math.Inf(1),
		}
	}
	const ray, hit, node, point, triangle = 64, 12, 32, 12, 16 // bytes
	scene := node*float64(len(tree.Nodes())) + point*float64(len(m.Points)) + triangle*float64(len(m.Triangles))
	return primitivetest.Load[raycast.Input]{In: in, Items: rays, Bytes: (ray+hit)*float64(rays) + scene}, nil
}
