package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Cylinder is S(u, v) = O + R·(cos u·X + sin u·Y) + v·Z (ISO 10303-42 CYLINDRICAL_SURFACE); u is an
// angle, v is mm. The normal points away from the axis.
type Cylinder struct {
	Frame  geom.Frame
	Radius float64 // mm, positive
}

var _ Surface = Cylinder{}

func (s *Cylinder) meridian(v float64) meridian { return meridian{r: s.Radius, z: v, z1: 1} }

// Kind returns KindCylinder.
func (s Cylinder) Kind() Kind { return KindCylinder }

// Domain is [0, 2π] and unbounded.
func (s Cylinder) Domain() (u, v geom.Interval) { return fullTurn, wholeLine }

// Periods are 2π and 0.
func (s Cylinder) Periods() (u, v float64) { return turn, 0 }

// Singularities is empty.
func (s Cylinder) Singularities() []Singularity { return nil }

// At implements Surface.
func (s Cylinder) At(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.at(&s.Frame, u)
}

// D1 implements Surface.
func (s Cylinder) D1(u, v float64) (p, du, dv geom.Vec3) {
	m := s.meridian(v)
	return m.d1(&s.Frame, u)
}

// D2 implements Surface.
func (s Cylinder) D2(u, v float64) Derivs {
	m := s.meridian(v)
	return m.d2(&s.Frame, u)
}

// Normal implements Surface.
func (s Cylinder) Normal(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.normal(&s.Frame, u, 1)
}

// Invert is closed form; on the axis, where every u is as near, u is 0.
func (s Cylinder) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	u, rho, z := cylindrical(&s.Frame, p, 0)
	return geom.Vec2{X: fullTurn.Wrap(u), Y: z}, math.Abs(rho - s.Radius)
}

// InvertNear is closed form; on the axis u is the hint's.
func (s Cylinder) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	u, rho, z := cylindrical(&s.Frame, p, hint.X)
	return geom.Vec2{X: unwrap(u, hint.X, turn), Y: z}, math.Abs(rho - s.Radius)
}

// Bounds is tight.
func (s Cylinder) Bounds(u, v geom.Interval) geom.Box {
	return revolvedBounds(&s.Frame, u, func(g, c float64) geom.Interval {
		return shift(linearRange(c, v), s.Radius*g)
	})
}

// Transform scales v with m.Scale().
func (s Cylinder) Transform(m geom.Transform) Surface {
	return Cylinder{s.Frame.Transform(m), s.Radius * m.Scale()}
}
