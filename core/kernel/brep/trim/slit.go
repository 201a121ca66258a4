package trim

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Slits
//
// Where a curved wall touches a plane one from behind, the material has no thickness along a line, and its plane face
// has a slit there. Its boundary goes in along one edge and out along a coincident one with different neighbors. Points
// of both edges then coincide, and points of one lie on the other. Their parameters, never the points, are moved
// slightly apart, so that the gap between them is outside the face.
//
// Handled: straight slits that begin at another piece of the boundary, and spikes, which are slits of the outside.
// Curved ones with the same samples keep their points, which triangulation merges.

// opening is the distance by which the sides of a slit are moved apart, as a fraction of its length: far above
// rounding, and far below the distance of other features.
const opening = 1e-6

// openSlits moves the sides of slits apart.
func openSlits(vs []Vertex) {
	for tip := range vs {
		if in, out, ok := slitAt(vs, tip); ok {
			part(vs, tip, in, out)
		}
	}
}

// slitAt finds the vertices before and behind a tip, as steps, at which both edges of a slit end.
func slitAt(vs []Vertex, tip int) (in, out int, ok bool) {
	n := len(vs)
	at := func(i int) *Vertex { return &vs[((i%n)+n)%n] }
	first, second := at(tip-1).Coedge, at(tip).Coedge
	if first < 0 || second < 0 || first == second || n < 6 {
		return 0, 0, false
	}
	for in = 1; in < n && at(tip-in-1).Coedge == first; in++ {
	}
	for out = 1; out < n && at(tip+out).Coedge == second; out++ {
	}
	if in+out < 3 || in+out > n-2 || at(tip-in).Index != at(tip+out).Index {
		return 0, 0, false // nothing between the ends; or nothing else
	}
	const straight = 1e-9 // share of the length by which rounding bends it
	from, way := at(tip-in).UV, at(tip).UV.Sub(at(tip-in).UV)
	length := way.Norm()
	for k := tip - in; k <= tip+out; k++ {
		if math.Abs(at(k).UV.Sub(from).Cross(way)) > straight*length*length {
			return 0, 0, false
		}
	}
	return in, out, length > 0
}

// part moves the inner vertices of a slit to their own sides: to the left of their direction, where the face is, and
// the vertices of a spike to the right.
func part(vs []Vertex, tip, in, out int) {
	n := len(vs)
	at := func(i int) *Vertex { return &vs[((i%n)+n)%n] }
	end := at(tip - in).UV
	way := at(tip).UV.Sub(end)
	left := geom.Vec2{X: -way.Y, Y: way.X}.Scale(opening)
	if !isBetween(at(tip+out+1).UV.Sub(end), at(tip-in-1).UV.Sub(end), way) {
		left = left.Scale(-1)
	}
	for k := tip - in + 1; k < tip; k++ {
		at(k).UV = at(k).UV.Add(left)
	}
	for k := tip + 1; k < tip+out; k++ {
		at(k).UV = at(k).UV.Sub(left)
	}
}

// isBetween reports whether a direction lies between two others, counter-clockwise from the first to the second.
func isBetween(from, to, d geom.Vec2) bool {
	angle := func(v geom.Vec2) float64 {
		a := math.Atan2(from.Cross(v), from.Dot(v))
		if a < 0 {
			a += 2 * math.Pi
		}
		return a
	}
	return angle(d) < angle(to)
}
