package adaptive_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/toolpath/adaptive"
)

func BenchmarkClear(b *testing.B) {
	for _, diameter := range []float64{10, 20} {
		for _, name := range shapes {
			b.Run(name+map[float64]string{10: "/D10", 20: "/D20"}[diameter], func(b *testing.B) {
				l := areas{b}.shape(name, diameter, math.Pi/3)
				b.ReportAllocs()
				var r *adaptive.Result
				for b.Loop() {
					var err error
					if r, err = adaptive.Clear(b.Context(), l); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/length(r.Moves), "µs/mm")
			})
		}
	}
}

// length returns the length of the moves at the height of the level, mm.
func length(moves []adaptive.Move) float64 {
	sum := 0.0
	for i := 1; i < len(moves); i++ {
		if m := &moves[i]; m.Kind == adaptive.Cut || m.Kind == adaptive.Link {
			p := segmentOf(moves[i-1].To, m)
			sum += p.Length()
		}
	}
	return sum
}
