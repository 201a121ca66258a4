package part21

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The words the tests care about.
const (
	wordPoint Keyword = iota + 1
	wordShape
	wordCurve
	wordTrue
	wordMilli
)

var testWords = NewVocabulary([]Word{{},
	{Name: "POINT", Entity: true},
	{Name: "SHAPE", Entity: true, Text: true, Listed: true},
	{Name: "CURVE", Entity: true, Listed: true},
	{Name: "T"},
	{Name: "MILLI"},
})

const (
	opening = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('S'));\nENDSEC;\nDATA;\n"
	closing = "ENDSEC;\nEND-ISO-10303-21;\n"
)

func readText(t testing.TB, text string) *File {
	t.Helper()
	f, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), testWords)
	if err != nil {
		t.Fatalf("Read(%q): %v", text, err)
	}
	return f
}

// dump writes all results of a File as text.
func dump(f *File) string {
	var out strings.Builder
	for row := range f.Len() {
		r := refTo(int32(row))
		fmt.Fprintf(&out, "#%d %s", f.ID(r), f.Name(r))
		if reason := f.Fault(r); reason != "" {
			fmt.Fprintf(&out, " !%s", reason)
		}
		if f.IsComplex(r) && f.Fault(r) == "" {
			in := f.table[row]
			b := f.blocks[in.block]
			b.eachPartial(in.token, func(k Keyword, list uint32) bool {
				a := Args{blk: b, at: list + 1, end: list + 1 + uint32(b.vals[list]), left: int32(b.vals[list] >> 32)}
				fmt.Fprintf(&out, " %s(", f.spell(b, k))
				dumpArgs(&out, f, a)
				out.WriteString(")")
				return true
			})
		} else {
			out.WriteString(" ")
			dumpArgs(&out, f, f.Args(r))
		}
		out.WriteString("\n")
	}
	fmt.Fprintf(&out, "cutoff=%v garbage=%d broken=%d duplicates=%d",
		f.IsCutOff, f.Garbage, f.Broken, f.Duplicates)
	return out.String()
}

func dumpArgs(out *strings.Builder, f *File, a Args) {
	for a.More() {
		switch k := a.blk.kinds[a.at]; k {
		case kUnset:
			out.WriteString("$ ")
			a.Skip(1)
		case kDerived:
			out.WriteString("* ")
			a.Skip(1)
		case kInt:
			fmt.Fprintf(out, "%d ", a.Int())
		case kReal:
			fmt.Fprintf(out, "%gr ", a.Real())
		case kString:
			fmt.Fprintf(out, "%q ", a.Text())
		case kEnum:
			fmt.Fprintf(out, ".%d. ", a.Enum())
		case kBinary:
			out.WriteString("bin ")
			a.Skip(1)
		case kRef:
			fmt.Fprintf(out, "#%d ", f.ID(a.Ref()))
		case kDangling:
			a.Ref()
			_, absent := a.Problem()
			fmt.Fprintf(out, "?%d ", absent)
			a.absent = 0
		case kList:
			out.WriteString("( ")
			dumpArgs(out, f, a.List())
			out.WriteString(") ")
		case kTyped:
			name, list := a.Typed()
			fmt.Fprintf(out, "%s( ", f.spell(a.blk, name))
			dumpArgs(out, f, list)
			out.WriteString(") ")
		}
	}
}

