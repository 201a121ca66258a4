package pmi_test

import (
	"reflect"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
)

func oneTolerance(t *testing.T, m *brep.Model) gdt.Tolerance {
	t.Helper()
	if len(m.PMI.Tolerances) != 1 {
		t.Fatalf("%d tolerances, want one", len(m.PMI.Tolerances))
	}
	return m.PMI.Tolerances[0]
}

// frame writes a datum system of datums on faces and returns it.
func (f *fixture) frame(letters string, faces ...int) string {
	var compartments []string
	for i, letter := range letters {
		d := f.Add("DATUM('','',%s,.F.,'%c')", f.shape, letter)
		feature := f.Add("DATUM_FEATURE('','',%s,.T.)", f.shape)
		f.tie(feature, faces[i])
		f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", feature, d)
		compartments = append(compartments, f.Add("DATUM_REFERENCE_COMPARTMENT('',$,%s,.F.,%s,$)", f.shape, d))
	}
	return f.Add("DATUM_SYSTEM('',$,%s,.F.,%s)", f.shape, listOf(compartments))
}

func TestToleranceKinds(t *testing.T) {
	for _, c := range []struct {
		entity, kind string
		hasDatums    bool // as a simple instance
	}{
		{"STRAIGHTNESS_TOLERANCE", "straightness", false}, {"FLATNESS_TOLERANCE", "flatness", false},
		{"ROUNDNESS_TOLERANCE", "roundness", false}, {"CYLINDRICITY_TOLERANCE", "cylindricity", false},
		{"LINE_PROFILE_TOLERANCE", "line profile", false},
		{"SURFACE_PROFILE_TOLERANCE", "surface profile", false},
		{"ANGULARITY_TOLERANCE", "angularity", true},
		{"PERPENDICULARITY_TOLERANCE", "perpendicularity", true},
		{"PARALLELISM_TOLERANCE", "parallelism", true}, {"POSITION_TOLERANCE", "position", false},
		{"CONCENTRICITY_TOLERANCE", "concentricity", true}, {"COAXIALITY_TOLERANCE", "coaxiality", true},
		{"SYMMETRY_TOLERANCE", "symmetry", true}, {"CIRCULAR_RUNOUT_TOLERANCE", "circular runout", true},
		{"TOTAL_RUNOUT_TOLERANCE", "total runout", true}, {"GEOMETRIC_TOLERANCE", "", false},
	} {
		f := newFixture()
		value, aspect := f.length(0.01, f.inch), f.aspect(3)
		var system string
		if c.hasDatums {
			system = f.frame("A", 0)
			f.Add("%s('T.1','',%s,%s,(%s))", c.entity, value, aspect, system)
		} else {
			f.Add("%s('T.1','',%s,%s)", c.entity, value, aspect)
		}
		m := f.read(t)
		quiet(t, m)
		got := oneTolerance(t, m)
		if got.Kind != c.kind || got.Name != "T.1" || !near(got.Value, 0.254) || got.Refines != brep.None ||
			(len(got.Datums) == 1) != c.hasDatums {
			t.Errorf("%s: %+v", c.entity, got)
		}
		wantFaces(t, c.entity, got.Faces, 3)
		if c.entity == "GEOMETRIC_TOLERANCE" {
			continue
		}
		f = newFixture()
		f.Add("(GEOMETRIC_TOLERANCE('T.2','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((%s))%s())",
			f.length(0.5, f.mm), f.aspect(2), f.frame("AB", 0, 4), c.entity)
		m = f.read(t)
		quiet(t, m)
		got = oneTolerance(t, m)
		if got.Kind != c.kind || got.Value != 0.5 || len(got.Datums) != 2 {
			t.Errorf("complex %s: %+v", c.entity, got)
		}
	}
}

