// Package heightmaptest is the suite that every twin of the height map must pass, and inputs to measure it on.
package heightmaptest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/compute/raster/rastertest"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Suite tests a runner of the primitive against heightmap.Input: every cell lies between the bounds stated there. The
// reference clips all triangles to the cell.
func Suite(t testing.TB, b primitive.Runner) {
	t.Helper()
	for _, s := range scenes() {
		for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
			in := heightmap.Input{Mesh: s.Mesh, Frame: s.Frame, Grid: s.Grid, Sampling: sampling}
			out, err := heightmap.Primitive.Run(context.Background(), b, in)
			if err != nil {
				t.Errorf("%s, sampling %d: %v", s.Name, sampling, err)
				continue
			}
			checkHeights(t, s.Name, &in, out.Z)
		}
	}
	refuseHeights(t, b)
}

// scenes are the meshes that the height primitives are tried on.
func scenes() []rastertest.Scene {
	rng := rand.New(rand.NewPCG(5, 6))
	square := grid.Grid{X: -1.5, Y: -1, Step: 0.25, Width: 16, Height: 14}
	lattice := grid.Grid{Step: 1, Width: 18, Height: 17} // centers on whole mm, where corners are
	tilted := geom.NewFrame(geom.Vec3{X: 3, Y: -2, Z: 1}, geom.Vec3{X: 0.3, Y: -0.2, Z: 1}, geom.Vec3{X: 1})
	soup := func(n int, size float64) *mesh.Mesh {
		return rastertest.Triangles(n, func() (p [3]geom.Vec3) {
			at := geom.Vec3{X: 6*rng.Float64() - 3, Y: 6*rng.Float64() - 3, Z: rng.NormFloat64()}
			for k := range p {
				p[k] = at.AddScaled(size, geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
			}
			return p
		})
	}
	whole := rastertest.Triangles(60, func() (p [3]geom.Vec3) {
		for k := range p {
			p[k] = geom.Vec3{X: float64(rng.IntN(20) - 1), Y: float64(rng.IntN(20) - 1), Z: float64(rng.IntN(9))}
		}
		return p
	})
	needles := rastertest.Triangles(80, func() (p [3]geom.Vec3) {
		a := geom.Vec3{X: 8*rng.Float64() - 4, Y: 8*rng.Float64() - 4, Z: rng.Float64()}
		d := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		p = [3]geom.Vec3{a, a.AddScaled(3, d), a.AddScaled(3*rng.Float64(), d)}
		p[2].X += math.Pow(10, -12*rng.Float64())
		return p
	})
	return []rastertest.Scene{
		rastertest.Over("no triangles", &mesh.Mesh{}, geom.World, square),
		rastertest.Over("no cells", soup(3, 1), geom.World, grid.Grid{Step: 1, Width: 0, Height: 5}),
		rastertest.Over("one cell", soup(9, 1), geom.World, grid.Grid{Step: 1, Width: 1, Height: 1}),
		rastertest.Over("one row", soup(9, 1), geom.World, grid.Grid{X: -3, Step: 0.1, Width: 60, Height: 1}),
		rastertest.Over("one column", soup(9, 1), geom.World, grid.Grid{Y: -3, Step: 0.1, Width: 1, Height: 60}),
		rastertest.Over("soup", soup(60, 1), geom.World, square),
		rastertest.Over("soup, tilted", soup(60, 1), tilted, square),
		rastertest.Over("small triangles", soup(400, 0.05), tilted, square),
		rastertest.Over("large triangles", soup(10, 1e3), tilted, square),
		rastertest.Over("needles", needles, geom.World, square),
		rastertest.Over("corners at centres", whole, geom.World, lattice),
		rastertest.Over("corners at borders", whole, geom.World,
			grid.Grid{X: 0.5, Y: 0.5, Step: 1, Width: 15, Height: 15}),
		rastertest.Over("step block", rastertest.Block(geom.Vec3{X: 2, Y: 3}, geom.Vec3{X: 9, Y: 12, Z: 5}),
			geom.World, lattice),
		rastertest.Over("block between centres",
			rastertest.Block(geom.Vec3{X: 2.5, Y: 3.5}, geom.Vec3{X: 9.5, Y: 12.5, Z: 5}), geom.World, lattice),
		rastertest.Over("far from the origin", soup(40, 1), geom.Frame{
			Origin: geom.Vec3{X: -4096, Y: 1000, Z: 500}, X: geom.World.X, Y: geom.World.Y, Z: geom.World.Z,
		}, grid.Grid{X: 4094.5, Y: -1001, Step: 0.25, Width: 16, Height: 14}),
		rastertest.Over("points and segments", rastertest.Triangles(60, func() (p [3]geom.Vec3) {
			a := geom.Vec3{X: float64(rng.IntN(9)) / 2, Y: float64(rng.IntN(9)) / 2, Z: rng.Float64()}
			b := geom.Vec3{X: a.X + float64(rng.IntN(2)), Y: a.Y + float64(rng.IntN(2)), Z: rng.Float64()}
			return [3]geom.Vec3{a, b, b}
		}), geom.World, grid.Grid{Step: 0.5, Width: 12, Height: 12}),
		rastertest.Over("waves", rastertest.Waves(24, 0.31), geom.World,
			grid.Grid{X: 0.4, Y: 0.4, Step: 0.2, Width: 30, Height: 33}),
		rastertest.Over("waves on centres", rastertest.Waves(16, 1), geom.World, lattice),
	}
}

// within64 (share of the coordinates) is the rounding error of the references in float64.
const within64 = 1e-12

func checkHeights(t testing.TB, name string, in *heightmap.Input, z []float32) {
	t.Helper()
	if len(z) != in.Grid.Len() {
		t.Errorf("%s, sampling %d: %d heights for %d cells", name, in.Sampling, len(z), in.Grid.Len())
		return
	}
	lateral, vertical := in.Bound()
	part := rastertest.Local(in.Mesh, in.Frame)
	fine := within64 * lateral / 1e-6 // the bound is about 1e-6 of the coordinates
	for c, got := range z {
		i, j := c%in.Grid.Width, c/in.Grid.Width
		x, y := in.Grid.X+float64(i)*in.Grid.Step, in.Grid.Y+float64(j)*in.Grid.Step
		var lo, hi float64
		if in.Sampling == heightmap.Cover {
			lo = part.Top(x, y, in.Grid.Step/2-fine)
			hi = part.Top(x, y, in.Grid.Step/2+lateral+fine) + vertical
		} else {
			lo = part.Low(x, y, lateral, fine) - vertical
			hi = part.Top(x, y, lateral+fine) + vertical
		}
		room := within64 * (vertical / 1e-6)
		if g := float64(got); !(g >= lo-room && g <= hi+room) {
			t.Errorf("%s, sampling %d: cell %d, %d has the height %.9g, want %.9g to %.9g", name, in.Sampling, i,
				j, g, lo, hi)
			return
		}
	}
}

func refuseHeights(t testing.TB, b primitive.Runner) {
	t.Helper()
	sound := func() heightmap.Input {
		return heightmap.Input{
			Mesh: rastertest.Block(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), Frame: geom.World,
			Grid: grid.Grid{Step: 1, Width: 4, Height: 4},
		}
	}
	primitivetest.Refuses(t, b, heightmap.Primitive, sound, map[string]func(*heightmap.Input){
		"no mesh":          func(in *heightmap.Input) { in.Mesh = nil },
		"no frame":         func(in *heightmap.Input) { in.Frame = geom.Frame{} },
		"long axes":        func(in *heightmap.Input) { in.Frame.X = geom.Vec3{X: 2} },
		"no step":          func(in *heightmap.Input) { in.Grid.Step = 0 },
		"unknown sampling": func(in *heightmap.Input) { in.Sampling = 9 },
		"point missing":    func(in *heightmap.Input) { in.Mesh.Triangles[3][1] = 8 },
		"negative corner":  func(in *heightmap.Input) { in.Mesh.Triangles[3][1] = -1 },
		"not a number":     func(in *heightmap.Input) { in.Mesh.Points[2].Y = math.NaN() },
		"endless":          func(in *heightmap.Input) { in.Mesh.Points[2].Z = math.Inf(1) },
		"out of reach":     func(in *heightmap.Input) { in.Mesh.Points[2].X = 1e300 },
	})
}
