package target

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDilatedIsTheLargestWithin compares with all pairs of cells.
func TestDilatedIsTheLargestWithin(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, r := range []float64{-1, 0, 0.9, 1, 2.5, 7, 40} {
		const width, height = 23, 17
		in := make([]float64, width*height)
		for i := range in {
			in[i] = random.Float64()
		}
		got := dilated(in, width, r)
		for i := range in {
			want := 0.0
			for k := range in {
				dx, dy := float64(i%width-k%width), float64(i/width-k/width)
				if dx*dx+dy*dy <= max(r, 0)*max(r, 0) {
					want = max(want, in[k])
				}
			}
			if got[i] != want {
				t.Fatalf("radius %g, cell %d: %g, want %g", r, i, got[i], want)
			}
		}
	}
}

func TestGapsAreOutsideThePart(t *testing.T) {
	for name, c := range map[string]struct {
		list columnOf
		want []float64
	}{
		"nothing there":   {nil, []float64{0, 10}},
		"a body":          {columnOf{{6, true}, {2, false}}, []float64{0, 2, 6, 10}},
		"from the bottom": {columnOf{{0, false}, {4, true}}, []float64{4, 10}},
		"two":             {columnOf{{1, false}, {2, true}, {5, false}, {9, true}}, []float64{0, 1, 2, 5, 9, 10}},
		"overlapping":     {columnOf{{1, false}, {2, false}, {5, true}, {9, true}}, []float64{0, 1, 9, 10}},
	} {
		var got []float64
		c.list.gaps(0, 10, func(lo, hi float64) { got = append(got, lo, hi) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestWidenedAtTheEnds: a window beyond the row has only what is in the row.
func TestWidenedAtTheEnds(t *testing.T) {
	in := []float64{3, 1, 2}
	out := make([]float64, 3)
	widened(in, out, 1)
	if !slices.Equal(out, []float64{3, 3, 2}) {
		t.Error(out)
	}
	widened(in, out, 9)
	if slices.Max(out) != 3 || slices.Min(out) != 3 || math.IsInf(out[0], 0) {
		t.Error(out)
	}
}
