package deck

import (
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
)

// splines is a file of about 2 MB, most of it the numbers of splines.
func splines() string {
	d := &igestest.Deck{}
	numbers := strings.Repeat("-12.34567890123,0.5D0,1.E-3,", 400)
	for range 140 {
		d.Add(126, 0, "3,3,0,0,1,0,%s1.", numbers)
		d.Add(110, 0, "0.,0.,0.,1.5,2.5,3.5")
	}
	return d.Fixed()
}

func BenchmarkParse(b *testing.B) {
	text := splines()
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(b.Context(), strings.NewReader(text), int64(len(text))); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReals(b *testing.B) {
	text := splines()
	f, err := Parse(b.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	values := make([]float64, 1200)
	for b.Loop() {
		for i := range f.Entities {
			p := f.Params(&f.Entities[i])
			if f.Entities[i].Type == 126 {
				p.Skip(6)
				p.Reals(values)
			}
			if err := p.Err(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
