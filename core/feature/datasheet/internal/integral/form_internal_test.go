package integral

import (
	"math"
	"testing"
)

// Projected area counts whichever side the surface faces, so that it grows beyond the equator of a sphere and the top
// of a tube.
func TestProjectedAreaNeverDecreases(t *testing.T) {
	for _, major := range []float64{0, 30} {
		for _, half := range []float64{1, -1} {
			w := ring{major: major, minor: 10, half: half}
			pole := half * math.Pi / 2
			for _, turn := range []float64{-3, -2, -1, 1, 2, 3} {
				if major == 0 && turn*half > 0 {
					continue // a sphere has no tube toward its axis
				}
				const steps = 20000
				var floor, wall float64
				for i := range steps {
					sin, cos := math.Sincos(pole + turn*(float64(i)+0.5)/steps)
					area := w.minor * (major + w.minor*cos) * turn / steps
					floor += area * math.Abs(sin)
					wall += area * math.Abs(cos)
				}
				got := w.between(pole, pole+turn)
				if math.Abs(got.Floor-floor) > 1e-4 || math.Abs(got.Wall-wall) > 1e-4 {
					t.Errorf("major %v, %v from pole %v: floor %v, wall %v, want %v, %v", major, turn, pole, got.Floor, got.Wall,
						floor, wall)
				}
			}
		}
	}
}
