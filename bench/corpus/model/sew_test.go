package model_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair/sew"
)

// TestCorpusExploded takes real solids apart into faces that share nothing, and sews them together again.
func TestCorpusExploded(t *testing.T) {
	const maxFaces = 800 // keeps the test short
	files := 0
	for i, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() || row.Solids == 0 || row.Faces > maxFaces || testing.Short() && (row.Faces > 300 || i%5 != 0) {
			continue
		}
		sound, err := read(t, row.File)
		if err != nil {
			continue // other tests tell
		}
		want, err := mass.Compute(t.Context(), sound)
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		m := build.Exploded(sound, false, nil)
		r, err := sew.Sew(t.Context(), m, sew.Options{})
		if err != nil {
			t.Fatal(err)
		}
		files++
		if r.FreeAfter != 0 || len(m.Solids) != len(sound.Solids) || len(m.Faces) != solidFaces(sound) {
			t.Errorf("%s: %d solids of %d faces, want %d of %d: %+v",
				row.File, len(m.Solids), len(m.Faces), len(sound.Solids), solidFaces(sound), r)
			continue
		}
		if problems := brep.Check(m); len(problems) > len(brep.Check(sound)) {
			t.Errorf("%s: %d problems, the first: %s", row.File, len(problems), problems[0].Message)
		}
		got, err := mass.Compute(t.Context(), m)
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		if math.Abs(got.Volume/want.Volume-1) > 1e-6 {
			t.Errorf("%s: volume %.9g, want %.9g: %+v", row.File, got.Volume, want.Volume, r)
		}
	}
	t.Logf("%d files", files)
}

func solidFaces(m *brep.Model) int {
	n := 0
	for i := range m.Faces {
		if !m.IsSheet(brep.FaceID(i)) {
			n++
		}
	}
	return n
}
