package parasolid

import (
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// guide is a curve with the scale of its parameters: a parameter here is scale times the parameter in the file.
type guide struct {
	curve.Curve
	scale float64
	// iv is the range of a trimmed curve; zero for the whole curve, or if it is unknown. back is true if the trimmed
	// curve runs against the parameter.
	iv   geom.Interval
	back bool
}

// curve returns the curve of a node, without its sense.
func (g *geometry) curve(n xt.Node, depth int) (guide, error) {
	switch n.Kind() {
	case nodeLine, nodeCircle, nodeEllipse: // no entry in curves: building one is as fast as a lookup
		return g.newCurve(n, depth)
	}
	if c, ok := g.curves[n]; ok {
		return c, nil
	}
	if depth > maxChain {
		return guide{}, fail(n, "is built on itself")
	}
	c, err := g.newCurve(n, depth)
	if err == nil {
		g.curves[n] = c
	}
	return c, err
}

func (g *geometry) newCurve(n xt.Node, depth int) (guide, error) {
	switch n.Kind() {
	case nodeLine:
		o, ok := pointOf(n, "pvec")
		d, okD := vectorOf(n, "direction")
		if !ok || !okD || d.Norm() < 0.5 {
			return guide{}, fail(n, "lacks its point or direction")
		}
		return guide{Curve: curve.Line{Origin: o, Dir: d.Unit()}, scale: metre}, nil
	case nodeCircle:
		c, err := circleOf(n)
		return guide{Curve: c, scale: 1}, err
	case nodeEllipse:
		f, err := frameOf(n, "centre", "normal", "x_axis")
		if err != nil {
			return guide{}, err
		}
		a, err := lengthOf(n, "major_radius")
		if err != nil {
			return guide{}, err
		}
		b, err := lengthOf(n, "minor_radius")
		return guide{Curve: curve.Ellipse{Frame: f, Major: a, Minor: b}, scale: 1}, err
	case nodeBCurve:
		c, err := g.splineCurve(n, metre)
		return guide{Curve: c, scale: 1}, err
	case nodeTrimmedCurve:
		return g.trimmed(n, depth)
	case nodeSPCurve:
		return g.onSurface(n, depth)
	case nodeIntersection:
		return g.intersection(n, depth)
	}
	if !n.OK() {
		return guide{}, fail(n, "was to be a curve")
	}
	return guide{}, fail(n, "is a kind of curve that cannot be read")
}

func circleOf(n xt.Node) (curve.Circle, error) {
	f, err := frameOf(n, "centre", "normal", "x_axis")
	if err != nil {
		return curve.Circle{}, err
	}
	r, err := lengthOf(n, "radius")
	return curve.Circle{Frame: f, Radius: r}, err
}

// trimmed reads a trimmed curve. It has the direction of its basis if its second parameter is the larger one.
func (g *geometry) trimmed(n xt.Node, depth int) (guide, error) {
	c, err := g.curve(n.To("basis_curve"), depth+1)
	if err != nil {
		return c, err
	}
	from, to := n.Real("parm_1"), n.Real("parm_2")
	c.back = from > to
	c.iv = geom.Interval{Lo: min(from, to) * c.scale, Hi: max(from, to) * c.scale}
	if !c.iv.IsFinite() || !(c.iv.Length() > 0) {
		c.iv = geom.Interval{} // the parameter of an intersection has no counterpart
	}
	return c, nil
}

// onSurface reads a curve in the parameter plane of a surface.
func (g *geometry) onSurface(n xt.Node, depth int) (guide, error) {
	if n.To("surface").Kind() == nodeBlendedEdge {
		return g.onBlend(n, depth)
	}
	on, err := g.surface(n.To("surface"), depth+1)
	if err != nil {
		return guide{}, err
	}
	flat, err := g.splineCurve(n.To("b_curve"), 1)
	if err != nil {
		return guide{}, err
	}
	c, err := g.pushed(flat, func(t float64, iv geom.Interval) (p, d geom.Vec3) {
		const inside = 1e-9 // of the range; exactly at its end, D1 returns the derivative of the next piece
		_, by := flat.D1(min(t, iv.Hi-inside*iv.Length()))
		at := flat.At(t)
		uv, zero := on.params.apply(geom.Vec2{X: at.X, Y: at.Y}), on.params.apply(geom.Vec2{})
		p, du, dv := on.D1(uv.X, uv.Y)
		uv = on.params.apply(geom.Vec2{X: by.X, Y: by.Y}).Sub(zero)
		return p, du.Scale(uv.X).AddScaled(uv.Y, dv)
	})
	if err != nil {
		return guide{}, fail(n, "has no valid geometry: %v", err)
	}
	return guide{Curve: c, scale: 1}, nil
}

// pushed approximates the space curve of a curve in a parameter plane, and keeps its corners. to returns the point and
// the derivative at t within a range without corners.
func (g *geometry) pushed(flat *curve.BSpline, to func(t float64, iv geom.Interval) (p, d geom.Vec3)) (
	*curve.BSpline, error,
) {
	k := flat.Knots()
	var knots []float64
	var points []geom.Vec3
	from := k.Breaks()[0]
	for i, at := range k.Breaks()[1:] {
		if i+1 < k.Pieces() && k.Continuity(i+1) > 0 {
			continue
		}
		iv := geom.Interval{Lo: from, Hi: at}
		r := &sectionSet{iv: iv}
		r.section = func(t float64) section {
			p, d := to(t, iv)
			out := r.newRib(t, 1)
			out.set(0, p, 1, d, 0)
			return out
		}
		u, p, _, err := r.net(g.ctx)
		if err != nil {
			return nil, err
		}
		if len(points) > 0 { // both pieces contain the corner
			knots, u, p = knots[:len(knots)-1], u[4:], p[1:]
		}
		knots, points, from = append(knots, u...), append(points, p...), at
	}
	return curve.NewBSpline(3, knots, points, nil, false)
}

// splineCurve reads a B-spline and multiplies its coordinates by unit. A planar one has z = 0.
func (g *geometry) splineCurve(n xt.Node, unit float64) (*curve.BSpline, error) {
	s := n.To("nurbs")
	count, degree, dim := s.Int("n_vertices"), s.Int("degree"), s.Int("vertex_dim")
	knots, err := knotsOf(s, "knots", "knot_mult", "n_knots", count, degree)
	if err != nil {
		return nil, err
	}
	points, weights, err := polesOf(s, count, dim, s.Flag("rational"), unit)
	if err != nil {
		return nil, err
	}
	c, err := curve.NewBSpline(degree, knots, points, weights, s.Flag("closed") || s.Flag("periodic"))
	if err != nil {
		return nil, fail(n, "has no valid geometry: %v", err)
	}
	return c, nil
}

// knotsOf returns the flat knot vector of a curve, or of one direction of a surface.
func knotsOf(n xt.Node, set, mult, count string, points, degree int) ([]float64, error) {
	knots, times, distinct := n.To(set).Reals("knots"), n.To(mult).Ints("mult"), n.Int(count)
	if distinct < 2 || distinct > len(knots) || distinct > len(times) || points < 2 || degree < 1 || degree > points {
		return nil, fail(n, "lacks some of its knots")
	}
	want := points + degree + 1
	if want > 2*maxPoles {
		return nil, fail(n, "counts %d control points", points)
	}
	flat := make([]float64, 0, want)
	for i, k := range knots[:distinct] {
		if times[i] < 0 || times[i] > want-len(flat) {
			return nil, fail(n, "has more knots than go with %d control points of degree %d", points, degree)
		}
		for range times[i] {
			flat = append(flat, k)
		}
	}
	if len(flat) != want {
		return nil, fail(n, "has %d knots, and %d control points of degree %d", len(flat), points, degree)
	}
	return flat, nil
}

// maxPoles bounds the control points of a curve or surface.
const maxPoles = 1 << 20

// polesOf returns the control points of a curve or surface and their weights, or nil weights if it is not rational.
func polesOf(n xt.Node, count, dim int, rational bool, unit float64) (
	points []geom.Vec3, weights []float64, err error,
) {
	values := n.To("bspline_vertices").Reals("vertices")
	space := dim
	if rational {
		space--
	}
	if count < 0 || space < 2 || space > 3 || len(values) < count*dim || count > maxPoles {
		return nil, nil, fail(n, "has %d numbers for %d control points of dimension %d", len(values), count, dim)
	}
	points = make([]geom.Vec3, count)
	if rational {
		weights = make([]float64, count)
	}
	for i := range points {
		v, w := values[i*dim:(i+1)*dim], 1.0
		if rational {
			w = v[space]
			weights[i] = w
		}
		p := geom.Vec3{X: v[0], Y: v[1]}
		if space == 3 {
			p.Z = v[2]
		}
		if points[i] = p.Scale(unit / w); !points[i].IsFinite() {
			return nil, nil, fail(n, "has a control point that is no point")
		}
	}
	return points, weights, nil
}
