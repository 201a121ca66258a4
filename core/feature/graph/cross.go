package graph

// Test whether the segment between two points is free.
//
// Method: a segment crosses a triangle if its ends lie on opposite sides of the triangle's plane and its line passes
// the three edges on one side: five signed volumes (M. Segura, F. Feito, "Algorithms to test ray-triangle
// intersection", WSCG 2001). Volumes of zero count as crossed, so that no segment passes between two triangles. A
// segment in the plane of a triangle does not cross it.
//
// Cost: linear in triangles. It is for the few queries of rules.

import "millwright.dev/millwright/core/kernel/geom"

// Crosses reports whether the segment between two points intersects the part's mesh.
func (g *Graph) Crosses(from, to geom.Vec3) bool {
	d := to.Sub(from)
	for _, k := range g.Mesh.Triangles {
		a, b, c := g.Mesh.Points[k[0]].Sub(from), g.Mesh.Points[k[1]].Sub(from), g.Mesh.Points[k[2]].Sub(from)
		n := b.Sub(a).Cross(c.Sub(a))
		start, end := -a.Dot(n), d.Dot(n)-a.Dot(n)
		if start*end > 0 || start == end {
			continue
		}
		u, v, w := d.Dot(a.Cross(b)), d.Dot(b.Cross(c)), d.Dot(c.Cross(a))
		if u >= 0 && v >= 0 && w >= 0 || u <= 0 && v <= 0 && w <= 0 {
			return true
		}
	}
	return false
}
