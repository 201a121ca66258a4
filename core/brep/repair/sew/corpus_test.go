package sew

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"millwright/adapters/cad/step"
	"millwright/bench/corpus"
	"millwright/core/brep"
	"millwright/core/brep/mass"
	"millwright/core/brep/repair/internal/heal"
)

// TestCorpusExploded takes real solids apart into faces that share nothing, and sews them together again.
func TestCorpusExploded(t *testing.T) {
	const maxFaces = 800 // keeps the test short
	dir := corpus.Dir(t)
	files := 0
	for _, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() || row.Solids == 0 || row.Faces > maxFaces || testing.Short() && row.Faces > 300 {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row.File)))
		if err != nil {
			t.Fatal(err)
		}
		sound, err := step.Read(context.Background(), bytes.NewReader(data), int64(len(data)), step.Options{})
		if err != nil {
			continue // other tests tell
		}
		heal.Topology(sound)
		if err := heal.Faces(context.Background(), sound); err != nil {
			t.Fatal(err)
		}
		want, err := mass.Of(context.Background(), sound)
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		m := explode(sound, false, still)
		r, err := Model(context.Background(), m, Options{})
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
			t.Errorf("%s: %d problems, the first: %s", row.File, len(problems), problems[0].Detail)
		}
		got, err := mass.Of(context.Background(), m)
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
