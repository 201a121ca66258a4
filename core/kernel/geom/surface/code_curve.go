package surface

import (
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// conic serializes a line or conic.
func (g *Archive) conic(kind curve.Kind, v *curve.Curve) {
	switch kind {
	case curve.KindLine:
		c, _ := (*v).(curve.Line)
		g.Vec(&c.Origin)
		g.Dir(&c.Dir)
		hand(g, v, c, nil)
	case curve.KindCircle:
		c, _ := (*v).(curve.Circle)
		g.Frame(&c.Frame)
		g.Float(&c.Radius)
		hand(g, v, c, nil)
	case curve.KindEllipse:
		c, _ := (*v).(curve.Ellipse)
		g.Frame(&c.Frame)
		g.Floats(&c.Major, &c.Minor)
		hand(g, v, c, nil)
	case curve.KindHyperbola:
		c, _ := (*v).(curve.Hyperbola)
		g.Frame(&c.Frame)
		g.Floats(&c.Major, &c.Minor)
		hand(g, v, c, nil)
	case curve.KindParabola:
		c, _ := (*v).(curve.Parabola)
		g.Frame(&c.Frame)
		g.Float(&c.Focal)
		hand(g, v, c, nil)
	}
}

// builtCurve serializes a curve that is held by a pointer.
func (g *Archive) builtCurve(kind curve.Kind, v *curve.Curve) {
	switch kind {
	case curve.KindBSpline:
		c, _ := (*v).(*curve.BSpline)
		g.spline(v, c)
	case curve.KindTrimmed:
		var c curve.Trimmed
		if t, ok := (*v).(*curve.Trimmed); ok {
			c = *t
		}
		g.base(&c.Base)
		g.interval(&c.Range)
		g.Flags(&c.Reversed)
		hand(g, v, &c, nil)
	case curve.KindPolyline:
		g.polyline(v)
	case curve.KindComposite:
		g.composite(v)
	case curve.KindOffset:
		g.offsetCurve(v)
	case curve.KindOnSurface:
		g.onSurface(v)
	default:
		g.Fail("there is no curve of kind %d", kind)
	}
}

func (g *Archive) spline(v *curve.Curve, c *curve.BSpline) {
	var knots *bspline.Knots
	var points []geom.Vec3
	var weights []float64
	var closed bool
	if c != nil {
		knots, points, weights, closed = c.Knots(), c.Points(), c.Weights(), c.Period() > 0
	}
	g.Knots(&knots)
	g.Vecs(&points)
	g.Row(&weights)
	g.Flags(&closed)
	if g.Reading() && g.Err() == nil {
		c, err := curve.RestoreBSpline(knots, points, weights, closed)
		hand(g, v, c, err)
	}
}

func (g *Archive) polyline(v *curve.Curve) {
	var points []geom.Vec3
	var closed bool
	if c, ok := (*v).(*curve.Polyline); ok {
		points, closed = c.Points(), c.Period() > 0
	}
	g.Vecs(&points)
	g.Flags(&closed)
	if g.Reading() && g.Err() == nil {
		c, err := curve.RestorePolyline(points, closed)
		hand(g, v, c, err)
	}
}

func (g *Archive) composite(v *curve.Curve) {
	var segments []curve.Curve
	var closed bool
	if c, ok := (*v).(*curve.Composite); ok {
		segments, closed = c.Segments(), c.Period() > 0
	}
	n, isNil := g.Count(len(segments), segments == nil, 1)
	if g.Reading() && !isNil {
		segments = make([]curve.Curve, n)
	}
	for i := range segments {
		s := segments[i]
		if g.Curve(&s); g.Err() != nil {
			return
		}
		if g.Reading() {
			segments[i] = s
		}
	}
	g.Flags(&closed)
	if g.Reading() && g.Err() == nil {
		c, err := curve.RestoreComposite(segments, closed)
		hand(g, v, c, err)
	}
}

func (g *Archive) offsetCurve(v *curve.Curve) {
	var base curve.Curve
	var distance float64
	var ref geom.Vec3
	if c, ok := (*v).(*curve.Offset); ok {
		base, distance, ref = c.Base, c.Distance, c.Ref
	}
	if g.base(&base) && !base.Domain().IsFinite() {
		g.Fail("an offset curve is built on an unbounded one")
	}
	g.Float(&distance)
	g.Dir(&ref)
	hand(g, v, &curve.Offset{Base: base, Distance: distance, Ref: ref}, nil)
}

func (g *Archive) onSurface(v *curve.Curve) {
	c, _ := (*v).(*OnSurface)
	if c == nil {
		c = &OnSurface{m: geom.Identity}
	}
	s, pcurve, m, isMoved := c.surface, c.pcurve, c.m, c.isMoved
	g.support(&s)
	g.base(&pcurve)
	if g.Flags(&isMoved); isMoved {
		for _, x := range []*geom.Vec3{&m.X, &m.Y, &m.Z, &m.T} {
			g.Vec(x)
		}
	}
	hand(g, v, &OnSurface{surface: s, pcurve: pcurve, m: m, isMoved: isMoved}, nil)
}
