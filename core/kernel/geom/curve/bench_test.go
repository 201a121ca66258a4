package curve

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// longSpline returns a clamped cubic of n points along a helix.
func longSpline(t testing.TB, n int, rational bool) *BSpline {
	points := make([]geom.Vec3, n)
	var weights []float64
	for i := range points {
		s, c := math.Sincos(0.5 * float64(i))
		points[i] = geom.Vec3{X: 10 * c, Y: 10 * s, Z: float64(i)}
		if rational {
			weights = append(weights, 1+0.3*s)
		}
	}
	c, err := NewBSpline(3, bspline.QuasiUniformKnots(3, n), points, weights, false)
	return must(t, c, err)
}

func benchmarked(b *testing.B) []struct {
	name string
	c    Curve
} {
	return []struct {
		name string
		c    Curve
	}{
		{"circle", Circle{geom.World, 5}},
		{"ellipse", Ellipse{geom.World, 5, 3}},
		{"cubic20", longSpline(b, 20, false)},
		{"rational20", longSpline(b, 20, true)},
		{"cubic500", longSpline(b, 500, false)},
	}
}

var sinkVec geom.Vec3

func BenchmarkAt(b *testing.B) {
	for _, r := range benchmarked(b) {
		b.Run(r.name, func(b *testing.B) {
			dom, x := r.c.Domain(), 0.0
			for b.Loop() {
				sinkVec = r.c.At(dom.At(x))
				if x += 0.0317; x > 1 {
					x--
				}
			}
		})
	}
}

func BenchmarkD2(b *testing.B) {
	for _, r := range benchmarked(b) {
		b.Run(r.name, func(b *testing.B) {
			dom, x := r.c.Domain(), 0.0
			for b.Loop() {
				sinkVec, _, _ = r.c.D2(dom.At(x))
				if x += 0.0317; x > 1 {
					x--
				}
			}
		})
	}
}

// BenchmarkInvert inverts points 0.01 mm beside the curve.
func BenchmarkInvert(b *testing.B) {
	for _, r := range benchmarked(b) {
		b.Run(r.name, func(b *testing.B) {
			dom := r.c.Domain()
			var points [64]geom.Vec3
			for i := range points {
				points[i] = r.c.At(dom.At(float64(i) / 64)).Add(geom.Vec3{X: 0.006, Y: 0.008})
			}
			i := 0
			for b.Loop() {
				r.c.Invert(points[i&63])
				i++
			}
		})
	}
}

func BenchmarkBounds(b *testing.B) {
	for _, r := range benchmarked(b) {
		b.Run(r.name, func(b *testing.B) {
			for b.Loop() {
				r.c.Bounds(r.c.Domain())
			}
		})
	}
}

func BenchmarkSample(b *testing.B) {
	for _, r := range benchmarked(b) {
		b.Run(r.name, func(b *testing.B) {
			var dst []float64
			for b.Loop() {
				dst = AppendSamples(dst[:0], r.c, r.c.Domain(), 0.01, 0.35)
			}
			b.ReportMetric(float64(len(dst)-1), "segments")
		})
	}
}

func BenchmarkNewBSpline(b *testing.B) {
	c := longSpline(b, 20, true)
	knots := c.Knots().Flat()
	for b.Loop() {
		if _, err := NewBSpline(3, knots, c.Points(), c.Weights(), false); err != nil {
			b.Fatal(err)
		}
	}
}
