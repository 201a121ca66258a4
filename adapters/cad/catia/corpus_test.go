package catia_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright/adapters/cad/catia"
	"millwright/bench/corpus"
	"millwright/compute/tessellate"
	"millwright/core/brep"
	"millwright/core/brep/mass"
	"millwright/core/brep/repair"
	"millwright/core/fault"
	"millwright/core/geom/surface"
)

// TestCorpus reads all CATIA parts at hand: those with a display mesh of a solid are watertight, the others are refused
// with what to do.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "catia")
	solid, closed := 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.EqualFold(filepath.Ext(path), ".catpart") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		m, err := catia.Read(t.Context(), bytes.NewReader(data), int64(len(data)))
		var refused *fault.Error
		if errors.As(err, &refused) {
			t.Logf("%s: %v", filepath.Base(path), err)
			return nil
		}
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if err := repair.Model(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		problems := brep.Check(m)
		p, err := mass.Of(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		res, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Solids) > 0 {
			solid++
			if res.Report.Watertight && len(problems) == 0 {
				closed++
			}
		}
		kinds := map[string]int{}
		for _, f := range m.Faces {
			k := surface.ShapeKind(f.Surface)
			if f.Surface.Kind() == surface.KindFacets {
				k += " (triangles)"
			}
			kinds[k]++
		}
		t.Logf("%s: %d solids, %d shells, %d faces %v, volume %.6g, mesh %.6g, watertight %v, %d problems",
			filepath.Base(path), len(m.Solids), len(m.Shells), len(m.Faces), kinds, p.Volume, res.Mesh.Volume(),
			res.Report.Watertight, len(problems))
		for _, w := range append(m.Warnings, res.Warnings...) {
			t.Logf("    %s ×%d: %s", w.Code, w.Count, w.Message)
		}
		for i, q := range problems {
			if i < 3 {
				t.Logf("    %s: %s", q.Code, q.Message)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const least = 0.95 // share of the parts with solids
	if float64(closed) < least*float64(solid) || solid == 0 {
		t.Errorf("%d of %d parts are watertight", closed, solid)
	}
}
