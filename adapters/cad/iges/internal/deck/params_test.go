package deck

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
)

// cursor returns the parameters of a lone entity 110.
func cursor(t *testing.T, parameters string) Params {
	t.Helper()
	d := &igestest.Deck{}
	d.Add(110, 0, "%s", parameters)
	f := parse(t, d.Fixed())
	return f.Params(&f.Entities[0])
}

func TestReals(t *testing.T) {
	for _, c := range []struct {
		text string
		want float64
		err  string
	}{
		{"1", 1, ""},
		{"  -2.5  ", -2.5, ""},
		{"1.D-3", 0.001, ""},
		{"1.d+03", 1000, ""},
		{"1.E2", 100, ""},
		{"+.5e0", 0.5, ""},
		{"1.5-103", 1.5e-103, ""},
		{"2.5+102", 2.5e102, ""},
		{"", 7, ""},
		{"   ", 7, ""},
		{"abc", 7, `D1 entity 110 (line) cannot be read: parameter 1 is not a number: "abc".`},
		{"1.5x", 7, `parameter 1 is not a number: "1.5x"`},
		{"3H1.5", 7, `parameter 1 is not a number: "3H1.5"`},
		{"1. 5", 7, `parameter 1 is not a number: "1. 5"`},
		{"*****", 7, `"*****"`},
		{"NaN", 7, `"NaN"`},
		{"1.E999", 7, `"1.E999"`},
		{"1.5-1x", 7, `"1.5-1x"`},
	} {
		p := cursor(t, c.text+",42")
		got := p.RealOr(7)
		if got != c.want || errText(p.Err()) != "" != (c.err != "") || !strings.Contains(errText(p.Err()), c.err) {
			t.Errorf("%q: %v, error %v; want %v, %q", c.text, got, p.Err(), c.want, c.err)
		}
		if next := p.Int(); next != 42 {
			t.Errorf("%q: the value behind is %d, want 42", c.text, next)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestInts(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
		err  string
	}{
		{"12", 12, ""},
		{"-12", -12, ""},
		{"3.", 3, ""},
		{"3.0E1", 30, ""},
		{"", 7, ""},
		{"3.5", 7, `parameter 1 is not a whole number: "3.5"`},
		{"2147483648", 7, "is not a whole number"},
		{"1.E30", 7, "is not a whole number"},
		{"99999999999999999999", 7, "is not a whole number"},
	} {
		p := cursor(t, c.text+",42")
		got := p.v.intOr(7)
		if got != c.want || errText(p.Err()) != "" != (c.err != "") || !strings.Contains(errText(p.Err()), c.err) {
			t.Errorf("%q: %v, error %v; want %v, %q", c.text, got, p.Err(), c.want, c.err)
		}
		if next := p.Int(); next != 42 {
			t.Errorf("%q: the value behind is %d, want 42", c.text, next)
		}
	}
}

func TestTexts(t *testing.T) {
	for _, c := range []struct{ text, want, err string }{
		{"5Hplain", "plain", ""},
		{" 5hplain ", "plain", ""},
		{"4Ha,;b", "a,;b", ""},
		{"0H", "", ""},
		{"", "", ""},
		{"3H   ", "   ", ""},
		{"7HGeh\xE4use", "Gehäuse", ""},
		{"8HGehäuse", "Gehäuse", ""},
		{"3Hlonger", "lon", ""},
		{"99Hshort", "", `parameter 1 is not a text: "99Hshort"`},
		{"plain", "", `is not a text: "plain"`},
	} {
		p := cursor(t, c.text+",42")
		got := p.Text()
		if got != c.want || errText(p.Err()) != "" != (c.err != "") || !strings.Contains(errText(p.Err()), c.err) {
			t.Errorf("%q: %q, error %v; want %q, %q", c.text, got, p.Err(), c.want, c.err)
		}
		if next := p.Int(); next != 42 {
			t.Errorf("%q: the value behind is %d, want 42", c.text, next)
		}
	}
}

func TestEndOfRecord(t *testing.T) {
	p := cursor(t, "1,,3")
	if n := p.Left(); n != 3 {
		t.Errorf("%d values left, want 3", n)
	}
	if a, b, c, d := p.Int(), p.v.intOr(9), p.Int(), p.v.intOr(8); a != 1 || b != 9 || c != 3 || d != 8 {
		t.Errorf("read %d %d %d %d, want 1 9 3 8", a, b, c, d)
	}
	if p.v.missing != 1 || p.More() || p.Err() != nil {
		t.Errorf("missing %d, more %v, error %v", p.v.missing, p.More(), p.Err())
	}
	p = cursor(t, "1,2,")
	p.Skip(2)
	if p.More() || p.Int() != 0 || p.v.missing != 0 || p.Int() != 0 || p.v.missing != 1 {
		t.Errorf("a value left out at the end: %d missing", p.v.missing)
	}
	p = cursor(t, "4Ha;,b,,2,3")
	p.Skip(2)
	if got := p.Int(); got != 2 {
		t.Errorf("behind two values is %d, want 2", got)
	}
	p.Skip(1 << 40)
	if p.More() || p.Err() != nil {
		t.Error("there is more behind everything")
	}
	p = cursor(t, "1.,2.")
	p.Reals(make([]float64, 3))
	if want := "parameter 3 is missing: the record ends too early"; !strings.Contains(errText(p.Err()), want) {
		t.Errorf("error %v, want %s", p.Err(), want)
	}
	mark := cursor(t, "5,6")
	again := mark
	if mark.Int() != 5 || again.Int() != 5 || mark.Int() != 6 {
		t.Error("a copy of a cursor is no bookmark")
	}
}

func TestCount(t *testing.T) {
	for _, c := range []struct {
		text    string
		perItem int
		want    int
		ok      bool
	}{
		{"2,1.,2.,3.,4.,5.,6.", 3, 2, true},
		{"0", 3, 0, true},
		{"", 1, 0, true},
		{"-1,2", 1, 0, false},
		{"1000000000,1.,2.", 1, 0, false},
		{"1000,1.,2.", 0, 0, false},
		{"40,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", 1, 40, true},
	} {
		p := cursor(t, c.text)
		got := p.Count(c.perItem)
		if (p.Err() == nil) != c.ok || c.ok && c.want > 0 && got != c.want {
			t.Errorf("Count(%d) of %q = %d, error %v; want %d, ok %v", c.perItem, c.text, got, p.Err(), c.want, c.ok)
		}
	}
}

// TestNumbersSurvive writes numbers in every notation and reads them back, with cards split at any column.
func TestNumbersSurvive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(rapid.Float64(), 1, 60).Draw(rt, "values")
		letter := rapid.SampledFrom([]string{"E", "D", "e", "d"}).Draw(rt, "letter")
		texts := make([]string, len(want))
		for i, x := range want {
			texts[i] = strings.ReplaceAll(strconv.FormatFloat(x, 'E', -1, 64), "E", letter)
		}
		p := cursor(t, strings.Join(texts, ","))
		got := make([]float64, len(want))
		p.Reals(got)
		if p.Err() != nil || p.More() {
			rt.Fatalf("error %v, more %v", p.Err(), p.More())
		}
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				rt.Fatalf("%s read as %v, want %v", texts[i], got[i], want[i])
			}
		}
	})
}

// TestTextsSurvive puts any characters into strings and reads them back, in both forms of the file.
func TestTextsSurvive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		want := rapid.SliceOfN(rapid.StringMatching(`[ -~]{0,90}`), 1, 5).Draw(rt, "texts")
		var all []string
		for _, s := range want {
			all = append(all, fmt.Sprintf("%dH%s", len(s), s))
		}
		d := &igestest.Deck{}
		d.Add(406, 15, "%s", strings.Join(all, ","))
		d.Add(116, 0, "1.,2.,3.")
		for _, text := range []string{d.Fixed(), d.Compressed()} {
			f := parse(t, text)
			p := f.Params(&f.Entities[0])
			for _, s := range want {
				if got := p.Text(); got != s {
					rt.Fatalf("%q read as %q in\n%s", s, got, text)
				}
			}
			if p.Err() != nil || p.More() || len(f.Entities) != 2 {
				rt.Fatalf("error %v, more %v, %d entities in\n%s", p.Err(), p.More(), len(f.Entities), text)
			}
		}
	})
}
