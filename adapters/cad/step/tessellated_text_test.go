package step

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// boxCoordinates are the corners of a box of 1×2×3, numbered from 1: x fastest, z slowest.
const boxCoordinates = "COORDINATES_LIST('',8,((0.,0.,0.),(1.,0.,0.),(0.,2.,0.),(1.,2.,0.),(0.,0.,3.)," +
	"(1.,0.,3.),(0.,2.,3.),(1.,2.,3.)))"

// boxStrips are the box's sides as strips of two triangles, counter-clockwise seen from outside.
var boxStrips = [][4]int{{1, 3, 2, 4}, {5, 6, 7, 8}, {1, 2, 5, 6}, {3, 7, 4, 8}, {1, 5, 3, 7}, {2, 4, 6, 8}}

// tessellatedForms are the forms of triangles that the standard permits.
var tessellatedForms = []string{"strips of gathered points", "fans of gathered points",
	"strips of all points",
	"triangles of all points", "triangles of own points", "surface sets", "surface sets of strips"}

// writeTessellatedBox writes the six faces in one of the forms that the standard offers.
func writeTessellatedBox(w *steptest.Text, form string) []string {
	var faces []string
	all := w.Add("%s", boxCoordinates)
	for _, s := range boxStrips {
		a, b, c, d := s[0], s[1], s[2], s[3]
		switch form {
		case "strips of gathered points":
			faces = append(faces, w.Add("COMPLEX_TRIANGULATED_FACE('side',%s,4,(),$,(%d,%d,%d,%d),((1,2,3,4)),())",
				all, a, b, c, d))
		case "fans of gathered points":
			faces = append(faces, w.Add("COMPLEX_TRIANGULATED_FACE('side',%s,4,(),$,(%d,%d,%d,%d),(),((1,2,3,4)))",
				all, a, b, d, c))
		case "strips of all points":
			faces = append(faces, w.Add("COMPLEX_TRIANGULATED_FACE('side',%s,8,(),$,(),((%d,%d,%d,%d)),())", all, a,
				b, c, d))
		case "triangles of all points":
			faces = append(faces, w.Add("TRIANGULATED_FACE('side',%s,8,(),$,(),((%d,%d,%d),(%d,%d,%d)))", all, a, b,
				c, c, b, d))
		case "triangles of own points":
			own := w.Add("COORDINATES_LIST('',4,(%s,%s,%s,%s))", row(a), row(b), row(c), row(d))
			faces = append(faces, w.Add("TRIANGULATED_FACE('side',%s,4,((0.,0.,1.)),$,(),((1,2,3),(3,2,4)))", own))
		case "surface sets":
			faces = append(faces, w.Add("TRIANGULATED_SURFACE_SET('side',%s,4,(),(%d,%d,%d,%d),((1,2,3),(3,2,4)))",
				all, a, b, c, d))
		case "surface sets of strips":
			faces = append(faces,
				w.Add("COMPLEX_TRIANGULATED_SURFACE_SET('side',%s,4,(),(%d,%d,%d,%d),((1,2,3,4)),())",
					all, a, b, c, d))
		}
	}
	return faces
}

func row(i int) string {
	i--
	return fmt.Sprintf("(%d.,%d.,%d.)", i&1, 2*(i>>1&1), 3*(i>>2))
}

// tessellatedPart writes a product of tessellated items.
func tessellatedPart(w *steptest.Text, items ...string) string {
	w.Product("part", w.Add("TESSELLATED_SHAPE_REPRESENTATION('',%s,%s)", steptest.List(items...), w.Context()))
	return w.File()
}

func TestTessellatedForms(t *testing.T) {
	for _, form := range tessellatedForms {
		for _, body := range []string{"TESSELLATED_SOLID('body',%s,$)", "TESSELLATED_SHELL('body',%s,$)",
			"TESSELLATED_GEOMETRIC_SET('body',%s)", ""} {
			w := &steptest.Text{}
			faces := writeTessellatedBox(w, form)
			items := faces // alone: sheets of one face each
			if body != "" {
				items = []string{w.Add(body, steptest.List(faces...))}
			}
			m := mustRead(t, tessellatedPart(w, items...))
			if isSolid := strings.HasPrefix(body, "TESSELLATED_SOLID"); isSolid == (len(m.Solids) == 0) {
				t.Errorf("%s in %s: %d solids", form, body, len(m.Solids))
			}
			if _, err := sew.Sew(context.Background(), m, sew.Options{}); err != nil {
				t.Fatal(err)
			}
			if len(m.Solids) != 1 || len(m.Faces) != 6 || len(m.Edges) != 12 || len(m.Vertices) != 8 {
				t.Errorf("%s in %s: %d solids, %d faces, %d edges, %d vertices", form, body, len(m.Solids),
					len(m.Faces), len(m.Edges), len(m.Vertices))
				continue
			}
			for _, p := range brep.Check(m) {
				t.Errorf("%s in %s: %s", form, body, p.Message)
			}
			p, err := mass.Compute(context.Background(), m)
			if err != nil || !near(p.Volume, 6, 1e-12) || !near(p.Area, 22, 1e-12) {
				t.Errorf("%s in %s: %+v, %v", form, body, p, err)
			}
			if f := m.Faces[2]; f.Name != "side" || surface.ShapeKind(f.Surface) != "Plane" || f.Source == 0 {
				t.Errorf("%s in %s: face %+v", form, body, f)
			}
			if hasWarning(m, "tessellated_shape") == nil || !math.IsInf(m.Sag, 1) {
				t.Errorf("%s in %s: warnings %v, within %g mm", form, body, m.Warnings, m.Sag)
			}
		}
	}
}

