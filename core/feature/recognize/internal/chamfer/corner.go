package chamfer

// Corners: bevels of three edges that meet in a point or around a small face.
//
// Any two of the three surround a face between them, but only two can be in one loop: around a plane, to which both
// have one slant. The loops are chosen greedily, the longest first: they surround the sides on which a block rests. A
// bevel continued around one face is in no other loop.
//
// Cost: linear in the edges, apart from sorting the faces and the members of the groups that meet at one.

import (
	"cmp"
	"maps"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// pair is two bevels that may continue each other around a corner of a face.
type pair struct{ p, q, face int32 }

// corners returns the pairs of bevels at each corner of three, and the edges between bevels at corners where several
// pairs may be in a loop.
func corners(g *graph.Graph, is []bool) (all [][]pair, contested map[int32]bool) {
	contested = map[int32]bool{}
	for _, arcs := range miters(g, is) {
		var pairs []pair
		for _, x := range arcs {
			pairs = addPair(g, pairs, g.Arcs[x].A, g.Arcs[x].B, graph.None)
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
		around := aroundCorner(g, is, int32(c))
		var pairs []pair
		for i, p := range around {
			for _, q := range around[:i] {
				pairs = addPair(g, pairs, p, q, int32(c))
			}
		}
		all = append(all, pairs)
	}
	return all, contested
}

// joinRound joins the bevels that continue each other around corners of one face, with those joined to them already.
func joinRound(g *graph.Graph, set graph.UnionFind, is []bool, corners [][]pair) {
	at := map[int32][]pair{}
	for _, pairs := range corners {
		for _, two := range pairs {
			at[two.face] = append(at[two.face], two)
		}
	}
	round := map[int32]float64{}
	for face, pairs := range at {
		round[face] = roundOf(g, face, pairs)
	}
	groups := map[int32][]int32{} // by root
	for _, group := range set.Groups(func(p int32) bool { return is[p] }) {
		groups[group[0]] = group
	}
	isBend := func(o int32) bool {
		return !g.IsPlane(o) && g.AnyNeighbor(o, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && is[q] && q != o
		})
	}
	isApart := func(p, face int32) bool { // bends are beside the others
		return slices.ContainsFunc(groups[set.Find(p)], func(o int32) bool {
			return !isBend(o) && !isBeside(g, o, face)
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

// miters returns, by the points in which they meet, the convex edges between each two of three bevels.
func miters(g *graph.Graph, is []bool) (out [][]int32) {
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

// addCorners adds the planes that bevel corners where at least three bevels end.
func addCorners(g *graph.Graph, is, taken []bool) {
	var planes []int32
	for c := range is {
		if !taken[c] && g.IsPlane(int32(c)) && len(aroundCorner(g, is, int32(c))) > 0 {
			planes = append(planes, int32(c))
		}
	}
	for _, c := range planes {
		is[c] = true
	}
}

// aroundCorner returns the bevels with ends at a patch, ascending, if at least three surround it, otherwise none.
func aroundCorner(g *graph.Graph, is []bool, c int32) (out []int32) {
	for p, a := range g.Neighbors(c) {
		if !is[p] || a.Convexity == graph.Concave || !isEnd(g, p, a) {
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

// isEnd reports whether an edge of a chamfer is not a side of it.
func isEnd(g *graph.Graph, p int32, a *graph.Adjacency) bool {
	switch s := &g.Patches[p].Shape; s.Kind {
	case surface.KindPlane:
		across, _ := strip(g, p)
		return a.Dir.Cross(across).Norm() < straightCos
	case surface.KindCone:
		return a.Dir.Cross(s.Axis).Norm() < straightCos
	}
	return false
}

// addPair appends two bevels if they surround one plane, other than the one between them, at one angle and with one
// loop of neighbors.
func addPair(g *graph.Graph, pairs []pair, p, q, between int32) []pair {
	isFit := func(face int32) bool { return face != between && g.IsPlane(face) }
	if face := shared(g, p, q, isFit, false); face != graph.None && areAsWide(g, p, q) && !areSeparate(g, p, q) {
		return append(pairs, pair{p, q, face})
	}
	return pairs
}

// roundOf returns the length, mm, around a plane, with its pieces beside bevels, including cuts in its edges.
func roundOf(g *graph.Graph, face int32, pairs []pair) float64 {
	var longest graph.Adjacency
	pieces := []int32{face}
	for _, two := range pairs {
		for _, x := range slices.Concat(g.Patches[two.p].Arcs, g.Patches[two.q].Arcs) {
			a := &g.Arcs[x]
			for _, q := range []int32{a.A, a.B} {
				if g.OnOneSurface(face, q) {
					pieces = append(pieces, q)
				}
			}
		}
	}
	slices.Sort(pieces) // each piece occurs once per edge
	pieces = slices.Compact(pieces)
	for _, a := range g.Neighbors(face) {
		if a.Length > longest.Length {
			longest = *a
		}
	}
	return 2 * (g.ExtentOf(pieces, longest.Dir).Length() + g.ExtentOf(pieces,
		g.Patches[face].Axis.Cross(longest.Dir)).Length())
}
