package cpu

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"millwright/compute/conform/body"
	"millwright/core/mesh"
)

func BenchmarkVisible(b *testing.B) { benchVisible(b, body.Ball(rand.New(rand.NewPCG(1, 1)), 6, 0.4)) }

func benchVisible(b *testing.B, m *mesh.Mesh) {
	s := newSampler(m, m.Bounds().Diagonal())
	rays := 0
	for i := range m.Triangles {
		for _, d := range sides {
			if s.corners[i][0].Dot(d) >= -grazing {
				k := s.splits(&m.Triangles[i])
				rays += max(k*k, 3)
			}
		}
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				if _, err := New(threads).Visible(context.Background(), m, sides); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rays*b.N)/b.Elapsed().Seconds()/1e6, "Mrays/s")
		})
	}
}
