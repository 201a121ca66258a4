//go:build gpu

package evalsurface_test

import (
	"math/rand/v2"
	"testing"

	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

func BenchmarkEvalSurface(b *testing.B) {
	const n = 100_000
	rng := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name string
		s    surface.Surface
	}{
		{"cylinder", surface.Cylinder{Frame: geom.World, Radius: 10}},
		{"torus", surface.Torus{Frame: geom.World, Major: 10, Minor: 2}},
		{"cubic", wavy(b, geom.World, 3, 20, false)},
		{"rational cubic", wavy(b, geom.World, 3, 20, true)},
		{"degree 7", wavy(b, geom.World, 7, 20, false)},
	} {
		batch := evalsurface.Batch{Surface: c.s}
		for range n {
			batch.U, batch.V = append(batch.U, rng.Float64()), append(batch.V, rng.Float64())
		}
		in := evalsurface.Input{Batches: []evalsurface.Batch{batch}}
		for name, e := range map[string]primitive.Runner{"cpu": primitive.OnCPU(0),
			"gpu": primitive.OnGPU(primitivetest.GPU(b))} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := evalsurface.Primitive.Run(b.Context(), e, in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
			})
		}
	}
}
