package verdict

// Measure of the space that faces enclose: air, material or neither.
//
// Method: the divergence theorem on the faces alone. Of a surface S with outward normals n and the centroid c, the
// moment ∫ (x − c)·n dA is three times the volume of the cone over S with its apex at c. It is positive if the faces
// look away from each other, as the walls of a boss, negative if they face each other, as the walls of a pocket, and
// zero for one plane. Divided by ∫ |x − c| dA it is a number from −1 to 1 that does not depend on size, position or
// rotation. A turned shape encloses the same as its section, so it is measured in the half plane at the axis.
//
// Cost: linear in the triangles of the patches.

import (
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

// Fill returns the enclosure of the patches, from −1, a sphere of air, to 1, a ball of material. With an axis it is the
// enclosure of their section at the axis.
func Fill(g *graph.Graph, patches []int32, around *graph.Shape) float64 {
	var area float64
	var center geom.Vec3
	each := func(visit func(at, normal geom.Vec3)) {
		for _, p := range patches {
			g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
				at, n := a.Add(b).Add(c).Scale(1.0/3), b.Sub(a).Cross(c.Sub(a)).Scale(0.5)
				if around != nil {
					at, n = beside(around, at, n)
				}
				visit(at, n)
				return true
			})
		}
	}
	each(func(at, n geom.Vec3) {
		area += n.Norm()
		center = center.AddScaled(n.Norm(), at)
	})
	if area == 0 {
		return 0
	}
	center = center.Scale(1 / area)
	moment, most := 0.0, 0.0
	each(func(at, n geom.Vec3) {
		moment += at.Sub(center).Dot(n)
		most += at.Dist(center) * n.Norm()
	})
	if most == 0 {
		return 0
	}
	return moment / most
}

// beside maps a point and a normal into the half plane at an axis: x is the distance from the axis, z the height along
// it.
func beside(axis *graph.Shape, at, n geom.Vec3) (geom.Vec3, geom.Vec3) {
	rel := at.Sub(axis.Origin)
	z := rel.Dot(axis.Axis)
	radial := rel.AddScaled(-z, axis.Axis)
	out := geom.Vec3{}
	if radial.Norm() > 0 {
		out = radial.Unit()
	}
	return geom.Vec3{X: radial.Norm(), Z: z}, geom.Vec3{X: n.Dot(out), Z: n.Dot(axis.Axis)}
}
