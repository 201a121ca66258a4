package mass

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/geom/surface"
)

// panels is into how many equal parts the domain of a surface is cut about whose pieces nothing is
// known.
const panels = 8

// findBreaks finds the parameters of both axes between which the surface is smooth and turns little,
// within the extent of a face where the surface has none of its own.
func (c *column) findBreaks(lo, hi geom.Vec2) {
	u, v := c.domain[0], c.domain[1]
	if !u.IsFinite() {
		u = geom.Interval{Lo: lo.X, Hi: hi.X}
	}
	if !v.IsFinite() {
		v = geom.Interval{Lo: lo.Y, Hi: hi.Y}
	}
	c.addBreaks(c.surf, u, v)
}

func (c *column) addBreaks(s surface.Surface, u, v geom.Interval) {
	switch t := s.(type) {
	case *surface.BSpline:
		bu, bv := t.Breaks()
		p, q := t.Degrees()
		c.breaks[0], c.breaks[1] = appendSpans(c.breaks[0], bu, p), appendSpans(c.breaks[1], bv, q)
	case *surface.Extrusion:
		c.breaks[0] = curve.AppendSamples(c.breaks[0], t.Profile(), u, 0, pieceAngle)
	case *surface.Revolution:
		c.breaks[0] = evenly(c.breaks[0], u)
		c.breaks[1] = curve.AppendSamples(c.breaks[1], t.Profile(), v, 0, pieceAngle)
	case *surface.Offset:
		base, _ := t.Base()
		c.addBreaks(base, u, v)
	default:
		c.breaks[0], c.breaks[1] = evenly(c.breaks[0], u), evenly(c.breaks[1], v)
	}
}

// appendSpans appends the breaks of a knot vector. A vector of few spans of a high degree may bend as
// often as its degree in one of them, so these are cut.
func appendSpans(dst, breaks []float64, degree int) []float64 {
	const few, bent = 4, 3 // spans; the least degree with an inflexion
	n := 1
	if spans := len(breaks) - 1; degree >= bent && spans < few {
		n = (few + spans - 1) / spans
	}
	for i := 1; i < len(breaks); i++ {
		span := geom.Interval{Lo: breaks[i-1], Hi: breaks[i]}
		for k := range n {
			dst = append(dst, span.At(float64(k)/float64(n)))
		}
	}
	return append(dst, breaks[len(breaks)-1])
}

func evenly(dst []float64, iv geom.Interval) []float64 {
	for k := range panels + 1 {
		dst = append(dst, iv.At(float64(k)/panels))
	}
	return dst
}

// next returns the first line of constant u (axis 0) or v (axis 1) above t across which the surface is
// not smooth.
func (c *column) next(axis int, t float64) (float64, bool) {
	return nextBreak(c.breaks[axis], c.period[axis], t)
}

// spans counts the smooth pieces of an axis between lo and hi.
func (c *column) spans(axis int, lo, hi float64) int {
	n := 1
	for t, ok := c.next(axis, lo); ok && t < hi; t, ok = c.next(axis, t) {
		n++
	}
	return n
}

// nextBreak returns the first break above t. The breaks of a closed surface include both ends of its
// period.
func nextBreak(breaks []float64, period, t float64) (float64, bool) {
	if len(breaks) == 0 {
		return 0, false
	}
	shift := 0.0
	if period > 0 {
		shift = period * math.Floor((t-breaks[0])/period)
	}
	i, _ := slices.BinarySearch(breaks, t-shift)
	for ; i < len(breaks); i++ {
		if b := breaks[i] + shift; b > t {
			return b, true
		}
	}
	if period > 0 && len(breaks) > 1 {
		return breaks[1] + shift + period, true
	}
	return 0, false
}

// freeRate differentiates the conditions (p - S)·Su = 0 and (p - S)·Sv = 0 of the foot of a curve. A foot
// held at a border of the domain keeps that coordinate, and the other one moves along the border.
func (c *column) freeRate(uv geom.Vec2, p, d geom.Vec3) float64 {
	s := c.surf.D2(uv.X, uv.Y)
	r := p.Sub(s.P)
	e, f, g := s.Du.Norm2()-r.Dot(s.Duu), s.Du.Dot(s.Dv)-r.Dot(s.Duv), s.Dv.Norm2()-r.Dot(s.Dvv)
	a, b := d.Dot(s.Du), d.Dot(s.Dv)
	if r.Norm2() > geom.Resolution*geom.Resolution {
		if c.isHeld(uv, 0) {
			a, e, f = 0, 1, 0
		}
		if c.isHeld(uv, 1) {
			b, g, f = 0, 1, 0
		}
	}
	det := e*g - f*f
	if det <= 0 {
		return 0
	}
	if c.outer == 1 {
		return (b*e - a*f) / det
	}
	return (a*g - b*f) / det
}

// isHeld reports whether a coordinate is at the border of a domain that is not periodic.
func (c *column) isHeld(uv geom.Vec2, axis int) bool {
	x := coord(uv, axis)
	return c.period[axis] == 0 && (x <= c.domain[axis].Lo || x >= c.domain[axis].Hi)
}

// free integrates from the base line, by quadrature over each smooth piece.
func (c *column) free(uv geom.Vec2) (sum moments) {
	if c.kind == surface.KindExtrusion {
		return c.extruded(uv)
	}
	end := coord(uv, c.inner)
	lo, hi := math.Min(c.base, end), math.Max(c.base, end)
	for from := lo; from < hi; {
		to, ok := c.next(c.inner, from)
		if !ok || to > hi {
			to = hi
		}
		h := to - from
		for i, x := range gaussX {
			at := uv
			if c.inner == 0 {
				at.X = from + h*x
			} else {
				at.Y = from + h*x
			}
			p, du, dv := c.surf.D1(at.X, at.Y)
			n := du.Cross(dv)
			p = p.Sub(c.center)
			w := gaussW[i] * h
			q := w * p.Dot(n)
			sum.area += w * n.Norm()
			sum.volume += q
			sum.first = sum.first.AddScaled(q, p)
		}
		from = to
	}
	if end < c.base {
		return moments{-sum.area, -sum.volume, sum.first.Neg()}
	}
	return sum
}

// extruded has N and S·N constant along v.
func (c *column) extruded(uv geom.Vec2) moments {
	p, du, dv := c.surf.D1(uv.X, uv.Y)
	n := du.Cross(dv)
	o := p.Sub(c.center).AddScaled(-uv.Y, dv) // the profile's point
	h := uv.Y - c.base
	q := o.Dot(n)
	return moments{
		area:   h * n.Norm(),
		volume: h * q,
		first:  o.Scale(h).AddScaled(0.5*(uv.Y*uv.Y-c.base*c.base), dv).Scale(q),
	}
}
