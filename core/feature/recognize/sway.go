package recognize

// Patches that fillets hold together and that are no hollow of their own.
//
// A pocket has walls. Where the outside sways inwards and out again by less than 45° there are none; and a floor that bends
// as little goes on beyond the edge.
//
// Cost: linear in the points and the edges of the patches.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// bendsOn returns the pocket whose floor goes on in some patches over an outer edge of less than 45°, between fillets that
// end in its walls: its direction sees them all. None where there is none.
func (r *recognizer) bendsOn(group []int32) int32 {
	f, bends, ends := int32(graph.None), false, false
	for _, p := range group {
		for _, x := range r.g.Patches[p].Arcs {
			a := &r.g.Arcs[x]
			q := a.Other(p)
			k := r.owner[q]
			if k == graph.None || r.out[k].typ != feature.Pocket {
				continue
			}
			if f != graph.None && f != k {
				return graph.None
			}
			f = k
			dir := r.out[f].dir
			bends = bends || a.Convexity == graph.Convex && a.Turn < math.Pi/4 && !r.isWall(p, dir) && !r.isWall(q, dir)
			ends = ends || a.Convexity == graph.Smooth && r.isFillet(p) && r.isWall(q, dir)
		}
	}
	if !bends || !ends {
		return graph.None
	}
	d := r.v.Find(r.out[f].dir)
	isMissed := func(p int32) bool { return r.v.Share[d][p] < direction.MinFloorVisibility }
	if d == graph.None || slices.ContainsFunc(group, isMissed) {
		return graph.None
	}
	return f
}

// bentFloor returns the free planes in which a floor goes on between walls of it over edges of an angle that makes no hollow by itself,
// with what rises from them.
func (r *recognizer) bentFloor(b *basin, walls []int32) (out []int32) {
	dir := r.v.Dirs[b.dir]
	floors := []int32{b.patch}
	for i := 0; i < len(floors); i++ {
		for _, x := range r.g.Patches[floors[i]].Arcs {
			p := r.g.Arcs[x].Other(floors[i])
			isBetween := func(wall int32) bool { return r.meets(p, wall, graph.Concave) }
			if math.Abs(r.g.Arcs[x].Turn) > shallowTurn || r.taken[p] || r.g.Patches[p].Kind != surface.KindPlane ||
				slices.Contains(floors, p) || !slices.ContainsFunc(walls, isBetween) {
				continue
			}
			floors = append(floors, p)
			out = append(append(out, p), r.gather(&basin{patch: p, dir: b.dir, z: r.g.Extent(p, dir).Lo, rims: r.rims(p)}, false)...)
		}
	}
	return out
}

// isSway reports whether nothing but fillets between outsides holds some patches together, and no two of their normals lie
// so far apart that one of them were a wall on the other: the outside sways inwards and out again.
func (r *recognizer) isSway(group []int32) bool {
	isOwn := func(p int32) bool { return r.isFillet(p) && !r.g.IsBlend(p) && !r.rolls(p) }
	if !r.isBlended(group) || slices.ContainsFunc(group, isOwn) {
		return false
	}
	farthest := func(from geom.Vec3) (to geom.Vec3, cos float64) {
		cos = 1
		for _, p := range group {
			r.g.EachPoint(p, func(_, n geom.Vec3) {
				if c := n.Dot(from); c < cos {
					to, cos = n, c
				}
			})
		}
		return to, cos
	}
	one, _ := farthest(r.normalOf(group[0]).Unit())
	_, cos := farthest(one)
	return cos > section.SteepSin
}
