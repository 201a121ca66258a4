package offsetheight

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"millwright.dev/millwright/core/cam/stock/grid"
)

// TestDilateMatchesGo checks that assembly and plain Go give the same bits for all shapes of calls.
func TestDilateMatchesGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, blocks := range []int{1, 2, 5} {
		for _, taps := range []int{1, 2, 7, 40} {
			for _, step := range []int{1, -4, 3, 0} {
				n, walk := blocks*blockSize, (taps-1)*step
				row := cells(rng, n+3*blockSize+2*max(walk, -walk))
				left, right := blockSize+max(walk, -walk), blockSize+max(walk, -walk)+5
				h := cells(rng, taps)
				acc := cells(rng, n)
				twin := slices.Clone(acc)
				lowest, twinLowest := make([]float32, blocks), make([]float32, blocks)
				dilate(acc, lowest, row, left, right, step, h)
				dilateGo(twin, twinLowest, row, left, right, step, h)
				if !same(acc, twin) || !same(lowest, twinLowest) {
					t.Errorf("%d blocks, %d taps, step %d: twins differ", blocks, taps, step)
				}
			}
		}
	}
}

func TestMaxRowsMatchesGo(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 8, 64, 200} {
		for _, shift := range []int{0, 1, 4, 16} {
			row := cells(rng, n+shift)
			twin := slices.Clone(row)
			maxRows(row[:n], row, row[shift:]) // in place, as windows grow
			maxRowsGo(twin[:n], twin, twin[shift:])
			if !same(row, twin) {
				t.Errorf("%d values, shift %d: twins differ", n, shift)
			}
		}
	}
}

// Walks that leave the row are found before the assembly reads past it.
func TestDilateChecksItsRange(t *testing.T) {
	row, acc, lowest := make([]float32, 40), make([]float32, 32), make([]float32, 1)
	for name, at := range map[string][3]int{
		"left of the row":   {-1, 0, 1},
		"right of the row":  {0, 9, 1},
		"walks off left":    {3, 3, 1},
		"walks off right":   {8, 8, 1},
		"walks over itself": {0, 8, -9},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("went out of range")
				}
			}()
			dilate(acc, lowest, row, at[0], at[1], at[2], make([]float32, 5))
		})
	}
}

func cells(rng *rand.Rand, n int) []float32 {
	z := make([]float32, n)
	for i := range z {
		switch rng.IntN(8) {
		case 0:
			z[i] = grid.Nothing
		case 1:
			z[i] = 0
		default:
			z[i] = float32(rng.IntN(9)) + rng.Float32()
		}
	}
	return z
}

func same(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}
