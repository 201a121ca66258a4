package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/pipeline/crosscheck"
)

// TestGateLetsRealPartsThrough holds every real part against itself: each is let through.
func TestGateLetsRealPartsThrough(t *testing.T) {
	const kilobyte = 1 << 10
	largest := int64(100 << 10 * kilobyte)
	if testing.Short() {
		largest = 100 * kilobyte
	}
	dir := corpus.Dir(t)
	for _, row := range corpus.Truths(t, "") {
		name := filepath.Join(dir, filepath.FromSlash(row.File))
		info, err := os.Stat(name)
		if err != nil || info.Size() > largest {
			continue
		}
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := cad.Read(t.Context(), f, info.Size(), name)
		_ = f.Close() // read only
		if err != nil || len(m.Solids) == 0 {
			continue
		}
		exact, err := mass.Compute(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range crosscheck.Run(crosscheck.Subject{
			Model: m, Exact: exact, Mesh: r.Mesh, Chord: r.ChordTolerance, Angle: r.AngleTolerance,
		}) {
			t.Errorf("%s: %s: %s", row.File, f.Check, f.Detail)
		}
	}
}
