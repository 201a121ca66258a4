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

// trough is a block of 60 x 30, 40 long, with a channel in its top, with fillets of 2 mm. Its sides lean out by draft,
// and its floor, 20 wide, and the adjacent top lean by tilt, in degrees.
func trough(draft, tilt float64) *brep.Model {
	const radius = 2
	lean, rise := math.Tan(draft*math.Pi/180), math.Tan(tilt*math.Pi/180)
	right, left := geom.Vec2{X: 40, Y: 18}, geom.Vec2{X: 20, Y: 18 - 20*rise}
	mouth := func(foot geom.Vec2, side float64) geom.Vec2 {
		return geom.Vec2{X: foot.X + side*lean*(30-foot.Y), Y: 30}
	}
	line := []geom.Vec2{mouth(right, 1), right, left, mouth(left, -1)}
	profile := build.Polygon(geom.Vec2{}, geom.Vec2{X: 60}, geom.Vec2{X: 60, Y: 30 + rise*(60-line[0].X)}, line[0])
	for i := 1; i < 3; i++ {
		in, out := line[i].Sub(line[i-1]), line[i+1].Sub(line[i])
		turn := math.Acos(in.Dot(out) / in.Norm() / out.Norm())
		off := radius * math.Tan(turn/2)
		profile = append(profile, build.Corner{P: line[i].Sub(in.Scale(off / in.Norm())), Bulge: build.Bulge(-turn)},
			build.Corner{P: line[i].Add(out.Scale(off / out.Norm()))})
	}
	return build.Prism("trough", append(profile, build.Polygon(line[3], geom.Vec2{Y: 30})...), 40, build.Style{})
}

// A cavity whose floor leans by more than a wall, so that the wall hangs over along the normal of the floor, is one
// pocket from the direction that sees all of it. With a floor that leans by less it is made along that normal.
func TestCavityWithALeaningFloor(t *testing.T) {
	for _, row := range []struct {
		name        string
		draft, tilt float64
		isUp        bool
	}{
		{"floor leans by more than the walls", 2, 4, true},
		{"floor leans by less", 4, 2, false},
	} {
		res := recognized(t, trough(row.draft, row.tilt))
		pockets := featuretest.Only(res, feature.Pocket)
		if len(pockets) != 1 || len(pockets[0].Regions) != 5 || (pockets[0].Direction.Y == 1) != row.isUp {
			t.Errorf("%s: want one pocket of 5 faces, straight up %v\n%s", row.name, row.isUp, dump(res))
		}
	}
}
