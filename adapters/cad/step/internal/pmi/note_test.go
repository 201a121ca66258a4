package pmi_test

import (
	"regexp"
	"testing"

	"millwright.dev/millwright/core/kernel/gdt"
)

// property writes a property with a representation.
func (f *fixture) property(name, of string, items ...string) {
	f.Add("PROPERTY_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('%s','',%s)", name, of),
		f.Add("REPRESENTATION('',%s,%s)", listOf(items), f.ctx))
}

// propertyNamed returns the property definition of a name.
func propertyNamed(t *testing.T, text, name string) string {
	t.Helper()
	m := regexp.MustCompile(`(#\d+)=PROPERTY_DEFINITION\('` + name).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("there is no property %s", name)
	}
	return m[1]
}

func (f *fixture) text(name, text string) string {
	return f.Add("DESCRIPTIVE_REPRESENTATION_ITEM('%s','%s')", name, text)
}

func TestNotes(t *testing.T) {
	f := newFixture()
	f.property("semantic text", f.shape, f.text("", "1. BREAK ALL EDGES"), f.text("", "/n"),
		f.text("", "2. \\X2\\2300\\X0\\3"))
	f.property("semantic text", f.aspect(1), f.text("", "M8x1.25 THRU"))
	f.property("Thread_Designation", f.aspect(2), f.text("", "special"))
	f.property("surface roughness", f.aspect(3), f.text("Ra", "Ra 1.6"))
	f.property("Coating", f.aspect(4, 5), f.text("", "zinc"), f.item("thickness", 0.5, f.inch))
	f.property("Heat treatment", f.shape, f.text("", "hardened"))
	f.tie(propertyNamed(t, f.File(), "Heat treatment"), 2)
	f.property("opening", f.aspect(0), f.item("", 90, f.deg))
	// These properties are not notes.
	f.property("geometric validation property", f.aspect(1), f.text("", "volume"))
	f.property("", f.aspect(1), f.text("", "shape"))
	f.property("Modeled By", f.definition(), f.text("", "somebody"))
	f.property("semantic text", f.aspect(1), f.text("", " "))
	m := f.read(t)
	quiet(t, m)
	want := []struct {
		kind  gdt.NoteKind
		name  string
		text  string
		faces []gdt.Face
	}{
		{gdt.NoteText, "semantic text", "1. BREAK ALL EDGES\n2. ⌀3", nil},
		{gdt.NoteThread, "semantic text", "M8x1.25 THRU", []gdt.Face{1}},
		{gdt.NoteThread, "Thread_Designation", "special", []gdt.Face{2}},
		{gdt.NoteSurface, "surface roughness", "Ra 1.6", []gdt.Face{3}},
		{gdt.NoteAttribute, "Coating", "zinc\n12.7 mm", []gdt.Face{4, 5}},
		{gdt.NoteAttribute, "Heat treatment", "hardened", []gdt.Face{2}},
		{gdt.NoteAttribute, "opening", "1.570796326794897 rad", []gdt.Face{0}},
	}
	if len(m.PMI.Notes) != len(want) {
		t.Fatalf("notes %+v, want %d", m.PMI.Notes, len(want))
	}
	for i, w := range want {
		got := m.PMI.Notes[i]
		if w.name != "opening" && got.Text != w.text || got.Kind != w.kind || got.Name != w.name ||
			got.Source == 0 {
			t.Errorf("note %d: %+v, want %+v", i, got, w)
		}
		wantFaces(t, w.name, got.Faces, w.faces...)
		if (got.Thread != nil) != (w.text == "M8x1.25 THRU") || got.Thread != nil && (got.Thread.Series != "M" ||
			got.Thread.Diameter != 8 || got.Thread.Pitch != 1.25) {
			t.Errorf("note %d designates the thread %+v", i, got.Thread)
		}
	}
}

