package chamfer_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/feature/graph"
	"millwright/core/feature/recognize/internal/chamfer"
	"millwright/core/geom"
)

func pt(x, y float64) geom.Vec2 { return geom.Vec2{X: x, Y: y} }

func graphOf(t *testing.T, m *brep.Model) *graph.Graph {
	t.Helper()
	r, err := tessellate.Mesh(context.Background(), m, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New(context.Background(), m, r.Mesh)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// bevelled returns a bar of 40 x 30 of which one corner is cut off by a along x and b along y.
func bevelled(a, b float64) *brep.Model {
	return build.Prism("bar", build.Polygon(pt(0, 0), pt(40, 0), pt(40, 30-b), pt(40-a, 30), pt(0, 30)), 50,
		build.Style{})
}

func regular(n int) *brep.Model {
	var corners []geom.Vec2
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		corners = append(corners, pt(20*c, 20*s))
	}
	return build.Prism("polygon", build.Polygon(corners...), 30, build.Style{})
}

// Which faces of simple bodies are chamfers, by their normals and areas.
func TestWhatIsAChamfer(t *testing.T) {
	frustum := func(slope float64) *brep.Model { // a cylinder with its upper rim broken by 2 mm
		high := 2 / math.Tan(slope)
		profile := build.Polygon(pt(0, 0), pt(15, 0), pt(15, 40-high), pt(13, 40), pt(0, 40))
		return build.Revolve("pin", geom.World, profile, build.Style{})
	}
	for _, c := range []struct {
		name  string
		model *brep.Model
		areas []float64 // mm², of the chamfers, ascending
	}{
		{"45°", bevelled(3, 3), []float64{3 * math.Sqrt2 * 50}},
		{"30°", bevelled(3, 3*math.Sqrt(3)), []float64{6 * 50}},
		{"10°, a drafted side", bevelled(1, 1/math.Tan(geom.Radians(10))), nil},
		{"as wide as its neighbours", bevelled(20, 15), nil},
		{"sides of a hexagon", regular(6), nil},
		{"sides of an octagon", regular(8), nil},
		{"a box", build.Box(geom.Vec3{X: 4, Y: 5, Z: 6}), nil},
		{"rim of a pin at 45°", frustum(math.Pi / 4), []float64{math.Pi * (15 + 13) * 2 * math.Sqrt2}},
		{"ridge between two V-grooves in one plane with the rest", build.Prism("grooved", build.Polygon(pt(0, 0),
			pt(60, 0), pt(60, 20), pt(40, 20), pt(36, 16), pt(32, 20), pt(30, 20), pt(26, 16), pt(22, 20), pt(0, 20)), 50,
			build.Style{}), nil},
		{"ridge of its own between two V-grooves", build.Prism("grooved", build.Polygon(pt(0, 0), pt(60, 0), pt(60, 20),
			pt(40, 20), pt(36, 16), pt(33, 19), pt(29, 19), pt(26, 16), pt(22, 20), pt(0, 20)), 50, build.Style{}),
			[]float64{4 * 50}},
		{"taper of a pin", frustum(geom.Radians(8)), nil},
	} {
		g := graphOf(t, c.model)
		var got []float64
		for p, is := range chamfer.Find(g, make([]bool, len(g.Patches))) {
			if is {
				got = append(got, g.Patches[p].Area)
			}
		}
		slices.Sort(got)
		if len(got) != len(c.areas) {
			t.Errorf("%s: chamfers of %v mm², want %v", c.name, got, c.areas)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.areas[i]) > 0.01*c.areas[i] {
				t.Errorf("%s: a chamfer of %v mm², want %v", c.name, got[i], c.areas[i])
			}
		}
	}
}

// What is taken is left alone.
func TestTakenFacesAreNoChamfers(t *testing.T) {
	g := graphOf(t, bevelled(3, 3))
	taken := make([]bool, len(g.Patches))
	for i := range taken {
		taken[i] = true
	}
	if found := chamfer.Find(g, taken); slices.Contains(found, true) {
		t.Errorf("of taken faces %v are chamfers", found)
	}
}

