package height

import (
	"context"
	"fmt"
	"math"
	"testing"

	"millwright/compute/kernel"
	"millwright/compute/tool"
	"millwright/core/geom"
	"millwright/core/mesh"
)

// serial runs the tasks one after the other.
func serial(ctx context.Context, tasks int, worker func() func(int)) error {
	do := worker()
	for task := range tasks {
		do(task)
	}
	return ctx.Err()
}

// hills makes a mesh of n × n cells over 100 × 100 mm, with steps like those of a milled part.
func hills(n int) *mesh.Mesh {
	m := &mesh.Mesh{}
	for j := range n + 1 {
		for i := range n + 1 {
			x, y := 100*float64(i)/float64(n), 100*float64(j)/float64(n)
			z := 5*math.Sin(x/9)*math.Cos(y/7) + 10*math.Floor(x/30)
			m.Points = append(m.Points, geom.Vec3{X: x, Y: y, Z: z})
		}
	}
	for j := range n {
		for i := range n {
			a := int32(j*(n+1) + i)
			b, c, d := a+1, a+int32(n)+1, a+int32(n)+2
			m.Triangles = append(m.Triangles, [3]int32{a, b, d}, [3]int32{a, d, c})
		}
	}
	return m
}

func grid(n int) kernel.Grid {
	return kernel.Grid{Step: 100 / float64(n), Width: n, Height: n}
}

func BenchmarkMap(b *testing.B) {
	for _, n := range []int{200, 1000} {
		for _, sampling := range []kernel.Sampling{kernel.Centre, kernel.Cover} {
			in := kernel.HeightMapInput{Mesh: hills(n), Frame: geom.World, Grid: grid(1024), Sampling: sampling}
			b.Run(fmt.Sprintf("triangles=%d/sampling=%d", len(in.Mesh.Triangles), sampling), func(b *testing.B) {
				for b.Loop() {
					if _, err := Map(context.Background(), &in, serial); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(in.Grid.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mcells/s")
			})
		}
	}
}

// One thread; the tools have 797 taps (a radius of 16 cells) and 31,417 (100 cells).
func BenchmarkOffset(b *testing.B) {
	surface, err := Map(context.Background(),
		&kernel.HeightMapInput{Mesh: hills(500), Frame: geom.World, Grid: grid(1024)}, serial)
	if err != nil {
		b.Fatal(err)
	}
	noise := make([]float32, len(surface.Z))
	for i := range noise {
		noise[i] = float32((i*7919)%1000) / 20
	}
	for name, z := range map[string][]float32{"part": surface.Z, "noise": noise} {
		for _, r := range []float64{16, 100} {
			d := 2 * r * grid(1024).Step
			for kind, tool := range map[string]tool.Profile{
				"flat": tool.EndMill(d, 0, 100), "ball": tool.EndMill(d, d/2, 100),
				"bull": tool.EndMill(d, d/8, 100), "drill": tool.Drill(d, geom.Radians(118), 100),
			} {
				in := kernel.OffsetHeightInput{Grid: grid(1024), Z: z, Tool: tool}
				b.Run(fmt.Sprintf("%s/%s/cells=%g", name, kind, r), func(b *testing.B) {
					for b.Loop() {
						if _, err := Offset(context.Background(), &in, serial); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

func BenchmarkDrop(b *testing.B) {
	for kind, tool := range map[string]tool.Profile{
		"flat": tool.EndMill(4, 0, 100), "ball": tool.EndMill(4, 2, 100), "bull": tool.EndMill(4, 1, 100),
		"drill": tool.Drill(4, geom.Radians(118), 100),
	} {
		in := kernel.DropCutterInput{Mesh: hills(150), Frame: geom.World, Grid: grid(1024), Tool: tool}
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				if _, err := Drop(context.Background(), &in, serial); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(in.Grid.Len()*b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
		})
	}
}
