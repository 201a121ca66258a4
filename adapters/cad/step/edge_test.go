package step

import (
	"fmt"
	"math"
	"testing"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// oneEdge writes a sheet with one plane face whose loop has only the edge on c between two points (one
// vertex when they are equal) and returns the model.
func oneEdge(t *testing.T, curveOf func(w *text) string, sense, use bool, p0, p1 geom.Vec3) *brep.Model {
	t.Helper()
	w := &text{}
	v0 := w.vertex(p0)
	v1 := v0
	if p1 != p0 {
		v1 = w.vertex(p1)
	}
	edge := w.add("EDGE_CURVE('',%s,%s,%s,%s)", v0, v1, curveOf(w), logical(sense))
	loop := w.add("EDGE_LOOP('',(%s))", w.add("ORIENTED_EDGE('',*,*,%s,%s)", edge, logical(use)))
	plane := w.add("PLANE('',%s)", w.placement(geom.Vec3{}, unitZ, unitX))
	face := w.add("ADVANCED_FACE('',(%s),%s,.T.)", w.add("FACE_BOUND('',%s,.T.)", loop), plane)
	w.part(w.add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.add("OPEN_SHELL('',(%s))", face)))
	return mustRead(t, w.file())
}

func circle(w *text) string {
	return w.add("CIRCLE('',%s,2.)", w.placement(geom.Vec3{}, unitZ, unitX))
}

// trimmedAgainst is the circle clockwise, as a trimmed curve against its basis.
func trimmedAgainst(w *text) string {
	return w.add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(1.)),(PARAMETER_VALUE(0.)),.F.,.PARAMETER.)", circle(w))
}

func onSurfaces(w *text) string {
	return w.add("SEAM_CURVE('',%s,(),.CURVE_3D.)", w.add("SURFACE_CURVE('',%s,(),.PCURVE_S1.)", circle(w)))
}

// spline is a closed B-spline: a square with rounded corners, periodic over [0, 4], start at (2, 0).
func spline(w *text) string {
	return w.add("(BOUNDED_CURVE()B_SPLINE_CURVE(2,%s,.UNSPECIFIED.,.T.,.F.)"+
		"B_SPLINE_CURVE_WITH_KNOTS((3,2,2,2,3),(0.,1.,2.,3.,4.),.UNSPECIFIED.)CURVE()"+
		"RATIONAL_B_SPLINE_CURVE((1.,0.7071067811865476,1.,0.7071067811865476,1.,0.7071067811865476,1.,"+
		"0.7071067811865476,1.))REPRESENTATION_ITEM(''))", w.ring())
}

// ring writes the control points of a circle of radius 2.
func (w *text) ring() string {
	var ids []string
	for _, p := range [][2]float64{{2, 0}, {2, 2}, {0, 2}, {-2, 2}, {-2, 0}, {-2, -2}, {0, -2}, {2, -2}, {2,
		0}} {
		ids = append(ids, w.point(geom.Vec3{X: p[0], Y: p[1]}))
	}
	return list(ids...)
}

