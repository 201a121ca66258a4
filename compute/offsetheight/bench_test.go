package offsetheight_test

import (
	"fmt"
	"testing"

	"millwright.dev/millwright/compute/heightmap"
	"millwright.dev/millwright/compute/offsetheight"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// One thread; the tools have 797 taps (a radius of 16 cells) and 31,417 (100 cells).
func BenchmarkOffset(b *testing.B) {
	grid := grid.Grid{Step: 100.0 / 1024, Width: 1024, Height: 1024}
	surface, err := heightmap.Primitive.Run(b.Context(), primitive.OnCPU(1),
		heightmap.Input{Mesh: solids.Hills(500), Frame: geom.World, Grid: grid})
	if err != nil {
		b.Fatal(err)
	}
	noise := make([]float32, len(surface.Z))
	for i := range noise {
		noise[i] = float32((i*7919)%1000) / 20
	}
	for name, z := range map[string][]float32{"part": surface.Z, "noise": noise} {
		for _, r := range []float64{16, 100} {
			d := 2 * r * grid.Step
			for kind, tool := range map[string]toolprofile.Profile{
				"flat": toolprofile.EndMill(d, 0, 100), "ball": toolprofile.EndMill(d, d/2, 100),
				"bull": toolprofile.EndMill(d, d/8, 100), "drill": toolprofile.Drill(d, geom.Radians(118), 100),
			} {
				in := offsetheight.Input{Grid: grid, Z: z, Tool: tool}
				b.Run(fmt.Sprintf("%s/%s/cells=%g", name, kind, r), func(b *testing.B) {
					for b.Loop() {
						if _, err := offsetheight.Primitive.Run(b.Context(), primitive.OnCPU(1), in); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
