package chamfer_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/chamfer"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
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

// bevelled returns a bar of 40 x 30 with one corner cut off by a along x and b along y.
func bevelled(a, b float64) *brep.Model {
	return build.Prism("bar", build.Polygon(pt(0, 0), pt(40, 0), pt(40, 30-b), pt(40-a, 30), pt(0, 30)), 50,
		build.Style{})
}

// segment is a third of a disc of radius 15 and height 4 whose upper edge is chamfered by 2 mm, cut along the chord of
// the remaining flat of its top.
func segment() *brep.Model {
	b := build.New("segment")
	at := func(z, up float64) geom.Frame {
		return geom.NewFrame(geom.Vec3{Z: z}, geom.Vec3{Z: up}, geom.Vec3{X: 1})
	}
	profile := []geom.Vec2{pt(15, 0), pt(15, 2), pt(13, 4), pt(13, 0)} // radius and height
	var v [2][4]brep.VertexID
	var e [2][4]brep.EdgeID // from each to the next
	for k, turn := range []float64{-math.Pi / 3, math.Pi / 3} {
		sin, cos := math.Sincos(turn)
		for i, p := range profile {
			v[k][i] = b.Vertex(geom.Vec3{X: p.X * cos, Y: p.X * sin, Z: p.Y})
		}
		for i := range profile {
			e[k][i] = b.Line(v[k][i], v[k][(i+1)%4])
		}
	}
	var arc [3]brep.EdgeID
	for i, p := range profile[:3] {
		arc[i] = b.Edge(curve.Circle{Frame: at(p.Y, 1), Radius: p.X}, -math.Pi/3, math.Pi/3, v[0][i], v[1][i])
	}
	high, low := b.Line(v[0][2], v[1][2]), b.Line(v[0][3], v[1][3])
	b.Face(surface.Cylinder{Frame: at(0, 1), Radius: 15}, false,
		build.Chain(build.Fwd(arc[0]), build.Fwd(e[1][0]), build.Rev(arc[1]), build.Rev(e[0][0])))
	b.Face(surface.Cone{Frame: at(4, -1), Radius: 13, HalfAngle: math.Pi / 4}, false,
		build.Chain(build.Fwd(arc[1]), build.Fwd(e[1][1]), build.Rev(arc[2]), build.Rev(e[0][1])))
	b.Face(surface.Plane{Frame: at(4, 1)}, false, build.Chain(build.Fwd(arc[2]), build.Rev(high)))
	b.Face(surface.Plane{Frame: at(0, -1)}, false,
		build.Chain(build.Rev(arc[0]), build.Rev(e[0][3]), build.Fwd(low), build.Fwd(e[1][3])))
	b.Face(surface.Plane{Frame: geom.NewFrame(geom.Vec3{X: 6.5}, geom.Vec3{X: -1}, geom.Vec3{Z: 1})}, false,
		build.Chain(build.Rev(low), build.Rev(e[0][2]), build.Fwd(high), build.Fwd(e[1][2])))
	for k, side := range []float64{-1, 1} {
		sin, cos := math.Sincos(side * math.Pi / 3)
		uses := []build.EdgeUse{build.Fwd(e[k][0]), build.Fwd(e[k][1]), build.Fwd(e[k][2]), build.Fwd(e[k][3])}
		if k == 1 {
			uses = []build.EdgeUse{build.Rev(e[k][3]), build.Rev(e[k][2]), build.Rev(e[k][1]), build.Rev(e[k][0])}
		}
		normal := geom.Vec3{X: -side * sin, Y: side * cos}
		b.Face(surface.Plane{Frame: geom.NewFrame(geom.Vec3{}, normal, geom.Vec3{Z: 1})}, false, build.Chain(uses...))
	}
	b.Solid()
	return b.Model()
}

func regular(n int) *brep.Model {
	var corners []geom.Vec2
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		corners = append(corners, pt(20*c, 20*s))
	}
	return build.Prism("polygon", build.Polygon(corners...), 30, build.Style{})
}

