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
	l := layout{sampler: newSampler(m, m.Bounds().Diagonal())}
	rays := 0
	for i := range m.Triangles {
		for _, d := range sides {
			if l.corners[i][0].Dot(d) >= -grazing {
				before := len(l.points)
				l.triangle(i)
				rays += len(l.points) - before
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
