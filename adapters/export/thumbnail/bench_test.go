package thumbnail

import (
	"testing"

	"millwright.dev/millwright/adapters/export/internal/testmesh"
	"millwright.dev/millwright/core/kernel/geom"
)

// BenchmarkRender draws 100 000 triangles: one large sphere before many small ones.
func BenchmarkRender(b *testing.B) {
	m := testmesh.Sphere(geom.Vec3{}, 100, 100)
	for i := range 50 {
		at := geom.Vec3{X: float64(i%10)*30 - 150, Y: -120, Z: float64(i/10)*40 - 80}
		m = testmesh.Join(m, testmesh.Sphere(at, 14, 20))
	}
	for b.Loop() {
		if _, err := Render(m, nil, Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(m.Triangles)), "triangles")
}
