//go:build gpu

package evalsurface_test

import (
	"log/slog"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"millwright.dev/millwright/compute/device"
	"millwright.dev/millwright/compute/device/devicetest"
	"millwright.dev/millwright/compute/device/opengl"
	"millwright.dev/millwright/compute/evalsurface"
	"millwright.dev/millwright/compute/evalsurface/evalsurfacetest"
	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/primitivetest"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// TestGPUKeepsRegularSamples wants the estimates of the shaders to be sharp enough that hardly any sample of
// an ordinary surface is done again.
func TestGPUKeepsRegularSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	f := geom.NewFrame(geom.Vec3{X: 1e4, Y: -2e4}, geom.Vec3{X: 1, Y: 2, Z: 3}, geom.Vec3{X: 1})
	e := primitivetest.GPU(t)
	for _, c := range []struct {
		name string
		s    surface.Surface
		most float64 // share of samples in doubt
		span geom.Interval
	}{
		{"plane", surface.Plane{Frame: f}, 0, geom.Interval{Lo: -10, Hi: 90}},
		{"cylinder", surface.Cylinder{Frame: f, Radius: 3}, 0, geom.Interval{Lo: 0, Hi: 6}},
		{"cone", surface.Cone{Frame: f, Radius: 3, HalfAngle: 0.5}, 0, geom.Interval{Lo: 0, Hi: 6}},
		{"sphere", surface.Sphere{Frame: f, Radius: 3}, 0, geom.Interval{Lo: -1.5, Hi: 1.5}},
		{"torus", surface.Torus{Frame: f, Major: 3, Minor: 1}, 0, geom.Interval{Lo: 0, Hi: 6}},
		{"cubic", wavy(t, f, 3, 30, false), 0.001, geom.Interval{Hi: 1}},
		{"rational cubic", wavy(t, f, 3, 30, true), 0.02, geom.Interval{Hi: 1}},
		{"degree 6", wavy(t, f, 6, 30, false), 0.01, geom.Interval{Hi: 1}},
		{"degree 12", wavy(t, f, 12, 30, false), 0.1, geom.Interval{Hi: 1}},
	} {
		b := evalsurface.Batch{Surface: c.s}
		for range 5000 {
			b.U = append(b.U, c.span.At(rng.Float64()))
			b.V = append(b.V, c.span.At(rng.Float64()))
		}
		before := e.Stats().Redone
		if _, err := evalsurface.Primitive.Run(t.Context(), primitive.OnGPU(e),
			evalsurface.Input{Batches: []evalsurface.Batch{b}}); err != nil {
			t.Fatal(err)
		}
		if share := float64(e.Stats().Redone-before) / 5000; share > c.most {
			t.Errorf("%s: %.4f of the samples are in doubt, at most %g expected", c.name, share, c.most)
		}
	}
}

// wavy is a sheet of n × n control points on a grid of 10 mm.
func wavy(t testing.TB, f geom.Frame, degree, n int, rational bool) surface.Surface {
	t.Helper()
	points, weights := make([]geom.Vec3, n*n), []float64(nil)
	for i := range points {
		x, y := float64(i/n), float64(i%n)
		points[i] = f.Point(geom.Vec3{X: 10 * x, Y: 10 * y, Z: 4 * math.Sin(x) * math.Cos(0.7*y)})
		if rational {
			weights = append(weights, 1+0.3*math.Sin(3*x+y))
		}
	}
	k := bspline.QuasiUniformKnots(degree, n)
	last := k[len(k)-1]
	for i := range k {
		k[i] /= last
	}
	s, err := surface.NewBSpline(degree, degree, k, k, points, weights)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestGPULostInTheMiddle takes the device away between the dispatches of one call, and gives it back.
func TestGPULostInTheMiddle(t *testing.T) {
	var faults devicetest.Faults
	now := time.Now()
	e, err := opengl.Open(device.GPUOptions{
		Software: true, Poison: true, Now: func() time.Time { return now },
		Openers: func() []device.Opener { return faults.Over(opengl.Openers()) },
		Logger:  slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	faults.Dispatch(3, device.Lost)
	b := evalsurface.Batch{Surface: surface.Sphere{Frame: geom.World, Radius: 1}}
	b.U, b.V = make([]float64, 50000), make([]float64, 50000)
	_, err = evalsurface.Primitive.Run(t.Context(), primitive.OnGPU(e),
		evalsurface.Input{Batches: []evalsurface.Batch{b}})
	if reason, _ := device.ReasonOf(err); reason != device.Lost {
		t.Fatalf("reason %q of %v", reason, err)
	}
	faults.Dispatch(0, "")
	now = now.Add(5 * time.Second)
	evalsurfacetest.Suite(t, primitive.OnGPU(e))
}