// The chamfers of simple bodies, by their normals and areas.
func TestWhatIsAChamfer(t *testing.T) {
	frustum := func(slope float64) *brep.Model { // a cylinder with its upper edge chamfered by 2 mm
		high := 2 / math.Tan(slope)
		profile := build.Polygon(pt(0, 0), pt(15, 0), pt(15, 40-high), pt(13, 40), pt(0, 40))
		return build.Revolve("pin", geom.World, profile, build.Style{})
	}
	rounded := func(slope float64) *brep.Model { // a pin whose end narrows by 4 mm, beyond a rounding of 1 mm
		sin, cos := math.Sincos(slope)
		in, up := 15-(1-cos), 30+sin
		return build.Revolve("pin", geom.World, []build.Corner{{P: pt(0, 0)}, {P: pt(15, 0)},
			{P: pt(15, 30), Bulge: build.Bulge(slope)}, {P: pt(in, up)}, {P: pt(11, up+(in-11)/math.Tan(slope))},
			{P: pt(0, up+(in-11)/math.Tan(slope))}}, build.Style{})
	}
	blade := func(edge float64) *brep.Model { // its edge ground perpendicular to its middle, 2 mm from the tip
		t := math.Tan(edge / 2)
		return build.Prism("blade", build.Polygon(pt(2, -2*t), pt(40, -40*t), pt(40, 40*t), pt(2, 2*t)), 50, build.Style{})
	}
	for _, c := range []struct {
		name  string
		model *brep.Model
		areas []float64 // mm², of the chamfers, ascending
	}{
		{"45°", bevelled(3, 3), []float64{3 * math.Sqrt2 * 50}},
		{"30°", bevelled(3, 3*math.Sqrt(3)), []float64{6 * 50}},
		{"11°", bevelled(2, 2*math.Tan(geom.Radians(79))), []float64{2 / math.Sin(geom.Radians(11)) * 50}},
		{"10°, a drafted side", bevelled(1, 1/math.Tan(geom.Radians(10))), nil},
		{"as wide as its neighbours", bevelled(20, 15), nil},
		{"sides of a hexagon", regular(6), nil},
		{"sides of an octagon", regular(8), nil},
		{"a box", build.Box(geom.Vec3{X: 4, Y: 5, Z: 6}), nil},
		{"rim of a pin at 45°", frustum(math.Pi / 4), []float64{math.Pi * (15 + 13) * 2 * math.Sqrt2}},
		{"rim of a segment of a thin disc", segment(), []float64{math.Pi / 3 * (15 + 13) * 2 * math.Sqrt2}},
		{"edge of 20° but for rounding", blade(math.Pi/9 - 1e-6), []float64{4 * math.Tan(math.Pi/18) * 50}},
		{"edge of 18°", blade(geom.Radians(18)), nil},
		{"ridge between two V-grooves in one plane with the rest", build.Prism("grooved", build.Polygon(pt(0, 0),
			pt(60, 0), pt(60, 20), pt(40, 20), pt(36, 16), pt(32, 20), pt(30, 20), pt(26, 16), pt(22, 20), pt(0, 20)), 50,
			build.Style{}), nil},
		{"ridge of its own between two V-grooves", build.Prism("grooved", build.Polygon(pt(0, 0), pt(60, 0), pt(60, 20),
			pt(40, 20), pt(36, 16), pt(33, 19), pt(29, 19), pt(26, 16), pt(22, 20), pt(0, 20)), 50, build.Style{}),
			[]float64{4 * 50}},
		{"taper of a pin", frustum(geom.Radians(8)), nil},
		{"end of a pin, rounded", rounded(math.Pi / 4), []float64{math.Pi * (14 + math.Sqrt2/2 + 11) * (3*math.Sqrt2 + 1)}},
		{"taper of a pin, rounded", rounded(geom.Radians(8)), nil},
		{"rim of a sleeve whose bore leaves nothing of its end", build.Revolve("sleeve", geom.World, build.Polygon(pt(13, 0),
			pt(15, 0), pt(15, 38), pt(13, 40)), build.Style{}), []float64{math.Pi * (15 + 13) * 2 * math.Sqrt2}},
		{"wall of a step", cornerStep(false), nil},
		{"wall of a step with bevelled edges", cornerStep(true), []float64{7 * math.Sqrt2, 7 * math.Sqrt2}},
		{"wall of a step of which others leave one edge", undercutStep(), nil},
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

// cornerStep is a block with a corner cut off down to a floor, whose outer edges may be chamfered by 1 mm.
func cornerStep(isBevelled bool) *brep.Model {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	points := []geom.Vec3{at(0, 0, 0), at(40, 0, 0), at(40, 30, 0), at(0, 30, 0), at(0, 0, 20), at(40, 0, 20),
		at(40, 22, 20),
		at(32, 30, 20), at(0, 30, 20), at(40, 22, 4), at(40, 30, 4), at(32, 30, 4)}
	faces := [][][]int{{{3, 2, 1, 0}}, {{4, 5, 6, 7, 8}}, {{0, 1, 5, 4}}, {{3, 0, 4, 8}}, {{1, 2, 10, 9, 6, 5}},
		{{2, 3, 8, 7, 11, 10}}}
	if !isBevelled {
		return build.Polyhedron("step", points, append(faces, [][]int{{9, 10, 11}}, [][]int{{6, 9, 11, 7}}))
	}
	return build.Polyhedron("bevelled step", append(points, at(39, 23, 5), at(39, 29, 5), at(33, 29, 5)), append(faces,
		[][]int{{12, 13, 14}}, [][]int{{9, 10, 13, 12}}, [][]int{{10, 11, 14, 13}}, [][]int{{6, 9, 12, 14, 11, 7}}))
}

// undercutStep is a block with a corner cut off down to a floor that does not reach one of its sides, because that is
// cut back below.
func undercutStep() *brep.Model {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("undercut step", []geom.Vec3{at(0, 0, 0), at(40, 0, 0), at(40, 28, 0), at(0, 28, 0),
		at(40, 27, 5),
		at(40, 28, 5), at(39, 28, 5), at(0, 28, 5), at(37, 30, 5), at(0, 30, 5), at(0, 0, 20), at(40, 0, 20), at(40, 27, 20),
		at(37, 30, 20), at(0, 30, 20)}, [][][]int{{{3, 2, 1, 0}}, {{10, 11, 12, 13, 14}}, {{0, 1, 11, 10}},
		{{1, 2, 5, 4, 12, 11}}, {{2, 3, 7, 6, 5}}, {{4, 5, 6}}, {{4, 6, 8, 13, 12}}, {{7, 9, 8, 6}}, {{8, 9, 14, 13}},
		{{3, 0, 10, 14, 9, 7}}})
}

// Taken patches are ignored.
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

// Consecutive chamfers around one face are one group, separate ones are several.
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

// notched is a bar with an upper edge chamfered by 2 mm and two notches across it. The bevel of the piece between them
// is three times as long at the top as at the side.
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

// The remains of a chamfer belong to it, at any length.
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

// cutRound is a bar with an edge chamfered by 2 mm, and a quarter of a disc cut off at its end.
func cutRound() *brep.Model {
	const x, radius = 3.2, 2.2
	b := build.New("cut round")
	in := x + radius*math.Cos(math.Pi-math.Asin(2/radius)) // where the cut reaches the top
	at := func(x, y, z float64) brep.VertexID { return b.Vertex(geom.Vec3{X: x, Y: y, Z: z}) }
	low := []brep.VertexID{at(0, 0, 0), at(x, 0, 0), at(x, 20-radius, 0), at(x-radius, 20, 0), at(0, 20, 0)}
	high := []brep.VertexID{at(0, 0, 10), at(x, 0, 10), at(x, 20-radius, 10), at(in, 18, 10), at(0, 18, 10)}
	side := []brep.VertexID{at(x-radius, 20, 8), at(0, 20, 8)}
	arc := func(z, end float64, from, to brep.VertexID) brep.EdgeID {
		frame := geom.NewFrame(geom.Vec3{X: x, Y: 20, Z: z}, geom.Vec3{Z: -1}, geom.Vec3{X: 1})
		return b.Edge(curve.Circle{Frame: frame, Radius: radius}, math.Pi/2, end, from, to)
	}
	slope := geom.NewFrame(geom.Vec3{X: x, Y: 20, Z: 8}, geom.Vec3{Y: 1, Z: 1}, geom.Vec3{Y: -1, Z: 1})
	cut := b.Edge(curve.Ellipse{Frame: slope, Major: radius * math.Sqrt2, Minor: radius}, -math.Pi/2,
		math.Asin(2/radius)-math.Pi/2, side[0], high[3])
	foot, top := arc(0, math.Pi, low[2], low[3]), arc(10, math.Pi-math.Asin(2/radius), high[2], high[3])
	lower, upper := []brep.EdgeID{b.Line(low[0], low[1]), b.Line(low[1], low[2]), foot, b.Line(low[3], low[4]),
		b.Line(low[4], low[0])}, []brep.EdgeID{b.Line(high[0], high[1]), b.Line(high[1], high[2]), top,
		b.Line(high[3], high[4]), b.Line(high[4], high[0])}
	up := []brep.EdgeID{b.Line(low[0], high[0]), b.Line(low[1], high[1]), b.Line(low[2], high[2]), b.Line(low[3], side[0]),
		b.Line(low[4], side[1])}
	edge, end := b.Line(side[0], side[1]), b.Line(side[1], high[4])
	plane := func(at, normal geom.Vec3, uses ...build.EdgeUse) {
		b.Face(surface.Plane{Frame: geom.NewFrame(at, normal, geom.Vec3{})}, false, build.Chain(uses...))
	}
	plane(geom.Vec3{}, geom.Vec3{Z: -1}, build.Rev(lower[4]), build.Rev(lower[3]), build.Rev(lower[2]),
		build.Rev(lower[1]),
		build.Rev(lower[0]))
	plane(geom.Vec3{Z: 10}, geom.Vec3{Z: 1}, build.Fwd(upper[0]), build.Fwd(upper[1]), build.Fwd(upper[2]),
		build.Fwd(upper[3]), build.Fwd(upper[4]))
	plane(geom.Vec3{}, geom.Vec3{Y: -1}, build.Fwd(lower[0]), build.Fwd(up[1]), build.Rev(upper[0]), build.Rev(up[0]))
	plane(geom.Vec3{X: x}, geom.Vec3{X: 1}, build.Fwd(lower[1]), build.Fwd(up[2]), build.Rev(upper[1]), build.Rev(up[1]))
	b.Face(surface.Cylinder{Frame: geom.NewFrame(geom.Vec3{X: x, Y: 20}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}),
		Radius: radius},
		true, build.Chain(build.Fwd(lower[2]), build.Fwd(up[3]), build.Fwd(cut), build.Rev(upper[2]), build.Rev(up[2])))
	plane(geom.Vec3{Y: 20}, geom.Vec3{Y: 1}, build.Fwd(lower[3]), build.Fwd(up[4]), build.Rev(edge), build.Rev(up[3]))
	plane(geom.Vec3{Y: 20, Z: 8}, geom.Vec3{Y: 1, Z: 1}, build.Fwd(edge), build.Fwd(end), build.Rev(upper[3]),
		build.Rev(cut))
	plane(geom.Vec3{}, geom.Vec3{X: -1}, build.Fwd(lower[4]), build.Fwd(up[0]), build.Rev(upper[4]), build.Rev(end),
		build.Rev(up[4]))
	b.Solid()
	return b.Model()
}

// A bevel that others cut off at a slant or round, or in an inner corner, is still a bevel.
func TestOneSideOfAChamferMayBeShort(t *testing.T) {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	// The bevel is 5 mm long at the top and 2 mm at the side, because of the plane at its end.
	aslant := build.Polyhedron("aslant", []geom.Vec3{
		at(0, 0, 0), at(32, 0, 0), at(2, 20, 0), at(0, 20, 0), at(0, 0, 10), at(32, 0, 10), at(5, 18, 10), at(0, 18, 10),
		at(2, 20, 8), at(0, 20, 8),
	}, [][][]int{{{3, 2, 1, 0}}, {{4, 5, 6, 7}}, {{0, 1, 5, 4}}, {{1, 2, 8, 6, 5}}, {{2, 3, 9, 8}}, {{0, 4, 7, 9, 3}},
		{{9, 7, 6, 8}}})
	// The same bar on a larger block, which its bevel meets in a concave edge.
	against := build.Polyhedron("aslant against a wall", []geom.Vec3{
		at(-10, 0, 0), at(32, 0, 0), at(2, 20, 0), at(0, 20, 0), at(0, 25, 0), at(-10, 25, 0), at(32, 0, 10), at(0, 0, 10),
		at(0, 0, 15), at(-10, 0, 15), at(5, 18, 10), at(0, 18, 10), at(2, 20, 8), at(0, 20, 8), at(0, 25, 15),
		at(-10, 25, 15),
	}, [][][]int{{{5, 4, 3, 2, 1, 0}}, {{0, 1, 6, 7, 8, 9}}, {{7, 6, 10, 11}}, {{1, 2, 12, 10, 6}}, {{2, 3, 13, 12}},
		{{13, 11, 10, 12}}, {{9, 8, 14, 15}}, {{5, 0, 9, 15}}, {{4, 5, 15, 14}}, {{3, 4, 14, 8, 7, 11, 13}}})
	// The edge of a passage of 2 x 12 is chamfered by 2 mm: its ends are 6 mm long at the top and 2 mm below.
	rect := func(x, y, z float64) []geom.Vec3 {
		return []geom.Vec3{at(-x, -y, z), at(x, -y, z), at(x, y, z), at(-x, y, z)}
	}
	points := slices.Concat(rect(20, 20, 0), rect(20, 20, 10), rect(1, 6, 0), rect(1, 6, 8), rect(3, 8, 10))
	faces := [][][]int{{{3, 2, 1, 0}, {8, 9, 10, 11}}, {{4, 5, 6, 7}, {19, 18, 17, 16}}}
	for i := range 4 {
		k := (i + 1) % 4
		faces = append(faces, [][]int{{i, k, 4 + k, 4 + i}}, [][]int{{8 + k, 8 + i, 12 + i, 12 + k}},
			[][]int{{12 + k, 12 + i, 16 + i, 16 + k}})
	}
	// The rest of an edge beyond an inner corner is the miter of its bevel.
	mitre := build.Polyhedron("mitre", []geom.Vec3{
		at(-20, 0, 0), at(20, 0, 0), at(20, 20, 0), at(-20, 20, 0), at(-20, 0, 10), at(-1, 0, 10), at(0, 0, 9), at(20, 0, 9),
		at(-1, 1, 10), at(20, 1, 10), at(20, 20, 10), at(-20, 20, 10),
	}, [][][]int{{{3, 2, 1, 0}}, {{0, 1, 7, 6, 5, 4}}, {{4, 5, 8, 9, 10, 11}}, {{6, 7, 9, 8}}, {{6, 8, 5}},
		{{1, 2, 10, 9, 7}}, {{2, 3, 11, 10}}, {{3, 0, 4, 11}}})
	// Both bevels of an inner corner are cut off at a slant: they are 5 mm long at the top and 0.5 mm below.
	corner := build.Polyhedron("inner corner", []geom.Vec3{
		at(0, 0, 0), at(0, 0.5, 0), at(-6, 21.5, 0), at(-20, 21.5, 0), at(-20, -20, 0), at(21.5, -20, 0), at(21.5, -6, 0),
		at(0.5, 0, 0), at(0, 0, 9), at(0, 0.5, 9), at(0.5, 0, 9), at(-1, -1, 10), at(-1, 4, 10), at(-6, 21.5, 10),
		at(-20, 21.5, 10), at(-20, -20, 10), at(21.5, -20, 10), at(21.5, -6, 10), at(4, -1, 10),
	}, [][][]int{{{7, 6, 5, 4, 3, 2, 1, 0}}, {{11, 12, 13, 14, 15, 16, 17, 18}}, {{0, 1, 9, 8}}, {{1, 2, 13, 12, 9}},
		{{2, 3, 14, 13}}, {{3, 4, 15, 14}}, {{4, 5, 16, 15}}, {{5, 6, 17, 16}}, {{6, 7, 10, 18, 17}}, {{7, 0, 8, 10}},
		{{8, 9, 12, 11}}, {{11, 18, 10, 8}}})
	// In an inner corner a bevel at 30°, cut off at a slant, continues a bevel at 45°.
	deep, far := math.Sqrt(3), 2+1.5*20/math.Sqrt(3)
	uneven := build.Polyhedron("uneven inner corner", []geom.Vec3{
		at(0, 0, 0), at(0, 20, 0), at(-20, 20, 0), at(-20, -20, 0), at(far, -20, 0), at(2, 0, 0), at(0, 0, 9), at(0, 20, 9),
		at(2, 0, 9), at(-1, -deep, 10), at(-1, 20, 10), at(-20, 20, 10), at(-20, -20, 10), at(far, -20, 10),
		at(3.5, -deep, 10),
	}, [][][]int{{{5, 4, 3, 2, 1, 0}}, {{9, 10, 11, 12, 13, 14}}, {{0, 1, 7, 6}}, {{1, 2, 11, 10, 7}}, {{2, 3, 12, 11}},
		{{3, 4, 13, 12}}, {{4, 5, 8, 14, 13}}, {{5, 0, 6, 8}}, {{6, 7, 10, 9}}, {{9, 14, 8, 6}}})
	for _, c := range []struct {
		model *brep.Model
		n     int
		area  float64 // mm²
	}{
		{uneven, 2, (20+deep/2)*math.Sqrt2 + (2+4.5)/2*2},
		{corner, 2, (0.5 + 5) * math.Sqrt2},
		{cutRound(), 1, math.Sqrt2 * (2*3.2 - 2.2*2.2/2*(math.Asin(2/2.2)+2/2.2*math.Sqrt(1-4/2.2/2.2)))},
		{aslant, 1, (5 + 2) / 2.0 * 2 * math.Sqrt2},
		{against, 0, 0},
		{mitre, 2, (21+20)/2.0*math.Sqrt2 + math.Sqrt2/2},
		{build.Polyhedron("slot", points, faces), 4, (2 + 6 + 12 + 16) * 2 * math.Sqrt2},
	} {
		g := graphOf(t, c.model)
		is := chamfer.Find(g, make([]bool, len(g.Patches)))
		n, area := 0, 0.0
		for p := range is {
			if is[p] {
				n++
				area += g.Patches[p].Area
			}
		}
		if n != c.n || math.Abs(area-c.area) > 0.01*c.area { // of the mesh
			t.Errorf("%s: %d chamfers of %v mm², want %d of %v", c.model.Name, n, area, c.n, c.area)
		}
		if groups := chamfer.Groups(g, is, g.Rims); len(groups) != min(1, c.n) {
			t.Errorf("%s: groups %v of chamfers, want %d", c.model.Name, groups, min(1, c.n))
		}
	}
}

// parted is a bar 60 x 20 x 10 with an upper edge chamfered by 2 mm. Its middle is higher, up to a side that is flush
// with the lower one.
func parted() *brep.Model {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("parted", []geom.Vec3{
		at(0, 0, 0), at(60, 0, 0), at(60, 20, 0), at(0, 20, 0), // 0
		at(0, 0, 10), at(25, 0, 10), at(35, 0, 10), at(60, 0, 10), // 4
		at(60, 18, 10), at(35, 18, 10), at(25, 18, 10), at(0, 18, 10), // 8
		at(60, 20, 8), at(35, 20, 8), at(25, 20, 8), at(0, 20, 8), // 12
		at(25, 0, 15), at(35, 0, 15), at(35, 20, 15), at(25, 20, 15), // 16
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 7, 6, 17, 16, 5, 4}}, {{1, 2, 12, 8, 7}}, {{0, 4, 11, 15, 3}},
		{{2, 3, 15, 14, 19, 18, 13, 12}}, {{4, 5, 10, 11}}, {{6, 7, 8, 9}}, {{16, 17, 18, 19}},
		{{5, 16, 19, 14, 10}}, {{6, 9, 13, 18, 17}}, {{10, 14, 15, 11}}, {{8, 12, 13, 9}},
	})
}

