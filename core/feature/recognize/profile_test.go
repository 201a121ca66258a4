package recognize_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// arcs draws arcs about axes parallel to Z.
type arcs struct{ *build.Builder }

// arc adds an edge of a circle of radius r about c at height z, from angle lo to hi.
func (b arcs) arc(c geom.Vec2, z, r, lo, hi float64, start, end brep.VertexID) build.EdgeUse {
	frame := geom.NewFrame(geom.Vec3{X: c.X, Y: c.Y, Z: z}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	return build.Fwd(b.Edge(curve.Circle{Frame: frame, Radius: r}, lo, hi, start, end))
}

// wall adds a face around an axis through c between two chains of edges, counterclockwise.
func (b arcs) wall(c geom.Vec2, r float64, loop ...build.EdgeUse) {
	frame := geom.NewFrame(geom.Vec3{X: c.X, Y: c.Y}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	b.Face(surface.Cylinder{Frame: frame, Radius: r}, false, build.Chain(loop...))
}

// plane adds a plane through a point.
func (b arcs) plane(at, normal geom.Vec3, loop ...build.EdgeUse) brep.FaceID {
	return b.Face(surface.Plane{Frame: geom.NewFrame(at, normal, geom.Vec3{})}, false, build.Chain(loop...))
}

func back(u build.EdgeUse) build.EdgeUse { return build.EdgeUse{Edge: u.Edge, Reversed: !u.Reversed} }

// keyed is a shaft of 20 x 30 with a key 5 wide and 1 high that ends flush with its lower end.
func keyed(long float64) *brep.Model {
	const r, half = 10.0, 2.5
	b := arcs{build.New("keyed")}
	a := math.Asin(half / r)
	x, o := r*math.Cos(a), geom.Vec2{}
	at := func(x, y, z float64) brep.VertexID { return b.Vertex(geom.Vec3{X: x, Y: y, Z: z}) }
	var right, left, outRight, outLeft [2]brep.VertexID // at the lower end and the end of the key
	for i, z := range []float64{0, long} {
		right[i], left[i] = at(x, -half, z), at(x, half, z)
		outRight[i], outLeft[i] = at(r+1, -half, z), at(r+1, half, z)
	}
	topRight, topLeft := at(x, -half, 30), at(x, half, 30)
	line := func(v, w brep.VertexID) build.EdgeUse { return build.Fwd(b.Line(v, w)) }
	round := b.arc(o, 0, r, a, 2*math.Pi-a, left[0], right[0])
	roundTop := b.arc(o, 30, r, a, 2*math.Pi-a, topLeft, topRight)
	end := b.arc(o, long, r, -a, a, right[1], left[1])
	endTop := b.arc(o, 30, r, -a, a, topRight, topLeft)
	riseRight, riseLeft := line(right[1], topRight), line(left[1], topLeft)
	upRight, upLeft := line(right[0], right[1]), line(left[0], left[1])
	var foot, head [3]build.EdgeUse // of the sides of the key, the right one first
	for i, e := range []*[3]build.EdgeUse{&foot, &head} {
		e[0], e[1], e[2] = line(right[i], outRight[i]), line(outRight[i], outLeft[i]), line(outLeft[i], left[i])
	}
	outUpRight, outUpLeft := line(outRight[0], outRight[1]), line(outLeft[0], outLeft[1])

	b.wall(o, r, round, upRight, riseRight, back(roundTop), back(riseLeft), back(upLeft))
	b.wall(o, r, end, riseLeft, back(endTop), back(riseRight))
	b.plane(geom.Vec3{Y: -half}, geom.Vec3{Y: -1}, foot[0], outUpRight, back(head[0]), back(upRight))
	b.plane(geom.Vec3{X: r + 1}, geom.Vec3{X: 1}, foot[1], outUpLeft, back(head[1]), back(outUpRight))
	b.plane(geom.Vec3{Y: half}, geom.Vec3{Y: 1}, foot[2], upLeft, back(head[2]), back(outUpLeft))
	b.plane(geom.Vec3{Z: long}, geom.Vec3{Z: 1}, head[0], head[1], head[2], back(end))
	b.plane(geom.Vec3{Z: 30}, geom.Vec3{Z: 1}, roundTop, endTop)
	b.plane(geom.Vec3{}, geom.Vec3{Z: -1}, back(foot[2]), back(foot[1]), back(foot[0]), back(round))
	b.Solid()
	return b.Model()
}

// A key at the end of a shaft is a boss on it. The tab of a flange is in its outline.
func TestKeyFlushWithTheEndOfAShaft(t *testing.T) {
	for long, want := range map[float64]string{15: "[3] [2]", 3: "[] [5]"} {
		res := recognized(t, keyed(long))
		walls, sides := []int{}, []int{}
		for _, f := range featuretest.Only(res, feature.Boss) {
			walls = append(walls, len(f.Regions))
		}
		for _, f := range featuretest.Only(res, feature.Profile) {
			sides = append(sides, len(f.Regions))
		}
		if got := fmt.Sprint(walls, sides); got != want {
			t.Errorf("key %v long: bosses and profiles of %s faces, want %s\n%s", long, got, want, dump(res))
		}
	}
}

// linked are two hubs of 30 and one of 50 in the corner between, 20 high, and webs 24 wide and 10 high to it, which
// turn by 60°.
func linked() *brep.Model {
	const half, far, top, high = 12.0, 60.0, 10.0, 20.0
	b := arcs{build.New("linked")}
	c, e := math.Sqrt(25*25-half*half), math.Sqrt(15*15-half*half)
	out, across := v2(0.5, -math.Sqrt(0.75)), v2(math.Sqrt(0.75), 0.5)
	on := func(far, aside float64) geom.Vec2 { return out.Scale(far).Add(across.Scale(aside)) }
	centers := []geom.Vec2{on(far, 0), {}, v2(-far, 0), {}} // of the even pieces of the outline
	radii := []float64{15, 25, 15, 25}
	points := []geom.Vec2{on(far-e, -half), on(far-e, half), on(c, half), v2(-c, half),
		v2(e-far, half), v2(e-far, -half), v2(-c, -half), on(c, -half)}
	n := len(points)
	var v [3][]brep.VertexID
	for k, z := range []float64{0, top, high} {
		for _, p := range points {
			v[k] = append(v[k], b.Vertex(geom.Vec3{X: p.X, Y: p.Y, Z: z}))
		}
	}
	var up [2][]build.EdgeUse
	for k := range up {
		for i := range points {
			up[k] = append(up[k], build.Fwd(b.Line(v[k][i], v[k+1][i])))
		}
	}
	arc := func(i, j, k, at int) build.EdgeUse { // from point i to point j, counter-clockwise
		c := centers[at]
		lo, hi := math.Atan2(points[i].Y-c.Y, points[i].X-c.X), math.Atan2(points[j].Y-c.Y, points[j].X-c.X)
		if hi < lo {
			hi += 2 * math.Pi
		}
		return b.arc(c, []float64{0, top, high}[k], radii[at], lo, hi, v[k][i], v[k][j])
	}
	plane := func(i, k int) build.EdgeUse { return build.Fwd(b.Line(v[k][i], v[k][(i+1)%n])) }

	var foot, upper []build.EdgeUse // the lower outline, and its part that bounds webs and tops
	for i := range points {
		j := (i + 1) % n
		if i%2 == 0 {
			foot, upper = append(foot, arc(i, j, 0, i/2)), append(upper, arc(i, j, 2, i/2))
			b.wall(centers[i/2], radii[i/2], foot[i], up[0][j], up[1][j], back(upper[i]), back(up[1][i]), back(up[0][i]))
			continue
		}
		foot, upper = append(foot, plane(i, 0)), append(upper, plane(i, 1))
		along := points[j].Sub(points[i])
		b.plane(geom.Vec3{X: points[i].X, Y: points[i].Y}, geom.Vec3{X: along.Y, Y: -along.X}.Unit(),
			foot[i], up[0][j], back(upper[i]), back(up[0][i]))
	}
	inner := func(i, j, at int) (low, tip build.EdgeUse) {
		low, tip = arc(i, j, 1, at), arc(i, j, 2, at)
		b.wall(centers[at], radii[at], low, up[1][j], back(tip), back(up[1][i]))
		return low, tip
	}
	lowC, tipC := inner(1, 0, 0)
	lowA, tipA := inner(5, 4, 2)
	low1, tip1 := inner(3, 6, 1)
	low2, tip2 := inner(7, 2, 1)
	web, tip, z := geom.Vec3{Z: top}, geom.Vec3{Z: high}, geom.Vec3{Z: 1}
	b.plane(web, z, upper[3], back(lowA), upper[5], back(low1))
	b.plane(web, z, upper[1], back(low2), upper[7], back(lowC))
	b.plane(tip, z, upper[0], tipC)
	b.plane(tip, z, upper[4], tipA)
	b.plane(tip, z, upper[2], tip1, upper[6], tip2)
	for i := range foot {
		foot[i] = back(foot[i])
	}
	slices.Reverse(foot)
	b.plane(geom.Vec3{}, geom.Vec3{Z: -1}, foot...)
	b.Solid()
	return b.Model()
}

// Webs between hubs are not a profile without the hubs.
func TestWebsBetweenHubs(t *testing.T) {
	res := recognized(t, linked())
	profiles := featuretest.Only(res, feature.Profile)
	if n := len(featuretest.Only(res, feature.Boss)); n > 0 || len(profiles) != 1 || len(profiles[0].Regions) != 12 {
		t.Errorf("%d bosses and %d profiles, want one outline of the four planes and all walls of the hubs\n%s", n,
			len(profiles), dump(res))
	}
}

// slab is a block of 40 x 30 x high with two rounded edges along its height and a block on the opposite side.
func slab(high float64, withBoss bool) *brep.Model {
	const wide, deep, r = 40.0, 30.0, 3.0
	b := arcs{build.New("slab")}
	points := []geom.Vec2{v2(wide, 0), v2(wide, deep), v2(r, deep), v2(0, deep-r), v2(0, r), v2(r, 0)}
	n := len(points)
	var low, top []brep.VertexID
	for _, p := range points {
		low, top = append(low, b.Vertex(geom.Vec3{X: p.X, Y: p.Y})), append(top, b.Vertex(geom.Vec3{X: p.X, Y: p.Y, Z: high}))
	}
	line := func(v, w brep.VertexID) build.EdgeUse { return build.Fwd(b.Line(v, w)) }
	var up, foot, head []build.EdgeUse
	for i := range points {
		up = append(up, line(low[i], top[i]))
	}
	var side brep.FaceID
	for i, p := range points {
		j := (i + 1) % n
		if i == 2 || i == 4 {
			c, from := v2(r, deep-r), math.Pi/2
			if i == 4 {
				c, from = v2(r, r), math.Pi
			}
			foot = append(foot, b.arc(c, 0, r, from, from+math.Pi/2, low[i], low[j]))
			head = append(head, b.arc(c, high, r, from, from+math.Pi/2, top[i], top[j]))
			b.wall(c, r, foot[i], up[j], back(head[i]), back(up[i]))
			continue
		}
		along := points[j].Sub(p)
		foot, head = append(foot, line(low[i], low[j])), append(head, line(top[i], top[j]))
		f := b.plane(geom.Vec3{X: p.X, Y: p.Y}, geom.Vec3{X: along.Y, Y: -along.X}.Unit(),
			foot[i], up[j], back(head[i]), back(up[i]))
		if i == 0 {
			side = f
		}
	}
	b.plane(geom.Vec3{Z: high}, geom.Vec3{Z: 1}, head...)
	for i := range foot {
		foot[i] = back(foot[i])
	}
	slices.Reverse(foot)
	b.plane(geom.Vec3{}, geom.Vec3{Z: -1}, foot...)
	if withBoss {
		var root, tip []brep.VertexID
		corners := []geom.Vec2{v2(10, high/2-5), v2(20, high/2-5), v2(20, high/2+5), v2(10, high/2+5)} // Y and Z
		for _, p := range corners {
			root = append(root, b.Vertex(geom.Vec3{X: wide, Y: p.X, Z: p.Y}))
			tip = append(tip, b.Vertex(geom.Vec3{X: wide + 8, Y: p.X, Z: p.Y}))
		}
		var rim, end, out []build.EdgeUse
		for i := range corners {
			j := (i + 1) % 4
			rim, end, out = append(rim, line(root[i], root[j])), append(end, line(tip[i], tip[j])),
				append(out, line(root[i], tip[i]))
		}
		for i, p := range corners {
			j := (i + 1) % 4
			along := corners[j].Sub(p)
			b.plane(geom.Vec3{X: wide, Y: p.X, Z: p.Y}, geom.Vec3{Y: along.Y, Z: -along.X}.Unit(), rim[i], out[j], back(end[i]),
				back(out[i]))
		}
		b.plane(geom.Vec3{X: wide + 8}, geom.Vec3{X: 1}, end...)
		b.AddLoop(side, build.Chain(back(rim[3]), back(rim[2]), back(rim[1]), back(rim[0])))
	}
	b.Solid()
	return b.Model()
}

// A mill cannot pass a boss on the side of a block, unless the block is low.
func TestOutlineOfABlockWithABoss(t *testing.T) {
	for _, row := range []struct {
		high     float64
		withBoss bool
		want     int
	}{{60, true, 0}, {60, false, 1}, {20, true, 1}} {
		res := recognized(t, slab(row.high, row.withBoss))
		if n := len(featuretest.Only(res, feature.Profile)); n != row.want {
			t.Errorf("%v high, boss %v: %d profiles, want %d\n%s", row.high, row.withBoss, n, row.want, dump(res))
		}
	}
}

// Sides on one half do not close, though a lip above the notch on the other half leans by no more than walls do.
func TestSidesOnOneHalf(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	lip := 40 - 10*math.Tan(geom.Radians(15))
	res := recognized(t, build.Polyhedron("lipped", []geom.Vec3{
		p(40, 0, 0), p(20, 25, 0), p(40, 50, 0), p(30, 50, 0), p(0, 35, 0), p(0, 15, 0), p(30, 0, 0), // 0
		p(40, 0, 50), p(20, 25, 50), p(40, 50, 50), // 7
		p(lip, 0, 60), p(lip, 50, 60), p(30, 50, 60), p(0, 35, 60), p(0, 15, 60), p(30, 0, 60), // 10
	}, [][][]int{
		{{6, 5, 4, 3, 2, 1, 0}}, {{10, 11, 12, 13, 14, 15}}, {{0, 1, 8, 7}}, {{1, 2, 9, 8}}, {{7, 8, 9}}, {{7, 9, 11, 10}},
		{{6, 0, 7, 10, 15}}, {{2, 3, 12, 11, 9}}, {{3, 4, 13, 12}}, {{4, 5, 14, 13}}, {{5, 6, 15, 14}},
	}))
	if n := len(featuretest.Only(res, feature.Profile)); n > 0 {
		t.Errorf("%d profiles, want none\n%s", n, dump(res))
	}
}

// cheeked is a collar of 30 on a neck of 16 on a hub of 22 on a web, whose coaxial round side of 60 extends over an
// angle.
func cheeked(angle float64) *brep.Model {
	b := arcs{build.New("cheeked")}
	o, z := geom.Vec2{}, geom.Vec3{Z: 1}
	ring := func(at, r float64) (e [2]build.EdgeUse, ends [2]brep.VertexID) {
		for i, x := range []float64{r, -r} {
			ends[i] = b.Vertex(geom.Vec3{X: x, Z: at})
		}
		return [2]build.EdgeUse{b.arc(o, at, r, 0, math.Pi, ends[0], ends[1]), b.arc(o, at, r, math.Pi, 2*math.Pi, ends[1],
			ends[0])}, ends
	}
	tube := func(low, high, r float64) (foot, head [2]build.EdgeUse) {
		foot, from := ring(low, r)
		head, to := ring(high, r)
		up := [2]build.EdgeUse{build.Fwd(b.Line(from[0], to[0])), build.Fwd(b.Line(from[1], to[1]))}
		b.wall(o, r, foot[0], up[1], back(head[0]), back(up[0]))
		b.wall(o, r, foot[1], up[0], back(head[1]), back(up[1]))
		return foot, head
	}
	root, hub := tube(10, 14, 11)
	low, neck := tube(14, 20, 8)
	under, top := tube(20, 26, 15)
	b.plane(geom.Vec3{Z: 26}, z, top[0], top[1])
	shoulder := b.plane(geom.Vec3{Z: 20}, geom.Vec3{Z: -1}, back(under[1]), back(under[0]))
	b.AddLoop(shoulder, build.Chain(neck[0], neck[1]))

	step := b.plane(geom.Vec3{Z: 14}, z, hub[0], hub[1])
	b.AddLoop(step, build.Chain(back(low[1]), back(low[0])))

	end := geom.Vec2{X: 30 * math.Cos(angle/2), Y: 30 * math.Sin(angle/2)}
	points := []geom.Vec2{{X: end.X, Y: -end.Y}, end, v2(-25, 5), v2(-25, -5)}
	var v [2][4]brep.VertexID
	var up, foot, head []build.EdgeUse
	for i, p := range points {
		v[0][i], v[1][i] = b.Vertex(geom.Vec3{X: p.X, Y: p.Y}), b.Vertex(geom.Vec3{X: p.X, Y: p.Y, Z: 10})
		up = append(up, build.Fwd(b.Line(v[0][i], v[1][i])))
	}
	for i, p := range points {
		j := (i + 1) % 4
		if i == 0 {
			foot = append(foot, b.arc(o, 0, 30, -angle/2, angle/2, v[0][0], v[0][1]))
			head = append(head, b.arc(o, 10, 30, -angle/2, angle/2, v[1][0], v[1][1]))
			b.wall(o, 30, foot[0], up[1], back(head[0]), back(up[0]))
			continue
		}
		along := points[j].Sub(p)
		foot, head = append(foot, build.Fwd(b.Line(v[0][i], v[0][j]))), append(head, build.Fwd(b.Line(v[1][i], v[1][j])))
		b.plane(geom.Vec3{X: p.X, Y: p.Y}, geom.Vec3{X: along.Y, Y: -along.X}.Unit(), foot[i], up[j], back(head[i]),
			back(up[i]))
	}
	web := b.plane(geom.Vec3{Z: 10}, z, head...)
	b.AddLoop(web, build.Chain(back(root[1]), back(root[0])))
	b.plane(geom.Vec3{}, geom.Vec3{Z: -1}, back(foot[3]), back(foot[2]), back(foot[1]), back(foot[0]))
	b.Solid()
	return b.Model()
}

// A collar beyond a neck is a stage of a wider coaxial body that closes around the axis. A web does not close.
func TestCollarBeyondACheek(t *testing.T) {
	for angle, want := range map[float64]int{120: 2, 240: 1} {
		res := recognized(t, cheeked(geom.Radians(angle)))
		if n := len(featuretest.Only(res, feature.Profile)); n != want {
			t.Errorf("cheek round for %v°: %d profiles, want %v\n%s", angle, n, want, dump(res))
		}
	}
}
