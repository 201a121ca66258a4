package tessellate

import (
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file finds the creases of a face: lines u = const or v = const along which the tangent plane of its surface
// jumps, as at every knot of a surface of degree 1. No number of triangles across a crease approximates the surface's
// tangent planes, and only very many approximate the surface. So the face is cut along its creases into cells
// (cells.go), which are meshed one by one like faces, and remains one face.
//
// Joints with such a small turn that a triangle may lie across them are left to refinement, such as the facets of a
// smooth surface that some systems write by thousands.

const (
	// creaseTurn is the share of the angle tolerance from which a joint is a crease. creaseChord is a share of the
	// chord tolerance: the maximum deviation of a side across a joint, as long as the narrower adjacent strip.
	creaseTurn  = 0.5
	creaseChord = 0.5
	// besideJoint is the distance from a joint of the sampled tangent planes, as a share of the strips there.
	besideJoint = 1e-7
)

// creases are where a face is cut: its creases with the ends of its box before and behind them, ascending.
type creases [2][]float64

// cells is the number of cells.
func (c *creases) cells() int { return (len(c[0]) - 1) * (len(c[1]) - 1) }

// creases returns the creases of the loaded face inside its box; false if there are none, or more cells than triangles.
func (w *worker) creases(lo, hi geom.Vec2) (c creases, ok bool) {
	if w.shape.exact() || !(hi.X > lo.X) || !(hi.Y > lo.Y) {
		return c, false
	}
	box := [2]geom.Interval{{Lo: lo.X, Hi: hi.X}, {Lo: lo.Y, Hi: hi.Y}}
	var joints [2][]float64
	for axis, iv := range box {
		margin := nearEnd * iv.Length()
		joints[axis] = surface.CreaseParams(w.shape.surf, axis == 1,
			geom.Interval{Lo: iv.Lo - margin, Hi: iv.Hi + margin})
	}
	if len(joints[0])+len(joints[1]) == 0 {
		return c, false
	}
	isEdged := false
	for axis, list := range joints {
		var edged bool
		c[axis], edged = w.creasesAlong(axis, list, box[axis], stationsBetween(joints[1-axis], box[1-axis]))
		isEdged = isEdged || edged
	}
	n := c.cells()
	return c, (n > 1 || isEdged) && n <= w.run.faceLimit()/trianglesPerSeed
}

// creasesAlong returns the joints of an axis that are creases, between the ends of the box. It also reports whether an
// end is a crease: a box that is known only up to rounding would extend over it.
func (w *worker) creasesAlong(axis int, list []float64, box geom.Interval, stations []float64) (
	c []float64, edged bool) {
	c = append(c, box.Lo)
	hi, margin := box.Hi, nearEnd*box.Length()
	for i, at := range list {
		atLo := at < box.Lo+margin && w.isNear(axis, at, box.Lo, stations)
		atHi := at > box.Hi-margin && w.isNear(axis, at, box.Hi, stations)
		if !atLo && !atHi && (at <= box.Lo || at >= box.Hi) {
			continue
		}
		strips := geom.Interval{Lo: box.Lo, Hi: box.Hi}
		if i > 0 && !atLo {
			strips.Lo = max(strips.Lo, list[i-1])
		}
		if i+1 < len(list) && !atHi {
			strips.Hi = min(strips.Hi, list[i+1])
		}
		if atLo {
			strips.Lo = at - (strips.Hi - at)
		} else if atHi {
			strips.Hi = at + (at - strips.Lo)
		}
		switch {
		case !w.isCrease(axis, at, strips, stations):
		case atLo:
			c[0], edged = at, true
		case atHi:
			hi, edged = at, true
		default:
			c = append(c, at)
		}
	}
	return append(c, hi), edged
}

// nearEnd is the distance beyond the box of a face within which joints are considered, as a share of the box.
const nearEnd = 0.01

// isNear reports whether lines of an axis coincide within the resolution of the mesh.
func (w *worker) isNear(axis int, a, b float64, stations []float64) bool {
	for _, x := range stations {
		p, q := pointAt(w.shape.surf, uvOf(axis, a, x)), pointAt(w.shape.surf, uvOf(axis, b, x))
		if !(p.Dist(q) <= onCrease*w.run.chord) {
			return false
		}
	}
	return true
}

// stationsBetween returns parameters between all joints, at which the crossing joints are examined.
func stationsBetween(joints []float64, iv geom.Interval) (all []float64) {
	const fewest = 8
	per := (fewest + len(joints)) / (len(joints) + 1)
	lo := iv.Lo
	for i := range len(joints) + 1 {
		hi := iv.Hi
		if i < len(joints) {
			hi = joints[i]
		}
		for k := range per {
			all = append(all, lo+(hi-lo)*(float64(k)+0.5)/float64(per))
		}
		lo = hi
	}
	return all
}

// isCrease tests the joint u = at (axis 0) or v = at (axis 1), between the adjacent strips.
func (w *worker) isCrease(axis int, at float64, strips geom.Interval, stations []float64) bool {
	s := w.shape.surf
	below, above := at-besideJoint*(at-strips.Lo), at+besideJoint*(strips.Hi-at)
	for _, x := range stations {
		n, ok1 := tangentPlane(s, uvOf(axis, below, x))
		m, ok2 := tangentPlane(s, uvOf(axis, above, x))
		if !ok1 || !ok2 {
			continue
		}
		const smooth = 1e-6 // rad
		turn := n.Angle(m)
		if turn < smooth {
			continue
		}
		p := pointAt(s, uvOf(axis, at, x))
		width := min(p.Dist(pointAt(s, uvOf(axis, strips.Lo, x))), p.Dist(pointAt(s, uvOf(axis, strips.Hi, x))))
		if turn > creaseTurn*w.run.angle || turn*width/4 > creaseChord*w.run.chord {
			return true
		}
	}
	return false
}

func tangentPlane(s surface.Surface, uv geom.Vec2) (geom.Vec3, bool) {
	_, du, dv := s.D1(uv.X, uv.Y)
	return unitCross(du, dv)
}

func pointAt(s surface.Surface, uv geom.Vec2) geom.Vec3 { return s.At(uv.X, uv.Y) }

// component is the coordinate of a point along an axis of the parameter plane, uvOf the point with a coordinate along
// an axis and one along the other, and with the point with the coordinate replaced.
func component(p geom.Vec2, axis int) float64 {
	if axis == 0 {
		return p.X
	}
	return p.Y
}

func uvOf(axis int, along, other float64) geom.Vec2 {
	if axis == 0 {
		return geom.Vec2{X: along, Y: other}
	}
	return geom.Vec2{X: other, Y: along}
}

func with(p geom.Vec2, axis int, x float64) geom.Vec2 { return uvOf(axis, x, component(p, 1-axis)) }

// patch is a surface over a cell. On the border of the cell, its derivatives are the limits from inside.
type patch struct {
	surface.Surface
	u, v geom.Interval // over which derivatives are taken
}

// patch returns the surface over a cell of the creases.
func (c *creases) patch(s surface.Surface, i, j int) *patch {
	inside := func(lines []float64, i int) geom.Interval {
		inset := besideJoint * (lines[i+1] - lines[i])
		return geom.Interval{Lo: lines[i] + inset, Hi: lines[i+1] - inset}
	}
	return &patch{s, inside(c[0], i), inside(c[1], j)}
}

// D1 implements surface.Surface.
func (s *patch) D1(u, v float64) (p, du, dv geom.Vec3) {
	x, y := s.u.Clamp(u), s.v.Clamp(v)
	p, du, dv = s.Surface.D1(x, y)
	if x != u || y != v {
		p = s.At(u, v)
	}
	return p, du, dv
}

// D2 implements surface.Surface.
func (s *patch) D2(u, v float64) surface.Derivs {
	x, y := s.u.Clamp(u), s.v.Clamp(v)
	d := s.Surface.D2(x, y)
	if x != u || y != v {
		d.P = s.At(u, v)
	}
	return d
}

// Normal implements surface.Surface.
func (s *patch) Normal(u, v float64) geom.Vec3 { return s.Surface.Normal(s.u.Clamp(u), s.v.Clamp(v)) }

// alongCrease divides the crease at the coordinate at of an axis between two coordinates of the other so that its
// chords are near the surface, and where a cell has asked for it before.
func (w *worker) alongCrease(axis int, at float64, part geom.Interval, asked []float64) []float64 {
	const beside = 0.96 // as edgeChord has it for doubly curved faces
	origin, dir := uvOf(axis, at, 0), uvOf(axis, 0, 1)
	line := curve.Line{Origin: geom.Vec3{X: origin.X, Y: origin.Y}, Dir: geom.Vec3{X: dir.X, Y: dir.Y}}
	ts := curve.AppendSamples(nil, surface.NewOnSurface(w.shape.surf, line), part, beside*w.run.chord, w.run.angle)
	for _, t := range asked {
		if t > part.Lo && t < part.Hi {
			ts = append(ts, t)
		}
	}
	slices.Sort(ts)
	return slices.Compact(ts)
}
