package kernels

import (
	"context"
	"math"

	"millwright/compute/cpu"
	"millwright/compute/dexel"
	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/geom/bspline"
	"millwright/core/geom/surface"
	"millwright/core/mesh"
)

// over returns a grid of about so many cells over a mesh seen from above.
func over(m *mesh.Mesh, cells int) kernel.Grid {
	box := geom.EmptyBox()
	for _, p := range m.Points {
		box = box.Add(p)
	}
	x, y := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y
	step := math.Sqrt(x * y / float64(cells))
	return kernel.Grid{
		X: box.Min.X, Y: box.Min.Y, Step: step, Width: max(1, int(x/step)), Height: max(1, int(y/step)),
	}
}

// knotTriangles is the size of the mesh where none is given: a part of some hundred faces, finely meshed.
const knotTriangles = 60_000

func heightMapInput(cells int, m *mesh.Mesh) kernel.HeightMapInput {
	if m == nil {
		m = knot(knotTriangles)
	}
	return kernel.HeightMapInput{Mesh: m, Frame: geom.World, Grid: over(m, cells), Sampling: kernel.Cover}
}

// heightBytes is what a mesh and so many heights take.
func heightBytes(m *mesh.Mesh, heights int) float64 {
	const point, corners, height = 24, 12, 4 // bytes
	return point*float64(len(m.Points)) + corners*float64(len(m.Triangles)) + height*float64(heights)
}

// heightMap rasterises a mesh from above.
func heightMap(cells int, m *mesh.Mesh) (job, error) {
	type backend interface {
		HeightMap(context.Context, kernel.HeightMapInput) (kernel.HeightMapOutput, error)
	}
	in := heightMapInput(cells, m)
	n := in.Grid.Len()
	return job{
		items: n, bytes: heightBytes(in.Mesh, n),
		run: on(func(ctx context.Context, b backend) error {
			_, err := b.HeightMap(ctx, in)
			return err
		}),
	}, nil
}

// offsetHeight runs a ball end mill of 797 cells over the height map of a mesh.
func offsetHeight(cells int, m *mesh.Mesh) (job, error) {
	type backend interface {
		OffsetHeight(context.Context, kernel.OffsetHeightInput) (kernel.OffsetHeightOutput, error)
	}
	const radius = 15.93 // cells: a disc of 797
	given := heightMapInput(cells, m)
	z, err := cpu.New(0).HeightMap(context.Background(), given)
	if err != nil {
		return job{}, err
	}
	d := 2 * radius * given.Grid.Step
	in := kernel.OffsetHeightInput{
		Grid: given.Grid, Z: z.Z, Sampling: given.Sampling, Tool: tool.EndMill(d, d/2, 5*d),
	}
	const cell = 4 + 4 // bytes: height in, height out
	n := in.Grid.Len()
	return job{items: n, bytes: cell * float64(n), run: on(func(ctx context.Context, b backend) error {
		_, err := b.OffsetHeight(ctx, in)
		return err
	})}, nil
}

// dropCutter drops a ball end mill of the size of offsetHeight's onto the mesh itself.
func dropCutter(cells int, m *mesh.Mesh) (job, error) {
	type backend interface {
		DropCutter(context.Context, kernel.DropCutterInput) (kernel.DropCutterOutput, error)
	}
	const radius = 15.93 // cells
	view := heightMapInput(cells, m)
	d := 2 * radius * view.Grid.Step
	in := kernel.DropCutterInput{
		Mesh: view.Mesh, Frame: view.Frame, Grid: view.Grid, Tool: tool.EndMill(d, d/2, 5*d),
	}
	n := in.Grid.Len()
	return job{
		items: n, bytes: heightBytes(in.Mesh, n),
		run: on(func(ctx context.Context, b backend) error {
			_, err := b.DropCutter(ctx, in)
			return err
		}),
	}, nil
}

// evalSurface evaluates a torus and a bicubic B-spline patch of 12 × 12 points, in batches of 1,024 samples.
func evalSurface(samples int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		EvalSurface(context.Context, kernel.SurfaceInput) (kernel.SurfaceOutput, error)
	}
	const side, degree, batch = 12, 3, 1024
	r := random()
	points := make([]geom.Vec3, 0, side*side)
	for i := range side {
		for j := range side {
			points = append(points, geom.Vec3{X: float64(i), Y: float64(j), Z: r.Float64()})
		}
	}
	knots := bspline.QuasiUniformKnots(degree, side)
	patch, err := surface.NewBSpline(degree, degree, knots, knots, points, nil)
	if err != nil {
		return job{}, err
	}
	all := []surface.Surface{surface.Torus{Frame: geom.World, Major: 10, Minor: 3}, patch}
	var in kernel.SurfaceInput
	n := 0
	for ; n < samples; n += batch {
		s := all[n/batch%len(all)]
		u, v := s.Domain()
		b := kernel.SurfaceBatch{Surface: s, U: make([]float64, batch), V: make([]float64, batch)}
		for i := range b.U {
			b.U[i], b.V[i] = u.At(r.Float64()), v.At(r.Float64())
		}
		in.Batches = append(in.Batches, b)
	}
	// Two parameters in; a point, a normal and two curvatures out. A bicubic patch takes 4 + 4 × 4 points of
	// three coordinates for the value and each of five derivatives.
	const sample, flops = 16 + 12 + 12 + 8, 2 * 3 * 20 * 6
	return job{items: n, bytes: sample * float64(n), flops: flops * float64(n) / 2,
		run: on(func(ctx context.Context, b backend) error {
			_, err := b.EvalSurface(ctx, in)
			return err
		})}, nil
}

// sweep mills the top of a block with a ball end mill of 4 mm in 32 passes, 1 mm deep, with about so many updates.
func sweep(updates int, _ *mesh.Mesh) (job, error) {
	type backend interface {
		Sweep(context.Context, kernel.SweepInput) (kernel.SweepOutput, error)
	}
	const (
		side, high, diameter, depth, passes = 64.0, 16.0, 4.0, 1.0, 32 // mm
		perStep                             = 12_000.0                 // updates at a step of 1 mm
	)
	step := math.Sqrt(perStep / float64(updates))
	cells := int(math.Ceil(side / step))
	l := dexel.Lattice{Step: step, Count: [3]int{cells, cells, int(math.Ceil(high / step))}}
	stock, err := dexel.NewBlock(l, geom.Box{Max: geom.Vec3{X: side, Y: side, Z: high}})
	if err != nil {
		return job{}, err
	}
	in := kernel.SweepInput{Stock: stock, Tool: tool.EndMill(diameter, diameter/2, 20), Frame: geom.World}
	for i := range passes {
		y := (float64(i) + 0.5) * side / passes
		in.Moves = append(in.Moves, kernel.Move{
			From: geom.Vec3{Y: y, Z: high - depth}, To: geom.Vec3{X: side, Y: y, Z: high - depth},
		})
	}
	out, err := cpu.New(0).Sweep(context.Background(), in)
	if err != nil {
		return job{}, err
	}
	const start, span = 4, 8 // bytes, in and out
	bytes := 0.0
	for i := range stock.Bundles {
		for _, b := range []*dexel.Bundle{&stock.Bundles[i], &out.Stock.Bundles[i]} {
			bytes += start*float64(len(b.Start)) + span*float64(len(b.Spans))
		}
	}
	return job{items: int(out.Updates), bytes: bytes, run: on(func(ctx context.Context, b backend) error {
		_, err := b.Sweep(ctx, in)
		return err
	})}, nil
}
