package geometry

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestTorusForms reads spindle tori, with each notation that selects one part.
func TestTorusForms(t *testing.T) {
	for _, c := range []struct {
		form         string
		part         surface.TorusPart
		major, minor float64
	}{
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.T.)", surface.Apple, 1, 2},
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.F.)", surface.Lemon, 1, 2},
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,.U.)", surface.Apple, 1, 2},
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,1.,2.,$)", surface.Apple, 1, 2},
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,0.,2.,.T.)", surface.Apple, 0, 2},
		{"DEGENERATE_TOROIDAL_SURFACE('',%s,1,2,.f.)", surface.Lemon, 1, 2},
		{"TOROIDAL_SURFACE('',%s,1.,2.)", surface.Apple, 1, 2},
		{"TOROIDAL_SURFACE('',%s,-1.,2.)", surface.Lemon, 1, 2},
		{"TOROIDAL_SURFACE('',%s,2.,2.)", surface.Whole, 2, 2},
	} {
		w := &steptest.Text{}
		s, r := scopeOf(t, w, w.Add(c.form, w.Origin()))
		got, err := s.Surface(r)
		got, turned := Unbounded(got)
		torus, ok := got.(surface.Torus)
		if turned != strings.Contains(c.form, "-1") {
			t.Errorf("%s: normal turned: %v", c.form, turned)
		}
		if err != nil || !ok || torus.Part != c.part || torus.Major != c.major || torus.Minor != c.minor {
			t.Errorf("%s gives %+v (%v), want part %d", c.form, got, err, c.part)
		}
	}
	for _, form := range []string{"TOROIDAL_SURFACE('',%s,-2.,2.)", "TOROIDAL_SURFACE('',%s,-3.,2.)",
		"DEGENERATE_TOROIDAL_SURFACE('',%s,-1.,2.,.T.)", "TOROIDAL_SURFACE('',%s,2.,-1.)"} {
		w := &steptest.Text{}
		s, r := scopeOf(t, w, w.Add(form, w.Origin()))
		if got, err := s.Surface(r); err == nil {
			t.Errorf("%s gives %+v", form, got)
		}
	}
}

// TestCurveOnSurfaces checks that a curve on surfaces is read as its curve in space if it has one, or else as the first
// curve in a parameter plane.
func TestCurveOnSurfaces(t *testing.T) {
	const inSpace, onPlane = 7.0, 3.0 // x of the two lines
	for _, c := range []struct {
		form string
		want float64 // 0: failure
	}{
		{"SURFACE_CURVE('',LINE,(PCURVE,PLANE),.PCURVE_S1.)", inSpace},
		{"SURFACE_CURVE('',LINE,(),.CURVE_3D.)", inSpace},
		{"SURFACE_CURVE('',LINE,$,$)", inSpace},
		{"SURFACE_CURVE('',LINE,(#999),.PCURVE_S1.)", inSpace},
		{"SEAM_CURVE('',LINE,(PCURVE,PCURVE),.PCURVE_S1.)", inSpace},
		{"INTERSECTION_CURVE('',LINE,(PLANE),.CURVE_3D.)", inSpace},
		{"(BOUNDED_CURVE()BOUNDED_SURFACE_CURVE()CURVE()SURFACE_CURVE(LINE,(PCURVE),.CURVE_3D.))", inSpace},
		{"(CURVE()SURFACE_CURVE($,(PLANE,PCURVE),.PCURVE_S1.)SEAM_CURVE())", onPlane},
		{"SURFACE_CURVE('',$,(PCURVE),.PCURVE_S1.)", onPlane},
		{"INTERSECTION_CURVE('',#999,(PLANE,PCURVE),.PCURVE_S2.)", onPlane},
		{"SURFACE_CURVE('',$,(PLANE),.CURVE_3D.)", 0},
		{"SURFACE_CURVE('',#999,(),.CURVE_3D.)", 0},
		{"SURFACE_CURVE('',$,$,.CURVE_3D.)", 0},
	} {
		w := &steptest.Text{}
		line := w.Line(geom.Vec3{X: inSpace}, steptest.UnitY)
		plane := w.Add("PLANE('',%s)", w.Origin())
		flat := w.Add("LINE('',%s,%s)", w.Add("CARTESIAN_POINT('',(%g,0.))", onPlane),
			w.Add("VECTOR('',%s,1.)", w.Add("DIRECTION('',(0.,1.))")))
		pcurve := w.Add("PCURVE('',%s,%s)", plane, w.Add("DEFINITIONAL_REPRESENTATION('',(%s),$)", flat))
		form := strings.NewReplacer("LINE", line, "PCURVE_S", "PCURVE_S", // not a reference, but a master
			"PCURVE", pcurve, "PLANE", plane).Replace(c.form)
		s, r := scopeOf(t, w, w.Add("%s", form))
		base, _, err := s.Basis(r)
		if err == nil {
			var got curve.Curve
			if got, err = s.Curve(base); err == nil && math.Abs(got.At(1).X-c.want) > 1e-12 {
				t.Errorf("%s: x = %g, want %g", c.form, got.At(1).X, c.want)
			}
		}
		if (err != nil) != (c.want == 0) || err != nil && !strings.Contains(err.Error(), "SURFACE_CURVE") {
			t.Errorf("%s: %v", c.form, err)
		}
	}
}

