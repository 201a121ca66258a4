package direction

// The fewest directions that reach everything.
//
// Every triangle of the mesh is seen from a set of directions. A patch of which a direction sees
// WallShare of what is seen of it at all is reached altogether, and one that sees less than half of what
// another one sees only looks in at its rim, and does not count. Of the sets on the triangles of a patch
// those of the largest total area count that make up countedShare of what is seen, because the rest is
// samples at rims. The set cover over all patches is solved exactly by branch and bound (see Nemhauser,
// Wolsey, Integer and Combinatorial Optimization, 1988, II.4): sets that hold another one are dropped,
// the smallest set is branched on, and as many more directions are needed as there are sets left that
// do not meet. After maxNodes nodes the best cover so far stands, which is never larger than that of
// the greedy rule: at most 1 + ln n times the fewest for n sets (Chvátal, Math. Oper. Res. 4(3), 1979).
//
// Of several smallest covers the one counts that faces the largest area of planes squarely, then the one
// with the earliest directions. Faces of which no direction sees leastSeen are not covered.
//
// Cost: linear in triangles times directions, then as the search needs.

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"millwright/core/feature/graph"
)

const (
	// countedShare is the share of what is seen of a patch that the setups have to reach.
	countedShare = 0.95

	// mostlySeen is the fraction of a triangle that counts as all of it.
	mostlySeen = 0.5

	// leastSeen is the share of a face that one direction at least must see for it to be machined from any:
	// round bodies show a half. Of less only the rim of an undercut is seen.
	leastSeen = 1.0 / 3

	// glimpse is the share of what is seen best of a face below which a direction is not there for it.
	glimpse = 0.5

	maxNodes = 1 << 14

	// weightSteps: areas that differ by less than this part of all are equal.
	weightSteps = 1e4
)

// setups chooses among the directions of s, at most 64, ascending; seen holds the visible fractions
// [direction][triangle].
func (s *Visibility) setups(g *graph.Graph, seen [][]float32) []int {
	c := cover{weight: make([]int, len(s.Dirs)), sets: s.sets(g, seen)}
	all := 0.0
	for _, w := range s.Weight {
		all += w
	}
	for i, w := range s.Weight {
		if all > 0 {
			c.weight[i] = int(math.Round(w / all * weightSteps))
		}
	}
	var out []int
	for m := c.solve(); m != 0; m &= m - 1 {
		out = append(out, bits.TrailingZeros64(m))
	}
	return out
}

// sets returns the sets of directions of which one has to be chosen each, as bits, none within another.
func (s *Visibility) sets(g *graph.Graph, seen [][]float32) []uint64 {
	from := make([]uint64, len(g.Areas)) // by triangle
	for d := range seen {
		for t, f := range seen[d] {
			if f >= mostlySeen {
				from[t] |= 1 << d
			}
		}
	}
	type part struct {
		from uint64
		area float64
	}
	var out []uint64
	var parts []part
	for i := range g.Patches {
		parts = parts[:0]
		visible := 0.0
		best, _ := s.best(int32(i))
		if best < leastSeen {
			continue
		}
		whole, able := uint64(0), uint64(0)
		for d := range s.Dirs {
			if s.Share[d][i] >= glimpse*best {
				able |= 1 << d
			}
		}
		for _, f := range g.Patches[i].Faces {
			r := &g.Mesh.Regions[f]
			for t := r.Start; t < r.End; t++ {
				if set := from[t] & able; set != 0 {
					parts = append(parts, part{set, g.Areas[t]})
					visible += g.Areas[t]
				}
			}
		}
		for d := range s.Dirs {
			if s.Share[d][i]*g.Patches[i].Area >= WallShare*visible {
				whole |= 1 << d
			}
		}
		slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.from, b.from) })
		n := 0
		for k := range parts { // one entry per set
			if n > 0 && parts[n-1].from == parts[k].from {
				parts[n-1].area += parts[k].area
				continue
			}
			parts[n] = parts[k]
			n++
		}
		parts = parts[:n]
		slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(Quantum(b.area), Quantum(a.area)) })
		for k, reached := 0, 0.0; k < len(parts) && reached < countedShare*visible; k++ {
			out = append(out, parts[k].from|whole)
			reached += parts[k].area
		}
	}
	return minimal(out)
}

// minimal drops every set that holds another one and sorts the rest, smallest first.
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

// cover is a search for the best choice of directions that meets every set.
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

// greedy takes the direction that meets most of the sets that are left, again and again.
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

// branch tries every way to complete a choice that may be better than the best so far.
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
		if s&met == 0 { // each of these needs a direction of its own
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
