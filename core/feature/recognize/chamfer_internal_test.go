package recognize

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A cone has one slope along its axis, also at its apex, with a sign by its solid side.
func TestSlopeOfACone(t *testing.T) {
	at := func(x, y float64) build.Corner { return build.Corner{P: geom.Vec2{X: x, Y: y}} }
	for name, c := range map[string]struct {
		profile []build.Corner
		up      float64
	}{
		"point":    {[]build.Corner{at(0, 0), at(10, 0), at(0, 10)}, math.Sqrt2 / 2},
		"frustum":  {[]build.Corner{at(0, 0), at(10, 0), at(5, 5), at(0, 5)}, math.Sqrt2 / 2},
		"widening": {[]build.Corner{at(0, 0), at(5, 0), at(10, 5), at(0, 5)}, -math.Sqrt2 / 2},
		"sink":     {[]build.Corner{at(0, 0), at(20, 0), at(20, 12), at(10, 12), at(0, 2)}, math.Sqrt2 / 2},
	} {
		r, cones := newReading(t, build.Revolve(name, geom.World, c.profile, build.Style{})), 0
		g := r.g
		for p := range g.Patches {
			if g.Patches[p].Kind != surface.KindCone {
				continue
			}
			cones++
			for _, sign := range []float64{-1, 1} {
				got := r.slopesOf([]int32{int32(p)}, geom.Vec3{Z: sign})
				if want := sign * c.up; math.Abs(got.Lo-want) > 1e-9 || math.Abs(got.Hi-want) > 1e-9 {
					t.Errorf("%s along %v: slopes %v, want %v", name, sign, got, want)
				}
			}
		}
		if cones != 1 {
			t.Errorf("%s: %d cones, want 1", name, cones)
		}
	}
}
