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

// hollowed is a block of 40 x 40 x 20 without the hexahedron between x of 10 and 30 over three sides. The line runs
// from its top down to a narrow face and up again, or out at the side y of 40. isTurned reverses the order of its
// faces.
func hollowed(line [4]geom.Vec2, isTurned bool) *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	points := []geom.Vec3{p(0, 0, 0), p(40, 0, 0), p(40, 40, 0), p(0, 40, 0), p(0, 0, 20), p(40, 0, 20), p(40, 40, 20),
		p(0, 40, 20)}
	for _, x := range []float64{10, 30} {
		for _, q := range line {
			points = append(points, p(x, q.X, q.Y))
		}
	}
	faces := [][][]int{
		{{0, 3, 2, 1}}, {{0, 1, 5, 4}}, {{0, 4, 7, 3}}, {{1, 2, 6, 5}},
		{{9, 8, 12, 13}}, {{9, 13, 14, 10}}, {{10, 14, 15, 11}},
	}
	if line[3].Y == 20 {
		faces = append(faces, [][]int{{4, 5, 6, 7}, {8, 11, 15, 12}}, [][]int{{3, 7, 6, 2}},
			[][]int{{11, 8, 9, 10}}, [][]int{{12, 15, 14, 13}})
	} else {
		points = append(points, p(10, 40, 20), p(30, 40, 20))
		faces = append(faces, [][]int{{4, 5, 6, 17, 12, 8, 16, 7}}, [][]int{{3, 7, 16, 11, 15, 17, 6, 2}},
			[][]int{{16, 8, 9, 10, 11}}, [][]int{{17, 15, 14, 13, 12}})
	}
	if isTurned {
		slices.Reverse(faces)
	}
	return build.Polyhedron("hollowed", points, faces)
}

// The bevel in the inner corner of a step is not a floor for an oblique mill, but the narrow bottom of a groove with
// slanting sides is one. The choice between two sides as floor does not depend on the order of the faces.
func TestBevelInAnInnerCornerIsNoFloor(t *testing.T) {
	for name, line := range map[string][4]geom.Vec2{ // y and z
		"step":              {{X: 8, Y: 20}, {X: 8, Y: 9}, {X: 9, Y: 8}, {X: 40, Y: 8}},
		"step, equal sides": {{X: 28, Y: 20}, {X: 28, Y: 9}, {X: 29, Y: 8}, {X: 40, Y: 8}},
		"groove":            {{X: 8, Y: 20}, {X: 19, Y: 9}, {X: 21, Y: 9}, {X: 32, Y: 20}},
	} {
		for _, isTurned := range []bool{false, true} {
			res := recognized(t, hollowed(line, isTurned))
			pockets := featuretest.Only(res, feature.Pocket)
			if len(pockets) != 1 || len(pockets[0].Regions) != 5 || pockets[0].Direction.Dist(geom.Vec3{Z: 1}) > 1e-9 {
				t.Errorf("%s, faces turned round %v: want one pocket of 5 faces from above\n%s", name, isTurned, dump(res))
			}
		}
	}
}

// A step is open at its far side and its ends, even if walls surround most of the long bevel in its inner corner.
func TestStepWithALongBevelIsOpen(t *testing.T) {
	profile := build.Polygon(geom.Vec2{}, geom.Vec2{X: 40}, geom.Vec2{X: 40, Y: 8}, geom.Vec2{X: 9, Y: 8},
		geom.Vec2{X: 8, Y: 9}, geom.Vec2{X: 8, Y: 20}, geom.Vec2{Y: 20})
	for _, length := range []float64{60, 400} {
		res := recognized(t, build.Prism("step", profile, length, build.Style{}))
		pockets := featuretest.Only(res, feature.Pocket)
		if len(pockets) != 1 || !pockets[0].Pocket.Open || math.Abs(pockets[0].Pocket.Depth-12) > 1e-9 {
			t.Errorf("length %g: want one open pocket, 12 mm deep\n%s", length, dump(res))
		}
	}
}
