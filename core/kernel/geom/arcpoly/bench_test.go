package arcpoly_test

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// pocket is a pocket with four islands of 6,400 vertices in all, every wall wavy.
func pocket() []planar.Loop {
	wavy := func(at geom.Vec2, n int, radius, wave float64, waves int) planar.Loop {
		points := make([]geom.Vec2, n)
		for i := range points {
			angle := 2 * math.Pi * float64(i) / float64(n)
			s, c := math.Sincos(angle)
			points[i] = at.Add(pt(c, s).Scale(radius + wave*math.Sin(angle*float64(waves))))
		}
		return polygon(points...)
	}
	loops := []planar.Loop{wavy(pt(0, 0), 3200, 80, 6, 11)}
	for i, at := range []geom.Vec2{pt(40, 0), pt(0, 40), pt(-40, 0), pt(0, -40)} {
		loops = append(loops, wavy(at, 800, 10, 1.5, 5+i).Reverse())
	}
	return loops
}

func BenchmarkOffsetChain(b *testing.B) {
	start := made(b, pocket()...)
	b.ReportAllocs()
	for b.Loop() {
		a, sum := start, 0.0
		for range 100 {
			next, err := a.Offset(-0.25)
			if err != nil {
				b.Fatal(err)
			}
			a = next
			sum += a.Size()
		}
		b.ReportMetric(sum, "mm²")
	}
}

func BenchmarkOffsetApart(b *testing.B) {
	a := made(b, pocket()...)
	b.ReportAllocs()
	for b.Loop() {
		sum := 0.0
		for i := range 100 {
			next, err := a.Offset(-0.25 * float64(i+1))
			if err != nil {
				b.Fatal(err)
			}
			sum += next.Size()
		}
		b.ReportMetric(sum, "mm²")
	}
}
