package catia_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/adapters/cad/catia"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/brep/repair"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestCorpus reads all CATIA parts of the corpus. Parts with the display mesh of a solid must be watertight. The other
// parts must be rejected with an error that states a remedy.
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
		p, err := mass.Compute(t.Context(), m)
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

// TestPairs compares CATIA parts with IGES files that CATIA exported of them: volume, and area by surface kind.
func TestPairs(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "pairs", "catpart_igs_kramakr")
	for _, name := range []string{"Base", "Bolt", "Plummer block", "Spring", "gear"} {
		var volume [2]float64
		var area [2]map[string]float64
		total := 0.0
		for i, suffix := range []string{".CATPart", ".igs"} {
			data, err := os.ReadFile(filepath.Join(dir, name+suffix))
			if err != nil {
				t.Fatal(err)
			}
			m, _, err := cad.Read(t.Context(), bytes.NewReader(data), int64(len(data)), name+suffix)
			if err != nil {
				t.Fatal(err)
			}
			p, err := mass.Compute(t.Context(), m)
			if err != nil {
				t.Fatal(err)
			}
			volume[i], area[i], total = p.Volume, map[string]float64{}, p.Area
			for f := range m.Faces {
				area[i][surface.ShapeKind(m.Faces[f].Surface)] += p.Faces[f].Area
			}
			if i == 0 {
				watertight(t, name, m)
			}
		}
		same := 0.0
		for kind, a := range area[0] {
			same += min(a, area[1][kind])
		}
		const off, least = 5e-3, 0.95
		t.Logf("%s: volume off by %.4f %%, the same kind on %.2f %% of the area", name,
			100*(volume[0]/volume[1]-1), 100*same/total)
		if !(math.Abs(volume[0]/volume[1]-1) <= off) || !(same >= least*total) {
			t.Errorf("%s: %g mm³, want %g; areas %v, want %v", name, volume[0], volume[1], area[0], area[1])
		}
	}
}
