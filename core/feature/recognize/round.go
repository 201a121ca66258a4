package recognize

// Islands on round bodies: bosses whose floor is no plane.

import (
	"fmt"

	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/feature/recognize/internal/section"
)

// islandsOnRound makes bosses of walls that rise from the outside of something round, where no plane is their floor.
func (r *recognizer) islandsOnRound() {
	g := r.g
	for d, dir := range r.v.Dirs {
		set := graph.NewSets(len(g.Patches))
		isWall := make([]bool, len(g.Patches))
		for i := range g.Arcs {
			a := &g.Arcs[i]
			for _, e := range [2][2]int32{{a.A, a.B}, {a.B, a.A}} {
				base := &g.Patches[e[0]].Shape
				if a.Bend == graph.Concave && isMantle(base) && !r.isRimRounding(e[0]) && !graph.Parallel(base.Axis, dir) && !r.taken[e[1]] &&
					!r.isFillet(e[1]) && r.isUpright(e[1], dir) && r.v.Share[d][e[1]] >= direction.FloorShare {
					isWall[e[1]] = true
				}
			}
		}
		for i := range g.Arcs {
			if a := &g.Arcs[i]; isWall[a.A] && isWall[a.B] && a.Bend != graph.Concave && !isAcross(a, dir) {
				set.Join(a.A, a.B)
			}
		}
		for _, group := range set.Groups(func(p int32) bool { return isWall[p] && !r.taken[p] }) {
			if section.Embraces(g, dir, group) && r.lookOutwards(group, dir) {
				r.addBoss(group, d, "island on a round body", fmt.Sprintf("%s on all sides from the outside of something round.",
					count(len(group), "wall rises", "walls rise")))
			}
		}
	}
}
