package step

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// oneEdge writes a sheet with one plane face whose loop has only the edge on c between two points (one
// vertex when they are equal) and returns the model.
func oneEdge(t *testing.T, curveOf func(w *steptest.Text) string, sense, use bool, p0,
	p1 geom.Vec3) *brep.Model {
	t.Helper()
	w := &steptest.Text{}
	v0 := w.Vertex(p0)
	v1 := v0
	if p1 != p0 {
		v1 = w.Vertex(p1)
	}
	edge := w.Add("EDGE_CURVE('',%s,%s,%s,%s)", v0, v1, curveOf(w), steptest.Logical(sense))
	loop := w.Add("EDGE_LOOP('',(%s))", w.Add("ORIENTED_EDGE('',*,*,%s,%s)", edge, steptest.Logical(use)))
	plane := w.Add("PLANE('',%s)", w.Placement(geom.Vec3{}, unitZ, unitX))
	face := w.Add("ADVANCED_FACE('',(%s),%s,.T.)", w.Add("FACE_BOUND('',%s,.T.)", loop), plane)
	w.Part(w.Add("SHELL_BASED_SURFACE_MODEL('',(%s))", w.Add("OPEN_SHELL('',(%s))", face)))
	return mustRead(t, w.File())
}

// trimmedAgainst is the circle clockwise, as a trimmed curve against its basis.
func trimmedAgainst(w *steptest.Text) string {
	return w.Add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(1.)),(PARAMETER_VALUE(0.)),.F.,.PARAMETER.)",
		steptest.Circle(w))
}

func onSurfaces(w *steptest.Text) string {
	return w.Add("SEAM_CURVE('',%s,(),.CURVE_3D.)", w.Add("SURFACE_CURVE('',%s,(),.PCURVE_S1.)",
		steptest.Circle(w)))
}

