package tessellate

import (
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestPoolPreservesKeptSlices checks that later keeps and appends do not change slices kept earlier.
func TestPoolPreservesKeptSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pool[int]
		var kept, want [][]int
		lengths := rapid.SliceOf(rapid.SampledFrom([]int{0, 1, 7, 60, 100, 1000, 5000, 20_000})).Draw(t, "lengths")
		for i, n := range lengths {
			x := slices.Repeat([]int{i}, n)
			k := p.keep(x)
			if len(k) != cap(k) {
				t.Fatalf("a slice of %d can grow into its neighbour: capacity %d", len(k), cap(k))
			}
			kept, want = append(kept, k), append(want, slices.Clone(x))
			clear(x)
		}
		for i := range kept {
			if !slices.Equal(kept[i], want[i]) {
				t.Fatalf("slice %d of %d changed", i, len(kept))
			}
		}
	})
}

// TestPoolOverheadIsBounded bounds the memory behind many small slices.
func TestPoolOverheadIsBounded(t *testing.T) {
	var p pool[int]
	const n, length = 1000, 100
	x := make([]int, length)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		p.keep(x)
	}
	runtime.ReadMemStats(&after)
	const word, most = 8, 1.4
	if share := float64(after.TotalAlloc-before.TotalAlloc) / (n * length * word); share > most {
		t.Errorf("%.2f times the memory of what is kept, want at most %g", share, most)
	}
}
