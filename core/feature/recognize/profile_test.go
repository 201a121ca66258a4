package recognize_test

import (
	"fmt"
	"math"
	"testing"

	"millwright/core/brep"
	"millwright/core/brep/build"
	"millwright/core/feature"
	"millwright/core/feature/featuretest"
	"millwright/core/geom"
	"millwright/core/geom/curve"
	"millwright/core/geom/surface"
)

// arcs draws arcs about axes parallel to Z.
type arcs struct{ *build.Builder }

// arc adds an edge of a circle of radius r about c at height z, from angle lo to hi.
func (b arcs) arc(c geom.Vec2, z, r, lo, hi float64, start, end brep.VertexID) build.Use {
	frame := geom.NewFrame(geom.Vec3{X: c.X, Y: c.Y, Z: z}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	return build.Fwd(b.Edge(curve.Circle{Frame: frame, Radius: r}, lo, hi, start, end))
}

// wall adds a face round an axis through c between two chains of edges that run counter-clockwise.
func (b arcs) wall(c geom.Vec2, r float64, loop ...build.Use) {
	frame := geom.NewFrame(geom.Vec3{X: c.X, Y: c.Y}, geom.Vec3{Z: 1}, geom.Vec3{X: 1})
	b.Face(surface.Cylinder{Frame: frame, Radius: r}, false, build.Chain(loop...))
}

// plane adds a plane through a point.
func (b arcs) plane(at, normal geom.Vec3, loop ...build.Use) brep.FaceID {
	return b.Face(surface.Plane{Frame: geom.NewFrame(at, normal, geom.Vec3{})}, false, build.Chain(loop...))
}

func back(u build.Use) build.Use { return build.Use{Edge: u.Edge, Reversed: !u.Reversed} }

// keyed is a shaft of 20 x 30 with a key 5 wide and 1 high on it that ends flush with its foot.
func keyed(long float64) *brep.Model {
	const r, half = 10.0, 2.5
	b := arcs{build.New("keyed")}
	a := math.Asin(half / r)
	x, o := r*math.Cos(a), geom.Vec2{}
	at := func(x, y, z float64) brep.VertexID { return b.Vertex(geom.Vec3{X: x, Y: y, Z: z}) }
	var right, left, outRight, outLeft [2]brep.VertexID // at the foot and the end of the key
	for i, z := range []float64{0, long} {
		right[i], left[i] = at(x, -half, z), at(x, half, z)
		outRight[i], outLeft[i] = at(r+1, -half, z), at(r+1, half, z)
	}
	topRight, topLeft := at(x, -half, 30), at(x, half, 30)
	line := func(v, w brep.VertexID) build.Use { return build.Fwd(b.Line(v, w)) }
	round := b.arc(o, 0, r, a, 2*math.Pi-a, left[0], right[0])
	roundTop := b.arc(o, 30, r, a, 2*math.Pi-a, topLeft, topRight)
	end := b.arc(o, long, r, -a, a, right[1], left[1])
	endTop := b.arc(o, 30, r, -a, a, topRight, topLeft)
	riseRight, riseLeft := line(right[1], topRight), line(left[1], topLeft)
	upRight, upLeft := line(right[0], right[1]), line(left[0], left[1])
	var foot, head [3]build.Use // of the sides of the key, the right one first
	for i, e := range []*[3]build.Use{&foot, &head} {
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

// A key at the end of a shaft stands on it, and the ear of a flange is of its outline.
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
