package step

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestRelationshipForms joins a part's shape to its product, and a component to an assembly, by the entities
// that writers use for it.
func TestRelationshipForms(t *testing.T) {
	for _, c := range []struct {
		name, same, moved string
		want              geom.Vec3
	}{
		{"usual", "SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)",
			"(REPRESENTATION_RELATIONSHIP('','',%s,%s)REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(%s)" +
				"SHAPE_REPRESENTATION_RELATIONSHIP())", geom.Vec3{X: 10.5, Y: 1, Z: 1.5}},
		{"not of shapes", "REPRESENTATION_RELATIONSHIP('','',%s,%s)",
			"(REPRESENTATION_RELATIONSHIP('','',%s,%s)REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(%s))",
			geom.Vec3{X: 10.5, Y: 1, Z: 1.5}},
		{"complex", "(SHAPE_REPRESENTATION_RELATIONSHIP()REPRESENTATION_RELATIONSHIP($,$,%s,%s))",
			"(SHAPE_REPRESENTATION_RELATIONSHIP()REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(%[3]s)" +
				"REPRESENTATION_RELATIONSHIP('','',%[1]s,%[2]s))", geom.Vec3{X: 10.5, Y: 1, Z: 1.5}},
		{"component that is not moved", "SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)",
			"SHAPE_REPRESENTATION_RELATIONSHIP('%[3]s','',%[1]s,%[2]s)", geom.Vec3{X: 0.5, Y: 1, Z: 1.5}},
	} {
		for _, listed := range []string{"in a context", "alone"} {
			if listed == "alone" && strings.HasPrefix(c.name, "component") {
				continue // both would then be one shape
			}
			w := &steptest.Text{}
			context, origin := w.Context(), w.Origin()
			shape := w.Add("ELEMENTARY_BREP_SHAPE_REPRESENTATION('',(%s),%s)",
				w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}), context)
			childRep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", origin, context)
			w.Add(c.same, childRep, shape)
			child := w.Product("child", childRep)
			target := w.Placement(geom.Vec3{X: 10}, unitZ, unitX)
			rep := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", target, context)
			whole := w.Product("whole", rep)
			move := w.Add("ITEM_DEFINED_TRANSFORMATION('','',%s,%s)", origin, target)
			relation := w.Add(c.moved, childRep, rep, move)
			usage := w.Add("NEXT_ASSEMBLY_USAGE_OCCURRENCE('','','',%s,%s,$)", whole, child)
			if listed != "alone" {
				w.Add("CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(%s,%s)", relation,
					w.Add("PRODUCT_DEFINITION_SHAPE('','',%s)", usage))
			}
			m := mustRead(t, w.File())
			expectAt(t, c.name+" "+listed, centroids(t, m, 6), c.want)
			if m.Name != "whole" || len(m.Warnings) > 0 {
				t.Errorf("%s %s: %q, warnings %v", c.name, listed, m.Name, m.Warnings)
			}
		}
	}
}

// TestNonUniformScale has a placement that no similarity is: the failure names it.
func TestNonUniformScale(t *testing.T) {
	w := &steptest.Text{}
	context := w.Context()
	source := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}), context)
	mapping := w.Add("REPRESENTATION_MAP(%s,%s)", w.Origin(), source)
	const kind = "CARTESIAN_TRANSFORMATION_OPERATOR_3D_NON_UNIFORM"
	operator := w.Add("%s('',$,$,%s,1.,$,2.,3.)", kind, w.Point(geom.Vec3{}))
	w.Product("one", w.Add("SHAPE_REPRESENTATION('',(%s),%s)", w.Add("MAPPED_ITEM('',%s,%s)", mapping, operator),
		context))
	if f := failure(t, w.File()); !strings.Contains(f.Reason, operator+" "+kind) {
		t.Errorf("reason %q", f.Reason)
	}
}

// TestCopiesInheritColorsNames gives copies of one box different colors, and components the names of their products,
// if the box has no color or name.
func TestCopiesInheritColorsNames(t *testing.T) {
	for _, own := range []bool{false, true} {
		w := &steptest.Text{}
		context := w.Context()
		style := func(item, color string) {
			fill := w.Add("FILL_AREA_STYLE('',(%s))", w.Add("FILL_AREA_STYLE_COLOUR('',%s)", w.Add("COLOUR_RGB('',%s)",
				color)))
			side := w.Add("SURFACE_SIDE_STYLE('',(%s))", w.Add("SURFACE_STYLE_FILL_AREA(%s)", fill))
			usage := w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", side)
			w.Add("STYLED_ITEM('',(%s),%s)", w.Add("PRESENTATION_STYLE_ASSIGNMENT((%s))", usage), item)
		}
		name := ""
		if own {
			name = "body"
		}
		solid := w.Add("MANIFOLD_SOLID_BREP('%s',%s)", name, w.BoxShell("CLOSED_SHELL", geom.Vec3{},
			geom.Vec3{X: 1, Y: 2, Z: 3}, false))
		if own {
			style(solid, "1.,1.,1.")
		}
		source := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", solid, context)
		w.Product("Gehäuse", source)
		mapping := w.Add("REPRESENTATION_MAP(%s,%s)", w.Origin(), source)
		var items []string
		for i, color := range []string{"1.,0.,0.", "0.,1.,0.", ""} {
			item := w.Add("MAPPED_ITEM('',%s,%s)", mapping, w.Placement(geom.Vec3{X: float64(10 * i)}, unitZ, unitX))
			if color != "" {
				style(item, color)
			}
			items = append(items, item)
		}
		w.Product("whole", w.Add("SHAPE_REPRESENTATION('',%s,%s)", steptest.List(items...), context))
		m := mustRead(t, w.File())
		want := []*brep.Color{{R: 1}, {G: 1}, nil}
		wantName := "Gehäuse"
		if own {
			white := &brep.Color{R: 1, G: 1, B: 1}
			want, wantName = []*brep.Color{white, white, white}, "body"
		}
		if len(m.Solids) != 3 {
			t.Fatalf("%d solids", len(m.Solids))
		}
		for i, f := range m.Faces {
			if got := f.Color; (got == nil) != (want[i/6] == nil) || got != nil && *got != *want[i/6] {
				t.Errorf("own %v: face %d has the colour %v, want %v", own, i, got, want[i/6])
			}
		}
		for i, s := range m.Solids {
			if s.Name != wantName {
				t.Errorf("own %v: solid %d is named %q, want %q", own, i, s.Name, wantName)
			}
		}
	}
}

