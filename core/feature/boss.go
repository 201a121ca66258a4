package feature

// Bosses: islands of convex walls on a floor.
//
// An inner rim of a plane along which walls or their fillets rise all the way round is the foot of an
// island. The walls that stand on the rim are the boss; its top is a plane of its own. The core of a
// ring-shaped groove is a boss by this rule. Walls that also stand on the outer rim of a floor (ribs
// joined to a pocket's wall) are no island.

import "slices"

// bosses finds islands: inner rims of a floor with walls all round.
func (r *recognizer) bosses(basins []basin) {
	for i := range basins {
		b := &basins[i]
		for _, ring := range b.rims {
			if !ring.isInner || len(ring.arcs) == 0 {
				continue
			}
			dir := r.v.dirs[b.dir]
			if slices.ContainsFunc(ring.arcs, func(x int32) bool { return !r.rises(x, b) }) {
				continue
			}
			one := *b
			one.rims = []rim{ring}
			walls := r.gather(&one, true)
			if len(walls) == 0 {
				continue
			}
			axis := dir
			r.add(found{typ: Boss, patches: walls, dir: dir, axis: &axis, z: r.g.extentOf(walls, dir)})
		}
	}
}
