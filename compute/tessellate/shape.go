package tessellate

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// shape is the surface of the face in work: points with normals, and the distance to it where there is
// a closed form.
type shape struct {
	surf     surface.Surface
	kind     surface.Kind
	frame    geom.Frame
	r1, r2   float64 // radius of a cylinder, cone (at the origin) or sphere; major and minor of a torus
	sin, cos float64 // of a cone's half angle
}

func (s *shape) set(surf surface.Surface) {
	*s = shape{surf: surf, kind: surf.Kind()}
	switch t := surf.(type) {
	case surface.Plane:
		s.frame = t.Frame
	case surface.Cylinder:
		s.frame, s.r1 = t.Frame, t.Radius
	case surface.Cone:
		s.frame, s.r1 = t.Frame, t.Radius
		s.sin, s.cos = math.Sincos(t.HalfAngle)
	case surface.Sphere:
		s.frame, s.r1 = t.Frame, t.Radius
	case surface.Torus:
		s.frame, s.r1, s.r2 = t.Frame, t.Major, t.Minor
	}
}

// isFlat reports whether no interior points are needed for accuracy.
func (s *shape) isFlat() bool { return s.kind == surface.KindPlane }

// exact reports whether gap can be used.
func (s *shape) exact() bool { return s.kind.IsAnalytic() }

// gap returns the distance of p from an analytic surface, mm.
func (s *shape) gap(p geom.Vec3) float64 { return math.Abs(s.height(p)) }

// height returns the distance of p from an analytic surface, mm, negative inside of it.
func (s *shape) height(p geom.Vec3) float64 {
	q := p.Sub(s.frame.Origin)
	if s.kind == surface.KindSphere {
		return q.Norm() - s.r1
	}
	z := q.Dot(s.frame.Z)
	if s.kind == surface.KindPlane {
		return z
	}
	rho := q.AddScaled(-z, s.frame.Z).Norm()
	switch s.kind {
	case surface.KindCylinder:
		return rho - s.r1
	case surface.KindCone: // the nearer of the two nappes, which meet at the apex
		return nearer((rho-s.r1)*s.cos-z*s.sin, (rho+s.r1)*s.cos+z*s.sin)
	default: // a torus; a spindle's skins are the two signs of rho
		return nearer(math.Hypot(rho-s.r1, z)-s.r2, math.Hypot(rho+s.r1, z)-s.r2)
	}
}

// nearer returns the one of two signed distances that is nearer to zero.
func nearer(a, b float64) float64 {
	if math.Abs(a) <= math.Abs(b) {
		return a
	}
	return b
}

// distance returns the distance of p from the surface, given the surface's point at p's parameters, mm.
func (s *shape) distance(p, at geom.Vec3) float64 {
	if s.exact() {
		return s.gap(p)
	}
	return p.Dist(at)
}

// at returns the point and the unit normal of the surface itself.
func (s *shape) at(uv geom.Vec2) (p, n geom.Vec3) {
	p, du, dv := s.surf.D1(uv.X, uv.Y)
	n, ok := unitCross(du, dv)
	if !ok {
		n = s.surf.Normal(uv.X, uv.Y)
	}
	return p, n
}

func (s *shape) normal(uv geom.Vec2) geom.Vec3 {
	if s.kind == surface.KindPlane {
		return s.frame.X.Cross(s.frame.Y)
	}
	_, n := s.at(uv)
	return n
}

// unitCross returns the direction of a × b, false if they are too nearly parallel.
func unitCross(a, b geom.Vec3) (geom.Vec3, bool) {
	const parallel = 1e-7 // sine of the angle below which the direction is rounding
	n := a.Cross(b)
	l := n.Norm()
	if !(l > parallel*a.Norm()*b.Norm()) {
		return geom.Vec3{}, false
	}
	return n.Scale(1 / l), true
}
