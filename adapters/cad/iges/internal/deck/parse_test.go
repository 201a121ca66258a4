package deck

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
)

func parse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatalf("%v, reading\n%.400s", err, text)
	}
	return f
}

// sample contains two lines, a long string with delimiters in it, and a spline that fills several cards.
func sample() *igestest.Deck {
	d := &igestest.Deck{}
	d.Put(igestest.Entry{Type: 110, Parameters: "0.,0.,0.,1.,2.,3.", Level: 3, Transform: 5, Color: -7,
		Status: "01020503", Label: "EDGE", Subscript: 12, LineFont: 1, View: 9, Structure: -11})
	d.Add(406, 15, "1,%dH%s", len(longText), longText)
	d.Add(124, 0, "1.,0.,0.,10.,0.,1.,0.,20.,0.,0.,1.,30.")
	d.Add(126, 0, "3,3,0,0,1,0,0.,0.,0.,0.,1.,1.,1.,1.,1.D0,1.D0,1.D0,1.D0,"+
		"1.25E-1,-2.5D+1,,3.5,.5,+6,-.75,8,9.,10.,11.,12.,0.,1.,0.,0.,1.")
	return d
}

const longText = "a name; with, all the delimiters of the file in it, 12Hand a count, which runs over a card   " +
	"and has blanks where it ends"

// spline are the values of the last entity of sample behind its flags.
var spline = []float64{0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
	0.125, -25, 0, 3.5, 0.5, 6, -0.75, 8, 9, 10, 11, 12, 0, 1, 0, 0, 1}

// checkSample fails when f is not sample.
func checkSample(t *testing.T, f *File) {
	t.Helper()
	if len(f.Entities) != 4 {
		t.Fatalf("%d entities, want 4", len(f.Entities))
	}
	if f.IsCutOff || f.Garbage+f.Broken+f.Misplaced > 0 {
		t.Errorf("cut off: %v, garbage %d, broken %d, misplaced %d", f.IsCutOff, f.Garbage, f.Broken, f.Misplaced)
	}
	e := f.Entities[0]
	got := fmt.Sprintln(e.DE, e.Type, e.Form, e.Level, e.Transform, e.Color, e.Status, e.Label(), e.Subscript,
		e.LineFont, e.View, e.Structure)
	if want := "1 110 0 3 5 -7 {1 2 5 3} EDGE 12 1 9 -11\n"; got != want {
		t.Errorf("directory entry %s, want %s", got, want)
	}
	p := f.Params(&f.Entities[1])
	if n, text := p.Int(), p.Text(); n != 1 || text != longText || p.Err() != nil {
		t.Errorf("name %d %q, want 1 %q, error %v", n, text, longText, p.Err())
	}
	p = f.Params(&f.Entities[3])
	flags := fmt.Sprint(p.Count(1), p.Int(), p.Bool(), p.Bool(), p.Bool(), p.Bool())
	values := make([]float64, len(spline))
	p.Reals(values)
	if flags != "3 3 false false true false" || fmt.Sprint(values) != fmt.Sprint(spline) || p.Err() != nil {
		t.Errorf("spline %s %v, error %v", flags, values, p.Err())
	}
	if p.More() || p.v.missing != 0 {
		t.Errorf("more: %v, missing %d at the end", p.More(), p.v.missing)
	}
	if f.Global.UnitMM != 1 || f.Global.Resolution != 0.001 || f.Global.MaxCoordinate != 100 {
		t.Errorf("global section %+v", f.Global)
	}
}

// TestFormsOfText reads the same file with everything that writers and editors do to lines.
func TestFormsOfText(t *testing.T) {
	fixed := sample().Fixed()
	eachLine := func(text string, change func(line string) string) string {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		for i := range lines {
			lines[i] = change(lines[i])
		}
		return strings.Join(lines, "\n") + "\n"
	}
	for _, c := range []struct{ name, text string }{
		{"as written", fixed},
		{"CR and LF", strings.ReplaceAll(fixed, "\n", "\r\n")},
		{"CR", strings.ReplaceAll(fixed, "\n", "\r")},
		{"no line ends", strings.ReplaceAll(fixed, "\n", "")},
		{"byte-order mark", "\xEF\xBB\xBF" + fixed},
		{"last line without an end", strings.TrimSuffix(fixed, "\n")},
		{"blank lines", strings.ReplaceAll(fixed, "\n", "\n\n  \n")},
		{"section letters in lower case", eachLine(fixed, func(l string) string {
			return l[:72] + strings.ToLower(l[72:])
		})},
		{"long lines", eachLine(fixed, func(l string) string { return l + "   and more" })},
		{"text behind the end", fixed + "GARBAGE\n" + fixed},
		{"NULs behind the end", fixed + strings.Repeat("\x00", 2000)},
		{"no sequence numbers", eachLine(fixed, func(l string) string {
			if l[72] == 'D' || l[72] == 'P' {
				return l[:73]
			}
			return l
		})},
		{"zeros before sequence numbers", eachLine(fixed, func(l string) string {
			return l[:73] + strings.ReplaceAll(l[73:], " ", "0")
		})},
		{"no back pointers", eachLine(fixed, func(l string) string {
			if l[72] == 'P' {
				return l[:64] + "        " + l[72:]
			}
			return l
		})},
	} {
		t.Run(c.name, func(t *testing.T) { checkSample(t, parse(t, c.text)) })
	}
}

