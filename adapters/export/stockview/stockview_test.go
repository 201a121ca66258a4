package stockview

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"github.com/qmuntal/gltf"

	"millwright.dev/millwright/core/cam/stock/dexel"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

func block(t *testing.T, box geom.Box) *dexel.Stock {
	t.Helper()
	d, err := dexel.NewBlock(dexel.Lattice{Origin: geom.Vec3{X: -5, Y: 10, Z: 1}, Step: 0.5,
		Count: [3]int{40, 30, 20}}, box)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// surfaceOf is the mesh of a body.
func surfaceOf(spans func(i, j int) []dexel.Span, d *dexel.Stock) *mesh.Mesh {
	m := &mesh.Mesh{}
	columnsOf(d, spans).appendTo(m)
	return m
}

// corners counts the points, and checks that no two are the same.
func corners(t *testing.T, m *mesh.Mesh) int {
	t.Helper()
	seen := map[geom.Vec3]bool{}
	for _, p := range m.Points {
		if seen[p] {
			t.Fatalf("the point %v is there twice", p)
		}
		seen[p] = true
	}
	return len(seen)
}

func TestBlockHasTwelveTriangles(t *testing.T) {
	box := geom.BoxOf(geom.Vec3{X: 0, Y: 12, Z: 2.125}, geom.Vec3{X: 10, Y: 20, Z: 7})
	d := block(t, box)
	m := surfaceOf(func(i, j int) []dexel.Span { return d.Ray(2, i, j) }, d)
	if n := corners(t, m); n != 8 || len(m.Triangles) != 12 {
		t.Errorf("%d corners, %d triangles, want 8 and 12", n, len(m.Triangles))
	}
	if want := 10 * 8 * 4.875; math.Abs(m.Volume()-want) > 1e-6*want {
		t.Errorf("it encloses %g mm³, want %g", m.Volume(), want)
	}
	if got := m.Bounds(); got.Min.Dist(box.Min) > 1e-6 || got.Max.Dist(box.Max) > 1e-6 {
		t.Errorf("it lies in %v, want %v", got, box)
	}
}

func TestRectanglesJoinOnALatticeOfAnyStep(t *testing.T) {
	l := dexel.Lattice{Origin: geom.Vec3{X: 0.1, Y: 0.2, Z: 0.3}, Step: 0.48, Count: [3]int{90, 70, 4}}
	d, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	m := surfaceOf(func(i, j int) []dexel.Span { return d.Ray(2, i, j) }, d)
	if n := corners(t, m); n != 8 || len(m.Triangles) != 12 {
		t.Errorf("%d corners, %d triangles, want 8 and 12", n, len(m.Triangles))
	}
}

func TestSurfaceOfStairWithCavity(t *testing.T) {
	d := block(t, geom.BoxOf(geom.Vec3{X: -5, Y: 10, Z: 1}, geom.Vec3{X: 15, Y: 25, Z: 11}))
	spans := func(i, j int) []dexel.Span { // a stair with a hollow in it
		top := float32(3 + (i*7+j*3)%5)
		if i > 10 && i < 20 && j > 5 && j < 9 {
			return []dexel.Span{{Lo: 0, Hi: 1}, {Lo: 2, Hi: top}}
		}
		return []dexel.Span{{Lo: 0, Hi: top}}
	}
	m := surfaceOf(spans, d)
	corners(t, m)
	var want float64
	for j := range 30 {
		for i := range 40 {
			for _, s := range spans(i, j) {
				want += 0.25 * float64(s.Hi-s.Lo)
			}
		}
	}
	if math.Abs(m.Volume()-want) > 1e-6*want {
		t.Errorf("it encloses %g mm³, want %g", m.Volume(), want)
	}
}

func TestLargeLatticesAreThinnedOut(t *testing.T) {
	l := dexel.Lattice{Step: 0.25, Count: [3]int{801, 800, 4}}
	d, err := dexel.NewBlock(l, l.Box())
	if err != nil {
		t.Fatal(err)
	}
	c := columnsOf(d, func(i, j int) []dexel.Span { return d.Ray(2, i, j) })
	if n := c.count[0] * c.count[1]; n > mostColumns || n < mostColumns/3 || c.side <= l.Step {
		t.Errorf("%d columns of %g mm", n, c.side)
	}
}

func TestWithout(t *testing.T) {
	type pairs = [][2]float32
	spans := func(of pairs) (out []dexel.Span) {
		for _, p := range of {
			out = append(out, dexel.Span{Lo: p[0], Hi: p[1]})
		}
		return out
	}
	for _, c := range []struct {
		name       string
		a, b, want pairs
	}{
		{"nothing to take", pairs{{1, 3}}, nil, pairs{{1, 3}}},
		{"all", pairs{{1, 3}}, pairs{{0, 4}}, nil},
		{"the middle", pairs{{0, 9}}, pairs{{2, 3}, {5, 6}}, pairs{{0, 2}, {3, 5}, {6, 9}}},
		{"the ends", pairs{{1, 3}, {4, 6}}, pairs{{2, 5}}, pairs{{1, 2}, {5, 6}}},
		{"beside", pairs{{1, 3}}, pairs{{3, 4}}, pairs{{1, 3}}},
	} {
		if got, want := without(spans(c.a), spans(c.b)), spans(c.want); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
	}
}

func read(t *testing.T, file *bytes.Buffer) (names []string, triangles int) {
	t.Helper()
	var d gltf.Document
	if err := gltf.NewDecoder(file).Decode(&d); err != nil {
		t.Fatal(err)
	}
	for _, n := range d.Nodes {
		names = append(names, n.Name)
	}
	for _, m := range d.Meshes {
		for _, p := range m.Primitives {
			if _, shaded := p.Attributes[gltf.NORMAL]; shaded {
				t.Error("the file has normals")
			}
			triangles += d.Accessors[*p.Indices].Count / 3
		}
	}
	return names, triangles
}

func TestFiles(t *testing.T) {
	whole := block(t, geom.BoxOf(geom.Vec3{X: -5, Y: 10, Z: 1}, geom.Vec3{X: 15, Y: 25, Z: 11}))
	low := block(t, geom.BoxOf(geom.Vec3{X: -5, Y: 10, Z: 1}, geom.Vec3{X: 15, Y: 25, Z: 6}))
	var file bytes.Buffer
	if err := WriteStock(&file, geom.World, []*dexel.Stock{whole, low}); err != nil {
		t.Fatal(err)
	}
	if names, n := read(t, &file); n != 24 || names[len(names)-1] != "after setup 2" {
		t.Errorf("nodes %q with %d triangles", names, n)
	}
	for _, c := range []struct {
		left  *dexel.Stock
		least float64
		want  int
	}{{whole, 0.1, 12}, {whole, 6, 0}, {low, 0.1, 0}} {
		file.Reset()
		if err := WriteResidue(&file, geom.World, c.left, low, c.least); err != nil {
			t.Fatal(err)
		}
		if _, n := read(t, &file); n != c.want {
			t.Errorf("above %g mm: %d triangles, want %d", c.least, n, c.want)
		}
	}
}
