// Package body makes meshes that tests are run on.
package body

import (
	"math"
	"math/rand/v2"

	"millwright/core/geom"
	"millwright/core/mesh"
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

// Post is an n-sided cylinder round the z axis, from z = 0 up: its wall and ends are needles when n is large.
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
