package raster

import (
	"math"
	"millwright.dev/millwright/core/cam/stock/grid"
	"testing"

	"pgregory.net/rapid"

	"millwright.dev/millwright/compute/primitive"
)

func whole(w, h int) *Target {
	return &Target{Z: grid.NewMap(w * h), Width: w, First: 0, Last: h - 1}
}

func TestTriangleAtCenters(t *testing.T) {
	n := math.Inf(-1)
	rows := []struct {
		name   string
		p      [3]Point
		du, dv float64
		want   []float64 // 4 × 3 cells
	}{
		{"corners on centres", [3]Point{{0, 0, 0}, {2, 0, 2}, {0, 2, 4}}, 0, 0,
			[]float64{0, 1, 2, n, 2, 3, n, n, 4, n, n, n}},
		{"the same turned over", [3]Point{{0, 0, 0}, {0, 2, 4}, {2, 0, 2}}, 0, 0,
			[]float64{0, 1, 2, n, 2, 3, n, n, 4, n, n, n}},
		{"moved", [3]Point{{0, 0, 0}, {2, 0, 2}, {0, 2, 4}}, 1, 0.5,
			[]float64{n, n, n, n, n, 1, 2, n, n, 3, n, n}},
		{"edge-on along a row", [3]Point{{0, 1, 1}, {3, 1, 4}, {1, 1, 9}}, 0, 0,
			[]float64{n, n, n, n, 1, 2, 3, 4, n, n, n, n}},
		{"edge-on along a column", [3]Point{{1, 0, 1}, {1, 2, 3}, {1, 1, 7}}, 0, 0,
			[]float64{n, 1, n, n, n, 7, n, n, n, 3, n, n}},
		{"a point", [3]Point{{2, 1, 5}, {2, 1, 6}, {2, 1, 4}}, 0, 0, []float64{n, n, n, n, n, n, 6, n, n, n, n, n}},
		{"between centres", [3]Point{{0.1, 0.1, 1}, {0.9, 0.2, 1}, {0.4, 0.9, 1}}, 0, 0,
			[]float64{n, n, n, n, n, n, n, n, n, n, n, n}},
		{"over everything", [3]Point{{-1e6, -1e6, 7}, {1e6, -1e6, 7}, {0, 1e6, 7}}, 0, 0,
			[]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}},
		{"beside the map", [3]Point{{9, 0, 1}, {12, 0, 1}, {9, 2, 1}}, 0, 0,
			[]float64{n, n, n, n, n, n, n, n, n, n, n, n}},
		{"sliver over denormal rows", [3]Point{{0, 1, 1}, {3, 1 + 5e-324, 1}, {3, 1, 1}}, 0, 0,
			[]float64{n, n, n, n, 1, 1, 1, 1, n, n, n, n}},
	}
	for _, row := range rows {
		m := whole(4, 3)
		m.Triangle(&row.p, row.du, row.dv, 0)
		for i, want := range row.want {
			if row.name == "edge-on along a row" && want > 0 {
				want = float64(m.Z[i]) // any height of the triangle there
				if !(want >= 1 && want <= 9) {
					t.Errorf("%s: cell %d has %g", row.name, i, want)
				}
			}
			if got := float64(m.Z[i]); got != want {
				t.Errorf("%s: cell %d has %g, want %g", row.name, i, got, want)
			}
		}
	}
}

// TestSharedSidesLeaveNoHole checks that two triangles on either side of a shared side leave no gap, for any side.
func TestSharedSidesLeaveNoHole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 12
		coordinate := rapid.OneOf(rapid.Float64Range(2, 9), rapid.Map(rapid.IntRange(2, 9), func(i int) float64 {
			return float64(i)
		}))
		a := Point{coordinate.Draw(t, "u"), coordinate.Draw(t, "v"), 1}
		m := whole(n, n)
		corners := []Point{{-1, -1, 1}, {n, -1, 1}, {n, n, 1}, {-1, n, 1}}
		for k, c := range corners { // four triangles around a point in a square
			p := [3]Point{c, corners[(k+1)%4], a}
			m.Triangle(&p, 0, 0, 0)
		}
		for i, z := range m.Z {
			if z != 1 {
				t.Fatalf("cell %d, %d has the height %g, the centre is (%v, %v)", i%n, i/n, z, a.U, a.V)
			}
		}
	})
}

func TestNarrowRoundsUp(t *testing.T) {
	for _, z := range []float64{0, 1, 1 + 1e-9, -1 - 1e-9, 0.1, -0.1, 1e-50, -1e-50} {
		if up := float64(Narrow(z, true)); up < z {
			t.Errorf("%g becomes %g, below it", z, up)
		}
		if got := Narrow(z, false); got != float32(z) {
			t.Errorf("%g becomes %g", z, got)
		}
	}
}

func TestBinsListEveryBand(t *testing.T) {
	spans := [][2]int{{0, 0}, {15, 16}, {-5, 99}, {40, 30}, {-9, -1}, {60, 90}, {31, 31}, {64, 70}}
	const rows = 64
	b, err := NewBins(t.Context(), len(spans), rows, primitive.OnCPU(1),
		func(i int) (int, int) { return spans[i][0], spans[i][1] })
	if err != nil {
		t.Fatal(err)
	}
	for band := range Bands(rows) {
		lo, hi := BandOf(band, rows)
		var want []int32
		for i, s := range spans {
			if s[0] <= s[1] && s[0] < hi && s[1] >= lo {
				want = append(want, int32(i))
			}
		}
		if got := b.Of(band); len(got) != len(want) {
			t.Errorf("band %d has the items %v, want %v", band, got, want)
		} else {
			for k := range got {
				if got[k] != want[k] {
					t.Errorf("band %d has the items %v, want %v", band, got, want)
				}
			}
		}
	}
}
