package visibilitytest

import (
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/compute/visibility"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[visibility.Input, visibility.Output]{
	Primitive: visibility.Primitive, Suite: Suite, Sizes: []int{1 << 16, 1 << 20, 1 << 23},
	Load: load,
}

// PartCase is the primitive along many directions; it is measured only in sizes that are asked for.
var PartCase = &primitivetest.Case[visibility.Input, visibility.Output]{
	Primitive: visibility.Primitive, Variant: "part", Load: loadPart,
}

// load casts rays from the centroids of the triangles, along 64 directions or as many as there are items.
func load(rays int, m *mesh.Mesh) (primitivetest.Load[visibility.Input], error) {
	return loadAlong(rays, 64, m)
}

// loadPart is load along a thousand directions, for parts with correspondingly many triangles.
func loadPart(rays int, m *mesh.Mesh) (primitivetest.Load[visibility.Input], error) {
	const directions, triangles = 1000, 100 // at most, and at least
	return loadAlong(rays, max(1, min(directions, rays/triangles)), m)
}

// loadAlong casts rays along most directions at most.
func loadAlong(rays, most int, m *mesh.Mesh) (primitivetest.Load[visibility.Input], error) {
	if m == nil {
		m = solids.Knot(rays / min(most, max(1, rays/256)))
	}
	in := visibility.Input{
		Points: m.Points, Triangles: m.Triangles, Grazing: 1e-5,
		Directions: solids.Spread(min(most, max(1, rays/max(1, len(m.Triangles))))),
	}
	for _, t := range m.Triangles {
		a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		n := b.Sub(a).Cross(c.Sub(a)).Unit()
		const third, off = 1.0 / 3, 1e-3 // mm off the facet
		p := a.Add(b).Add(c).Scale(third).AddScaled(off, n)
		in.Samples = append(in.Samples, [3]float32{float32(p.X), float32(p.Y), float32(p.Z)})
		in.Normals = append(in.Normals, [3]float32{float32(n.X), float32(n.Y), float32(n.Z)})
	}
	dirs, samples := float64(len(in.Directions)), float64(len(in.Samples))
	const point, corners, sample, turn = 24, 12, 24, 15 // bytes; operations that turn a point into a view
	return primitivetest.Load[visibility.Input]{
		In: in, Items: len(in.Directions) * len(in.Samples),
		Bytes: point*float64(len(in.Points)) + corners*float64(len(in.Triangles)) + sample*samples + dirs*samples/8,
		Flops: turn * dirs * (float64(len(in.Points)) + samples),
	}, nil
}
