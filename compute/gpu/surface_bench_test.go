//go:build gpu

package gpu

import (
	"math/rand/v2"
	"testing"

	"millwright/compute/conform"
	"millwright/compute/cpu"
	"millwright/compute/kernel"
	"millwright/core/geom"
	"millwright/core/geom/surface"
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
		batch := kernel.SurfaceBatch{Surface: c.s}
		for range n {
			batch.U, batch.V = append(batch.U, rng.Float64()), append(batch.V, rng.Float64())
		}
		in := kernel.SurfaceInput{Batches: []kernel.SurfaceBatch{batch}}
		for name, e := range map[string]conform.SurfaceEvaluator{"cpu": cpu.New(0), "gpu": open(b)} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				for b.Loop() {
					if _, err := e.EvalSurface(b.Context(), in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
			})
		}
	}
}
