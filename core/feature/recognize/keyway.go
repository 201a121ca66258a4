package recognize

// Keyways along round stages.
//
// What turned a stage left a round wall, and nothing of it within that. So walls of an island that lie within its round wall,
// and meet each other in inner edges, were cut into it afterwards, though they end at the floor as it does. A flat is of the
// stage: it has no inner edge of its own, nor have the gaps of a spline, of which the teeth are less than half.
//
// Cost: what lies on the surface of a round wall is looked up, once for each surface. Surfaces that go half round or more take
// time linear in the triangles of all walls, and quadratic in the walls of a keyway.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// withoutKeyways returns the walls of an island without those of keyways along its round wall.
func (r *recognizer) withoutKeyways(walls []int32) []int32 {
	g := r.g
	cylinders := slices.DeleteFunc(slices.Clone(walls), func(p int32) bool {
		s := &g.Patches[p].Shape
		return !s.IsMantle() || s.Kind != surface.KindCylinder
	})
	surfaces := g.NewSurfaces(cylinders)
	isDone, isOfKeyway := map[int32]bool{}, map[int32]bool{}
	for _, p := range cylinders {
		if isDone[p] || isOfKeyway[p] {
			continue
		}
		s := &g.Patches[p].Shape
		var round []int32
		surfaces.On(s, func(q int32) {
			if !isOfKeyway[q] {
				isDone[q] = true
				round = append(round, q)
			}
		})
		if g.Sweep(round, s) < math.Pi {
			continue
		}
		within := slices.DeleteFunc(slices.Clone(walls), func(q int32) bool {
			return isOfKeyway[q] || g.Continues(s, &g.Patches[q].Shape) || !r.isUpright(q, s.Axis) ||
				g.Reach(q, s).Hi > s.Radius+g.Length
		})
		for _, way := range r.connected(within) {
			if slices.ContainsFunc(way, func(q int32) bool {
				return slices.ContainsFunc(way, func(o int32) bool { return r.meets(q, o, graph.Concave) })
			}) {
				for _, q := range way {
					isOfKeyway[q] = true
				}
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(walls), func(q int32) bool { return isOfKeyway[q] })
}
