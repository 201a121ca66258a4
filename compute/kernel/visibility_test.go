package kernel

import (
	"math/rand/v2"
	"testing"
)

func TestVisibilityOutputCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const samples = 300
	out := NewVisibilityOutput(3, samples)
	want := make([]bool, samples)
	for i := range want {
		if want[i] = rng.IntN(2) == 0; want[i] {
			out.Rows[1][i/64] |= 1 << (i % 64)
		}
	}
	for from := range samples + 1 {
		n := 0
		for to := from; to <= samples; to++ {
			if got := out.Count(1, from, to); got != n {
				t.Fatalf("samples %d to %d: %d are visible, want %d", from, to, got, n)
			}
			if to < samples && want[to] {
				n++
			}
		}
	}
	for i := range want {
		if out.Visible(1, i) != want[i] || out.Visible(0, i) || out.Visible(2, i) {
			t.Fatalf("sample %d: rows are mixed up", i)
		}
	}
}
