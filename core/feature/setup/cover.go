package setup

// The best choice of directions that contains a member of every set.
//
// Method: the set cover is solved exactly by branch and bound (see Nemhauser, Wolsey, Integer and Combinatorial
// Optimization, 1988, II.4). Sets that contain another one are dropped, and the search branches on the smallest set.
// The bound is the number of remaining sets without common members. After maxNodes nodes the best cover so far is
// final. It is never larger than the greedy cover: at most 1 + ln n times the fewest for n sets (Chvátal, Math. Oper.
// Res. 4(3), 1979).

import (
	"cmp"
	"math/bits"
	"slices"
)

const maxNodes = 1 << 14

// minimal drops every set that contains another one and sorts the rest, smallest first.
func minimal(sets []uint64) []uint64 {
	slices.SortFunc(sets, func(a, b uint64) int {
		return cmp.Or(cmp.Compare(bits.OnesCount64(a), bits.OnesCount64(b)), cmp.Compare(a, b))
	})
	sets = slices.Compact(sets)
	var out []uint64
	for _, s := range sets {
		if !slices.ContainsFunc(out, func(o uint64) bool { return s&o == o }) {
			out = append(out, s)
		}
	}
	return out
}

// cover is a search for the best choice of directions with a member of every set.
type cover struct {
	sets   []uint64
	weight []int // of each direction
	best   uint64
	nodes  int
}

// solve returns the best choice as bits.
func (c *cover) solve() uint64 {
	c.best = c.greedy()
	c.branch(0)
	return c.best
}

// greedy repeatedly takes the direction that is in most of the remaining sets.
func (c *cover) greedy() uint64 {
	chosen := uint64(0)
	for {
		count := make([]int, len(c.weight))
		left := 0
		for _, s := range c.sets {
			if s&chosen != 0 {
				continue
			}
			left++
			for m := s; m != 0; m &= m - 1 {
				count[bits.TrailingZeros64(m)]++
			}
		}
		if left == 0 {
			return chosen
		}
		best := 0
		for d := range count {
			if cmp.Or(cmp.Compare(count[d], count[best]), cmp.Compare(c.weight[d], c.weight[best])) > 0 {
				best = d
			}
		}
		chosen |= 1 << best
	}
}

// branch tries every completion of a choice that may be better than the best so far.
func (c *cover) branch(chosen uint64) {
	if c.nodes++; c.nodes > maxNodes {
		return
	}
	first, met, more := uint64(0), uint64(0), 0
	for _, s := range c.sets {
		if s&chosen != 0 {
			continue
		}
		if first == 0 {
			first = s
		}
		if s&met == 0 { // each of these needs a separate direction
			met |= s
			more++
		}
	}
	if first == 0 {
		if c.better(chosen) {
			c.best = chosen
		}
		return
	}
	if bits.OnesCount64(chosen)+more > bits.OnesCount64(c.best) {
		return
	}
	for m := first; m != 0; m &= m - 1 {
		c.branch(chosen | m&-m)
	}
}

// better reports whether a choice is smaller than the best, or as small and to be preferred.
func (c *cover) better(chosen uint64) bool {
	return cmp.Or(cmp.Compare(bits.OnesCount64(chosen), bits.OnesCount64(c.best)),
		cmp.Compare(c.sum(c.best), c.sum(chosen)),
		cmp.Compare(bits.Reverse64(c.best), bits.Reverse64(chosen))) < 0
}

func (c *cover) sum(chosen uint64) int {
	sum := 0
	for m := chosen; m != 0; m &= m - 1 {
		sum += c.weight[bits.TrailingZeros64(m)]
	}
	return sum
}
