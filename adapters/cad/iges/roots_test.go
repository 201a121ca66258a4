package iges

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

func readDeck(t *testing.T, d *igestest.Deck) (*brep.Model, error) {
	t.Helper()
	text := d.Fixed()
	return Read(t.Context(), strings.NewReader(text), int64(len(text)))
}

func mustRead(t *testing.T, d *igestest.Deck) *brep.Model {
	t.Helper()
	m, err := readDeck(t, d)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bilinear adds a flat patch (128) over a unit square with a corner at x and the given subordinate status.
func bilinear(d *igestest.Deck, x float64, status string) int {
	return d.Put(igestest.Entry{Type: 128, Status: status, Parameters: fmt.Sprintf(
		"1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,%g,0.,0.,%g,0.,0.,%g,1.,0.,%g,1.,0.,0.,1.,0.,1.",
		x, x+1, x, x+1)})
}

// square adds a trimmed surface (144) around a patch.
func square(d *igestest.Deck, x float64, status string) int {
	on := bilinear(d, x, status)
	return d.Put(igestest.Entry{Type: 144, Status: status, Parameters: fmt.Sprintf("%d,0,0,0", on)})
}

func warned(m *brep.Model, code string) int {
	for _, w := range m.Warnings {
		if w.Code == code {
			return w.Count
		}
	}
	return 0
}

// corner is the smallest x of a face's vertices.
func corner(m *brep.Model, f brep.FaceID) float64 {
	x := math.Inf(1)
	for _, l := range m.Faces[f].Loops {
		for _, c := range m.Loops[l].Coedges {
			x = min(x, m.Vertices[m.CoedgeStart(c)].Point.X)
		}
	}
	return x
}

func TestRoots(t *testing.T) {
	const alone, part, both, blanked = "00000000", "00010000", "00030000", "01000000"
	for _, c := range []struct {
		name    string
		build   func(d *igestest.Deck)
		corners []float64 // of the faces, in order
		warning string
		count   int
	}{
		{"statuses as they should be", func(d *igestest.Deck) {
			on := bilinear(d, 0, part)
			d.Add(144, 0, "%d,0,0,0", on)
		}, []float64{0}, "", 0},
		{"everything said to be independent", func(d *igestest.Deck) { square(d, 0, alone) }, []float64{0}, "", 0},
		{"a surface alone", func(d *igestest.Deck) { bilinear(d, 2, alone) }, []float64{2}, "", 0},
		{"a surface that something unknown needs", func(d *igestest.Deck) {
			bilinear(d, 2, part)
			square(d, 5, alone)
		}, []float64{5}, "", 0},
		{"members of a group", func(d *igestest.Deck) {
			a, b := square(d, 0, both), square(d, 4, both)
			d.Add(402, 7, "2,%d,%d", a, b)
		}, []float64{0, 4}, "", 0},
		{"a hidden face", func(d *igestest.Deck) {
			square(d, 0, alone)
			on := bilinear(d, 3, part)
			d.Put(igestest.Entry{Type: 144, Status: blanked, Parameters: fmt.Sprintf("%d,0,0,0", on)})
		}, []float64{0}, "hidden_geometry", 1},
		{"notes", func(d *igestest.Deck) {
			square(d, 0, alone)
			d.Add(212, 0, "0")
			d.Add(230, 0, "0")
		}, []float64{0}, "annotation", 2},
		{"entities of a vendor", func(d *igestest.Deck) {
			square(d, 0, alone)
			d.Add(10001, 0, "1")
		}, []float64{0}, "private_entities", 1},
		{"constructive solids", func(d *igestest.Deck) {
			square(d, 0, alone)
			d.Add(150, 0, "1.,1.,1.,0.,0.,0.,1.,0.,0.,0.,0.,1.")
		}, []float64{0}, "constructive_solids", 1},
		{"a plane without limits", func(d *igestest.Deck) {
			square(d, 0, alone)
			at, z := d.Add(116, 0, "0.,0.,0.,0"), d.Add(123, 0, "0.,0.,1.")
			d.Add(190, 0, "%d,%d", at, z)
		}, []float64{0}, "", 0},
		{"a hole in a plane", func(d *igestest.Deck) {
			square(d, 0, alone)
			d.Add(108, -1, "0.,0.,1.,0.,0,0.,0.,0.,0.")
		}, []float64{0}, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.build(d)
			m := mustRead(t, d)
			var got []float64
			for f := range m.Faces {
				got = append(got, corner(m, brep.FaceID(f)))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.corners) {
				t.Errorf("faces at %v, want %v", got, c.corners)
			}
			if c.warning != "" && warned(m, c.warning) != c.count {
				t.Errorf("warnings %v, want %d × %s", m.Warnings, c.count, c.warning)
			}
		})
	}
}