// TestTrimsThatDisagree gives the ends of a quarter circle by point, by parameter in degrees, and by both of
// which the parameter is wrong: the point counts.
func TestTrimsThatDisagree(t *testing.T) {
	for _, c := range []struct{ from, to, sense, master string }{
		{"(P0,PARAMETER_VALUE(0.))", "(P1,PARAMETER_VALUE(90.))", ".T.", ".CARTESIAN."},
		{"(PARAMETER_VALUE(0.))", "(PARAMETER_VALUE(90.))", ".T.", ".PARAMETER."},
		{"(PARAMETER_VALUE(360.))", "(PARAMETER_VALUE(450.))", ".T.", ".PARAMETER."},
		{"(P0)", "(P1)", ".T.", ".UNSPECIFIED."},
		{"(PARAMETER_VALUE(17.),P0)", "(PARAMETER_VALUE(-5.),P1)", ".T.", ".PARAMETER."},
		{"(0.)", "(90)", ".T.", "$"},
	} {
		w := &steptest.Text{}
		p0, p1 := w.Point(geom.Vec3{X: 2}), w.Point(geom.Vec3{Y: 2})
		form := strings.NewReplacer("P0", p0, "P1", p1).Replace(
			fmt.Sprintf("TRIMMED_CURVE('',%s,%s,%s,%s,%s)", steptest.Circle(w), c.from, c.to, c.sense, c.master))
		s, r := scopeOf(t, w, w.Add("%s", form))
		s.Angle = math.Pi / 180
		got, err := s.Curve(r)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		d := got.Domain()
		if a, b := got.At(d.Lo), got.At(d.Hi); a.Dist(geom.Vec3{X: 2}) > 1e-9 || b.Dist(geom.Vec3{Y: 2}) > 1e-9 {
			t.Errorf("%v: from %v to %v", c, a, b)
		}
	}
	w := &steptest.Text{}
	s, r := scopeOf(t, w, w.Add("TRIMMED_CURVE('',%s,(),($),.T.,.PARAMETER.)", steptest.Circle(w)))
	if _, err := s.Curve(r); err == nil || !strings.Contains(err.Error(), "does not say where it ends") {
		t.Errorf("without trims: %v", err)
	}
}

