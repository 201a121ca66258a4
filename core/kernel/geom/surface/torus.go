package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// TorusPart selects the part of a self-intersecting torus (Minor > Major).
type TorusPart uint8

// The parts. With φ = arccos(-Major/Minor) the meridian circle crosses the axis at v = φ and 2π - φ.
const (
	// Whole is the whole parameter range, self-intersecting when Minor > Major.
	Whole TorusPart = iota
	// Apple is the outer skin, v in [-φ, φ] (DEGENERATE_TOROIDAL_SURFACE with select_outer true).
	Apple
	// Lemon is the inner spindle, v in [φ, 2π-φ] (select_outer false); its points lie opposite to
	// the direction u.
	Lemon
)

// Torus is S(u, v) = O + (R + r·cos v)·(cos u·X + sin u·Y) + r·sin v·Z with the major radius R and the minor radius r
// (ISO 10303-42 TOROIDAL_SURFACE, DEGENERATE_TOROIDAL_SURFACE); both parameters are angles. The normal points out of
// the tube where R + r·cos v is positive and into it on the spindle. A torus with Minor < Major is Whole for any Part.
type Torus struct {
	Frame        geom.Frame
	Major, Minor float64 // mm, Minor positive, Major not negative
	Part         TorusPart
}

var _ Surface = Torus{}

// DefaultTorusPart returns the torus that writers mean if they state no part: all of it, or the skin where the tube
// crosses the axis. Radii that differ only by rounding, so that both crossings are one point, become equal: a horn,
// which closes in v.
func DefaultTorusPart(f geom.Frame, major, minor float64) Torus {
	t := Torus{Frame: f, Major: major, Minor: minor}
	switch apart := (minor - major) * (minor + major); {
	case apart <= 0:
	case apart <= geom.Resolution*geom.Resolution:
		t.Minor = major
	default:
		t.Part = Apple
	}
	return t
}

func (s *Torus) meridian(v float64) meridian {
	sin, cos := math.Sincos(v)
	a, z := s.Minor*cos, s.Minor*sin
	return meridian{r: s.Major + a, z: z, r1: -z, z1: a, r2: -a, z2: -z}
}

// part is Part where the torus meets its axis, else Whole.
func (s *Torus) part() TorusPart {
	if s.Minor < s.Major {
		return Whole
	}
	return s.Part
}

// crossing returns φ, the v in [π/2, π] at which the meridian meets the axis.
func (s *Torus) crossing() float64 { return math.Acos(-math.Min(1, s.Major/s.Minor)) }

// Kind returns KindTorus.
func (s Torus) Kind() Kind { return KindTorus }

// Domain is [0, 2π] in u and the range of the part in v.
func (s Torus) Domain() (u, v geom.Interval) {
	switch phi := s.crossing(); s.part() {
	case Apple:
		return fullTurn, geom.Interval{Lo: -phi, Hi: phi}
	case Lemon:
		return fullTurn, geom.Interval{Lo: phi, Hi: turn - phi}
	default:
		return fullTurn, fullTurn
	}
}

// Periods are both 2π; an Apple or Lemon is not periodic in v.
func (s Torus) Periods() (u, v float64) {
	if s.part() == Whole {
		return turn, turn
	}
	return turn, 0
}

// Singularities returns the points where the tube meets the axis, in the order of v.
func (s Torus) Singularities() []Singularity {
	if s.Major-s.Minor > geom.Resolution {
		return nil
	}
	phi := s.crossing()
	h := s.Minor * math.Sin(phi)
	at := func(v, z float64) Singularity {
		return Singularity{ConstV: true, Param: v, Point: s.Frame.Origin.AddScaled(z, s.Frame.Z)}
	}
	switch part := s.part(); {
	case part == Apple:
		return []Singularity{at(-phi, -h), at(phi, h)}
	case part == Whole && h < geom.Resolution:
		return []Singularity{at(math.Pi, 0)}
	default:
		return []Singularity{at(phi, h), at(turn-phi, -h)}
	}
}

// At implements Surface.
func (s Torus) At(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.at(&s.Frame, u)
}

// D1 implements Surface.
func (s Torus) D1(u, v float64) (p, du, dv geom.Vec3) {
	m := s.meridian(v)
	return m.d1(&s.Frame, u)
}

