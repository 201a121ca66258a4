package iges

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
)

// volumeOf reads and sews a file and returns the volume of its only solid, mm³.
func volumeOf(t *testing.T, text string) (float64, *brep.Model) {
	t.Helper()
	m, err := Read(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sew.Sew(t.Context(), m, sew.Options{}); err != nil {
		t.Fatal(err)
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil || len(m.Solids) != 1 {
		t.Fatalf("%d solids, %v, warnings %v", len(m.Solids), err, m.Warnings)
	}
	return p.Volume, m
}

// eachLine changes the lines of a text.
func eachLine(text string, change func(string) string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, l := range lines {
		lines[i] = change(l)
	}
	return strings.Join(lines, "\n") + "\n"
}

// inSections changes the lines of some sections.
func inSections(text, sections string, change func(string) string) string {
	return eachLine(text, func(l string) string {
		if len(l) > 72 && strings.Contains(sections, l[72:73]) {
			return change(l)
		}
		return l
	})
}

// TestLayout reads a box of 24 mm³ from files in every line layout in use.
func TestLayout(t *testing.T) {
	d := &igestest.Deck{}
	box(d, geom.Vec3{X: 1}, geom.Vec3{X: 2, Y: 3, Z: 4})
	fixed := d.Fixed()
	without := func(section string) string {
		var out []string
		for l := range strings.SplitSeq(fixed, "\n") {
			if len(l) <= 72 || l[72:73] != section {
				out = append(out, l)
			}
		}
		return strings.Join(out, "\n")
	}
	number := func(from int) func(string) string {
		n := from
		return func(l string) string { n++; return l[:73] + fmt.Sprintf("%7d", n) }
	}
	inch3 := math.Pow(25.4, 3)
	for _, c := range []struct {
		name, text string
		scale      float64 // of the volume
		warning    string
	}{
		{"80 columns", fixed, 1, ""},
		{"CR and LF", strings.ReplaceAll(fixed, "\n", "\r\n"), 1, ""},
		{"CR", strings.ReplaceAll(fixed, "\n", "\r"), 1, ""},
		{"no line ends", strings.ReplaceAll(fixed, "\n", ""), 1, ""},
		{"byte-order mark", "\xEF\xBB\xBF" + fixed, 1, ""},
		{"lines longer than 80", eachLine(fixed, func(l string) string { return l + " and more" }), 1, ""},
		{"lines cut behind the section letter",
			inSections(fixed, "SGPT", func(l string) string { return l[:73] }), 1, ""},
		{"section letters in lower case", eachLine(fixed, func(l string) string {
			return l[:72] + strings.ToLower(l[72:])
		}), 1, ""},
		{"blank lines", strings.ReplaceAll(fixed, "\n", "\n\n"), 1, ""},
		{"tabs for blanks in the directory", inSections(fixed, "D", func(l string) string {
			return strings.ReplaceAll(l, "        ", "\t")
		}), 1, ""},
		{"tabs at the end of the parameters", inSections(fixed, "P", func(l string) string {
			end := strings.TrimRight(l[:56], " ")
			if len(end) > 48 {
				return l
			}
			return end + strings.Repeat("\t", (63-len(end))/8+1) + l[64:]
		}), 1, ""},
		{"no Start section", without("S"), 1, ""},
		{"no Global section: inches", without("G"), inch3, ""},
		{"no Terminate section", without("T"), 1, "cut_off"},
		{"text behind the Terminate section", fixed + fixed, 1, ""},
		{"Start section of many lines", strings.Repeat(fixed[:81], 3) + fixed, 1, ""},
		{"sequence numbers of zero", eachLine(fixed, func(l string) string { return l[:73] + "0000000" }), 1, ""},
		{"no sequence numbers", eachLine(fixed, func(l string) string { return l[:73] + "       " }), 1, ""},
		{"parameters numbered from elsewhere", inSections(fixed, "P", number(1000)), 1, ""},
		{"parameters that name no owner", inSections(fixed, "P", func(l string) string {
			return l[:64] + "        " + l[72:]
		}), 1, ""},
		{"directory that names the wrong lines", inSections(fixed, "D", func(l string) string {
			if l[66:72] != strings.Repeat(" ", 6) && strings.HasSuffix(l[:72], "00000000") {
				return l[:8] + "       1" + l[16:]
			}
			return l
		}), 1, ""},
		{"line of no section", strings.Replace(fixed, "\n", "\nWhat is this?\n", 1), 1, "garbage"},
		{"compressed form", d.Compressed(), 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, m := volumeOf(t, c.text)
			if want := 24 * c.scale; math.Abs(got-want) > 1e-9*want {
				t.Errorf("volume %g mm³, want %g", got, want)
			}
			if c.warning != "" && warned(m, c.warning) == 0 {
				t.Errorf("warnings %v, want %s", m.Warnings, c.warning)
			}
		})
	}
}

// TestGlobalSection reads the box with the contents that writers give the global section.
func TestGlobalSection(t *testing.T) {
	inch3 := math.Pow(25.4, 3)
	unit := func(flag, name string) string { return strings.Replace(igestest.Global, "2,2HMM", flag+","+name, 1) }
	swap := func(old, by string) string { return strings.Replace(igestest.Global, old, by, 1) }
	for _, c := range []struct {
		name, global string
		scale        float64 // of the volume
		tolerance    float64 // mm
		part         string
	}{
		{"complete", igestest.Global, 1, 1e-3, "part"},
		{"both delimiters left out", ",," + igestest.Global[8:], 1, 1e-3, "part"},
		{"other delimiters",
			strings.NewReplacer("1H,", "1H|", "1H;", "1H!", ",", "|", ";", "!").Replace(igestest.Global), 1,
			1e-3, "part"},
		{"ends behind the unit", igestest.Global[:strings.Index(igestest.Global, "2HMM")+4] + ";", 1,
			minTolerance, "part"},
		{"ends before the unit: inches", "1H,,1H;,4Hpart;", inch3, minTolerance, "part"},
		{"unit by its name", unit("3", "2HCM"), 1e3, 1e-2, "part"},
		{"unit by a name in full", unit("3", "11Hmillimeters"), 1, 1e-3, "part"},
		{"unit left out, but named", unit("", "2HMM"), 1, 1e-3, "part"},
		{"metres", unit("6", "1HM"), 1e9, maxTolerance, "part"},
		{"scale of the model", swap("4Hpart,1.,", "4Hpart,2.,"), 1. / 8, 5e-4, "part"},
		{"resolution of zero", swap("0.001", "0."), 1, minTolerance, "part"},
		{"resolution left out", swap("0.001", ""), 1, minTolerance, "part"},
		{"negative resolution", swap("0.001", "-1."), 1, minTolerance, "part"},
		{"enormous resolution", swap("0.001", "1.E20"), 1, maxTolerance, "part"},
		{"enormous largest coordinate", swap("100.", "1.D+38"), 1, 1e-3, "part"},
		{"count of a text too large", swap("8Hpart.igs", "11Hpart.igs"), 1, 1e-3, "part"},
		{"count of a text too small", swap("8Hpart.igs", "3Hpart.igs"), 1, 1e-3, "part"},
		{"count of letters instead of bytes", swap("8Hpart.igs", "9HGehäu,se"), 1, 1e-3, "part"},
		{"count that the section lacks room for", swap("8Hpart.igs", "999Hpart.igs"), 1, 1e-3, "part"},
		{"name in Latin-1", swap("4Hpart", "4HSp\xE4n"), 1, 1e-3, "Spän"},
		{"text with delimiters", swap("8Hpart.igs", "8Hp,rt;igs"), 1, 1e-3, "part"},
		{"blanks around the values", strings.ReplaceAll(igestest.Global, ",2,2HMM,", ", 2 , 2HMM ,"), 1, 1e-3, "part"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{Global: c.global}
			box(d, geom.Vec3{X: 1}, geom.Vec3{X: 2, Y: 3, Z: 4})
			if strings.Contains(c.global, "1H|") {
				for i := range d.Entries {
					d.Entries[i].Parameters = strings.ReplaceAll(d.Entries[i].Parameters, ",", "|")
				}
			}
			got, m := volumeOf(t, d.Fixed())
			if want := 24 * c.scale; math.Abs(got-want) > 1e-9*want {
				t.Errorf("volume %g mm³, want %g", got, want)
			}
			if math.Abs(m.Tolerance.Length-c.tolerance) > 1e-9*c.tolerance || m.Name != c.part {
				t.Errorf("tolerance %g mm, name %q; want %g, %q", m.Tolerance.Length, m.Name, c.tolerance, c.part)
			}
		})
	}
}

