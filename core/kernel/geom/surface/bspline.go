package surface

import (
	"fmt"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/internal/tensor"
)

// BSpline is a tensor-product B-spline surface, rational or not (ISO 10303-42 B_SPLINE_SURFACE and its subtypes). Its
// closed directions and collapsed sides are determined from the geometry, not from flags of a file. Package tensor
// evaluates it.
type BSpline struct {
	net            *tensor.Net
	u, v           geom.Interval
	closedU        bool
	closedV        bool
	singular       []Singularity
	size           float64 // mm, diagonal of the control points
	slackU, slackV float64 // |Du| and |Dv| below which the direction is noise
}

var _ Surface = (*BSpline)(nil)

const (
	// sideTolerance (mm) is the largest distance of the two sides of a closed surface, or of the points of a collapsed
	// side: the coarsest accuracy with which CAD kernels write exact geometry.
	sideTolerance = 1e-5
	// flatDerivative is the fraction of the size over the domain below which a derivative has no
	// direction: there rounding, 1e-16 of the size, and the distance from the point where it vanishes
	// turn the normal by about the same.
	flatDerivative = 1e-8
)

// NewBSpline checks and builds a surface from flat knot vectors and control points with the index of
// v running fastest: points[i·nv+j]. Nil or equal weights make it polynomial.
func NewBSpline(degU, degV int, knotsU, knotsV []float64, points []geom.Vec3, weights []float64) (
	*BSpline, error,
) {
	net, err := tensor.New(degU, degV, knotsU, knotsV, points, weights)
	if err != nil {
		return nil, fmt.Errorf("spline surface: %w", err)
	}
	s := &BSpline{net: net, u: net.U.Domain(), v: net.V.Domain()}
	s.size = net.Hull().Diagonal()
	gapV, gapU := s.findCollapsed(false, s.u), s.findCollapsed(true, s.v)
	s.slackU = margin(s.size, gapU, net.U)
	s.slackV = margin(s.size, gapV, net.V)
	s.closedU = s.meets(false)
	s.closedV = s.meets(true)
	return s, nil
}

// margin returns the length below which a derivative along k may be rounding. For a side that collapses only within gap
// (mm) it is at least twice the length that this gap can cause.
func margin(size, gap float64, k *bspline.Knots) float64 {
	return max(flatDerivative*size, 2*gap*float64(k.Degree()*k.Pieces())) / k.Domain().Length()
}

// findCollapsed records the sides at the ends of iv, v = const or u = const, that are one point, and returns the
// largest remaining size.
func (s *BSpline) findCollapsed(constV bool, iv geom.Interval) (gap float64) {
	if s.size <= sideTolerance {
		return 0
	}
	for _, t := range [2]float64{iv.Lo, iv.Hi} {
		box := geom.BoxOf(s.net.IsoControl(constV, t)...)
		if d := box.Diagonal(); d <= sideTolerance {
			s.singular = append(s.singular, Singularity{ConstV: constV, Param: t, Point: box.Center()})
			gap = max(gap, d)
		}
	}
	return gap
}

// meets reports whether the first and the last iso-curve of one direction coincide point by point, while the surface
// between them leaves the tolerance.
func (s *BSpline) meets(alongU bool) bool {
	across, along := s.u, s.net.V
	at := s.net.At
	if alongU {
		across, along = s.v, s.net.U
		at = func(a, b float64) geom.Vec3 { return s.net.At(b, a) }
	}
	for _, g := range s.singular {
		if g.ConstV == alongU {
			return false
		}
	}
	// Two rational curves of degree p that agree at 2p+1 parameters of a piece are the same.
	breaks, n := along.Breaks(), 2*along.Degree()+1
	width := 0.0
	for k := range along.Pieces() {
		for i := range n {
			t := geom.Interval{Lo: breaks[k], Hi: breaks[k+1]}.At(float64(i) / float64(n-1))
			p := at(across.Lo, t)
			if p.Dist(at(across.Hi, t)) > sideTolerance {
				return false
			}
			width = max(width, p.Dist(at(across.At(1./3), t)), p.Dist(at(across.Mid(), t)))
		}
	}
	return width > 2*sideTolerance
}

// Kind returns KindBSpline.
func (s *BSpline) Kind() Kind { return KindBSpline }

// Domain returns the ranges of the knot vectors.
func (s *BSpline) Domain() (u, v geom.Interval) { return s.u, s.v }

