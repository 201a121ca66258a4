package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A square pin on the base of a body, flush with two of its sides that continue down to the floor between the feet, is
// an island, and that floor has no walls left.
func TestPinFlushWithTwoSidesOfItsFoot(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	blocks := []build.Block{build.Add(p(0, 0, 0), p(70, 70, 20))}
	for _, x := range []float64{0, 55} {
		for _, y := range []float64{0, 55} {
			inner := p(x+5-x/11, y+5-y/11, 20) // 5 or 55: flush with the sides at 15 and 55
			blocks = append(blocks, build.Add(p(x, y, 20), p(x+15, y+15, 25)),
				build.Add(inner.Add(p(0, 0, 5)), inner.Add(p(10, 10, 30))))
		}
	}
	res := recognized(t, build.Blocks("feet", blocks...))
	bosses, pockets := featuretest.Only(res, feature.Boss), featuretest.Only(res, feature.Pocket)
	if len(bosses) != 4 || len(pockets) != 0 {
		t.Fatalf("%d bosses and %d pockets, want the 4 pins alone\n%s", len(bosses), len(pockets), dump(res))
	}
	for _, b := range bosses {
		if math.Abs(b.Direction.Z-1) > 1e-9 {
			t.Errorf("a pin is made from %v, want +z\n%s", b.Direction, dump(res))
		}
	}
}

// A pocket that takes a corner of a boss and continues down next to it keeps its walls, because they turn inward.
func TestPocketBesideABossHasItsWalls(t *testing.T) {
	m := build.Blocks("notched boss", build.Add(geom.Vec3{}, geom.Vec3{X: 60, Y: 60, Z: 20}),
		build.Add(geom.Vec3{X: 20, Y: 20, Z: 20}, geom.Vec3{X: 40, Y: 40, Z: 35}),
		build.Subtract(geom.Vec3{X: -1, Y: 30, Z: 12}, geom.Vec3{X: 25, Y: 50, Z: 40}))
	res := recognized(t, m)
	bosses, pockets := featuretest.Only(res, feature.Boss), featuretest.Only(res, feature.Pocket)
	// cells of the grid
	if len(bosses) != 1 || len(bosses[0].Regions) != 6 || len(pockets) != 1 || len(pockets[0].Regions) != 12 {
		t.Errorf("want a boss of four walls, and a pocket of a floor and three\n%s", dump(res))
	}
}

// Steps in corners are not an island, though their walls face all sides.
func TestStepsInCornersAreNoBoss(t *testing.T) {
	blocks := []build.Block{build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 14})}
	for _, at := range []geom.Vec3{{X: -1, Y: -1, Z: 7}, {X: 80, Y: 40, Z: 7}} {
		blocks = append(blocks, build.Subtract(at, at.Add(geom.Vec3{X: 21, Y: 21, Z: 10})))
	}
	res := recognized(t, build.Blocks("steps", blocks...))
	if n := len(featuretest.Only(res, feature.Boss)); n > 0 {
		t.Errorf("%d bosses, want none\n%s", n, dump(res))
	}
	if n := len(featuretest.Only(res, feature.Pocket)); n != 2 {
		t.Errorf("%d pockets, want the two steps\n%s", n, dump(res))
	}
}

// Steps on opposite sides, each with a bay, are not an island, though their walls face all sides.
func TestStepsWithBaysAreNoBoss(t *testing.T) {
	away := func(x0, y0, x1, y1 float64) build.Block {
		return build.Subtract(geom.Vec3{X: x0, Y: y0, Z: 8}, geom.Vec3{X: x1, Y: y1, Z: 30})
	}
	res := recognized(t, build.Blocks("steps", build.Add(geom.Vec3{}, geom.Vec3{X: 100, Y: 60, Z: 20}),
		away(-1, -1, 101, 10), away(40, 5, 60, 22), away(-1, 50, 101, 61), away(40, 38, 60, 55)))
	if n := len(featuretest.Only(res, feature.Boss)); n > 0 {
		t.Errorf("%d bosses, want none\n%s", n, dump(res))
	}
	if n := len(featuretest.Only(res, feature.Pocket)); n != 2 {
		t.Errorf("%d pockets, want the two steps\n%s", n, dump(res))
	}
}

// Cuts through an island leave a single wall of it on its floor, which is not a step in the floor.
func TestWallsLeftAloneAreOfTheirIsland(t *testing.T) {
	plate, island := build.Add(at(0, 0, 0), at(60, 60, 10)), build.Add(at(10, 10, 10), at(50, 50, 40))
	for _, row := range []struct {
		name, want string
		cuts       []build.Block
	}{
		{"between a slot and a notch at its side", "Pocket 2 Boss 2 Face 10",
			[]build.Block{build.Subtract(at(36, 0, 4), at(44, 60, 40)), build.Subtract(at(50, 0, 4), at(60, 20, 40))}},
		{"between a slot and a notch in its corner", "Pocket 1 Boss 2 Face 9",
			[]build.Block{build.Subtract(at(32, 0, 4), at(44, 60, 40)), build.Subtract(at(44, 14, 4), at(60, 60, 40)),
				build.Subtract(at(48, 0, 4), at(60, 16, 40))}},
		{"below a step, across a gate from the others", "Pocket 2 Boss 1 Face 7",
			[]build.Block{build.Subtract(at(10, 10, 20), at(50, 14, 40)), build.Subtract(at(0, 28, 0), at(60, 32, 14))}},
	} {
		res := recognized(t, build.Blocks("island", append([]build.Block{plate, island}, row.cuts...)...))
		if got := all(res); got != row.want {
			t.Errorf("%s: found %s, want %s\n%s", row.name, got, row.want, dump(res))
		}
	}
}

