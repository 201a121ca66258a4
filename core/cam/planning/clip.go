package planning

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// mostCorners is the largest number of corners of a triangle after four clips.
const mostCorners = 3 + 4

// clipper clips triangles to ranges of coordinates, without allocations. Most triangles are clipped to nothing, or not
// at all.
type clipper struct{ corners, half, clipped [mostCorners]geom.Vec3 }

// triangle returns the triangle in the axes of the workpiece: along x and y, and along a side. It is valid until the
// next one.
func (c *clipper) triangle(p *planner, t [3]geom.Vec3, x, y int, s side) []geom.Vec3 {
	for i, v := range t {
		l := p.frame.Local(v)
		c.corners[i] = geom.Vec3{X: l.Coordinate(x), Y: l.Coordinate(y), Z: s.sign() * l.Coordinate(s.axis())}
	}
	return c.corners[:3]
}

// between clips a convex polygon to a range of a coordinate, and stores the result in the room. A polygon that is
// within the range is returned itself.
func (c *clipper) between(polygon []geom.Vec3, axis int, low, high float64, room *[mostCorners]geom.Vec3) []geom.Vec3 {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range polygon {
		at := polygon[i].Coordinate(axis)
		least, most = min(least, at), max(most, at)
	}
	switch {
	case most < low || least > high:
		return nil
	case least >= low && most <= high:
		return polygon
	}
	return beyond(beyond(polygon, axis, low, 1, c.half[:0]), axis, high, -1, room[:0])
}

// beyond appends the part of a convex polygon beyond a place of an axis, in the sense of a sign.
func beyond(in []geom.Vec3, axis int, at, sign float64, out []geom.Vec3) []geom.Vec3 {
	for i, b := range in {
		a := in[(i+len(in)-1)%len(in)]
		da, db := sign*(a.Coordinate(axis)-at), sign*(b.Coordinate(axis)-at)
		if da < 0 != (db < 0) {
			out = append(out, a.Add(b.Sub(a).Scale(da/(da-db))))
		}
		if db >= 0 {
			out = append(out, b)
		}
	}
	return out
}
