package step

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func TestUnits(t *testing.T) {
	si := func(w *steptest.Text, prefix, name string) string {
		return w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(%s,%s))", prefix, name)
	}
	radian := func(w *steptest.Text) string {
		return w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	}
	degree := func(w *steptest.Text) string {
		base := radian(w)
		return w.Add("(CONVERSION_BASED_UNIT('DEGREE',%s)NAMED_UNIT($)PLANE_ANGLE_UNIT())",
			w.Add("PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.01745329252),%s)", base))
	}
	for _, c := range []struct {
		name          string
		length        func(w *steptest.Text) string
		angle         func(w *steptest.Text) string
		wantL, wantA  float64
		wantTolerance float64
	}{
		{"mm", func(w *steptest.Text) string { return si(w, ".MILLI.", ".METRE.") }, radian, 1, 1, 1e-4},
		{"cm", func(w *steptest.Text) string { return si(w, ".CENTI.", ".METRE.") }, radian, 10, 1, 1e-3},
		{"m", func(w *steptest.Text) string { return si(w, "$", ".METRE.") }, radian, 1000, 1, 0.1},
		{"km", func(w *steptest.Text) string { return si(w, ".KILO.", ".METRE.") }, radian, 1e6, 1, 0.1},
		{"µm", func(w *steptest.Text) string { return si(w, ".MICRO.", ".METRE.") }, radian, 1e-3, 1, 1e-7},
		{"inch of mm", func(w *steptest.Text) string {
			return w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
				w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),%s)", si(w, ".MILLI.", ".METRE.")))
		}, degree, 25.4, math.Pi / 180, 25.4e-4},
		{"foot of inches", func(w *steptest.Text) string {
			inch := w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
				w.Add("(LENGTH_MEASURE_WITH_UNIT()MEASURE_WITH_UNIT(LENGTH_MEASURE(2.54),%s))", si(w, ".CENTI.",
					".METRE.")))
			return w.Add("(CONVERSION_BASED_UNIT('FOOT',%s)LENGTH_UNIT()NAMED_UNIT($))",
				w.Add("LENGTH_MEASURE_WITH_UNIT(POSITIVE_LENGTH_MEASURE(12.),%s)", inch))
		}, radian, 304.8, 1, 304.8e-4},
		{"inch without the type of the number", func(w *steptest.Text) string {
			return w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
				w.Add("LENGTH_MEASURE_WITH_UNIT(25.4,%s)", si(w, ".MILLI.", ".METRE.")))
		}, radian, 25.4, 1, 25.4e-4},
		{"wrongly named", func(w *steptest.Text) string {
			return w.Add("(CONVERSION_BASED_UNIT('METRE',%s)LENGTH_UNIT()NAMED_UNIT($))",
				w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.),%s)", si(w, ".MILLI.", ".METRE.")))
		}, radian, 1, 1, 1e-4},
	} {
		w := &steptest.Text{}
		at := w.Placement(geom.Vec3{X: 2}, unitZ, unitX)
		cone := w.Add("CONICAL_SURFACE('',%s,3.,30.)", at)
		if c.wantA == 1 {
			cone = w.Add("CONICAL_SURFACE('',%s,3.,0.5)", at)
		}
		face := w.Add("ADVANCED_FACE('',(),%s,.T.)", cone)
		solid := w.Add("MANIFOLD_SOLID_BREP('',%s)", w.Add("CLOSED_SHELL('',(%s))", face))
		w.Product("p", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", solid, w.ContextOf(c.length(w), c.angle(w))))
		m := mustRead(t, w.File())
		got := m.Faces[0].Surface.(surface.Cone)
		half := 0.5
		if c.wantA != 1 {
			half = math.Pi / 6
		}
		if !near(got.Frame.Origin.X, 2*c.wantL, 1e-12) || !near(got.Radius, 3*c.wantL, 1e-12) ||
			!near(got.HalfAngle, half, 1e-9) {
			t.Errorf("%s: cone at %v, radius %g, half angle %g", c.name, got.Frame.Origin, got.Radius, got.HalfAngle)
		}
		if !near(m.Tolerance.Length, c.wantTolerance, 1e-9) || len(m.Warnings) != 0 {
			t.Errorf("%s: tolerance %g, want %g; warnings %v", c.name, m.Tolerance.Length, c.wantTolerance, m.Warnings)
		}
	}
}

