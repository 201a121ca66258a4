package recognize

// What hangs over pockets.
//
// A hollow that others broke into from its side keeps some of what closed it there, where the direction of its floor does
// not see it: free planes that look down on the floor, and meet nothing in inner edges but what bounds that hollow and each
// other.
//
// Cost: linear in the edges of free planes.
//
// Limits: a plane that meets the rest over fillets is none, and planes that meet each other but bound two hollows are of
// neither. A pocket that is through has no floor to hang over.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// slantMin (rad) is from where on a plane slants: castings and forgings have drafts up to that, and what is drafted is upright.
const slantMin = 10 * math.Pi / 180

// overhangs gives pockets the free planes that hang over their floors, all together that meet in other than outer edges.
func (r *recognizer) overhangs() {
	isFree := func(p int32) bool { return !r.taken[p] && r.g.Patches[p].Kind == surface.KindPlane }
	set := graph.NewUnionFind(len(r.g.Patches))
	for x := range r.g.Arcs {
		if a := &r.g.Arcs[x]; a.Convexity != graph.Convex && isFree(a.A) && isFree(a.B) {
			set.Join(a.A, a.B)
		}
	}
	for _, planes := range set.Groups(isFree) {
		if f := r.hangOver(planes); f != graph.None {
			for _, p := range planes {
				r.extend(f, p)
			}
		}
	}
}

// hangOver returns the pocket on whose floor free planes look down, all that meet each other in other than outer edges, and
// of which all is that they meet so besides; None where there is none.
func (r *recognizer) hangOver(planes []int32) int32 {
	of, isInner := int32(graph.None), false
	for _, p := range planes {
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if _, isOne := slices.BinarySearch(planes, q); r.g.Arcs[x].Convexity == graph.Convex || isOne {
				continue
			}
			f := r.owner[q]
			if f == graph.None || of != graph.None && f != of {
				return graph.None
			}
			of, isInner = f, isInner || r.g.Arcs[x].Convexity == graph.Concave
		}
	}
	if !isInner || r.out[of].typ != feature.Pocket || r.out[of].rule == turnedGroove || r.out[of].pocket.Through ||
		slices.ContainsFunc(planes, func(p int32) bool { return r.g.Patches[p].Axis.Dot(r.out[of].dir) >= -math.Sin(slantMin) }) {
		return graph.None
	}
	return of
}
