package deck

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"millwright.dev/millwright/bench/corpus"
)

// TestCorpus reads every parameter of every IGES file of the corpus by its type: a number or a string.
func TestCorpus(t *testing.T) {
	var paths []string
	err := filepath.WalkDir(corpus.Dir(t), func(path string, d os.DirEntry, err error) error {
		if ext := strings.ToLower(filepath.Ext(path)); ext == ".igs" || ext == ".iges" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d files, error %v", len(paths), err)
	}
	slices.Sort(paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Parse(t.Context(), bytes.NewReader(data), int64(len(data)))
			if err != nil {
				t.Fatal(err)
			}
			checkSound(t, f)
			lines := bytes.Count(data, []byte("\n"))
			t.Logf("%d entities of %d lines, unit %g mm, resolution %g", len(f.Entities), lines,
				f.Global.UnitMM, f.Global.Resolution)
		})
	}
}

// checkSound fails for entities whose values cannot be read.
func checkSound(t *testing.T, f *File) {
	t.Helper()
	if f.IsCutOff || f.Garbage+f.Broken+f.Misplaced > 0 {
		t.Errorf("cut off: %v, garbage %d, broken %d, misplaced %d", f.IsCutOff, f.Garbage, f.Broken, f.Misplaced)
	}
	for i := range f.Entities {
		e := &f.Entities[i]
		if found, ok := f.At(int(e.DE)); !ok || found != e {
			t.Fatalf("D%d is not found", e.DE)
		}
		p := f.Params(e)
		values := 0
		for p.More() {
			text := p
			if text.Text(); text.Err() == nil {
				p = text
			} else {
				p.Real()
			}
			values++
		}
		if err := p.Err(); err != nil {
			t.Error(err)
		}
		if from := f.Params(e); from.Left() != values || values == 0 {
			t.Errorf("%s: %d values left, read %d", Describe(e), from.Left(), values)
		}
	}
}
