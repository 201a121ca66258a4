package part21

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestExternals(t *testing.T) {
	const data = "DATA;\n#1=POINT(#10,#3);\n"
	for _, c := range []struct {
		name, text string
		want       []External
	}{
		{"none", "REFERENCE;\nENDSEC;\n" + data, nil},
		{"two", "REFERENCE;\n#10=<gear.stp#a>;\n #11 = <http://x/y.stp#b>;ENDSEC;\n" + data,
			[]External{{10, "gear.stp#a"}, {11, "http://x/y.stp#b"}}},
		{"values", "REFERENCE;@5=<x.stp#a>;#10=<>;ENDSEC;" + data, []External{{10, ""}}},
		{"small letters", "reference;#10=<a b.stp#c>;endsec;" + data, []External{{10, "a b.stp#c"}}},
		{"encoded", `REFERENCE;#10=<Geh\X\E4use.stp>;ENDSEC;` + data, []External{{10, "Gehäuse.stp"}}},
		{"behind data", data + "ENDSEC;REFERENCE;#10=<g.stp>;ENDSEC;DATA;#2=POINT();", []External{{10, "g.stp"}}},
		{"number too large", "REFERENCE;#9999999999999999999=<a>;ENDSEC;" + data, nil},
		{"anchors are none", "ANCHOR;#10=<a>;ENDSEC;" + data, nil},
		{"never ends", "REFERENCE;#10=<a>;", []External{{10, "a"}}},
		{"long", "REFERENCE;" + strings.Repeat("\n", 200_000) + "#10=<a>;ENDSEC;" + data, []External{{10, "a"}}},
	} {
		text := "ISO-10303-21;HEADER;ENDSEC;\n" + c.text
		if !strings.Contains(c.text, "never") {
			text += closing
		}
		f := readText(t, text)
		if !reflect.DeepEqual(f.Externals, c.want) || f.Garbage != 0 {
			t.Errorf("%s: %v, want %v; %d garbage", c.name, f.Externals, c.want, f.Garbage)
		}
		if r, ok := f.Find(1); c.name != "never ends" && (!ok || f.Name(r) != "POINT") {
			t.Errorf("%s: the data were not read: %s", c.name, dump(f))
		}
	}
}

// TestReadSkipsTextBeforeFile prefixes a file with text that mail programs and editors add.
func TestReadSkipsTextBeforeFile(t *testing.T) {
	const whole = opening + "#1=POINT(1);" + closing
	for name, before := range map[string]string{
		"mail":        "From: a@b\nSubject: part\nContent-Type: text/plain; name=\"ISO-10303-21.stp\"\n\n",
		"byte":        "\x00\x01?",
		"two marks":   "\xEF\xBB\xBF\xEF\xBB\xBF",
		"odd comment": "/* never closed\n",
	} {
		f := readText(t, before+whole)
		r, ok := f.Find(1)
		if a := f.Args(r); !ok || a.Int() != 1 || f.Garbage != 1 || f.IsCutOff {
			t.Errorf("%s: %s", name, dump(f))
		}
	}
	far := strings.Repeat("x", 1<<20) + whole
	_, err := Read(context.Background(), strings.NewReader(far), int64(len(far)), testWords)
	var bad *Error
	if !errors.As(err, &bad) {
		t.Errorf("a megabyte before the file: %v, want an *Error", err)
	}
}

// TestNumberForms reads numbers in the valid and invalid forms of writers: integers for reals, reals for
// integers, FORTRAN's exponents, digits left out around the point.
func TestNumberForms(t *testing.T) {
	for text, want := range map[string]float64{
		"1.": 1, "1": 1, ".5": 0.5, "-.5": -0.5, "+1.": 1, "+.25": 0.25, "1.E-03": 1e-3, "1.e+03": 1e3, "1E2": 100,
		"1.D-3": 1e-3, "1.5d2": 150, "-0.": 0, "0.1E-0": 0.1, "LENGTH_MEASURE(2.)": 2, "LENGTH_MEASURE(2)": 2,
		"00012.50": 12.5, "1.0000000000000000000000001": 1, "123456789012345678901234.": 123456789012345678901234,
		"1.E-400": 0, "4.9E-324": 5e-324,
	} {
		f := readText(t, opening+"#1=POINT("+text+",7);"+closing)
		a := f.Args(refTo(0))
		got := a.Real()
		ordinal, _ := a.Problem()
		if got != want || ordinal != 0 || a.Int() != 7 {
			t.Errorf("%s reads as %g, want %g (problem %d, %s)", text, got, want, ordinal, dump(f))
		}
	}
	for text, want := range map[string]int64{"3": 3, "3.": 3, "3.0E0": 3, "+3": 3, "-3": -3, "0.3E1": 3} {
		f := readText(t, opening+"#1=POINT("+text+");"+closing)
		a := f.Args(refTo(0))
		if got := a.Int(); got != want {
			t.Errorf("%s reads as %d, want %d", text, got, want)
		}
	}
}

// TestLongInstance has one instance far longer than any stretch, between short ones.
func TestLongInstance(t *testing.T) {
	const n = 400_000
	text := opening + "#1=POINT(1);\n#2=POINT((" + strings.Repeat("1.25,\n", n) + "7));#3=POINT(#2);" + closing
	for _, stretch := range []int64{64 << 10, 1 << 20, int64(len(text))} {
		f, err := read(context.Background(), strings.NewReader(text), int64(len(text)), testWords, stretch)
		if err != nil || f.Len() != 3 || f.Broken != 0 {
			t.Fatalf("stretches of %d: %v, %d instances", stretch, err, f.Len())
		}
		a := f.Args(refTo(1))
		list := a.List()
		if list.Len() != n+1 {
			t.Fatalf("%d values, want %d", list.Len(), n+1)
		}
		list.Skip(n)
		if got := list.Real(); got != 7 {
			t.Errorf("the last value is %g, want 7", got)
		}
	}
}
