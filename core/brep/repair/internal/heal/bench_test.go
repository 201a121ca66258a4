package heal

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"millwright/adapters/cad/step"
	"millwright/bench/corpus"
	"millwright/compute/tessellate"
)

// BenchmarkShare heals real parts that need no repair, and reports the share of the time in percent that
// this takes of reading and meshing them.
func BenchmarkShare(b *testing.B) {
	dir := corpus.Dir(b)
	rows := corpus.Truths(b, "step/nist_ap203/")
	var healing, all time.Duration
	for b.Loop() {
		for _, row := range rows {
			data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row.File)))
			if err != nil {
				b.Fatal(err)
			}
			start := time.Now()
			m, err := step.Read(context.Background(), bytes.NewReader(data), int64(len(data)), step.Options{})
			if err != nil {
				b.Fatal(err)
			}
			read := time.Now()
			if err := Model(context.Background(), m); err != nil {
				b.Fatal(err)
			}
			healed := time.Now()
			if _, err := tessellate.Mesh(context.Background(), m, tessellate.Options{}); err != nil {
				b.Fatal(err)
			}
			healing += healed.Sub(read)
			all += time.Since(healed) + read.Sub(start)
		}
	}
	b.ReportMetric(100*healing.Seconds()/all.Seconds(), "%")
}
