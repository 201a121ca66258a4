package recognize

// Inner corners of outer contours.
//
// A cutter that follows an outer contour around an inner corner cuts no pocket if the sides of the corner turn by less
// than 90°, so that it reaches both from outside. A blend shows that one pass made them, as does a round side elsewhere
// in the contour. A block has neither, and cuts at its corners are steps. If both sides of a corner end in one surface,
// it is a notch. If its blend continues elsewhere across air, it is an end of a pocket.
//
// Cost: linear in the edges of the groups, and some cuts for each.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// maxInnerTurn (rad) is the largest turn of a contour at an inner corner: 90° less the tolerance of parallel planes.
const maxInnerTurn = math.Pi/2 - graph.SmoothAngle

// innerCorners marks the inner corners of outer contours. A group that turns too little for a pocket but is no such
// corner is a piece of one, beyond which the contour continues. The corners that were found are then tested again.
func innerCorners(r *reading, _ *verifier) {
	groups := r.concaveGroups()
	groupOf := make(map[int32][]int32)
	for _, group := range groups {
		for _, p := range group {
			groupOf[p] = group
		}
	}
	for _, group := range groups {
		markInnerCorner(r, group, func(next []int32, dir geom.Vec3) bool {
			return !turnsSlightly(r.partContext, next, dir)
		}, groupOf)
	}
	first := slices.Clone(r.cornerOf)
	for _, group := range groups {
		if first[group[0]] != 0 {
			markInnerCorner(r, group, func(next []int32, _ geom.Vec3) bool { return first[next[0]] == 0 }, groupOf)
		}
	}
}

// markInnerCorner marks a group that is an inner corner of the contour along a direction. With continues, the contour
// continues beyond a group.
func markInnerCorner(r *reading, group []int32, continues func([]int32, geom.Vec3) bool,
	groupOf map[int32][]int32) {
	turn := int32(0)
	for d := range r.v.Dirs {
		if !r.isSecond(d) && isInnerCorner(r, group, d, continues, groupOf) {
			turn = group[0] + 1
			break
		}
	}
	for _, p := range group {
		r.cornerOf[p] = turn
	}
}

// isInnerCorner reports whether patches connected over concave edges or fillets are an inner corner of the contour of
// the part along direction d.
func isInnerCorner(r *reading, group []int32, d int, continues func([]int32, geom.Vec3) bool,
	groupOf map[int32][]int32) bool {
	dir := r.v.Dirs[d]
	if !turnsSlightly(r.partContext, group, dir) || !endsApart(r, group, dir, continues, groupOf) {
		return false
	}
	chain, ok := outerChain(r.partContext, r.wallsAlong(d), r.largest(group))
	return ok && (isBlended(r.partContext, group) || wrapsAround(r.partContext, group, dir) ||
		slices.ContainsFunc(chain.Patches, func(p int32) bool {
			return r.g.Patches[p].Shape.IsMantle() && !slices.Contains(group, p)
		}))
}

// wrapsAround reports whether vertical walls continue smoothly into a round wall, independent of the height of a
// section.
func wrapsAround(pc *partContext, group []int32, dir geom.Vec3) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Smooth && pc.g.Patches[q].Shape.IsMantle() && pc.isVertical(q, dir)
		})
	})
}

// turnsSlightly reports whether all patches are vertical and turn by less than 90° in total.
func turnsSlightly(pc *partContext, group []int32, dir geom.Vec3) bool {
	return pc.areVertical(group, dir) && 2*math.Pi-section.WidestNormalGap(pc.g, dir, group) < maxInnerTurn
}

// largest returns the patch with the largest area.
func (pc *partContext) largest(group []int32) int32 {
	return slices.MaxFunc(group, func(a, b int32) int {
		return compareBool(pc.g.Patches[a].Area > pc.g.Patches[b].Area, pc.g.Patches[b].Area > pc.g.Patches[a].Area)
	})
}

// isBlended reports whether no concave edge between some patches is sharp.
func isBlended(pc *partContext, group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool {
		return pc.g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
			return a.Convexity == graph.Concave && !isShallow(a) && slices.Contains(group, q)
		})
	})
}

// endsApart reports whether no patch crosses some walls, and their continuations on both sides of the contour, beyond
// pockets, are not one surface.
func endsApart(r *reading, group []int32, dir geom.Vec3, continues func([]int32, geom.Vec3) bool,
	groupOf map[int32][]int32) bool {
	g := r.g
	type end struct{ at, of int32 } // of a wall
	var ends []end
	seen := [][]int32{group}
	for n := 0; n < len(seen); n++ {
		for _, p := range seen[n] {
			for q, a := range g.Neighbors(p) {
				next := groupOf[q]
				isSeen := slices.ContainsFunc(seen, func(o []int32) bool { return slices.Contains(o, q) })
				switch {
				case isSeen:
				case isPerpendicular(a, dir):
					if n == 0 && a.Convexity == graph.Concave {
						return false
					}
				case n == 0 && a.Turn > shallowTurn && (r.isFillet(q) && r.isVertical(q, dir) || r.isInsidePocket(q)):
					return false // another pocket cuts it short
				case next != nil && continues(next, dir):
					seen = append(seen, next)
				case slices.ContainsFunc(ends, func(e end) bool {
					return (e.at != q || slices.Contains(group, e.of)) && g.Continues(&g.Patches[e.at].Shape, &g.Patches[q].Shape) &&
						!g.Continues(&g.Patches[e.of].Shape, &g.Patches[p].Shape) // not of one side
				}):
					return false
				case !slices.ContainsFunc(ends, func(e end) bool { return e.at == q }):
					ends = append(ends, end{q, p})
				}
			}
		}
	}
	return len(ends) > 1
}

// isInsidePocket reports whether a concave feature owns a patch.
func (r *reading) isInsidePocket(p int32) bool {
	return isConcave(r.typeOf(p))
}

// folded reports whether a concave edge between two patches forms no pocket: a bend of sheet, or an inner corner of the
// contour.
func (r *reading) folded(p, q int32) bool {
	return r.sheet.Folded(p, q) || r.cornerOf[p] != 0 && r.cornerOf[p] == r.cornerOf[q]
}