// TestKnotForms reads knot vectors as writers have them.
func TestKnotForms(t *testing.T) {
	for _, c := range []struct {
		name, form string
		lo, hi     float64 // equal: failure
	}{
		{"clamped", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,4),(0.,1.,2.),.UNSPECIFIED.", 0, 2},
		{"integers", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,4),(0,1,2),$", 0, 2},
		{"reals for integers", "3.,PTS,$,$,$,(4.,1.,4.),(0.,1.,2.),$", 0, 2},
		{"unclamped", "3,PTS,.UNSPECIFIED.,.F.,.F.,(1,1,1,1,1,1,1,1,1),(-3.,-2.,-1.,0.,1.,2.,3.,4.,5.)," +
			".UNIFORM_KNOTS.", 0, 2},
		{"half clamped", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,1,1,1,1),(0.,1.,2.,3.,4.,5.),.UNSPECIFIED.", 0, 2},
		{"too few knots", "3,PTS,.UNSPECIFIED.,.T.,.F.,(1,1,1,1),(0.,1.,2.,3.),.UNSPECIFIED.", 0, 0},
		{"more multiplicities than knots", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,4),(0.,2.),.UNSPECIFIED.", 0, 0},
		{"falling knots", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,4),(2.,1.,0.),.UNSPECIFIED.", 0, 0},
		{"huge multiplicity", "3,PTS,.UNSPECIFIED.,.F.,.F.,(4,2000000000,4),(0.,1.,2.),.UNSPECIFIED.", 0, 0},
		{"degree too high", "99,PTS,.UNSPECIFIED.,.F.,.F.,(4,1,4),(0.,1.,2.),.UNSPECIFIED.", 0, 0},
		{"no points", "3,(),.UNSPECIFIED.,.F.,.F.,(4,4),(0.,1.),.UNSPECIFIED.", 0, 0},
	} {
		w := &steptest.Text{}
		var points []string
		for i := range 5 {
			points = append(points, w.Point(geom.Vec3{X: float64(i), Y: float64(i % 2)}))
		}
		form := strings.Replace(c.form, "PTS", steptest.List(points...), 1)
		s, r := scopeOf(t, w, w.Add("B_SPLINE_CURVE_WITH_KNOTS('',%s)", form))
		got, err := s.Curve(r)
		switch {
		case c.lo == c.hi && (err == nil || !strings.Contains(err.Error(), "B_SPLINE_CURVE_WITH_KNOTS")):
			t.Errorf("%s: %v, %v", c.name, got, err)
		case c.lo < c.hi && (err != nil || got.Domain() != geom.Interval{Lo: c.lo, Hi: c.hi}):
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

// nested writes a composite of composites, wide^deep pieces in all, around a leaf.
func nested(w *steptest.Text, leaf, piece, whole string, wide, deep int) string {
	for range deep {
		p := w.Add(piece, leaf)
		all := make([]string, wide)
		for i := range all {
			all[i] = p
		}
		leaf = w.Add(whole, strings.Join(all, ","))
	}
	return leaf
}

// TestNestedComposites checks that composites that would grow without bound are rejected.
func TestNestedComposites(t *testing.T) {
	w := &steptest.Text{}
	line := w.Add("POLYLINE('',(%s,%s))", w.Point(geom.Vec3{}), w.Point(geom.Vec3{X: 1}))
	curves := nested(w, line, "COMPOSITE_CURVE_SEGMENT(.CONTINUOUS.,.T.,%s)", "COMPOSITE_CURVE('',(%s),.F.)",
		50, 10)
	patch := w.Add("RECTANGULAR_TRIMMED_SURFACE('',%s,0.,1.,0.,1.,.T.,.T.)", w.Add("PLANE('',%s)", w.Origin()))
	surfaces := nested(w, patch, "SURFACE_PATCH(%s,.CONTINUOUS.,.CONTINUOUS.,.T.,.T.)",
		"RECTANGULAR_COMPOSITE_SURFACE('',((%s)))", 50, 10)
	plane := w.Add("PLANE('',%s)", w.Origin())
	bounded := w.Add("CURVE_BOUNDED_SURFACE('',%s,(%s,%s),.F.)", plane, curves, curves)
	for _, id := range []string{surfaces, bounded} {
		s, r := scopeOf(t, w, id)
		if _, err := s.Patches(r); err == nil || !strings.Contains(err.Error(), "pieces") {
			t.Errorf("%s: %v", id, err)
		}
	}
	s, r := scopeOf(t, w, curves)
	if _, err := s.Curve(r); err == nil || !strings.Contains(err.Error(), "pieces") {
		t.Errorf("curves: %v", err)
	}
	few := nested(w, patch, "SURFACE_PATCH(%s,.CONTINUOUS.,.CONTINUOUS.,.T.,.T.)",
		"RECTANGULAR_COMPOSITE_SURFACE('',((%s)))", 3, 3)
	s, r = scopeOf(t, w, few)
	if got, err := s.Patches(r); err != nil || len(got) != 27 {
		t.Errorf("%d patches, %v; want 27", len(got), err)
	}
}
