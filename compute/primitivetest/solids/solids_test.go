package solids

import (
	"math"
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// TestBodiesAreClosed checks that every side of a triangle belongs to one other triangle, in reverse, and that the
// volume is that of the shape.
func TestBodiesAreClosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	unit := [2]geom.Vec3{{}, {X: 1, Y: 1, Z: 1}}
	prism := 40.0 / 2 * math.Sin(2*math.Pi/40) * 4 * 7
	rows := []struct {
		name     string
		m        *mesh.Mesh
		lo, hi   float64 // mm³
		pointsOf int
	}{
		{"box", Boxes(unit), 1 - 1e-12, 1 + 1e-12, 8},
		{"two boxes", Boxes(unit, [2]geom.Vec3{{X: 4}, {X: 6, Y: 1, Z: 1}}), 3 - 1e-12, 3 + 1e-12, 16},
		{"post", Post(40, 2, 7), prism - 1e-9, prism + 1e-9, 80},
		{"octahedron", Ball(rng, 0, 0), 4000.0/3 - 1e-9, 4000.0/3 + 1e-9, 6},
		{"fine ball", Move(Ball(rng, 4, 0), geom.Vec3{X: 3, Y: -2}), 4120, 4000 * math.Pi / 3, 1026},
		{"rough ball", Ball(rng, 3, 0.5), 2000, 7000, 258},
	}
	for _, row := range rows {
		sides := map[[2]int32]int{}
		volume := 0.0
		for _, k := range row.m.Triangles {
			for c := range 3 {
				sides[[2]int32{k[c], k[(c+1)%3]}]++
			}
			p := row.m.Points
			volume += p[k[0]].Dot(p[k[1]].Cross(p[k[2]])) / 6
		}
		for s, uses := range sides {
			if uses != 1 || sides[[2]int32{s[1], s[0]}] != 1 {
				t.Fatalf("%s: the side %v has %d uses", row.name, s, uses)
			}
		}
		if !(volume >= row.lo && volume <= row.hi) || len(row.m.Points) != row.pointsOf {
			t.Errorf("%s: a volume of %.9g of %d points, want %.9g to %.9g of %d",
				row.name, volume, len(row.m.Points), row.lo, row.hi, row.pointsOf)
		}
	}
	for _, d := range Directions(rng, 20) {
		if math.Abs(d.Norm()-1) > 1e-12 {
			t.Errorf("a direction of length %g", d.Norm())
		}
	}
}

// TestKnotIsClosed checks that every side of a triangle belongs to one other triangle, in reverse, and that the body is
// not inside out.
func TestKnotIsClosed(t *testing.T) {
	for _, n := range []int{10, 1000, 30000} {
		m := Knot(n)
		sides := map[[2]int32]int{}
		volume := 0.0
		for _, k := range m.Triangles {
			for c := range 3 {
				sides[[2]int32{k[c], k[(c+1)%3]}]++
			}
			volume += m.Points[k[0]].Dot(m.Points[k[1]].Cross(m.Points[k[2]])) / 6
		}
		for s, uses := range sides {
			if uses != 1 || sides[[2]int32{s[1], s[0]}] != 1 {
				t.Fatalf("%d triangles: the side %v has %d uses", n, s, uses)
			}
		}
		if volume <= 0 {
			t.Errorf("%d triangles: a volume of %g", n, volume)
		}
	}
}
