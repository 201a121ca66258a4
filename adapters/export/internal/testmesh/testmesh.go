// Package testmesh builds small meshes with regions and normals for the tests of the exporters.
package testmesh

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// Builder collects regions; regions share points by coordinates.
type Builder struct {
	mesh  mesh.Mesh
	index map[geom.Vec3]int32
}

func (b *Builder) point(p geom.Vec3) int32 {
	if b.index == nil {
		b.index = map[geom.Vec3]int32{}
	}
	i, ok := b.index[p]
	if !ok {
		i = int32(len(b.mesh.Points))
		b.index[p] = i
		b.mesh.Points = append(b.mesh.Points, p)
	}
	return i
}

// Region adds triangles given by their corners, with the surface normal at a point.
func (b *Builder) Region(triangles [][3]geom.Vec3, normal func(geom.Vec3) geom.Vec3) {
	r := mesh.Region{Start: int32(len(b.mesh.Triangles))}
	for _, t := range triangles {
		corners := [3]int32{b.point(t[0]), b.point(t[1]), b.point(t[2])}
		b.mesh.Triangles = append(b.mesh.Triangles, corners)
		r.Vertices = append(r.Vertices, corners[:]...)
	}
	r.End = int32(len(b.mesh.Triangles))
	slices.Sort(r.Vertices)
	r.Vertices = slices.Compact(r.Vertices)
	for _, v := range r.Vertices {
		r.Normals = append(r.Normals, normal(b.mesh.Points[v]))
	}
	b.mesh.Regions = append(b.mesh.Regions, r)
}

// Mesh returns the collected mesh.
func (b *Builder) Mesh() *mesh.Mesh { return &b.mesh }

// Box returns the axis-aligned box between two corners, one region per side: -x, +x, -y, +y, -z, +z.
func Box(lo, hi geom.Vec3) *mesh.Mesh {
	var b Builder
	for axis := range 3 {
		for _, upper := range []bool{false, true} {
			b.boxSide(lo, hi, axis, upper)
		}
	}
	return b.Mesh()
}

func (b *Builder) boxSide(lo, hi geom.Vec3, axis int, upper bool) {
	l, h := coords(lo), coords(hi)
	corner := func(i, j int) geom.Vec3 {
		c := l
		if upper {
			c[axis] = h[axis]
		}
		if i == 1 {
			c[(axis+1)%3] = h[(axis+1)%3]
		}
		if j == 1 {
			c[(axis+2)%3] = h[(axis+2)%3]
		}
		return geom.Vec3{X: c[0], Y: c[1], Z: c[2]}
	}
	p, q, r, s := corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)
	n := [3]float64{}
	n[axis] = 1
	if !upper {
		q, s = s, q
		n[axis] = -1
	}
	normal := geom.Vec3{X: n[0], Y: n[1], Z: n[2]}
	b.Region([][3]geom.Vec3{{p, q, r}, {p, r, s}}, func(geom.Vec3) geom.Vec3 { return normal })
}

func coords(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// BoxEdges returns the twelve edges of a box as polylines.
func BoxEdges(lo, hi geom.Vec3) [][]geom.Vec3 {
	var edges [][]geom.Vec3
	l, h := coords(lo), coords(hi)
	for axis := range 3 {
		for i := range 4 {
			a := l
			if i&1 != 0 {
				a[(axis+1)%3] = h[(axis+1)%3]
			}
			if i&2 != 0 {
				a[(axis+2)%3] = h[(axis+2)%3]
			}
			c := a
			c[axis] = h[axis]
			edges = append(edges, []geom.Vec3{{X: a[0], Y: a[1], Z: a[2]}, {X: c[0], Y: c[1], Z: c[2]}})
		}
	}
	return edges
}

// Sphere returns a sphere in one region: 2·n meridians by n parallels, closed at the poles.
func Sphere(center geom.Vec3, radius float64, n int) *mesh.Mesh {
	at := func(i, j int) geom.Vec3 {
		if j == 0 || j == n {
			return center.AddScaled(radius*float64(2*j/n-1), geom.Vec3{Z: 1})
		}
		su, cu := math.Sincos(math.Pi * float64(i%(2*n)) / float64(n))
		sv, cv := math.Sincos(math.Pi * (float64(j)/float64(n) - 0.5))
		return center.AddScaled(radius, geom.Vec3{X: cv * cu, Y: cv * su, Z: sv})
	}
	var triangles [][3]geom.Vec3
	for j := range n {
		for i := range 2 * n {
			a, b, c, d := at(i, j), at(i+1, j), at(i+1, j+1), at(i, j+1)
			if j > 0 {
				triangles = append(triangles, [3]geom.Vec3{a, b, c})
			}
			if j < n-1 {
				triangles = append(triangles, [3]geom.Vec3{a, c, d})
			}
		}
	}
	var b Builder
	b.Region(triangles, func(p geom.Vec3) geom.Vec3 { return p.Sub(center).Unit() })
	return b.Mesh()
}

// Cone returns a cone about z with its apex up and n triangles around: the side, whose normal at the apex is the normal
// of one triangle only, and the base.
func Cone(radius, height float64, n int) *mesh.Mesh {
	apex := geom.Vec3{Z: height}
	at := func(i int) geom.Vec3 {
		s, c := math.Sincos(2 * math.Pi * float64(i%n) / float64(n))
		return geom.Vec3{X: radius * c, Y: radius * s}
	}
	var side, base [][3]geom.Vec3
	for i := range n {
		side = append(side, [3]geom.Vec3{at(i), at(i + 1), apex})
		base = append(base, [3]geom.Vec3{{}, at(i + 1), at(i)})
	}
	var b Builder
	b.Region(side, func(p geom.Vec3) geom.Vec3 {
		if p == apex {
			p = at(0)
		}
		return geom.Vec3{X: p.X, Y: p.Y, Z: radius * radius / height}.Unit()
	})
	b.Region(base, func(geom.Vec3) geom.Vec3 { return geom.Vec3{Z: -1} })
	return b.Mesh()
}

// WithSheet appends a region without triangles, as a sheet face has.
func WithSheet(m *mesh.Mesh) *mesh.Mesh {
	end := int32(len(m.Triangles))
	m.Regions = append(m.Regions, mesh.Region{Start: end, End: end})
	return m
}

// Join appends the regions of n to m without sharing points.
func Join(m, n *mesh.Mesh) *mesh.Mesh {
	points, triangles := int32(len(m.Points)), int32(len(m.Triangles))
	m.Points = append(m.Points, n.Points...)
	for _, t := range n.Triangles {
		m.Triangles = append(m.Triangles, [3]int32{t[0] + points, t[1] + points, t[2] + points})
	}
	for _, r := range n.Regions {
		r.Start, r.End = r.Start+triangles, r.End+triangles
		r.Vertices = slices.Clone(r.Vertices)
		for i := range r.Vertices {
			r.Vertices[i] += points
		}
		m.Regions = append(m.Regions, r)
	}
	return m
}
