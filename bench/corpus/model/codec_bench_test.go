package model_test

import (
	"path/filepath"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/codec"
)

// The parts that benchmarks store: one of planes and cylinders, one of splines.
var stored = []string{"step/nist_ap203/nist_ctc_02_asme1_rc.stp", "step/nist_ap242/nist_ftc_08_asme1_ap242-e1-tg.stp", "step/analysis_situs/ANC101-ill.stp", "pairs/catpart_igs_kramakr/gear.igs"}

func BenchmarkRead(b *testing.B) {
	for _, f := range stored {
		b.Run(filepath.Base(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustRead(b, f)
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, f := range stored {
		m := mustRead(b, f)
		b.Run(filepath.Base(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(len(codec.Encode(m))))
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, f := range stored {
		data := codec.Encode(mustRead(b, f))
		b.Run(filepath.Base(f), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := codec.Decode(data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}

func mustRead(b *testing.B, file string) *brep.Model {
	b.Helper()
	m, err := read(b, file)
	if err != nil {
		b.Fatal(err)
	}
	return m
}
