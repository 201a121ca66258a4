package conform

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// HeightMapper is a backend of the height map.
type HeightMapper interface {
	HeightMap(context.Context, kernel.HeightMapInput) (kernel.HeightMapOutput, error)
}

// HeightMap holds a backend to kernel.HeightMapInput: every cell lies between the bounds stated there, found by
// clipping all triangles to the cell.
func HeightMap(t testing.TB, b HeightMapper) {
	t.Helper()
	for _, s := range scenes() {
		for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
			in := kernel.HeightMapInput{Mesh: s.mesh, Frame: s.frame, Grid: s.grid, Sampling: sampling}
			out, err := b.HeightMap(context.Background(), in)
			if err != nil {
				t.Errorf("%s, sampling %d: %v", s.name, sampling, err)
				continue
			}
			checkHeights(t, s.name, &in, out.Z)
		}
	}
	refuseHeights(t, b)
}

// scene is a mesh above a grid.
type scene struct {
	name  string
	mesh  *mesh.Mesh
	frame geom.Frame
	grid  kernel.Grid
}

// scenes are the meshes that the height primitives are tried on.
func scenes() []scene {
	rng := rand.New(rand.NewPCG(5, 6))
	square := kernel.Grid{X: -1.5, Y: -1, Step: 0.25, Width: 16, Height: 14}
	lattice := kernel.Grid{Step: 1, Width: 18, Height: 17} // centres on whole mm, where corners are
	tilted := geom.NewFrame(geom.Vec3{X: 3, Y: -2, Z: 1}, geom.Vec3{X: 0.3, Y: -0.2, Z: 1}, geom.Vec3{X: 1})
	soup := func(n int, size float64) *mesh.Mesh {
		return triangles(n, func() (p [3]geom.Vec3) {
			at := geom.Vec3{X: 6*rng.Float64() - 3, Y: 6*rng.Float64() - 3, Z: rng.NormFloat64()}
			for k := range p {
				p[k] = at.AddScaled(size, geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()})
			}
			return p
		})
	}
	whole := triangles(60, func() (p [3]geom.Vec3) {
		for k := range p {
			p[k] = geom.Vec3{X: float64(rng.IntN(20) - 1), Y: float64(rng.IntN(20) - 1), Z: float64(rng.IntN(9))}
		}
		return p
	})
	needles := triangles(80, func() (p [3]geom.Vec3) {
		a := geom.Vec3{X: 8*rng.Float64() - 4, Y: 8*rng.Float64() - 4, Z: rng.Float64()}
		d := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}
		p = [3]geom.Vec3{a, a.AddScaled(3, d), a.AddScaled(3*rng.Float64(), d)}
		p[2].X += math.Pow(10, -12*rng.Float64())
		return p
	})
	return []scene{
		{"no triangles", &mesh.Mesh{}, geom.World, square},
		{"no cells", soup(3, 1), geom.World, kernel.Grid{Step: 1, Width: 0, Height: 5}},
		{"one cell", soup(9, 1), geom.World, kernel.Grid{Step: 1, Width: 1, Height: 1}},
		{"one row", soup(9, 1), geom.World, kernel.Grid{X: -3, Step: 0.1, Width: 60, Height: 1}},
		{"one column", soup(9, 1), geom.World, kernel.Grid{Y: -3, Step: 0.1, Width: 1, Height: 60}},
		{"soup", soup(60, 1), geom.World, square},
		{"soup, tilted", soup(60, 1), tilted, square},
		{"small triangles", soup(400, 0.05), tilted, square},
		{"large triangles", soup(10, 1e3), tilted, square},
		{"needles", needles, geom.World, square},
		{"corners at centres", whole, geom.World, lattice},
		{"corners at borders", whole, geom.World, kernel.Grid{X: 0.5, Y: 0.5, Step: 1, Width: 15, Height: 15}},
		{"step block", block(geom.Vec3{X: 2, Y: 3}, geom.Vec3{X: 9, Y: 12, Z: 5}), geom.World, lattice},
		{"block between centres", block(geom.Vec3{X: 2.5, Y: 3.5}, geom.Vec3{X: 9.5, Y: 12.5, Z: 5}), geom.World, lattice},
		{"far from the origin", soup(40, 1), geom.Frame{
			Origin: geom.Vec3{X: -4096, Y: 1000, Z: 500}, X: geom.World.X, Y: geom.World.Y, Z: geom.World.Z,
		}, kernel.Grid{X: 4094.5, Y: -1001, Step: 0.25, Width: 16, Height: 14}},
		{"points and segments", triangles(60, func() (p [3]geom.Vec3) {
			a := geom.Vec3{X: float64(rng.IntN(9)) / 2, Y: float64(rng.IntN(9)) / 2, Z: rng.Float64()}
			b := geom.Vec3{X: a.X + float64(rng.IntN(2)), Y: a.Y + float64(rng.IntN(2)), Z: rng.Float64()}
			return [3]geom.Vec3{a, b, b}
		}), geom.World, kernel.Grid{Step: 0.5, Width: 12, Height: 12}},
		{"waves", waves(24, 0.31), geom.World, kernel.Grid{X: 0.4, Y: 0.4, Step: 0.2, Width: 30, Height: 33}},
		{"waves on centres", waves(16, 1), geom.World, lattice},
	}
}

