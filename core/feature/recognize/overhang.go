package recognize

// Overhangs of pockets.
//
// A pocket opened from its side may keep some of the material above it, invisible from the direction of its floor. Such
// overhangs are free planes that face the floor and meet only patches of the pocket and each other in concave edges.
//
// Cost: linear in the edges of free planes.
// Limits: planes with fillets do not count as overhangs. Planes that meet each other but bound two pockets belong to
// neither. A through pocket has no floor and no overhang.

import (
	"math"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
)

// minSlant (rad) is the least angle of a slanting plane. Castings and forgings have drafts up to it, and drafted walls
// are vertical.
const minSlant = 10 * math.Pi / 180

// overhangs gives pockets the free planes above their floors, in groups connected over edges that are not convex.
func overhangs(r *reading, v *verifier) {
	isFree := func(p int32) bool { return !r.isTaken(p) && r.g.IsPlane(p) }
	set := graph.NewUnionFind(len(r.g.Patches))
	for x := range r.g.Arcs {
		if a := &r.g.Arcs[x]; a.Convexity != graph.Convex && isFree(a.A) && isFree(a.B) {
			set.Join(a.A, a.B)
		}
	}
	for _, planes := range set.Groups(isFree) {
		if f := overhungPocket(r, planes); f != graph.None {
			for _, p := range planes {
				v.extend(f, p)
			}
		}
	}
}

// overhungPocket returns the pocket whose floor a group of free planes faces and whose patches are all that they meet
// in edges that are not convex. It returns None if there is none.
func overhungPocket(r *reading, planes []int32) int32 {
	of, isInner := int32(graph.None), false
	for _, p := range planes {
		for q, a := range r.g.Neighbors(p) {
			if a.Convexity == graph.Convex || contains(planes, q) {
				continue
			}
			f := r.ownerOf(q)
			if f == graph.None || of != graph.None && f != of {
				return graph.None
			}
			of, isInner = f, isInner || a.Convexity == graph.Concave
		}
	}
	if !isInner {
		return graph.None
	}
	facesFloor := func(p int32) bool { return r.g.Patches[p].Axis.Dot(r.features[of].dir) < -math.Sin(minSlant) }
	if o := r.features[of]; o.typ != feature.Pocket || o.rule == turnedGroove || o.pocket.Through ||
		!all(planes, facesFloor) {
		return graph.None
	}
	return of
}
