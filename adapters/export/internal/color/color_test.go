package color

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/kernel/brep"
)

func TestLinear(t *testing.T) {
	for _, c := range []struct {
		name string
		in   brep.Color
		want [3]float64
	}{
		{"ends", brep.Color{R: 0, G: 1, B: 0}, [3]float64{0, 1, 0}},
		{"middle gray", brep.Color{R: 0.5, G: 0.5, B: 0.5}, [3]float64{0.21404, 0.21404, 0.21404}},
		{"straight part", brep.Color{R: 0.04, G: 0.0404, B: 0.01}, [3]float64{0.003096, 0.003127, 0.000774}},
		{"out of range", brep.Color{R: -1, G: 7, B: math.NaN()}, [3]float64{0, 1, 0}},
	} {
		got := Linear(c.in)
		for k := range got {
			if math.Abs(got[k]-c.want[k]) > 1e-5 {
				t.Errorf("%s: Linear(%v) = %v, want %v", c.name, c.in, got, c.want)
				break
			}
		}
	}
}

func TestEncodeInvertsLinear(t *testing.T) {
	for i := range 256 {
		v := float64(i) / 255
		if got := Encode(Linear(brep.Color{R: v})[0]); math.Abs(got-v) > 1e-6 {
			t.Errorf("Encode(Linear(%g)) = %g", v, got)
		}
	}
}

func TestOfRegion(t *testing.T) {
	red := brep.Color{R: 1}
	colors := []*brep.Color{nil, &red}
	for region, want := range []brep.Color{Steel, red, Steel} {
		if got := OfRegion(colors, region); got != want {
			t.Errorf("region %d: %v, want %v", region, got, want)
		}
	}
}
