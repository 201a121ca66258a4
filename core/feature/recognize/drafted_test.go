package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// skirted is a cast block on a skirt, with another skirt at half of its height: sides lean by 1°, skirts by 15°.
func skirted() *brep.Model {
	type level struct{ z, half float64 }
	levels := []level{{0, 60}}
	for _, step := range [...]struct{ height, lean float64 }{{10, 15}, {40, 1}, {10, 15}, {40, 1}} {
		l := levels[len(levels)-1]
		levels = append(levels, level{l.z + step.height, l.half - step.height*math.Tan(step.lean*math.Pi/180)})
	}
	var points []geom.Vec3
	faces := [][][]int{{{3, 2, 1, 0}}}
	for n, l := range levels {
		points = append(points, geom.Vec3{X: -l.half, Y: -l.half, Z: l.z}, geom.Vec3{X: l.half, Y: -l.half, Z: l.z},
			geom.Vec3{X: l.half, Y: l.half, Z: l.z}, geom.Vec3{X: -l.half, Y: l.half, Z: l.z})
		for i := 0; n > 0 && i < 4; i++ {
			k, low, high := (i+1)%4, 4*(n-1), 4*n
			faces = append(faces, [][]int{{low + i, low + k, high + k, high + i}})
		}
	}
	top := 4 * (len(levels) - 1)
	return build.Polyhedron("skirted", points, append(faces, [][]int{{top, top + 1, top + 2, top + 3}}))
}

// The sides of a casting are its outer profile, even if they look like floors along their normals.
func TestDraftedSidesAreNoPockets(t *testing.T) {
	res := recognized(t, skirted())
	if pockets := featuretest.Only(res, feature.Pocket); len(pockets) != 0 {
		t.Errorf("%d pockets, want none\n%s", len(pockets), dump(res))
	}
	const sides = 4 // of each block, without its skirt
	profiles := featuretest.Only(res, feature.Profile)
	for _, p := range profiles {
		if len(p.Regions) != sides || p.Direction.Z != 1 {
			t.Errorf("profile of regions %v along %v, want %d sides from above", p.Regions, p.Direction, sides)
		}
	}
	if len(profiles) != 2 {
		t.Errorf("%d profiles, want one of each block\n%s", len(profiles), dump(res))
	}
}

// Sides that lean by 10°, the largest draft of a profile, are one profile.
func TestProfileOfTheLargestDraft(t *testing.T) {
	const sides, height = 6, 20.0
	var points []geom.Vec3
	faces := [][][]int{{{5, 4, 3, 2, 1, 0}}, {{6, 7, 8, 9, 10, 11}}}
	for level := range 2 {
		r := 30 - float64(level)*height*math.Tan(math.Pi/18) // of the circle that the sides touch
		for i := range sides {
			s, c := math.Sincos(float64(i) * 2 * math.Pi / sides)
			r := r / math.Cos(math.Pi/sides)
			points = append(points, geom.Vec3{X: r * c, Y: r * s, Z: float64(level) * height})
		}
	}
	for i := range sides {
		k := (i + 1) % sides
		faces = append(faces, [][]int{{i, k, k + sides, i + sides}})
	}
	res := recognized(t, build.Polyhedron("frustum", points, faces))
	profiles := featuretest.Only(res, feature.Profile)
	if len(profiles) != 1 || len(profiles[0].Regions) != sides {
		t.Errorf("profiles %v, want one of %d sides\n%s", profiles, sides, dump(res))
	}
}

// A square groove in the top of a block, with drafted walls, has a core and not an island.
func TestCoreOfADraftedGroove(t *testing.T) {
	var points []geom.Vec3
	for _, l := range []struct{ z, half float64 }{{0, 30}, {20, 30}, {20, 22}, {14, 21}, {14, 13}, {20, 12}} {
		points = append(points, geom.Vec3{X: -l.half, Y: -l.half, Z: l.z}, geom.Vec3{X: l.half, Y: -l.half, Z: l.z},
			geom.Vec3{X: l.half, Y: l.half, Z: l.z}, geom.Vec3{X: -l.half, Y: l.half, Z: l.z})
	}
	faces := [][][]int{{{3, 2, 1, 0}}, {{4, 5, 6, 7}, {11, 10, 9, 8}}, {{12, 13, 14, 15}, {19, 18, 17, 16}},
		{{20, 21, 22, 23}}}
	for _, low := range []int{0, 8, 16} { // the sides of the block, of the groove and of its core
		high := low + 4
		for i := range 4 {
			k := (i + 1) % 4
			faces = append(faces, [][]int{{low + i, low + k, high + k, high + i}})
		}
	}
	res := recognized(t, build.Polyhedron("drafted groove", points, faces))
	if got := counts(res); got != "Pocket 1 Face 6" {
		t.Errorf("found %s, want the groove, four sides, the bottom and one top\n%s", got, dump(res))
	}
}
