package feature_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/cad"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/mass"
	"millwright.dev/millwright/core/kernel/geom"
)

// twin is one of two files of the same part.
type twin struct {
	model        *brep.Model
	volume, area float64 // mm³, mm²
	bounds       geom.Box
	isWatertight bool
	features     []string // kinds and sizes, sorted
}

// Native parts have the solids, the size and the features that they have as STEP files of the same system.
func TestNativeTwins(t *testing.T) {
	const volumeShare, areaShare, length = 0.0005, 0.001, 1e-3 // of the volume, of the area, mm
	names, err := filepath.Glob(filepath.Join(corpus.Dir(t), "pairs", "sldprt_step_ps2", "*.SLDPRT"))
	if err != nil || len(names) != 13 {
		t.Fatalf("%d pairs: %v", len(names), err)
	}
	for i, name := range names {
		if testing.Short() && i%4 != 2 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			native, exchange := readTwin(t, name), readTwin(t, strings.TrimSuffix(name, "SLDPRT")+"STEP")
			if got, want := len(native.model.Solids), len(exchange.model.Solids); got != want {
				t.Errorf("%d solids, want %d; warnings %v", got, want, native.model.Warnings)
			}
			if off := math.Abs(native.volume/exchange.volume - 1); !(off <= volumeShare) {
				t.Errorf("volume %g, want %g: %.3f %% off", native.volume, exchange.volume, 100*off)
			}
			if off := math.Abs(native.area/exchange.area - 1); !(off <= areaShare) {
				t.Errorf("area %g, want %g: %.3f %% off", native.area, exchange.area, 100*off)
			}
			off := max(native.bounds.Min.Dist(exchange.bounds.Min), native.bounds.Max.Dist(exchange.bounds.Max))
			if !(off <= length) {
				t.Errorf("bounds %v, want %v: %g mm off", native.bounds, exchange.bounds, off)
			}
			if !native.isWatertight {
				t.Error("the mesh is not watertight")
			}
			got, want := native.features, exchange.features
			if !slices.Equal(got, want) {
				t.Errorf("features that the STEP file does not have: %q; that it has besides: %q",
					without(got, want), without(want, got))
			}
		})
	}
}

func readTwin(t *testing.T, path string) twin {
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
	var w twin
	if w.model, _, err = cad.Read(t.Context(), f, st.Size(), path); err != nil {
		t.Fatal(err)
	}
	exact, err := mass.Compute(t.Context(), w.model)
	if err != nil {
		t.Fatal(err)
	}
	w.volume, w.area, w.bounds = exact.Volume, exact.Area, exact.Bounds
	r, err := tessellate.Mesh(t.Context(), w.model, tessellate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w.isWatertight = r.Report.Watertight
	run, err := recognize.Recognize(t.Context(), w.model, r.Mesh, compute.OnCPU(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := range run.Features {
		w.features = append(w.features, said(&run.Features[i]))
	}
	slices.Sort(w.features)
	return w
}

// said is the kind of a feature with its direction.
func said(f *feature.Feature) string {
	return fmt.Sprintf("%s along %.1f", f.Type, f.Direction)
}

// without returns the elements that a sorted list contains more often than another one.
func without(a, b []string) (rest []string) {
	for _, s := range a {
		if at := slices.Index(b, s); at >= 0 {
			b = slices.Delete(slices.Clone(b), at, at+1)
		} else {
			rest = append(rest, s)
		}
	}
	return rest
}

// BenchmarkNativeTwins reads and meshes both files of every pair in turn, and reports the least processor time of each
// per face (µs), as other work on the machine only adds to it, and the ratio of the native file's to the exchange
// file's.
func BenchmarkNativeTwins(b *testing.B) {
	names, err := filepath.Glob(filepath.Join(corpus.Dir(b), "pairs", "sldprt_step_ps2", "*.SLDPRT"))
	if err != nil || len(names) == 0 {
		b.Fatalf("%d pairs: %v", len(names), err)
	}
	for _, name := range names {
		b.Run(filepath.Base(name), func(b *testing.B) {
			perFace := [2]float64{math.Inf(1), math.Inf(1)}
			for b.Loop() {
				for i, suffix := range []string{"SLDPRT", "STEP"} {
					perFace[i] = min(perFace[i], meshTime(b, strings.TrimSuffix(name, "SLDPRT")+suffix))
				}
			}
			for i, unit := range []string{"native-µs/face", "step-µs/face"} {
				b.ReportMetric(perFace[i], unit)
			}
			b.ReportMetric(perFace[0]/perFace[1], "ratio")
		})
	}
}

// meshTime reads and meshes a file, and returns the processor time that it took per face, µs.
func meshTime(b *testing.B, name string) float64 {
	data, err := os.ReadFile(name)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC() // of the file before
	start := processorTime(b)
	m, _, err := cad.Read(b.Context(), bytes.NewReader(data), int64(len(data)), name)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := tessellate.Mesh(b.Context(), m, tessellate.Options{}); err != nil {
		b.Fatal(err)
	}
	return float64((processorTime(b) - start).Nanoseconds()) / 1e3 / float64(len(m.Faces))
}

// processorTime returns the processor time of this process.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
