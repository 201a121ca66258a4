package step

import (
	"math"
	"path/filepath"
	"testing"

	"context"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestTessellatedPart reads the NIST part without exact shape, and compares it with the exact part of the same name.
func TestTessellatedPart(t *testing.T) {
	dir := corpus.Dir(t)
	path := filepath.Join(dir, "step", "nist_ap242", "nist_ftc_08_asme1_ap242-e1-tg.stp")
	m, err := readFile(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Solids) != 1 || len(m.Faces) != 272 || len(m.Shells) != 1 || m.Solids[0].Name != "PartBody" {
		t.Errorf("%d solids, %d shells, %d faces", len(m.Solids), len(m.Shells), len(m.Faces))
	}
	for _, p := range brep.Check(m) {
		t.Errorf("%s: %s", p.Code, p.Message)
	}
	p, err := mass.Compute(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	const volume, area, chord = 503592.175, 191687.873, 1.5e-3 // of the exact part; share lost to chords
	if math.Abs(p.Volume/volume-1) > chord || math.Abs(p.Area/area-1) > chord {
		t.Errorf("volume %.7g mm³, area %.7g mm²", p.Volume, p.Area)
	}
	kinds := map[string]int{}
	for _, f := range m.Faces {
		kinds[surface.ShapeKind(f.Surface)]++
	}
	if kinds["Plane"] != 81 || kinds["Cylinder"] != 159 || kinds["Sphere"] != 20 {
		t.Errorf("shape kinds %v", kinds)
	}
}
