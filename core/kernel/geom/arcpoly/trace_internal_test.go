package arcpoly

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// TestTurnBetween checks that an arc of few chords turns by at most one full circle, and exactly to its ends.
func TestTurnBetween(t *testing.T) {
	for _, row := range []struct {
		name         string
		radius, turn float64 // from one end to the other
		chords       int
		want         float64
	}{
		{"three chords of four, of which two are short", 1e-6, 1.18, 3, 1.18},
		{"four of four, but for a gap", 1e-6, -0.1, 4, 2*math.Pi - 0.1},
		{"once round, with ends that have changed places", 25, 1e-7, chordsRound(25), 2 * math.Pi},
		{"all but once round", 25, -1e-3, chordsRound(25), 2*math.Pi - 1e-3},
		{"no way, with ends that have changed places", 25, -1e-7, 1, 0},
		{"three quarters", 25, -0.5 * math.Pi, 3 * chordsRound(25) / 4, 1.5 * math.Pi},
		{"a quarter", 25, 0.5 * math.Pi, chordsRound(25) / 4, 0.5 * math.Pi},
	} {
		for _, sense := range [2]float64{1, -1} {
			end := planar.NewArc(geom.Vec2{}, geom.Vec2{X: row.radius}, sense*row.turn).To
			p := planar.Segment{From: geom.Vec2{X: row.radius}, To: end, Turn: sense}
			if got := turnBetween(&p, row.chords); math.Abs(got-sense*row.want) > 1e-9 {
				t.Errorf("%s: it turns by %g, want %g", row.name, got, sense*row.want)
			}
		}
	}
}
