package solidworks

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"millwright/bench/corpus"
)

// TestCorpusYieldsBodies finds the bodies of every real part, and prints what they are.
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
		t.Logf("%s: %s, %d faces", f.name, shapes[0].name, bodies[0].Body.Faces)
	}
}
