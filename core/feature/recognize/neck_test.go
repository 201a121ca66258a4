package recognize_test

import (
	"fmt"
	"math"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// neck is a block, 40 wide and 10 high, with a square neck: its lower part is vertical with the height straight, and
// its upper part 20 high and leans by an angle. All of it is rotated about a slanting axis.
func neck(wide, straight, lean, turn float64) *brep.Model {
	frame := geom.NewFrame(geom.Vec3{X: 3, Y: 5, Z: 7}, geom.Vec3{X: math.Sin(turn), Y: math.Sin(turn) / 2,
		Z: math.Cos(turn)},
		geom.Vec3{})
	var points []geom.Vec3
	square := func(half, x, z float64) int {
		for _, c := range [4]geom.Vec2{v2(-1, -1), v2(1, -1), v2(1, 1), v2(-1, 1)} {
			points = append(points, frame.Point(geom.Vec3{X: x + c.X*half, Y: c.Y * half, Z: z}))
		}
		return len(points) - 4
	}
	levels := []int{square(20, 0, 0), square(20, 0, 10), square(wide/2, 0, 10)}
	if straight > 0 {
		levels = append(levels, square(wide/2, 0, 10+straight))
	}
	levels = append(levels, square(wide/2, 20*math.Tan(lean), 30+straight))
	faces := [][][]int{{{3, 2, 1, 0}}, {{4, 5, 6, 7}, {11, 10, 9, 8}}}
	for k := 1; k < len(levels); k++ {
		low, high := levels[k-1], levels[k]
		for i := 0; k != 2 && i < 4; i++ {
			j := (i + 1) % 4
			faces = append(faces, [][]int{{low + i, low + j, high + j, high + i}})
		}
	}
	top := levels[len(levels)-1]
	return build.Polyhedron("neck", points, append(faces, [][]int{{top, top + 1, top + 2, top + 3}}))
}

// A neck that bends is one boss, though no direction sees all of its sides. A side that leans by more than a draft is
// not in it, but the opposite side, which rises as a shoulder, is.
func TestBentNecks(t *testing.T) {
	for _, row := range []struct {
		wide, straight, lean float64
		walls                string
	}{
		{12, 0, 0, "[4]"}, {12, 5, 3, "[8]"}, {24, 2, 8, "[8]"}, {6, 12, 3, "[8]"}, {12, 0, 3, "[4]"}, {24, 0, 8, "[4]"},
		{12, 5, 25, "[7]"},
	} {
		for _, turn := range []float64{0, 0.4} {
			res := recognized(t, neck(row.wide, row.straight, geom.Radians(row.lean), turn))
			walls := []int{}
			for _, f := range featuretest.Only(res, feature.Boss) {
				walls = append(walls, len(f.Regions))
			}
			if got := fmt.Sprint(walls); got != row.walls {
				t.Errorf("%v wide, upright for %v, leaning by %v°, turned by %v: bosses of %s walls, want %s\n%s", row.wide,
					row.straight,
					row.lean, turn, got, row.walls, dump(res))
			}
		}
	}
}