// tongue is a block 60 x 60 x 20 with a tongue on one side, flush with the top, whose flanks lean in toward the side.
func tongue() *brep.Model {
	return build.Polyhedron("tongue", []geom.Vec3{
		// 0
		at(0, 0, 0), at(60, 0, 0), at(60, 60, 0), at(0, 60, 0), at(0, 0, 20), at(60, 0, 20), at(60, 29, 20), at(61, 28, 20),
		// 8
		at(61, 32, 20), at(60, 31, 20), at(60, 60, 20), at(0, 60, 20), at(60, 29, 12), at(61, 28, 12), at(61, 32, 12),
		at(60, 31, 12),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{1, 2, 10, 9, 15, 12, 6, 5}}, {{2, 3, 11, 10}}, {{3, 0, 4, 11}},
		{{4, 5, 6, 7, 8, 9, 10, 11}}, {{12, 15, 14, 13}}, {{6, 12, 13, 7}}, {{9, 8, 14, 15}}, {{7, 13, 14, 8}},
	})
}

// The side of a small protrusion at the edge of a plane is not the floor of a step with the whole plane as wall.
func TestLipIsNoFloor(t *testing.T) {
	for _, m := range []*brep.Model{tongue(),
		build.Blocks("plate below a base", build.Add(at(0, 0, 0), at(60, 40, 8)), build.Add(at(20, 40, -0.03),
			at(35, 44, 25)))} {
		res := recognized(t, m)
		if slices.ContainsFunc(featuretest.Only(res, feature.Pocket),
			func(f feature.Feature) bool { return f.Direction.Z < -0.5 }) {
			t.Errorf("%s: a pocket from below, want none\n%s", m.Name, dump(res))
		}
		if n := len(featuretest.Only(res, feature.Face)); n < 6 {
			t.Errorf("%s: %d faces, want all sides of the block\n%s", m.Name, n, dump(res))
		}
	}
}

// The end of a trough stays a face, though it is coplanar with the floor of a recess in the protrusion below the
// trough.
func TestFaceWithALipIsNoPieceOfAFloor(t *testing.T) {
	res := recognized(t, build.Polyhedron("trough", []geom.Vec3{
		// 0
		at(0, 0, 0), at(0, 60, 0), at(0, 60, 60), at(0, 35, 60), at(0, 35, 10), at(0, 25, 10), at(0, 25, 60), at(0, 0, 60),
		// 8
		at(60, 0, 0), at(60, 60, 0), at(60, 60, 60), at(60, 35, 60), at(60, 35, 10), at(60, 25, 10), at(60, 25, 60),
		at(60, 0, 60),
		at(60, 20, 0), at(60, 20, 10), at(60, 40, 10), at(60, 40, 0), at(60, 25, 2), at(60, 35, 2), // 16
		// 22
		at(61, 19, 0), at(61, 19, 10), at(61, 25, 10), at(61, 25, 2), at(61, 35, 2), at(61, 35, 10), at(61, 41, 10),
		at(61, 41, 0),
	}, [][][]int{
		{{0, 7, 6, 5, 4, 3, 2, 1}}, {{0, 1, 9, 19, 29, 22, 16, 8}}, {{0, 8, 15, 7}}, {{1, 2, 10, 9}}, {{7, 15, 14, 6}},
		{{3, 11, 10, 2}},
		// 9 and 10: the end
		{{6, 14, 13, 5}}, {{3, 4, 12, 11}}, {{5, 13, 12, 4}}, {{8, 16, 17, 13, 14, 15}}, {{19, 9, 10, 11, 12, 18}},
		{{20, 21, 12, 13}}, {{20, 25, 26, 21}}, {{13, 24, 25, 20}}, {{21, 26, 27, 12}}, {{17, 23, 24, 13}},
		{{12, 27, 28, 18}},
		{{22, 29, 28, 27, 26, 25, 24, 23}}, {{16, 22, 23, 17}}, {{19, 18, 28, 29}},
	}))
	if !slices.ContainsFunc(featuretest.Only(res, feature.Face), func(f feature.Feature) bool {
		return slices.Equal(f.Regions, []int{9, 10})
	}) {
		t.Errorf("want a face of both pieces of the end\n%s", dump(res))
	}
}

// A floor half hidden by a bridge has the walls of its slot, not the shelf beyond it.
func TestBridgedFloorHasItsWalls(t *testing.T) {
	res := recognized(t, build.Blocks("bridge over a slot", build.Add(at(0, 0, 0), at(100, 60, 30)),
		build.Subtract(at(-1, 20, 5), at(60, 40, 30)), build.Subtract(at(60, 20, 15), at(80, 40, 30)),
		build.Add(at(20, 20, 10), at(45, 40, 13))))
	if !slices.ContainsFunc(featuretest.Only(res, feature.Pocket), func(f feature.Feature) bool {
		return f.Direction.Z > 0.9 && math.Abs(f.Pocket.Depth-25) < 1e-6
	}) {
		t.Errorf("want a slot 25 mm deep\n%s", dump(res))
	}
}
