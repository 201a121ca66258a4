package step

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/internal/salvage"
	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestFailures breaks one thing of a good file at a time. The reason of the failure, or of the loss of a face, must
// name the entity at fault.
func TestFailures(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	good := w.File()
	mustRead(t, good)
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("the good file has no %q", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	plane := good[:strings.Index(good, "=PLANE")]
	plane = plane[strings.LastIndex(plane, "#"):]
	firstEdge := regexp.MustCompile(`EDGE_LOOP\('',\(#[0-9]+`)
	for _, c := range []struct {
		name, text string
		code       fault.Code
		reason     []string // parts of it
	}{
		{"no STEP file", "solid ascii", "unreadable_file", []string{"ISO-10303-21"}},
		{"nothing in it", "ISO-10303-21;HEADER;ENDSEC;DATA;ENDSEC;END-ISO-10303-21;", "no_solid",
			[]string{"no data"}},
		{"header only", "ISO-10303-21;\nHEADER;\n", "unreadable_file", []string{"cut off"}},
		{"surface of an unknown type", replace("=PLANE(", "=BLOB_SURFACE("), salvage.MadeSurface,
			[]string{plane + " BLOB_SURFACE", "surface"}},
		{"surface that is no surface", replace("=PLANE(", "=DIRECTION("), salvage.MadeSurface,
			[]string{plane + " DIRECTION", "surface"}},
		{"broken grammar", replace("=PLANE('',", "=PLANE('' "), salvage.MadeSurface, []string{plane + " PLANE",
			"grammar"}},
		{"number missing", replace("=CARTESIAN_POINT('',(0,0,0))", "=CARTESIAN_POINT('',$)"), salvage.MadeVertex,
			[]string{"CARTESIAN_POINT", "coordinates"}},
		{"string for a number", replace("=CARTESIAN_POINT('',(0,0,0))", "=CARTESIAN_POINT('',('x',0,0))"),
			salvage.MadeVertex, []string{"#1 CARTESIAN_POINT", "parameter 2"}},
		{"infinite number", replace("=CARTESIAN_POINT('',(0,0,0))", "=CARTESIAN_POINT('',(1.E999,0,0))"),
			salvage.MadeVertex, []string{"#1 CARTESIAN_POINT"}},
		{"loop that is none", replace("=EDGE_LOOP(", "=EDGE_HOOP("), salvage.MadeBound, []string{"EDGE_HOOP",
			"loop"}},
		{"edge without curve", replace("=EDGE_CURVE(", "=EDGE("), salvage.MadeEdge, []string{"EDGE", "edge"}},
		{"reference to nothing", replace("=ORIENTED_EDGE('',*,*,#", "=ORIENTED_EDGE('',*,*,#9"), salvage.MadeEdge,
			[]string{"ORIENTED_EDGE", "refers to #9", "not in the file."}},
		{"reference to number 0", replace(firstEdge.FindString(good), "EDGE_LOOP('',(#0"), salvage.MadeEdge,
			[]string{"EDGE_LOOP", "parameter 2"}},
		{"shell without faces", "ISO-10303-21;HEADER;ENDSEC;DATA;#1=MANIFOLD_SOLID_BREP('',#2);" +
			"#2=CLOSED_SHELL('',());ENDSEC;END-ISO-10303-21;", "unreadable_file", []string{"#2 CLOSED_SHELL",
			"no faces"}},
		{"face made of itself", "ISO-10303-21;HEADER;ENDSEC;DATA;#1=MANIFOLD_SOLID_BREP('',#2);" +
			"#2=CLOSED_SHELL('',(#3));#3=ORIENTED_FACE('',*,#3,.T.);ENDSEC;END-ISO-10303-21;",
			"unreadable_file", []string{"#3 ORIENTED_FACE", "itself"}},
	} {
		var f fault.Error
		if slices.Contains(salvage.Codes, string(c.code)) {
			m := mustRead(t, c.text)
			if w := hasWarning(m, string(c.code)); w != nil {
				f = fault.Error{Code: c.code, Reason: w.Message}
			}
		} else {
			f = failure(t, c.text)
		}
		if f.Code != c.code {
			t.Errorf("%s: code %s, want %s (%s)", c.name, f.Code, c.code, f.Reason)
		}
		for _, part := range c.reason {
			if !strings.Contains(f.Reason, part) {
				t.Errorf("%s: reason %q does not mention %q", c.name, f.Reason, part)
			}
		}
		if !strings.HasSuffix(f.Reason, ".") || strings.Contains(f.Reason, "..") {
			t.Errorf("%s: %q is no sentence", c.name, f.Reason)
		}
	}
}

func TestFilesWithoutExactShape(t *testing.T) {
	for _, c := range []struct{ data, reason string }{
		{"#1=GEOMETRIC_CURVE_SET('',());", "only wireframe"},
		{"#1=TESSELLATED_SOLID('',(),$);", "#1 TESSELLATED_SOLID has no triangles"},
		{"#1=COMPLEX_TRIANGULATED_FACE('',$);#2=GEOMETRIC_CURVE_SET('',());", "notes and pictures"},
		{"#1=EXTRUDED_AREA_SOLID('',$,$,$);", "CSG"},
		{"#1=DOCUMENT_FILE('a.stp');", "other files"},
		{"#1=CARTESIAN_POINT('',(0.,0.,0.));", "no solid and no surface"},
	} {
		f := failure(t, "ISO-10303-21;HEADER;ENDSEC;DATA;"+c.data+"ENDSEC;END-ISO-10303-21;")
		if f.Code != "no_solid" || !strings.Contains(f.Reason, c.reason) {
			t.Errorf("%s: %s %q, want no_solid about %q", c.data, f.Code, f.Reason, c.reason)
		}
	}
}

// TestCutOff truncates a good file at every line: it still has all data that the part needs, or the error states that
// the file looks cut off.
func TestCutOff(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	inOrder := w.File()
	at := strings.Index(inOrder, "#1=")
	end := strings.Index(inOrder, "ENDSEC;\nEND-ISO")
	lines := strings.SplitAfter(strings.TrimSuffix(inOrder[at:end], "\n"), "\n")
	for i, j := 0, len(lines)-1; i < j; i, j = i+1, j-1 {
		lines[i], lines[j] = lines[j], lines[i]
	}
	backwards := inOrder[:at] + strings.Join(lines, "") + "\n" + inOrder[end:]
	for name, text := range map[string]string{"in order": inOrder, "backwards": backwards} {
		mustRead(t, text)
		for cut := at; cut < strings.Index(text, "ENDSEC;\nEND-ISO"); cut += 37 {
			m, err := readText(text[:cut])
			if err == nil {
				t.Errorf("%s, cut at %d of %d: read %d faces without failure", name, cut, len(text), len(m.Faces))
			} else if f := failure(t, text[:cut]); f.Code != "unreadable_file" || !strings.Contains(f.Reason,
				"cut off") {
				t.Errorf("%s, cut at %d: %s %q", name, cut, f.Code, f.Reason)
			}
		}
		m := mustRead(t, text[:strings.Index(text, "ENDSEC;\nEND-ISO")])
		if hasWarning(m, "cut_off") == nil || len(m.Faces) != 6 {
			t.Errorf("%s: without the end: %d faces, warnings %v", name, len(m.Faces), m.Warnings)
		}
	}
}

func TestWarningsAboutTheText(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	text := strings.Replace(w.File(), "DATA;\n",
		"DATA;\n#9000=SOMETHING('a);\n#9001=DIRECTION('',(1,2;\nrubbish;\n"+
			"#1=CARTESIAN_POINT('',(9.,9.,9.));\n", 1)
	m := mustRead(t, text)
	for _, code := range []string{"broken_instances", "garbage", "duplicate_instances"} {
		if hasWarning(m, code) == nil {
			t.Errorf("no warning %q in %v", code, m.Warnings)
		}
	}
	if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 6, 1e-9) {
		t.Errorf("volume %g, want 6: the last #1 counts", v)
	}
}