func TestGrammar(t *testing.T) {
	const clean = "\ncutoff=false garbage=0 broken=0 duplicates=0"
	for _, c := range []struct{ name, data, want string }{
		{"plain", "#1=POINT('',(1.,2,-3.5E-1));", `#1 POINT "" ( 1r 2 -0.35r ) ` + clean},
		{"blanks everywhere", " # 1 = POINT ( $ , * , ( ) ) ; ", "garbage"},
		{"blanks", "#1 =\n POINT ( $ ,\t* , ( ) )\r\n; ", "#1 POINT $ * ( ) " + clean},
		{"comments",
			"/* a */#1/*b*/=/*c*/POINT/* ; */(/*'*/1/*e*/,/**/2)/**/;/* #2=POINT(); */", "#1 POINT 1 2 " + clean},
		{"strings", "#1=SHAPE('it''s;','','a/*b*/');", `#1 SHAPE "it's;" "" "a/*b*/" ` + clean},
		{"text not wanted", "#1=POINT('it''s');", `#1 POINT "" ` + clean},
		{"references", "#1=POINT(#2,#9);\n#2=POINT();", "#1 POINT #2 ?9 \n#2 POINT " + clean},
		{"enumerations", "#1=POINT(.T.,.MILLI.,.OTHER_1.);", "#1 POINT .4. .5. .0. " + clean},
		{"lower case", "#1=point(.t.,shape(1));", "#1 POINT .4. SHAPE( 1 ) " + clean},
		{"typed",
			"#1=POINT(LENGTH_MEASURE(2.5),SHAPE('x'));", `#1 POINT LENGTH_MEASURE( 2.5r ) SHAPE( "" ) ` + clean},
		{"binary", `#1=POINT("0FF",1);`, "#1 POINT bin 1 " + clean},
		{"complex", "#1=(POINT('',(1,2))SHAPE('n')\nOTHER());",
			`#1 (POINT SHAPE OTHER) POINT("" ( 1 2 ) ) SHAPE("n" ) OTHER()` + clean},
		{"unknown names are skipped",
			"#1=VENDOR_THING('a;''b',(1,/* ; */2));#2=!USER(1);", "#1 VENDOR_THING \n#2 !USER " + clean},
		{"values left out", "#1=POINT(,1,,);", "#1 POINT $ 1 $ $ " + clean},
		{"nested", "#1=POINT(((1),((2))),());", "#1 POINT ( ( 1 ) ( ( 2 ) ) ) ( ) " + clean},
		{"63-bit number", "#9223372036854775807=POINT();", "#9223372036854775807 POINT " + clean},
		{"numbers", "#1=POINT(+1,-.5,.5,1.,1.E5,1e-3,00012,1234567890123456789012);",
			"#1 POINT 1 -0.5r 0.5r 1r 100000r 0.001r 12 1.2345678901234568e+21r " + clean},
		{"duplicate number", "#1=POINT(1);#1=POINT(2);#2=POINT(#1);",
			"#1 POINT 1 \n#1 POINT 2 \n#2 POINT #1 \ncutoff=false garbage=0 broken=0 duplicates=1"},
		{"two sections", "#1=POINT(1);ENDSEC;\nDATA('b',('S'));#2=POINT(2);", "#1 POINT 1 \n#2 POINT 2 " + clean},
		{"carriage returns only", "#1=POINT(1);\r#2=POINT(2);\r", "#1 POINT 1 \n#2 POINT 2 " + clean},
	} {
		got := dump(readText(t, opening+c.data+closing))
		if c.want == "garbage" {
			if !strings.Contains(got, "garbage=1") {
				t.Errorf("%s: got %s, want one piece of garbage", c.name, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.name, c.data, got, c.want)
		}
	}
}

func TestBrokenInstancesLeaveTheRestReadable(t *testing.T) {
	for _, c := range []struct{ name, data, reason string }{
		{"not a number", "#1=POINT(1.#INF);", "','"},
		{"no digits", "#1=POINT(1.,+.);", "malformed"},
		{"no exponent", "#1=POINT(1.E);", "malformed"},
		{"word as value", "#1=POINT(nan);", "without '('"},
		{"odd quote", "#1=SHAPE('it's');", "','"},
		{"odd quote in a name that is skipped", "#1=VENDOR('it's');\n#2=VENDOR('');", "string"},
		{"quote never closed", "#1=SHAPE('its);", "string"},
		{"missing comma", "#1=POINT(1 2);", "','"},
		{"missing semicolon", "#1=POINT(1) POINT(2);", "';'"},
		{"missing equals", "#1 POINT(1);", "'='"},
		{"no name", "#1=;", "name"},
		{"scope", "#1=&SCOPE #5=POINT(); ENDSCOPE POINT();", "name"},
		{"too deep", "#1=POINT(" + strings.Repeat("(", 40) + strings.Repeat(")", 40) + ");", "deep"},
		{"enumeration", "#1=POINT(.T,1);", "'.'"},
		{"stray character", "#1=POINT(?);", "character"},
		{"no list", "#1=POINT;", "'('"},
		{"lone slash", "#1=POINT(1/2);", "'/'"},
	} {
		f := readText(t, opening+c.data+"\n#7=POINT(7);\n"+closing)
		r, ok := f.Find(1)
		if !ok || !strings.Contains(f.Fault(r), c.reason) {
			t.Errorf("%s: found %v, fault %q; want one about %s", c.name, ok, f.Fault(r), c.reason)
			continue
		}
		if a := f.Args(r); a.More() || f.Name(r) == "" {
			t.Errorf("%s: broken instance has %d parameters and name %q", c.name, a.Len(), f.Name(r))
		}
		r, ok = f.Find(7)
		if a := f.Args(r); !ok || a.Real() != 7 {
			t.Errorf("%s: the instance behind it was not read: %s", c.name, dump(f))
		}
		if f.IsCutOff {
			t.Errorf("%s: reported as cut off", c.name)
		}
	}
}

func TestNumberTooLargeBelongsToNoInstance(t *testing.T) {
	f := readText(t, opening+"#9223372036854775808=POINT();#1=POINT();"+closing)
	if f.Len() != 1 || f.Garbage != 1 {
		t.Errorf("%d instances, %d garbage; want 1 and 1", f.Len(), f.Garbage)
	}
}

func TestHeader(t *testing.T) {
	f := readText(t, "\xEF\xBB\xBF /* by hand */ ISO-10303-21;\nHEADER;\n"+
		"FILE_DESCRIPTION(('a','b'),'2;1');\nfile_name ('n''1','2020','x'\n,$);OTHER((1));\n"+
		"FILE_NAME('part','now',('me'),('us','them'),'pre','sys','ok');\n"+
		"FILE_SCHEMA(('AP','BP'));\nENDSEC;\n"+
		"ANCHOR;\n<x>=#1;\nENDSEC;\n"+
		"REFERENCE;\n#5=<f.stp#a>;\nENDSEC;\nDATA;\n#1=POINT(1);\n"+closing)
	want := Header{Description: []string{"a", "b"}, Level: "2;1", Name: "part", TimeStamp: "now",
		Authors: []string{"me"}, Organizations: []string{"us", "them"}, Preprocessor: "pre", System: "sys",
		Authorization: "ok", Schemas: []string{"AP", "BP"}}
	if !reflect.DeepEqual(f.Header, want) {
		t.Errorf("header = %+v\nwant %+v", f.Header, want)
	}
	if got := dump(f); !strings.HasPrefix(got, "#1 POINT 1 \ncutoff=false") {
		t.Errorf("data = %s", got)
	}
}

func TestCutOffFiles(t *testing.T) {
	const whole = opening + "#1=POINT('',(1.,2.));\n/* c */ #2=SHAPE('a''b;');\n#3=VENDOR('x');\n" + closing
	for n := len("ISO-10303-21"); n < len(whole); n++ {
		f := readText(t, whole[:n])
		wantCut := n < strings.Index(whole, "ENDSEC;\nEND-ISO")+len("ENDSEC;")
		if f.IsCutOff != wantCut {
			t.Errorf("cut at %d %q: IsCutOff = %v", n, whole[max(0, n-20):n], f.IsCutOff)
		}
		whole := strings.Count(whole[:n], ");\n#") + strings.Count(whole[:n], ");\n/*")
		if f.Broken != 0 || f.Len() > 3 || f.Len() < whole {
			t.Errorf("cut at %d: %d instances, %d broken", n, f.Len(), f.Broken)
		}
	}
}

func TestNoExchangeStructure(t *testing.T) {
	long := strings.Repeat(" ", 1<<20)
	for _, text := range []string{"", "   ", "solid x", "ISO-10303-2", "IS O-10303-21;", long} {
		_, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), testWords)
		var want *Error
		if !errors.As(err, &want) {
			t.Errorf("Read(%.20q): %v, want an *Error", text, err)
		}
	}
}

