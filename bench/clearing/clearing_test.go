package clearing_test

import (
	"testing"

	"millwright.dev/millwright/bench/clearing"
)

// Random pockets are cleared within the bound: a thousandth of the cut over 110 % of the target, no sample over 130 %,
// and no stud.
func TestRandomPocketsAreCleared(t *testing.T) {
	count := 50
	if testing.Short() {
		count = 4
	}
	pockets, err := clearing.Random(1, count)
	if err != nil {
		t.Fatal(err)
	}
	for i := range pockets {
		p := &pockets[i]
		moves, _, err := p.Clear(t.Context())
		if err != nil {
			t.Errorf("pocket %d, %s: %v", i, p.Kind, err)
			continue
		}
		f := measured(t, p.Loops, p.Diameter/2, p.Arc(), moves...)
		if f.Cut == 0 || f.Over > 1e-3 || f.FarOver > 0 || f.Studs > 0 {
			t.Errorf("pocket %d, %s, stepover %.3g mm: %.0f mm cut, share over 110 %% %.2g, over 130 %% %.2g, %d studs",
				i, p.Kind, p.Stepover, f.Cut, f.Over, f.FarOver, f.Studs)
		}
	}
}
