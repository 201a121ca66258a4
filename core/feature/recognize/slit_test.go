package recognize_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// clamp is a collar of radius 16, with or without two arms, with a bore of radius 9 that a slit opens to the right.
func clamp(hasArms bool) *brep.Model {
	const bore, rim, half, arm = 9.0, 16.0, 1.5, 8.0
	at := func(r, y float64) geom.Vec2 { return v2(math.Sqrt(r*r-y*y), y) }
	round := func(r, y float64) float64 { return build.Bulge(2 * (math.Pi - math.Asin(y/r))) }
	out := []build.Corner{{P: at(bore, -half), Bulge: -round(bore, half)}, {P: at(bore, half)}}
	if hasArms {
		out = append(out, build.Corner{P: v2(30, half)}, build.Corner{P: v2(30, arm)},
			build.Corner{P: at(rim, arm), Bulge: round(rim, arm)}, build.Corner{P: at(rim, -arm)},
			build.Corner{P: v2(30, -arm)}, build.Corner{P: v2(30, -half)})
	} else {
		out = append(out, build.Corner{P: at(rim, half), Bulge: round(rim, half)}, build.Corner{P: at(rim, -half)})
	}
	return build.Prism("clamp", out, 12, build.Style{})
}

// A slit that opens a bore is one passage, and not in walls or the outline.
func TestSlitOfAClampIsAPassage(t *testing.T) {
	for _, c := range []struct {
		name    string
		hasArms bool
		want    string
	}{
		{"in a collar", false, "Hole 1 Pocket 1 Face 2 Profile 1"},
		{"between arms", true, "Hole 1 Pocket 1 Face 5 Profile 1"},
	} {
		res := recognized(t, clamp(c.hasArms))
		if got := all(res); got != c.want {
			t.Errorf("%s: found %s, want %s\n%s", c.name, got, c.want, dump(res))
		}
	}
}
