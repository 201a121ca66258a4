package heightmap

import (
	"math"
	"testing"

	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

func TestCoverRaisesAllTouchedCells(t *testing.T) {
	n := math.Inf(-1)
	rows := []struct {
		name string
		p    [3][3]float64
		want []float64 // 4 × 3 cells
	}{
		{"within a cell", [3][3]float64{{1.1, 0.9, 1}, {1.2, 1, 5}, {1, 1.2, 2}},
			[]float64{n, n, n, n, n, 5, n, n, n, n, n, n}},
		{"on a border", [3][3]float64{{1.5, 1, 3}, {1.5, 1, 3}, {1.5, 1, 3}},
			[]float64{n, n, n, n, n, 3, 3, n, n, n, n, n}},
		{"on a corner", [3][3]float64{{1.5, 1.5, 3}, {1.5, 1.5, 3}, {1.5, 1.5, 3}},
			[]float64{n, n, n, n, n, 3, 3, n, n, 3, 3, n}},
		{"a ramp over all", [3][3]float64{{-9, -9, -9}, {30, -9, 30}, {-9, 30, -9}}, // z = u
			[]float64{0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5}},
		{"a falling ramp", [3][3]float64{{-9, -9, 9}, {-9, 30, 9}, {30, -9, -30}}, // z = -u
			[]float64{0.5, -0.5, -1.5, -2.5, 0.5, -0.5, -1.5, -2.5, 0.5, -0.5, -1.5, -2.5}},
		{"a rising wire", [3][3]float64{{0, 0, 0}, {3, 0, 3}, {3, 0, 3}},
			[]float64{0.5, 1.5, 2.5, 3, n, n, n, n, n, n, n, n}},
	}
	for _, row := range rows {
		m := target{raster.Target{Z: grid.NewMap(12), Width: 4, Last: 2, Up: true}}
		var p [3]raster.Point
		for k, c := range row.p {
			p[k] = raster.Point{U: c[0], V: c[1], Z: c[2]}
		}
		m.cover(&p)
		for i, want := range row.want {
			const room = 1e-6 // a rounding to float32, and slack
			if got := float64(m.Z[i]); !(got >= want && got <= want+room) {
				t.Errorf("%s: cell %d has %.9g, want %g", row.name, i, got, want)
			}
		}
	}
}
