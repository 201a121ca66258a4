package bvh

import "millwright/core/geom"

// Line is a ray as the backends trace it: the stretch of a line inside of the ball around the points of a tree, in
// single precision. Its origin is the foot of the perpendicular from the tree's middle, so that no place on it is
// farther from the origin than the ball's radius, wherever the ray starts. 32 bytes.
type Line struct {
	Origin    [3]float32 // mm from the tree's middle
	From      float32    // mm from the origin along the line
	Direction [3]float32 // of unit length
	To        float32
}

// LineRounding bounds the rounding of a backend that meets triangles with a Line in single precision, as a share of
// the radius R of the ball, by how far it misplaces their corners. With u = 2⁻²⁴: corner and origin 1·u·R each along
// each axis, their difference (up to 2·R) 2, together 4. The shear by the direction, whose slope is up to 1 and off by
// 3·u: 4 from the difference along the line, 6 from the slope, 2 from the product and 4 from the subtraction. So
// 20·u·R along both axes across and 4 along the line, 29 together; the ends of the line and the place of a hit are
// each rounded by some u·R more, stretched by √3. 64·u·R holds all of it.
const LineRounding = 1.0 / (1 << 18)

// LeastDirection stands for parts of a direction that are smaller when a line is tested against boxes, so that none
// has an infinite inverse. Over the longest line it misplaces by as little.
const LeastDirection = 1e-18

// Line returns the ray origin + t·direction as a Line, and of its origin the t, and how much t grows per mm; ok is
// false where the ray, with t from tMin to tMax, stays outside of the ball. The direction need not have unit length.
func (t *Tree) Line(origin, direction geom.Vec3, tMin, tMax float64) (l Line, at, perMM float64, ok bool) {
	const slack = 1.0 / (1 << 48) // of the distance of a far origin, lost on the way to the foot
	length := direction.Norm()
	perMM = 1 / length
	u := direction.Scale(perMM)
	o := origin.Sub(t.middle)
	s := -o.Dot(u)
	foot := o.AddScaled(s, u)
	reach := t.radius*(1+LineRounding) + slack*o.Norm()
	at = s * perMM
	l.From, l.To = float32(max((tMin-at)*length, -2*reach)), float32(min((tMax-at)*length, 2*reach))
	if len(t.tris) == 0 || !(foot.Norm() <= reach) || !(l.From <= l.To) {
		return Line{}, 0, 0, false
	}
	l.Origin = [3]float32{float32(foot.X), float32(foot.Y), float32(foot.Z)}
	l.Direction = [3]float32{float32(u.X), float32(u.Y), float32(u.Z)}
	return l, at, perMM, true
}
