package mass

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// panels is the number of equal parts of the domain of a surface with unknown pieces.
const panels = 8

// findBreaks finds the parameters of both axes between which the surface is smooth and turns little, within the extent
// of a face where the surface has no breaks.
func (c *column) findBreaks(lo, hi geom.Vec2) {
	for axis, iv := range c.domain {
		if !iv.IsFinite() {
			iv = geom.Interval{Lo: coord(lo, axis), Hi: coord(hi, axis)}
		}
		c.breaks[axis] = pieces(c.surf, axis, iv)
	}
}

// pieces returns where a surface is cut over a range of an axis, both ends included: across each line where it is not
// smooth, and between these where it turns.
func pieces(s surface.Surface, axis int, iv geom.Interval) []float64 {
	switch t := s.(type) {
	case *surface.Offset:
		base, _ := t.Base()
		return pieces(base, axis, iv)
	case *surface.Trimmed:
		return t.OfBase(axis == 1, iv, func(iv geom.Interval) []float64 { return pieces(t.Base, axis, iv) })
	}
	breaks := append([]float64{iv.Lo}, surface.Breaks(s, axis == 1, iv)...)
	breaks = append(breaks, iv.Hi)
	switch t := s.(type) {
	case *surface.BSpline:
		p, q := t.Degrees()
		return spans(breaks, [2]int{p, q}[axis])
	case *surface.Extrusion:
		if axis == 0 {
			return bends(breaks, t.Profile())
		}
		return breaks
	case *surface.Revolution:
		if axis == 1 {
			return bends(breaks, t.Profile())
		}
	}
	return evenly(breaks, panels)
}

// spans divides the spans of a knot vector. A span of high degree may oscillate once per degree; if there are few
// spans, they are divided further.
func spans(knots []float64, degree int) []float64 {
	const few, bent = 4, 3 // spans; the least degree with an inflexion
	if n := len(knots) - 1; degree >= bent && n < few {
		return evenly(knots, (few+n-1)/n)
	}
	return knots
}

// bends cuts pieces of a profile where they turn.
func bends(breaks []float64, profile curve.Curve) []float64 {
	var list []float64
	for i, hi := range breaks[1:] {
		list = curve.AppendSamples(list[:max(0, len(list)-1)], profile, geom.Interval{Lo: breaks[i], Hi: hi},
			0, pieceAngle)
	}
	return list
}

// evenly cuts each piece into n.
func evenly(breaks []float64, n int) []float64 {
	var list []float64
	for i, hi := range breaks[1:] {
		iv := geom.Interval{Lo: breaks[i], Hi: hi}
		for k := range n {
			list = append(list, iv.At(float64(k)/float64(n)))
		}
	}
	return append(list, breaks[len(breaks)-1])
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

// freeRate differentiates the conditions (p - S)·Su = 0 and (p - S)·Sv = 0 of the foot point of a curve. A foot point
// fixed at a border of the domain keeps that coordinate, and the other one moves along the border.
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
			at := withCoord(uv, c.inner, from+h*x)
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