func TestToleranceDetails(t *testing.T) {
	f := newFixture()
	in := func(v float64) string { return f.length(v, f.inch) }
	flat := f.Add("(FLATNESS_TOLERANCE()GEOMETRIC_TOLERANCE('','',%s,%s)"+
		"GEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT(.RECTANGULAR.,%s)GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT(%s)"+
		"GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.FREE_STATE.,.TANGENT_PLANE.)))", in(1), f.aspect(0), in(3), in(2))
	f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_MAXIMUM_TOLERANCE(%s)"+
		"GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.))POSITION_TOLERANCE())",
		in(1), f.aspect(1), in(4))
	f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)SURFACE_PROFILE_TOLERANCE()"+
		"UNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE(%s))", in(1), f.aspect(2), in(0))
	f.Add("MODIFIED_GEOMETRIC_TOLERANCE('','',%s,%s,.LEAST_MATERIAL_CONDITION.)", in(1), f.aspect(3))
	f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT(.CIRCULAR.,$)"+
		"GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT(%s)FLATNESS_TOLERANCE())", in(1), f.aspect(4), in(5))
	f.Add("SURFACE_PROFILE_TOLERANCE('','',%s,%s)", in(1), f.shape)
	m := f.read(t)
	quiet(t, m)
	got := m.PMI.Tolerances
	if len(got) != 6 {
		t.Fatalf("%d tolerances", len(got))
	}
	if g := got[0]; g.PerArea != "rectangular" || !near(g.PerLength, 50.8) || !near(g.PerWidth, 76.2) ||
		!slices.Equal(g.Modifiers, []string{"free state", "tangent plane"}) || g.Kind != "flatness" {
		t.Errorf("%s: area unit: %+v", flat, g)
	}
	if g := got[1]; !near(g.Max, 101.6) || !slices.Equal(g.Modifiers, []string{"maximum material requirement"}) {
		t.Errorf("maximum: %+v", g)
	}
	if g := got[2]; !g.HasOffset || g.Offset != 0 {
		t.Errorf("unequally disposed: %+v", g)
	}
	if g := got[3]; !slices.Equal(g.Modifiers, []string{"least material condition"}) || g.Kind != "" {
		t.Errorf("modified, old form: %+v", g)
	}
	if g := got[4]; g.PerArea != "circular" || !near(g.PerWidth, 127) || g.HasOffset {
		t.Errorf("circular area: %+v", g)
	}
	if g := got[5]; !g.AllOver || len(g.Faces) != 0 {
		t.Errorf("whole part: %+v", g)
	}
}

func TestZonesAndComposites(t *testing.T) {
	f := newFixture()
	tolerance := func(face int) string {
		return f.Add("POSITION_TOLERANCE('','',%s,%s)", f.length(0.2, f.mm), f.aspect(face))
	}
	lower, upper, plain := tolerance(0), tolerance(0), tolerance(1)
	form := f.Add("TOLERANCE_ZONE_FORM('cylindrical or circular')")
	zone := f.Add("TOLERANCE_ZONE('',$,%s,.F.,(%s),%s)", f.shape, upper, form)
	f.Add("PROJECTED_ZONE_DEFINITION(%s,(),%s,%s)", zone, f.aspect(5), f.length(2, f.inch))
	f.Add("GEOMETRIC_TOLERANCE_RELATIONSHIP('Composite','',%s,%s)", upper, lower)
	f.Add("GEOMETRIC_TOLERANCE_RELATIONSHIP('simultaneity','',%s,%s)", upper, plain)
	m := f.read(t)
	quiet(t, m)
	got := m.PMI.Tolerances
	if got[1].Zone != "cylindrical or circular" || !near(got[1].Projected, 50.8) || got[0].Zone != "" {
		t.Errorf("zones: %+v", got)
	}
	wantFaces(t, "where the projection begins", got[1].ProjectedFrom, 5)
	// The lower line comes first in the file.
	if got[0].Refines != 1 || got[1].Refines != brep.None || got[2].Refines != brep.None {
		t.Errorf("refines %d, %d, %d; want 1, none, none", got[0].Refines, got[1].Refines, got[2].Refines)
	}
}

func TestUnreadableTolerances(t *testing.T) {
	for name, write := range map[string]func(f *fixture){
		"value without a unit": func(f *fixture) {
			bare := f.Add("LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.),$)")
			f.Add("FLATNESS_TOLERANCE('','',%s,%s)", bare, f.aspect(0))
		},
		"value that is an angle": func(f *fixture) {
			f.Add("FLATNESS_TOLERANCE('','',%s,%s)", f.item("", 1, f.deg), f.aspect(0))
		},
		"negative value": func(f *fixture) {
			f.Add("FLATNESS_TOLERANCE('','',%s,%s)", f.length(-1, f.mm), f.aspect(0))
		},
		"nothing toleranced":  func(f *fixture) { f.Add("FLATNESS_TOLERANCE('','',%s,$)", f.length(1, f.mm)) },
		"number for a target": func(f *fixture) { f.Add("FLATNESS_TOLERANCE('','',%s,7)", f.length(1, f.mm)) },
		"no attributes":       func(f *fixture) { f.Add("FLATNESS_TOLERANCE()") },
	} {
		f := newFixture()
		write(f)
		f.Add("ROUNDNESS_TOLERANCE('','',%s,%s)", f.length(1, f.mm), f.aspect(0))
		m := f.read(t)
		if got := oneTolerance(t, m); got.Kind != "roundness" {
			t.Errorf("%s: the other tolerance is %+v", name, got)
		}
		if n := warned(m, "pmi_unreadable"); n != 1 {
			t.Errorf("%s: %d statements counted as unreadable, want 1", name, n)
		}
	}
}

