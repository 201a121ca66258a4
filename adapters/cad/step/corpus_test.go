package step

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/kernel/brep"
)

// exception is the reason why a file's figures differ from the reference kernel.
type exception struct {
	faces  int // the result of this reader
	reason string
}

// exceptions are the files whose figures differ, each because of the reference kernel.
var exceptions = map[string]exception{
	"step/analysis_situs/tie_rod.step": {60, "the file has 60 ADVANCED_FACEs; " +
		"the reference kernel splits 8 B-spline surfaces at their kinks"},
}

func readFile(t testing.TB, path string) (*brep.Model, error) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return Read(context.Background(), bytes.NewReader(data), int64(len(data)), Options{})
}

// TestCorpusCounts reads every STEP file of the corpus. If the reference kernel finds solids, the solids and faces must
// be equal. A file without a shape must fail, unless it has triangles.
func TestCorpusCounts(t *testing.T) {
	dir := corpus.Dir(t)
	files, perfect := 0, 0
	for _, row := range corpus.Truths(t, "") {
		if !row.IsSTEP() {
			continue
		}
		m, err := readFile(t, filepath.Join(dir, filepath.FromSlash(row.File)))
		if row.Faces == 0 {
			if err == nil && hasWarning(m, "tessellated_shape") == nil {
				t.Errorf("%s: read %d solids and %d faces, want a failure", row.File, len(m.Solids), len(m.Faces))
			}
			continue
		}
		files++
		if err != nil {
			t.Errorf("%s: %v", row.File, err)
			continue
		}
		faces := row.Faces
		if e, ok := exceptions[row.File]; ok {
			faces = e.faces
		}
		if len(m.Faces) != faces || row.Solids > 0 && len(m.Solids) != row.Solids {
			t.Errorf("%s: %d solids and %d faces, want %d and %d",
				row.File, len(m.Solids), len(m.Faces), row.Solids, faces)
		}
		if problems := brep.Check(m); len(problems) == 0 {
			perfect++
		} else if _, known := defects[row.File]; !known {
			t.Errorf("%s: %d problems, the first: %s", row.File, len(problems), problems[0].Message)
		}
	}
	if files == 0 {
		t.Fatal("no file was read")
	}
	t.Logf("%d files with faces, %d of them without any topological problem", files, perfect)
}

// defects are the files whose own topology is at fault.
var defects = map[string]string{
	"step/analysis_situs/gehause_rohteil.stp": "four faces meet in edge #1678",
}

// TestSameModelOnAnyNumberOfCores compares the models read on one core and on all.
func TestSameModelOnAnyNumberOfCores(t *testing.T) {
	dir := corpus.Dir(t)
	for _, name := range []string{
		"step/nist_ap203/nist_ctc_02_asme1_rc.stp", "step/stepcode/ap214e3/as1-oc-214.stp",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		many, err := readFile(t, path)
		if err != nil {
			t.Fatal(err)
		}
		cores := runtime.GOMAXPROCS(1)
		one, err := readFile(t, path)
		runtime.GOMAXPROCS(cores)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(one, many) {
			t.Errorf("%s: the models differ", name)
		}
	}
}

// BenchmarkRead reports the time for each MB of text of real parts.
func BenchmarkRead(b *testing.B) {
	dir := corpus.Dir(b)
	for _, name := range []string{
		"step/nist_ap203/nist_ctc_02_asme1_rc.stp", "step/nist_ap242/nist_stc_08_asme1_ap242-e3.stp",
		"step/odri/lower_leg_structure_base.STEP", "step/stepcode/ap214e3/as1-oc-214.stp",
	} {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(name), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(context.Background(), bytes.NewReader(data), int64(len(data)),
					Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N)/(float64(len(data))/1e6), "ms/MB")
		})
	}
}
