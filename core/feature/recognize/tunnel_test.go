package recognize_test

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A passage that narrows and leans so far that no direction sees half of each of its walls is a through pocket.
func TestSlantingPassage(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	m := build.Polyhedron("slanting", []geom.Vec3{
		// 0
		p(0, 0, 0), p(100, 0, 0), p(100, 60, 0), p(0, 60, 0), p(0, 0, 20), p(100, 0, 20), p(100, 60, 20), p(0, 60, 20),
		// 8
		p(20, 20, 20), p(60, 20, 20), p(60, 40, 20), p(20, 40, 20), p(70, 26, 0), p(84, 26, 0), p(84, 34, 0), p(70, 34, 0),
	}, [][][]int{
		{{3, 2, 1, 0}, {12, 13, 14, 15}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
		{{4, 5, 6, 7}, {8, 11, 10, 9}},
		{{8, 9, 13, 12}}, {{9, 10, 14, 13}}, {{10, 11, 15, 14}}, {{11, 8, 12, 15}},
	})
	res := recognized(t, m)
	pockets := featuretest.Only(res, feature.Pocket)
	if len(pockets) != 1 || !slices.Equal(pockets[0].Regions, []int{6, 7, 8, 9}) || !pockets[0].Pocket.Through ||
		pockets[0].Pocket.Open {
		t.Errorf("want one closed through pocket of 4 walls\n%s", dump(res))
	}
}

// A passage that bends is one through pocket if its walls bend too.
func TestBentPassage(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	for _, off := range []float64{2, -6, 30} {
		m := build.Polyhedron("bent", []geom.Vec3{
			// 0
			p(0, -50, 0), p(0, 50, 0), p(0, 50, 40), p(0, -50, 40), p(120, -50, 0), p(120, 50, 0), p(120, 50, 40),
			p(120, -50, 40),
			// 8
			p(0, -8, 10), p(0, 8, 10), p(0, 8, 30), p(0, -8, 30),
			p(60, -8, 10), p(60, 8, 10), p(60, 8, 30), p(60, -8, 30),
			p(120, off-8, 10), p(120, off+8, 10), p(120, off+8, 30), p(120, off-8, 30), // 16
		}, [][][]int{
			{{0, 3, 2, 1}, {8, 9, 10, 11}}, {{4, 5, 6, 7}, {16, 19, 18, 17}},
			{{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
			{{8, 12, 13, 9}}, {{9, 13, 14, 10}}, {{10, 14, 15, 11}}, {{11, 15, 12, 8}},
			{{12, 16, 17, 13}}, {{13, 17, 18, 14}}, {{14, 18, 19, 15}}, {{15, 19, 16, 12}},
		})
		res := recognized(t, m)
		pockets := featuretest.Only(res, feature.Pocket)
		isOne := len(pockets) == 1 && len(pockets[0].Regions) == 8 && pockets[0].Pocket.Through && !pockets[0].Pocket.Open
		if bends := math.Abs(off) < 10; isOne != bends {
			t.Errorf("bent by %v: one through pocket %v, want %v\n%s", off, isOne, bends, dump(res))
		}
	}
}
