package catia

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Carriers: a second stream lists the surface under each face of a body, in single precision, in the order of the
// packets. One list follows the other, and some lists belong to no mesh. The boxes of the faces, which must contain
// their triangles, show which list belongs to a body.

// Kinds of surfaces, each after the byte surfaceFamily.
const (
	surfaceFamily  = '3'
	planeRecord    = '2'
	cylinderRecord = '3'
	coneRecord     = '4'
	sphereRecord   = '5'
	torusRecord    = '8'
)

const (
	listHeader = 9       // bytes of a list between its length and its first face
	boundsSize = 10 * 4  // of a face: center and half size of its box, and a ball around it
	mostAhead  = 64      // maximum number of lists compared with one body
	roundOff   = 1 << 21 // of single precision, less two bits for the error of computed values
)

// lists cuts the stream of carriers into its lists.
func lists(data []byte) [][]byte {
	var out [][]byte
	for len(data) > 0 {
		c := cursor{data: data}
		size := c.count(0)
		if c.bad || size <= c.at || size > len(data) {
			break
		}
		out = append(out, data[c.at:size])
		data = data[size:]
	}
	return out
}

// record is the entry of one face in a list.
type record struct {
	params    []byte // starts with the two bytes of the kind
	low, high geom.Vec3
}

// records returns the records of the first n faces of a list.
func records(list []byte, n int) ([]record, bool) {
	c := cursor{data: list}
	c.take(listHeader)
	out := make([]record, 0, min(n, len(list)/boundsSize))
	for range n {
		c.take(4) // the number of the face
		r := record{params: c.take(int(c.u16()))}
		center, half := c.vec(c.f32), c.vec(c.f32)
		c.vec(c.f32)
		c.f32()
		c.byte() // the sense of the face
		r.low, r.high = center.Sub(half), center.Add(half)
		if c.bad {
			return nil, false
		}
		out = append(out, r)
	}
	return out, true
}

// assign finds the list of each body and returns the surfaces of its faces. A surface is nil if no entry fits within
// tolerance (mm).
func assign(bodies []*body, data []byte, tolerance float64) [][]surface.Surface {
	all := lists(data)
	used := make([]bool, len(all))
	out := make([][]surface.Surface, len(bodies))
	first := 0
	for i, b := range bodies {
		out[i] = make([]surface.Surface, len(b.faces))
		for first < len(all) && used[first] {
			first++
		}
		for k := first; k < min(first+mostAhead, len(all)); k++ {
			if used[k] {
				continue
			}
			if r, ok := records(all[k], len(b.faces)); ok && b.isHeldBy(r) {
				used[k], b.isListed = true, true
				for f := range b.faces {
					out[i][f] = b.carrier(f, r[f].params, tolerance)
				}
				break
			}
		}
	}
	return out
}

// isHeldBy reports whether the triangles of each face lie in the box of its record.
func (b *body) isHeldBy(list []record) bool {
	for i, r := range list {
		slack := b.sag + r.high.Sub(r.low).Norm()/roundOff
		for _, t := range b.faces[i].triangles {
			for _, v := range t {
				p := b.points[v]
				if !(min(p.X-r.low.X, p.Y-r.low.Y, p.Z-r.low.Z, r.high.X-p.X, r.high.Y-p.Y, r.high.Z-p.Z) >= -slack) {
					return false
				}
			}
		}
	}
	return true
}

// carrier returns the surface that a record describes. The record can leave several candidates; the candidate nearest
// to the points of the face is returned. The result is nil for freeform surfaces, for unknown kinds, and if every
// candidate is farther than tolerance (mm) from a point.
func (b *body) carrier(face int, params []byte, tolerance float64) surface.Surface {
	f := &b.faces[face]
	if len(f.triangles) == 0 || len(params) < 2 || params[0] != surfaceFamily {
		return nil
	}
	var best surface.Surface
	least := tolerance
	for _, s := range surfaces(params[1], params[2:], f.normal, b.points[f.triangles[0][0]]) {
		worst := 0.0
		for _, t := range f.triangles {
			for _, v := range t {
				_, off := s.Invert(b.points[v])
				worst = max(worst, off)
			}
		}
		if worst <= least {
			best, least = s, worst
		}
	}
	return best
}

// surfaces returns the candidate surfaces for the parameters of a record. A plane has the given normal and contains the
// point at.
func surfaces(kind byte, params []byte, normal, at geom.Vec3) []surface.Surface {
	c := cursor{data: params}
	var out []surface.Surface
	add := func(s surface.Surface, sizes ...float64) {
		for _, x := range sizes {
			if !(x > 0 && x < maxExtent) {
				return
			}
		}
		out = append(out, s)
	}
	if kind == planeRecord {
		if normal != (geom.Vec3{}) {
			add(surface.Plane{Frame: geom.NewFrame(at, normal, geom.Vec3{})})
		}
		return out
	}
	center := c.vec(c.bigF32)
	if !(center.Norm() <= 2*maxExtent) {
		return nil
	}
	if kind == sphereRecord {
		r := math.Abs(c.bigF32())
		if !c.bad {
			add(surface.Sphere{Frame: geom.NewFrame(center, geom.World.Z, geom.World.X), Radius: r}, r)
		}
		return out
	}
	x, y := c.bigF32(), c.bigF32()
	first := math.Abs(c.bigF32())
	second := 1.0
	if kind == torusRecord {
		second = math.Abs(c.bigF32())
	}
	if c.bad || !(x*x+y*y <= 1+1e-3) {
		return nil
	}
	for _, axis := range axes(x, y) {
		f := geom.NewFrame(center, axis, geom.Vec3{})
		switch kind {
		case cylinderRecord:
			add(surface.Cylinder{Frame: f, Radius: first}, first)
		case coneRecord: // both sides of the apex
			if first < math.Pi/2 {
				add(surface.Cone{Frame: f, HalfAngle: first}, first)
				add(surface.Cone{Frame: geom.NewFrame(center, axis.Neg(), geom.Vec3{}), HalfAngle: first}, first)
			}
		case torusRecord:
			if first >= second {
				add(surface.Torus{Frame: f, Major: first, Minor: second}, first, second)
			} else {
				add(surface.Torus{Frame: f, Major: first, Minor: second, Part: surface.Apple}, first, second)
				add(surface.Torus{Frame: f, Major: first, Minor: second, Part: surface.Lemon}, first, second)
			}
		}
	}
	return out
}

// axes returns the unit vectors with two given components. Where the third component is so small that the rounding of
// the other two to single precision hides it, it may be zero.
func axes(x, y float64) []geom.Vec3 {
	const little = 1e-6
	rest := 1 - x*x - y*y
	z := math.Sqrt(max(0, rest))
	out := []geom.Vec3{geom.Vec3{X: x, Y: y, Z: z}.Unit(), geom.Vec3{X: x, Y: y, Z: -z}.Unit()}
	if rest < little {
		out = append(out, geom.Vec3{X: x, Y: y}.Unit())
	}
	return out
}
