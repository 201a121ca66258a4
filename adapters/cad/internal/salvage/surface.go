package salvage

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// RepairSurfaces finds the unknown surfaces of faces with known loops.
func (w *PartialModel) RepairSurfaces() {
	reach := w.reach()
	left := maxMended
	for f, why := range w.Faces {
		face := &w.Model.Faces[f]
		if why == nil || face.Surface != nil || w.IsOpen(brep.FaceID(f)) || len(face.Loops) == 0 {
			continue
		}
		if left--; left < 0 {
			return
		}
		o, ok := w.outline(face)
		if !ok {
			continue
		}
		s, reversed, ok := o.surface(reach)
		if !ok {
			continue
		}
		face.Surface, face.Reversed = s, reversed
		w.Faces[f] = nil
		w.made(MadeSurface, brep.FaceID(f), "The surface of %s was made of its edges", why)
	}
}

// outline is the known geometry of a face without a surface: the points of its loops in order, and its circles.
type outline struct {
	loops   [][]geom.Vec3
	circles []curve.Circle
	arcs    [][]geom.Vec3 // points of the circles, in the direction of the loops
}

func (w *PartialModel) outline(face *brep.Face) (o outline, ok bool) {
	const inside = 9 // samples of each edge
	for _, l := range face.Loops {
		var loop []geom.Vec3
		for _, id := range w.Loops[l].Coedges {
			c := w.Coedges[id]
			e := &w.Model.Edges[c.Edge]
			if !w.isKnown(c.Edge) {
				return o, false
			}
			iv := e.Range
			if c.Reversed {
				iv = geom.Interval{Lo: iv.Hi, Hi: iv.Lo}
			}
			points := samples(e.Curve, iv, inside)
			if circle, isCircle := e.Curve.(curve.Circle); isCircle {
				o.circles, o.arcs = append(o.circles, circle), append(o.arcs, points)
			}
			loop = append(append(loop, e.Curve.At(iv.Lo)), points...)
		}
		o.loops = append(o.loops, loop)
	}
	return o, true
}

// surface returns the plane or surface of revolution that contains the outline, within tol (mm), and its sense. ok is
// false if there is no such surface, or the outline does not determine it.
func (o *outline) surface(tol float64) (s surface.Surface, reversed, ok bool) {
	if s, ok = o.plane(tol); ok {
		return s, false, true
	}
	for _, c := range o.circles {
		if s, ok = o.revolved(c.Frame, tol); ok {
			reversed, ok = o.sense(s, c.Frame, tol)
			return s, reversed, ok
		}
	}
	return nil, false, false
}

// plane returns the plane of the outline. The loops run counter-clockwise about its normal (M. Newell).
func (o *outline) plane(tol float64) (surface.Surface, bool) {
	var sum, center geom.Vec3
	for _, p := range o.loops[0] {
		center = center.AddScaled(1/float64(len(o.loops[0])), p)
	}
	for _, loop := range o.loops {
		for i, p := range loop {
			sum = sum.Add(p.Sub(center).Cross(loop[(i+1)%len(loop)].Sub(center)))
		}
	}
	s := surface.Plane{Frame: geom.NewFrame(center, sum, sum.Perp())}
	for _, loop := range o.loops {
		if !contains(s, loop, tol) {
			return nil, false
		}
	}
	return s, sum != geom.Vec3{}
}

// revolved returns the cylinder, cone, sphere or torus about the axis of a frame. Its profile, radius over height, must
// be known at enough points: two circles alone lie on many such surfaces.
func (o *outline) revolved(axis geom.Frame, tol float64) (surface.Surface, bool) {
	var profile []geom.Vec2
	for _, loop := range o.loops {
		for _, p := range loop {
			q := axis.Local(p)
			x := geom.Vec2{X: math.Hypot(q.X, q.Y), Y: q.Z}
			isNew := true
			for _, y := range profile {
				isNew = isNew && x.Dist(y) > tol
			}
			if isNew {
				profile = append(profile, x)
			}
		}
	}
	const enough = 5 // more than the three points that determine a circle
	if len(profile) < enough {
		return nil, false
	}
	for _, s := range revolutions(axis, profile) {
		fits := true
		for _, loop := range o.loops {
			fits = fits && contains(s, loop, tol)
		}
		if fits {
			return s, true
		}
	}
	return nil, false
}