func TestUncertaintyIsClamped(t *testing.T) {
	const smallest = 1e-7 // mm
	for _, c := range []struct {
		stated string
		want   float64
	}{{"0.", smallest}, {"1.E20", geometry.MaxUncertainty}, {"0.02", 0.02}, {"-1.", smallest}} {
		w := &steptest.Text{}
		mm := w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
		unc := w.Add("UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(%s),%s,'','')", c.stated, mm)
		context := w.Add("(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((%s))"+
			"GLOBAL_UNIT_ASSIGNED_CONTEXT((%s))REPRESENTATION_CONTEXT('',''))", unc, mm)
		w.Product("p", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1,
			Z: 1}), context))
		if m := mustRead(t, w.File()); m.Tolerance.Length != c.want {
			t.Errorf("uncertainty %s: tolerance %g, want %g", c.stated, m.Tolerance.Length, c.want)
		}
	}
}

func TestUnusableUnitsMeanMillimeters(t *testing.T) {
	for _, unit := range []string{
		"(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.GRAM.))",
		"(CONVERSION_BASED_UNIT('ELL',#1)LENGTH_UNIT()NAMED_UNIT($))", // defined by itself
		"CONVERSION_BASED_UNIT('INCH')",
	} {
		w := &steptest.Text{}
		u := w.Add("%s", unit)
		context := w.Add("(GLOBAL_UNIT_ASSIGNED_CONTEXT((%s,#999))REPRESENTATION_CONTEXT('',''))", u)
		w.Product("p", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2,
			Z: 3}), context))
		m := mustRead(t, w.File())
		if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 6, 1e-9) || hasWarning(m, "no_length_unit") == nil {
			t.Errorf("%s: volume %g, warnings %v", unit, v, m.Warnings)
		}
	}
}

// TestUnitsElsewhere breaks each record that defines the units inch and degree. The units must follow from the others.
func TestUnitsElsewhere(t *testing.T) {
	w := &steptest.Text{}
	mm := w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
	inch := w.Add("(CONVERSION_BASED_UNIT('INCH',%s)LENGTH_UNIT()NAMED_UNIT($))",
		w.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),%s)", mm))
	radian := w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
	degree := w.Add("(CONVERSION_BASED_UNIT('DEGREE',%s)NAMED_UNIT($)PLANE_ANGLE_UNIT())",
		w.Add("PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.01745329252),%s)", radian))
	context := w.ContextOf(inch, degree)
	last, err := strconv.Atoi(context[1:])
	if err != nil {
		t.Fatal(err)
	}
	cone := w.Add("CONICAL_SURFACE('',%s,3.,30.)", w.Placement(geom.Vec3{X: 2}, unitZ, unitX))
	shell := w.Add("CLOSED_SHELL('',(%s))", w.Add("ADVANCED_FACE('',(),%s,.T.)", cone))
	w.Product("p", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Add("MANIFOLD_SOLID_BREP('',%s)", shell), context))
	good := w.File()
	for n := 1; n <= last; n++ {
		at := regexp.MustCompile(fmt.Sprintf(`(?m)^#%d=[^;]*;`, n)).FindStringIndex(good)
		record := good[at[0]:at[1]]
		m := mustRead(t, good[:at[0]]+good[at[1]:])
		got := m.Faces[0].Surface.(surface.Cone)
		if !near(got.Radius, 3*25.4, 1e-9) || !near(got.HalfAngle, math.Pi/6, 1e-9) || len(m.Warnings) == 0 {
			t.Errorf("without %s: radius %g, half angle %g; %v", record, got.Radius, got.HalfAngle, m.Warnings)
		}
	}
}
