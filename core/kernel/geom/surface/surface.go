// Package surface implements the surfaces of a boundary representation: plane, cylinder, cone, sphere, torus, B-spline,
// linear extrusion, revolution, offset and rectangular trimmed surfaces.
//
// A surface is immutable after construction and safe for concurrent use. Lengths are mm, angles rad. Its own normal is
// ∂S/∂u × ∂S/∂v; a face adds its sense.
package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Kind names a surface type.
type Kind uint8

// The kinds, in a stable order.
const (
	KindPlane Kind = iota
	KindCylinder
	KindCone
	KindSphere
	KindTorus
	KindBSpline
	KindExtrusion
	KindRevolution
	KindOffset
	KindTrimmed
	KindFacets // triangles, see package facets
)

// Derivs is a surface point with its partial derivatives up to the second order.
type Derivs struct{ P, Du, Dv, Duu, Duv, Dvv geom.Vec3 }

// Singularity is an iso-parameter line that collapses to one point: a pole of a sphere, the apex of
// a cone, a collapsed side of a B-spline patch.
type Singularity struct {
	ConstV bool    // true: the line v = Param collapses; false: the line u = Param does
	Param  float64 // rad or the surface's own parameter
	Point  geom.Vec3
}

// Surface maps a parameter pair to a point in space.
type Surface interface {
	Kind() Kind
	// Domain is the natural parameter rectangle; either range may be unbounded.
	Domain() (u, v geom.Interval)
	// Periods are the parameter periods in u and v, 0 where the surface is not closed. At and its
	// derivatives accept any parameter in a periodic direction.
	Periods() (u, v float64)
	// Singularities lists the collapsed iso-lines inside or on the border of the domain.
	Singularities() []Singularity
	// At returns the point at (u, v).
	At(u, v float64) geom.Vec3
	// D1 returns the point and both first derivatives.
	D1(u, v float64) (p, du, dv geom.Vec3)
	// D2 returns the point and all derivatives up to the second order.
	D2(u, v float64) Derivs
	// Normal returns the unit normal Du × Dv; at a singular point its limit from inside the domain.
	Normal(u, v float64) geom.Vec3
	// Invert returns the parameters in Domain (in a periodic direction in [Lo, Lo+period)) of the
	// surface point closest to p, and the distance from p to it.
	Invert(p geom.Vec3) (uv geom.Vec2, dist float64)
	// InvertNear is Invert started from hint, a nearby parameter pair. It returns the closest point's parameters on the
	// hint's branch: periodic parameters are unwrapped to within half a period of the hint. At a singularity the free
	// coordinate is that of the hint.
	InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64)
	// Bounds returns a box that contains the surface over the rectangle: tight for analytic kinds,
	// never smaller than the surface for all others.
	Bounds(u, v geom.Interval) geom.Box
	// Transform returns the image under a similarity. Length parameters (both of a plane, v of a
	// cylinder, cone and extrusion) scale with m.Scale(); all others keep their parametrization.
	Transform(m geom.Transform) Surface
}

// IsClosed reports whether a surface has no border and so encloses a volume: each parameter is periodic or ends in
// poles.
func IsClosed(s Surface) bool {
	u, v := s.Domain()
	uPeriod, vPeriod := s.Periods()
	poles := s.Singularities()
	endsInPoles := func(iv geom.Interval, isV bool) bool {
		const same = 1e-9 // share of the range: both numbers come from the same knots or angles
		lo, hi := false, false
		for _, p := range poles {
			if p.ConstV == isV {
				lo = lo || math.Abs(p.Param-iv.Lo) <= same*(1+math.Abs(iv.Lo))
				hi = hi || math.Abs(p.Param-iv.Hi) <= same*(1+math.Abs(iv.Hi))
			}
		}
		return lo && hi && iv.IsFinite()
	}
	return (uPeriod > 0 || endsInPoles(u, false)) && (vPeriod > 0 || endsInPoles(v, true))
}
