package step

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/step/steptest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestSectionsOfEditionThree wraps the data of a part in everything that editions 2 and 3 allow around it.
func TestSectionsOfEditionThree(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	text := w.File()
	from, to := strings.Index(text, "#1="), strings.LastIndex(text, "ENDSEC;")
	lines := strings.SplitAfter(text[from:to], "\n")
	half := len(lines) / 2
	first, second := strings.Join(lines[:half], ""), strings.Join(lines[half:], "")
	header := "FILE_DESCRIPTION(('a'),'4;1');FILE_NAME('n','',(''),(''),'','','');FILE_SCHEMA(('AP242'));"
	population := "SCHEMA_POPULATION(($,'2020-01-01T00:00:00',('x.stp')));FILE_POPULATION('S','M',$);" +
		"SECTION_LANGUAGE($,'en');SECTION_CONTEXT($,('c'));"
	anchors := "ANCHOR;\n<part>=#1;\n<END_not>=(#1,$){tag:'x;y'};\nENDSEC;\n"
	references := "REFERENCE;\n#900001=<other.stp#part>;\n@5=<x>;\nENDSEC;\n"
	for name, file := range map[string]string{
		"plain":          header + "ENDSEC;DATA;" + first + second + "ENDSEC;END-ISO-10303-21;",
		"population":     header + population + "ENDSEC;DATA;" + first + second + "ENDSEC;END-ISO-10303-21;",
		"no end of data": header + "ENDSEC;DATA;" + first + second + "END-ISO-10303-21;",
		"anchors":        header + "ENDSEC;" + anchors + "DATA;" + first + second + "ENDSEC;END-ISO-10303-21;",
		"references": header + "ENDSEC;" + anchors + references + "DATA;" + first + second +
			"ENDSEC;END-ISO-10303-21;",
		"sections": header + "ENDSEC;DATA('a',('AP242'));" + first + "ENDSEC;DATA('b',('AP242'));" + second +
			"ENDSEC;END-ISO-10303-21;",
		"section between": header + "ENDSEC;DATA('a',('AP242'));" + first + "ENDSEC;" + references +
			"DATA('b',('AP242'));" + second + "ENDSEC;END-ISO-10303-21;",
		"small letters": header + "endsec;" + strings.ToLower(anchors) + "data;" + strings.ToLower(first+second) +
			"endsec;end-iso-10303-21;",
		"signature": header + "ENDSEC;DATA;" + first + second +
			"ENDSEC;\nEND-ISO-10303-21;\nSIGNATURE;\nMIIC#1=;'(\nENDSEC;\n",
	} {
		m := mustRead(t, "ISO-10303-21;HEADER;"+file)
		want := 0
		if strings.Contains(file, references) {
			want = 1
			if r := hasWarning(m, "external_reference"); r == nil || !strings.Contains(r.Message, `"other.stp#part"`) {
				t.Errorf("%s: warnings %v", name, m.Warnings)
			}
		}
		v, _ := polyhedron(t, m, allFaces(m))
		if !near(v, 6, 1e-12) || len(m.Solids) != 1 || len(m.Warnings) != want {
			t.Errorf("%s: volume %g, %d solids, warnings %v", name, v, len(m.Solids), m.Warnings)
		}
	}
}

