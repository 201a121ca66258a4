package geometry

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// scopeOf reads a text without changes. It returns the scope to read geometry in, mm and radians, and the named
// instance.
func scopeOf(t testing.TB, w *steptest.Text, id string) (*Scope, part21.Ref) {
	t.Helper()
	text := w.File()
	f, err := part21.Read(context.Background(), strings.NewReader(text), int64(len(text)), schema.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	var n int64
	fmt.Sscanf(id, "#%d", &n)
	r, ok := f.Find(n)
	if !ok {
		t.Fatalf("%s is not in the text", id)
	}
	return &Scope{Document: New(f), Units: defaultUnits}, r
}

// curveIn reads one curve of a text in mm and radians.
func curveIn(t *testing.T, w *steptest.Text, id string) curve.Curve {
	t.Helper()
	s, r := scopeOf(t, w, id)
	c, err := s.curve(r, 0)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return c
}

func TestCurveForms(t *testing.T) {
	points := func(w *steptest.Text, xs ...float64) string {
		var ids []string
		for i, x := range xs {
			ids = append(ids, w.Point(geom.Vec3{X: x, Y: float64(i % 2)}))
		}
		return steptest.List(ids...)
	}
	simple := func(name string) func(w *steptest.Text) string {
		return func(w *steptest.Text) string {
			return w.Add("%s('',3,%s,.UNSPECIFIED.,.F.,.F.)", name, points(w, 0, 1, 2, 3, 4, 5, 6))
		}
	}
	complexForm := func(name string) func(w *steptest.Text) string {
		return func(w *steptest.Text) string {
			return w.Add("(%s()BOUNDED_CURVE()B_SPLINE_CURVE(3,%s,.UNSPECIFIED.,.F.,.F.)CURVE()"+
				"RATIONAL_B_SPLINE_CURVE((1.,1.,1.,1.,1.,1.,1.))REPRESENTATION_ITEM(''))", name, points(w, 0, 1, 2, 3,
				4, 5, 6))
		}
	}
	for _, c := range []struct {
		name  string
		curve func(w *steptest.Text) string
		dom   geom.Interval
		ends  bool // the curve passes through its end points
	}{
		{"Bézier pieces", simple("BEZIER_CURVE"), geom.Interval{Hi: 2}, true},
		{"quasi-uniform", simple("QUASI_UNIFORM_CURVE"), geom.Interval{Hi: 4}, true},
		{"uniform", simple("UNIFORM_CURVE"), geom.Interval{Hi: 4}, false},
		{"rational Bézier pieces", complexForm("BEZIER_CURVE"), geom.Interval{Hi: 2}, true},
		{"rational quasi-uniform", complexForm("QUASI_UNIFORM_CURVE"), geom.Interval{Hi: 4}, true},
	} {
		w := &steptest.Text{}
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

func TestDerivedCurves(t *testing.T) {
	arc := func(w *steptest.Text, from, to, sense string) string {
		return w.Add("TRIMMED_CURVE('',%s,(%s),(%s),%s,.UNSPECIFIED.)", steptest.Circle(w), from, to, sense)
	}
	value := func(t float64) string { return fmt.Sprintf("PARAMETER_VALUE(%v)", t) }
	for _, c := range []struct {
		name       string
		curve      func(w *steptest.Text) string
		start, end geom.Vec3
	}{
		{"arc by parameters", func(w *steptest.Text) string { return arc(w, value(0), value(math.Pi/2), ".T.") },
			geom.Vec3{X: 2}, geom.Vec3{Y: 2}},
		{"arc by points", func(w *steptest.Text) string {
			return arc(w, w.Point(geom.Vec3{X: 2}), w.Point(geom.Vec3{Y: 2}), ".T.")
		}, geom.Vec3{X: 2}, geom.Vec3{Y: 2}},
		{"points win over parameters", func(w *steptest.Text) string {
			return arc(w, value(0)+","+w.Point(geom.Vec3{Y: 2}), w.Point(geom.Vec3{X: -2})+","+value(9), ".T.")
		}, geom.Vec3{Y: 2}, geom.Vec3{X: -2}},
		{"arc against its circle", func(w *steptest.Text) string {
			return arc(w, value(math.Pi/2), value(0),
				".F.")
		},
			geom.Vec3{Y: 2}, geom.Vec3{X: 2}},
		{"line whose vector has no length", func(w *steptest.Text) string {
			return w.Add("LINE('',%s,%s)", w.Point(geom.Vec3{}), w.Add("VECTOR('',%s,0.)", w.Direction(unitX)))
		}, geom.Vec3{X: 10}, geom.Vec3{X: 20}},
		{"line by lengths of its vector", func(w *steptest.Text) string {
			l := w.Add("LINE('',%s,%s)", w.Point(geom.Vec3{}), w.Add("VECTOR('',%s,10.)", w.Direction(unitX)))
			return w.Add("TRIMMED_CURVE('',%s,(PARAMETER_VALUE(1.)),(PARAMETER_VALUE(2.)),.T.,.PARAMETER.)", l)
		}, geom.Vec3{X: 10}, geom.Vec3{X: 20}},
		{"composite", func(w *steptest.Text) string {
			s1 := w.Add("COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,%s)", arc(w, value(0), value(math.Pi/2), ".T."))
			s2 := w.Add("COMPOSITE_CURVE_SEGMENT(.DISCONTINUOUS.,.F.,%s)", w.Add("POLYLINE('',(%s,%s))",
				w.Point(geom.Vec3{X: -5}), w.Point(geom.Vec3{Y: 2})))
			return w.Add("COMPOSITE_CURVE('',(%s,%s),.F.)", s1, s2)
		}, geom.Vec3{X: 2}, geom.Vec3{X: -5}},
		{"offset", func(w *steptest.Text) string {
			return w.Add("OFFSET_CURVE_3D('',%s,0.5,.F.,%s)", arc(w, value(0), value(math.Pi/2), ".T."),
				w.Direction(unitZ))
		}, geom.Vec3{X: 1.5}, geom.Vec3{Y: 1.5}},
		{"replica", func(w *steptest.Text) string {
			move := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,3.,$)", w.Point(geom.Vec3{Z: 1}))
			return w.Add("CURVE_REPLICA('',%s,%s)", arc(w, value(0), value(math.Pi/2), ".T."), move)
		}, geom.Vec3{X: 6, Z: 1}, geom.Vec3{Y: 6, Z: 1}},
	} {
		w := &steptest.Text{}
		got := curveIn(t, w, c.curve(w))
		dom := got.Domain()
		if s, e := got.At(dom.Lo), got.At(dom.Hi); s.Dist(c.start) > 1e-9 || e.Dist(c.end) > 1e-9 {
			t.Errorf("%s: from %v to %v, want from %v to %v", c.name, s, e, c.start, c.end)
		}
	}
}
