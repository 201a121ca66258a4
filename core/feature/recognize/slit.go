package recognize

// Slits.
//
// What opens a bore to a side, as a saw cut does at a clamp, leaves two planes that look at each other across air, both end in
// the wall of that bore, and stand on nothing: a passage along it.
//
// Limits: edges with the bore that are bevelled or rounded, and slits that end in a relief, are not followed.
//
// Cost: pairs of planes beside one hole, of which there are a few.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// slits finds the cuts that open holes.
func (r *recognizer) slits() {
	for f := range r.out {
		if r.out[f].typ != feature.Hole {
			continue
		}
		sides := r.besideHole(int32(f))
		for i, p := range sides {
			for _, q := range sides[:i] {
				one, other := []int32{p}, []int32{q}
				if !r.taken[p] && !r.taken[q] && r.g.Patches[p].Axis.Dot(r.g.Patches[q].Axis) <= -graph.LateralCos &&
					r.isBefore(one, other) && r.isBefore(other, one) &&
					r.isFree(p, q, func(b graph.Convexity) bool { return b == graph.Convex }) {
					r.addPassage(*r.out[f].axis, ascending([]int32{p, q}))
				}
			}
		}
	}
}

// besideHole returns the free planes that end in a hole over outer edges along it, and stand on nothing.
func (r *recognizer) besideHole(f int32) (out []int32) {
	axis := *r.out[f].axis
	for _, p := range r.out[f].patches {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			q := a.Other(p)
			if a.Convexity == graph.Convex && math.Abs(a.Dir.Dot(axis)) > graph.LateralCos && !r.taken[q] &&
				r.g.Patches[q].Kind == surface.KindPlane && !slices.Contains(out, q) &&
				!slices.ContainsFunc(r.g.Patches[q].Arcs, func(y int32) bool { return r.g.Arcs[y].Convexity == graph.Concave }) {
				out = append(out, q)
			}
		}
	}
	return out
}
