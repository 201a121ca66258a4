package toolpath

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// A corner of 90° is passed along both edges at the path's distance from them.
func TestMiter(t *testing.T) {
	const radius = 2.0
	corner := geom.Vec2{X: 5, Y: 7}
	turn := planar.NewArc(corner, geom.Vec2{X: 5, Y: 7 - radius}, -math.Pi/2)
	turn.Tag = 4
	got := miter(&turn, radius)
	if len(got) != 2 || got[0].From != turn.From || got[1].To.Dist(turn.To) > 1e-9 || got[0].To != got[1].From ||
		got[0].Tag != 4 || got[1].Tag != 4 {
		t.Fatalf("%+v", got)
	}
	if want := (geom.Vec2{X: 5 - radius, Y: 7 - radius}); got[0].To.Dist(want) > 1e-9 {
		t.Errorf("it passes the corner at %v, want %v", got[0].To, want)
	}
	sharp := planar.NewArc(corner, geom.Vec2{X: 5, Y: 7 - radius}, -2.5)
	line := planar.NewLine(geom.Vec2{}, corner)
	wide := planar.NewArc(corner, geom.Vec2{X: 5, Y: 4}, -1)
	for name, p := range map[string]planar.Segment{"a needle": sharp, "a line": line, "another radius": wide} {
		if got := miter(&p, radius); got != nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