// TestInstances places a square by subfigures, assemblies and single instances.
func TestInstances(t *testing.T) {
	for _, c := range []struct {
		name    string
		build   func(d *igestest.Deck)
		corners []float64
	}{
		{"twice", func(d *igestest.Deck) {
			def := d.Add(308, 0, "0,3Hsub,1,%d", square(d, 0, "00010200"))
			d.Add(408, 0, "%d,10.,0.,0.,1.", def)
			d.Add(408, 0, "%d,20.,0.,0.,1.", def)
		}, []float64{10, 20}},
		{"scaled", func(d *igestest.Deck) {
			def := d.Add(308, 0, "0,3Hsub,1,%d", square(d, 1, "00010200"))
			d.Add(408, 0, "%d,10.,0.,0.,3.", def)
		}, []float64{13}},
		{"nested", func(d *igestest.Deck) {
			inner := d.Add(308, 0, "0,5Hinner,1,%d", square(d, 0, "00010200"))
			a := d.Put(igestest.Entry{Type: 408, Status: "00010200", Parameters: fmt.Sprintf("%d,1.,0.,0.,1.", inner)})
			b := d.Put(igestest.Entry{Type: 408, Status: "00010200", Parameters: fmt.Sprintf("%d,4.,0.,0.,1.", inner)})
			def := d.Add(308, 0, "1,5Houter,2,%d,%d", a, b)
			d.Add(408, 0, "%d,100.,0.,0.,2.", def)
		}, []float64{102, 108}},
		{"in an assembly, with matrices", func(d *igestest.Deck) {
			face := square(d, 0, "00010000")
			outer := d.Add(124, 0, "1.,0.,0.,1000.,0.,1.,0.,0.,0.,0.,1.,0.")
			at := d.Put(igestest.Entry{Type: 124, Transform: outer,
				Parameters: "1.,0.,0.,5.,0.,1.,0.,0.,0.,0.,1.,0."})
			d.Add(184, 0, "2,%d,%d,0,%d", face, face, at)
		}, []float64{0, 1005}},
		{"by an instance of a solid", func(d *igestest.Deck) {
			at := d.Add(124, 0, "1.,0.,0.,7.,0.,1.,0.,0.,0.,0.,1.,0.")
			face := square(d, 0, "00010000")
			d.Put(igestest.Entry{Type: 430, Transform: at, Parameters: fmt.Sprint(face)})
		}, []float64{7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.build(d)
			m := mustRead(t, d)
			var got []float64
			for f := range m.Faces {
				got = append(got, corner(m, brep.FaceID(f)))
			}
			if fmt.Sprint(got) != fmt.Sprint(c.corners) {
				t.Errorf("faces at %v, want %v", got, c.corners)
			}
			if len(m.Shells) != 1 || m.Shells[0].Solid != brep.None {
				t.Errorf("%d shells, want one sheet", len(m.Shells))
			}
			for _, p := range brep.Check(m) {
				if p.Code == brep.BadReference {
					t.Error(p.Message)
				}
			}
		})
	}
}

