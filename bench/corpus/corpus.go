// Package corpus finds the real CAD files that tests and benchmarks measure against, and the figures
// that a reference kernel gives for them. The files are not part of the repository: a test that needs
// them is skipped, loudly, where they are absent.
package corpus

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Variable is the environment variable that names the corpus folder.
const Variable = "MILLWRIGHT_CORPUS"

// Dir returns the corpus folder: $MILLWRIGHT_CORPUS, else ../shared/corpus beside the module root.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv(Variable)
	if dir == "" {
		dir = filepath.Join(filepath.Dir(moduleRoot(t)), "shared", "corpus")
	}
	if st, err := os.Stat(dir); err != nil || !st.IsDir() {
		t.Skipf("SKIPPED: no CAD files at %s (set %s to the corpus folder)", dir, Variable)
	}
	return dir
}

func moduleRoot(t testing.TB) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatalf("working directory: %v", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatalf("no go.mod above the working directory")
		}
		dir = up
	}
}

// Truth is the reference kernel's result for one file. Lengths are in mm. Volume is valid only if Solids is not 0.
type Truth struct {
	File     string     `json:"file"` // relative to the corpus folder, slashes
	Solids   int        `json:"solids"`
	Shells   int        `json:"shells"`
	Faces    int        `json:"faces"`
	Edges    int        `json:"edges"`
	Vertices int        `json:"vertices"`
	Volume   float64    `json:"volume_solids"`
	Area     float64    `json:"area"`
	Centroid [3]float64 `json:"centroid"`
	Box      [6]float64 `json:"bbox"`      // min x, y, z, max x, y, z; all 0 where it was not measured
	MeshBox  [6]float64 `json:"mesh_bbox"` // the same of the reference mesh
	Chord    float64    `json:"lin_defl"`  // the reference mesh's chord tolerance
	Unit     string     `json:"unit"`
	Error    string     `json:"error"`
}

// TruthFile is the name of the file with the reference figures in a corpus folder.
const TruthFile = "truth.jsonl"

// ReadTruths reads a file of reference figures, one JSON object per line.
func ReadTruths(name string) ([]Truth, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("reference figures: %w", err)
	}
	defer func() { _ = f.Close() }()
	var all []Truth
	for dec := json.NewDecoder(f); ; {
		var row Truth
		if err := dec.Decode(&row); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("reference figures, row %d of %s: %w", len(all)+1, name, err)
		}
		all = append(all, row)
	}
}

// Truths returns the reference figures of the files below prefix ("" = all), in file order.
func Truths(t testing.TB, prefix string) []Truth {
	t.Helper()
	rows, err := ReadTruths(filepath.Join(Dir(t), TruthFile))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(rows, func(r Truth) bool { return !strings.HasPrefix(r.File, prefix) })
}

// IsSTEP reports whether the row's file is named as a STEP file.
func (r Truth) IsSTEP() bool {
	switch strings.ToLower(filepath.Ext(r.File)) {
	case ".stp", ".step", ".p21":
		return true
	}
	return false
}
