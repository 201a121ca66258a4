package height

import (
	"math"
	"testing"

	"millwright/compute/kernel"

	"millwright/compute/tool"
	"pgregory.net/rapid"
)

func whole(w, h int) *target {
	return &target{z: newMap(w * h), width: w, first: 0, last: h - 1}
}

func TestTriangleAtCentres(t *testing.T) {
	n := math.Inf(-1)
	rows := []struct {
		name   string
		p      [3]point
		du, dv float64
		want   []float64 // 4 × 3 cells
	}{
		{"corners on centres", [3]point{{0, 0, 0}, {2, 0, 2}, {0, 2, 4}}, 0, 0,
			[]float64{0, 1, 2, n, 2, 3, n, n, 4, n, n, n}},
		{"the same turned over", [3]point{{0, 0, 0}, {0, 2, 4}, {2, 0, 2}}, 0, 0,
			[]float64{0, 1, 2, n, 2, 3, n, n, 4, n, n, n}},
		{"moved", [3]point{{0, 0, 0}, {2, 0, 2}, {0, 2, 4}}, 1, 0.5,
			[]float64{n, n, n, n, n, 1, 2, n, n, 3, n, n}},
		{"edge-on along a row", [3]point{{0, 1, 1}, {3, 1, 4}, {1, 1, 9}}, 0, 0,
			[]float64{n, n, n, n, 1, 2, 3, 4, n, n, n, n}},
		{"edge-on along a column", [3]point{{1, 0, 1}, {1, 2, 3}, {1, 1, 7}}, 0, 0,
			[]float64{n, 1, n, n, n, 7, n, n, n, 3, n, n}},
		{"a point", [3]point{{2, 1, 5}, {2, 1, 6}, {2, 1, 4}}, 0, 0, []float64{n, n, n, n, n, n, 6, n, n, n, n, n}},
		{"between centres", [3]point{{0.1, 0.1, 1}, {0.9, 0.2, 1}, {0.4, 0.9, 1}}, 0, 0,
			[]float64{n, n, n, n, n, n, n, n, n, n, n, n}},
		{"over everything", [3]point{{-1e6, -1e6, 7}, {1e6, -1e6, 7}, {0, 1e6, 7}}, 0, 0,
			[]float64{7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7}},
		{"beside the map", [3]point{{9, 0, 1}, {12, 0, 1}, {9, 2, 1}}, 0, 0, []float64{n, n, n, n, n, n, n, n, n, n, n, n}},
		{"sliver over denormal rows", [3]point{{0, 1, 1}, {3, 1 + 5e-324, 1}, {3, 1, 1}}, 0, 0,
			[]float64{n, n, n, n, 1, 1, 1, 1, n, n, n, n}},
	}
	for _, row := range rows {
		m := whole(4, 3)
		m.triangle(&row.p, row.du, row.dv, 0)
		for i, want := range row.want {
			if row.name == "edge-on along a row" && want > 0 {
				want = float64(m.z[i]) // any height of the triangle there
				if !(want >= 1 && want <= 9) {
					t.Errorf("%s: cell %d has %g", row.name, i, want)
				}
			}
			if got := float64(m.z[i]); got != want {
				t.Errorf("%s: cell %d has %g, want %g", row.name, i, got, want)
			}
		}
	}
}

// Two triangles on either side of a shared side leave no hole, wherever the side runs.
func TestSharedSidesLeaveNoHole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 12
		coordinate := rapid.OneOf(rapid.Float64Range(2, 9), rapid.Map(rapid.IntRange(2, 9), func(i int) float64 {
			return float64(i)
		}))
		a := point{coordinate.Draw(t, "u"), coordinate.Draw(t, "v"), 1}
		m := whole(n, n)
		corners := []point{{-1, -1, 1}, {n, -1, 1}, {n, n, 1}, {-1, n, 1}}
		for k, c := range corners { // four triangles around a point in a square
			p := [3]point{c, corners[(k+1)%4], a}
			m.triangle(&p, 0, 0, 0)
		}
		for i, z := range m.z {
			if z != 1 {
				t.Fatalf("cell %d, %d has the height %g, the centre is (%v, %v)", i%n, i/n, z, a.u, a.v)
			}
		}
	})
}

