// Package feature_test compares recognition and measurement on real files with labels, other kernels and invariants.
package feature_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
)

// sheets are the datasheets of a part with the features they belong to.
type sheets struct {
	run *recognize.Recognition
	all []feature.Datasheet
}

// read goes the whole way from a file to datasheets.
func read(t testing.TB, path string) sheets {
	t.Helper()
	run, err := recognized(t, path)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return measured(t, path, run)
}

func measured(t testing.TB, path string, run *recognize.Recognition) sheets {
	t.Helper()
	all, err := datasheet.Measure(t.Context(), run, datasheet.Options{})
	if err != nil {
		t.Fatalf("datasheets of %s: %v", path, err)
	}
	if len(all) != len(run.Features) {
		t.Fatalf("%s: %d datasheets for %d features", path, len(all), len(run.Features))
	}
	return sheets{run, all}
}

// recognized reads, tessellates and recognizes one file; err is the reader's.
func recognized(t testing.TB, path string) (*recognize.Recognition, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := cad.Read(t.Context(), f, st.Size(), path)
	if err != nil {
		return nil, err
	}
	r, err := tessellate.Mesh(t.Context(), m, tessellate.Options{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	run, err := recognize.Recognize(t.Context(), m, r.Mesh, compute.OnCPU(0))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return run, nil
}

// TestRealParts checks that the features of any file are found and measured in time, and are consistent. A follow-up
// job, which starts from the stored features, must find the same.
func TestRealParts(t *testing.T) {
	const most = time.Minute // a part takes under a second; a busy machine is slower
	parts := 0
	for n, path := range realParts(t) {
		if testing.Short() && n%10 != 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			start := time.Now()
			run, err := recognized(t, path)
			if failure := (*fault.Error)(nil); errors.As(err, &failure) {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			checkResult(t, path, run)
			s := measured(t, path, run)
			if took := time.Since(start); took > most {
				t.Errorf("took %v", took)
			}
			for i := range s.all {
				checkSheet(t, path, &run.Features[i], &s.all[i])
			}
			checkKinds(t, path, &s)
			checkStored(t, &s)
			parts++
		})
	}
	if parts < 15 || !testing.Short() && parts < 175 {
		t.Errorf("only %d parts", parts)
	}
}

// realParts lists the STEP files of the corpus, but for the sets that tests of labels read.
func realParts(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, folder := range []string{"step", "pairs/sldprt_step_ps2", "labelled/mfcad_vlm", "labelled/mftrcad_sample"} {
		err := filepath.WalkDir(filepath.Join(corpus.Dir(t), folder), func(path string, d fs.DirEntry, err error) error {
			if ext := strings.ToLower(filepath.Ext(path)); err == nil && slices.Contains([]string{".stp", ".step"}, ext) {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