func TestChamfersOnBothSidesOfMaterialAreTwo(t *testing.T) {
	for _, row := range []struct {
		name string
		m    *brep.Model
		want int
	}{
		{"material between", parted(), 2},
		{"air between", notched(), 1},
	} {
		g := graphOf(t, row.m)
		if groups := chamfer.Groups(g, chamfer.Find(g, make([]bool, len(g.Patches))), g.Rims); len(groups) != row.want {
			t.Errorf("%s: groups %v, want %d", row.name, groups, row.want)
		}
	}
}

// The chamfer of an inner corner is one though a groove splits the face whose edges it bevels.
func TestPartedFacesHaveOneRim(t *testing.T) {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	g := graphOf(t, build.Polyhedron("angle", []geom.Vec3{
		at(-20, -20, 0), at(20, -20, 0), at(20, 0, 0), at(0, 0, 0), at(0, 20, 0), at(-20, 20, 0), // its base
		at(0, 0, 9), at(20, 0, 9), at(0, 20, 9), // the lower edges of its bevels
		at(-1, -1, 10), at(-1, 20, 10), at(-20, 20, 10), at(-20, -16, 10), // its top, in two
		at(-16, -20, 10), at(20, -20, 10), at(20, -1, 10),
		at(-1, -1, 8), at(-20, -16, 8), at(-20, -20, 8), at(-16, -20, 8), // the floor of the groove
	}, [][][]int{{{5, 4, 3, 2, 1, 0}}, {{9, 10, 11, 12}}, {{9, 13, 14, 15}}, {{16, 17, 18, 19}}, {{9, 12, 17, 16}},
		{{16, 19, 13, 9}}, {{6, 8, 10, 9}}, {{9, 15, 7, 6}}, {{3, 4, 8, 6}}, {{2, 3, 6, 7}}, {{1, 2, 7, 15, 14}},
		{{0, 1, 14, 13, 19, 18}}, {{5, 0, 18, 17, 12, 11}}, {{4, 5, 11, 10, 8}}}))
	is := chamfer.Find(g, make([]bool, len(g.Patches)))
	if groups := chamfer.Groups(g, is, g.Rims); len(groups) != 1 || len(groups[0]) != 2 {
		t.Errorf("groups %v of chamfers, want one of two", groups)
	}
}

