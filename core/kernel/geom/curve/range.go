package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Piecewise is implemented by curves that are not infinitely smooth, or whose shape changes at known parameters:
// B-splines, polylines, composites, and curves built on them.
type Piecewise interface {
	// Breaks appends the parameters strictly inside iv where one piece ends and the next begins,
	// ascending.
	Breaks(dst []float64, iv geom.Interval) []float64
}

// RangeInverter is implemented by curves that invert over a bounded range directly; see InvertIn.
type RangeInverter interface {
	InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64)
}

// Reparametrized is implemented by curves whose parametrization Transform changes.
type Reparametrized interface {
	// TransformParam returns the parameter that t becomes under Transform(m).
	TransformParam(m geom.Transform, t float64) float64
}

// Breaks appends the parameters strictly inside iv at which c is not infinitely smooth, and the parameters that divide
// an ellipse into quarters.
func Breaks(dst []float64, c Curve, iv geom.Interval) []float64 {
	if p, ok := c.(Piecewise); ok {
		return p.Breaks(dst, iv)
	}
	return dst
}

// TransformRange returns the parameter range on c.Transform(m) of the part of c over iv.
func TransformRange(c Curve, m geom.Transform, iv geom.Interval) geom.Interval {
	return geom.Interval{Lo: transformParam(c, m, iv.Lo), Hi: transformParam(c, m, iv.Hi)}
}

func transformParam(c Curve, m geom.Transform, t float64) float64 {
	if r, ok := c.(Reparametrized); ok {
		return r.TransformParam(m, t)
	}
	return t
}

// InvertIn returns the parameter in iv of the point of c over iv that is closest to p, and the distance from p to it.
// iv may cross the seam of a periodic curve; it is then no longer than one period. A curve other than a RangeInverter
// is tabulated first, which is slow: keep a Table instead.
func InvertIn(c Curve, p geom.Vec3, iv geom.Interval) (t, dist float64) {
	if r, ok := c.(RangeInverter); ok {
		return r.InvertIn(p, iv)
	}
	return NewTable(c, iv).InvertIn(p, iv)
}

// periodicBreaks appends the sorted breaks of one period that lie strictly inside iv, repeated over all periods if
// period is not 0. breaks contains both ends of the period.
func periodicBreaks(dst, breaks []float64, iv geom.Interval, period float64) []float64 {
	first, last := breaks[0], breaks[len(breaks)-1]
	if period == 0 {
		return appendInside(dst, breaks, iv, 0)
	}
	for k := math.Floor((iv.Lo - first) / period); last+(k-1)*period < iv.Hi; k++ {
		dst = appendInside(dst, breaks[:len(breaks)-1], iv, k*period)
	}
	return dst
}

func appendInside(dst, breaks []float64, iv geom.Interval, shift float64) []float64 {
	for _, b := range breaks {
		if b += shift; b > iv.Lo && b < iv.Hi {
			dst = append(dst, b)
		}
	}
	return dst
}

// Breaks appends the ends of the axes.
func (c Ellipse) Breaks(dst []float64, iv geom.Interval) []float64 {
	quarters := [5]float64{0, 0.5 * math.Pi, math.Pi, 1.5 * math.Pi, 2 * math.Pi}
	return periodicBreaks(dst, quarters[:], iv, turn.Hi)
}

// third returns the third derivative, by a central difference of the second one for kinds that do not
// give it.
func third(c Curve, t float64) geom.Vec3 {
	if d, ok := c.(interface{ d3(t float64) geom.Vec3 }); ok {
		return d.d3(t)
	}
	const step = 1e-5 // of the domain: cube root of the rounding error, where both errors are small
	dom := c.Domain()
	h := step
	if dom.IsFinite() {
		h = step * dom.Length()
	}
	lo, hi := t-h, t+h
	if c.Period() == 0 {
		lo, hi = dom.Clamp(lo), dom.Clamp(hi)
	}
	_, _, a := c.D2(lo)
	_, _, b := c.D2(hi)
	return b.Sub(a).Scale(1 / (hi - lo))
}
