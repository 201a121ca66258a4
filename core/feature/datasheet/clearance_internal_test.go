package datasheet

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"millwright/core/geom"
	"millwright/core/geom/region"
)

// Every disc on the left of an outline lies in the box in which obstacles are looked for, and a lone segment
// looks to its left only.
func TestDiscsLieWithinReach(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.Float64Range(-20, 20)
		from := geom.Vec2{X: c.Draw(t, "x"), Y: c.Draw(t, "y")}
		var l region.Loop
		for range rapid.IntRange(1, 3).Draw(t, "pieces") {
			to := geom.Vec2{X: c.Draw(t, "to x"), Y: c.Draw(t, "to y")}
			if to.Dist(from) < 1 {
				t.Skip("too short")
			}
			if rapid.Bool().Draw(t, "arc") {
				turn := rapid.Float64Range(-3, 3).Draw(t, "turn")
				if math.Abs(turn) < 0.1 {
					t.Skip("straight")
				}
				l = append(l, region.Arc(to, from, turn))
			} else {
				l = append(l, region.Segment(from, to))
			}
			from = l[len(l)-1].To
		}
		d := rapid.Float64Range(0, 30).Draw(t, "diameter")
		lo, hi := reachOf(l, false, d)
		for i := range l {
			for k := range 11 {
				s := float64(k) / 10
				n := l[i].Tangent(s)
				at := l[i].At(s).Add(geom.Vec2{X: -n.Y * d / 2, Y: n.X * d / 2})
				if at.X-d/2 < lo.X || at.X+d/2 > hi.X || at.Y-d/2 < lo.Y || at.Y+d/2 > hi.Y {
					t.Fatalf("a disc round %v is not within %v %v", at, lo, hi)
				}
			}
		}
	})
	lo, hi := reachOf(region.Loop{region.Segment(geom.Vec2{}, geom.Vec2{X: 10})}, false, 4)
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"left", lo.X, -2}, {"right", hi.X, 12}, {"behind", lo.Y, 0}, {"ahead", hi.Y, 4}} {
		if math.Abs(c.got-c.want) > 2*geom.Resolution {
			t.Errorf("%s it reaches to %v, want %v", c.name, c.got, c.want)
		}
	}
}
