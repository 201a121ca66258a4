package datasheet_test

import (
	"context"
	"path/filepath"
	"testing"

	"millwright/bench/corpus"
	"millwright/core/feature/datasheet"
)

// BenchmarkMeasure measures the datasheets of a part of 664 faces that is recognised already.
func BenchmarkMeasure(b *testing.B) {
	s := read(b, filepath.Join(corpus.Dir(b), "step/nist_ap203/nist_ctc_02_asme1_rc.stp"))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := datasheet.Measure(context.Background(), s.run, datasheet.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