func TestEdgeRanges(t *testing.T) {
	on := func(deg float64) geom.Vec3 {
		s, c := math.Sincos(deg * math.Pi / 180)
		return geom.Vec3{X: 2 * c, Y: 2 * s}
	}
	parabola := func(w *text) string {
		return w.add("PARABOLA('',%s,0.5)", w.placement(geom.Vec3{}, unitZ, unitX))
	}
	hyperbola := func(w *text) string {
		return w.add("HYPERBOLA('',%s,1.,1.)", w.placement(geom.Vec3{}, unitZ, unitX))
	}
	ellipse := func(w *text) string {
		return w.add("ELLIPSE('',%s,1.,2.)", w.placement(geom.Vec3{}, unitZ, unitX))
	}
	line := func(w *text) string { return w.line(geom.Vec3{X: -1}, unitX) }
	for _, c := range []struct {
		name       string
		curve      func(w *text) string
		sense, use bool
		p0, p1     geom.Vec3
		mid        geom.Vec3 // the point in the middle of the edge
		reversed   bool      // the coedge
	}{
		{"arc", circle, true, true, on(0), on(90), on(45), false},
		{"arc used backwards", circle, true, false, on(0), on(90), on(45), true},
		{"arc against the circle", circle, false, true, on(90), on(0), on(45), true},
		{"long arc against the circle", circle, false, true, on(0), on(90), on(225), true},
		{"arc over the seam", circle, true, true, on(300), on(60), on(0), false},
		{"arc to the seam", circle, true, true, on(270), on(0), on(315), false},
		{"tiny arc", circle, true, true, on(10), on(10.001), on(10.0005), false},
		{"nearly whole circle", circle, true, true, on(10.001), on(10), on(190.0005), false},
		{"whole circle", circle, true, true, on(0), on(0), on(180), false},
		{"whole circle from elsewhere", circle, true, true, on(100), on(100), on(280), false},
		{"whole circle backwards", circle, false, true, on(100), on(100), on(280), true},
		{"trimmed curve", trimmedAgainst, true, true, on(60), on(0), on(30), true},
		{"trimmed curve the long way", trimmedAgainst, true, true, on(0), on(60), on(210), true},
		{"trimmed curve, edge against it", trimmedAgainst, false, true, on(0), on(60), on(30), false},
		{"curve on surfaces", onSurfaces, true, true, on(0), on(90), on(45), false},
		{"closed spline", spline, true, true, on(0), on(0), on(180), false},
		{"closed spline from elsewhere", spline, true, true, on(90), on(90), on(270), false},
		{"part of a closed spline over its seam", spline, true, true, on(270), on(90), on(0), false},
		{"part of a closed spline, backwards", spline, false, true, on(90), on(270), on(0), true},
		{"line", line, true, true, geom.Vec3{}, geom.Vec3{X: 4}, geom.Vec3{X: 2}, false},
		{"line whose sense is wrong", line, false, true, geom.Vec3{}, geom.Vec3{X: 4}, geom.Vec3{X: 2}, false},
		{"line backwards", line, true, true, geom.Vec3{X: 4}, geom.Vec3{}, geom.Vec3{X: 2}, true},
		{"parabola", parabola, true, true, geom.Vec3{X: 0.5, Y: -1}, geom.Vec3{X: 0.5, Y: 1}, geom.Vec3{}, false},
		{"hyperbola", hyperbola, true, true, geom.Vec3{X: math.Cosh(1), Y: -math.Sinh(1)},
			geom.Vec3{X: math.Cosh(1), Y: math.Sinh(1)}, geom.Vec3{X: 1}, false},
		{"ellipse longer in y", ellipse, true, true, geom.Vec3{Y: -2}, geom.Vec3{Y: 2}, geom.Vec3{X: 1}, false},
	} {
		m := oneEdge(t, c.curve, c.sense, c.use, c.p0, c.p1)
		checkEdges(t, m)
		e := m.Edges[0]
		if e.Curve == nil {
			t.Errorf("%s: no curve", c.name)
			continue
		}
		if got := e.Curve.At(e.Range.Mid()); got.Dist(c.mid) > 1e-6 {
			t.Errorf("%s: middle of the edge at %v, want %v (range %v)", c.name, got, c.mid, e.Range)
		}
		if got := m.Coedges[0].Reversed; got != c.reversed {
			t.Errorf("%s: coedge reversed %v, want %v", c.name, got, c.reversed)
		}
		if start := m.Vertices[m.CoedgeStart(0)].Point; c.use && start.Dist(c.p0) > 1e-9 || !c.use &&
			start.Dist(c.p1) > 1e-9 {
			t.Errorf("%s: the loop starts at %v", c.name, start)
		}
		if e.Tolerance != 0 {
			t.Errorf("%s: tolerance %g", c.name, e.Tolerance)
		}
	}
}