func TestCompressed(t *testing.T) {
	d := sample()
	for _, lineBreak := range []string{"\n", "\r\n"} {
		d.Break = lineBreak
		checkSample(t, parse(t, d.Compressed()))
	}
	d.Break = ""
	text := d.Compressed()
	t.Run("comments behind the parameters", func(t *testing.T) {
		f := parse(t, strings.ReplaceAll(text, "0.,0.,1.;\n", "0.,0.,1.; a comment\nand more of it\n"))
		if f.Garbage != 1 {
			t.Errorf("garbage %d, want 1", f.Garbage)
		}
		f.Garbage = 0
		checkSample(t, f)
	})
	t.Run("null entity", func(t *testing.T) {
		d := &igestest.Deck{}
		d.Add(110, 0, "1.,2.,3.,4.,5.,6.")
		lines := strings.Split(d.Compressed(), "\n")
		last := len(lines) - 2
		lines = append(lines[:last:last], "D3@1_0@14_0;", "D5@1_116@14_1;", "116,7.,8.,9.;", lines[last], "")
		f := parse(t, strings.Join(lines, "\n"))
		p := f.Params(&f.Entities[2])
		if x := p.Real(); len(f.Entities) != 3 || f.Entities[1].Type != 0 || x != 7 {
			t.Errorf("%d entities, x = %v", len(f.Entities), x)
		}
	})
	t.Run("no end", func(t *testing.T) {
		if f := parse(t, text[:strings.LastIndex(text, "S      1G")]); !f.IsCutOff || len(f.Entities) != 4 {
			t.Errorf("cut off: %v, %d entities", f.IsCutOff, len(f.Entities))
		}
	})
	t.Run("entity line that never ends", func(t *testing.T) {
		f := parse(t, text)
		cut := text[:strings.Index(text, "D3@")] + "D3@1_110\n110,1;\n"
		broken, err := Parse(t.Context(), strings.NewReader(cut), 1<<20)
		if err != nil || broken.Broken != 1 || len(broken.Entities) != 1 || len(f.Entities) != 4 {
			t.Errorf("%+v, error %v", broken, err)
		}
	})
}

// TestDamage reads files with cards missing, swapped or wrong.
func TestDamage(t *testing.T) {
	lines := strings.SplitAfter(sample().Fixed(), "\n")
	find := func(section string, sequence int) int {
		for i, l := range lines {
			if strings.HasSuffix(l, fmt.Sprintf("%s%7d\n", section, sequence)) {
				return i
			}
		}
		t.Fatalf("no card %s %d", section, sequence)
		return -1
	}
	without := func(i int) string { return strings.Join(lines[:i], "") + strings.Join(lines[i+1:], "") }
	with := func(i int, from, to string) string {
		if !strings.Contains(lines[i], from) {
			t.Fatalf("%q is not in %q", from, lines[i])
		}
		return strings.Join(lines[:i], "") + strings.Replace(lines[i], from, to, 1) + strings.Join(lines[i+1:], "")
	}
	for _, c := range []struct {
		name, text                 string
		entities                   int
		cutOff                     bool
		broken, misplaced, garbage int
		unreadable                 string // entities whose parameters cannot be read
	}{
		{"first card of an entry missing", without(find("D", 3)), 3, false, 1, 0, 0, ""},
		{"second card of an entry missing", without(find("D", 4)), 3, false, 1, 0, 0, ""},
		{"first parameter card missing", without(find("P", 1)), 4, false, 0, 3, 0, "D1"},
		{"no end", without(find("T", 1)), 4, true, 0, 0, 0, ""},
		{"cut off in the directory", strings.Join(lines[:find("D", 8)], ""), 3, true, 0, 0, 0, "D1 D3 D5"},
		{"wrong parameter pointer", with(find("D", 3), "       2", "       4"), 4, false, 0, 1, 0, ""},
		{"parameter pointer outside", with(find("D", 3), "       2", "  999999"), 4, false, 0, 1, 0, ""},
		{"parameter pointer no number", with(find("D", 3), "       2", "      x2"), 4, false, 1, 1, 0, ""},
		{"line of no section", with(find("D", 3), "D      3", "X      3"), 3, false, 1, 0, 1, ""},
		{"parameters of another type", with(find("P", 1), "110,", "116,"), 4, false, 0, 0, 0, "D1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := parse(t, c.text)
			var bad []string
			for i := range f.Entities {
				e := &f.Entities[i]
				if p := f.Params(e); p.Err() != nil {
					bad = append(bad, fmt.Sprintf("D%d", e.DE))
				}
				if found, ok := f.At(int(e.DE)); !ok || found != e {
					t.Errorf("D%d is not found", e.DE)
				}
			}
			got := fmt.Sprintln(len(f.Entities), f.IsCutOff, f.Broken, f.Misplaced, f.Garbage, strings.Join(bad, " "))
			want := fmt.Sprintln(c.entities, c.cutOff, c.broken, c.misplaced, c.garbage, c.unreadable)
			if got != want {
				t.Errorf("entities, cut off, broken, misplaced, garbage, unreadable:\n got %swant %s", got, want)
			}
		})
	}
}