// TestValues reads the box with its numbers in every notation of the free format.
func TestValues(t *testing.T) {
	real := regexp.MustCompile(`\d+\.\d*`)
	for _, c := range []struct {
		name   string
		change func(string) string
	}{
		{"exponents with D", func(s string) string { return real.ReplaceAllString(s, "${0}D0") }},
		{"exponents with E and a sign", func(s string) string { return real.ReplaceAllString(s, "${0}E+00") }},
		{"blanks around", func(s string) string { return strings.ReplaceAll(s, ",", "  , ") }},
		{"signs", func(s string) string { return real.ReplaceAllString(s, "+$0") }},
		{"zeros left out", func(s string) string {
			return regexp.MustCompile(`,0(,|$)`).ReplaceAllString(regexp.MustCompile(`,0(,|$)`).ReplaceAllString(s,
				",$1"), ",$1")
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			box(d, geom.Vec3{X: 1}, geom.Vec3{X: 2, Y: 3, Z: 4})
			for i := range d.Entries {
				if k := d.Entries[i].Type; k == 110 || k == 108 {
					d.Entries[i].Parameters = c.change(d.Entries[i].Parameters)
				}
			}
			if got, _ := volumeOf(t, d.Fixed()); math.Abs(got-24) > 1e-9 {
				t.Errorf("volume %g mm³, want 24", got)
			}
		})
	}
}