func TestCoverTouchesAllCells(t *testing.T) {
	n := math.Inf(-1)
	rows := []struct {
		name string
		p    [3]point
		want []float64 // 4 × 3 cells
	}{
		{"within a cell", [3]point{{1.1, 0.9, 1}, {1.2, 1, 5}, {1, 1.2, 2}},
			[]float64{n, n, n, n, n, 5, n, n, n, n, n, n}},
		{"on a border", [3]point{{1.5, 1, 3}, {1.5, 1, 3}, {1.5, 1, 3}}, []float64{n, n, n, n, n, 3, 3, n, n, n, n, n}},
		{"on a corner", [3]point{{1.5, 1.5, 3}, {1.5, 1.5, 3}, {1.5, 1.5, 3}},
			[]float64{n, n, n, n, n, 3, 3, n, n, 3, 3, n}},
		{"a ramp over all", [3]point{{-9, -9, -9}, {30, -9, 30}, {-9, 30, -9}}, // z = u
			[]float64{0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5, 0.5, 1.5, 2.5, 3.5}},
		{"a falling ramp", [3]point{{-9, -9, 9}, {-9, 30, 9}, {30, -9, -30}}, // z = -u
			[]float64{0.5, -0.5, -1.5, -2.5, 0.5, -0.5, -1.5, -2.5, 0.5, -0.5, -1.5, -2.5}},
		{"a rising wire", [3]point{{0, 0, 0}, {3, 0, 3}, {3, 0, 3}}, []float64{0.5, 1.5, 2.5, 3, n, n, n, n, n, n, n, n}},
	}
	for _, row := range rows {
		m := whole(4, 3)
		m.up = true
		m.cover(&row.p)
		for i, want := range row.want {
			const room = 1e-6 // a rounding to float32, and slack
			if got := float64(m.z[i]); !(got >= want && got <= want+room) {
				t.Errorf("%s: cell %d has %.9g, want %g", row.name, i, got, want)
			}
		}
	}
}

func TestNarrowRoundsUp(t *testing.T) {
	for _, z := range []float64{0, 1, 1 + 1e-9, -1 - 1e-9, 0.1, -0.1, 1e-50, -1e-50} {
		if up := float64(narrow(z, true)); up < z {
			t.Errorf("%g becomes %g, below it", z, up)
		}
		if got := narrow(z, false); got != float32(z) {
			t.Errorf("%g becomes %g", z, got)
		}
	}
}

func TestBinsListEveryBand(t *testing.T) {
	spans := [][2]int{{0, 0}, {15, 16}, {-5, 99}, {40, 30}, {-9, -1}, {60, 90}, {31, 31}, {64, 70}}
	const rows = 64
	b, err := newBins(t.Context(), len(spans), rows, serial, func(i int) (int, int) { return spans[i][0], spans[i][1] })
	if err != nil {
		t.Fatal(err)
	}
	for band := range bands(rows) {
		lo, hi := bandOf(band, rows)
		var want []int32
		for i, s := range spans {
			if s[0] <= s[1] && s[0] < hi && s[1] >= lo {
				want = append(want, int32(i))
			}
		}
		if got := b.of(band); len(got) != len(want) {
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

func TestWindowsCoverChords(t *testing.T) {
	for window := 2; window <= blockSize; window *= 2 {
		for n := window/2 + 1; n < 80; n++ {
			covered := make([]bool, 2*n-1)
			for k := range pairs(n, window) {
				for i := range window {
					covered[k*window+i] = true
					covered[2*n-2-k*window-i] = true
				}
			}
			for i, is := range covered {
				if !is {
					t.Fatalf("windows of %d miss cell %d of a chord of %d", window, i, 2*n-1)
				}
			}
		}
	}
}

func TestWindowPaysForFlatToolsOnly(t *testing.T) {
	for name, row := range map[string]struct {
		tool tool.Profile
		wide bool
	}{
		"flat": {tool.EndMill(100, 0, 9), true}, "ball": {tool.EndMill(100, 50, 60), false},
		"bull": {tool.EndMill(100, 5, 9), true}, "small": {tool.EndMill(1, 0, 9), false},
	} {
		in := kernel.OffsetHeightInput{Grid: kernel.Grid{Step: 1, Width: 1, Height: 1}, Z: []float32{0}, Tool: row.tool}
		taps := in.Taps()
		if got := windowOf(&taps); got > 1 != row.wide {
			t.Errorf("%s: windows of %d cells", name, got)
		}
	}
}
