package part21

import (
	"fmt"
	"testing"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{"", ""},
		{"plain", "plain"},
		{"it''s", "it's"},
		{`C:\\dir\\f`, `C:\dir\f`},
		{`C:\dir`, `C:\dir`},
		{`\X\E4`, "ä"},
		{`\X\zz`, `\X\zz`},
		{`\X2\03C0\X0\r`, "πr"},
		{`\X2\D83DDE00\X0\`, "😀"},
		{`\X2\03C0`, "π"},
		{`\X2\03`, "03"},
		{`\X4\0001F600\X0\!`, "😀!"},
		{`\X4\FFFFFFFF\X0\`, "\uFFFD"},
		{`\S\d`, "ä"},
		{`\PA\\S\d`, "ä"},
		{`\PE\\S\d`, "ф"},
		{`\PG\\S\a\S\b`, "αβ"},
		{`\PB\\S\3\PA\\S\3`, "ł³"},
		{`\PI\\S\p`, "ğ"},
		{`\PZ\\S\d`, "\uFFFD"},
		{"\\S\\\x07", "\uFFFD"},
		{"\x95\x94\x95i", "\uFFFD\uFFFD"},
		{"\x83\x7B\x83\x8B\x83g", "ボルト"},
		{"\x82\xCB\x82\xB6M\x82W", "ねじM８"},
		{"\x83\x94\x81[\x81@\xCE\xDE\x82`\x82\x81", "ヴー\u3000ﾎﾞＡａ"},
		{"20\x80 \x96 5", "20€ – 5"},
		{"K\xF6rper \xB1", "Körper ±"},
		{"\xCE\xDE\xD9\xC4", "ÎÞÙÄ"},
		{`\S\`, `\S\`},
		{"a\r\nb", "ab"},
		{`a\N\b`, "ab"},
		{"Geh\xE4use", "Gehäuse"},
		{"Gehäuse", "Gehäuse"},
		{`\`, `\`},
		{`a\X`, `a\X`},
	} {
		if got := Decode([]byte(c.raw)); got != c.want {
			t.Errorf("Decode(%q) = %q, want %q", c.raw, got, c.want)
		}
	}
}

func TestVocabulary(t *testing.T) {
	words := []Word{{}}
	for i := range 700 {
		words = append(words, Word{Name: fmt.Sprintf("WORD_%d_OF_MANY", i*i)}, Word{Name: fmt.Sprintf("W%d", i)})
	}
	v := NewVocabulary(words)
	for i := 1; i < len(words); i++ {
		if got := v.Lookup([]byte(words[i].Name)); got != Keyword(i) {
			t.Fatalf("Lookup(%q) = %d, want %d", words[i].Name, got, i)
		}
	}
	for _, absent := range []string{"", "W", "WORD", "WORD_2_OF_MANY", "W700"} {
		if got := v.Lookup([]byte(absent)); got != NoKeyword {
			t.Errorf("Lookup(%q) = %d, want none", absent, got)
		}
	}
}

func TestArgsReportFirstError(t *testing.T) {
	f := readText(t, opening+"#1=POINT('a',2.5,#9,(1,#8),.T.,LENGTH_MEASURE(7),$,3.);"+closing)
	r, _ := f.Find(1)
	a := f.Args(r)
	a.Skip(1)
	if a.Real(); a.wrong != 0 {
		t.Errorf("a number read as wrong")
	}
	a.Real() // a reference
	if n, _ := a.Problem(); n != 3 {
		t.Errorf("mistake at %d, want 3", n)
	}
	list := a.List()
	if list.Int() != 1 || list.Ref() != Missing {
		t.Errorf("list elements misread")
	}
	a.Join(list)
	if n, absent := a.Problem(); n != 3 || absent != 8 {
		t.Errorf("Problem() = %d, %d; want 3 and instance 8", n, absent)
	}
	if a.Enum() != wordTrue || a.Real() != 7 {
		t.Errorf("enumeration or typed parameter misread")
	}
	if x, ok := a.OptReal(); ok || x != 0 {
		t.Errorf("unset number = %v, %v", x, ok)
	}
	if a.Int() != 3 || a.More() {
		t.Errorf("integral real misread")
	}
	if a.Real(); a.read != 9 {
		t.Errorf("reading past the end: element %d", a.read)
	}
	f = readText(t, opening+"#1=POINT(#0);"+closing)
	zero := f.Args(refTo(0))
	if ref, n := zero.Ref(), zero.wrong; ref != Missing || n != 1 {
		t.Errorf("reference to #0: %v, mistake at %d", ref, n)
	}
	f = readText(t, opening+"#1=POINT(#2,#9,#9,#8,#99999999999,#9999999999999999999999);#2=POINT('',1.);"+closing)
	links := f.Args(refTo(0))
	there, lost, again, other := links.Link(), links.Link(), links.Link(), links.Link()
	if there != refTo(1) || !lost.IsLost() || lost != again || lost == other || f.ID(lost) != 9 || f.Dangling != 5 {
		t.Errorf("links %v %v %v %v, %d dangling", there, lost, again, other, f.Dangling)
	}
	if far, none := links.Link(), links.Link(); far != Missing || none != Missing {
		t.Errorf("links of long numbers: %v %v, want Missing", far, none)
	}
	f = readText(t, opening+"#1=POINT('a',2.5,#9,(1,#8),.T.,LENGTH_MEASURE(7),$,3.);"+closing)
	b := f.Args(r)
	b.Skip(20)
	if n, _ := b.Problem(); n != 9 {
		t.Errorf("skipping past the end: mistake at %d, want 9", n)
	}
}
