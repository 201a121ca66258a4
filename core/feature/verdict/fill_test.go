package verdict_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// quads returns the graph of four-sided faces, a patch each, whose corners run counter-clockwise seen from outside.
func quads(faces ...[4]geom.Vec3) *graph.Graph {
	g := &graph.Graph{Mesh: &mesh.Mesh{}}
	for i, q := range faces {
		at := int32(len(g.Mesh.Points))
		g.Mesh.Points = append(g.Mesh.Points, q[:]...)
		start := int32(len(g.Mesh.Triangles))
		g.Mesh.Triangles = append(g.Mesh.Triangles, [3]int32{at, at + 1, at + 2}, [3]int32{at, at + 2, at + 3})
		g.Mesh.Regions = append(g.Mesh.Regions, mesh.Region{Start: start, End: start + 2})
		g.Patches = append(g.Patches, graph.Patch{Faces: []brep.FaceID{brep.FaceID(i)}})
	}
	return g
}

// prism returns the sides of a prism over a counter-clockwise polygon, of material or, with isHollow, of a void.
func prism(isHollow bool, height float64, outline ...geom.Vec2) *graph.Graph {
	var faces [][4]geom.Vec3
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		if isHollow {
			p, q = q, p
		}
		faces = append(faces, [4]geom.Vec3{{X: p.X, Y: p.Y}, {X: q.X, Y: q.Y}, {X: q.X, Y: q.Y, Z: height}, {X: p.X, Y: p.Y, Z: height}})
	}
	return quads(faces...)
}

func all(g *graph.Graph) []int32 {
	out := make([]int32, len(g.Patches))
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

func TestFillSeparatesVoidFromMaterial(t *testing.T) {
	square := []geom.Vec2{{}, {X: 10}, {X: 10, Y: 10}, {Y: 10}}
	step := quads(
		[4]geom.Vec3{{}, {Y: 1}, {Y: 1, Z: 5}, {Z: 5}},                         // a wall that faces +x
		[4]geom.Vec3{{}, {X: 5}, {X: 5, Y: 1}, {Y: 1}},                         // a floor that faces +z
		[4]geom.Vec3{{X: 5}, {X: 5, Z: -5}, {X: 5, Y: 1, Z: -5}, {X: 5, Y: 1}}, // a side below that faces +x
	)
	for _, row := range []struct {
		name    string
		g       *graph.Graph
		patches []int32
		sign    float64
	}{
		{"sides of a block", prism(false, 3, square...), nil, 1},
		{"walls of a passage", prism(true, 3, square...), nil, -1},
		{"three walls of a slot", prism(true, 3, square...), []int32{0, 1, 2}, -1},
		{"two sides of a block that meet", prism(false, 3, square...), []int32{0, 1}, 1},
		{"one wall", prism(true, 3, square...), []int32{0}, 0},
		{"floor with a wall", step, []int32{0, 1}, -1},
		{"floor with the side below it", step, []int32{1, 2}, 1},
		{"none", step, []int32{}, 0},
	} {
		patches := row.patches
		if patches == nil {
			patches = all(row.g)
		}
		got := verdict.Fill(row.g, patches, nil)
		if row.sign == 0 && math.Abs(got) > 1e-12 || row.sign*got < 0 || row.sign != 0 && math.Abs(got) < 0.1 {
			t.Errorf("%s: fill %.3f, want the sign of %v", row.name, got, row.sign)
		}
	}
}

func TestFillOfPassagesByTheirShape(t *testing.T) {
	polygon := func(n int) (out []geom.Vec2) {
		for i := range n {
			s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
			out = append(out, geom.Vec2{X: 7 * c, Y: 7 * s})
		}
		return out
	}
	last := 0.0
	for _, n := range []int{3, 4, 6, 12, 48} { // lower with each corner: a round passage encloses most
		got := verdict.Fill(prism(true, 2, polygon(n)...), all(prism(true, 2, polygon(n)...)), nil)
		if got >= last || got < -1 {
			t.Errorf("passage of %d walls: fill %.4f, want from -1 to below %.4f", n, got, last)
		}
		if material := verdict.Fill(prism(false, 2, polygon(n)...), all(prism(false, 2, polygon(n)...)), nil); math.Abs(material+got) > 1e-12 {
			t.Errorf("block of %d sides: fill %.4f, want %.4f", n, material, -got)
		}
		last = got
	}
}

func TestFillDoesNotDependOnPlaceOrSize(t *testing.T) {
	square := []geom.Vec2{{}, {X: 10}, {X: 10, Y: 4}, {Y: 4}}
	want := verdict.Fill(prism(true, 3, square...), all(prism(true, 3, square...)), nil)
	for _, scale := range []float64{0.01, 1, 1000} {
		moved := make([]geom.Vec2, len(square))
		for i, p := range square {
			moved[i] = geom.Vec2{X: scale*p.X + 123, Y: scale*p.Y - 45}
		}
		g := prism(true, 3*scale, moved...)
		if got := verdict.Fill(g, all(g), nil); math.Abs(got-want) > 1e-9 {
			t.Errorf("scale %v: fill %.12f, want %.12f", scale, got, want)
		}
	}
}

// A ring groove encloses material as a whole and air in its section.
func TestFillWithAnAxis(t *testing.T) {
	var faces [][4]geom.Vec3
	const n = 24
	at := func(i int, r, z float64) geom.Vec3 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		return geom.Vec3{X: r * c, Y: r * s, Z: z}
	}
	for i := range n {
		faces = append(faces,
			[4]geom.Vec3{at(i, 8, 0), at(i+1, 8, 0), at(i+1, 8, 2), at(i, 8, 2)},   // the bottom of the groove
			[4]geom.Vec3{at(i, 10, 0), at(i+1, 10, 0), at(i+1, 8, 0), at(i, 8, 0)}, // its lower wall, which faces +z
			[4]geom.Vec3{at(i, 8, 2), at(i+1, 8, 2), at(i+1, 10, 2), at(i, 10, 2)}) // its upper wall
	}
	g := quads(faces...)
	axis := &graph.Shape{Axis: geom.Vec3{Z: 1}}
	if got := verdict.Fill(g, all(g), nil); got < 0 {
		t.Errorf("groove as a whole: fill %.3f, want material", got)
	}
	if got := verdict.Fill(g, all(g), axis); got > -0.1 {
		t.Errorf("groove beside its axis: fill %.3f, want air", got)
	}
}
