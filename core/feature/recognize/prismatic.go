package recognize

// Cuts that only one direction could have made.
//
// Upright faces along a direction, joined over inner edges and fillets, that go round more than half a turn hide one
// another from all sides: nothing but a tool along the direction comes to them all. With a face across it they are the
// walls of a pocket, and left to the rule for those, as passages with a whole rim are; else they are a passage that is
// broken out of a side of the part, whatever their faces would be by themselves: a floor with fillets, two walls.
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

// prisms finds passages, closed or not, direction by direction.
func (r *recognizer) prisms() {
	for d, dir := range r.v.Dirs {
		if o := r.v.Find(dir.Neg()); o != graph.None && o < d {
			continue
		}
		for _, group := range r.uprightGroups(d) {
			if section.Embraces(r.g, dir, group) && verdict.Fill(r.g, group, nil) <= 0 && !r.isWindow(group, dir) {
				r.addPassage(dir, group)
			}
		}
	}
}

// isWindow reports whether some walls open in the inside of a plane across dir: the rule for passages sees them whole.
func (r *recognizer) isWindow(walls []int32, dir geom.Vec3) bool {
	for _, p := range walls {
		for _, x := range r.g.Patches[p].Arcs {
			q := r.g.Arcs[x].Other(p)
			if isLevel(r.g, q, dir) && slices.ContainsFunc(r.rims(q), func(ring graph.BoundaryLoop) bool {
				return ring.IsInner && slices.Contains(ring.Arcs, x)
			}) {
				return true
			}
		}
	}
	return false
}

// uprightGroups returns the free patches upright to direction d that inner edges and fillets along it hold together,
// but for those that something lies across.
func (r *recognizer) uprightGroups(d int) [][]int32 {
	g, dir := r.g, r.v.Dirs[d]
	set := graph.NewUnionFind(len(g.Patches))
	isUpright := make([]bool, len(g.Patches))
	for p := range g.Patches {
		isUpright[p] = !r.taken[p] && r.isUpright(int32(p), dir)
	}
	isShut := make([]bool, len(g.Patches)) // something lies across
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
	r.joinRelieved(set, isHeld, func(p int32) bool { return isUpright[p] })
	groups := set.Groups(func(p int32) bool { return isHeld[p] })
	return slices.DeleteFunc(groups, func(group []int32) bool {
		return slices.ContainsFunc(group, func(p int32) bool { return isShut[p] })
	})
}