// TestEndlessReferences reads files whose entities refer to each other in circles or double at every level:
// each must end with a failure, soon.
func TestEndlessReferences(t *testing.T) {
	const levels = 40
	for _, c := range []struct {
		name, code string
		build      func(d *igestest.Deck)
	}{
		{"a subfigure in itself", "unreadable_file", func(d *igestest.Deck) {
			d.Add(408, 0, "3,0.,0.,0.,1.")
			d.Put(igestest.Entry{Type: 308, Status: "00000200", Parameters: "0,1Ha,1,5"})
			d.Put(igestest.Entry{Type: 408, Status: "00010000", Parameters: "3,0.,0.,0.,1."})
		}},
		{"an assembly of itself", "no_solid", func(d *igestest.Deck) { d.Add(184, 0, "1,3,0"); d.Add(430, 0, "1") }},
		{"a matrix before itself", "unreadable_file", func(d *igestest.Deck) {
			d.Put(igestest.Entry{Type: 124, Transform: 1, Parameters: "1.,0.,0.,0.,0.,1.,0.,0.,0.,0.,1.,0."})
			on := bilinear(d, 0, "00010000")
			d.Put(igestest.Entry{Type: 144, Transform: 1, Parameters: fmt.Sprintf("%d,0,0,0", on)})
		}},
		{"subfigures that double", "too_complex", func(d *igestest.Deck) {
			def := d.Add(308, 0, "0,1Ha,0")
			for range levels / 2 {
				a := d.Put(igestest.Entry{Type: 408, Status: "00010000",
					Parameters: fmt.Sprintf("%d,0.,0.,0.,1.", def)})
				b := d.Put(igestest.Entry{Type: 408, Status: "00010000",
					Parameters: fmt.Sprintf("%d,0.,0.,0.,1.", def)})
				def = d.Put(igestest.Entry{Type: 308, Status: "00000200",
					Parameters: fmt.Sprintf("0,1Ha,2,%d,%d", a, b)})
			}
			d.Add(408, 0, "%d,0.,0.,0.,1.", def)
		}},
		{"composites that double", "too_complex", func(d *igestest.Deck) {
			c := d.Add(110, 0, "0.,0.,0.,1.,0.,0.")
			for range levels / 2 {
				c = d.Put(igestest.Entry{Type: 102, Status: "00010000", Parameters: fmt.Sprintf("2,%d,%d", c, c)})
			}
			on := bilinear(d, 0, "00010000")
			bound := d.Put(igestest.Entry{Type: 142, Status: "00010000", Parameters: fmt.Sprintf("0,%d,0,%d,2", on, c)})
			d.Add(144, 0, "%d,1,0,%d", on, bound)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			c.build(d)
			_, err := readDeck(t, d)
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != fault.Code(c.code) {
				t.Errorf("got %v, want a failure %s", err, c.code)
			}
		})
	}
}

// TestSharedSurface checks that two faces on one surface entity share one surface.
func TestSharedSurface(t *testing.T) {
	d := &igestest.Deck{}
	on := bilinear(d, 0, "00010000")
	d.Add(144, 0, "%d,0,0,0", on)
	d.Add(144, 0, "%d,0,0,0", on)
	m := mustRead(t, d)
	if len(m.Faces) != 2 || m.Faces[0].Surface != m.Faces[1].Surface {
		t.Errorf("%d faces, want two on one surface", len(m.Faces))
	}
}

// TestColors checks that a face has its own color, or else the color of its surface.
func TestColors(t *testing.T) {
	for _, c := range []struct {
		name          string
		face, surface int
		want          *brep.Color
	}{
		{"none", 0, 0, nil},
		{"its own", 2, 3, &brep.Color{R: 1}},
		{"that of its surface", 0, 3, &brep.Color{G: 1}},
		{"defined", -1, 0, &brep.Color{R: 0.5, G: 0.25, B: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &igestest.Deck{}
			d.Add(314, 0, "50.,25.,100.,")
			on := bilinear(d, 0, "00010000")
			d.Entries[len(d.Entries)-1].Color = c.surface
			d.Put(igestest.Entry{Type: 144, Color: c.face, Parameters: fmt.Sprintf("%d,0,0,0", on)})
			got := mustRead(t, d).Faces[0].Color
			if (got == nil) != (c.want == nil) || got != nil && *got != *c.want {
				t.Errorf("colour %v, want %v", got, c.want)
			}
		})
	}
}