// callout writes a callout of a statement, and its visible text.
func (f *fixture) callout(what, text string) {
	c := f.Add("DRAUGHTING_CALLOUT('',())")
	if what != "" {
		f.Add("DRAUGHTING_MODEL_ITEM_ASSOCIATION('','',%s,$,%s)", what, c)
	}
	if text != "" {
		in := f.Add("CHARACTERIZED_ITEM_WITHIN_REPRESENTATION('','',%s,$)", c)
		f.property("pmi validation property", in, f.text("equivalent unicode string", text))
	}
}

func TestDrawnTexts(t *testing.T) {
	f := newFixture()
	size := f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(1))
	f.valued(size, f.item("nominal value", 3, f.mm))
	f.property("pmi validation property", size, f.text("datum references", "none"),
		f.text("equivalent unicode string", `DIM\\w2X \\u\X2\2300\X0\3\\u+.1\\n-.2\\u`))
	flat := f.Add("FLATNESS_TOLERANCE('','',%s,%s)", f.length(1, f.mm), f.aspect(2))
	f.property("pmi validation property", flat, f.text("equivalent unicode string", `FCF\\w\X2\25B1\X0\\\w.01`))
	tapped := f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(3))
	f.valued(tapped, f.item("nominal value", 12, f.mm))
	f.property("pmi validation property", tapped, f.text("equivalent unicode string", `DIM\\w4X M12x1.75-6H`))
	f.callout(size, `DIM\\w3`)
	f.callout(f.aspect(4), `TXT\\n4X 1/4-20 UNC`)
	f.callout(f.aspect(4), `TXT\\n4X 1/4-20 UNC`) // in another view; the same aspect is written twice
	f.callout(f.aspect(5), "")
	f.callout("", "")
	m := f.read(t)
	if len(m.PMI.Dimensions) != 2 {
		t.Fatalf("%d dimensions", len(m.PMI.Dimensions))
	}
	if d := m.PMI.Dimensions[0]; d.Text != "2X ⌀3+.1\n-.2" || d.Thread != nil {
		t.Errorf("the dimension is drawn as %q, thread %+v", d.Text, d.Thread)
	}
	if d := m.PMI.Dimensions[1]; d.Thread == nil ||
		*d.Thread != (gdt.Thread{Series: "M", Diameter: 12, Pitch: 1.75, Starts: 1, Class: "6H", Places: 4}) {
		t.Errorf("the thread is drawn as %q and designates %+v", d.Text, d.Thread)
	}
	if got := oneTolerance(t, m).Text; got != "▱ .01" {
		t.Errorf("the tolerance is drawn as %q", got)
	}
	if n := m.PMI.Notes; len(n) != 1 || n[0].Text != "4X 1/4-20 UNC" || n[0].Kind != gdt.NoteThread ||
		n[0].Thread == nil || n[0].Thread.Places != 4 || !near(n[0].Thread.Diameter, 6.35) {
		t.Fatalf("notes %+v, want the thread once", n)
	}
	wantFaces(t, "thread", m.PMI.Notes[0].Faces, 4)
	if n := warned(m, "pmi_only_drawn"); n != 2 {
		t.Errorf("%d callouts counted as only drawn, want 2", n)
	}
}

func TestOnlyDrawn(t *testing.T) {
	f := newFixture()
	f.Add("DRAUGHTING_CALLOUT('',())")
	f.Add("TESSELLATED_ANNOTATION_OCCURRENCE('',(),$)") // the component of the callout
	m := f.read(t)
	if n := warned(m, "pmi_only_drawn"); n != 1 || !m.PMI.Empty() {
		t.Errorf("%d callouts counted, stated %+v; want 1 and nothing", n, m.PMI)
	}
	f = newFixture()
	f.Add("(ANNOTATION_CURVE_OCCURRENCE()ANNOTATION_OCCURRENCE()STYLED_ITEM('',(),$))")
	f.Add("TESSELLATED_ANNOTATION_OCCURRENCE('',(),$)")
	if n := warned(f.read(t), "pmi_only_drawn"); n != 2 {
		t.Errorf("%d annotations counted, want 2", n)
	}
}