// Periods returns the length of the domain where opposite sides coincide.
func (s *BSpline) Periods() (u, v float64) {
	if s.closedU {
		u = s.u.Length()
	}
	if s.closedV {
		v = s.v.Length()
	}
	return u, v
}

// Singularities returns the sides that collapse to a point.
func (s *BSpline) Singularities() []Singularity { return s.singular }

// Degrees returns the polynomial degrees.
func (s *BSpline) Degrees() (u, v int) { return s.net.U.Degree(), s.net.V.Degree() }

// Breaks returns the distinct knots of each direction, at which the surface may be less than smooth;
// they must not be modified.
func (s *BSpline) Breaks() (u, v []float64) { return s.net.U.Breaks(), s.net.V.Breaks() }

// WeightRatio returns the largest weight of a control point over the smallest, 1 for a polynomial surface.
func (s *BSpline) WeightRatio() float64 { return s.net.WeightRatio() }

// Net returns the net of control points that the surface evaluates.
func (s *BSpline) Net() *tensor.Net { return s.net }

// Inside moves parameters of closed directions into the domain. It leaves both ends of the domain unchanged.
func (s *BSpline) Inside(u, v float64) (float64, float64) {
	if s.closedU && (u < s.u.Lo || u > s.u.Hi) {
		u = s.u.Wrap(u)
	}
	if s.closedV && (v < s.v.Lo || v > s.v.Hi) {
		v = s.v.Wrap(v)
	}
	return u, v
}

// At implements Surface.
func (s *BSpline) At(u, v float64) geom.Vec3 { return s.net.At(s.Inside(u, v)) }

// D1 implements Surface; at a knot the derivatives are the right-hand ones.
func (s *BSpline) D1(u, v float64) (p, du, dv geom.Vec3) { return s.net.D1(s.Inside(u, v)) }

// D2 implements Surface; at a knot the derivatives are the right-hand ones.
func (s *BSpline) D2(u, v float64) Derivs {
	var j tensor.Jet
	u, v = s.Inside(u, v)
	s.net.D2(u, v, &j)
	return Derivs(j)
}

// Normal implements Surface.
func (s *BSpline) Normal(u, v float64) geom.Vec3 {
	_, du, dv := s.D1(u, v)
	if n, ok := unitCross(du, dv, s.slackU, s.slackV); ok {
		return n
	}
	return limitNormal(s, s.u, s.v, u, v, s.slackU, s.slackV)
}

// Transform keeps the parametrization.
func (s *BSpline) Transform(m geom.Transform) Surface {
	t := *s
	t.net = s.net.Transform(m)
	t.singular = transformSingular(s.singular, m)
	k := m.Scale()
	t.size, t.slackU, t.slackV = k*s.size, k*s.slackU, k*s.slackV
	return &t
}

func transformSingular(list []Singularity, m geom.Transform) []Singularity {
	if list == nil {
		return nil
	}
	out := append([]Singularity(nil), list...)
	for i := range out {
		out[i].Point = m.Point(out[i].Point)
	}
	return out
}

// Bounds returns a box that is too large by at most 1e-7 of the size. In a closed direction any range is accepted.
func (s *BSpline) Bounds(u, v geom.Interval) geom.Box {
	box := geom.EmptyBox()
	var us, vs [2]geom.Interval
	for _, a := range pieces(us[:0], u, s.u, s.closedU) {
		for _, b := range pieces(vs[:0], v, s.v, s.closedV) {
			box = box.Union(s.net.Bounds(a, b))
		}
	}
	return box
}

// pieces appends the parts of dom that iv covers: one, or two across the seam of a closed direction.
func pieces(dst []geom.Interval, iv, dom geom.Interval, closed bool) []geom.Interval {
	switch {
	case !closed:
		return append(dst, geom.Interval{Lo: dom.Clamp(iv.Lo), Hi: dom.Clamp(iv.Hi)})
	case iv.Length() >= dom.Length():
		return append(dst, dom)
	case iv.Lo >= dom.Lo && iv.Hi <= dom.Hi:
		return append(dst, iv)
	}
	lo := dom.Wrap(iv.Lo)
	hi := lo + iv.Length()
	if hi <= dom.Hi {
		return append(dst, geom.Interval{Lo: lo, Hi: hi})
	}
	return append(dst, geom.Interval{Lo: lo, Hi: dom.Hi}, geom.Interval{Lo: dom.Lo, Hi: hi - dom.Length()})
}