// onTwoLevels is a block with an island of 20 x 20 at a corner, with two edges chamfered by 1 mm. It has floors
// of two heights, with or without a frame.
func onTwoLevels(isFramed bool) *brep.Model {
	at := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	points := []geom.Vec3{
		at(-20, -20, 0), at(20, -20, 0), at(20, 20, 0), at(-20, 20, 0), // its base
		at(-20, -20, 10), at(-1, -20, 10), at(-1, -1, 10), at(-20, -1, 10), // the top of the island
		at(0, -20, 9), at(0, 0, 9), at(-20, 0, 9), // the lower edges of the bevels
		at(0, -20, 2), at(20, -20, 2), at(20, 0, 2), at(0, 0, 2), // a floor
		at(0, 0, 5), at(20, 0, 5), at(20, 20, 5), at(-20, 20, 5), at(-20, 0, 5), // and another
	}
	faces := [][][]int{{{3, 2, 1, 0}}, {{4, 5, 6, 7}}, {{8, 9, 6, 5}}, {{9, 10, 7, 6}}, {{11, 14, 15, 9, 8}},
		{{15, 19, 10, 9}}, {{14, 13, 16, 15}}, {{11, 12, 13, 14}}, {{15, 16, 17, 18, 19}}}
	if !isFramed {
		return build.Polyhedron("on two levels", points, append(faces, [][]int{{1, 2, 17, 16, 13, 12}},
			[][]int{{2, 3, 18, 17}},
			[][]int{{3, 0, 4, 7, 10, 19, 18}}, [][]int{{0, 1, 12, 11, 8, 5, 4}}))
	}
	points[1], points[2], points[3] = at(25, -20, 0), at(25, 25, 0), at(-20, 25, 0)
	points = append(points, at(20, -20, 10), at(25, -20, 10), at(25, 25, 10), at(-20, 25, 10), at(-20, 20, 10),
		at(20, 20, 10))
	return build.Polyhedron("between two pockets", points, append(faces, [][]int{{17, 16, 13, 12, 20, 25}},
		[][]int{{18, 17, 25, 24}}, [][]int{{20, 21, 22, 23, 24, 25}}, [][]int{{1, 2, 22, 21}}, [][]int{{2, 3, 23, 22}},
		[][]int{{3, 0, 4, 7, 10, 19, 18, 24, 23}}, [][]int{{0, 1, 21, 20, 12, 11, 8, 5, 4}}))
}

