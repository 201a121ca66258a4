package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// wedge is a plate 100 x 60 x 10 with an island 40 x 20 on it whose top slopes from a height down to the plate.
func wedge(height float64) *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("wedge", []geom.Vec3{
		p(0, 0, 0), p(100, 0, 0), p(100, 60, 0), p(0, 60, 0), p(0, 0, 10), p(100, 0, 10), p(100, 60, 10), p(0, 60, 10),
		p(30, 20, 10), p(70, 20, 10), p(70, 40, 10), p(30, 40, 10), p(30, 20, 10+height), p(30, 40, 10+height),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
		{{4, 5, 6, 7}, {8, 11, 10, 9}}, {{12, 9, 10, 13}}, {{8, 12, 13, 11}}, {{8, 9, 12}}, {{11, 13, 10}},
	})
}

func TestSlantingTopOfAWedgeIsAFace(t *testing.T) {
	const walls = 3
	res := recognized(t, wedge(10))
	bosses := featuretest.Only(res, feature.Boss)
	if got := all(res); got != "Boss 1 Face 7" || len(bosses[0].Regions) != walls {
		t.Errorf("found %s, want a boss of %d walls and its top among 7 faces\n%s", got, walls, dump(res))
	}
}

func TestSteepSlopeOfAWedgeIsAWall(t *testing.T) {
	const walls = 4
	res := recognized(t, wedge(60))
	bosses := featuretest.Only(res, feature.Boss)
	if len(bosses) != 1 || len(bosses[0].Regions) != walls {
		t.Errorf("%d bosses, want 1 of %d walls\n%s", len(bosses), walls, dump(res))
	}
}

// pin is a square bar 10 x 10 x 40 with a tip beveled at 45°, by a width along its axis.
func pin(bevel float64) *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	const side, length = 10.0, 40.0
	low, far := length-bevel, side-bevel
	return build.Polyhedron("pin", []geom.Vec3{
		p(0, 0, 0), p(side, 0, 0), p(side, side, 0), p(0, side, 0),
		p(0, 0, low), p(side, 0, low), p(side, side, low), p(0, side, low),
		p(bevel, bevel, length), p(far, bevel, length), p(far, far, length), p(bevel, far, length),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{1, 2, 6, 5}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}},
		{{4, 5, 9, 8}}, {{5, 6, 10, 9}}, {{6, 7, 11, 10}}, {{7, 4, 8, 11}}, {{8, 9, 10, 11}},
	})
}

func TestBevelsRoundATipAreOneChamfer(t *testing.T) {
	for _, bevel := range []float64{1, 3, 4} {
		if got := all(recognized(t, pin(bevel))); got != "Face 6 Chamfer 1" {
			t.Errorf("bevels of %g: found %s, want one chamfer, the sides and both ends", bevel, got)
		}
	}
}

// hipped is a block 80 x 40, 40 high, whose top slopes down at 30° beyond the middle, with bevels 2 deep at 45° along
// both of its long edges.
func hipped() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	const (
		tan, cos = 0.5773503, 0.8660254
		low      = 40 - 40*tan       // the top at the end of the slope
		deep     = 2 / cos           // the bevels there, along z
		mitre    = 40 - (deep-2)/tan // the meeting points of the bevels on the sides
	)
	return build.Polyhedron("hipped", []geom.Vec3{
		p(0, 0, 0), p(80, 0, 0), p(80, 40, 0), p(0, 40, 0),
		p(0, 2, 40), p(40, 2, 40), p(40, 38, 40), p(0, 38, 40),
		p(0, 0, 38), p(mitre, 0, 38), p(mitre, 40, 38), p(0, 40, 38),
		p(80, 2, low), p(80, 38, low), p(80, 0, low-deep), p(80, 40, low-deep),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{4, 5, 6, 7}}, {{5, 12, 13, 6}}, {{1, 2, 15, 13, 12, 14}}, {{0, 8, 4, 7, 11, 3}},
		{{0, 1, 14, 9, 8}}, {{3, 11, 10, 15, 2}}, {{8, 9, 5, 4}}, {{9, 14, 12, 5}}, {{11, 7, 6, 10}}, {{10, 6, 13, 15}},
	})
}

func TestBevelsThatLeanAlikeAreOneChamfer(t *testing.T) {
	const want = 2 // the bevels of each edge have one slant from the side
	if got := featuretest.Only(recognized(t, hipped()), feature.Chamfer); len(got) != want {
		t.Errorf("%d chamfers, want %d: %v", len(got), want, got)
	}
}
