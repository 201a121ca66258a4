package pmi_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
)

// everything is a part in an assembly that states something of every kind, and the number of lines that
// are the part itself.
func everything() (lines []string, part int) {
	f := newFixture()
	part = strings.Count(f.File(), "\n")
	system := f.frame("ABC", 0, 2, 4)
	size := f.Add("DIMENSIONAL_SIZE(%s,'diameter')", f.aspect(1))
	f.valued(size, f.item("nominal value", 3, f.inch, f.Add("TYPE_QUALIFIER('maximum')"),
		f.Add("VALUE_FORMAT_TYPE_QUALIFIER('NR2 1.3')")), f.item("upper limit", 4, f.mm),
		f.Add("COMPOUND_REPRESENTATION_ITEM('',SET_REPRESENTATION_ITEM((%s)))", f.text("", "theoretical")))
	distance := f.Add("DIMENSIONAL_LOCATION('',$,%s,%s)", f.aspect(0), f.aspect(1))
	f.valued(distance, f.item("nominal value", 3, f.mm))
	f.Add("PLUS_MINUS_TOLERANCE(%s,%s)", f.Add("TOLERANCE_VALUE(%s,%s)", f.length(-1, f.mm), f.length(1, f.mm)),
		distance)
	group := f.Add("COMPOSITE_GROUP_SHAPE_ASPECT('','',%s,.T.)", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", group, f.aspect(3, 4))
	upper := f.Add("(GEOMETRIC_TOLERANCE('','',%s,%s)GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((%s))"+
		"GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.FREE_STATE.))POSITION_TOLERANCE())", f.length(1, f.mm), group, system)
	lower := f.Add("PERPENDICULARITY_TOLERANCE('','',%s,%s,(%s))", f.length(0.5, f.mm), group, system)
	f.Add("GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',%s,%s)", upper, lower)
	zone := f.Add("TOLERANCE_ZONE('',$,%s,.F.,(%s),%s)", f.shape, upper,
		f.Add("TOLERANCE_ZONE_FORM('spherical')"))
	f.Add("PROJECTED_ZONE_DEFINITION(%s,(),%s,%s)", zone, f.aspect(5), f.length(2, f.inch))
	target := f.Add("PLACED_DATUM_TARGET_FEATURE('','point',%s,.T.,'1')", f.shape)
	f.Add("SHAPE_ASPECT_RELATIONSHIP('','',%s,%s)", target, f.Add("DATUM('','',%s,.F.,'D')", f.shape))
	f.Add("SHAPE_DEFINITION_REPRESENTATION(%s,%s)", f.Add("PROPERTY_DEFINITION('',$,%s)", target),
		f.Add("SHAPE_REPRESENTATION_WITH_PARAMETERS('',(%s),%s)",
			f.Placement(geom.Vec3{Z: 3}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}), f.ctx))
	f.property("semantic text", f.aspect(1), f.text("", "M8x1.25"))
	f.callout(f.aspect(2), `TXT\\n2X`)
	return strings.SplitAfter(f.File(), "\n"), part
}

var (
	argument = regexp.MustCompile(`#\d+|'[^']*'|\.[A-Z_]+\.|\$|-?\d+\.?\d*`)
	nonsense = []string{
		"$", "*", "#99999", "#1", "'x'", "7", "-1.E300", ".T.", ".PROJECTED.", "()", "((#1))", "#2,#3",
	}
	endOfData = "ENDSEC;\n"
)

// TestDamagedStatements damages a few instances of statements. The part is still read, and the remaining statements
// refer only to existing items.
func TestDamagedStatements(t *testing.T) {
	lines, part := everything()
	last := 0
	for i, line := range lines {
		if line == endOfData {
			last = i // the end of the data section comes last
		}
	}
	sound := readText(t, strings.Join(lines, ""))
	quiet(t, sound)
	if p := sound.PMI; len(p.Dimensions) != 2 || len(p.Tolerances) != 2 || len(p.Datums) != 4 ||
		len(p.Notes) != 2 {
		t.Fatalf("the sound file states %+v", p)
	}
	rapid.Check(t, func(t *rapid.T) {
		spoilt := append([]string{}, lines...)
		for range rapid.IntRange(1, 4).Draw(t, "spoils") {
			// Behind the part come three lines that end the file of the bare part.
			at := rapid.IntRange(part-2, last-1).Draw(t, "line")
			switch rapid.IntRange(0, 3).Draw(t, "how") {
			case 0:
				spoilt[at] = ""
			case 1:
				spoilt[at] = strings.Replace(spoilt[at], ");", ";", 1)
			default:
				spoilt[at] = spoil(t, spoilt[at])
			}
		}
		text := strings.Join(spoilt, "")
		m, err := step.Read(t.Context(), strings.NewReader(text), int64(len(text)), step.Options{})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		checkReferences(t, m)
	})
}

