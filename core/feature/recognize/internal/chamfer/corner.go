package chamfer

// Corners: where bevels of three edges meet, in a point or round a small face.
//
// Any two of the three run round a face between them, and only two can be of one loop: of a plane, to which both lean alike.
// The loops are chosen greedily, the longest first: they run round the sides on which a block lies. What has gone on round
// another face is of no other loop.
// Linear in the edges, but for sorting the faces and for the members of the groups that meet at one.

import (
	"cmp"
	"maps"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pair are two bevels that may go on in each other round a corner of a face.
type pair struct{ p, q, face int32 }

// corners returns the pairs of bevels at each corner at which three meet, and the edges between bevels at those where more
// than one pair may be of a loop.
func (g chamfers) corners(is []bool) (all [][]pair, contested map[int32]bool) {
	contested = map[int32]bool{}
	for _, arcs := range g.mitres(is) {
		var pairs []pair
		for _, x := range arcs {
			pairs = g.addPair(pairs, g.Arcs[x].A, g.Arcs[x].B, graph.None)
		}
		if len(pairs) < 2 {
			continue
		}
		all = append(all, pairs)
		for _, x := range arcs {
			contested[x] = true
		}
	}
	for c := range is {
		around := g.aroundCorner(is, int32(c))
		var pairs []pair
		for i, p := range around {
			for _, q := range around[:i] {
				pairs = g.addPair(pairs, p, q, int32(c))
			}
		}
		all = append(all, pairs)
	}
	return all, contested
}

// joinRound joins the bevels that go on in each other round corners of one face: all that do, and what they are joined to
// already, are round it.
func (g chamfers) joinRound(set graph.UnionFind, is []bool, corners [][]pair) {
	at := map[int32][]pair{}
	for _, pairs := range corners {
		for _, two := range pairs {
			at[two.face] = append(at[two.face], two)
		}
	}
	round := map[int32]float64{}
	for face, pairs := range at {
		round[face] = g.roundOf(face, pairs)
	}
	groups := map[int32][]int32{} // by root
	for _, group := range set.Groups(func(p int32) bool { return is[p] }) {
		groups[group[0]] = group
	}
	isBend := func(o int32) bool {
		return g.Patches[o].Kind != surface.KindPlane && slices.ContainsFunc(g.Patches[o].Arcs, func(x int32) bool {
			return g.Arcs[x].Convexity == graph.Smooth && is[g.Arcs[x].Other(o)] && g.Arcs[x].Other(o) != o
		})
	}
	isApart := func(p, face int32) bool { // bends are where the others are
		return slices.ContainsFunc(groups[set.Find(p)], func(o int32) bool {
			return !isBend(o) && !g.isBeside(o, face)
		})
	}
	for _, face := range slices.SortedStableFunc(slices.Values(slices.Sorted(maps.Keys(at))), func(a, b int32) int {
		return cmp.Compare(round[b], round[a])
	}) {
		if slices.ContainsFunc(at[face], func(two pair) bool { return isApart(two.p, face) || isApart(two.q, face) }) {
			continue
		}
		for _, two := range at[face] {
			if p, q := set.Find(two.p), set.Find(two.q); p != q {
				both := slices.Concat(groups[p], groups[q])
				set.Join(p, q)
				groups[set.Find(p)] = both
			}
		}
	}
}

// mitres returns, by the points in which they meet, the outer edges between three bevels, each between two.
func (g chamfers) mitres(is []bool) (out [][]int32) {
	at := map[brep.VertexID][]int32{}
	for x := range g.Arcs {
		if a := &g.Arcs[x]; a.Convexity == graph.Convex && is[a.A] && is[a.B] {
			e := &g.Model.Edges[a.Edge]
			at[e.Start] = append(at[e.Start], int32(x))
			if e.End != e.Start {
				at[e.End] = append(at[e.End], int32(x))
			}
		}
	}
	for _, v := range slices.Sorted(maps.Keys(at)) {
		bevels := map[int32]bool{}
		for _, x := range at[v] {
			bevels[g.Arcs[x].A], bevels[g.Arcs[x].B] = true, true
		}
		if len(at[v]) == 3 && len(bevels) == 3 {
			out = append(out, at[v])
		}
	}
	return out
}

// addCorners adds the planes that break corners where three bevels or more end.
func (g chamfers) addCorners(is, taken []bool) {
	var planes []int32
	for c := range is {
		if !taken[c] && g.Patches[c].Kind == surface.KindPlane && len(g.aroundCorner(is, int32(c))) > 0 {
			planes = append(planes, int32(c))
		}
	}
	for _, c := range planes {
		is[c] = true
	}
}

// aroundCorner returns the bevels at the ends of which a patch lies, ascending: three or more that are all round it; else
// none.
func (g chamfers) aroundCorner(is []bool, c int32) (out []int32) {
	for _, x := range g.Patches[c].Arcs {
		a := &g.Arcs[x]
		p := a.Other(c)
		if !is[p] || a.Convexity == graph.Concave || !g.isEnd(p, a) {
			return nil
		}
		out = append(out, p)
	}
	slices.Sort(out)
	if out = slices.Compact(out); len(out) < 3 {
		return nil
	}
	return out
}

// isEnd reports whether an edge of a chamfer is no side of it.
func (g chamfers) isEnd(p int32, a *graph.Adjacency) bool {
	switch s := &g.Patches[p].Shape; s.Kind {
	case surface.KindPlane:
		across, _ := g.strip(p)
		return a.Dir.Cross(across).Norm() < straightCos
	case surface.KindCone:
		return a.Dir.Cross(s.Axis).Norm() < straightCos
	}
	return false
}

// addPair appends two bevels where they run round one plane, other than the one between them, at one angle, and are one rim
// by what is around them.
func (g chamfers) addPair(pairs []pair, p, q, between int32) []pair {
	isFit := func(face int32) bool { return face != between && g.Patches[face].Kind == surface.KindPlane }
	if face := g.shared(p, q, isFit, false); face != graph.None && g.areAsWide(p, q) && !g.standApart(p, q) {
		return append(pairs, pair{p, q, face})
	}
	return pairs
}

// roundOf returns how long it is round a plane, mm, with the pieces of it that others leave beside bevels, whatever is cut out
// of its edges.
func (g chamfers) roundOf(face int32, pairs []pair) float64 {
	var longest graph.Adjacency
	pieces := []int32{face}
	for _, two := range pairs {
		for _, x := range slices.Concat(g.Patches[two.p].Arcs, g.Patches[two.q].Arcs) {
			a := &g.Arcs[x]
			for _, q := range []int32{a.A, a.B} {
				if g.areOneFace(face, q) {
					pieces = append(pieces, q)
				}
			}
		}
	}
	slices.Sort(pieces) // each is there once per edge
	pieces = slices.Compact(pieces)
	for _, x := range g.Patches[face].Arcs {
		if g.Arcs[x].Length > longest.Length {
			longest = g.Arcs[x]
		}
	}
	return 2 * (g.ExtentOf(pieces, longest.Dir).Length() + g.ExtentOf(pieces, g.Patches[face].Axis.Cross(longest.Dir)).Length())
}
