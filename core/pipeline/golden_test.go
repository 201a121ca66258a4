package pipeline_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/pipeline"
)

var update = flag.Bool("update", false, "write testdata/artefacts.golden")

// TestArtifactsMatchTheirVersions compares the artifacts of a part with the hashes recorded for the same versions.
// Stored artifacts are found by version, so a changed stage with an old version would return old artifacts.
func TestArtifactsMatchTheirVersions(t *testing.T) {
	file := filepath.Join("..", "..", "cmd", "millwright", "example", "bracket.step")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := memory{pipeline.Source: data}
	params := pipeline.Params{FileName: "bracket.step"}
	stages := millwright.Pipeline(millwright.Options{})
	if _, err := stages.Make(t.Context(), params, pipeline.Names(), files, nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors fuse operations, and round otherwise")
	}
	golden := filepath.Join("testdata", "artefacts.golden")
	var got strings.Builder
	for _, n := range pipeline.Names() {
		fmt.Fprintf(&got, "%s %d %x\n", n, pipeline.Version(n), sha256.Sum256(files[n]))
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(lines) || line != lines[i] {
			t.Errorf("%q is not in the golden file: raise the version of the stage whose own code changed, then run "+
				"this test with -update", line)
		}
	}
}
