package recognize

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// A concave side that turns by less than the draft of an outline does not replace a concave edge.
func TestHollowSidesThatBend(t *testing.T) {
	for _, c := range []struct {
		turn   float64 // degrees
		isBent bool
	}{{6, false}, {60, true}} {
		const radius, arc = 30.0, 3
		turn := geom.Radians(c.turn)
		s, k := math.Sincos(turn)
		m := build.Prism("bend", []build.Corner{{P: geom.Vec2{}}, {P: geom.Vec2{X: 100}}, {P: geom.Vec2{X: 100, Y: 50}},
			{P: geom.Vec2{X: 60, Y: 50}, Bulge: -build.Bulge(turn)}, {P: geom.Vec2{X: 60 - radius*s, Y: 50 + radius*(1-k)}},
			{P: geom.Vec2{Y: 90}}}, 20, build.Style{})
		r := newReading(t, m)
		g := r.g
		if p := g.PatchOf[arc]; !g.Patches[p].Hollow || r.isCurved(p) != c.isBent {
			t.Errorf("side that turns by %g°: hollow %v, bent %v, want true, %v", c.turn, g.Patches[p].Hollow, r.isCurved(p),
				c.isBent)
		}
	}
}