func TestReadIgnoresTextBehindEnd(t *testing.T) {
	f := readText(t, opening+"#1=POINT(1);"+closing+"SIGNATURE;\nabc+/=\n#2=POINT(2);ENDSEC;")
	if f.Len() != 1 || f.IsCutOff || f.Garbage != 0 {
		t.Errorf("got %s", dump(f))
	}
}

func TestHeaderAlone(t *testing.T) {
	f := readText(t, "ISO-10303-21;\nHEADER;\n")
	if f.Len() != 0 || !f.IsCutOff || f.Of(wordShape) != nil {
		t.Errorf("got %s", dump(f))
	}
	if _, ok := f.Find(1); ok {
		t.Error("found an instance")
	}
}

func TestListedInstances(t *testing.T) {
	f := readText(t, opening+"#1=SHAPE('a');#2=(CURVE()SHAPE());#3=CURVE();#1=SHAPE('b');#4=POINT();"+closing)
	ids := func(refs []Ref) (out []int64) {
		for _, r := range refs {
			out = append(out, f.ID(r))
		}
		return out
	}
	if got := ids(f.Of(wordShape)); !reflect.DeepEqual(got, []int64{2, 1}) {
		t.Errorf("SHAPE: %v, want 2 and the later 1", got)
	}
	if got := ids(f.Of(wordCurve)); !reflect.DeepEqual(got, []int64{2, 3}) {
		t.Errorf("CURVE: %v, want 2, 3", got)
	}
	if got := f.Of(wordPoint); got != nil {
		t.Errorf("POINT is not listed, got %v", got)
	}
}

