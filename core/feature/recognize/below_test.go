package recognize_test

import (
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// tongued is a block of 40 x 30 x 20 with a tongue on its right side, flush with the top, that widens by 2 mm on both
// sides and is 3 mm thick.
func tongued() *brep.Model {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	return build.Polyhedron("tongued", []geom.Vec3{
		p(0, 0, 0), p(40, 0, 0), p(40, 30, 0), p(0, 30, 0), p(0, 0, 20), p(40, 0, 20), p(40, 30, 20), p(0, 30, 20),
		p(40, 12, 6), p(43, 10, 6), p(43, 20, 6), p(40, 18, 6), p(40, 12, 20), p(43, 10, 20), p(43, 20, 20), p(40, 18, 20),
	}, [][][]int{
		{{3, 2, 1, 0}}, {{0, 1, 5, 4}}, {{2, 3, 7, 6}}, {{3, 0, 4, 7}}, {{4, 5, 12, 13, 14, 15, 6, 7}},
		{{1, 2, 6, 15, 11, 8, 12, 5}}, {{8, 11, 10, 9}}, {{9, 10, 14, 13}}, {{12, 8, 9, 13}}, {{11, 15, 14, 10}},
	})
}

// A face below the end of a tongue is not a wall of a pocket with that floor. The floors beside the floor of a groove
// around a block belong to the groove.
func TestNothingBelowAFloorIsItsWall(t *testing.T) {
	p := func(x, y, z float64) geom.Vec3 { return geom.Vec3{X: x, Y: y, Z: z} }
	waisted := build.Blocks("waisted", build.Add(p(0, 0, 0), p(10, 20, 20)), build.Add(p(10, 2, 2), p(30, 18, 18)),
		build.Add(p(30, 0, 0), p(40, 20, 20)))
	for _, row := range []struct {
		name, want string
		m          *brep.Model
	}{
		{"tongue", "Pocket 1 Wall 2 Face 6", tongued()},
		{"groove round a block", "Pocket 1 Face 6", waisted},
	} {
		res := recognized(t, row.m)
		if got := all(res); got != row.want {
			t.Errorf("%s: found %s, want %s\n%s", row.name, got, row.want, dump(res))
		}
	}
}
