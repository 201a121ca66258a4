package stagechild

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/feature/featuretest"
)

var update = flag.Bool("update", false, "write the fixtures")

// TestFixtures compares the models and meshes of feature tests with the results of their files now.
func TestFixtures(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors fuse operations, and round otherwise")
	}
	root := filepath.Join("..", "..", "..")
	for _, name := range featuretest.Names {
		found, err := filepath.Glob(filepath.Join(root, "adapters", "cad", "*", name+".step"))
		if deeper, e := filepath.Glob(filepath.Join(root, "adapters", "cad", "step", "testdata", name+".step")); e == nil {
			found = append(found, deeper...)
		}
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: files %v, error %v", name, found, err)
		}
		model, mesh := fixture(t, found[0])
		for file, got := range map[string][]byte{name + ".model": model, name + ".mesh": mesh} {
			path := filepath.Join(root, "core", "feature", "featuretest", "testdata", file)
			if *update {
				if err := os.WriteFile(path, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what is made now (%v): run go generate ./core/feature/featuretest", file, err)
			}
		}
	}
}

// fixture goes the way of a job from a file to its mesh.
func fixture(t *testing.T, path string) (model, mesh []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	stages := millwright.Pipeline(millwright.Options{})
	m, err := stages.Reader.Read(t.Context(), bytes.NewReader(data), int64(len(data)), path, func(string) {})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	tess, err := stages.Tessellator.Tessellate(t.Context(), m, 0, 0, nil)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return featuretest.Encode(m, tess.Mesh)
}
