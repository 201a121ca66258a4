package recognize

// Keyways along round stages.
//
// Turning a stage leaves one round wall and nothing inside it. Walls of an island that lie within its round wall and
// meet each other in concave edges were cut later, even if they end at the same floor. A flat belongs to the stage,
// because it adds no concave edge. The same holds for the gaps of a spline whose teeth cover less than half.
//
// Cost: patches on a round wall are looked up once per surface. Surfaces over at least half a turn take time linear in
// the triangles of all walls, and quadratic in the walls of a keyway.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// withoutKeyways returns the walls of an island without the walls of keyways along its round wall.
func withoutKeyways(pc *partContext, walls []int32) []int32 {
	g := pc.g
	cylinders := only(walls, func(p int32) bool {
		s := &g.Patches[p].Shape
		return s.IsMantle() && s.Kind == surface.KindCylinder
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
		within := without(walls, func(q int32) bool {
			return isOfKeyway[q] || g.Continues(s, &g.Patches[q].Shape) || !pc.isVertical(q, s.Axis) ||
				g.Reach(q, s).Hi > s.Radius+g.Length
		})
		for _, group := range pc.connected(within) {
			if slices.ContainsFunc(group, func(q int32) bool {
				return slices.ContainsFunc(group, func(o int32) bool { return pc.meets(q, o, graph.Concave) })
			}) {
				for _, q := range group {
					isOfKeyway[q] = true
				}
			}
		}
	}
	return without(walls, func(q int32) bool { return isOfKeyway[q] })
}
