package canonical

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/fit"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The profile determines extrusions and revolutions. Seen along the direction of an extrusion, a line is a plane and a
// circle a cylinder. In the half plane of distance from the axis and height, a line is a plane, a cylinder or a cone,
// and a circle a sphere or a torus.

// findExtrusion tests the whole profile, then the part that the face uses.
func (c *candidate) findExtrusion(s *surface.Extrusion) surface.Surface {
	dir := s.Dir()
	flat := func(t float64) geom.Vec3 {
		p := s.Profile().At(t)
		return p.AddScaled(-p.Dot(dir), dir)
	}
	part, ok := c.r.region(c.f, s, c.reach())
	if !ok {
		return nil
	}
	c.take(s, part)
	b, ok := c.profile(s.Profile(), part.u, flat)
	if !ok {
		return nil
	}
	switch k := b.c.(type) {
	case curve.Line:
		n := k.Dir.Cross(dir)
		return surface.Plane{Frame: geom.NewFrame(k.Origin, n, geom.Vec3{})}
	case curve.Circle:
		return surface.Cylinder{Frame: geom.NewFrame(k.Frame.Origin, dir, geom.Vec3{}), Radius: k.Radius}
	}
	return nil
}

// profile recognizes a profile as a whole, if it is bounded, or the part of it that a face uses.
func (c *candidate) profile(p curve.Curve, part geom.Interval, at func(float64) geom.Vec3) (bounded, bool) {
	if dom := p.Domain(); dom.IsFinite() {
		if b := recognize(p, dom, at, c.tol); b.c != nil {
			return b, true
		}
	}
	b := recognize(p, part, at, c.tol)
	return b, b.c != nil
}

func (c *candidate) findRevolution(s *surface.Revolution) surface.Surface {
	origin, dir := s.Axis()
	part, ok := c.r.region(c.f, s, c.reach())
	if d, bounded := natural(s); !ok && bounded {
		part, ok = d, true // no edges: the whole profile
	}
	if !ok {
		return nil
	}
	c.take(s, part)
	profile := s.Profile()
	b, ok := c.profile(profile, part.v, meridianOf(profile, origin, dir))
	if !ok {
		return nil
	}
	return c.turned(b, geom.NewFrame(origin, dir, geom.Vec3{}))
}

// meridianOf returns a profile as (distance from the axis, 0, height).
func meridianOf(profile curve.Curve, origin, dir geom.Vec3) func(float64) geom.Vec3 {
	return func(t float64) geom.Vec3 {
		w := profile.At(t).Sub(origin)
		z := w.Dot(dir)
		return geom.Vec3{X: w.AddScaled(-z, dir).Norm(), Z: z}
	}
}

// turned is the surface of revolution of a meridian about the Z axis of a frame.
func (c *candidate) turned(b bounded, f geom.Frame) surface.Surface {
	up := func(z float64) geom.Frame { g := f; g.Origin = f.Origin.AddScaled(z, f.Z); return g }
	switch k := b.c.(type) {
	case curve.Line:
		p, q := k.At(b.iv.Lo), k.At(b.iv.Hi)
		mid := p.Lerp(q, 0.5)
		switch {
		case math.Abs(q.Z-p.Z) <= c.tol:
			return surface.Plane{Frame: up(mid.Z)}
		case math.Abs(q.X-p.X) <= c.tol:
			return surface.Cylinder{Frame: up(mid.Z), Radius: mid.X}
		}
		return surface.Cone{Frame: up(mid.Z), Radius: mid.X, HalfAngle: math.Atan((q.X - p.X) / (q.Z - p.Z))}
	case curve.Circle:
		center := k.Frame.Origin
		if math.Abs(center.X) <= c.tol {
			return surface.Sphere{Frame: up(center.Z), Radius: k.Radius}
		}
		return fit.Torus(up(center.Z), math.Abs(center.X), k.Radius, center.X < 0)
	}
	return nil
}
