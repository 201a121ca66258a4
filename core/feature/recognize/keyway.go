package recognize

// Keyways along round stages.
//
// What turned a stage left a round wall, and nothing of it within that. So walls of an island that lie within its round wall,
// and meet each other in inner edges, were cut into it afterwards, though they end at the floor as it does. A flat is of the
// stage: it has no inner edge of its own, nor have the gaps of a spline, of which the teeth are less than half.
//
// Cost: linear in the edges of the walls, for each of them that is round.

import (
	"math"
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// withoutKeyways returns the walls of an island without those of keyways along its round wall.
func (r *recognizer) withoutKeyways(walls []int32) []int32 {
	g := r.g
	for _, p := range walls {
		s := &g.Patches[p].Shape
		if !s.IsMantle() || s.Kind != surface.KindCylinder {
			continue
		}
		isRound := func(q int32) bool { return g.Continues(s, &g.Patches[q].Shape) }
		within := slices.DeleteFunc(slices.Clone(walls), func(q int32) bool {
			return isRound(q) || !r.isUpright(q, s.Axis) || g.Reach(q, s).Hi > s.Radius+g.Length
		})
		if g.Sweep(slices.DeleteFunc(slices.Clone(walls), func(q int32) bool { return !isRound(q) }), s) < math.Pi {
			continue
		}
		for _, way := range r.connected(within) {
			if slices.ContainsFunc(way, func(q int32) bool {
				return slices.ContainsFunc(way, func(o int32) bool { return r.meets(q, o, graph.Concave) })
			}) {
				walls = slices.DeleteFunc(slices.Clone(walls), func(q int32) bool { return slices.Contains(way, q) })
			}
		}
	}
	return walls
}