func TestToleranceOfADimension(t *testing.T) {
	f := newFixture()
	d := f.Add("DIMENSIONAL_LOCATION('',$,%s,%s)", f.aspect(0), f.aspect(1))
	f.Add("PARALLELISM_TOLERANCE('','',%s,%s,(%s))", f.length(1, f.mm), d, f.frame("A", 4))
	m := f.read(t)
	quiet(t, m)
	wantFaces(t, "parallelism", oneTolerance(t, m).Faces, 0, 1)
}

func TestDatumReferences(t *testing.T) {
	f := newFixture()
	datum := func(letter string, face int) string {
		d := f.Add("DATUM('','',%s,.F.,'%s')", f.shape, letter)
		f.tie(d, face)
		return d
	}
	a, b, c := datum("A", 0), datum("B", 2), datum("C", 4)
	element := func(d, modifiers string) string {
		return f.Add("DATUM_REFERENCE_ELEMENT('',$,%s,.F.,%s,%s)", f.shape, d, modifiers)
	}
	common := f.Add("DATUM_REFERENCE_COMPARTMENT('',$,%s,.F.,COMMON_DATUM_LIST((%s,%s)),"+
		"(SIMPLE_DATUM_REFERENCE_MODIFIER(.TRANSLATION.)))", f.shape, element(b, "$"),
		element(c, "(SIMPLE_DATUM_REFERENCE_MODIFIER(.MAXIMUM_MATERIAL_REQUIREMENT.))"))
	valued := f.Add("DATUM_REFERENCE_COMPARTMENT('',$,%s,.F.,%s,(%s,SIMPLE_DATUM_REFERENCE_MODIFIER(.POINT.)))",
		f.shape, a, f.Add("DATUM_REFERENCE_MODIFIER_WITH_VALUE(.PROJECTED.,%s)", f.length(1, f.inch)))
	system := f.Add("DATUM_SYSTEM('',$,%s,.F.,(%s,%s))", f.shape, valued, common)
	f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((%s))POSITION_TOLERANCE())",
		f.length(1, f.mm), f.aspect(1), system)
	old := f.Add("DATUM_REFERENCE(1,%s)", b)
	modified := f.Add("REFERENCED_MODIFIED_DATUM(2,%s,.MAXIMUM_MATERIAL_CONDITION.)", c)
	f.Add("GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE('','',%s,%s,(%s,%s))", f.length(1, f.mm), f.aspect(1),
		modified, old) // in no order: their precedence counts
	m := f.read(t)
	quiet(t, m)
	if got := m.PMI.Datums; len(got) != 3 || got[0].Letter != "A" || got[2].Letter != "C" {
		t.Fatalf("datums %+v", got)
	}
	type use = gdt.DatumElement
	type modifier = gdt.DatumModifier
	want := []gdt.DatumCompartment{
		{Datums: []use{{Datum: 0}}, Modifiers: []modifier{{Name: "projected", Value: 25.4}, {Name: "point"}}},
		{Datums: []use{{Datum: 1}, {Datum: 2, Modifiers: []modifier{{Name: "maximum material requirement"}}}},
			Modifiers: []modifier{{Name: "translation"}}},
	}
	if got := m.PMI.Tolerances[0].Datums; !reflect.DeepEqual(got, want) {
		t.Errorf("edition 2:\ngot  %+v\nwant %+v", got, want)
	}
	want = []gdt.DatumCompartment{
		{Datums: []use{{Datum: 1}}},
		{Datums: []use{{Datum: 2}}, Modifiers: []modifier{{Name: "maximum material condition"}}},
	}
	if got := m.PMI.Tolerances[1].Datums; !reflect.DeepEqual(got, want) {
		t.Errorf("old form:\ngot  %+v\nwant %+v", got, want)
	}
}
