package numbers_test

import (
	"os"
	"path/filepath"
	"testing"

	"millwright/adapters/cad"
	"millwright/bench/corpus"
	"millwright/core/feature"
)

// The sides of a casting are one profile that narrows downwards, whose round corners lean as the sides do.
func TestRoundCornersOfACasting(t *testing.T) {
	path := filepath.Join(corpus.Dir(t), "step", "nist_ap203", "nist_ctc_02_asme1_rc.stp")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(t.Context(), f, info.Size(), path)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := checked(t, m, nil)
	const radius = 10 // mm, of all round corners about the direction
	figures := 0
	for _, r := range rows {
		if r.Kind != feature.Profile {
			continue
		}
		figures++
		if !r.Agrees() || r.Lo > radius || r.Hi < radius {
			t.Errorf("%s: %v, by force %v to %v, want %v", r.Figure, r.Sheet, r.Lo, r.Hi, radius)
		}
	}
	if figures == 0 {
		t.Error("no profile")
	}
}