// TestNamesInAnyScript writes names of products, solids and faces in each encoding that files use.
func TestNamesInAnyScript(t *testing.T) {
	for raw, want := range map[string]string{
		`\X2\00C400DF\X0\`: "Äß", `Geh\X\E4use`: "Gehäuse", `\S\d`: "ä", `\PE\\S\d`: "ф", "Gehäuse": "Gehäuse",
		"Geh\xE4use": "Gehäuse", "\x83\x7B\x83\x8B\x83g": "ボルト", `\X4\0001F529\X0\`: "🔩", "a;b''c": "a;b'c",
		"/* no comment */": "/* no comment */", "NONE": "",
	} {
		w := &steptest.Text{}
		shell := w.BoxShell("CLOSED_SHELL", geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}, false)
		solid := w.Add("MANIFOLD_SOLID_BREP('%s',%s)", raw, shell)
		w.Product(raw, w.Add("ADVANCED_BREP_SHAPE_REPRESENTATION('',(%s),%s)", solid, w.Context()))
		m := mustRead(t, strings.Replace(w.File(), "=ADVANCED_FACE(''", "=ADVANCED_FACE('"+raw+"'", 1))
		if m.Solids[0].Name != want || m.Faces[0].Name != want || want != "" && m.Name != want {
			t.Errorf("%q: product %q, solid %q, face %q, want %q", raw, m.Name, m.Solids[0].Name, m.Faces[0].Name, want)
		}
	}
}

// TestLargeNumbers renumbers instances from the highest number there is downward.
func TestLargeNumbers(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3}))
	m := mustRead(t, rewrite(w.File(), func(id int64) string { return fmt.Sprintf("#%d", math.MaxInt64-id) }))
	if v, _ := polyhedron(t, m, allFaces(m)); !near(v, 6, 1e-12) || m.Solids[0].Source < 1<<62 {
		t.Errorf("volume %g, solid #%d", v, m.Solids[0].Source)
	}
}

// rewrite replaces the instance numbers of a text outside strings.
func rewrite(text string, name func(id int64) string) string {
	var b strings.Builder
	inText := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		inText = inText != (c == '\'')
		if c != '#' || inText {
			b.WriteByte(c)
			continue
		}
		var id int64
		for i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9' {
			i++
			id = 10*id + int64(text[i]-'0')
		}
		b.WriteString(name(id))
	}
	return b.String()
}

// TestReferencesToOtherFiles reads an assembly with only one component in the file.
func TestReferencesToOtherFiles(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}))
	kind := w.Add("DOCUMENT_TYPE('')")
	w.Add("DOCUMENT_FILE('bolt.stp','','',%s,'',$)", kind)
	w.Add("DOCUMENT_FILE('','nut.stp','',%s,'',$)", kind)
	m := mustRead(t, w.File())
	if r := hasWarning(m, "external_reference"); r == nil || r.Count != 2 ||
		!strings.Contains(r.Message, `"bolt.stp"`) {
		t.Errorf("warnings %v", m.Warnings)
	}
}

// TestFaceInAnotherFile reads a solid with one face in another file: the warning names the file.
func TestFaceInAnotherFile(t *testing.T) {
	w := &steptest.Text{}
	w.Part(w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1}))
	text := strings.Replace(w.File(), "=CLOSED_SHELL('',(", "=CLOSED_SHELL('',(#9001,", 1)
	text = strings.Replace(text, "DATA;", "REFERENCE;#9001=<lid.stp#face>;ENDSEC;DATA;", 1)
	if w := hasWarning(mustRead(t, text), brep.SkippedFace); w == nil ||
		!strings.Contains(w.Message, "CLOSED_SHELL refers to #9001") || !strings.Contains(w.Message, `"lid.stp#face"`) {
		t.Errorf("warning %v", w)
	}
	alone := "ISO-10303-21;HEADER;ENDSEC;REFERENCE;#1=<gear.stp#a>;ENDSEC;DATA;#2=POINT($);ENDSEC;END-ISO-10303-21;"
	if f := failure(t, alone); f.Code != "no_solid" || !strings.Contains(f.Reason, `"gear.stp#a"`) {
		t.Errorf("reason %q", f.Reason)
	}
}

// TestCyclicCopiesEnd reads mapped items and replicas that contain themselves.
func TestCyclicCopiesEnd(t *testing.T) {
	w := &steptest.Text{}
	context, at := w.Context(), w.Origin()
	box := w.Box(geom.Vec3{}, geom.Vec3{X: 1, Y: 1, Z: 1})
	mapping := w.Add("REPRESENTATION_MAP(%s,REP)", at)
	item := w.Add("MAPPED_ITEM('',%s,%s)", mapping, w.Placement(geom.Vec3{X: 3}, steptest.UnitZ, steptest.UnitX))
	rep := w.Add("SHAPE_REPRESENTATION('',(%s,%s),%s)", box, item, context)
	w.Product("part", rep)
	m := mustRead(t, strings.Replace(w.File(), "REP)", rep+")", 1))
	if len(m.Solids) != 1 || hasWarning(m, "assembly_cycle") == nil {
		t.Errorf("%d solids, warnings %v", len(m.Solids), m.Warnings)
	}
	w = &steptest.Text{}
	move := w.Add("CARTESIAN_TRANSFORMATION_OPERATOR_3D('',$,$,%s,$,$)", w.Point(geom.Vec3{X: 4}))
	replica := w.Add("SOLID_REPLICA('',SELF,%s)", move)
	w.Part(replica)
	if f := failure(t, strings.Replace(w.File(), "SELF", replica, 1)); !strings.Contains(f.Reason, "copy of itself") {
		t.Errorf("replica of itself: %s", f.Reason)
	}
}
