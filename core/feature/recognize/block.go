package recognize

// Blocks: their sides are faces and no profile.
//
// Cost: linear in the sides and their edges.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// isBlockWithBoss reports whether a profile consists of perpendicular planes and the roundings between, carries a boss
// on a side and is at least as high as wide. A mill around the block would cut off the boss.
func isBlockWithBoss(r *reading, o *profileCandidate) bool {
	g, dir := r.g, r.v.Dirs[o.d]
	var planes []int32
	carries := false
	for _, p := range o.patches {
		if g.IsPlane(p) {
			planes = append(planes, p)
		}
		for q, a := range g.Neighbors(p) {
			if a.Convexity != graph.Concave {
				continue
			}
			if contains(o.patches, q) {
				return false
			}
			carries = carries || r.typeOf(q) == feature.Boss && g.Facing(p, r.features[r.ownerOf(q)].dir)
		}
	}
	if !carries || !r.areSquare(planes) {
		return false
	}
	n := g.Patches[planes[0]].Axis
	wide := min(g.ExtentOf(o.patches, n).Length(), g.ExtentOf(o.patches, dir.Cross(n)).Length())
	return o.height.Length() >= wide-g.Length
}

// isSlantBlock reports whether walls along dir are the sides of a block with one slope: planes, all perpendicular or
// parallel except one that is not a bevel.
func isSlantBlock(pc *partContext, walls []int32, dir geom.Vec3) bool {
	odd := without(walls, func(p int32) bool { return pc.areSquare([]int32{walls[0], p}) })
	isSlope := func(p int32) bool { return pc.g.IsPlane(p) && !pc.bevels[p] }
	return len(odd) > 0 && pc.areVertical(walls, dir) && (len(odd) == 1 && isSlope(odd[0]) ||
		len(odd) == len(walls)-1 && isSlope(walls[0]) && pc.areSquare(walls[1:]))
}

// areSquare reports whether all patches are planes, parallel or perpendicular to the first.
func (pc *partContext) areSquare(patches []int32) bool {
	first := pc.g.Patches[patches[0]].Axis
	return !slices.ContainsFunc(patches, func(p int32) bool {
		s := &pc.g.Patches[p].Shape
		c := math.Abs(first.Dot(s.Axis))
		return s.Kind != surface.KindPlane || c > graph.DirectionTolerance && !graph.Parallel(first, s.Axis)
	})
}