// TestClosedSets puts all triangles of a box, or of two separate boxes, in one set: this is a solid, with a warning. A
// set that lacks a triangle stays a sheet.
func TestClosedSets(t *testing.T) {
	var box [2][]string
	for i := range box {
		for _, s := range boxStrips {
			for _, c := range [2][3]int{{s[0], s[1], s[2]}, {s[2], s[1], s[3]}} {
				box[i] = append(box[i], fmt.Sprintf("(%d,%d,%d)", c[0]+8*i, c[1]+8*i, c[2]+8*i))
			}
		}
	}
	var corners []string
	for i := range 8 {
		corners = append(corners, row(i+1))
	}
	for i := range 8 {
		corners = append(corners, strings.Replace(row(i+1), "(", "(10", 1))
	}
	for _, c := range []struct {
		name      string
		triangles []string
		solids    int
	}{
		{"one box", box[0], 1},
		{"a box with one beside it", slices.Concat(box[0], box[1]), 1},
		{"an open box", box[0][1:], 0},
	} {
		for _, kind := range []string{"TRIANGULATED_SURFACE_SET('',%s,16,(),(),%s)",
			"COMPLEX_TRIANGULATED_SURFACE_SET('',%s,16,(),(),%s,())", "TRIANGULATED_FACE('',%s,16,(),$,(),%s)"} {
			w := &steptest.Text{}
			all := w.Add("COORDINATES_LIST('',16,%s)", steptest.List(corners...))
			m := mustRead(t, tessellatedPart(w, w.Add(kind, all, steptest.List(c.triangles...))))
			if _, err := sew.Sew(context.Background(), m, sew.Options{}); err != nil {
				t.Fatal(err)
			}
			p, err := mass.Compute(context.Background(), m)
			if err != nil || len(m.Solids) != c.solids || !near(p.Volume, float64(len(c.triangles)/12*6), 1e-12) {
				t.Errorf("%s, %s: %d solids, volume %g, %v", c.name, kind, len(m.Solids), p.Volume, err)
			}
			if isSaid := hasWarning(m, sew.ClosedSheet) != nil; isSaid != (c.solids > 0) {
				t.Errorf("%s, %s: warnings %v", c.name, kind, m.Warnings)
			}
		}
	}
}