// TestUTF8 reads a file in which an editor has replaced letters of one byte by letters of two.
func TestUTF8(t *testing.T) {
	d := &igestest.Deck{}
	d.Add(406, 15, "1,7HGeh\xE4use")
	d.Add(406, 15, "1,7HGehause")
	f := parse(t, strings.ReplaceAll(d.Fixed(), "\xE4", "ä"))
	for i, want := range []string{"Gehäuse", "Gehause"} {
		p := f.Params(&f.Entities[i])
		if n, got := p.Int(), p.Text(); n != 1 || got != want || p.Err() != nil {
			t.Errorf("name %d %q, want %q, error %v", n, got, want, p.Err())
		}
	}
}

func TestAt(t *testing.T) {
	f := parse(t, sample().Fixed())
	wanted := map[int]bool{-3: false, 0: false, 1: true, 2: false, 3: true, 7: true, 8: false, 9: false, 1 << 40: false}
	for de, want := range wanted {
		e, ok := f.At(de)
		if ok != want || ok && int(e.DE) != de {
			t.Errorf("At(%d) = %v, %v", de, e, ok)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, code, reason string }{
		{"empty", "", "unreadable_file", "The file is empty."},
		{"blank", "\n\n", "unreadable_file", "The file is empty."},
		{"binary", "B\x00\x00\x00\x4B" + strings.Repeat("\x01", 67) + "B0000001", "unsupported_version",
			"binary IGES"},
		{"no directory", (&igestest.Deck{}).Fixed(), "unreadable_file", "holds no entities"},
		{"no data", (&igestest.Deck{}).Compressed(), "unreadable_file", "holds no entities"},
		{"prose", strings.Repeat("It was a dark and stormy night. ", 100), "unreadable_file", "holds no entities"},
	} {
		_, err := Parse(t.Context(), strings.NewReader(c.text), int64(len(c.text)))
		var failure *fault.Error
		if !errors.As(err, &failure) || failure.Code != fault.Code(c.code) ||
			!strings.Contains(failure.Reason, c.reason) {
			t.Errorf("%s: error %v, want %s: …%s…", c.name, err, c.code, c.reason)
		}
	}
	_, err := Parse(t.Context(), strings.NewReader(""), 5<<30)
	if err == nil || !strings.Contains(err.Error(), "larger than 4 GB") {
		t.Errorf("5 GB: error %v", err)
	}
}

type brokenDisk struct{ after int64 }

func (b brokenDisk) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > b.after {
		return 0, errors.New("disk on fire")
	}
	return len(p), nil
}

func TestErrorsOfTheReader(t *testing.T) {
	_, err := Parse(t.Context(), brokenDisk{chunkSize}, 1<<20)
	if err == nil || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("broken disk: error %v", err)
	}
	text := strings.Repeat(strings.Repeat(" ", 72)+"S      1\n", 2*checkEvery)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Parse(ctx, strings.NewReader(text), int64(len(text))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	short := sample().Fixed()
	f, err := Parse(t.Context(), io.NewSectionReader(strings.NewReader(short), 0, int64(len(short))), 1<<20)
	if err != nil {
		t.Fatalf("size too large: %v", err)
	}
	checkSample(t, f)
}
