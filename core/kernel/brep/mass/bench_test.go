package mass

import (
	"context"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/build"
	"millwright.dev/millwright/core/kernel/geom"
)

// perforated is a plate of 4·n + 6 faces or so: n·n blind holes with drill tips.
func perforated(n int) *brep.Model {
	var holes []build.Hole
	for i := range n {
		for j := range n {
			at := geom.Vec2{X: 10 * float64(i+1), Y: 10 * float64(j+1)}
			holes = append(holes, build.Hole{Center: at, Profile: build.Blind(6, 5, 2)})
		}
	}
	size := 10 * float64(n+1)
	return build.Plate(geom.Vec3{X: size, Y: size, Z: 10}, build.Style{Seams: build.HalfFaces}, holes...)
}

func BenchmarkPlate(b *testing.B) {
	benchmark(b, perforated(13))
}

func BenchmarkFreeform(b *testing.B) {
	m, err := build.Freeform(perforated(5), 0)
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, m)
}

func BenchmarkSwept(b *testing.B) {
	benchmark(b, splined(b, perforated(5), 0, build.Form{Insert: 2}))
}

func BenchmarkTurned(b *testing.B) {
	benchmark(b, splined(b, build.Torus(5, 2, 0), 0, build.Form{Insert: 2}))
}

func benchmark(b *testing.B, m *brep.Model) {
	b.Helper()
	for b.Loop() {
		if _, err := Compute(context.Background(), m); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(m.Faces)), "faces")
}
