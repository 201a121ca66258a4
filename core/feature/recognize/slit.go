package recognize

// Slits.
//
// A cut that opens a bore to a side, as the saw cut of a clamp, leaves two planes that face each other across air. Both
// end in the wall of the bore and rest on nothing: a passage along the bore.
//
// Cost: pairs of planes at one hole; their number is small.
// Limits: slits with chamfered or rounded edges at the bore, and slits that end in a relief, are not found.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
)

// slits proposes the cuts that open holes.
func slits(r *reading, v *verifier) {
	for f := range r.features {
		if r.features[f].typ != feature.Hole {
			continue
		}
		sides := adjacentToHole(r, int32(f))
		for i, p := range sides {
			for _, q := range sides[:i] {
				one, other := []int32{p}, []int32{q}
				if !r.isTaken(p) && !r.isTaken(q) && r.g.Patches[p].Axis.Dot(r.g.Patches[q].Axis) <= -graph.LateralCos &&
					r.isBefore(one, other) && r.isBefore(other, one) &&
					r.isFree(p, q, func(b graph.Convexity) bool { return b == graph.Convex }) {
					addPassage(r, v, *r.features[f].axis, ascending([]int32{p, q}))
				}
			}
		}
	}
}

// adjacentToHole returns the free planes that end in a hole over convex edges along it and have no concave edges.
func adjacentToHole(r *reading, f int32) (out []int32) {
	axis := *r.features[f].axis
	for _, p := range r.features[f].patches {
		for q, a := range r.g.Neighbors(p) {
			if a.Convexity == graph.Convex && math.Abs(a.Dir.Dot(axis)) > graph.LateralCos && !r.isTaken(q) &&
				r.g.IsPlane(q) && !slices.Contains(out, q) &&
				!r.g.AnyNeighbor(q, func(_ int32, a *graph.Adjacency) bool { return a.Convexity == graph.Concave }) {
				out = append(out, q)
			}
		}
	}
	return out
}
