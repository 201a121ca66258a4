package compute

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// solid collects faces of a hand-made mesh; every face becomes a region.
type solid struct{ mesh.Mesh }

// face starts a region that ends with the mesh.
func (s *solid) face(build func()) int {
	start := int32(len(s.Triangles))
	build()
	s.Regions = append(s.Regions, mesh.Region{Start: start, End: int32(len(s.Triangles))})
	return len(s.Regions) - 1
}

func (s *solid) point(x, y, z float64) int32 {
	s.Points = append(s.Points, geom.Vec3{X: x, Y: y, Z: z})
	return int32(len(s.Points) - 1)
}

func (s *solid) quad(a, b, c, d int32) {
	s.Triangles = append(s.Triangles, [3]int32{a, b, c}, [3]int32{a, c, d})
}

// box adds an axis-aligned box; its regions are -X +X -Y +Y -Z +Z.
func (s *solid) box(lo, hi geom.Vec3) {
	var k [8]int32
	for i := range k {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		k[i] = s.point(p.X, p.Y, p.Z)
	}
	for _, q := range [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5,
		7, 6}} {
		s.face(func() { s.quad(k[q[0]], k[q[1]], k[q[2]], k[q[3]]) })
	}
}

// ring returns n points of a circle around the z axis, rotated by phase (rad).
func (s *solid) ring(n int, radius, z, phase float64) []int32 {
	out := make([]int32, n)
	for i := range out {
		sin, cos := math.Sincos(phase + 2*math.Pi*float64(i)/float64(n))
		out[i] = s.point(radius*cos, radius*sin, z)
	}
	return out
}

// band joins two rings; with inward set it faces the axis when seen with growing z. Normals, if requested, are those of
// the cylinder.
func (s *solid) band(bottom, top []int32, inward bool) int {
	n := len(bottom)
	f := s.face(func() {
		for i := range n {
			a, b, c, d := bottom[i], bottom[(i+1)%n], top[(i+1)%n], top[i]
			if inward {
				a, b, c, d = b, a, d, c
			}
			s.quad(a, b, c, d)
		}
	})
	r := &s.Regions[f]
	sign := 1.0
	if inward {
		sign = -1
	}
	for _, k := range append(append([]int32(nil), bottom...), top...) {
		p := s.Points[k]
		r.Vertices = append(r.Vertices, k)
		r.Normals = append(r.Normals, geom.Vec3{X: p.X, Y: p.Y}.Unit().Scale(sign))
	}
	return f
}

// annulus joins two rings at one height, facing up or down.
func (s *solid) annulus(outer, inner []int32, up bool) int {
	n := len(outer)
	return s.face(func() {
		for i := range n {
			a, b, c, d := outer[i], outer[(i+1)%n], inner[(i+1)%n], inner[i]
			if !up {
				a, b, c, d = b, a, d, c
			}
			s.quad(a, b, c, d)
		}
	})
}

func (s *solid) disc(ring []int32, up bool) int {
	return s.face(func() {
		for i := 1; i+1 < len(ring); i++ {
			a, b := ring[i], ring[i+1]
			if !up {
				a, b = b, a
			}
			s.Triangles = append(s.Triangles, [3]int32{ring[0], a, b})
		}
	})
}