// spoil replaces one argument of an instance.
func spoil(t *rapid.T, line string) string {
	head, rest, ok := strings.Cut(line, "(")
	places := argument.FindAllStringIndex(rest, -1)
	if !ok || len(places) == 0 {
		return line
	}
	at := places[rapid.IntRange(0, len(places)-1).Draw(t, "argument")]
	return head + "(" + rest[:at[0]] + rapid.SampledFrom(nonsense).Draw(t, "nonsense") + rest[at[1]:]
}

// checkReferences checks that every statement refers to existing entities.
func checkReferences(t *rapid.T, m *brep.Model) {
	p := m.PMI
	faces := func(list []gdt.Face) {
		for i, f := range list {
			if f < 0 || int(f) >= len(m.Faces) || i > 0 && list[i-1] >= f {
				t.Fatalf("faces %v of %d", list, len(m.Faces))
			}
		}
	}
	for _, d := range p.Dimensions {
		faces(d.Faces)
		faces(d.To)
		if d.Lower > d.Upper && d.HasLower && d.HasUpper {
			t.Fatalf("limits the wrong way round: %+v", d)
		}
	}
	for i, g := range p.Tolerances {
		faces(g.Faces)
		faces(g.ProjectedFrom)
		if g.Refines < brep.None || int(g.Refines) >= len(p.Tolerances) || int(g.Refines) == i {
			t.Fatalf("tolerance %d refines %d", i, g.Refines)
		}
		for _, c := range g.Datums {
			for _, u := range c.Datums {
				if u.Datum < 0 || int(u.Datum) >= len(p.Datums) {
					t.Fatalf("datum %d of %d", u.Datum, len(p.Datums))
				}
			}
		}
	}
	for _, d := range p.Datums {
		faces(d.Faces)
		for _, target := range d.Targets {
			faces(target.Faces)
			if target.HasFrame && !target.Frame.Origin.IsFinite() {
				t.Fatalf("target %+v", target)
			}
		}
	}
	for _, n := range p.Notes {
		faces(n.Faces)
	}
}

// TestCraftedStatements reads files made to grow without bound.
func TestCraftedStatements(t *testing.T) {
	const n = 3000
	f := newFixture()
	group := f.Add("COMPOSITE_SHAPE_ASPECT('','',%s,.T.)", f.shape)
	var head strings.Builder
	// Aspects that all consist of one group, which consists of as many items.
	id := 1_000_000
	for i := range n {
		aspect := instanceOf(int64(id))
		head.WriteString(aspect + "=SHAPE_ASPECT('',''," + f.shape + ",.T.);\n" +
			instanceOf(int64(id+1)) + "=SHAPE_ASPECT_RELATIONSHIP('',''," + aspect + "," + group + ");\n" +
			instanceOf(int64(id+2)) + "=GEOMETRIC_ITEM_SPECIFIC_USAGE('',''," + group + ",$,#" +
			instanceOf(int64(2_000_000 + i))[1:] + ");\n" +
			instanceOf(int64(2_000_000+i)) + "=CARTESIAN_POINT('',(0.,0.,0.));\n" +
			instanceOf(int64(id+3)) + "=DIMENSIONAL_SIZE(" + aspect + ",'diameter');\n")
		id += 4
	}
	text := strings.Replace(f.File(), "ENDSEC;\nEND-ISO", head.String()+"ENDSEC;\nEND-ISO", 1)
	m := readText(t, text)
	if n := warned(m, "pmi_too_large"); n != 1 {
		t.Errorf("the file was read to its end: %d dimensions", len(m.PMI.Dimensions))
	}
}
