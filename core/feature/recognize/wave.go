package recognize

// Patches that fillets connect without a pocket.
//
// A pocket has walls. An outside that waves by less than 45° has none, and a floor that bends by less continues beyond
// the edge.
//
// Cost: linear in the points and the edges of the patches.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// continuedPocket returns the pocket whose floor continues in a group over a convex edge of less than 45°, between
// fillets that end in its walls. Its direction must see the group. It returns None if there is none.
func continuedPocket(r *reading, group []int32) int32 {
	f, bends, ends := int32(graph.None), false, false
	for _, p := range group {
		for q, a := range r.g.Neighbors(p) {
			k := r.ownerOf(q)
			if k == graph.None || r.features[k].typ != feature.Pocket {
				continue
			}
			if f != graph.None && f != k {
				return graph.None
			}
			f = k
			dir := r.features[f].dir
			bends = bends || a.Convexity == graph.Convex && a.Turn < math.Pi/4 && !r.isWall(p, dir) && !r.isWall(q, dir)
			ends = ends || a.Convexity == graph.Smooth && r.isFillet(p) && r.isWall(q, dir)
		}
	}
	if !bends || !ends {
		return graph.None
	}
	d := r.v.Find(r.features[f].dir)
	if slices.ContainsFunc(group, func(p int32) bool { return !r.sees(d, p) }) {
		return graph.None
	}
	return f
}

// continuedFloor returns the free planes that continue a floor between its walls over shallow edges, with the walls on
// them.
func continuedFloor(r *reading, b *floorCandidate, walls []int32) (out []int32) {
	dir := r.v.Dirs[b.dir]
	floors := []int32{b.patch}
	for i := 0; i < len(floors); i++ {
		for p, a := range r.g.Neighbors(floors[i]) {
			isBetween := func(wall int32) bool { return r.meets(p, wall, graph.Concave) }
			if math.Abs(a.Turn) > shallowTurn || r.isTaken(p) || !r.g.IsPlane(p) ||
				slices.Contains(floors, p) || !slices.ContainsFunc(walls, isBetween) {
				continue
			}
			floors = append(floors, p)
			out = append(append(out, p), r.gather(&floorCandidate{patch: p, dir: b.dir, z: r.g.Extent(p, dir).Lo,
				boundaryLoops: r.boundaryLoops(p)}, false)...)
		}
	}
	return out
}

// isSmoothWave reports whether only fillets between outer surfaces connect a group, and no two normals differ by as
// much as those of floor and wall. The outside waves there.
func isSmoothWave(pc *partContext, group []int32) bool {
	isOwn := func(p int32) bool { return pc.isFillet(p) && !pc.g.IsBlend(p) && !rolls(pc, p) }
	if !isBlended(pc, group) || slices.ContainsFunc(group, isOwn) {
		return false
	}
	farthest := func(from geom.Vec3) (to geom.Vec3, cos float64) {
		cos = 1
		for _, p := range group {
			pc.g.EachPoint(p, func(_, n geom.Vec3) {
				if c := n.Dot(from); c < cos {
					to, cos = n, c
				}
			})
		}
		return to, cos
	}
	one, _ := farthest(pc.normalOf(group[0]).Unit())
	_, cos := farthest(one)
	return cos > section.SteepSin
}