// TestBoundaryOfNoLength checks that a face whose boundary is a point is left out. It must not become the whole
// surface.
func TestBoundaryOfNoLength(t *testing.T) {
	d := &igestest.Deck{}
	square(d, 0, "00000000")
	on := bilinear(d, 2, "00010000")
	line := d.Put(igestest.Entry{Type: 110, Status: "00010000", Parameters: "2.,0.,0.,2.,0.,1E-6"})
	bound := d.Put(igestest.Entry{Type: 142, Status: "00010000", Parameters: fmt.Sprintf("0,%d,0,%d,2", on, line)})
	d.Add(144, 0, "%d,1,0,%d", on, bound)
	m := mustRead(t, d)
	if len(m.Faces) != 1 || len(m.Shells[0].Faces) != 1 || warned(m, "empty_face") != 1 {
		t.Errorf("%d faces and warnings %v, want one face and a warning", len(m.Faces), m.Warnings)
	}
}

// TestUnboundedFace fails for a face that nothing bounds.
func TestUnboundedFace(t *testing.T) {
	d := &igestest.Deck{}
	plane := d.Put(igestest.Entry{Type: 108, Status: "00010000", Parameters: "0.,0.,1.,0.,0,0.,0.,0.,0."})
	d.Add(144, 0, "%d,0,0,0", plane)
	var f *fault.Error
	if _, err := readDeck(t, d); !errors.As(err, &f) || !strings.Contains(f.Reason, "D3") {
		t.Errorf("got %v, want a failure that names D3", err)
	}
}

// TestClosedEdgeBeginsAtItsVertex reads an open shell of a disc whose vertex is not where its circle begins.
func TestClosedEdgeBeginsAtItsVertex(t *testing.T) {
	d := &igestest.Deck{}
	circle := d.Add(100, 0, "0.,0.,0.,2.,0.,2.,0.")
	vertices := d.Add(502, 1, "1,0.,2.,0.")
	edges := d.Add(504, 1, "1,%d,%d,1,%d,1", circle, vertices, vertices)
	loop := d.Add(508, 1, "1,0,%d,1,1,0", edges)
	plane := d.Put(igestest.Entry{Type: 108, Status: "00010000", Parameters: "0.,0.,1.,0.,0,0.,0.,0.,0."})
	face := d.Add(510, 1, "%d,1,1,%d", plane, loop)
	d.Add(514, 2, "1,%d,1", face)
	m := mustRead(t, d)
	if len(m.Faces) != 1 || len(m.Shells) != 1 || len(m.Edges) != 1 {
		t.Fatalf("%d faces, %d shells, %d edges, want one of each", len(m.Faces), len(m.Shells), len(m.Edges))
	}
	e := m.Edges[0]
	if p := e.Curve.At(e.Range.Lo); p.Dist(geom.Vec3{Y: 2}) > 1e-12 || e.Tolerance > 1e-12 {
		t.Errorf("the edge begins at %v with tolerance %g, want (0, 2, 0) and 0", p, e.Tolerance)
	}
	if problems := brep.Check(m); len(problems) > 0 && problems[0].Code == brep.BadReference {
		t.Error(problems[0].Message)
	}
}

// TestGuessedSizeGivesWarning reads a box of 1 by 2 by 3 units whose global section leaves its size to a guess.
func TestGuessedSizeGivesWarning(t *testing.T) {
	for _, c := range []struct {
		was, is string
		edge    float64 // mm per unit
		code    string
	}{
		{"", "", 1, ""},
		{",1.,2,2HMM", ",0.5,2,2HMM", 2, "model_scale"},
		{",2,2HMM", ",2,4HINCH", 1, "unit_conflict"},
		{",1.,2,2HMM", ",,,", 25.4, "unit_default"},
	} {
		d := &igestest.Deck{Global: strings.Replace(igestest.Global, c.was, c.is, 1)}
		box(d, geom.Vec3{}, geom.Vec3{X: 1, Y: 2, Z: 3})
		m, p := sewn(t, d)
		var got string
		for _, w := range m.Warnings {
			if strings.HasPrefix(w.Code, "unit_") || w.Code == "model_scale" {
				got += w.Code
			}
		}
		if !isClose(p.Volume, 6*c.edge*c.edge*c.edge) || got != c.code {
			t.Errorf("%q: %v mm³ with warning %q, want %v with %q", c.is, p.Volume, got, 6*c.edge*c.edge*c.edge, c.code)
		}
	}
}
