package recognize

// Drafted sides of castings.
//
// Along its own normal, a drafted side looks like a floor, with tabs, flanges and fillets as walls. It is made from the
// direction of the draft, which sees all of these, and belongs to the outside. A pocket cut into a side along its
// normal has walls perpendicular to the side.
//
// Cost: one test of all directions for each leaning plane with walls.

import (
	"slices"

	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// draftedSides returns the floors, by patch, that are sides of castings. They and their walls are part of no pocket.
func draftedSides(r *reading) []bool {
	isSide := make([]bool, len(r.g.Patches))
	for i := range r.floors {
		b := &r.floors[i]
		if !r.isFloor(b) {
			continue
		}
		if walls := r.gather(b, false); isDraftedSide(r.partContext, b, walls) {
			isSide[b.patch] = true
			for _, p := range append(walls, b.patch) {
				r.inNoPocket[p] = true
			}
		}
	}
	return isSide
}

// isDraftedSide reports whether a floor is a leaning side of the outside along another direction, which all its walls
// face. No wall may be perpendicular to the floor.
func isDraftedSide(pc *partContext, b *floorCandidate, walls []int32) bool {
	dir := pc.v.Dirs[b.dir]
	if slices.ContainsFunc(walls, func(p int32) bool { return pc.isVertical(p, dir) }) {
		return false
	}
	group := append([]int32{b.patch}, walls...)
	if slices.ContainsFunc(pc.v.Dirs, func(along geom.Vec3) bool { return pc.areVertical(group, along) }) {
		return false // a notch in a prism
	}
	for d, up := range pc.v.Dirs {
		if pc.g.Patches[b.patch].Axis.Dot(up) <= graph.DirectionTolerance || !pc.isWall(b.patch, up) ||
			!pc.sees(d, b.patch) || pc.v.Seen(pc.g, d, group) < direction.MinFloorVisibility ||
			slices.ContainsFunc(group, func(p int32) bool { return pc.g.Slopes(p, up).Lo < -graph.DirectionTolerance }) {
			continue // walls such as tabs only hide others
		}
		if isOuter(pc, d, b.patch) && !haveOneFloor(pc, group, up) && !facesAcross(pc, b.patch, walls, up) {
			return true
		}
	}
	return false
}

// facesAcross reports whether plane p and another plane face each other perpendicular to dir, as the flanks of a
// groove. Material between them was removed.
func facesAcross(pc *partContext, p int32, others []int32, dir geom.Vec3) bool {
	n := pc.g.Patches[p].Axis.Reject(dir)
	return slices.ContainsFunc(others, func(q int32) bool {
		o := pc.g.Patches[q].Axis.Reject(dir)
		return pc.g.IsPlane(q) && o.Dot(n) < -section.SteepSin*o.Norm()*n.Norm() &&
			pc.isBefore([]int32{p}, []int32{q}) && pc.isBefore([]int32{q}, []int32{p})
	})
}

// haveOneFloor reports whether all patches of a group rest on one plane that faces up. The plane may be one of them or
// border on the first.
func haveOneFloor(pc *partContext, group []int32, up geom.Vec3) bool {
	beside := slices.Clone(group)
	for q := range pc.g.Neighbors(group[0]) {
		beside = append(beside, q)
	}
	return slices.ContainsFunc(beside, func(floor int32) bool {
		return pc.g.Facing(floor, up) && !slices.ContainsFunc(group, func(p int32) bool {
			return p != floor && !pc.meets(p, floor, graph.Concave)
		})
	})
}

// areVertical reports whether all patches are parallel to a direction.
func (pc *partContext) areVertical(patches []int32, dir geom.Vec3) bool {
	return !slices.ContainsFunc(patches, func(p int32) bool { return !pc.isVertical(p, dir) })
}

// isOuter reports whether the walls joined with plane p along direction d show on all sides and have their center
// behind it. They surround material.
func isOuter(pc *partContext, d int, p int32) bool {
	w := pc.wallsAlong(d)
	joined := w.Joined(p)
	if !w.Encircles(joined) {
		return false
	}
	s := &pc.g.Patches[p].Shape
	return pc.g.Box(joined...).Center().Sub(s.Origin).Dot(s.Axis) < -pc.g.Slack()
}