// TestChunksMatchOnePass splits random files, full of quotes, semicolons and comments in awkward places, into chunks
// of a few bytes: the result must equal the result of one sequential pass.
func TestChunksMatchOnePass(t *testing.T) {
	pieces := []string{
		"#%d=POINT('',(1.25,-2.E-3,.5));\n", "#%d=SHAPE('a;\n#7=POINT(1);');", "#%d=VENDOR('it''s; #3=POINT()');",
		"/* ; #5=POINT(); */", "\n\n      \n",
		"#%d=(SHAPE('x''')POINT(#1,#2));", "#%d=CURVE((#1,#2,(#3)),$,*,.T.);",
		"ENDSEC;\nDATA;\n", "#%d=SHAPE('it's');", "garbage here;", "#%d=POINT(1/2);",
		"/* it's */ #%d = VENDOR ( /* ; */ 1 ) ;",
		"REFERENCE; #1=<x>; ENDSEC; DATA;", `#%d=POINT("0;#1=POINT();");`,
	}
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		text.WriteString(opening)
		for i, p := range rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 60).Draw(t, "pieces") {
			if strings.Contains(p, "%d") {
				p = fmt.Sprintf(p, i%20+1)
			}
			text.WriteString(p)
		}
		if rapid.Bool().Draw(t, "closed") {
			text.WriteString(closing)
		}
		data := text.Bytes()
		if cut := rapid.IntRange(0, 40).Draw(t, "cut"); len(data)-cut > 20 {
			data = data[:len(data)-cut]
		}
		stretch := rapid.Int64Range(1, 300).Draw(t, "stretch")
		size := int64(len(data))
		one, err := read(context.Background(), bytes.NewReader(data), size, testWords, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		many, err := read(context.Background(), bytes.NewReader(data), size, testWords, stretch)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := dump(one), dump(many); a != b {
			t.Fatalf("stretches of %d bytes of %q\nin one pass:\n%s\nin stretches:\n%s", stretch, data, a, b)
		}
	})
}

// blanks is a file of n spaces behind a few bytes, without the memory.
type blanks struct {
	head string
	n    int64
}

func (b blanks) ReadAt(p []byte, off int64) (int, error) {
	n := int(max(0, min(int64(len(p)), b.n-off)))
	for i := range p[:n] {
		p[i] = ' '
	}
	if off < int64(len(b.head)) {
		copy(p[:n], b.head[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func TestHugeBlankFiles(t *testing.T) {
	for _, head := range []string{
		"", "ISO-10303-21;", opening, opening + "#1=POINT(", opening + "#1=POINT(1);",
	} {
		src := blanks{head, 8 << 20}
		var err error
		allocated := testing.AllocsPerRun(1, func() {
			_, err = Read(context.Background(), src, src.n, testWords)
		})
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%q: %v", head, err)
		}
		if head == opening+"#1=POINT(1);" && err != nil {
			t.Errorf("%q: %v", head, err)
		}
		if allocated > 5000 {
			t.Errorf("%q: %g allocations", head, allocated)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	text := opening + strings.Repeat("#1=POINT(1);\n", 100) + closing
	_, err := Read(ctx, strings.NewReader(text), int64(len(text)), testWords)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

type failing struct{ io.ReaderAt }

func (failing) ReadAt([]byte, int64) (int, error) { return 0, errors.New("disk on fire") }

func TestReadErrorsAreNotTheFilesFault(t *testing.T) {
	_, err := Read(context.Background(), failing{}, 1000, testWords)
	var e *Error
	if err == nil || errors.As(err, &e) || !strings.Contains(err.Error(), "disk on fire") {
		t.Errorf("error %v, want the reader's own", err)
	}
	_, err = Read(context.Background(), strings.NewReader(opening), 1000, testWords)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("file shorter than stated: %v", err)
	}
}