// triangles makes a mesh of n triangles that share nothing.
func triangles(n int, one func() [3]geom.Vec3) *mesh.Mesh {
	m := &mesh.Mesh{}
	for i := range int32(n) {
		p := one()
		m.Points = append(m.Points, p[:]...)
		m.Triangles = append(m.Triangles, [3]int32{3 * i, 3*i + 1, 3*i + 2})
	}
	return m
}

// block makes a box, closed and facing outwards.
func block(lo, hi geom.Vec3) *mesh.Mesh {
	m := &mesh.Mesh{}
	for k := range 8 {
		p := lo
		if k&1 != 0 {
			p.X = hi.X
		}
		if k&2 != 0 {
			p.Y = hi.Y
		}
		if k&4 != 0 {
			p.Z = hi.Z
		}
		m.Points = append(m.Points, p)
	}
	for _, q := range [][4]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		m.Triangles = append(m.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
	}
	return m
}

// waves makes a hilly square of n × n cells of the given size, without holes.
func waves(n int, size float64) *mesh.Mesh {
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := float64(i), float64(j)
			m.Points = append(m.Points, geom.Vec3{X: size * x, Y: size * y, Z: math.Sin(x) + math.Cos(0.7*y) + x/20})
		}
	}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			m.Triangles = append(m.Triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return m
}

// within64 (share of the coordinates) is what the references lose in float64.
const within64 = 1e-12

func checkHeights(t testing.TB, name string, in *kernel.HeightMapInput, z []float32) {
	t.Helper()
	if len(z) != in.Grid.Len() {
		t.Errorf("%s, sampling %d: %d heights for %d cells", name, in.Sampling, len(z), in.Grid.Len())
		return
	}
	lateral, vertical := in.Bound()
	part := localTriangles(in.Mesh, in.Frame)
	fine := within64 * lateral / 1e-6 // the bound is about 1e-6 of the coordinates
	for c, got := range z {
		i, j := c%in.Grid.Width, c/in.Grid.Width
		x, y := in.Grid.X+float64(i)*in.Grid.Step, in.Grid.Y+float64(j)*in.Grid.Step
		var lo, hi float64
		if in.Sampling == kernel.Cover {
			lo = part.top(x, y, in.Grid.Step/2-fine)
			hi = part.top(x, y, in.Grid.Step/2+lateral+fine) + vertical
		} else {
			lo = part.low(x, y, lateral, fine) - vertical
			hi = part.top(x, y, lateral+fine) + vertical
		}
		room := within64 * (vertical / 1e-6)
		if g := float64(got); !(g >= lo-room && g <= hi+room) {
			t.Errorf("%s, sampling %d: cell %d, %d has the height %.9g, want %.9g to %.9g", name, in.Sampling, i, j, g, lo, hi)
			return
		}
	}
}

