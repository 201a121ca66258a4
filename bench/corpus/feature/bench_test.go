package feature_test

import (
	"path/filepath"
	"testing"

	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/core/feature/datasheet"
	"millwright.dev/millwright/core/feature/recognize"
)

// BenchmarkMeasure measures the datasheets of a part of 664 faces that is recognized already.
func BenchmarkMeasure(b *testing.B) {
	s := read(b, filepath.Join(corpus.Dir(b), "step/nist_ap203/nist_ctc_02_asme1_rc.stp"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := datasheet.Measure(b.Context(), s.run, datasheet.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFollowUp measures a job for the datasheets of two features: once from the stored results, and once
// completely from the file.
func BenchmarkFollowUp(b *testing.B) {
	path := filepath.Join(corpus.Dir(b), "step/nist_ap203/nist_ctc_02_asme1_rc.stp")
	s := read(b, path)
	saved := store(&s)
	asked := make([]bool, len(s.all))
	asked[len(asked)/3], asked[len(asked)-1] = true, true
	measure := func(b *testing.B, run *recognize.Recognition) {
		if _, err := datasheet.Measure(b.Context(), run, datasheet.Options{Only: asked}); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("stored", func(b *testing.B) {
		for b.Loop() {
			run := saved.restore(b)
			measure(b, run)
		}
		b.ReportMetric(float64(len(saved.model)+len(saved.mesh)+len(saved.run)), "bytes")
	})
	b.Run("restore", func(b *testing.B) {
		run := saved.restore(b)
		for b.Loop() {
			if _, err := recognize.Restore(run.Graph.Model, run.Graph.Mesh, saved.run); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(saved.run)), "bytes")
	})
	b.Run("two", func(b *testing.B) {
		for b.Loop() {
			measure(b, s.run)
		}
	})
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			read(b, path)
		}
	})
}
