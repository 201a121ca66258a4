package model_test

import (
	"bytes"
	"testing"
	"time"

	"millwright.dev/millwright/adapters/cad/step"
	"millwright.dev/millwright/bench/corpus"
	"millwright.dev/millwright/compute/tessellate"
	"millwright.dev/millwright/core/kernel/brep/repair"
)

// BenchmarkShare repairs real parts that need none, and reports the share of the time in percent that this takes
// of reading and meshing them.
func BenchmarkShare(b *testing.B) {
	rows := corpus.Truths(b, "step/nist_ap203/")
	var healing, all time.Duration
	for b.Loop() {
		for _, row := range rows {
			data := content(b, row.File)
			start := time.Now()
			m, err := step.Read(b.Context(), bytes.NewReader(data), int64(len(data)), step.Options{})
			if err != nil {
				b.Fatal(err)
			}
			got := time.Now()
			if err := repair.Model(b.Context(), m); err != nil {
				b.Fatal(err)
			}
			healed := time.Now()
			if _, err := tessellate.Mesh(b.Context(), m, tessellate.Options{}); err != nil {
				b.Fatal(err)
			}
			healing += healed.Sub(got)
			all += time.Since(healed) + got.Sub(start)
		}
	}
	b.ReportMetric(100*healing.Seconds()/all.Seconds(), "%")
}
