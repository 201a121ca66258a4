package verify_test

import (
	"testing"

	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/verify"
	"millwright.dev/millwright/core/cam/verify/verifytest"
)

// chord (mm) is the deviation of the part's mesh.
const chord = 0.004

func prove(t testing.TB, p *verifytest.Program, cells int) (*verify.Report, *verify.RemainingStock) {
	t.Helper()
	proof, left, err := verify.Replay(t.Context(), verify.Input{
		Plan: p.Plan, Set: p.Set, Part: p.Part, Travel: p.Travel, Mill: compute.OnCPU(0), MaxCells: cells,
	})
	if err != nil {
		t.Fatal(err)
	}
	return proof, left
}

func TestCorrectProgramPasses(t *testing.T) {
	p := verifytest.Made(chord)
	if r := p.Part.Check(); !r.Watertight {
		t.Fatalf("the part: %+v", r)
	}
	for _, cells := range []int{100, 150, 300} {
		proof, _ := prove(t, p, cells)
		if !proof.Passes() || proof.MaxGouge != 0 || proof.MaxUncut > 0.02 {
			t.Errorf("%d cells: %+v", cells, proof)
		}
	}
}

// edits is the number of mutants and neutral edits.
func edits() int {
	if testing.Short() {
		return 33
	}
	return 200
}

func TestEveryFaultyEditIsFound(t *testing.T) {
	made := verifytest.Made(chord)
	for seed := range edits() {
		p, name := verifytest.Mutant(made, seed)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if proof, _ := prove(t, p, 80); proof.Passes() && proof.MaxUncut <= completeness.LeastHeight {
				t.Errorf("not found: %+v", proof)
			}
		})
	}
}

func TestNeutralEditsPass(t *testing.T) {
	made := verifytest.Made(chord)
	for seed := range edits() {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if proof, _ := prove(t, verifytest.Neutral(made, seed), 80); !proof.Passes() ||
				proof.MaxUncut > completeness.LeastHeight {
				t.Errorf("seed %d: %+v", seed, proof)
			}
		})
	}
}