// Around a convex corner a chamfer is one, except where two pockets intersect.
func TestRimsOfTwoPocketsAreTwo(t *testing.T) {
	for framed, want := range map[bool]int{false: 1, true: 2} {
		m := onTwoLevels(framed)
		g := graphOf(t, m)
		is := chamfer.Find(g, make([]bool, len(g.Patches)))
		if groups := chamfer.Groups(g, is, g.Rims); len(groups) != want {
			t.Errorf("%s: groups %v of chamfers, want %d", m.Name, groups, want)
		}
	}
}

// blade is a plate, 2 thick, 40 wide and 30 high, with its two upper corners cut off by some mm. base is the ratio of
// the width of its base to that of the plate.
func blade(base, cut float64) *brep.Model {
	const wide, top = 40.0, 40.0
	in := (1 - base) / 2 * wide // of the base from the ends of the plate
	var points []geom.Vec3
	at := func(x, y, z float64) int {
		points = append(points, geom.Vec3{X: x, Y: y, Z: z})
		return len(points) - 1
	}
	var side [2][]int // of the plate, from its base counterclockwise seen along x
	for k, x := range []float64{19, 21} {
		side[k] = []int{at(x, in, 10), at(x, wide-in, 10), at(x, wide, 10), at(x, wide, top-cut), at(x, wide-cut, top),
			at(x, cut, top), at(x, 0, top-cut), at(x, 0, 10)}
		if in < 0 { // the base extends beyond it
			points[side[k][0]].Y, points[side[k][1]].Y = 0, wide
			side[k] = slices.Delete(slices.Delete(side[k], 7, 8), 2, 3)
		}
	}
	n := len(side[0])
	var faces [][][]int
	for i := range n {
		j := (i + 1) % n
		if i > 0 { // at 0 is its base
			faces = append(faces, [][]int{{side[0][i], side[0][j], side[1][j], side[1][i]}})
		}
	}
	back := slices.Clone(side[0])
	slices.Reverse(back)
	faces = append(faces, [][]int{back}, [][]int{side[1]})
	low := []int{at(0, in, 0), at(40, in, 0), at(40, wide-in, 0), at(0, wide-in, 0)}
	high := []int{at(0, in, 10), at(40, in, 10), at(40, wide-in, 10), at(0, wide-in, 10)}
	a, b, c, d := side[0][0], side[1][0], side[1][1], side[0][1] // its base, counterclockwise seen from above
	faces = append(faces, [][]int{{low[3], low[2], low[1], low[0]}}, [][]int{{low[1], low[2], high[2], high[1]}},
		[][]int{{low[3], low[0], high[0], high[3]}})
	if in < 0 {
		return build.Polyhedron("pin", points, append(faces, [][]int{high, {a, d, c, b}},
			[][]int{{low[0], low[1], high[1], high[0]}}, [][]int{{low[2], low[3], high[3], high[2]}}))
	}
	return build.Polyhedron("fin", points, append(faces, [][]int{{high[0], a, d, high[3]}},
		[][]int{{b, high[1], high[2], c}},
		[][]int{{low[0], low[1], high[1], b, a, high[0]}}, [][]int{{low[2], low[3], high[3], d, c, high[2]}}))
}

// A corner cut wider than the thickness of the plate belongs to its outline, except at the tip of a pin whose whole
// width is on a floor.
func TestTipsOfFlatPinsAreBevelled(t *testing.T) {
	for _, row := range []struct {
		base, cut float64
		want      string
	}{
		{1.5, 6, "[1 1]"}, {3, 12, "[1 1]"}, {1.5, 1, "[1 1]"}, {0.5, 6, "[]"}, {0.5, 1, "[1 1]"},
	} {
		g := graphOf(t, blade(row.base, row.cut))
		var sizes []int
		for _, group := range chamfer.Groups(g, chamfer.Find(g, make([]bool, len(g.Patches))), g.Rims) {
			sizes = append(sizes, len(group))
		}
		if got := fmt.Sprint(sizes); got != row.want {
			t.Errorf("base of %v of the width, corners cut off by %v mm: groups of %s chamfers, want %s", row.base, row.cut, got,
				row.want)
		}
	}
}

// roundedPost is a post, 30 wide, 20 high and 3 thick, at the back of a base of equal width, with a corner cut off by 4
// mm whose edge at the back is rounded by 0.5 mm.
func roundedPost() *brep.Model {
	const radius, lean = 0.5, 0.5 * math.Sqrt2 // the rounding, and its extent along the top
	points := []geom.Vec3{
		{Y: -10, Z: -5}, {X: 30, Y: -10, Z: -5}, {X: 30, Y: 3, Z: -5}, {Y: 3, Z: -5}, // the bottom
		{Y: -10}, {X: 30, Y: -10}, {X: 30}, {}, // the floor
		{X: 30, Z: 16}, {X: 26, Z: 20}, {Z: 20}, // the front of the post
		{X: 30, Y: 2.5, Z: 16}, {X: 26, Y: 2.5, Z: 20}, // the chamfer at its rounding
		{X: 30, Y: 3, Z: 16 - lean}, {X: 26 - lean, Y: 3, Z: 20}, {Y: 3, Z: 20}, // the back
	}
	b := build.New("rounded post")
	for _, p := range points {
		b.Vertex(p)
	}
	arc := func(center, normal, toChamfer geom.Vec3, from, to brep.VertexID) build.EdgeUse {
		return build.Fwd(b.Edge(curve.Ellipse{Frame: geom.NewFrame(center, normal, toChamfer), Major: lean, Minor: radius},
			0, math.Pi/2, from, to))
	}
	uses := map[[2]int]build.EdgeUse{
		{12, 14}: arc(geom.Vec3{X: 26 - lean, Y: 2.5, Z: 20}, geom.Vec3{Z: 1}, geom.Vec3{X: 1}, 12, 14),
		{11, 13}: arc(geom.Vec3{X: 30, Y: 2.5, Z: 16 - lean}, geom.Vec3{X: -1}, geom.Vec3{Z: 1}, 11, 13),
	}
	loop := func(ring []int) build.Loop {
		var out []build.EdgeUse
		for i, from := range ring {
			to := ring[(i+1)%len(ring)]
			key := [2]int{min(from, to), max(from, to)}
			if _, ok := uses[key]; !ok {
				uses[key] = build.Fwd(b.Line(brep.VertexID(key[0]), brep.VertexID(key[1])))
			}
			out = append(out, build.EdgeUse{Edge: uses[key].Edge, Reversed: from > to})
		}
		return build.Chain(out...)
	}
	for _, f := range []struct {
		normal geom.Vec3
		ring   []int
	}{
		{geom.Vec3{Z: -1}, []int{0, 3, 2, 1}}, {geom.Vec3{Y: -1}, []int{0, 1, 5, 4}}, {geom.Vec3{Z: 1}, []int{4, 5, 6, 7}},
		{geom.Vec3{Y: -1}, []int{7, 6, 8, 9, 10}}, {geom.Vec3{Z: 1}, []int{10, 9, 12, 14, 15}},
		{geom.Vec3{Y: 1}, []int{3, 15, 14, 13, 2}}, {geom.Vec3{X: -1}, []int{0, 4, 7, 10, 15, 3}},
		{geom.Vec3{X: 1}, []int{1, 2, 13, 11, 8, 6, 5}}, {geom.Vec3{X: 1, Z: 1}, []int{8, 11, 12, 9}},
	} {
		b.Face(surface.Plane{Frame: geom.NewFrame(points[f.ring[0]], f.normal, geom.Vec3{})}, false, loop(f.ring))
	}
	axis := geom.NewFrame(geom.Vec3{X: 26 - lean, Y: 2.5, Z: 20}, geom.Vec3{X: 1, Z: -1}, geom.Vec3{X: 1, Z: 1})
	b.Face(surface.Cylinder{Frame: axis, Radius: radius}, false, loop([]int{12, 11, 13, 14}))
	b.Solid()
	return b.Model()
}

// A chamfer may end in the rounding of the edges of a post.
func TestTipsOfRoundedPostsAreBevelled(t *testing.T) {
	g := graphOf(t, roundedPost())
	if groups := chamfer.Groups(g, chamfer.Find(g, make([]bool, len(g.Patches))), g.Rims); len(groups) != 1 {
		t.Errorf("groups %v of chamfers, want one", groups)
	}
}

// A round wall is over the bevel at its base, not over a cone that is wider than the height of the wall.
func TestWallOverABevel(t *testing.T) {
	for _, row := range []struct {
		name string
		wide float64 // mm, of a cone at 45° between a floor and a wall 10 high
		want surface.Kind
	}{
		{"bevel", 2, surface.KindCylinder},
		{"cone", 8, surface.KindCone},
	} {
		g := graphOf(t, build.Revolve(row.name, geom.World, build.Polygon(pt(0, 0), pt(40, 0), pt(40, 5), pt(20+row.wide, 5),
			pt(20, 5+row.wide), pt(20, 15+row.wide), pt(0, 15+row.wide)), build.Style{}))
		cone := slices.IndexFunc(g.Patches, func(p graph.Patch) bool { return p.Kind == surface.KindCone })
		if cone < 0 {
			t.Fatalf("%s: no cone", row.name)
		}
		if got := g.Patches[chamfer.WallOver(g, int32(cone), geom.Vec3{Z: 1})].Kind; got != row.want {
			t.Errorf("%s: over it %v, want %v", row.name, got, row.want)
		}
	}
}