func TestEdgeToleranceWidens(t *testing.T) {
	line := func(w *text) string { return w.line(geom.Vec3{}, unitX) }
	m := oneEdge(t, line, true, true, geom.Vec3{Y: 0.03}, geom.Vec3{X: 4, Y: -0.2})
	checkEdges(t, m)
	if e := m.Edges[0]; !near(e.Tolerance, 0.2, 1e-6) {
		t.Errorf("tolerance %g, want 0.2", e.Tolerance)
	}
	if w := hasWarning(m, "vertex_off_curve"); w == nil || w.Count != 1 {
		t.Errorf("warnings %v", m.Warnings)
	}
}

func TestDegenerateEdges(t *testing.T) {
	line := func(w *text) string { return w.line(geom.Vec3{}, unitX) }
	dot := func(w *text) string {
		var p []string
		for range 3 {
			p = append(p, w.point(geom.Vec3{X: 1}))
		}
		return w.add("B_SPLINE_CURVE_WITH_KNOTS('',2,%s,.UNSPECIFIED.,.F.,.F.,(3,3),(0.,1.),.UNSPECIFIED.)",
			list(p...))
	}
	open := func(w *text) string {
		return w.add("POLYLINE('',(%s,%s))", w.point(geom.Vec3{X: 1}), w.point(geom.Vec3{X: 5}))
	}
	for i, c := range []func(w *text) string{line, dot, open} {
		m := oneEdge(t, c, true, true, geom.Vec3{X: 1}, geom.Vec3{X: 1})
		if e := m.Edges[0]; e.Curve != nil || e.Start != e.End || len(m.Coedges) != 1 {
			t.Errorf("case %d: edge %+v", i, e)
		}
	}
	m := oneEdge(t, line, true, true, geom.Vec3{X: 1}, geom.Vec3{X: 1, Y: 1e-9})
	if e := m.Edges[0]; e.Curve != nil || e.Start != e.End || hasWarning(m, "zero_length_edge") == nil {
		t.Errorf("two vertices at one place: edge %+v, warnings %v", e, m.Warnings)
	}
}

func TestNearlyClosedOpenCurve(t *testing.T) {
	almost := func(w *text) string {
		var p []string
		for _, q := range [][2]float64{{1, 0}, {5, 4}, {-3, 4}, {1, 0.001}} {
			p = append(p, w.point(geom.Vec3{X: q[0], Y: q[1]}))
		}
		return w.add("B_SPLINE_CURVE_WITH_KNOTS('',3,%s,.UNSPECIFIED.,.F.,.F.,(4,4),(0.,1.),.UNSPECIFIED.)",
			list(p...))
	}
	m := oneEdge(t, almost, true, true, geom.Vec3{X: 1}, geom.Vec3{X: 1})
	checkEdges(t, m)
	if e := m.Edges[0]; e.Curve == nil || e.Range != (geom.Interval{Hi: 1}) || !near(e.Tolerance, 0.001, 1e-6) {
		t.Errorf("closed edge: range %v, tolerance %g", e.Range, e.Tolerance)
	}
	// Two vertices, both nearest to the start of the curve.
	m = oneEdge(t, almost, true, true, geom.Vec3{X: 1}, geom.Vec3{X: 1, Y: 0.001})
	checkEdges(t, m)
	if e := m.Edges[0]; e.Range != (geom.Interval{Hi: 1}) {
		t.Errorf("edge from end to end: range %v", e.Range)
	}
}

func TestSubedge(t *testing.T) {
	w := &text{}
	points := []geom.Vec3{{X: 1}, {X: 3}, {X: 3, Y: 2}, {X: 1, Y: 2}}
	far := w.straight(w.vertex(geom.Vec3{}), w.vertex(geom.Vec3{X: 9}), geom.Vec3{}, geom.Vec3{X: 9})
	var vertices, uses []string
	for _, p := range points {
		vertices = append(vertices, w.vertex(p))
	}
	for i := range points {
		j := (i + 1) % len(points)
		edge := w.add("SUBEDGE('',%s,%s,%s)", vertices[0], vertices[1], far)
		if i > 0 {
			edge = w.straight(vertices[i], vertices[j], points[i], points[j])
		}
		uses = append(uses, w.add("ORIENTED_EDGE('',*,*,%s,.T.)", edge))
	}
	face := w.add("FACE_SURFACE('',(%s),%s,.T.)",
		w.add("FACE_BOUND('',%s,.T.)", w.add("EDGE_LOOP('',%s)", list(uses...))),
		w.add("PLANE('',%s)", w.placement(geom.Vec3{}, unitZ, unitX)))
	w.part(w.add("FACE_BASED_SURFACE_MODEL('',(%s))", w.add("CONNECTED_FACE_SET('',(%s))", face)))
	m := mustRead(t, w.file())
	checkEdges(t, m)
	if e := m.Edges[0]; e.Range.Length() != 2 || len(m.Edges) != 4 || e.Curve.Kind() != curve.KindLine {
		t.Errorf("subedge %+v of %d edges", e, len(m.Edges))
	}
}

