package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Cone is S(u, v) = O + (R + v·tan α)·(cos u·X + sin u·Y) + v·Z (ISO 10303-42 CONICAL_SURFACE); u is
// an angle, v is mm along the axis. It has two nappes that meet at the apex v = -R/tan α; where
// R + v·tan α is negative the point lies opposite to the direction u. At the apex the normal is the
// limit from the nappe with the positive radius.
type Cone struct {
	Frame     geom.Frame
	Radius    float64 // mm at v = 0, zero when the origin is the apex
	HalfAngle float64 // rad between axis and generator, in (-π/2, π/2)
}

var _ Surface = Cone{}

func (s *Cone) meridian(v float64) meridian {
	k := math.Tan(s.HalfAngle)
	return meridian{r: s.Radius + v*k, z: v, r1: k, z1: 1}
}

// Kind returns KindCone.
func (s Cone) Kind() Kind { return KindCone }

// Domain is [0, 2π] and unbounded.
func (s Cone) Domain() (u, v geom.Interval) { return fullTurn, wholeLine }

// Periods are 2π and 0.
func (s Cone) Periods() (u, v float64) { return turn, 0 }

// Singularities returns the apex.
func (s Cone) Singularities() []Singularity {
	k := math.Tan(s.HalfAngle)
	if k == 0 {
		return nil
	}
	v := -s.Radius / k
	return []Singularity{{ConstV: true, Param: v, Point: s.Frame.Origin.AddScaled(v, s.Frame.Z)}}
}

// At implements Surface.
func (s Cone) At(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.at(&s.Frame, u)
}

// D1 implements Surface.
func (s Cone) D1(u, v float64) (p, du, dv geom.Vec3) {
	m := s.meridian(v)
	return m.d1(&s.Frame, u)
}

// D2 implements Surface.
func (s Cone) D2(u, v float64) Derivs {
	m := s.meridian(v)
	return m.d2(&s.Frame, u)
}

// Normal implements Surface.
func (s Cone) Normal(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.normal(&s.Frame, u, s.side(&m))
}

// side returns -1 where the radius is negative by more than the resolution, else 1.
func (s *Cone) side(m *meridian) float64 {
	if m.r < -geom.Resolution {
		return -1
	}
	return 1
}

// Invert is closed form: the foot point on the nearer of the two generators in the axial plane of p.
func (s Cone) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	uv, dist = s.footPoint(p, geom.Vec2{}, 0)
	uv.X = fullTurn.Wrap(uv.X)
	return uv, dist
}

// InvertNear is closed form and stays on the hint's nappe. The apex is the closest point to all points beyond it. On
// the axis and at the apex, u is the hint's.
func (s Cone) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	side := 0.0
	if r := s.Radius + hint.Y*math.Tan(s.HalfAngle); math.Abs(r) > geom.Resolution {
		side = sideOf(r)
	}
	uv, dist = s.footPoint(p, hint, side)
	uv.X = unwrap(uv.X, hint.X, turn)
	return uv, dist
}

// footPoint returns the closest point on the nappe whose radius has the sign of side, or on the nearer nappe when side
// is 0.
func (s *Cone) footPoint(p geom.Vec3, hint geom.Vec2, side float64) (uv geom.Vec2, dist float64) {
	k := math.Tan(s.HalfAngle)
	u, rho, z := cylindrical(&s.Frame, p, hint.X)
	// (ρ, z) is nearer than (-ρ, z) to the line r = R + z·k exactly when R + z·k is not negative.
	if side == 0 {
		side = sideOf(s.Radius + z*k)
	}
	if side < 0 {
		if rho >= geom.Resolution {
			u += math.Pi
		}
		rho = -rho
	}
	v := ((rho-s.Radius)*k + z) / (1 + k*k)
	r := s.Radius + v*k
	if r*side < 0 {
		v, r = -s.Radius/k, 0
	}
	if math.Abs(r) < geom.Resolution {
		u = hint.X
	}
	return geom.Vec2{X: u, Y: v}, math.Hypot(r-rho, v-z)
}

// Bounds is tight.
func (s Cone) Bounds(u, v geom.Interval) geom.Box {
	k := math.Tan(s.HalfAngle)
	return revolvedBounds(&s.Frame, u, func(g, c float64) geom.Interval {
		return shift(linearRange(k*g+c, v), s.Radius*g)
	})
}

// Transform scales v with m.Scale().
func (s Cone) Transform(m geom.Transform) Surface {
	return Cone{s.Frame.Transform(m), s.Radius * m.Scale(), s.HalfAngle}
}
