package partarray_test

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/partarray"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
)

// read reads a STEP file and measures it.
func read(t *testing.T, text []byte) (*brep.Model, *mass.Properties) {
	t.Helper()
	m, _, err := cad.Read(context.Background(), bytes.NewReader(text), int64(len(text)), "pattern.step")
	if err != nil {
		t.Fatalf("read: %v\n%.2000s", err, text)
	}
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatalf("measure: %v", err)
	}
	return m, p
}

// TestCopies checks that the copies of a part are the part so many times, apart from each other.
func TestCopies(t *testing.T) {
	names, err := filepath.Glob("../../adapters/cad/step/testdata/*.step")
	if err != nil || len(names) == 0 {
		t.Fatalf("no parts: %v", err)
	}
	for _, name := range names {
		if filepath.Base(name) == "wireframe.step" {
			continue // no solid
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			one, p1 := read(t, text)
			part, err := partarray.New(text)
			if err != nil {
				t.Fatal(err)
			}
			const n = 9
			var out bytes.Buffer
			if err := part.Write(&out, n); err != nil {
				t.Fatal(err)
			}
			many, pn := read(t, out.Bytes())
			if len(many.Solids) != n*len(one.Solids) || len(many.Faces) != n*len(one.Faces) {
				t.Errorf("%d solids and %d faces, want %d times %d and %d", len(many.Solids), len(many.Faces), n,
					len(one.Solids), len(one.Faces))
			}
			const share = 1e-6 // moved points are rounded
			if math.Abs(pn.Volume-n*p1.Volume) > share*n*p1.Volume {
				t.Errorf("volume %g, want %d times %g", pn.Volume, n, p1.Volume)
			}
			// Nine copies are on a grid of 3×3×1.
			small, large := p1.Bounds.Max.Sub(p1.Bounds.Min), pn.Bounds.Max.Sub(pn.Bounds.Min)
			if large.X < (3-share)*small.X || large.Y < (3-share)*small.Y || large.Z > small.Z*(1+share) {
				t.Errorf("size %v of nine copies of a part of size %v", large, small)
			}
		})
	}
}

func TestSize(t *testing.T) {
	text, err := os.ReadFile("../../adapters/cad/step/testdata/cone.step")
	if err != nil {
		t.Fatal(err)
	}
	part, err := partarray.New(text)
	if err != nil {
		t.Fatal(err)
	}
	const want = 1 << 20
	var a, b bytes.Buffer
	n := part.Copies(want)
	if err := part.Write(&a, n); err != nil {
		t.Fatal(err)
	}
	if got := a.Len(); math.Abs(float64(got-want)) > 0.01*want {
		t.Errorf("%d bytes, want about %d", got, want)
	}
	if err := part.Write(&b, n); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Error("a second file differs from the first")
	}
	if got := part.Copies(1); got != 1 {
		t.Errorf("%d copies for one byte, want 1", got)
	}
}

// TestText checks the moved and the unchanged text.
func TestText(t *testing.T) {
	const head, tail = "ISO-10303-21;HEADER;ENDSEC;DATA;", "ENDSEC;END-ISO-10303-21;"
	for _, row := range []struct{ name, data, second string }{
		{"a point moves", "#1=CARTESIAN_POINT('',(0.,1.,2.));#2=CARTESIAN_POINT('',(9.,1.,2.));",
			"#3=CARTESIAN_POINT('',(20.,1.,2.));#4=CARTESIAN_POINT('',(29.,1.,2.));"},
		{"a parameter point stays", "#5=CARTESIAN_POINT('',(0.,1.));", "#10=CARTESIAN_POINT('',(0.,1.));"},
		{"strings stay", "#7=PRODUCT('it''s #7;','ENDSEC',#7);", "#14=PRODUCT('it''s #7;','ENDSEC',#14);"},
		{"comments stay", "/* #1 ' ENDSEC; */#2=A(#2);", "/* #1 ' ENDSEC; */#4=A(#4);"},
		{"exponents have points", "#1=CARTESIAN_POINT('p',(1E30, -0.5 ,2.));",
			"#2=CARTESIAN_POINT('p',(1.E+30,-0.5,2.));"},
		{"directions stay", "#1=DIRECTION('',(0.,1.,0.));", "#2=DIRECTION('',(0.,1.,0.));"},
	} {
		t.Run(row.name, func(t *testing.T) {
			part, err := partarray.New([]byte(head + row.data + tail))
			if err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := part.Write(&out, 2); err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(out.String(), row.second+tail) {
				t.Errorf("got %s, want it to end in %s", out.String(), row.second+tail)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"no STEP", "solid cube", "no data section"},
		{"cut off", "DATA;#1=A();", "does not end"},
		{"open string", "DATA;#1=A('", "does not end"},
		{"no number", "DATA;#=A();ENDSEC;", "invalid syntax"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if _, err := partarray.New([]byte(row.text)); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("error %v, want one with %q", err, row.want)
			}
		})
	}
	part, err := partarray.New([]byte("DATA;#9223372036854775807=A();ENDSEC;"))
	if err != nil {
		t.Fatal(err)
	}
	if err := part.Write(&bytes.Buffer{}, 2); err == nil {
		t.Error("no error for instance numbers beyond what a file can have")
	}
}
