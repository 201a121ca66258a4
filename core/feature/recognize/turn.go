package recognize

// Where a contour turns inwards.
//
// A cutter that follows an outer contour round an inner corner cuts no pocket as long as the sides of the corner look
// away from each other: by less than a right angle, so that it comes to both of them from outside. A blend shows that
// one pass made them, and so does a round side elsewhere in the contour; a block has neither, and what is cut off its
// corners are steps. A corner whose sides both end in one surface is a notch in it, and one whose blend goes on elsewhere,
// across air, an end of a pocket.
//
// Cost: linear in the edges of the groups, and some cuts for each.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// widestTurn (rad) is how far a contour may turn inwards at a corner: less than a right angle, by what planes may differ
// and be parallel.
const widestTurn = math.Pi/2 - graph.SmoothAngle

// turns notes the inner corners of outer contours. What turns too little for a hollow but is no such corner itself is a
// piece of one, beyond which the contour goes on: the corners that are found are looked at again.
func (r *recognizer) turns() {
	groups := r.hollowGroups()
	hollowOf := make(map[int32][]int32)
	for _, group := range groups {
		for _, p := range group {
			hollowOf[p] = group
		}
	}
	for _, group := range groups {
		r.noteTurn(group, func(next []int32, dir geom.Vec3) bool { return !r.turnsLittle(next, dir) }, hollowOf)
	}
	first := slices.Clone(r.turnOf)
	for _, group := range groups {
		if first[group[0]] != 0 {
			r.noteTurn(group, func(next []int32, _ geom.Vec3) bool { return first[next[0]] == 0 }, hollowOf)
		}
	}
}

// noteTurn notes whether some patches are an inner corner of the contour along a direction; goesOn tells hollows beyond
// which a contour goes on.
func (r *recognizer) noteTurn(group []int32, goesOn func([]int32, geom.Vec3) bool, hollowOf map[int32][]int32) {
	turn := int32(0)
	for d, dir := range r.v.Dirs {
		if o := r.v.Find(dir.Neg()); (o == graph.None || o >= d) && r.isTurn(group, d, goesOn, hollowOf) {
			turn = group[0] + 1
			break
		}
	}
	for _, p := range group {
		r.turnOf[p] = turn
	}
}

// isTurn reports whether some patches, held together by inner edges or fillets, are an inner corner of the contour of the
// part along a direction.
func (r *recognizer) isTurn(group []int32, d int, goesOn func([]int32, geom.Vec3) bool, hollowOf map[int32][]int32) bool {
	dir := r.v.Dirs[d]
	if !r.turnsLittle(group, dir) || !r.endsApart(group, dir, goesOn, hollowOf) {
		return false
	}
	chain, ok := r.outerChain(r.wallsAlong(d), r.largest(group))
	return ok && (r.isBlended(group) || r.goesOnRound(group, dir) || slices.ContainsFunc(chain.Patches, func(p int32) bool {
		return r.g.Patches[p].Shape.IsMantle() && !slices.Contains(group, p)
	}))
}

// goesOnRound reports whether upright walls go on smoothly in something round, whatever a cut at one height shows of that.
func (r *facts) goesOnRound(group []int32, dir geom.Vec3) bool {
	return slices.ContainsFunc(group, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			q := r.g.Arcs[x].Other(p)
			return r.g.Arcs[x].Convexity == graph.Smooth && r.g.Patches[q].Shape.IsMantle() && r.isUpright(q, dir)
		})
	})
}

// turnsLittle reports whether some patches are upright and look to less than a right angle.
func (r *facts) turnsLittle(group []int32, dir geom.Vec3) bool {
	return !slices.ContainsFunc(group, func(p int32) bool { return !r.isUpright(p, dir) }) &&
		2*math.Pi-section.Gap(r.g, dir, group) < widestTurn
}

// largest returns the patch with the largest area.
func (r *facts) largest(group []int32) int32 {
	return slices.MaxFunc(group, func(a, b int32) int {
		return compareBool(r.g.Patches[a].Area > r.g.Patches[b].Area, r.g.Patches[b].Area > r.g.Patches[a].Area)
	})
}

// isBlended reports whether no inner edge between some patches is sharp.
func (r *facts) isBlended(group []int32) bool {
	return !slices.ContainsFunc(group, func(p int32) bool {
		return slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
			a := &r.g.Arcs[x]
			return a.Convexity == graph.Concave && !isShallow(a) && slices.Contains(group, a.Other(p))
		})
	})
}

// endsApart reports whether nothing lies across some walls, and what follows on them on either side along the contour,
// beyond what other hollows cut out of it, is not one surface.
func (r *recognizer) endsApart(group []int32, dir geom.Vec3, goesOn func([]int32, geom.Vec3) bool, hollowOf map[int32][]int32) bool {
	g := r.g
	type end struct{ at, of int32 } // of a wall
	var ends []end
	seen := [][]int32{group}
	for n := 0; n < len(seen); n++ {
		for _, p := range seen[n] {
			for _, x := range g.Patches[p].Arcs {
				a := &g.Arcs[x]
				q := a.Other(p)
				next := hollowOf[q]
				isSeen := slices.ContainsFunc(seen, func(o []int32) bool { return slices.Contains(o, q) })
				switch {
				case isSeen:
				case isAcross(a, dir):
					if n == 0 && a.Convexity == graph.Concave {
						return false
					}
				case n == 0 && a.Turn > shallowTurn && (r.isFillet(q) && r.isUpright(q, dir) || r.isInHollow(q)):
					return false // another hollow cuts it short
				case next != nil && goesOn(next, dir):
					seen = append(seen, next)
				case slices.ContainsFunc(ends, func(e end) bool {
					return (e.at != q || slices.Contains(group, e.of)) && g.Continues(&g.Patches[e.at].Shape, &g.Patches[q].Shape) &&
						!g.Continues(&g.Patches[e.of].Shape, &g.Patches[p].Shape) // they are not of one side
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

// isInHollow reports whether a hollow feature has a patch.
func (r *recognizer) isInHollow(p int32) bool {
	return r.owner[p] != graph.None && isHollow(r.out[r.owner[p]].typ)
}

// folded reports whether an inner edge between two patches makes no hollow: bent sheet has one there, or the contour
// turns.
func (r *recognizer) folded(p, q int32) bool {
	return r.sheet.Folded(p, q) || r.turnOf[p] != 0 && r.turnOf[p] == r.turnOf[q]
}
