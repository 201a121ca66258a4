package iges

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/adapters/cad/iges/internal/igestest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
	"millwright.dev/millwright/core/kernel/geom"
)

// failer is the common interface of testing.T and rapid.T.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// open returns a reader of the file and its entity de.
func open(t *testing.T, f failer, d *igestest.Deck, de int) (*reader, *deck.Entity) {
	f.Helper()
	text := d.Fixed()
	file, err := deck.Parse(t.Context(), strings.NewReader(text), int64(len(text)))
	if err != nil {
		f.Fatal(err)
	}
	e, ok := file.At(de)
	if !ok {
		f.Fatalf("no entity D%d", de)
	}
	return newReader(file), e
}

// sewn reads and sews the file of d, and measures it.
func sewn(t *testing.T, d *igestest.Deck) (*brep.Model, *mass.Properties) {
	t.Helper()
	m, err := readDeck(t, d)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Solids) == 0 {
		if _, err := sew.Sew(t.Context(), m, sew.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	p, err := mass.Compute(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return m, p
}

// v writes a point as parameters.
func v(p geom.Vec3) string { return fmt.Sprintf("%.17g,%.17g,%.17g", p.X, p.Y, p.Z) }

// matrix adds a transformation matrix (124).
func matrix(d *igestest.Deck, t geom.Transform, form int) int {
	return d.Add(124, form, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g",
		t.X.X, t.Y.X, t.Z.X, t.T.X, t.X.Y, t.Y.Y, t.Z.Y, t.T.Y, t.X.Z, t.Y.Z, t.Z.Z, t.T.Z)
}

// polygon adds the composite curve of the lines between the corners, and back.
func polygon(d *igestest.Deck, corners ...geom.Vec3) int {
	var lines []string
	for i, a := range corners {
		lines = append(lines, fmt.Sprint(d.Add(110, 0, "%s,%s", v(a), v(corners[(i+1)%len(corners)]))))
	}
	return d.Add(102, 0, "%d,%s", len(lines), strings.Join(lines, ","))
}

// bound adds the boundary (142) of a surface by a curve in space.
func bound(d *igestest.Deck, surface, curve int) int {
	return d.Add(142, 0, "0,%d,0,%d,2", surface, curve)
}

// planeThrough adds the plane through a with the normal n.
func planeThrough(d *igestest.Deck, a, n geom.Vec3) int {
	return d.Add(108, 0, "%s,%.17g,0,%s,1.", v(n), n.Dot(a), v(a))
}

// facet adds a plane face with the corners, and returns its trimmed surface (144).
func facet(d *igestest.Deck, corners ...geom.Vec3) int {
	n := corners[1].Sub(corners[0]).Cross(corners[2].Sub(corners[0]))
	s := planeThrough(d, corners[0], n)
	return d.Add(144, 0, "%d,1,0,%d", s, bound(d, s, polygon(d, corners...)))
}

// box adds the six faces of a box with a corner at o, as trimmed surfaces, and returns them.
func box(d *igestest.Deck, o, size geom.Vec3) []int {
	at := func(i, j, k float64) geom.Vec3 {
		return o.Add(geom.Vec3{X: i * size.X, Y: j * size.Y, Z: k * size.Z})
	}
	return []int{
		facet(d, at(0, 0, 0), at(0, 1, 0), at(1, 1, 0), at(1, 0, 0)),
		facet(d, at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)),
		facet(d, at(0, 0, 0), at(1, 0, 0), at(1, 0, 1), at(0, 0, 1)),
		facet(d, at(0, 1, 0), at(0, 1, 1), at(1, 1, 1), at(1, 1, 0)),
		facet(d, at(0, 0, 0), at(0, 0, 1), at(0, 1, 1), at(0, 1, 0)),
		facet(d, at(1, 0, 0), at(1, 1, 0), at(1, 1, 1), at(1, 0, 1)),
	}
}

// isClose reports whether two numbers agree within rounding.
func isClose(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }
