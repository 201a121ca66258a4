package recognize_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// all returns the number of features of every type, as "Hole 2 Face 6".
func all(res feature.Result) string {
	var out []string
	for _, typ := range []feature.Type{feature.Hole, feature.Pocket, feature.Boss, feature.Wall, feature.Face,
		feature.Three, feature.Chamfer, feature.Profile, feature.Dovetail, feature.Tslot} {
		if n := len(featuretest.Only(res, typ)); n > 0 {
			out = append(out, fmt.Sprintf("%s %d", typ, n))
		}
	}
	return strings.Join(out, " ")
}

// gear is a disc 6 thick with n square teeth.
func gear(n int) *brep.Model {
	var points []geom.Vec2
	for i := range n {
		for k, r := range []float64{30, 30, 26, 26} {
			s, c := math.Sincos(2 * math.Pi * (float64(i) + float64(k)/4 + 0.1*float64(k%2)) / float64(n))
			points = append(points, v2(r*c, r*s))
		}
	}
	return build.Prism("gear", build.Polygon(points...), 6, build.Style{})
}

// turned is a shaft of revolution over the profile.
func turned(points ...geom.Vec2) *brep.Model {
	return build.Revolve("turned", geom.World, build.Polygon(points...), build.Style{})
}

// The outside of parts: profiles, walls and surfaces for three axes.
func TestOutside(t *testing.T) {
	hexagon := make([]geom.Vec2, 6)
	for i := range hexagon {
		s, c := math.Sincos(float64(i) * math.Pi / 3)
		hexagon[i] = v2(20*c, 20*s)
	}
	quarter := build.Bulge(math.Pi / 2)
	rounded := []build.Corner{{P: v2(0, 0)}, {P: v2(20, 0)}, {P: v2(20, 28), Bulge: quarter}, {P: v2(18, 30)},
		{P: v2(0, 30)}}
	// An eye whose necks meet it in concave edges of 8°.
	neck, eye := build.Bulge(geom.Radians(-25.7)), build.Bulge(geom.Radians(212.8))
	hinge := []build.Corner{{P: v2(54, -17.5)}, {P: v2(54, 17.5)}, {P: v2(19, 17.5), Bulge: neck},
		{P: v2(4.8, 16.31), Bulge: eye}, {P: v2(4.8, -16.31), Bulge: neck}, {P: v2(19, -17.5)}}
	rows := []struct {
		name, want string
		m          *brep.Model
	}{
		{"eye with necks", "Face 5 Profile 1", build.Prism("hinge", hinge, 39, build.Style{})},
		{"block", "Face 6", build.Box(geom.Vec3{X: 40, Y: 30, Z: 10})},
		{"block with a slanting side", "Face 6", bar(v2(0, 0), v2(60, 0), v2(30, 40), v2(0, 40))},
		{"block with a step and a slanting side", "Pocket 1 Face 6",
			bar(v2(0, 0), v2(60, 0), v2(30, 40), v2(10, 40), v2(10, 30), v2(0, 30))},
		{"plate with a corner cut off", "Face 7 Profile 1", build.Prism("plate",
			build.Polygon(v2(0, 0), v2(60, 0), v2(60, 28), v2(48, 40), v2(0, 40)), 5, build.Style{})},
		{"two slanting sides", "Face 6 Profile 1", bar(v2(0, 0), v2(60, 0), v2(45, 40), v2(15, 40))},
		{"plate with round corners", "Face 6 Profile 1",
			build.Prism("p", build.Rounded(60, 40, 5), 10, build.Style{})},
		{"hexagonal bar", "Face 8 Profile 1", bar(hexagon...)},
		{"shaft", "Face 2 Profile 1", build.Cylinder(10, 30, build.Style{})},
		{"slender cone", "Face 2 Profile 1", build.Frustum(10, 8, 30, build.Style{})},
		{"drafted cone", "Wall 1 Face 2", build.Frustum(20, 20-20*math.Tan(geom.Radians(20)), 20, build.Style{})},
		{"blunt cone", "Face 2 Three 1", build.Frustum(20, 8, 20, build.Style{})},
		{"wide cone on a flange", "Boss 1 Face 3 Three 1 Profile 1",
			turned(v2(0, 0), v2(40, 0), v2(40, 10), v2(20, 30), v2(10, 30), v2(10, 60), v2(0, 60))},
		{"flat cone", "Face 2 Three 1", build.Frustum(30, 8, 6, build.Style{})},
		{"ball", "Three 1", build.Sphere(10, build.Style{})},
		{"shaft with a shoulder", "Boss 1 Face 3 Profile 1",
			turned(v2(0, 0), v2(20, 0), v2(20, 10), v2(12, 10), v2(12, 30), v2(0, 30))},
		{"shaft with a rounded end", "Face 2 Profile 1", build.Revolve("r", geom.World, rounded, build.Style{})},
		{"one curved side", "Face 5 Profile 1", build.Prism("w", []build.Corner{{P: v2(0, 0)},
			{P: v2(50, 0), Bulge: build.Bulge(1)}, {P: v2(50, 40)}, {P: v2(0, 40)}}, 20, build.Style{})},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			res := recognized(t, row.m)
			if got := all(res); got != row.want {
				t.Errorf("found %s, want %s\n%s", got, row.want, dump(res))
			}
			checkCover(t, row.name, res)
		})
	}
}

// The planes of a profile are faces too. No other patch is in two features.
func TestSidesOfAProfileAreFaces(t *testing.T) {
	res := recognized(t, build.Prism("p", build.Rounded(60, 40, 5), 10, build.Style{}))
	profile := featuretest.Only(res, feature.Profile)[0]
	if len(profile.Regions) != 8 || profile.Direction.Z != 1 {
		t.Errorf("profile of regions %v from %v, want all eight sides from above", profile.Regions,
			profile.Direction)
	}
	owners := map[int]int{}
	for _, f := range res.Features {
		for _, r := range f.Regions {
			owners[r]++
		}
	}
	twice := 0
	for _, n := range owners {
		if n == 2 {
			twice++
		}
	}
	if twice != 4 {
		t.Errorf("%d regions belong to two features, want the four plane sides\n%s", twice, dump(res))
	}
}

// Teeth are not pockets: contour and gaps are one profile. A few notches are pockets.
func TestTeeth(t *testing.T) {
	res := recognized(t, gear(16))
	if n := len(featuretest.Only(res, feature.Profile)); n != 1 {
		t.Fatalf("%d profiles, want 1\n%s", n, dump(res))
	}
	if n := len(featuretest.Only(res, feature.Pocket)); n > 0 {
		t.Errorf("%d pockets, want none\n%s", n, dump(res))
	}
	if n := len(featuretest.Only(res, feature.Face)); n != 2 {
		t.Errorf("%d faces, want both sides of the gear and none at the tips of its teeth\n%s", n, dump(res))
	}
	checkCover(t, "gear", res)
	if n := len(featuretest.Only(recognized(t, gear(5)), feature.Pocket)); n != 5 {
		t.Errorf("five teeth: %d pockets between them, want 5", n)
	}
}

// comb is a bar 30 long with n slots between fins.
func comb(n int) *brep.Model {
	points := []geom.Vec2{v2(0, 0), v2(10*float64(n)+5, 0), v2(10*float64(n)+5, 20)}
	for i := n - 1; i >= 0; i-- {
		x := 10 * float64(i)
		points = append(points, v2(x+10, 20), v2(x+10, 8), v2(x+5, 8), v2(x+5, 20))
	}
	return build.Prism("comb", build.Polygon(append(points, v2(0, 20))...), 30, build.Style{})
}

// Slots between square fins are pockets, for any number of fins.
func TestFins(t *testing.T) {
	for _, n := range []int{3, 12} {
		res := recognized(t, comb(n))
		if got, want := all(res), fmt.Sprintf("Pocket %d Face 6", n); got != want {
			t.Errorf("%d slots: found %s, want %s\n%s", n, got, want, dump(res))
		}
		checkCover(t, "comb", res)
	}
}

// A plane split by a slot stays one face. Planes that were never one are two.
func TestPartedFaces(t *testing.T) {
	parted := recognized(t, grooved(corners(v2(35, 30), v2(35, 20), v2(25, 20), v2(25, 30))...))
	for _, f := range featuretest.Only(parted, feature.Face) {
		if f.Direction.Y == 1 && len(f.Regions) != 2 {
			t.Errorf("top of regions %v, want both sides of the slot", f.Regions)
		}
	}
	bosses := recognized(t, plate(
		build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(10, 10)), Depth: -5},
		build.Cut{Profile: build.Moved(build.Rectangle(10, 10), v2(40, 10)), Depth: -5}))
	if got := all(bosses); got != "Boss 2 Face 8" {
		t.Errorf("found %s, want the tops of the bosses apart: Boss 2 Face 8\n%s", got, dump(bosses))
	}
}

// A ring groove whose walls rise to one face has a core and not an island. A lower core is an island.
func TestGroovesAndCores(t *testing.T) {
	groove := func(core float64) *brep.Model {
		return turned(v2(0, 0), v2(30, 0), v2(30, 20), v2(20, 20), v2(20, 14), v2(12, 14), v2(12, core),
			v2(0, core))
	}
	if got := all(recognized(t, groove(20))); got != "Pocket 1 Face 2 Profile 1" {
		t.Errorf("groove: found %s, want Pocket 1 Face 2 Profile 1", got)
	}
	if got := all(recognized(t, groove(17))); got != "Pocket 1 Boss 1 Face 3 Profile 1" {
		t.Errorf("low core: found %s, want Pocket 1 Boss 1 Face 3 Profile 1", got)
	}
	drafted := turned(v2(0, 0), v2(30, 0), v2(30, 20), v2(20.5, 20), v2(20, 14), v2(12, 14), v2(11.5, 20), v2(0, 20))
	if got := all(recognized(t, drafted)); got != "Pocket 1 Face 2 Profile 1" {
		t.Errorf("drafted walls: found %s, want Pocket 1 Face 2 Profile 1", got)
	}
	foot := build.Bulge(-math.Pi / 2)
	rounded := func(core float64) *brep.Model {
		return build.Revolve("rounded", geom.World, []build.Corner{{P: v2(0, 0)}, {P: v2(30, 0)}, {P: v2(30, 20)},
			{P: v2(20, 20)}, {P: v2(20, 15), Bulge: foot}, {P: v2(19, 14)}, {P: v2(13, 14), Bulge: foot}, {P: v2(12, 15)},
			{P: v2(12, core)}, {P: v2(0, core)}}, build.Style{})
	}
	if got := all(recognized(t, rounded(20))); got != "Pocket 1 Face 2 Profile 1" {
		t.Errorf("rounded feet: found %s, want Pocket 1 Face 2 Profile 1", got)
	}
	if got := all(recognized(t, rounded(17))); got != "Pocket 1 Boss 1 Face 3 Profile 1" {
		t.Errorf("rounded feet, low core: found %s, want Pocket 1 Boss 1 Face 3 Profile 1", got)
	}
	// of the core, in a groove that is too narrow for any mill or not
	bevelled := func(foot, core float64) *brep.Model {
		return turned(v2(0, 0), v2(30, 0), v2(30, 20), v2(20, 20), v2(20, 10), v2(foot+0.1, 10), v2(foot, 10.1),
			v2(foot, core), v2(0, core))
	}
	for _, foot := range []float64{12, 19.6} {
		if got := all(recognized(t, bevelled(foot, 20))); got != "Pocket 1 Face 2 Profile 1" {
			t.Errorf("bevelled foot at %g: found %s, want Pocket 1 Face 2 Profile 1", foot, got)
		}
	}
	if got := all(recognized(t, bevelled(12, 17))); got != "Pocket 1 Boss 1 Face 3 Profile 1" {
		t.Errorf("bevelled foot, low core: found %s, want Pocket 1 Boss 1 Face 3 Profile 1", got)
	}
	both := turned(v2(0, 0), v2(30, 0), v2(30, 20), v2(20, 20), v2(20, 15), v2(19, 14), v2(13, 14), v2(12, 15), v2(12, 20),
		v2(0, 20))
	if got := all(recognized(t, both)); got != "Pocket 1 Face 2 Profile 1" {
		t.Errorf("both feet bevelled: found %s, want Pocket 1 Face 2 Profile 1", got)
	}
	// No other plane than its floor faces the direction of the groove.
	inCone := turned(v2(0, 0), v2(30, 0), v2(30, 10), v2(20, 15), v2(20, 8), v2(12, 8), v2(12, 19), v2(0, 25))
	if got := all(recognized(t, inCone)); got != "Pocket 1 Face 1 Three 2 Profile 1" {
		t.Errorf("in a cone: found %s, want Pocket 1 Face 1 Three 2 Profile 1", got)
	}
}

// hexagonWithBoss is a hexagonal prism, 40 high, with a square boss on one of its sides and a square pocket in the
// top of the boss.
func hexagonWithBoss() *brep.Model {
	var points []geom.Vec3
	ring := func(z float64) []int {
		for i := range 6 {
			s, c := math.Sincos(float64(i) * math.Pi / 3)
			points = append(points, geom.Vec3{X: 30 * c, Y: 30 * s, Z: z})
		}
		n := len(points)
		return []int{n - 6, n - 5, n - 4, n - 3, n - 2, n - 1}
	}
	low, high := ring(0), ring(40)
	foot := len(points) // the boss on the side between corners 1 and 2, which faces +Y
	y := 30 * math.Sin(math.Pi/3)
	for _, h := range []float64{y, y + 6} {
		points = append(points, geom.Vec3{X: 5, Y: h, Z: 15}, geom.Vec3{X: 5, Y: h, Z: 25},
			geom.Vec3{X: -5, Y: h, Z: 25}, geom.Vec3{X: -5, Y: h, Z: 15})
	}
	side := func(i int) []int { return []int{low[i], low[(i+1)%6], high[(i+1)%6], high[i]} }
	faces := [][][]int{{{low[5], low[4], low[3], low[2], low[1], low[0]}}, {high}}
	for i := range 6 {
		loops := [][]int{side(i)}
		if i == 1 {
			loops = append(loops, []int{foot, foot + 1, foot + 2, foot + 3})
		}
		faces = append(faces, loops)
	}
	for i := range 4 {
		n := (i + 1) % 4
		faces = append(faces, [][]int{{foot + i, foot + 4 + i, foot + 4 + n, foot + n}})
	}
	pocket := len(points)
	for _, h := range []float64{y + 6, y + 4} {
		points = append(points, geom.Vec3{X: 3, Y: h, Z: 17}, geom.Vec3{X: 3, Y: h, Z: 23},
			geom.Vec3{X: -3, Y: h, Z: 23}, geom.Vec3{X: -3, Y: h, Z: 17})
	}
	for i := range 4 {
		n := (i + 1) % 4
		faces = append(faces, [][]int{{pocket + i, pocket + 4 + i, pocket + 4 + n, pocket + n}})
	}
	return build.Polyhedron("hexagon", points, append(faces,
		[][]int{{foot + 7, foot + 6, foot + 5, foot + 4}, {pocket, pocket + 1, pocket + 2, pocket + 3}},
		[][]int{{pocket + 7, pocket + 6, pocket + 5, pocket + 4}}))
}

// The top of a boss on the side of a part is not in the profile around it.
func TestTopOfABossOnTheSide(t *testing.T) {
	res := recognized(t, hexagonWithBoss())
	if got := all(res); got != "Pocket 1 Boss 1 Face 9 Profile 1" {
		t.Fatalf("found %s, want Pocket 1 Boss 1 Face 9 Profile 1\n%s", got, dump(res))
	}
	if p := featuretest.Only(res, feature.Profile)[0]; len(p.Regions) != 6 {
		t.Errorf("profile of regions %v, want the six sides", p.Regions)
	}
}

// A wall on a shoulder that is only a fillet and a rounding is a boss. The waist between two shoulders is not.
func TestRoundedShoulders(t *testing.T) {
	out, in := build.Bulge(math.Pi/2), -build.Bulge(math.Pi/2)
	stem := []build.Corner{{P: v2(0, 0)}, {P: v2(15, 0)}, {P: v2(15, 10), Bulge: out}, {P: v2(12.5, 12.5), Bulge: in},
		{P: v2(10, 15)}, {P: v2(9, 40)}, {P: v2(0, 40)}}
	waist := []build.Corner{{P: v2(0, 0)}, {P: v2(15, 0)}, {P: v2(15, 10), Bulge: out}, {P: v2(12.5, 12.5), Bulge: in},
		{P: v2(10, 15)}, {P: v2(10, 30), Bulge: in}, {P: v2(12.5, 32.5), Bulge: out}, {P: v2(15, 35)}, {P: v2(15, 45)},
		{P: v2(0, 45)}}
	for _, row := range []struct {
		name    string
		profile []build.Corner
		bosses  int
	}{{"stem", stem, 1}, {"waist", waist, 0}} {
		res := recognized(t, build.Revolve(row.name, geom.World, row.profile, build.Style{}))
		bosses := featuretest.Only(res, feature.Boss)
		if len(bosses) != row.bosses {
			t.Errorf("%s: %d bosses, want %d\n%s", row.name, len(bosses), row.bosses, dump(res))
		}
		for _, b := range bosses {
			if len(b.Regions) != 2 || b.Direction.Z != 1 {
				t.Errorf("%s: boss of regions %v along %v, want wall and fillet along z", row.name, b.Regions, b.Direction)
			}
		}
		checkCover(t, row.name, res)
	}
}

