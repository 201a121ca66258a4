package pmi_test

import (
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/kernel/gdt"
)

// positive writes a length for definitions of holes, in one of two forms.
func (f *fixture) positive(value float64) string {
	if value < 10 {
		return f.Add("POSITIVE_LENGTH_MEASURE_WITH_UNIT(POSITIVE_LENGTH_MEASURE(%v),%s)", value, f.mm)
	}
	return f.Add("(LENGTH_MEASURE_WITH_UNIT()MEASURE_WITH_UNIT(POSITIVE_LENGTH_MEASURE(%v),%s)"+
		"POSITIVE_LENGTH_MEASURE_WITH_UNIT())", value, f.mm)
}

func (f *fixture) angle(degrees float64) string {
	return f.Add("POSITIVE_PLANE_ANGLE_MEASURE_WITH_UNIT(POSITIVE_PLANE_ANGLE_MEASURE(%v),%s)", degrees, f.deg)
}

func (f *fixture) plusMinus(lower, upper float64) string {
	return f.Add("TOLERANCE_VALUE(%s,%s)", f.length(lower, f.mm), f.length(upper, f.mm))
}

// TestHoles states holes of all kinds as features: each size is a dimension of the faces of the occurrence.
func TestHoles(t *testing.T) {
	type size struct {
		kind         string
		nominal      float64 // mm or degrees
		lower, upper float64
	}
	for _, c := range []struct {
		name    string
		write   func(f *fixture) (kind, definition string)
		through bool
		want    []size
	}{
		{"basic, blind, placement behind the sizes", func(f *fixture) (string, string) {
			return "BASIC_ROUND_HOLE", f.Add("BASIC_ROUND_HOLE('','',%s,%s,%s,%s,%s,.F.)", f.positive(20),
				f.plusMinus(-0.5, 0.5), f.positive(8), f.Add("LIMITS_AND_FITS('H','hole','7','')"), f.Origin())
		}, false, []size{{"diameter", 8, 0, 0.015}, {"depth", 20, -0.5, 0.5}}},
		{"basic, through", func(f *fixture) (string, string) {
			return "BASIC_ROUND_HOLE", f.Add("BASIC_ROUND_HOLE('','',$,$,%s,$,%s,.T.)", f.positive(8), f.Origin())
		}, true, []size{{"diameter", 8, 0, 0}}},
		{"counterbore", func(f *fixture) (string, string) {
			bore := f.Add("EXPLICIT_ROUND_HOLE('','',%s,$,%s,%s,%s)", f.positive(5), f.positive(14),
				f.plusMinus(0, 0.2), f.Origin())
			return "COUNTERBORE_HOLE", f.Add("COUNTERBORE_HOLE_DEFINITION('','',(%s),$,$,%s,$,.T.,%s)", bore,
				f.positive(9), f.Origin())
		}, true, []size{{"diameter", 9, 0, 0}, {"counterbore diameter", 14, 0, 0.2},
			{"counterbore depth", 5, 0, 0}}},
		{"simplified counterbore, placement first", func(f *fixture) (string, string) {
			bore := f.Add("EXPLICIT_ROUND_HOLE('','',%s,$,%s,$,%s)", f.positive(5), f.positive(14), f.Origin())
			return "COUNTERBORE_HOLE", f.Add("SIMPLIFIED_COUNTERBORE_HOLE_DEFINITION('','',%s,(%s),%s,$,%s,$,.F.)",
				f.Origin(), bore, f.positive(30), f.positive(9))
		}, false, []size{{"diameter", 9, 0, 0}, {"depth", 30, 0, 0}, {"counterbore diameter", 14, 0, 0},
			{"counterbore depth", 5, 0, 0}}},
		{"counterdrill", func(f *fixture) (string, string) {
			bore := f.Add("EXPLICIT_ROUND_HOLE('','',%s,$,%s,$,%s)", f.positive(5), f.positive(14), f.Origin())
			return "COUNTERDRILL_HOLE", f.Add("COUNTERDRILL_HOLE_DEFINITION('','',(%s),%s,$,$,$,%s,$,.T.,%s)", bore,
				f.angle(118), f.positive(9), f.Origin())
		}, true, []size{{"diameter", 9, 0, 0}, {"counterdrill angle", 118, 0, 0},
			{"counterdrill diameter", 14, 0, 0}, {"counterdrill depth", 5, 0, 0}}},
		{"countersink", func(f *fixture) (string, string) {
			return "COUNTERSINK_HOLE", f.Add("COUNTERSINK_HOLE_DEFINITION('','',%s,$,%s,%s,$,$,%s,$,.T.,%s)",
				f.angle(90), f.positive(12), f.plusMinus(-0.1, 0.3), f.positive(6), f.Origin())
		}, true, []size{{"diameter", 6, 0, 0}, {"countersink diameter", 12, -0.1, 0.3},
			{"countersink angle", 90, 0, 0}}},
		{"countersink of a blind hole", func(f *fixture) (string, string) {
			return "COUNTERSINK_HOLE", f.Add("COUNTERSINK_HOLE_DEFINITION('','',%s,$,%s,$,%s,$,%s,$,.F.,%s)",
				f.angle(82), f.positive(12), f.positive(25), f.positive(6), f.Origin())
		}, false, []size{{"diameter", 6, 0, 0}, {"depth", 25, 0, 0}, {"countersink diameter", 12, 0, 0},
			{"countersink angle", 82, 0, 0}}},
		{"spotface", func(f *fixture) (string, string) {
			face := f.Add("SPOTFACE_DEFINITION('','',%s,$,%s,$,%s,%s,$)", f.positive(1), f.positive(20), f.Origin(),
				f.positive(0.5))
			return "SPOTFACE", f.Add("SPOTFACE_HOLE_DEFINITION('','',(%s),$,$,%s,$,.T.,%s)", face, f.positive(10),
				f.Origin())
		}, true, []size{{"diameter", 10, 0, 0}, {"spotface diameter", 20, 0, 0}, {"spotface depth", 1, 0, 0},
			{"spotface radius", 0.5, 0, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture()
			kind, definition := c.write(f)
			f.tie(f.Add("%s_OCCURRENCE('','',%s,.T.,%s)", kind, f.shape, definition), 1, 4)
			m := f.read(t)
			quiet(t, m)
			if len(m.PMI.Dimensions) != len(c.want) {
				t.Fatalf("%d dimensions, want %d: %+v", len(m.PMI.Dimensions), len(c.want), m.PMI.Dimensions)
			}
			for i, want := range c.want {
				got := m.PMI.Dimensions[i]
				isAngle := strings.HasSuffix(want.kind, "angle")
				nominal := got.Nominal
				if isAngle {
					nominal *= 180 / math.Pi
				}
				const rounding = 1e-9
				if got.Kind != want.kind || math.Abs(nominal-want.nominal) > rounding || got.Angle != isAngle ||
					!near(got.Lower, want.lower) || !near(got.Upper, want.upper) || !got.HasNominal || got.Source == 0 {
					t.Errorf("dimension %d: %+v, want %+v", i, got, want)
				}
				wantFaces(t, want.kind, got.Faces, 1, 4)
			}
			if through := m.PMI.Dimensions[0].Modifiers; (len(through) == 1 && through[0] == "through") != c.through {
				t.Errorf("modifiers %v, through %v", through, c.through)
			}
		})
	}
}

func TestUnreadableHoles(t *testing.T) {
	for _, definition := range []string{"$", "#99999", "BASIC_ROUND_HOLE('','')",
		"BASIC_ROUND_HOLE('','',$,$,$,$,$,.T.)",
		"BASIC_ROUND_HOLE('hole','',POSITIVE_LENGTH_MEASURE(6.0))", "EXPLICIT_ROUND_HOLE('','',$)",
		"COUNTERBORE_HOLE_DEFINITION('','',(),$,$,$,$,$)"} {
		f := newFixture()
		of := definition
		if strings.Contains(definition, "(") {
			of = f.Add("%s", definition)
		}
		f.tie(f.Add("BASIC_ROUND_HOLE_OCCURRENCE('','',%s,.T.,%s)", f.shape, of), 1)
		m := f.read(t)
		if len(m.PMI.Dimensions) != 0 || warned(m, "pmi_unreadable") != 1 {
			t.Errorf("%s: %+v, warnings %v", definition, m.PMI.Dimensions, m.Warnings)
		}
	}
}

// TestThreadFeature checks that the text of a THREAD becomes a thread note.
func TestThreadFeature(t *testing.T) {
	f := newFixture()
	feature := f.Add("THREAD('thread','')")
	f.property("parameters", feature, f.text("designation", "M10x1.5-6H"))
	f.tie(feature, 2)
	m := f.read(t)
	if n := m.PMI.Notes; len(n) != 1 || n[0].Kind != gdt.NoteThread || n[0].Thread == nil ||
		n[0].Thread.Diameter != 10 {
		t.Fatalf("notes %+v", m.PMI.Notes)
	}
	wantFaces(t, "thread", m.PMI.Notes[0].Faces, 2)
}
