package kernels

import (
	"context"
	"math"
	"math/rand/v2"

	"millwright/compute/bvh"
	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// primitives in the order in which they are measured. Bytes are those of inputs and outputs, read or written
// once; operations are those that the method cannot do without, and so is the share of the ceiling a lower
// bound.
var primitives = []primitive{
	{"eval-surface", []int{1 << 12, 1 << 16, 1 << 20}, evalSurface},
	{"visibility", []int{1 << 16, 1 << 20, 1 << 23}, visibility},
	{"raycast", []int{1 << 14, 1 << 18, 1 << 22}, raycast},
	{"height-map", []int{256 * 256, 1024 * 1024, 4096 * 4096}, heightMap},
	{"offset-height", []int{256 * 256, 1024 * 1024, 4096 * 4096}, offsetHeight},
	{"drop-cutter", []int{256 * 256, 1024 * 1024, 4096 * 4096}, dropCutter},
	{"distance", []int{256 * 256, 1024 * 1024, 4096 * 4096}, distance},
	{"signed-distance", []int{256 * 256, 1024 * 1024, 4096 * 4096}, signedDistance},
	{"sweep", []int{1 << 16, 1 << 20, 1 << 23}, sweep},
	{"visibility-part", nil, visibilityOfPart}, // only in the sizes asked for
}

// square returns a grid of about so many cells with a step of 0.1 mm.
func square(cells int) kernel.Grid {
	side := int(math.Ceil(math.Sqrt(float64(cells))))
	return kernel.Grid{Step: 0.1, Width: side, Height: side}
}

// random is the same on every run.
func random() *rand.Rand { return rand.New(rand.NewPCG(4, 2)) }

// distance sets one cell in a thousand, and a disc.
func distance(cells int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		Distance(context.Context, kernel.DistanceInput) (kernel.DistanceOutput, error)
	}
	g := square(cells)
	in := kernel.DistanceInput{Grid: g, Set: make([]uint8, g.Len())}
	r := random()
	for i := range in.Set {
		x, y := i%g.Width-g.Width/2, i/g.Width-g.Height/2
		if r.IntN(1000) == 0 || 64*(x*x+y*y) < g.Width*g.Width {
			in.Set[i] = 1
		}
	}
	const cell = 1 + 4 + 4 // bytes: set, squared distance, nearest site
	return job{items: g.Len(), bytes: cell * float64(g.Len()), run: on(func(ctx context.Context, b backend) error {
		_, err := b.Distance(ctx, in)
		return err
	})}, nil
}

// signedDistance has wavy contours all over.
func signedDistance(cells int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		SignedDistance(context.Context, kernel.SignedDistanceInput) (kernel.SignedDistanceOutput, error)
	}
	g := square(cells)
	in := kernel.SignedDistanceInput{Grid: g, Field: make([]float32, g.Len())}
	for i := range in.Field {
		x, y := float64(i%g.Width)/32, float64(i/g.Width)/32
		in.Field[i] = float32(math.Sin(x+0.3*y) + math.Cos(y-0.2*x) - 0.5)
	}
	const cell = 4 + 8 + 4 // bytes: value, squared distance, nearest site
	return job{items: g.Len(), bytes: cell * float64(g.Len()), run: on(func(ctx context.Context, b backend) error {
		_, err := b.SignedDistance(ctx, in)
		return err
	})}, nil
}

// visibility casts rays from the centroids of the triangles, along 64 directions or as many as there are items.
func visibility(rays int, m *mesh.Mesh) (job, error) { return visibilityAlong(rays, 64, m) }

// visibilityOfPart does so along a thousand directions, for parts of as many triangles as that leaves.
func visibilityOfPart(rays int, m *mesh.Mesh) (job, error) {
	const directions, triangles = 1000, 100 // at most, and at least
	return visibilityAlong(rays, max(1, min(directions, rays/triangles)), m)
}

// visibilityAlong casts rays along most directions at most.
func visibilityAlong(rays, most int, m *mesh.Mesh) (job, error) {
	type backend interface {
		Visibility(context.Context, kernel.VisibilityInput) (kernel.VisibilityOutput, error)
	}
	if m == nil {
		m = knot(rays / min(most, max(1, rays/256)))
	}
	in := kernel.VisibilityInput{
		Points: m.Points, Triangles: m.Triangles, Grazing: 1e-5,
		Directions: sphere(min(most, max(1, rays/max(1, len(m.Triangles))))),
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
	return job{
		items: len(in.Directions) * len(in.Samples),
		bytes: point*float64(len(in.Points)) + corners*float64(len(in.Triangles)) + sample*samples + dirs*samples/8,
		flops: turn * dirs * (float64(len(in.Points)) + samples),
		run: on(func(ctx context.Context, b backend) error {
			_, err := b.Visibility(ctx, in)
			return err
		}),
	}, nil
}

// raycast casts rays from above the triangles in directions at random, and asks for the nearest hit; the tree is made
// beforehand.
func raycast(rays int, m *mesh.Mesh) (job, error) {
	type backend interface {
		Raycast(context.Context, kernel.RaycastInput) (kernel.RaycastOutput, error)
	}
	if m == nil {
		m = knot(knotTriangles)
	}
	tree, err := bvh.New(m.Points, m.Triangles, 1)
	if err != nil {
		return job{}, err
	}
	in := kernel.RaycastInput{Tree: tree, Rays: make([]kernel.Ray, rays)}
	r := random()
	for i := range in.Rays {
		t := m.Triangles[r.IntN(len(m.Triangles))]
		a, b, c := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		const third, off = 1.0 / 3, 1e-3 // mm off the facet
		in.Rays[i] = kernel.Ray{
			Origin:    a.Add(b).Add(c).Scale(third).AddScaled(off, b.Sub(a).Cross(c.Sub(a)).Unit()),
			Direction: geom.Vec3{X: r.NormFloat64(), Y: r.NormFloat64(), Z: r.NormFloat64()}, TMax: math.Inf(1),
		}
	}
	const ray, hit, node, point, triangle = 64, 12, 32, 12, 16 // bytes
	scene := node*float64(len(tree.Nodes())) + point*float64(len(m.Points)) + triangle*float64(len(m.Triangles))
	return job{items: rays, bytes: (ray+hit)*float64(rays) + scene, run: on(func(ctx context.Context, b backend) error {
		_, err := b.Raycast(ctx, in)
		return err
	})}, nil
}
