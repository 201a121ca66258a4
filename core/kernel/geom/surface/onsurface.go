package surface

import (
	"math"
	"slices"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// OnSurface is a curve given in the parameter plane of a surface (ISO 10303-42 PCURVE): C(t) = S(u, v)
// with u and v the X and Y of the plane curve at t. The plane curve keeps its parametrization under
// Transform. Derivatives follow from the chain rule.
//
// Inversion and bounds come from a curve.SampleTable; an unbounded curve inverts through the surface.
type OnSurface struct {
	surface Surface
	pcurve  curve.Curve
	m       geom.Transform // applied to the points of surface
	isMoved bool
	once    sync.Once
	table   *curve.SampleTable
}

var _ curve.Curve = (*OnSurface)(nil)

// NewOnSurface pushes pcurve (X = u, Y = v) through s.
func NewOnSurface(s Surface, pcurve curve.Curve) curve.Curve {
	return &OnSurface{surface: s, pcurve: pcurve, m: geom.Identity}
}

// Kind returns curve.KindOnSurface.
func (c *OnSurface) Kind() curve.Kind { return curve.KindOnSurface }

// Domain is the plane curve's.
func (c *OnSurface) Domain() geom.Interval { return c.pcurve.Domain() }

// Period is the plane curve's period: a curve that closes only around the surface is not periodic.
func (c *OnSurface) Period() float64 { return c.pcurve.Period() }

// At returns the point at t.
func (c *OnSurface) At(t float64) geom.Vec3 {
	q := c.pcurve.At(t)
	p := c.surface.At(q.X, q.Y)
	if c.isMoved {
		return c.m.Point(p)
	}
	return p
}

// D1 returns the point and the first derivative at t.
func (c *OnSurface) D1(t float64) (p, d1 geom.Vec3) {
	q, q1 := c.pcurve.D1(t)
	p, du, dv := c.surface.D1(q.X, q.Y)
	d1 = du.Scale(q1.X).AddScaled(q1.Y, dv)
	if c.isMoved {
		return c.m.Point(p), c.m.Dir(d1)
	}
	return p, d1
}

// D2 returns the point, first and second derivative at t.
func (c *OnSurface) D2(t float64) (p, d1, d2 geom.Vec3) {
	q, q1, q2 := c.pcurve.D2(t)
	d := c.surface.D2(q.X, q.Y)
	d1 = d.Du.Scale(q1.X).AddScaled(q1.Y, d.Dv)
	d2 = d.Duu.Scale(q1.X*q1.X).AddScaled(2*q1.X*q1.Y, d.Duv).AddScaled(q1.Y*q1.Y, d.Dvv).
		AddScaled(q2.X, d.Du).AddScaled(q2.Y, d.Dv)
	if c.isMoved {
		return c.m.Point(d.P), c.m.Dir(d1), c.m.Dir(d2)
	}
	return d.P, d1, d2
}

// Invert returns the parameter of the point closest to p and the distance from p to it. On an
// unbounded curve that is the local minimum next to where the plane curve comes closest to the
// parameters of p on the surface.
func (c *OnSurface) Invert(p geom.Vec3) (t, dist float64) {
	dom := c.Domain()
	if !dom.IsFinite() {
		return c.invertThrough(p, dom)
	}
	t, dist = c.sampled().InvertIn(p, dom)
	if c.Period() > 0 {
		t = dom.Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part over iv.
func (c *OnSurface) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	switch {
	case c.Domain().IsFinite():
		return c.sampled().InvertIn(p, iv)
	case iv.IsFinite():
		return curve.NewTable(c, iv).InvertIn(p, iv)
	}
	return c.invertThrough(p, iv)
}

func (c *OnSurface) sampled() *curve.SampleTable {
	c.once.Do(func() { c.table = curve.NewTable(c, c.Domain()) })
	return c.table
}

// invertThrough starts at the plane curve's points next to the parameters of p, one for every period
// of the surface around the part of the curve next to the origin.
func (c *OnSurface) invertThrough(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	q := p
	if c.isMoved {
		q = c.m.Inverse().Point(p)
	}
	uv, _ := c.surface.Invert(q)
	pu, pv := c.surface.Periods()
	line := section{c: c}
	dist = math.Inf(1)
	for i := -1.0; i <= 1; i++ {
		for j := -1.0; j <= 1; j++ {
			if i != 0 && pu == 0 || j != 0 && pv == 0 {
				continue
			}
			start, _ := c.pcurve.Invert(geom.Vec3{X: uv.X + i*pu, Y: uv.Y + j*pv})
			at, d, _ := line.descend(p, iv.Clamp(start), iv)
			if better := dist - d; better > still || better > -still && math.Abs(at) < math.Abs(t) {
				t, dist = at, d
			}
		}
	}
	return t, dist
}

// Bounds returns a box of the curve over iv.
func (c *OnSurface) Bounds(iv geom.Interval) geom.Box {
	if c.Domain().IsFinite() {
		return c.sampled().Bounds(iv)
	}
	return curve.NewTable(c, iv).Bounds(iv)
}

// Breaks appends the breaks of the plane curve, and where it crosses lines across which the surface is not smooth.
func (c *OnSurface) Breaks(dst []float64, iv geom.Interval) []float64 {
	n := len(dst)
	dst = curve.Breaks(dst, c.pcurve, iv)
	if !iv.IsFinite() {
		return dst
	}
	ends := append(append([]float64{iv.Lo}, dst[n:]...), iv.Hi)
	for _, constV := range [2]bool{false, true} {
		if w := (crossings{c.pcurve, constV}); w.isNear(c.surface, iv) {
			for i, hi := range ends[1:] {
				piece := geom.Interval{Lo: ends[i], Hi: hi}
				for _, at := range Breaks(c.surface, constV, w.span(piece)) {
					dst = w.find(dst, piece, at, 0)
				}
			}
		}
	}
	slices.Sort(dst[n:])
	const same = 1e-12 // of the range
	isSame := func(a, b float64) bool { return math.Abs(b-a) <= same*iv.Length() }
	return dst[:n+len(slices.CompactFunc(dst[n:], isSame))]
}

// crossings are where a plane curve crosses lines of constant u, or v.
type crossings struct {
	pcurve curve.Curve
	constV bool
}

// isNear reports whether the curve makes few enough turns around the surface to search all crossings.
func (w crossings) isNear(s Surface, iv geom.Interval) bool {
	const most = 64 // turns
	period, v := s.Periods()
	if w.constV {
		period = v
	}
	l := w.span(iv).Length()
	return l < math.Inf(1) && (period == 0 || l <= most*period)
}

// span is a range of the parameter that the curve does not leave over iv.
func (w crossings) span(iv geom.Interval) geom.Interval {
	box := w.pcurve.Bounds(iv)
	if w.constV {
		return geom.Interval{Lo: box.Min.Y, Hi: box.Max.Y}
	}
	return geom.Interval{Lo: box.Min.X, Hi: box.Max.X}
}

// isAbove reports whether the curve is above the line at t.
func (w crossings) isAbove(t, at float64) bool {
	p := w.pcurve.At(t)
	return w.constV && p.Y >= at || !w.constV && p.X >= at
}

// find appends the crossings of the line at a parameter over iv, which is halved until each part has one at most, or is
// short.
func (w crossings) find(dst []float64, iv geom.Interval, at float64, depth int) []float64 {
	const deepest, bisections = 6, 60
	if s := w.span(iv); at < s.Lo || at > s.Hi {
		return dst
	}
	if mid := iv.Mid(); depth < deepest {
		dst = w.find(dst, geom.Interval{Lo: iv.Lo, Hi: mid}, at, depth+1)
		return w.find(dst, geom.Interval{Lo: mid, Hi: iv.Hi}, at, depth+1)
	}
	above := w.isAbove(iv.Hi, at)
	if w.isAbove(iv.Lo, at) == above {
		return dst
	}
	lo, hi := iv.Lo, iv.Hi
	for range bisections {
		if mid := lo + (hi-lo)/2; w.isAbove(mid, at) == above {
			hi = mid
		} else {
			lo = mid
		}
	}
	return append(dst, hi)
}

// Transform returns the image with the same parametrization.
func (c *OnSurface) Transform(m geom.Transform) curve.Curve {
	return &OnSurface{surface: c.surface, pcurve: c.pcurve, m: m.Mul(c.m), isMoved: true}
}
