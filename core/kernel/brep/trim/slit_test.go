package trim

import (
	"math"
	"slices"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestOpenSlits has a square with a slit from its upper side, with a spike on it, and with a notch, in both directions.
func TestOpenSlits(t *testing.T) {
	for _, row := range []struct {
		name     string
		tip, mid geom.Vec2
		want     float64 // x by which the middle of the path back moves
	}{
		{"slit", geom.Vec2{X: 5, Y: 6}, geom.Vec2{X: 5, Y: 8}, -4 * opening},
		{"spike", geom.Vec2{X: 5, Y: 14}, geom.Vec2{X: 5, Y: 12}, -4 * opening},
		{"notch", geom.Vec2{X: 5, Y: 6}, geom.Vec2{X: 4.9, Y: 8}, 0},
	} {
		places := []geom.Vec2{{}, {X: 10}, {X: 10, Y: 10}, {X: 5, Y: 10}, row.tip, row.mid, {X: 5, Y: 10}, {Y: 10}}
		sides := []brep.CoedgeID{0, 1, 2, 3, 4, 4, 5, 6} // of the pieces that follow
		indices := []int32{0, 1, 2, 3, 4, 5, 3, 6}
		for _, isBack := range []bool{false, true} {
			n := len(places)
			vs := make([]Vertex, n)
			for i := range vs {
				vs[i] = Vertex{UV: places[i], Index: indices[i], Coedge: sides[i]}
			}
			if isBack {
				slices.Reverse(vs)
				for i := range vs {
					vs[i].Coedge = sides[(2*n-2-i)%n]
				}
			}
			openSlits(vs)
			for i, v := range vs {
				from := places[i]
				if isBack {
					from = places[n-1-i]
				}
				want := geom.Vec2{}
				if v.Index == 5 {
					want.X = row.want
				}
				if got := v.UV.Sub(from); math.Abs(got.X-want.X) > 1e-12 || got.Y != 0 {
					t.Errorf("%s, back %v: vertex %d moved by %v, want %v", row.name, isBack, v.Index, got, want)
				}
			}
		}
	}
}
