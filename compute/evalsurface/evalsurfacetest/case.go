package evalsurfacetest

import (
	"math/rand/v2"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Case describes the primitive for tests and benchmarks.
var Case = &primitivetest.Case[evalsurface.Input, evalsurface.Output]{
	Primitive: evalsurface.Primitive, Suite: Suite, Sizes: []int{1 << 12, 1 << 16, 1 << 20},
	Load: load,
}

// PointsCase is Case for points alone.
var PointsCase = &primitivetest.Case[evalsurface.Input, evalsurface.Output]{
	Primitive: evalsurface.Points, Suite: PointsSuite, Sizes: Case.Sizes,
	Load: func(samples int, m *mesh.Mesh) (primitivetest.Load[evalsurface.Input], error) {
		l, err := load(samples, m)
		// Of two parameters in, a point comes out; the value is a sixth of the work.
		l.Bytes, l.Flops = (16+12)*float64(l.Items), l.Flops/6
		return l, err
	},
}

// load evaluates a torus and a bicubic B-spline patch of 12 × 12 points, in batches of 1,024 samples.
func load(samples int, _ *mesh.Mesh) (primitivetest.Load[evalsurface.Input], error) {
	const side, degree, batch = 12, 3, 1024
	r := rand.New(rand.NewPCG(4, 2))
	points := make([]geom.Vec3, 0, side*side)
	for i := range side {
		for j := range side {
			points = append(points, geom.Vec3{X: float64(i), Y: float64(j), Z: r.Float64()})
		}
	}
	knots := bspline.QuasiUniformKnots(degree, side)
	patch, err := surface.NewBSpline(degree, degree, knots, knots, points, nil)
	if err != nil {
		return primitivetest.Load[evalsurface.Input]{}, err
	}
	all := []surface.Surface{surface.Torus{Frame: geom.World, Major: 10, Minor: 3}, patch}
	var in evalsurface.Input
	n := 0
	for ; n < samples; n += batch {
		s := all[n/batch%len(all)]
		u, v := s.Domain()
		b := evalsurface.Batch{Surface: s, U: make([]float64, batch), V: make([]float64, batch)}
		for i := range b.U {
			b.U[i], b.V[i] = u.At(r.Float64()), v.At(r.Float64())
		}
		in.Batches = append(in.Batches, b)
	}
	// Two parameters in; a point, a normal and two curvatures out. A bicubic patch takes 4 + 4 × 4 points of
	// three coordinates for the value and each of five derivatives.
	const sample, flops = 16 + 12 + 12 + 8, 2 * 3 * 20 * 6
	return primitivetest.Load[evalsurface.Input]{
		In: in, Items: n, Bytes: sample * float64(n), Flops: flops * float64(n) / 2,
	}, nil
}
