package heightmap_test

import (
	"fmt"
	"testing"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

func BenchmarkMap(b *testing.B) {
	for _, n := range []int{200, 1000} {
		for _, sampling := range []heightmap.Sampling{heightmap.Center, heightmap.Cover} {
			in := heightmap.Input{Mesh: solids.Hills(n), Frame: geom.World, Sampling: sampling,
				Grid: grid.Grid{Step: 100.0 / 1024, Width: 1024, Height: 1024}}
			b.Run(fmt.Sprintf("triangles=%d/sampling=%d", len(in.Mesh.Triangles), sampling), func(b *testing.B) {
				for b.Loop() {
					if _, err := heightmap.Primitive.Run(b.Context(), primitive.OnCPU(1), in); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(in.Grid.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mcells/s")
			})
		}
	}
}
