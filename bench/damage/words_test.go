package damage

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/pipeline"
	"millwright.dev/millwright/core/pipeline/pipelinetest"
)

// TestClientsAreToldInWords damages bundled files in every way. No result may crash the kernel, and no sentence may
// contain library terms.
func TestClientsAreToldInWords(t *testing.T) {
	cases := 4
	if testing.Short() {
		cases = 1
	}
	tree := millwright.Pipeline(millwright.Options{})
	for _, name := range []string{
		"cmd/millwright/example/bracket.step", "adapters/cad/iges/testdata/cone_apex.step.gz",
		"adapters/cad/iges/testdata/sphere_drilled.step.gz", "adapters/cad/iges/testdata/torus_notch.step.gz",
		"adapters/cad/iges/testdata/nurbs_fillets.step.gz", "adapters/cad/iges/testdata/counterbores_186.igs.gz",
		"adapters/cad/iges/testdata/chamfers_144.igs.gz",
	} {
		base, data := unpacked(t, name)
		f := open(base, string(data))
		for i := range kinds {
			k := &kinds[i]
			sites := f.sites(k)
			for n := 0; n < cases && len(sites) > 0; n++ {
				id := caseName(base, k.name, n)
				rng := dice(1, id)
				h := k.strike(rng, f, sites[rng.IntN(len(sites))])
				got := inProcess(t, tree, base, h.data)
				if errors.Is(got.err, context.DeadlineExceeded) {
					continue
				}
				if class, why := judge(&outcome{err: errGone}, &got, &h); class == Internal || class == Crash {
					t.Errorf("%s (%s): %s: %s", id, h.what, class, why)
				}
			}
		}
	}
}

// long is when a case is given up: how long files may take is asked by the command, on a machine that is not shared.
const long = 2 * time.Second

var errGone = fmt.Errorf("nobody asks what the undamaged file gives")

func unpacked(t *testing.T, name string) (base string, data []byte) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	base, isPacked := strings.CutSuffix(filepath.Base(name), ".gz")
	if !isPacked {
		return base, data
	}
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if data, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return base, data
}

// inProcess is try without a child.
func inProcess(t *testing.T, tree *pipeline.Pipeline, name string, data []byte) (out outcome) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			out.err = fmt.Errorf("the kernel process ended with a panic: %v", p)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	files := pipelinetest.Files{pipeline.Source: data}
	_, out.err = tree.Make(ctx, pipeline.Params{FileName: name}, []pipeline.Name{pipeline.Summary}, files, nil)
	if out.err == nil {
		out.err = json.Unmarshal(files[pipeline.Summary], &out.part)
		out.mesh = geom.Box{Min: out.part.Bounds.Min, Max: out.part.Bounds.Max}
	}
	return out
}