// part is a mesh in the frame of a view.
type part [][3]geom.Vec3

func localTriangles(m *mesh.Mesh, f geom.Frame) part {
	p := make(part, len(m.Triangles))
	for i, t := range m.Triangles {
		for k := range t {
			p[i][k] = f.Local(m.Points[t[k]])
		}
	}
	return p
}

// top returns the greatest z in the square of half side r around (x, y), -Inf where there is none.
func (p part) top(x, y, r float64) float64 {
	most := math.Inf(-1)
	for i := range p {
		polygon := p[i][:]
		if a, b, c := polygon[0], polygon[1], polygon[2]; max(a.X, b.X, c.X) < x-r || min(a.X, b.X, c.X) > x+r ||
			max(a.Y, b.Y, c.Y) < y-r || min(a.Y, b.Y, c.Y) > y+r {
			continue
		}
		for _, cut := range [4]geom.Vec3{{X: 1, Z: x + r}, {X: -1, Z: r - x}, {Y: 1, Z: y + r}, {Y: -1, Z: r - y}} {
			polygon = clip(polygon, cut)
		}
		for _, v := range polygon {
			most = max(most, v.Z)
		}
	}
	return most
}

// low returns the smallest of top at points of the square of half side r around (x, y).
func (p part) low(x, y, r, fine float64) float64 {
	const steps = 2
	least := math.Inf(1)
	for j := -steps; j <= steps; j++ {
		for i := -steps; i <= steps; i++ {
			least = min(least, p.top(x+r*float64(i)/steps, y+r*float64(j)/steps, fine))
		}
	}
	return least
}

// clip keeps what of a convex polygon lies where X·x + Y·y ≤ Z of the cut.
func clip(polygon []geom.Vec3, cut geom.Vec3) []geom.Vec3 {
	var out []geom.Vec3
	beyond := func(v geom.Vec3) float64 { return cut.X*v.X + cut.Y*v.Y - cut.Z }
	for i, b := range polygon {
		a := polygon[(i+len(polygon)-1)%len(polygon)]
		da, db := beyond(a), beyond(b)
		if da > 0 != (db > 0) {
			out = append(out, a.Lerp(b, da/(da-db)))
		}
		if db <= 0 {
			out = append(out, b)
		}
	}
	return out
}

func refuseHeights(t testing.TB, b HeightMapper) {
	t.Helper()
	sound := func() kernel.HeightMapInput {
		return kernel.HeightMapInput{
			Mesh: block(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}), Frame: geom.World,
			Grid: kernel.Grid{Step: 1, Width: 4, Height: 4},
		}
	}
	refuses(t, b.HeightMap, sound, map[string]func(*kernel.HeightMapInput){
		"no mesh":          func(in *kernel.HeightMapInput) { in.Mesh = nil },
		"no frame":         func(in *kernel.HeightMapInput) { in.Frame = geom.Frame{} },
		"long axes":        func(in *kernel.HeightMapInput) { in.Frame.X = geom.Vec3{X: 2} },
		"no step":          func(in *kernel.HeightMapInput) { in.Grid.Step = 0 },
		"unknown sampling": func(in *kernel.HeightMapInput) { in.Sampling = 9 },
		"point missing":    func(in *kernel.HeightMapInput) { in.Mesh.Triangles[3][1] = 8 },
		"negative corner":  func(in *kernel.HeightMapInput) { in.Mesh.Triangles[3][1] = -1 },
		"not a number":     func(in *kernel.HeightMapInput) { in.Mesh.Points[2].Y = math.NaN() },
		"endless":          func(in *kernel.HeightMapInput) { in.Mesh.Points[2].Z = math.Inf(1) },
		"out of reach":     func(in *kernel.HeightMapInput) { in.Mesh.Points[2].X = 1e300 },
	})
}