func TestPcurveOnly(t *testing.T) {
	// A quarter of the unit circle of a cylinder, given only as a line v = 3 in its parameter plane; angles
	// are degrees in this file.
	pcurve := func(w *text) string {
		cylinder := w.add("CYLINDRICAL_SURFACE('',%s,2.)", w.placement(geom.Vec3{Z: -3}, unitZ, unitX))
		from := w.add("CARTESIAN_POINT('',(0.,3.))")
		along := w.add("VECTOR('',%s,1.)", w.add("DIRECTION('',(1.,0.))"))
		flat := w.add("DEFINITIONAL_REPRESENTATION('',(%s),$)", w.add("LINE('',%s,%s)", from, along))
		return w.add("PCURVE('',%s,%s)", cylinder, flat)
	}
	m := oneEdge(t, pcurve, true, true, geom.Vec3{X: 2}, geom.Vec3{Y: 2})
	checkEdges(t, m)
	e := m.Edges[0]
	want := geom.Vec3{X: math.Sqrt2, Y: math.Sqrt2}
	if got := e.Curve.At(e.Range.Mid()); got.Dist(want) > 1e-9 {
		t.Errorf("middle at %v, want %v", got, want)
	}
}

func TestCurveForms(t *testing.T) {
	points := func(w *text, xs ...float64) string {
		var ids []string
		for i, x := range xs {
			ids = append(ids, w.point(geom.Vec3{X: x, Y: float64(i % 2)}))
		}
		return list(ids...)
	}
	simple := func(name string) func(w *text) string {
		return func(w *text) string {
			return w.add("%s('',3,%s,.UNSPECIFIED.,.F.,.F.)", name, points(w, 0, 1, 2, 3, 4, 5, 6))
		}
	}
	complexForm := func(name string) func(w *text) string {
		return func(w *text) string {
			return w.add("(%s()BOUNDED_CURVE()B_SPLINE_CURVE(3,%s,.UNSPECIFIED.,.F.,.F.)CURVE()"+
				"RATIONAL_B_SPLINE_CURVE((1.,1.,1.,1.,1.,1.,1.))REPRESENTATION_ITEM(''))", name, points(w, 0, 1, 2, 3,
				4, 5, 6))
		}
	}
	for _, c := range []struct {
		name  string
		curve func(w *text) string
		dom   geom.Interval
		ends  bool // the curve passes through its end points
	}{
		{"Bézier pieces", simple("BEZIER_CURVE"), geom.Interval{Hi: 2}, true},
		{"quasi-uniform", simple("QUASI_UNIFORM_CURVE"), geom.Interval{Hi: 4}, true},
		{"uniform", simple("UNIFORM_CURVE"), geom.Interval{Hi: 4}, false},
		{"rational Bézier pieces", complexForm("BEZIER_CURVE"), geom.Interval{Hi: 2}, true},
		{"rational quasi-uniform", complexForm("QUASI_UNIFORM_CURVE"), geom.Interval{Hi: 4}, true},
	} {
		w := &text{}
		id := c.curve(w)
		got := curveIn(t, w, id)
		if got.Domain() != c.dom || got.Kind() != curve.KindBSpline {
			t.Errorf("%s: domain %v, kind %v", c.name, got.Domain(), got.Kind())
		}
		if d := got.At(c.dom.Lo).Norm(); (d < 1e-12) != c.ends {
			t.Errorf("%s: starts %g from the first point", c.name, d)
		}
	}
}

