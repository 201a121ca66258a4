package graph

import "iter"

// Neighbors yields the patches next to patch p, with the edges between, once per edge.
func (g *Graph) Neighbors(p int32) iter.Seq2[int32, *Adjacency] {
	return func(yield func(int32, *Adjacency) bool) {
		for _, x := range g.Patches[p].Arcs {
			if a := &g.Arcs[x]; !yield(a.Other(p), a) {
				return
			}
		}
	}
}

// AnyNeighbor reports whether a patch next to p satisfies is.
func (g *Graph) AnyNeighbor(p int32, is func(q int32, a *Adjacency) bool) bool {
	for q, a := range g.Neighbors(p) {
		if is(q, a) {
			return true
		}
	}
	return false
}

// NeighborsWith returns the patches next to p that satisfy is, once per edge.
func (g *Graph) NeighborsWith(p int32, is func(q int32, a *Adjacency) bool) (out []int32) {
	for q, a := range g.Neighbors(p) {
		if is(q, a) {
			out = append(out, q)
		}
	}
	return out
}
