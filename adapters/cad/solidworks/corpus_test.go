package solidworks

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
)

// TestCorpusYieldsBodies finds the bodies of every real part, and logs them.
func TestCorpusYieldsBodies(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(corpus.Dir(t), "pairs", "sldprt_step_ps2", "*.SLDPRT"))
	if err != nil || len(names) != 13 {
		t.Fatalf("%d parts: %v", len(names), err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := opened(t, data)
		kind, _, err := f.features()
		shapes := f.shapes()
		if len(shapes) == 0 || f.configurations() != 1 || kind != "PART" || err != nil {
			t.Errorf("%s: %d streams with bodies in %d configurations of a %q: %v", f.name, len(shapes),
				f.configurations(), kind, err)
			continue
		}
		bodies, err := f.instances(t.Context(), shapes[0])
		if err != nil || len(bodies) != 1 || !bytes.HasPrefix([]byte(filepath.Base(name)), []byte(f.name)) {
			t.Errorf("%s: %d bodies: %v", f.name, len(bodies), err)
			continue
		}
		m, err := Read(t.Context(), bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		color, err := f.color(0) // which the Parasolid data of these parts repeats
		for i := range m.Faces {
			if got := m.Faces[i].Color; err != nil || color == nil || got == nil || !isClose(*got, *color) {
				t.Errorf("%s: face %d has the colour %v, the part %v: %v", f.name, i, got, color, err)
			}
		}
		t.Logf("%s: %s, %d faces", f.name, shapes[0].name, bodies[0].Body.Faces)
	}
}

// isClose reports whether two colors are the same to the 256 steps of each channel.
func isClose(a, b brep.Color) bool {
	const step = 1. / 256
	return math.Abs(a.R-b.R) < step && math.Abs(a.G-b.G) < step && math.Abs(a.B-b.B) < step
}
