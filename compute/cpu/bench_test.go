package cpu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"millwright/core/geom"
	"millwright/core/mesh"
)

func BenchmarkBuild(b *testing.B) {
	m := bumpy(rand.New(rand.NewPCG(1, 1)), 6, 0.4)
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			for b.Loop() {
				mustBVH(b, m, threads)
			}
			b.ReportMetric(float64(len(m.Triangles)*b.N)/b.Elapsed().Seconds()/1e6, "Mtri/s")
		})
	}
}

// The rays start at triangle centroids, lifted off along 64 directions spread over the sphere.
func BenchmarkRays(b *testing.B) { benchRays(b, bumpy(rand.New(rand.NewPCG(1, 1)), 6, 0.4)) }

func benchRays(b *testing.B, m *mesh.Mesh) {
	tree := mustBVH(b, m, 1)
	dirs := make([]geom.Vec3, 64)
	for i := range dirs {
		z := 1 - 2*(float64(i)+0.5)/float64(len(dirs))
		s, c := math.Sincos(float64(i) * math.Pi * (3 - math.Sqrt(5)))
		r := math.Sqrt(1 - z*z)
		dirs[i] = geom.Vec3{X: r * c, Y: r * s, Z: z}
	}
	start := make([]geom.Vec3, len(m.Triangles))
	for i, t := range m.Triangles {
		start[i] = m.Points[t[0]].Add(m.Points[t[1]]).Add(m.Points[t[2]]).Scale(1.0 / 3)
	}
	lift := grazing * tree.diag
	hits, rays := 0, 0
	for b.Loop() {
		d := dirs[rays/len(start)%len(dirs)]
		for _, p := range start {
			if tree.Occluded(p.AddScaled(lift, d), d, 0, math.Inf(1)) {
				hits++
			}
		}
		rays += len(start)
	}
	report(b, rays, hits)
}

func report(b *testing.B, rays, hits int) {
	b.ReportMetric(float64(rays)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	b.ReportMetric(float64(hits)/float64(rays), "blocked")
}

func BenchmarkVisible(b *testing.B) { benchVisible(b, bumpy(rand.New(rand.NewPCG(1, 1)), 6, 0.4)) }

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