// TestExactShapeIsPreferred gives a product both shapes, in one representation or in two.
func TestExactShapeIsPreferred(t *testing.T) {
	for _, together := range []bool{true, false} {
		w := &steptest.Text{}
		exact := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
		triangles := w.Add("TESSELLATED_SOLID('',%s,%s)",
			steptest.List(writeTessellatedBox(w, "surface sets")...), exact)
		context := w.Context()
		if together {
			w.Product("part", w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", triangles, exact, context))
		} else {
			main := w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", exact, context)
			w.Product("part", main)
			w.Add("SHAPE_REPRESENTATION_RELATIONSHIP('','',%s,%s)",
				w.Add("TESSELLATED_SHAPE_REPRESENTATION('',(%s),%s)", triangles, context), main)
		}
		m := mustRead(t, w.File())
		if len(m.Solids) != 1 || m.Faces[0].Surface.Kind() != surface.KindPlane || len(m.Warnings) > 0 ||
			m.Sag != 0 {
			t.Errorf("together %v: %d solids, %v faces, warnings %v, within %g mm", together, len(m.Solids),
				m.Faces[0].Surface.Kind(), m.Warnings, m.Sag)
		}
	}
}

// TestMixedAssembly joins a component of triangles in meters with an exact one in millimeters.
func TestMixedAssembly(t *testing.T) {
	w := &steptest.Text{}
	mm := w.Context()
	metre := w.ContextOf(w.Add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT($,.METRE.))"),
		w.Add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))"))
	origin := w.Origin()
	whole := w.Add("SHAPE_REPRESENTATION('',(%s),%s)", origin, mm)
	parent := w.Product("whole", whole)
	child, rep, at := w.Component("exact", mm)
	w.Use(parent, child, rep, whole, at, w.Placement(geom.Vec3{X: 50}, steptest.UnitZ, steptest.UnitX))
	solid := w.Add("TESSELLATED_SOLID('',%s,$)", steptest.List(writeTessellatedBox(w,
		"strips of all points")...))
	place := w.Origin()
	rep = w.Add("TESSELLATED_SHAPE_REPRESENTATION('',(%s,%s),%s)", place, solid, metre)
	child = w.Product("triangles", rep)
	w.Use(parent, child, rep, whole, place, w.Placement(geom.Vec3{Z: 100}, steptest.UnitX, steptest.UnitY))
	m := mustRead(t, w.File())
	p, err := mass.Compute(context.Background(), m)
	if err != nil || len(m.Solids) != 2 || !near(p.Volume, 6+6e9, 1e-12) || !math.IsInf(m.Sag, 1) {
		t.Fatalf("%d solids, volume %g, %v, within %g mm", len(m.Solids), p.Volume, err, m.Sag)
	}
	for i := range p.Solids { // the component's z axis, 3 m long, is x in the assembly
		if p.Solids[i].Volume > 10 {
			if b := p.Solids[i].Bounds; b.Max.Dist(geom.Vec3{X: 3000, Y: 1000, Z: 2100}) > 1e-6 {
				t.Errorf("bounds %v", b)
			}
		}
	}
}

// TestCarriersAndNormals links faces of a drum to surfaces, as faces and directly.
func TestCarriersAndNormals(t *testing.T) {
	const n = 16
	for _, linked := range []string{"surface", "face", "wrong surface", "nothing"} {
		w := &steptest.Text{}
		var rows, normals []string
		ring := func(z float64) {
			for k := range n {
				s, c := math.Sincos(2 * math.Pi * float64(k) / n)
				rows = append(rows, fmt.Sprintf("(%.15g,%.15g,%g)", 5*c, 5*s, z))
				normals = append(normals, fmt.Sprintf("(%.15g,%.15g,0.)", c, s))
			}
		}
		ring(0)
		ring(8)
		all := w.Add("COORDINATES_LIST('',%d,%s)", 2*n, steptest.List(rows...))
		link := "$"
		switch linked {
		case "surface":
			link = w.Add("CYLINDRICAL_SURFACE('',%s,5.)", w.Origin())
		case "face":
			link = w.Add("ADVANCED_FACE('',(),%s,.F.)", w.Add("CYLINDRICAL_SURFACE('',%s,5.)", w.Origin()))
		case "wrong surface":
			link = w.Add("SPHERICAL_SURFACE('',%s,5.)", w.Origin())
		}
		var strip, bottom, top []string
		for k := range n + 1 {
			strip = append(strip, fmt.Sprint(n+k%n+1), fmt.Sprint(k%n+1))
		}
		for k := range n {
			bottom, top = append(bottom, fmt.Sprint(n-k)), append(top, fmt.Sprint(n+k+1))
		}
		around := w.Add("COMPLEX_TRIANGULATED_FACE('',%s,%d,%s,%s,(),(%s),())", all, 2*n,
			steptest.List(normals...), link,
			steptest.List(strip...))
		caps := w.Add("COMPLEX_TRIANGULATED_FACE('',%s,%d,(),$,(),(),(%s))", all, 2*n, steptest.List(bottom...))
		lid := w.Add("COMPLEX_TRIANGULATED_FACE('',%s,%d,((0.,0.,1.)),$,(),(),(%s))", all, 2*n,
			steptest.List(top...))
		m := mustRead(t, tessellatedPart(w, w.Add("TESSELLATED_SOLID('',(%s,%s,%s),$)", around, caps, lid)))
		if len(m.Solids) != 1 || len(m.Edges) != 2 || len(brep.Check(m)) > 0 {
			t.Fatalf("linked to %s: %d solids, %d edges, %v", linked, len(m.Solids), len(m.Edges), brep.Check(m))
		}
		// The points with their normals also determine the surface.
		if c, ok := surface.Underlying(m.Faces[0].Surface).(surface.Cylinder); !ok || math.Abs(c.Radius-5) > 1e-9 {
			t.Errorf("linked to %s: %+v", linked, surface.Underlying(m.Faces[0].Surface))
		}
		s, c := math.Sincos(math.Pi / n)
		p := geom.Vec3{X: 5 * c, Y: 5 * s, Z: 4}
		uv, _ := m.Faces[0].Surface.Invert(p)
		if a := m.Faces[0].Surface.Normal(uv.X, uv.Y).Angle(geom.Vec3{X: c, Y: s}); a > 1e-3 {
			t.Errorf("linked to %s: the normal is %g rad off", linked, a)
		}
	}
}

