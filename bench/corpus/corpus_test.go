package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTruthsNameExistingFiles(t *testing.T) {
	dir := Dir(t)
	rows := Truths(t, "step/nist_ap203/")
	if len(rows) != 11 {
		t.Fatalf("step/nist_ap203 has %d rows, want 11", len(rows))
	}
	for _, r := range rows {
		if !r.IsSTEP() || r.Solids != 1 || r.Volume <= 0 {
			t.Errorf("%s: STEP %v, solids %d, volume %g", r.File, r.IsSTEP(), r.Solids, r.Volume)
		}
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(r.File))); err != nil {
			t.Errorf("%s: %v", r.File, err)
		}
	}
}

func TestDirFollowsTheVariable(t *testing.T) {
	want := t.TempDir()
	t.Setenv(Variable, want)
	if got := Dir(t); got != want {
		t.Errorf("Dir = %q, want %q", got, want)
	}
}
