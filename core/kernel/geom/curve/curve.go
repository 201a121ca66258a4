// Package curve implements the curves of a boundary representation: line, conics, B-spline, trimmed, polyline,
// composite and offset curves.
//
// A curve is immutable after construction and safe for concurrent use. Lengths are mm, angles rad.
package curve

import "millwright.dev/millwright/core/kernel/geom"

// Kind names a curve type.
type Kind uint8

// The kinds, in a stable order.
const (
	KindLine Kind = iota
	KindCircle
	KindEllipse
	KindHyperbola
	KindParabola
	KindBSpline
	KindTrimmed
	KindPolyline
	KindComposite
	KindOffset
	KindOnSurface // surface.OnSurface, a curve given in the parameter plane of a surface
)

// Curve maps a parameter to a point in space.
type Curve interface {
	Kind() Kind
	// Domain is the natural parameter range: unbounded for a line, [0, 2π] for a circle.
	Domain() geom.Interval
	// Period is the parameter period of a closed periodic curve, 0 otherwise. At and its derivatives
	// accept any parameter when the period is not 0. A closed B-spline has the length of its domain.
	Period() float64
	// At returns the point at t.
	At(t float64) geom.Vec3
	// D1 returns the point and the first derivative at t.
	D1(t float64) (p, d1 geom.Vec3)
	// D2 returns the point, first and second derivative at t.
	D2(t float64) (p, d1, d2 geom.Vec3)
	// Invert returns the parameter in Domain (for a periodic curve in [Domain.Lo, Domain.Lo+Period))
	// of the curve point closest to p, and the distance from p to it.
	Invert(p geom.Vec3) (t, dist float64)
	// Bounds returns a box that contains the curve over iv: tight (within 1e-9 of its size) for lines
	// and conics, and for all others never smaller than the curve and within 1e-6 of its size.
	Bounds(iv geom.Interval) geom.Box
	// Transform returns the image under a similarity. All kinds keep their parametrization except lines, whose
	// parameter is arc length and so scales with m.Scale(), and curves built on lines: see TransformRange.
	Transform(m geom.Transform) Curve
}

var (
	_ Curve = Line{}
	_ Curve = Circle{}
	_ Curve = Ellipse{}
	_ Curve = Hyperbola{}
	_ Curve = Parabola{}
	_ Curve = (*BSpline)(nil)
	_ Curve = (*Trimmed)(nil)
	_ Curve = (*Polyline)(nil)
	_ Curve = (*Composite)(nil)
	_ Curve = (*Offset)(nil)
)
