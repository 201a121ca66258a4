package recognize

// Sides of castings, seen square on.
//
// A drafted side of a part has a direction of its own, along which it looks like a floor, and the ears, flanges and
// fillets beside it like walls. But it is made from the direction that all sides are drafted towards, which sees all of
// that: it is of the outside. What was cut into a side along its own direction has walls that are upright to it.
//
// Cost: one look at the directions for each leaning plane that has walls.

import (
	"slices"

	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// draftedSides finds the floors that are sides of castings: neither floors nor walls of pockets, nor with what rises from
// them a hollow.
func (r *recognizer) draftedSides() []bool {
	isSide := make([]bool, len(r.g.Patches))
	for i := range r.basins {
		b := &r.basins[i]
		if !r.isFloor(b) {
			continue
		}
		if walls := r.gather(b, false); r.isDraftedSide(b, walls) {
			isSide[b.patch] = true
			for _, p := range append(walls, b.patch) {
				r.isShoulder[p] = true
			}
		}
	}
	return isSide
}

// isDraftedSide reports whether a floor is a leaning side of the outside along another direction, to which all that rises
// from it faces, where none of its walls is upright to the floor.
func (r *recognizer) isDraftedSide(b *basin, walls []int32) bool {
	dir := r.v.Dirs[b.dir]
	if slices.ContainsFunc(walls, func(p int32) bool { return r.isUpright(p, dir) }) {
		return false
	}
	group := append([]int32{b.patch}, walls...)
	if slices.ContainsFunc(r.v.Dirs, func(along geom.Vec3) bool { return r.areUpright(group, along) }) {
		return false // a notch in a prism
	}
	for d, up := range r.v.Dirs {
		if r.g.Patches[b.patch].Axis.Dot(up) <= graph.DirectionTolerance || !r.isWall(b.patch, up) ||
			r.v.Share[d][b.patch] < direction.MinFloorVisibility || r.v.Seen(r.g, d, group) < direction.MinFloorVisibility ||
			slices.ContainsFunc(group, func(p int32) bool { return r.g.Slopes(p, up).Lo < -graph.DirectionTolerance }) {
			continue // what rises from it hides others at most, as ears do
		}
		if r.isOuter(d, b.patch) && !r.haveOneFloor(group, up) && !r.looksAcross(b.patch, walls, up) {
			return true
		}
	}
	return false
}

// looksAcross reports whether a plane and another one look at each other square to a direction, as the flanks of a groove do:
// something was cut out between them.
func (r *facts) looksAcross(p int32, others []int32, dir geom.Vec3) bool {
	n := flattened(r.g.Patches[p].Axis, dir)
	return slices.ContainsFunc(others, func(q int32) bool {
		o := flattened(r.g.Patches[q].Axis, dir)
		return r.g.Patches[q].Kind == surface.KindPlane && o.Dot(n) < -section.SteepSin*o.Norm()*n.Norm() &&
			r.isBefore([]int32{p}, []int32{q}) && r.isBefore([]int32{q}, []int32{p})
	})
}

// haveOneFloor reports whether all of some patches stand on one plane that faces up, which may be of them, or border on the first.
func (r *recognizer) haveOneFloor(group []int32, up geom.Vec3) bool {
	beside := slices.Clone(group)
	for _, x := range r.g.Patches[group[0]].Arcs {
		beside = append(beside, r.g.Arcs[x].Other(group[0]))
	}
	return slices.ContainsFunc(beside, func(floor int32) bool {
		return r.g.Facing(floor, up) && !slices.ContainsFunc(group, func(p int32) bool {
			return p != floor && !r.meets(p, floor, graph.Concave)
		})
	})
}

// areUpright reports whether all patches are parallel to a direction.
func (r *facts) areUpright(patches []int32, dir geom.Vec3) bool {
	return !slices.ContainsFunc(patches, func(p int32) bool { return !r.isUpright(p, dir) })
}

// isOuter reports whether the walls that a plane is joined with along direction d show on all sides and have their middle
// behind it: they run round material.
func (r *recognizer) isOuter(d int, p int32) bool {
	w := r.wallsAlong(d)
	joined := w.Joined(p)
	if !w.Embraces(joined) {
		return false
	}
	s := &r.g.Patches[p].Shape
	box := geom.EmptyBox()
	for _, q := range joined {
		r.g.EachPoint(q, func(pt, _ geom.Vec3) { box = box.Add(pt) })
	}
	return box.Center().Sub(s.Origin).Dot(s.Axis) < -r.slack()
}
