package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A rib from the floor to the top of an island, or a lower block next to it, shows on two sides and is part of the
// island.
func TestRibsOfAnIslandAreNoPads(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	for _, top := range []float64{40, 30} {
		m := build.Blocks("rib", build.Add(p(0, 0, 0), p(100, 80, 10)), build.Add(p(30, 30, 10), p(70, 60, 40)),
			build.Add(p(45, 20, 10), p(55, 30, top)))
		res := recognized(t, m)
		if bosses := featuretest.Only(res, feature.Boss); len(bosses) != 1 {
			t.Errorf("rib up to %g: %d bosses, want 1\n%s", top, len(bosses), dump(res))
		}
	}
}

// roofed is a plate 100 x 80 x 10 with an island 40 x 30, 30 high, with a pad with a pointed top on its front, down to
// the plate.
func roofed() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("roofed", []geom.Vec3{
		// 0
		p(0, 0, 0), p(100, 0, 0), p(100, 80, 0), p(0, 80, 0), p(0, 0, 10), p(100, 0, 10), p(100, 80, 10), p(0, 80, 10),
		// 8
		p(30, 30, 10), p(70, 30, 10), p(70, 60, 10), p(30, 60, 10), p(30, 30, 40), p(70, 30, 40), p(70, 60, 40),
		p(30, 60, 40),
		p(40, 20, 10), p(60, 20, 10), p(60, 20, 18), p(50, 20, 36), p(40, 20, 18), // 16
		p(40, 30, 10), p(60, 30, 10), p(60, 30, 18), p(50, 30, 36), p(40, 30, 18), // 21
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
		{{4, 5, 6, 7}, {8, 11, 10, 9, 22, 17, 16, 21}},
		{{12, 13, 14, 15}}, {{9, 10, 14, 13}}, {{10, 11, 15, 14}}, {{11, 8, 12, 15}},
		{{8, 21, 25, 24, 23, 22, 9, 13, 12}},
		{{16, 17, 18, 19, 20}}, {{17, 22, 23, 18}}, {{18, 23, 24, 19}}, {{19, 24, 25, 20}}, {{20, 25, 21, 16}},
	})
}

func TestPadOnTheSideOfAnIsland(t *testing.T) {
	res := recognized(t, roofed())
	bosses := featuretest.Only(res, feature.Boss)
	if len(bosses) != 2 || len(bosses[0].Regions) != 4 || len(bosses[1].Regions) != 4 {
		t.Errorf("%d bosses, want the island and the pad, of 4 walls each\n%s", len(bosses), dump(res))
	}
}