// D2 implements Surface.
func (s Torus) D2(u, v float64) Derivs {
	m := s.meridian(v)
	return m.d2(&s.Frame, u)
}

// Normal implements Surface; where a Whole torus meets its axis it is the limit from the outer skin.
func (s Torus) Normal(u, v float64) geom.Vec3 {
	m := s.meridian(v)
	return m.normal(&s.Frame, u, s.side(&m))
}

// side is -1 on the spindle, where the normal points into the tube.
func (s *Torus) side(m *meridian) float64 {
	switch part := s.part(); {
	case part == Lemon, part == Whole && m.r < -geom.Resolution:
		return -1
	}
	return 1
}

// Bounds is tight: r·g + z·c is a harmonic of v for each end of g.
func (s Torus) Bounds(u, v geom.Interval) geom.Box {
	return revolvedBounds(&s.Frame, u, func(g, c float64) geom.Interval {
		return shift(harmonicRange(s.Minor*g, s.Minor*c, v), s.Major*g)
	})
}

// Transform keeps the parametrization.
func (s Torus) Transform(m geom.Transform) Surface {
	k := m.Scale()
	return Torus{s.Frame.Transform(m), s.Major * k, s.Minor * k, s.Part}
}

// Invert is closed form: the foot point on the nearer of the two circles in the axial plane of p.
func (s Torus) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	uv, dist = s.footPoint(p, geom.Vec2{}, s.part())
	uv.X = fullTurn.Wrap(uv.X)
	if s.part() == Whole {
		uv.Y = fullTurn.Wrap(uv.Y)
	}
	return uv, dist
}

// InvertNear is closed form. On a self-intersecting torus it stays on the hint's side of the points where the tube
// meets the axis. On the axis u is the hint's, on the core circle v is.
func (s Torus) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	part := s.part()
	if part == Whole && s.Minor > s.Major {
		switch r := s.Major + s.Minor*math.Cos(hint.Y); {
		case r > geom.Resolution:
			part = Apple
		case r < -geom.Resolution:
			part = Lemon
		}
	}
	uv, dist = s.footPoint(p, hint, part)
	uv.X = unwrap(uv.X, hint.X, turn)
	if s.part() == Whole {
		uv.Y = unwrap(uv.Y, hint.Y, turn)
	}
	return uv, dist
}

// footPoint returns the closest point on the given part.
func (s *Torus) footPoint(p geom.Vec3, hint geom.Vec2, part TorusPart) (uv geom.Vec2, dist float64) {
	u, rho, z := cylindrical(&s.Frame, p, hint.X)
	opposite := u + math.Pi
	if rho < geom.Resolution {
		opposite = u
	}
	phi := s.crossing()
	switch part {
	case Apple:
		return s.arcFootPoint(u, rho, z, hint, geom.Interval{Lo: -phi, Hi: phi})
	case Lemon:
		return s.arcFootPoint(opposite, -rho, z, hint, geom.Interval{Lo: phi, Hi: turn - phi})
	}
	uv, dist = s.arcFootPoint(u, rho, z, hint, wholeLine)
	if s.Minor > s.Major {
		if uv2, d2 := s.arcFootPoint(opposite, -rho, z, hint, wholeLine); d2 < dist {
			return uv2, d2
		}
	}
	return uv, dist
}

// arcFootPoint returns the closest point on the arc v of the meridian circle to (rho, z) in the axial
// half-plane at u; a negative rho is the distance to the other side of the axis.
func (s *Torus) arcFootPoint(u, rho, z float64, hint geom.Vec2, arc geom.Interval) (uv geom.Vec2, dist float64) {
	v := hint.Y
	if math.Hypot(rho-s.Major, z) >= geom.Resolution {
		v = math.Atan2(z, rho-s.Major)
	}
	if arc.IsFinite() {
		v = arc.Clamp(unwrap(v, arc.Mid(), turn))
	}
	sin, cos := math.Sincos(v)
	r := s.Major + s.Minor*cos
	if math.Abs(r) < geom.Resolution {
		u = hint.X
	}
	return geom.Vec2{X: u, Y: v}, math.Hypot(r-rho, s.Minor*sin-z)
}