func TestRepositionedSolid(t *testing.T) {
	w := &steptest.Text{}
	at := w.Placement(geom.Vec3{X: 10}, steptest.UnitZ, steptest.UnitX)
	solid := w.Add("(GEOMETRIC_REPRESENTATION_ITEM()REPOSITIONED_TESSELLATED_ITEM(%s)REPRESENTATION_ITEM('')"+
		"TESSELLATED_ITEM()TESSELLATED_SOLID(%s,$))", at, steptest.List(writeTessellatedBox(w, "surface sets")...))
	m := mustRead(t, tessellatedPart(w, solid))
	p, err := mass.Compute(context.Background(), m)
	if err != nil || p.Bounds.Min.Dist(geom.Vec3{X: 10}) > 1e-12 || !near(p.Volume, 6, 1e-12) {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestBrokenTessellations(t *testing.T) {
	for _, c := range []struct{ name, face, code, reason string }{
		{"corner beyond the points", "TRIANGULATED_FACE('',%s,8,(),$,(),((1,2,9)))", "unreadable_file",
			"from 1 to 8"},
		{"corner zero", "TRIANGULATED_FACE('',%s,8,(),$,(),((1,2,0)))", "unreadable_file", "from 1 to 8"},
		{"gathered point that is none", "TRIANGULATED_FACE('',%s,2,(),$,(1,99),((1,2,3)))", "unreadable_file",
			"point 99 of 8"},
		{"text for a corner", "TRIANGULATED_FACE('',%s,8,(),$,(),((1,2,'x')))", "unreadable_file",
			"TRIANGULATED_FACE"},
		{"no list of coordinates", "TRIANGULATED_FACE('',#1,8,(),$,(),((1,2,3)))", "unreadable_file",
			"list of coordinates"},
		{"only flat triangles", "TRIANGULATED_FACE('',%s,8,(),$,(),((1,2,2)))", "unreadable_file", "with an area"},
		{"no triangles", "TRIANGULATED_FACE('',%s,8,(),$,(),())", "no_solid", "has no triangles"},
		{"one that is not read", "CUBIC_BEZIER_TRIANGULATED_FACE('',%s,8,(),$,())", "no_solid", "has no triangles"},
	} {
		w := &steptest.Text{}
		w.Point(geom.Vec3{})
		face := c.face
		all := w.Add("%s", boxCoordinates)
		if strings.Contains(face, "%s") {
			face = fmt.Sprintf(face, all)
		}
		solid := w.Add("TESSELLATED_SOLID('',(%s),$)", w.Add("%s", face))
		f := failure(t, tessellatedPart(w, solid))
		if f.Code != fault.Code(c.code) || !strings.Contains(f.Reason, c.reason) || !strings.Contains(f.Reason, "#") {
			t.Errorf("%s: %s %q, want %s about %q", c.name, f.Code, f.Reason, c.code, c.reason)
		}
	}
}

// TestColorsOfTriangles styles a body and one of its faces.
func TestColorsOfTriangles(t *testing.T) {
	w := &steptest.Text{}
	faces := writeTessellatedBox(w, "strips of all points")
	solid := w.Add("TESSELLATED_SOLID('',%s,$)", steptest.List(faces...))
	for item, color := range map[string]string{solid: "'blue'", faces[1]: "'red'"} {
		fill := w.Add("FILL_AREA_STYLE('',(%s))",
			w.Add("FILL_AREA_STYLE_COLOUR('',%s)", w.Add("DRAUGHTING_PRE_DEFINED_COLOUR(%s)", color)))
		side := w.Add("SURFACE_SIDE_STYLE('',(%s))", w.Add("SURFACE_STYLE_FILL_AREA(%s)", fill))
		style := w.Add("PRESENTATION_STYLE_ASSIGNMENT((%s))", w.Add("SURFACE_STYLE_USAGE(.BOTH.,%s)", side))
		w.Add("STYLED_ITEM('',(%s),%s)", style, item)
	}
	m := mustRead(t, tessellatedPart(w, solid))
	for i, f := range m.Faces {
		want := brep.Color{B: 1}
		if i == 1 {
			want = brep.Color{R: 1}
		}
		if f.Color == nil || *f.Color != want {
			t.Errorf("face %d: colour %v", i, f.Color)
		}
	}
}
