// Package solids makes meshes that tests are run on.
package solids

import (
	"math"
	"math/rand/v2"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Join puts the bodies into one mesh, without regions.
func Join(parts ...*mesh.Mesh) *mesh.Mesh {
	out := &mesh.Mesh{}
	for _, p := range parts {
		first := int32(len(out.Points))
		out.Points = append(out.Points, p.Points...)
		for _, t := range p.Triangles {
			out.Triangles = append(out.Triangles, [3]int32{t[0] + first, t[1] + first, t[2] + first})
		}
	}
	return out
}

// Move shifts a mesh and returns it.
func Move(m *mesh.Mesh, by geom.Vec3) *mesh.Mesh {
	for i := range m.Points {
		m.Points[i] = m.Points[i].Add(by)
	}
	return m
}

// Boxes are given by their low and high corners.
func Boxes(corners ...[2]geom.Vec3) *mesh.Mesh {
	var all []*mesh.Mesh
	for _, c := range corners {
		b := &mesh.Mesh{}
		for i := range 8 {
			b.Points = append(b.Points, geom.Vec3{X: c[i&1].X, Y: c[i>>1&1].Y, Z: c[i>>2].Z})
		}
		for _, q := range [6][4]int32{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3},
			{0, 2, 3, 1}, {4, 5, 7, 6}} {
			b.Triangles = append(b.Triangles, [3]int32{q[0], q[1], q[2]}, [3]int32{q[0], q[2], q[3]})
		}
		all = append(all, b)
	}
	return Join(all...)
}

// Post is an n-sided cylinder around the z axis, from z = 0 up: its wall and ends are needles when n is large.
func Post(n int, radius, height float64) *mesh.Mesh {
	b := &mesh.Mesh{}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		b.Points = append(b.Points, geom.Vec3{X: radius * cos, Y: radius * sin},
			geom.Vec3{X: radius * cos, Y: radius * sin, Z: height})
	}
	for i := range int32(n) {
		k, l := 2*i, 2*((i+1)%int32(n))
		b.Triangles = append(b.Triangles, [3]int32{k, l, l + 1}, [3]int32{k, l + 1, k + 1})
		if i > 1 {
			b.Triangles = append(b.Triangles, [3]int32{0, k, k - 2}, [3]int32{1, k - 1, k + 1})
		}
	}
	return b
}

// Ball is a closed sphere of 8·4^levels triangles and of radius 10 mm, varied at random by up to half of roughness.
func Ball(rng *rand.Rand, levels int, roughness float64) *mesh.Mesh {
	b := &mesh.Mesh{Points: []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}}}
	b.Triangles = [][3]int32{
		{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5},
	}
	for range levels {
		middle := map[[2]int32]int32{}
		between := func(a, c int32) int32 {
			key := [2]int32{min(a, c), max(a, c)}
			k, ok := middle[key]
			if !ok {
				k = int32(len(b.Points))
				b.Points = append(b.Points, b.Points[a].Lerp(b.Points[c], 0.5).Unit())
				middle[key] = k
			}
			return k
		}
		var next [][3]int32
		for _, t := range b.Triangles {
			x, y, z := between(t[0], t[1]), between(t[1], t[2]), between(t[2], t[0])
			next = append(next, [3]int32{t[0], x, z}, [3]int32{x, t[1], y}, [3]int32{z, y, t[2]}, [3]int32{x, y, z})
		}
		b.Triangles = next
	}
	for i := range b.Points {
		b.Points[i] = b.Points[i].Scale(10 * (1 + roughness*(rng.Float64()-0.5)))
	}
	return b
}

// Directions returns n unit vectors at random.
func Directions(rng *rand.Rand, n int) []geom.Vec3 {
	out := make([]geom.Vec3, n)
	for i := range out {
		out[i] = geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
	}
	return out
}

// Hills makes a mesh of n × n cells over 100 × 100 mm, with steps like those of a milled part.
func Hills(n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := 100*float64(i)/float64(n), 100*float64(j)/float64(n)
			z := 5*math.Sin(x/9)*math.Cos(y/7) + 10*math.Floor(x/30)
			m.Points = append(m.Points, geom.Vec3{X: x, Y: y, Z: z})
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

// KnotTriangles is the default size of a Knot: a part of some hundred faces, finely meshed.
const KnotTriangles = 60_000

// Knot returns a closed mesh of about so many triangles that hides much of itself from everywhere: a corrugated
// tube along a trefoil knot, some 70 mm across.
func Knot(triangles int) *mesh.Mesh {
	around := max(int(math.Sqrt(float64(triangles)/12)), 3)
	along := max(triangles/(2*around), 8)
	m := &mesh.Mesh{}
	path := func(t float64) geom.Vec3 {
		return geom.Vec3{X: 10 * (math.Sin(t) + 2*math.Sin(2*t)), Y: 10 * (math.Cos(t) - 2*math.Cos(2*t)),
			Z: -10 * math.Sin(3*t)}
	}
	const step = 1e-4
	for i := range along {
		t := 2 * math.Pi * float64(i) / float64(along)
		p := path(t)
		f := geom.NewFrame(p, path(t+step).Sub(path(t-step)), geom.Vec3{Z: 1})
		for j := range around {
			sin, cos := math.Sincos(2 * math.Pi * float64(j) / float64(around))
			r := 5 + 0.6*math.Sin(24*t)
			m.Points = append(m.Points, p.AddScaled(r*cos, f.X).AddScaled(r*sin, f.Y))
		}
	}
	at := func(i, j int) int32 { return int32(i%along*around + j%around) }
	for i := range along {
		for j := range around {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			m.Triangles = append(m.Triangles, [3]int32{a, c, b}, [3]int32{a, d, c})
		}
	}
	return m
}

// Spread returns n unit vectors spread evenly, along a spiral from pole to pole.
func Spread(n int) []geom.Vec3 {
	golden := math.Pi * (3 - math.Sqrt(5)) // rad
	out := make([]geom.Vec3, n)
	for i := range out {
		z := 1 - (2*float64(i)+1)/float64(n)
		sin, cos := math.Sincos(golden * float64(i))
		r := math.Sqrt(1 - z*z)
		out[i] = geom.Vec3{X: r * cos, Y: r * sin, Z: z}
	}
	return out
}