func TestEdgeRanges(t *testing.T) {
	on := func(deg float64) geom.Vec3 {
		s, c := math.Sincos(deg * math.Pi / 180)
		return geom.Vec3{X: 2 * c, Y: 2 * s}
	}
	parabola := func(w *steptest.Text) string {
		return w.Add("PARABOLA('',%s,0.5)", w.Placement(geom.Vec3{}, unitZ, unitX))
	}
	hyperbola := func(w *steptest.Text) string {
		return w.Add("HYPERBOLA('',%s,1.,1.)", w.Placement(geom.Vec3{}, unitZ, unitX))
	}
	ellipse := func(w *steptest.Text) string {
		return w.Add("ELLIPSE('',%s,1.,2.)", w.Placement(geom.Vec3{}, unitZ, unitX))
	}
	line := func(w *steptest.Text) string { return w.Line(geom.Vec3{X: -1}, unitX) }
	for _, c := range []struct {
		name       string
		curve      func(w *steptest.Text) string
		sense, use bool
		p0, p1     geom.Vec3
		mid        geom.Vec3 // the point in the middle of the edge
		reversed   bool      // the coedge
	}{
		{"arc", steptest.Circle, true, true, on(0), on(90), on(45), false},
		{"arc used backwards", steptest.Circle, true, false, on(0), on(90), on(45), true},
		{"arc against the circle", steptest.Circle, false, true, on(90), on(0), on(45), true},
		{"long arc against the circle", steptest.Circle, false, true, on(0), on(90), on(225), true},
		{"arc over the seam", steptest.Circle, true, true, on(300), on(60), on(0), false},
		{"arc to the seam", steptest.Circle, true, true, on(270), on(0), on(315), false},
		{"tiny arc", steptest.Circle, true, true, on(10), on(10.001), on(10.0005), false},
		{"nearly whole circle", steptest.Circle, true, true, on(10.001), on(10), on(190.0005), false},
		{"whole circle", steptest.Circle, true, true, on(0), on(0), on(180), false},
		{"whole circle from elsewhere", steptest.Circle, true, true, on(100), on(100), on(280), false},
		{"whole circle backwards", steptest.Circle, false, true, on(100), on(100), on(280), true},
		{"trimmed curve", trimmedAgainst, true, true, on(60), on(0), on(30), true},
		{"trimmed curve the long way", trimmedAgainst, true, true, on(0), on(60), on(210), true},
		{"trimmed curve, edge against it", trimmedAgainst, false, true, on(0), on(60), on(30), false},
		{"curve on surfaces", onSurfaces, true, true, on(0), on(90), on(45), false},
		{"closed spline", steptest.Spline, true, true, on(0), on(0), on(180), false},
		{"closed spline from elsewhere", steptest.Spline, true, true, on(90), on(90), on(270), false},
		{"part of a closed spline over its seam", steptest.Spline, true, true, on(270), on(90), on(0), false},
		{"part of a closed steptest.Spline, backwards", steptest.Spline, false, true, on(90), on(270), on(0), true},
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
	line := func(w *steptest.Text) string { return w.Line(geom.Vec3{}, unitX) }
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
	line := func(w *steptest.Text) string { return w.Line(geom.Vec3{}, unitX) }
	dot := func(w *steptest.Text) string {
		var p []string
		for range 3 {
			p = append(p, w.Point(geom.Vec3{X: 1}))
		}
		return w.Add("B_SPLINE_CURVE_WITH_KNOTS('',2,%s,.UNSPECIFIED.,.F.,.F.,(3,3),(0.,1.),.UNSPECIFIED.)",
			steptest.List(p...))
	}
	open := func(w *steptest.Text) string {
		return w.Add("POLYLINE('',(%s,%s))", w.Point(geom.Vec3{X: 1}), w.Point(geom.Vec3{X: 5}))
	}
	for i, c := range []func(w *steptest.Text) string{line, dot, open} {
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
	almost := func(w *steptest.Text) string {
		var p []string
		for _, q := range [][2]float64{{1, 0}, {5, 4}, {-3, 4}, {1, 0.001}} {
			p = append(p, w.Point(geom.Vec3{X: q[0], Y: q[1]}))
		}
		return w.Add("B_SPLINE_CURVE_WITH_KNOTS('',3,%s,.UNSPECIFIED.,.F.,.F.,(4,4),(0.,1.),.UNSPECIFIED.)",
			steptest.List(p...))
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
	w := &steptest.Text{}
	points := []geom.Vec3{{X: 1}, {X: 3}, {X: 3, Y: 2}, {X: 1, Y: 2}}
	far := w.Straight(w.Vertex(geom.Vec3{}), w.Vertex(geom.Vec3{X: 9}), geom.Vec3{}, geom.Vec3{X: 9})
	var vertices, uses []string
	for _, p := range points {
		vertices = append(vertices, w.Vertex(p))
	}
	for i := range points {
		j := (i + 1) % len(points)
		edge := w.Add("SUBEDGE('',%s,%s,%s)", vertices[0], vertices[1], far)
		if i > 0 {
			edge = w.Straight(vertices[i], vertices[j], points[i], points[j])
		}
		uses = append(uses, w.Add("ORIENTED_EDGE('',*,*,%s,.T.)", edge))
	}
	face := w.Add("FACE_SURFACE('',(%s),%s,.T.)",
		w.Add("FACE_BOUND('',%s,.T.)", w.Add("EDGE_LOOP('',%s)", steptest.List(uses...))),
		w.Add("PLANE('',%s)", w.Placement(geom.Vec3{}, unitZ, unitX)))
	w.Part(w.Add("FACE_BASED_SURFACE_MODEL('',(%s))", w.Add("CONNECTED_FACE_SET('',(%s))", face)))
	m := mustRead(t, w.File())
	checkEdges(t, m)
	if e := m.Edges[0]; e.Range.Length() != 2 || len(m.Edges) != 4 || e.Curve.Kind() != curve.KindLine {
		t.Errorf("subedge %+v of %d edges", e, len(m.Edges))
	}
}

func TestPcurveOnly(t *testing.T) {
	// A quarter of the unit circle of a cylinder, given only as a line v = 3 in its parameter plane; angles
	// are degrees in this file.
	pcurve := func(w *steptest.Text) string {
		cylinder := w.Add("CYLINDRICAL_SURFACE('',%s,2.)", w.Placement(geom.Vec3{Z: -3}, unitZ, unitX))
		from := w.Add("CARTESIAN_POINT('',(0.,3.))")
		along := w.Add("VECTOR('',%s,1.)", w.Add("DIRECTION('',(1.,0.))"))
		flat := w.Add("DEFINITIONAL_REPRESENTATION('',(%s),$)", w.Add("LINE('',%s,%s)", from, along))
		return w.Add("PCURVE('',%s,%s)", cylinder, flat)
	}
	m := oneEdge(t, pcurve, true, true, geom.Vec3{X: 2}, geom.Vec3{Y: 2})
	checkEdges(t, m)
	e := m.Edges[0]
	want := geom.Vec3{X: math.Sqrt2, Y: math.Sqrt2}
	if got := e.Curve.At(e.Range.Mid()); got.Dist(want) > 1e-9 {
		t.Errorf("middle at %v, want %v", got, want)
	}
}

// TestSmallCap: the tip of a cone ends in a cap that is smaller than the 0.01 mm which many writers state for
// everything.
func TestSmallCap(t *testing.T) {
	const bottom, top, height = 1, 0.003, 2
	for _, style := range build.Styles() {
		w := &steptest.Text{}
		w.Part(w.Model(build.Frustum(bottom, top, height, style))...)
		m := mustRead(t, strings.Replace(w.File(), "LENGTH_MEASURE(1.E-4)", "LENGTH_MEASURE(0.01)", 1))
		p, err := mass.Compute(t.Context(), m)
		if err != nil {
			t.Errorf("%+v: %v", style, err)
			continue
		}
		if want := math.Pi * height / 3 * (bottom*bottom + bottom*top + top*top); !near(p.Volume, want, 1e-9) {
			t.Errorf("%+v: volume %.9g, want %.9g", style, p.Volume, want)
		}
	}
}
