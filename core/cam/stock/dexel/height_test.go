package dexel

import (
	"math"
	"testing"

	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/kernel/geom"
)

// TestHeightMapOfABar looks at a bar along y from above, from below and along its axis.
func TestHeightMapOfABar(t *testing.T) {
	l := Lattice{Origin: geom.Vec3{X: -4, Y: -3, Z: 10}, Step: 0.5, Count: [3]int{16, 12, 16}}
	bar, err := NewBar(l, geom.Vec3{Y: -2, Z: 14}, 1, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		bundle int
		down   bool
		want   func(x, y float64) float64
	}{
		{"from above", 2, false, func(x, y float64) float64 { return 14 + half(x, y) }},
		{"from below", 2, true, func(x, y float64) float64 { return -14 + half(x, y) }},
		{"along", 1, false, func(x, z float64) float64 {
			if x*x+(z-14)*(z-14) > 9 {
				return math.Inf(-1)
			}
			return 2
		}},
	} {
		g, z := bar.HeightMap(row.bundle, row.down)
		if err := g.Check(); err != nil || len(z) != g.Len() {
			t.Fatalf("%s: %d heights of %d cells, %v", row.name, len(z), g.Len(), err)
		}
		for j := range g.Height {
			for i := range g.Width {
				x, y := g.X+float64(i)*g.Step, g.Y+float64(j)*g.Step
				got, want := float64(z[j*g.Width+i]), row.want(x, y)
				if got != want && !(math.Abs(got-want) < 1e-5) {
					t.Errorf("%s: height %g at (%g, %g), want %g", row.name, got, x, y, want)
				}
			}
		}
	}
	bar.Bundles[0] = Bundle{Start: make([]int32, l.Rays(0)+1)}
	if _, z := bar.HeightMap(0, false); z[7] != grid.Nothing {
		t.Errorf("height %g of nothing", z[7])
	}
}

// half is half the height of the bar over (x, y).
func half(x, y float64) float64 {
	if math.Abs(x) > 3 || y < -2 || y > 2 {
		return math.Inf(-1)
	}
	return math.Sqrt(9 - x*x)
}
