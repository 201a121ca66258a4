package verify_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// TestShankIgnoresFilmFromRounding moves a pocket so that a row of rays lies just beyond its wall, and its last level
// by 1.2 µm more, as rounding does. The shank, as wide as the flutes, then touches a film, which is not a collision.
// With 50 µm it collides with the wall.
func TestShankIgnoresFilmFromRounding(t *testing.T) {
	const cells, pocket, radius, film = 120, 2, 4.0, 0.6e-3
	for _, c := range []struct {
		more    float64 // mm
		touches bool
	}{{2 * film, false}, {50e-3, true}} {
		p := verifytest.Made(0.05).Clone()
		p.Set.Setups, p.Plan.Setups, p.Set.Paths = p.Set.Setups[:1], p.Plan.Setups[:1], p.Set.Paths[:1]
		op := &p.Set.Setups[0].Operations[pocket]
		low, wall := math.Inf(1), math.Inf(-1)
		for _, m := range op.Moves {
			low = min(low, m.To.Z)
			wall = max(wall, m.To.Y+radius)
		}
		ray := verify.RayNear(p.Plan.Stock, cells, wall)
		for i := range op.Moves {
			m := &op.Moves[i]
			shift := ray - film - wall
			if m.Kind == motion.Cut && m.To.Z == low {
				shift += c.more
			}
			m.To.Y += shift
			m.Center.Y += shift
		}
		proof, _, err := verify.Replay(t.Context(), verify.Input{
			Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: cells,
		})
		if err != nil {
			t.Fatal(err)
		}
		touches := false
		for _, f := range proof.Findings {
			touches = touches || f.Kind == verify.ShankCollision && f.Operation == "pocket"
		}
		if touches != c.touches {
			t.Errorf("%g mm deeper: the shank touches: %t, want %t (%+v)", c.more, touches, c.touches, proof.Findings)
		}
	}
}
