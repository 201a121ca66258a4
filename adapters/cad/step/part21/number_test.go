package part21

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		k    kind
		want float64
	}{
		{"0", 1, kInt, 0},
		{"-0.", 3, kReal, math.Copysign(0, -1)},
		{"+12,", 3, kInt, 12},
		{"-12)", 3, kInt, -12},
		{"1.", 2, kReal, 1},
		{".5", 2, kReal, 0.5},
		{"-.5E+1", 6, kReal, -5},
		{"1E3", 3, kReal, 1000},
		{"1.e-03 ", 6, kReal, 0.001},
		{"9007199254740993.", 17, kReal, 9007199254740992},
		{"0.1000000000000000055511151231257827021181583404541015625", 57, kReal, 0.1},
		{"999999999999999999", 18, kInt, 999999999999999999},
		{"18446744073709551616", 20, kReal, 18446744073709551616},
		{"1.E-400", 7, kReal, 0},
		{"1.E400", 0, kUnset, 0},
		{"1.E999999999999", 0, kUnset, 0},
		{"1.E", 0, kUnset, 0},
		{"+", 0, kUnset, 0},
		{".", 0, kUnset, 0},
		{"-.E5", 0, kUnset, 0},
		{"4.9406564584124654E-324", 23, kReal, 5e-324},
	} {
		n, k, val := number([]byte(c.text+"\x00"), 0)
		got := math.Float64frombits(val)
		if k == kInt {
			got = float64(int64(val))
		}
		if n != c.n || k != c.k || math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("number(%q) = %d, %d, %v; want %d, %d, %v", c.text, n, k, got, c.n, c.k, c.want)
		}
	}
}

// TestLongQuotient looks close to the ties, where rounding is hardest: the digits of halfway points
// between neighbouring numbers, a little more and a little less.
func TestLongQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.Uint64Min(1<<53).Draw(t, "m")
		k := rapid.IntRange(1, 22).Draw(t, "k")
		want, err := strconv.ParseFloat(fmt.Sprintf("%de-%d", m, k), 64)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := longQuotient(m, pow10[k]); ok && got != want {
			t.Fatalf("%d/1e%d = %v, want %v", m, k, got, want)
		}
	})
	sure := 0
	for k := 1; k <= 22; k++ {
		for _, x := range []float64{1.1, 123.456, 7.0 / 3, 9.75} {
			half := new(big.Float).SetPrec(200).Add(big.NewFloat(x), big.NewFloat(math.Nextafter(x, 20)))
			half.Mul(half, big.NewFloat(0.5*pow10[k]))
			m, _ := half.Uint64()
			for d := range uint64(5) {
				n := m + d - 2
				if n <= 1<<53 || half.Cmp(big.NewFloat(0x1p63)) > 0 {
					continue
				}
				want, _ := strconv.ParseFloat(fmt.Sprintf("%de-%d", n, k), 64)
				if got, ok := longQuotient(n, pow10[k]); ok && got != want {
					t.Errorf("%d/1e%d = %v, want %v", n, k, got, want)
				} else if ok {
					sure++
				}
			}
		}
	}
	if sure < 20 {
		t.Errorf("only %d quotients were sure", sure)
	}
}

func TestNumberRoundsAsStrconv(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		precision := rapid.IntRange(-1, 20).Draw(t, "precision")
		format := rapid.SampledFrom([]byte{'E', 'f', 'g'}).Draw(t, "format")
		text := strconv.FormatFloat(f, format, precision, 64)
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Skip("rounded out of range")
		}
		n, k, val := number([]byte(text+","), 0)
		got := math.Float64frombits(val)
		if k == kInt {
			got = float64(int64(val))
		}
		if n != len(text) || got != want {
			t.Fatalf("number(%q) = %v (%d characters), want %v", text, got, n, want)
		}
	})
}

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
		{`\PE\\S\d`, "\uFFFD"},
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

func TestArgsRememberTheFirstMistake(t *testing.T) {
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
	zero := f.Args(0)
	if ref, n := zero.Ref(), zero.wrong; ref != Missing || n != 1 {
		t.Errorf("reference to #0: %v, mistake at %d", ref, n)
	}
	f = readText(t, opening+"#1=POINT('a',2.5,#9,(1,#8),.T.,LENGTH_MEASURE(7),$,3.);"+closing)
	b := f.Args(r)
	b.Skip(20)
	if n, _ := b.Problem(); n != 9 {
		t.Errorf("skipping past the end: mistake at %d, want 9", n)
	}
}
