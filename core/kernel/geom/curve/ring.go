package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// EllipseForm is Center + A·cos t + B·sin t: a circle or an ellipse, or a projection of either.
type EllipseForm struct{ Center, A, B geom.Vec3 }

// AsEllipse returns a circle or an ellipse as a ring with the same parameter; ok is false for other curves.
func AsEllipse(c Curve) (r EllipseForm, ok bool) {
	switch c := c.(type) {
	case Circle:
		return EllipseForm{c.Frame.Origin, c.Frame.X.Scale(c.Radius), c.Frame.Y.Scale(c.Radius)}, true
	case Ellipse:
		return EllipseForm{c.Frame.Origin, c.Frame.X.Scale(c.Major), c.Frame.Y.Scale(c.Minor)}, true
	}
	return r, false
}

// Span returns the range along dir (unit), mm, of the stretch of the ring over a range of its parameter.
func (r *EllipseForm) Span(over geom.Interval, dir geom.Vec3) geom.Interval {
	h, a, b := r.Center.Dot(dir), r.A.Dot(dir), r.B.Dot(dir)
	at := func(t float64) float64 {
		s, c := math.Sincos(t)
		return h + a*c + b*s
	}
	from, to := at(over.Lo), at(over.Hi)
	iv := geom.Interval{Lo: min(from, to), Hi: max(from, to)}
	peak := math.Hypot(a, b) // where the tangent has no part along dir
	first := math.Atan2(b, a)
	passes := func(t float64) bool { return t+2*math.Pi*math.Ceil((over.Lo-t)/(2*math.Pi)) <= over.Hi }
	if passes(first) {
		iv.Hi = h + peak
	}
	if passes(first + math.Pi) {
		iv.Lo = h - peak
	}
	return iv
}
