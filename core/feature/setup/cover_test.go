package setup

import (
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMinimalSets(t *testing.T) {
	got := minimal([]uint64{0b111, 0b011, 0b100, 0b110, 0b011, 0b1010})
	if want := []uint64{0b100, 0b011, 0b1010}; !slices.Equal(got, want) {
		t.Errorf("sets %b, want %b", got, want)
	}
}

func TestCover(t *testing.T) {
	rows := []struct {
		name   string
		sets   []uint64
		weight []int
		want   uint64
	}{
		{"nothing to reach", nil, []int{1, 1}, 0},
		{"one direction reaches all", []uint64{0b011, 0b110}, []int{1, 1, 1}, 0b010},
		{"two are needed", []uint64{0b001, 0b110}, []int{1, 1, 1}, 0b011},
		{"the heavier of two", []uint64{0b001, 0b110}, []int{1, 1, 2}, 0b101},
		// The greedy rule takes direction 0, which is in four of six sets, and then needs two more.
		{"greedy is not enough", []uint64{0b011, 0b011, 0b101, 0b101, 0b010, 0b100}, []int{9, 1, 1}, 0b110},
	}
	for _, row := range rows {
		c := cover{sets: minimal(row.sets), weight: row.weight}
		if got := c.solve(); got != row.want {
			t.Errorf("%s: chose %b, want %b", row.name, got, row.want)
		}
	}
}

// The search finds the same cover as an exhaustive one.
func TestCoverIsSmallest(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(r, "directions")
		sets := rapid.SliceOfN(rapid.Uint64Range(1, 1<<n-1), 0, 14).Draw(r, "sets")
		weight := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(r, "weight")
		c := cover{sets: minimal(slices.Clone(sets)), weight: weight}
		got := c.solve()
		for _, s := range sets {
			if s&got == 0 {
				r.Fatalf("choice %b of %b leaves %b", got, sets, s)
			}
		}
		for m := range uint64(1 << n) {
			if !slices.ContainsFunc(sets, func(s uint64) bool { return s&m == 0 }) && c.better(m) {
				r.Fatalf("choice %b of %d directions, but %b reaches all too", got, bits.OnesCount64(got), m)
			}
		}
	})
}
