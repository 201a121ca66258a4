package part21

import (
	"bytes"
	"context"
	"testing"
)

// FuzzRead reads any bytes: no panic, and the same result whether the data is read in one stretch or many.
func FuzzRead(f *testing.F) {
	for _, data := range []string{
		"",
		"#1=POINT('',(1.,2.));",
		"#1=(POINT()SHAPE('x'));#1=POINT(#2,#1);",
		"#1=SHAPE('it''s;\\X2\\03C0\\X0\\');",
		"/* ; */#2=VENDOR('a;',1);ENDSEC;DATA;" +
			"#3=POINT(.T.,$,*,\"0F\");", "#1=POINT(((((", "REFERENCE;#1=<a>;ENDSEC;",
		"ENDSEC;REFERENCE;#9=<b.stp#c>;#=<;ENDSEC;DATA;#1=POINT(#9,+1.D-3,.5);",
		"#1=POINT(T(1),1.E5,-.5,,);garbage;#4=SHAPE('",
	} {
		f.Add([]byte(data), 7)
	}
	f.Fuzz(func(t *testing.T, data []byte, stretch int) {
		text := append([]byte(opening), data...)
		size := int64(len(text))
		one, err := read(context.Background(), bytes.NewReader(text), size, testWords, max(size, 1))
		if err != nil {
			t.Fatalf("%v", err)
		}
		pieces := max(int64(1+(stretch&0xFFF)), size/64)
		many, err := read(context.Background(), bytes.NewReader(text), size, testWords, pieces)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if a, b := dump(one), dump(many); a != b {
			t.Fatalf("in one pass:\n%s\nin stretches:\n%s", a, b)
		}
		_, _ = Read(context.Background(), bytes.NewReader(data), int64(len(data)), testWords)
	})
}
