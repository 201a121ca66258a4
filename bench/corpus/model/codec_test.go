// Package model_test compares the models of real files, up to exact models, with a reference kernel and with
// invariants.
package model_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/codec/codectest"
)

// read reads and repairs a file of the corpus; err is the reader's.
func read(t testing.TB, file string) (*brep.Model, error) {
	t.Helper()
	data := content(t, file)
	m, _, err := cad.Read(t.Context(), bytes.NewReader(data), int64(len(data)), path.Base(file))
	return m, err
}

func content(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRealPartsComeBack(t *testing.T) {
	dir := corpus.Dir(t)
	parts := 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".stp", ".step", ".STEP", ".igs", ".STP":
		default:
			return err
		}
		if info, e := d.Info(); e == nil && testing.Short() && info.Size() > 100_000 {
			return err
		}
		file, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			m, err := read(t, file)
			if err != nil {
				t.Skip(err)
			}
			codectest.RoundTrip(t, m)
			parts++
		})
		return nil
	})
	if err != nil || parts < 100 {
		t.Errorf("%d parts, %v", parts, err)
	}
}
