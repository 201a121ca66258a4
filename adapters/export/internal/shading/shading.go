// Package shading finds the corners of a mesh that need a normal of their own.
//
// A region has one normal per vertex. Where the surface has no normal, at the apex of a cone or the
// dimple of an apple torus, that one can only fit some of the triangles around; shaded with it, the
// others show a bright streak. There each triangle gets the mean of its other two normals instead,
// which for a cone is the exact normal in its middle.
package shading

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Corner is corner K of a triangle of the mesh with its own unit normal.
type Corner struct {
	Triangle int32
	K        int
	Normal   geom.Vec3
}

// misfit (rad, 30°) is how far a vertex normal may be from the plane normal of a triangle around it. On
// a smooth surface the angle tolerance of the mesh, 20° by default, keeps it below.
const misfit = 30 * math.Pi / 180

// Append appends the corners of a region that need their own normal, in triangle order. local holds for
// each point of the mesh one more than its index in the region's Vertices; all corners of the region's
// triangles must have one.
func Append(dst []Corner, m *mesh.Mesh, r *mesh.Region, local []int32) []Corner {
	limit := math.Cos(misfit)
	var singular map[int32]bool // by point
	for t := r.Start; t < r.End; t++ {
		n := m.Normal(int(t))
		if n == (geom.Vec3{}) {
			continue
		}
		for _, v := range m.Triangles[t] {
			if r.Normals[local[v]-1].Dot(n) < limit {
				if singular == nil {
					singular = map[int32]bool{}
				}
				singular[v] = true
			}
		}
	}
	if singular == nil {
		return dst
	}
	for t := r.Start; t < r.End; t++ {
		c := m.Triangles[t]
		for k, v := range c {
			if singular[v] {
				dst = append(dst, Corner{t, k, around(m, r, local, t, c[(k+1)%3], c[(k+2)%3], singular)})
			}
		}
	}
	return dst
}

// around returns the mean of the normals at the other two corners a and b of triangle t as far as they
// are regular, or else its plane normal.
func around(
	m *mesh.Mesh, r *mesh.Region, local []int32, t, a, b int32, singular map[int32]bool,
) geom.Vec3 {
	var sum geom.Vec3
	for _, v := range [...]int32{a, b} {
		if !singular[v] {
			sum = sum.Add(r.Normals[local[v]-1])
		}
	}
	if n := sum.Unit(); n != (geom.Vec3{}) {
		return n
	}
	return m.Normal(int(t))
}
