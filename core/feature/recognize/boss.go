package recognize

// Bosses: islands of convex walls on a floor.
//
// An inner rim of a plane along which walls or their fillets rise all the way round is the foot of an
// island. The walls that stand on the rim are the boss; its top is a plane of its own. The core of a
// ring-shaped groove is a boss by this rule. Walls that also stand on the outer rim of a floor (ribs
// joined to a pocket's wall) are no island.

import (
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
)

// bosses finds islands: inner rims of a floor with walls all round.
func (r *recognizer) bosses(basins []basin) {
	for i := range basins {
		b := &basins[i]
		for _, ring := range b.rims {
			if !ring.IsInner || len(ring.Arcs) == 0 {
				continue
			}
			dir := r.v.Dirs[b.dir]
			if slices.ContainsFunc(ring.Arcs, func(x int32) bool { return !r.rises(x, b) }) {
				continue
			}
			one := *b
			one.rims = []graph.Rim{ring}
			walls := r.gather(&one, true)
			if len(walls) == 0 {
				continue
			}
			axis := dir
			r.add(found{typ: feature.Boss, patches: walls, dir: dir, axis: &axis, z: r.g.ExtentOf(walls, dir)})
		}
	}
}
