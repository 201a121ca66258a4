package visibility

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Vectors and plain Go must give the same bits, also on sides, corners and heights that are met exactly:
// small whole coordinates meet them often, large ones use all digits.
func TestVectorsEqualGo(t *testing.T) {
	if !vectors {
		t.Skip("this processor has no vectors that are used")
	}
	rng := rand.New(rand.NewPCG(5, 6))
	hits := 0
	for trial := range 3000 {
		size := []int32{4, 40, 1 << 12, 1 << 24}[trial%4]
		at := func() int32 { return rng.Int32N(2*size) - size }
		var s []sample
		for range 1 + rng.IntN(300) {
			s = append(s, sample{at(), at(), at(), int32(len(s))})
		}
		var g grid
		g.sort(s)
		plain := slices.Clone(g.z)
		for range 4 {
			p, q, r := viewPoint{at(), at(), at()}, viewPoint{at(), at(), at()}, viewPoint{at(), at(), at()}
			g.o.set(&p, &q, &r)
			if g.o.area <= 0 {
				continue
			}
			g.o.reach(2*float64(size), 2*float64(size)) // the samples lie anywhere
			g.runs = g.runs[:0]
			for row := range g.h {
				g.add(row, 0, g.w-1)
			}
			g.block()
			g.o.block(g.x, g.y, plain)
			if !slices.Equal(g.z, plain) {
				t.Fatalf("trial %d: vectors answer otherwise under the triangle %v %v %v", trial, p, q, r)
			}
		}
		for _, z := range plain[:len(s)] {
			if z == blocked {
				hits++
			}
		}
	}
	if hits == 0 {
		t.Error("no sample was blocked: the test says nothing")
	}
}

// One triangle over whole coordinates against the sides computed in integers.
func TestBlockIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for trial := range 3000 {
		size := []int32{3, 50, 1 << 24}[trial%3]
		at := func() int32 { return rng.Int32N(2*size) - size }
		p, q, r := viewPoint{at(), at(), size}, viewPoint{at(), at(), size}, viewPoint{at(), at(), size}
		var o occluder
		o.set(&p, &q, &r)
		if o.area <= 0 {
			continue
		}
		// Corners, middles of sides and random points.
		x := []int32{p.x, q.x, r.x, (p.x + q.x) / 2, (q.x + r.x) / 2, at(), at(), at()}
		y := []int32{p.y, q.y, r.y, (p.y + q.y) / 2, (q.y + r.y) / 2, at(), at(), at()}
		z := make([]int32, len(x))
		o.block(x, y, z)
		for i := range x {
			right := func(a, b *viewPoint) bool {
				return int64(x[i]-a.x)*int64(b.y-a.y) >= int64(b.x-a.x)*int64(y[i]-a.y)
			}
			want := right(&p, &q) && right(&q, &r) && right(&r, &p)
			if got := z[i] == blocked; got != want {
				t.Fatalf("(%d, %d) under %v %v %v: blocked is %v, want %v", x[i], y[i], p, q, r, got, want)
			}
		}
	}
}

// What is cut from a large triangle must hold none of the samples that it covers.
func TestLargeTrianglesKeepWhatTheyCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for trial := range 600 {
		const size = 1 << 24
		at := func() int32 { return rng.Int32N(2*size) - size }
		var s []sample
		for range 2000 {
			s = append(s, sample{at(), at(), at(), int32(len(s))})
		}
		p, q, r := viewPoint{at(), at(), at()}, viewPoint{at(), at(), at()}, viewPoint{at(), at(), at()}
		switch trial % 4 {
		case 1: // a needle
			r = viewPoint{p.x/2 + q.x/2 + rng.Int32N(2000), p.y/2 + q.y/2, r.z}
		case 2: // along the rows
			q.y = p.y
		case 3: // along the columns
			q.x = p.x
		}
		var whole, cut grid
		whole.sort(s)
		cut.sort(s)
		whole.o.set(&p, &q, &r)
		if whole.o.area <= 0 {
			continue
		}
		whole.o.block(whole.x, whole.y, whole.z)
		cut.cutLarge(&span{0, cut.w - 1, 0, cut.h - 1}, &p, &q, &r)
		for i := 0; i < len(cut.runs); i += 2 {
			lo, hi := cut.runs[i], cut.runs[i+1]
			whole.o.block(cut.x[lo:hi], cut.y[lo:hi], cut.z[lo:hi])
		}
		if !slices.Equal(whole.z, cut.z) {
			t.Fatalf("trial %d: the triangle %v %v %v misses samples", trial, p, q, r)
		}
	}
}

// Every sample lies in the run of its cell, and no cell before the next.
func TestGridHoldsEverySample(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	rows := []struct {
		name       string
		n          int
		wide, high int32
	}{
		{"one", 1, 1, 1}, {"one place", 100, 1, 1}, {"a row", 1000, 1 << 24, 1}, {"a column", 1000, 1, 1 << 24},
		{"a square", 5000, 1 << 24, 1 << 24}, {"few steps", 5000, 3, 3}, {"a strip", 5000, 1 << 24, 500},
		{"a huge square", 5000, 1<<25 - 3, 1<<25 - 3},
	}
	var g grid // its memory goes from row to row
	for _, row := range rows {
		s := make([]sample, row.n)
		for i := range s {
			s[i] = sample{rng.Int32N(row.wide) - row.wide/2, rng.Int32N(row.high), rng.Int32(), int32(i)}
		}
		g.sort(s)
		seen := make([]bool, len(s))
		for c := range g.w * g.h {
			for k := g.start[c]; k < g.start[c+1]; k++ {
				p := s[g.id[k]]
				seen[g.id[k]] = true
				if g.x[k] != p.x || g.y[k] != p.y || g.z[k] != p.z {
					t.Fatalf("%s: sample %d moved", row.name, g.id[k])
				}
				if g.up.at(p.y)*g.w+g.across.at(p.x) != c {
					t.Fatalf("%s: sample %d is in cell %d", row.name, g.id[k], c)
				}
				if g.low[c/g.w>>blockBits*g.bw+c%g.w>>blockBits] > p.z {
					t.Fatalf("%s: the block of cell %d does not reach down to %d", row.name, c, p.z)
				}
			}
		}
		if i := slices.Index(seen, false); i >= 0 {
			t.Fatalf("%s: sample %d is in no cell", row.name, i)
		}
	}
}
