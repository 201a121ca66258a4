package recognize

// Cuts that only one direction can make.
//
// Vertical faces along a direction, joined over concave edges and fillets, that turn by more than 180° hide each other
// from all sides: only a tool along the direction reaches all of them. With a perpendicular face they are the walls of
// a pocket, which has another rule, as have passages with a whole boundary loop. Otherwise they are a passage broken
// out of a side of the part, even if single faces look like a floor with fillets or two walls.
//
// Cost: linear in edges for each direction.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/feature/verdict"
	"millwright.dev/millwright/core/kernel/geom"
)

// prisms proposes passages, closed or open, direction by direction.
func prisms(r *reading, v *verifier) {
	for d, dir := range r.v.Dirs {
		if r.isSecond(d) {
			continue
		}
		for _, group := range verticalGroups(r, d) {
			if section.Encircles(r.g, dir, group) && verdict.Fill(r.g, group, nil) <= 0 && !isWindow(r.partContext, group, dir) {
				addPassage(r, v, dir, group)
			}
		}
	}
}

// isWindow reports whether walls open in the interior of a plane perpendicular to dir. The rule for passages handles
// them.
func isWindow(pc *partContext, walls []int32, dir geom.Vec3) bool {
	for _, p := range walls {
		for _, x := range pc.g.Patches[p].Arcs {
			q := pc.g.Arcs[x].Other(p)
			if isLevel(pc.g, q, dir) && slices.ContainsFunc(pc.boundaryLoops(q), func(loop graph.BoundaryLoop) bool {
				return loop.IsInner && slices.Contains(loop.Arcs, x)
			}) {
				return true
			}
		}
	}
	return false
}

// verticalGroups returns the free vertical patches connected over concave edges and fillets along direction d, without
// groups that a patch crosses.
func verticalGroups(r *reading, d int) [][]int32 {
	g, dir := r.g, r.v.Dirs[d]
	set := graph.NewUnionFind(len(g.Patches))
	isUpright := make([]bool, len(g.Patches))
	for p := range g.Patches {
		isUpright[p] = !r.isTaken(int32(p)) && r.isVertical(int32(p), dir)
	}
	isShut := make([]bool, len(g.Patches)) // a patch crosses
	isHeld := make([]bool, len(g.Patches))
	for i := range g.Arcs {
		a := &g.Arcs[i]
		if a.Convexity == graph.Convex || !isUpright[a.A] && !isUpright[a.B] || r.folded(a.A, a.B) {
			continue
		}
		switch isAlong := math.Abs(a.Dir.Dot(dir)) > graph.LateralCos; {
		case isUpright[a.A] && isUpright[a.B] && isAlong:
			if a.Convexity == graph.Concave && !isShallow(a) || r.isFillet(a.A) || r.isFillet(a.B) {
				set.Join(a.A, a.B)
				isHeld[a.A], isHeld[a.B] = true, true
			}
		case !isAlong:
			isShut[a.A], isShut[a.B] = true, true
		}
	}
	joinRelieved(r.partContext, set, isHeld, func(p int32) bool { return isUpright[p] })
	groups := set.Groups(func(p int32) bool { return isHeld[p] })
	return slices.DeleteFunc(groups, func(group []int32) bool {
		return slices.ContainsFunc(group, func(p int32) bool { return isShut[p] })
	})
}
