package planning

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
)

// TestTrianglesAreClippedTwice: to a range of one coordinate, then of another. The result is that of clipping to each
// bound in turn, of all pieces, and lies within the ranges.
func TestTrianglesAreClippedTwice(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	p := &planner{frame: geom.World}
	var c clipper
	whole, none := 0, 0
	for range 2000 {
		var tri [3]geom.Vec3
		for i := range tri {
			tri[i] = geom.Vec3{X: random.NormFloat64(), Y: random.NormFloat64(), Z: random.NormFloat64()}
		}
		low := random.NormFloat64()
		x, z := geom.Interval{Lo: low, Hi: low + 2}, geom.Interval{Lo: math.Inf(-1), Hi: random.NormFloat64() + 1}
		got := c.triangle(p, tri, 0, 1, 0)
		want := slices.Clone(got)
		got = c.between(c.between(got, 2, z.Lo, z.Hi, &c.corners), 0, x.Lo, x.Hi, &c.clipped)
		want = beyond(beyond(want, 2, z.Lo, 1, nil), 2, z.Hi, -1, nil)
		want = beyond(beyond(want, 0, x.Lo, 1, nil), 0, x.Hi, -1, nil)
		if !slices.Equal(got, want) {
			t.Fatalf("%v in x %v, z %v: %v, want %v", tri, x, z, got, want)
		}
		for _, v := range got {
			if !x.Contains(v.X, 1e-9) || !z.Contains(v.Z, 1e-9) {
				t.Fatalf("%v is outside of x %v, z %v", v, x, z)
			}
		}
		if len(got) == 0 {
			none++
		} else if slices.Equal(got, tri[:]) {
			whole++
		}
	}
	if whole == 0 || none == 0 {
		t.Errorf("%d triangles are whole, %d without a rest: it shows nothing", whole, none)
	}
}