// channeled is a block 60 x 50 x 20 with a channel 20 wide and 10 deep across its top. Its floor slopes down to the
// sides on 5 mm, where its walls continue into the sides over roundings.
func channeled() *brep.Model {
	b := build.New("channelled")
	var points []geom.Vec3
	at := func(x, y, z float64) int {
		b.Vertex(geom.Vec3{X: x, Y: y, Z: z})
		points = append(points, geom.Vec3{X: x, Y: y, Z: z})
		return len(points) - 1
	}
	low := [4]int{at(0, 0, 0), at(60, 0, 0), at(60, 50, 0), at(0, 50, 0)}
	high := [4]int{at(0, 0, 20), at(60, 0, 20), at(60, 50, 20), at(0, 50, 20)}
	// The boundary of the channel: at the front from left to right, at the back from right to left.
	rim := func(inside, outside float64) (out [8]int) {
		for i, p := range []geom.Vec2{v2(15, 0), v2(45, 0), v2(40, 5), v2(40, 45), v2(45, 50), v2(15, 50), v2(20, 45),
			v2(20, 5)} {
			z := inside
			if i%4 < 2 {
				z = outside
			}
			out[i] = at(p.X, p.Y, z)
		}
		return out
	}
	foot, top := rim(10, 5), rim(20, 20)
	// of the arc from a point of a rim
	middle := map[int]geom.Vec2{1: v2(45, 5), 3: v2(45, 45), 5: v2(15, 45), 7: v2(15, 5)}
	edges := map[[2]int]brep.EdgeID{}
	arcs := [4]int{1, 3, 5, 7}
	for _, i := range arcs {
		m := middle[i]
		for _, ring := range [2][8]int{foot, top} {
			from, to := ring[i], ring[(i+1)%len(ring)]
			center := geom.Vec3{X: m.X, Y: m.Y, Z: max(points[from].Z, points[to].Z)}
			u, v := points[from].Sub(center), points[to].Sub(center)
			c := curve.Ellipse{Frame: geom.NewFrame(center, u.Cross(v), u), Major: u.Norm(), Minor: v.Norm()}
			edges[[2]int{from, to}] = b.Edge(c, 0, math.Pi/2, brep.VertexID(from), brep.VertexID(to))
		}
	}
	use := func(from, to int) build.EdgeUse {
		if e, ok := edges[[2]int{from, to}]; ok {
			return build.Fwd(e)
		}
		if e, ok := edges[[2]int{to, from}]; ok {
			return build.Rev(e)
		}
		e := b.Line(brep.VertexID(from), brep.VertexID(to))
		edges[[2]int{from, to}] = e
		return build.Fwd(e)
	}
	face := func(s surface.Surface, ring ...int) {
		var uses []build.EdgeUse
		for i, p := range ring {
			uses = append(uses, use(p, ring[(i+1)%len(ring)]))
		}
		b.Face(s, false, build.Chain(uses...))
	}
	plane := func(normal geom.Vec3, ring ...int) {
		face(surface.Plane{Frame: geom.NewFrame(points[ring[0]], normal, geom.Vec3{})}, ring...)
	}
	plane(geom.Vec3{Z: -1}, low[3], low[2], low[1], low[0])
	plane(geom.Vec3{X: -1}, low[0], high[0], high[3], low[3])
	plane(geom.Vec3{X: 1}, low[1], low[2], high[2], high[1])
	plane(geom.Vec3{Y: -1}, low[0], low[1], high[1], top[1], foot[1], foot[0], top[0], high[0])
	plane(geom.Vec3{Y: 1}, low[2], low[3], high[3], top[5], foot[5], foot[4], top[4], high[2])
	plane(geom.Vec3{Z: 1}, high[0], top[0], top[7], top[6], top[5], high[3])
	plane(geom.Vec3{Z: 1}, high[1], high[2], top[4], top[3], top[2], top[1])
	plane(geom.Vec3{Z: 1}, foot[2], foot[3], foot[6], foot[7])
	plane(geom.Vec3{Y: -1, Z: 1}, foot[0], foot[1], foot[2], foot[7])
	plane(geom.Vec3{Y: 1, Z: 1}, foot[4], foot[5], foot[6], foot[3])
	plane(geom.Vec3{X: -1}, foot[2], top[2], top[3], foot[3])
	plane(geom.Vec3{X: 1}, foot[6], top[6], top[7], foot[7])
	for _, i := range arcs {
		k, m := (i+1)%len(foot), middle[i]
		frame := geom.NewFrame(geom.Vec3{X: m.X, Y: m.Y}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
		face(surface.Cylinder{Frame: frame, Radius: 5}, foot[i], top[i], top[k], foot[k])
	}
	b.Solid()
	return b.Model()
}

func TestRoundMouthsOfAChannelAreNoCornersOfABlock(t *testing.T) {
	res := recognized(t, channeled())
	const of = 7 // a floor, two walls and four roundings
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || len(pockets[0].Regions) != of || len(featuretest.Only(res, feature.Profile)) > 0 {
		t.Errorf("want one channel of %d faces and no profile\n%s", of, dump(res))
	}
}

// The roundings of both edges of a plate belong to its outline, because both sides of it may lie on the table.
func TestRoundingsOfBothRimsAreOfTheOutline(t *testing.T) {
	quarter := build.Bulge(math.Pi / 2)
	res := recognized(t, build.Revolve("plate", geom.World, []build.Corner{{P: v2(0, 0)}, {P: v2(19.8, 0), Bulge: quarter},
		{P: v2(20, 0.2)}, {P: v2(20, 0.8), Bulge: quarter}, {P: v2(19.8, 1)}, {P: v2(0, 1)}}, build.Style{}))
	if got := all(res); got != "Face 2 Profile 1" {
		t.Errorf("found %s, want an outline and two faces\n%s", got, dump(res))
	}
}