// revolutions are the surfaces about an axis through points of a profile that are far apart.
func revolutions(axis geom.Frame, profile []geom.Vec2) []surface.Surface {
	a := profile[0]
	far := func(d func(geom.Vec2) float64) geom.Vec2 {
		best := a
		for _, p := range profile {
			if d(p) > d(best) {
				best = p
			}
		}
		return best
	}
	b := far(a.Dist)
	along := b.Sub(a)
	c := far(func(p geom.Vec2) float64 { return math.Abs(along.Cross(p.Sub(a))) })
	at := func(z float64) geom.Frame {
		f := axis
		f.Origin = axis.Origin.AddScaled(z, axis.Z)
		return f
	}
	var out []surface.Surface
	if along.Y != 0 {
		if along.X == 0 {
			out = append(out, surface.Cylinder{Frame: axis, Radius: a.X})
		} else {
			out = append(out, surface.Cylinder{Frame: axis, Radius: (a.X + b.X) / 2},
				surface.Cone{Frame: at(a.Y), Radius: a.X, HalfAngle: math.Atan(along.X / along.Y)})
		}
	}
	// The center of the circle through the three.
	d := c.Sub(a)
	if cross := 2 * along.Cross(d); cross != 0 {
		p, q := along.Norm2(), d.Norm2()
		center := geom.Vec2{X: a.X + (d.Y*p-along.Y*q)/cross, Y: a.Y + (along.X*q-d.X*p)/cross}
		r := center.Dist(a)
		out = append(out, surface.Sphere{Frame: at(center.Y), Radius: math.Hypot(r, 0)})
		if center.X > 0 {
			out = append(out, fit.Torus(at(center.Y), center.X, r, false))
		}
	}
	return out
}

// isAgainst reports whether the face is against the normal of its surface, of any kind. It is false if the outline does
// not determine the sense.
func (o *outline) isAgainst(s surface.Surface, tol float64) bool {
	var axis geom.Frame
	switch s := s.(type) {
	case surface.Plane:
		p, ok := o.plane(tol)
		return ok && p.Normal(0, 0).Dot(s.Normal(0, 0)) < 0
	case surface.Cylinder:
		axis = s.Frame
	case surface.Cone:
		axis = s.Frame
	case surface.Sphere:
		axis = s.Frame
	case surface.Torus:
		axis = s.Frame
	default:
		return o.area(s) < 0
	}
	reversed, ok := o.sense(s, axis, tol)
	if !ok {
		return o.area(s) < 0
	}
	return reversed
}

// area is the area of the loops in the parameter plane of a surface.
func (o *outline) area(s surface.Surface) (sum float64) {
	for _, loop := range o.loops {
		at, _ := s.Invert(loop[0])
		first := at
		for _, p := range append(loop[1:len(loop):len(loop)], loop[0]) {
			next, _ := s.InvertNear(p, at)
			sum += at.Sub(first).Cross(next.Sub(first)) / 2
			at = next
		}
	}
	return sum
}

// sense reports whether the face is against the normal of its surface. Seen from outside, the face is on the left of
// its loops. It is on that side of its circles about the axis where the rest of the profile is.
func (o *outline) sense(s surface.Surface, axis geom.Frame, tol float64) (reversed, ok bool) {
	var middle float64
	var n int
	for _, loop := range o.loops {
		for _, p := range loop {
			middle += axis.Local(p).Z
			n++
		}
	}
	middle /= float64(n)
	sum := 0.0
	for _, arc := range o.arcs {
		first, p, last := axis.Local(arc[0]), axis.Local(arc[len(arc)/2]), axis.Local(arc[len(arc)-1])
		if math.Abs(first.Z-p.Z) > tol || math.Abs(last.Z-p.Z) > tol || math.Abs(p.Z-middle) <= tol {
			continue // no ring
		}
		at := arc[len(arc)/2]
		uv, _ := s.Invert(at)
		_, du, dv := s.D1(uv.X, uv.Y)
		normal := du.Cross(dv)
		ahead := arc[len(arc)/2+1].Sub(at)
		inward := axis.Z.Scale(math.Copysign(1, middle-p.Z))
		sum += normal.Unit().Dot(ahead.Cross(inward))
	}
	return sum < 0, sum != 0
}
