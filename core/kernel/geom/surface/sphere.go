package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Sphere is S(u, v) = O + R·cos v·(cos u·X + sin u·Y) + R·sin v·Z (ISO 10303-42 SPHERICAL_SURFACE);
// u is the longitude, v the latitude in [-π/2, π/2]. The normal points away from the center.
type Sphere struct {
	Frame  geom.Frame
	Radius float64 // mm, positive
}

var _ Surface = Sphere{}

var latitudes = geom.Interval{Lo: -math.Pi / 2, Hi: math.Pi / 2}

func (s *Sphere) meridian(v float64) meridian {
	sin, cos := math.Sincos(v)
	r, z := s.Radius*cos, s.Radius*sin
	return meridian{r: r, z: z, r1: -z, z1: r, r2: -r, z2: -z}
}

// Kind returns KindSphere.
func (s Sphere) Kind() Kind { return KindSphere }

// Domain is [0, 2π] and [-π/2, π/2].
func (s Sphere) Domain() (u, v geom.Interval) { return fullTurn, latitudes }

// Periods are 2π and 0.
func (s Sphere) Periods() (u, v float64) { return turn, 0 }

// Singularities are the poles, the south pole first.
func (s Sphere) Singularities() []Singularity {
	return []Singularity{
		{ConstV: true, Param: latitudes.Lo, Point: s.Frame.Origin.AddScaled(-s.Radius, s.Frame.Z)},
		{ConstV: true, Param: latitudes.Hi, Point: s.Frame.Origin.AddScaled(s.Radius, s.Frame.Z)},
	}
}

// At implements Surface.
func (s Sphere) At(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.at(&s.Frame, u)
}

// D1 implements Surface.
func (s Sphere) D1(u, v float64) (p, du, dv geom.Vec3) {
	m := s.meridian(v)
	return m.d1(&s.Frame, u)
}

// D2 implements Surface.
func (s Sphere) D2(u, v float64) Derivs {
	m := s.meridian(v)
	return m.d2(&s.Frame, u)
}

// Normal is the outward radial direction, or the inward one after a mirroring.
func (s Sphere) Normal(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.normal(&s.Frame, u, 1)
}

// Invert is closed form; on the polar axis u is 0, at the center v is 0 too.
func (s Sphere) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	uv, dist = s.footPoint(p, geom.Vec2{})
	uv.X = fullTurn.Wrap(uv.X)
	return uv, dist
}

// InvertNear is closed form; on the polar axis u is the hint's, at the center both are.
func (s Sphere) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	uv, dist = s.footPoint(p, hint)
	uv.X = unwrap(uv.X, hint.X, turn)
	return uv, dist
}

func (s *Sphere) footPoint(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	u, rho, z := cylindrical(&s.Frame, p, hint.X)
	d := math.Hypot(rho, z)
	v := math.Atan2(z, rho)
	switch {
	case d < geom.Resolution:
		u, v = hint.X, latitudes.Clamp(hint.Y)
	case s.Radius*rho < geom.Resolution*d: // the foot point is a pole
		u = hint.X
	}
	return geom.Vec2{X: u, Y: v}, math.Abs(d - s.Radius)
}

// Bounds is tight. cos v is not negative, so r·g + z·c is a harmonic of v for each end of g.
func (s Sphere) Bounds(u, v geom.Interval) geom.Box {
	return revolvedBounds(&s.Frame, u, func(g, c float64) geom.Interval {
		return harmonicRange(s.Radius*g, s.Radius*c, v)
	})
}

// Transform keeps the parametrization.
func (s Sphere) Transform(m geom.Transform) Surface {
	return Sphere{s.Frame.Transform(m), s.Radius * m.Scale()}
}
