package visibility

import (
	"math/rand/v2"
	"testing"
)

func TestAxisCellsFollowSampleDensity(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const whole = 1<<25 - 3
	rows := []struct {
		name   string
		length int32
		place  func() int32
		most   float64 // share of the samples in one of 100 cells
	}{
		{"even", whole, func() int32 { return rng.Int32N(whole) }, 0.02},
		{"all in a thousandth", whole, func() int32 { return whole/3 + rng.Int32N(whole/1000) }, 0.25},
		{"two details", whole, func() int32 { return rng.Int32N(2)*(whole/2) + rng.Int32N(whole/100) }, 0.06},
		{"few steps", 7, func() int32 { return rng.Int32N(7) }, 0.3},
		{"one place", 1, func() int32 { return 0 }, 1},
	}
	var a axis
	for _, row := range rows {
		lo := -row.length / 2
		x := []int32{lo, lo + row.length - 1}
		for range 10000 {
			x = append(x, lo+row.place())
		}
		a.start(x[0], x[1], len(x))
		for _, v := range x {
			a.tally[a.bin(v)]++
		}
		a.divide(100)
		held, most := make([]int, a.count), 0
		for _, v := range x {
			c := a.at(v)
			begins, ends := a.edge[c], a.edge[c+1]
			if begins > v || ends < v && c+1 < a.count && ends != begins && a.at(ends) <= c {
				t.Fatalf("%s: %d lies in cell %d, which begins at %d", row.name, v, c, a.edge[c])
			}
			held[c]++
			most = max(most, held[c])
		}
		if share := float64(most) / float64(len(x)); share > row.most {
			t.Errorf("%s: a cell holds %.3f of the samples, want at most %.3f", row.name, share, row.most)
		}
		for range 10000 {
			u, v := lo+rng.Int32N(row.length), lo+rng.Int32N(row.length)
			if u < v && a.at(u) > a.at(v) {
				t.Fatalf("%s: the cell of %d comes after that of %d", row.name, u, v)
			}
		}
		if a.at(x[1]) != a.count-1 || a.count > 100 {
			t.Errorf("%s: the last sample is in cell %d of %d", row.name, a.at(x[1]), a.count)
		}
	}
}

// TestViewsAreEqualWithoutVectors checks that plain Go gives the same results as vectors.
func TestViewsAreEqualWithoutVectors(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no vectors that are used")
	}
	rng := rand.New(rand.NewPCG(15, 16))
	in := randomTriangles(rng, 500, 3000)
	with, without := sees(t, in), uint64(0)
	setVectors(t, false)
	if without = sees(t, in); with != without {
		t.Errorf("vectors see %x, plain Go %x", with, without)
	}
}
