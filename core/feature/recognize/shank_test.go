package recognize_test

import (
	"fmt"
	"slices"
	"testing"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/featuretest"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// flatPin is a plate with the thickness thick on a base of 40 x 40 x 10. Its outline goes from the right end of its
// base to the left one, by y and z.
func flatPin(thick float64, outline ...geom.Vec2) *brep.Model {
	var points []geom.Vec3
	at := func(x, y, z float64) int {
		points = append(points, geom.Vec3{X: x, Y: y, Z: z})
		return len(points) - 1
	}
	var back, front []int
	for _, p := range outline {
		back, front = append(back, at(20-thick/2, p.X, p.Y)), append(front, at(20+thick/2, p.X, p.Y))
	}
	var faces [][][]int
	for i := range len(front) - 1 {
		faces = append(faces, [][]int{{front[i], back[i], back[i+1], front[i+1]}})
	}
	low := []int{at(0, 0, 0), at(40, 0, 0), at(40, 40, 0), at(0, 40, 0)}
	high := []int{at(0, 0, 10), at(40, 0, 10), at(40, 40, 10), at(0, 40, 10)}
	for i := range 4 {
		j := (i + 1) % 4
		faces = append(faces, [][]int{{low[i], low[j], high[j], high[i]}})
	}
	n := len(front) - 1
	faces = append(faces, [][]int{high, {back[n], back[0], front[0], front[n]}}, [][]int{front})
	slices.Reverse(back)
	slices.Reverse(low)
	return build.Polyhedron("pin", points, append(faces, [][]int{back}, [][]int{low}))
}

// The shoulders of a flat pin and the shank above them are in its boss, whose base they may hide. A notch in it is a
// pocket.
func TestShoulders(t *testing.T) {
	for _, row := range []struct {
		name    string
		thick   float64
		outline []geom.Vec2
		want    string
	}{
		{"tapering shoulders and a shank", 2, []geom.Vec2{v2(30, 10), v2(30, 20), v2(25, 30), v2(25, 40), v2(15, 40),
			v2(15, 30), v2(10, 20), v2(10, 10)}, "Boss of [8], Pocket of []"},
		{"one shoulder of a thick pin", 12, []geom.Vec2{v2(30, 10), v2(30, 20), v2(25, 30), v2(25, 40), v2(10, 40),
			v2(10, 10)}, "Boss of [6], Pocket of []"},
		{"waist", 4, []geom.Vec2{v2(30, 10), v2(30, 15), v2(27, 20), v2(27, 25), v2(30, 25), v2(30, 40), v2(10, 40),
			v2(10, 10)}, "Boss of [4], Pocket of [3]"},
		{"a bent one, which hides its foot", 4, []geom.Vec2{v2(22, 10), v2(26, 20), v2(22, 30), v2(18, 30), v2(22, 20),
			v2(18, 10)}, "Boss of [5], Pocket of []"},
		{"one that leans", 6, []geom.Vec2{v2(22, 10), v2(32, 30), v2(28, 30), v2(18, 10)}, "Boss of [4], Pocket of []"},
	} {
		res := recognized(t, flatPin(row.thick, row.outline...))
		sizes := func(typ feature.Type) (n []int) {
			for _, f := range featuretest.Only(res, typ) {
				n = append(n, len(f.Regions))
			}
			return n
		}
		if got := fmt.Sprintf("Boss of %v, Pocket of %v", sizes(feature.Boss), sizes(feature.Pocket)); got != row.want {
			t.Errorf("%s: found %s, want %s\n%s", row.name, got, row.want, dump(res))
		}
		checkCover(t, row.name, res)
	}
}