// Chamfers that follow each other round one face are one group; those apart are several.
func TestGroupsOfChamfers(t *testing.T) {
	round := func(d float64, at geom.Vec2) []geom.Vec2 { // a square of 30 with its corners cut off
		return []geom.Vec2{pt(at.X+d, at.Y), pt(at.X+30-d, at.Y), pt(at.X+30, at.Y+d), pt(at.X+30, at.Y+30-d),
			pt(at.X+30-d, at.Y+30), pt(at.X+d, at.Y+30), pt(at.X, at.Y+30-d), pt(at.X, at.Y+d)}
	}
	g := graphOf(t, build.Prism("bar", build.Polygon(round(2, pt(0, 0))...), 60, build.Style{}))
	is := chamfer.Find(g, make([]bool, len(g.Patches)))
	groups := chamfer.Groups(g, is, g.Rims)
	if len(groups) != 4 {
		t.Fatalf("%d groups of the chamfers on four edges: %v", len(groups), groups)
	}
	seen := map[int32]bool{}
	for _, group := range groups {
		for _, p := range group {
			if !is[p] || seen[p] {
				t.Errorf("patch %d: a chamfer %v, in two groups %v", p, is[p], seen[p])
			}
			seen[p] = true
		}
	}
}

// notched is a bar of which an upper edge is broken by 2 mm, with two notches across it. Between them stands a piece
// of which the bevel is three times as long at the top as at the side.
func notched() *brep.Model {
	const side, top, low, high = 20.0, 18.0, 8.0, 10.0
	outline := []geom.Vec2{pt(0, 0), pt(60, 0), pt(60, side), pt(40, side), pt(40, 15), pt(36, 15), pt(31, side),
		pt(29, side), pt(24, 15), pt(20, 15), pt(20, side), pt(0, side)}
	inward := map[float64]float64{31: 33, 29: 27} // x at the top of walls that lean in plan
	var points []geom.Vec3
	at := func(x, y, z float64) int {
		p := geom.Vec3{X: x, Y: y, Z: z}
		if i := slices.Index(points, p); i >= 0 {
			return i
		}
		points = append(points, p)
		return len(points) - 1
	}
	upper := func(p geom.Vec2) int {
		if p.Y < side {
			return at(p.X, p.Y, high)
		}
		if x, ok := inward[p.X]; ok {
			return at(x, top, high)
		}
		return at(p.X, top, high)
	}
	var faces [][][]int
	var under, over []int
	for i, p := range outline {
		q := outline[(i+1)%len(outline)]
		under, over = append([]int{at(p.X, p.Y, 0)}, under...), append(over, upper(p))
		wall := []int{at(p.X, p.Y, 0), at(q.X, q.Y, 0)}
		if q.Y == side {
			wall = append(wall, at(q.X, q.Y, low))
		}
		if p.Y == side && q.Y == side {
			faces = append(faces, [][]int{{at(p.X, p.Y, low), at(q.X, q.Y, low), upper(q), upper(p)}})
		} else {
			wall = append(wall, upper(q), upper(p))
		}
		if p.Y == side {
			wall = append(wall, at(p.X, p.Y, low))
		}
		faces = append(faces, [][]int{wall})
	}
	return build.Polyhedron("notched", points, append(faces, [][]int{under}, [][]int{over}))
}

// What others leave of a chamfer is of it, however short.
func TestStubsAreChamfers(t *testing.T) {
	g := graphOf(t, notched())
	n, area := 0, 0.0
	for p, is := range chamfer.Find(g, make([]bool, len(g.Patches))) {
		if is {
			n++
			area += g.Patches[p].Area
		}
	}
	if want := (20 + 20 + 4) * 2 * math.Sqrt2; n != 3 || math.Abs(area-want) > 1e-6*want {
		t.Errorf("%d chamfers of %v mm², want 3 of %v", n, area, want)
	}
}