// curveIn reads one curve of a text in mm and radians.
func curveIn(t *testing.T, w *text, id string) curve.Curve {
	t.Helper()
	s, r := scopeOf(t, w, id)
	c, err := s.curve(r, 0)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return c
}

func TestDerivedCurves(t *testing.T) {
	arc := func(w *text, from, to, sense string) string {
		return w.add("TRIMMED_CURVE('',%s,(%s),(%s),%s,.UNSPECIFIED.)", circle(w), from, to, sense)
	}
	value := func(t float64) string { return fmt.Sprintf("PARAMETER_VALUE(%v)", t) }
	for _, c := range []struct {
		name       string
		curve      func(w *text) string
		start, end geom.Vec3
	}{
		{"arc by parameters", func(w *text) string { return arc(w, value(0), value(math.Pi/2), ".T.") },
			geom.Vec3{X: 2}, geom.Vec3{Y: 2}},
		{"arc by points", func(w *text) string {
			return arc(w, w.point(geom.Vec3{X: 2}), w.point(geom.Vec3{Y: 2}), ".T.")
		}, geom.Vec3{X: 2}, geom.Vec3{Y: 2}},
		{"points win over parameters", func(w *text) string {
			return arc(w, value(0)+","+w.point(geom.Vec3{Y: 2}), w.point(geom.Vec3{X: -2})+","+value(9), ".T.")
		}, geom.Vec3{Y: 2}, geom.Vec3{X: -2}},
		{"arc against its circle", func(w *text) string { return arc(w, value(math.Pi/2), value(0), ".F.") },
			geom.Vec3{Y: 2}, geom.Vec3{X: 2}},
		{"line whose vector has no length", func(w *text) string {
			return w.add("LINE('',%s,%s)", w.point(geom.Vec3{}), w.add("VECTOR('',%s,0.)", w.direction(unitX)))
		}, geom.Vec3{X: 10}, geom.Vec3{X: 20}},
		{"line by lengths of its vector", func(w *text) string {
			l := w.add("LINE('',%s,%s)", w.point(geom.Vec3{}), w.add("VECTOR('',%s,10.)", w.direction(unitX)))
			return w.add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(1.)),(PARAMETER_VALUE(2.)),.T.,.PARAMETER.)", l)
		}, geom.Vec3{X: 10}, geom.Vec3{X: 20}},
		{"composite", func(w *text) string {
			s1 := w.add("COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,%s)", arc(w, value(0), value(math.Pi/2), ".T."))
			s2 := w.add("COMPOSITE_CURVE_SEGMENT(.DISCONTINUOUS.,.F.,%s)", w.add("POLYLINE('',(%s,%s))",
				w.point(geom.Vec3{X: -5}), w.point(geom.Vec3{Y: 2})))
			return w.add("COMPOSITE_CURVE('',(%s,%s),.F.)", s1, s2)
		}, geom.Vec3{X: 2}, geom.Vec3{X: -5}},
		{"offset", func(w *text) string {
			return w.add("OFFSET_CURVE_3D('',%s,0.5,.F.,%s)", arc(w, value(0), value(math.Pi/2), ".T."),
				w.direction(unitZ))
		}, geom.Vec3{X: 1.5}, geom.Vec3{Y: 1.5}},
		{"replica", func(w *text) string {
			move := w.add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,3.,$)", w.point(geom.Vec3{Z: 1}))
			return w.add("CURVE_REPLICA('',%s,%s)", arc(w, value(0), value(math.Pi/2), ".T."), move)
		}, geom.Vec3{X: 6, Z: 1}, geom.Vec3{Y: 6, Z: 1}},
	} {
		w := &text{}
		got := curveIn(t, w, c.curve(w))
		dom := got.Domain()
		if s, e := got.At(dom.Lo), got.At(dom.Hi); s.Dist(c.start) > 1e-9 || e.Dist(c.end) > 1e-9 {
			t.Errorf("%s: from %v to %v, want from %v to %v", c.name, s, e, c.start, c.end)
		}
	}
}