// TestCyclicStylesEnd reads a style that contains itself repeatedly. The face must stay uncolored, within a time limit.
func TestCyclicStylesEnd(t *testing.T) {
	w := &steptest.Text{}
	solid := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	w.Part(solid)
	style := w.Add("PRESENTATION_STYLE_ASSIGNMENT((#9999%s))", strings.Repeat(",#9999", 500))
	w.Add("STYLED_ITEM('',(%s),%s)", style, solid)
	start := time.Now()
	m := mustRead(t, strings.Replace(w.File(), "#9999", style, -1))
	const soon = 20 * time.Second // 500^8 steps would take thousands of years
	if m.Faces[0].Color != nil || time.Since(start) > soon {
		t.Errorf("color %v after %v", m.Faces[0].Color, time.Since(start))
	}
}

// TestSolidsByConstruction checks that the error names the first solid given by construction, the result before its
// operands. Next to a solid given by its boundary, such solids are left out with a warning.
func TestSolidsByConstruction(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"#1=BLOCK('',#9,1.,2.,3.);", "#1 BLOCK"},
		{"#1=RIGHT_CIRCULAR_CYLINDER('',#9,1.,2.);", "#1 RIGHT_CIRCULAR_CYLINDER"},
		{"#1=SPHERE('',2.,#9);#2=TORUS('',#9,3.,1.);#3=BOOLEAN_RESULT('',.UNION.,#1,#2);#4=CSG_SOLID('',#3);",
			"#4 CSG_SOLID"},
		{"#1=RIGHT_CIRCULAR_CONE('',#9,1.,2.,.5);#2=BOOLEAN_RESULT('',.DIFFERENCE.,#1,#1);", "#2 BOOLEAN_RESULT"},
		{"#1=EXTRUDED_AREA_SOLID('',#8,#9,3.);", "#1 EXTRUDED_AREA_SOLID"},
		{"#1=REVOLVED_AREA_SOLID('',#8,#9,3.);", "#1 REVOLVED_AREA_SOLID"},
		{"#1=SWEPT_DISK_SOLID('',#8,1.,$,0.,1.);", "#1 SWEPT_DISK_SOLID"},
		{"#1=HALF_SPACE_SOLID('',#8,.T.);", "#1 HALF_SPACE_SOLID"},
	} {
		f := failure(t, "ISO-10303-21;HEADER;ENDSEC;DATA;"+c.data+"ENDSEC;END-ISO-10303-21;")
		if f.Code != "no_solid" || !strings.HasPrefix(f.Reason, c.want+" describes a solid by construction (CSG)") {
			t.Errorf("%s: %s %q", c.data, f.Code, f.Reason)
		}
	}
	w := &steptest.Text{}
	block := w.Add("BLOCK('',%s,1.,2.,3.)", w.Origin())
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}), block)
	m := mustRead(t, w.File())
	r := hasWarning(m, "unread_solid")
	if r == nil || !strings.HasPrefix(r.Message, block+" BLOCK") || len(m.Faces) != 6 {
		t.Errorf("%d faces, warnings %v", len(m.Faces), m.Warnings)
	}
}

// TestSubfaces replaces a face of a box by a subface of another face, with the surface and sense of its parent.
func TestSubfaces(t *testing.T) {
	for _, depth := range []int{1, 3} {
		w := &steptest.Text{}
		solid := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
		w.Part(solid)
		text := w.File()
		at := strings.Index(text, "=ADVANCED_FACE('',(")
		id := text[strings.LastIndex(text[:at], "#"):at]
		bounds := text[at+len("=ADVANCED_FACE('',(") : at+strings.Index(text[at:], "),")]
		child := id
		for range depth {
			child = w.Add("SUBFACE('',(%s),%s)", bounds, child)
		}
		text = w.File()
		text = strings.Replace(text, "CLOSED_SHELL('',("+id+",", "CLOSED_SHELL('',("+child+",", 1)
		m := mustRead(t, text)
		if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 6, 1e-12) {
			t.Errorf("depth %d: volume %g", depth, v)
		}
		if got := fmt.Sprintf("#%d", m.Faces[0].Source); got != child {
			t.Errorf("depth %d: face 0 comes from %s, want %s", depth, got, child)
		}
	}
	text := "ISO-10303-21;HEADER;ENDSEC;DATA;#1=MANIFOLD_SOLID_BREP('',#2);#2=CLOSED_SHELL('',(#3));" +
		"#3=SUBFACE('',(),#3);ENDSEC;END-ISO-10303-21;"
	if f := failure(t, text); !strings.Contains(f.Reason, "#3 SUBFACE is part of itself") {
		t.Errorf("reason %q", f.Reason)
	}
}
