package verify_test

import (
	"testing"

	"millwright/compute"
	"millwright/core/verify"
	"millwright/core/verify/verifytest"
)

// chord (mm) is how far the mesh of the part strays.
const chord = 0.004

func prove(t testing.TB, p *verifytest.Program, cells int) (*verify.Proof, *verify.Left) {
	t.Helper()
	proof, left, err := verify.Replay(t.Context(), verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: cells,
	})
	if err != nil {
		t.Fatal(err)
	}
	return proof, left
}

func TestARightProgramHolds(t *testing.T) {
	p := verifytest.Made(chord)
	if r := p.Part.Check(); !r.Watertight {
		t.Fatalf("the part: %+v", r)
	}
	for _, cells := range []int{100, 150, 300} {
		proof, _ := prove(t, p, cells)
		if !proof.Holds() || proof.MaxGouge != 0 || proof.MaxUncut > 0.02 {
			t.Errorf("%d cells: %+v", cells, proof)
		}
	}
}
