package dropcutter_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/dropcutter"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest/solids"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

func BenchmarkPlaces(b *testing.B) {
	m := solids.Hills(150)
	over, err := dropcutter.NewTerrain(b.Context(), m, geom.World, primitive.OnCPU(1))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("terrain", func(b *testing.B) {
		for b.Loop() {
			if _, err := dropcutter.NewTerrain(b.Context(), m, geom.World, primitive.OnCPU(1)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(m.Triangles)*b.N)/b.Elapsed().Seconds()/1e6, "Mtriangles/s")
	})
	var at []geom.Vec3
	for i := range 1 << 14 {
		at = append(at, geom.Vec3{X: float64(i%128) / 1.28, Y: float64(i/128) / 1.28, Z: math.Inf(-1)})
	}
	for kind, tool := range map[string]toolprofile.Profile{
		"flat": toolprofile.EndMill(10, 0, 100), "ball": toolprofile.EndMill(10, 5, 100),
		"none": toolprofile.EndMill(1e-3, 0, 100),
	} {
		in := dropcutter.PointsInput{Over: over, Tool: tool, At: at}
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := dropcutter.AtPoints.Run(b.Context(), primitive.OnCPU(1), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(at)*b.N)/b.Elapsed().Seconds()/1e6, "Mplaces/s")
		})
	}
}

func BenchmarkDrop(b *testing.B) {
	for kind, tool := range map[string]toolprofile.Profile{
		"flat": toolprofile.EndMill(4, 0, 100), "ball": toolprofile.EndMill(4, 2, 100),
		"bull":  toolprofile.EndMill(4, 1, 100),
		"drill": toolprofile.Drill(4, geom.Radians(118), 100),
	} {
		in := dropcutter.Input{Mesh: solids.Hills(150), Frame: geom.World, Tool: tool,
			Grid: grid.Grid{Step: 100.0 / 1024, Width: 1024, Height: 1024}}
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := dropcutter.Primitive.Run(b.Context(), primitive.OnCPU(1), in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(in.Grid.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
		})
	}
}
