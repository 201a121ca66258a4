package part21

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// geometryText returns about n bytes that look like an exported part.
func geometryText(n int) string {
	var out strings.Builder
	out.WriteString(opening)
	for i := 1; out.Len() < n; i += 4 {
		x := float64(i) * 0.123456789
		fmt.Fprintf(&out, "#%d=POINT('',(%.12f,%.12f,%.12E));\n", i, x, -x*1.7, x/3e4)
		fmt.Fprintf(&out, "#%d=POINT('',#%d,#%d,.T.);\n", i+1, i, max(1, i-3))
		fmt.Fprintf(&out, "#%d=VENDOR_THING('a name',#%d,(#%d));\n", i+2, i, i+1)
		fmt.Fprintf(&out, "#%d = SHAPE ( 'NONE', #%d, 25.4 ) ;\n", i+3, i+1)
	}
	out.WriteString(closing)
	return out.String()
}

func BenchmarkRead(b *testing.B) {
	text := geometryText(32 << 20)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(context.Background(), strings.NewReader(text), int64(len(text)), testWords); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkBlanks(b *testing.B) {
	src := blanks{opening, 64 << 20}
	b.SetBytes(src.n)
	for b.Loop() {
		if _, err := Read(context.Background(), src, src.n, testWords); err != nil {
			b.Fatal(err)
		}
	}
}
