// Package shading finds the corners of a mesh that need a separate normal.
//
// A region has one normal per vertex. At a point without a surface normal, such as the apex of a cone or the singular
// point of an apple torus, that normal can only fit some of the triangles around. Shaded with it, the others show a
// bright streak. Each triangle there gets the mean of its other two normals instead. For a cone, that is the exact
// normal in its middle.
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

// misfit (rad, 30°) is the maximum angle between a vertex normal and the plane normal of a triangle around it. On a
// smooth surface the angle tolerance of the mesh, 20° by default, keeps the angle below it.
const misfit = 30 * math.Pi / 180

// Append appends the corners of a region that need a separate normal, in triangle order. local maps each point of the
// mesh to one more than its index in the region's Vertices; all corners of the region's triangles must have such an
// index.
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

// around returns the mean of the regular normals at the other two corners a and b of triangle t. If neither is regular,
// it returns the plane normal of the triangle.
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
