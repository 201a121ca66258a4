package recognize

// Blocks, whose sides are Faces and no outline.
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

// isBlockWithBoss reports whether an outline is of planes square to one another, and what rounds the corners between, from one of
// which a boss rises, and as high as it is wide at least: a mill that goes round the block would cut the boss off.
func (r *recognizer) isBlockWithBoss(o *outline) bool {
	g, dir := r.g, r.v.Dirs[o.d]
	var planes []int32
	carries := false
	for _, p := range o.patches {
		if g.Patches[p].Kind == surface.KindPlane {
			planes = append(planes, p)
		}
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if a.Convexity != graph.Concave {
				continue
			}
			if _, ok := slices.BinarySearch(o.patches, a.Other(p)); ok {
				return false
			}
			f := r.owner[a.Other(p)]
			carries = carries || f != graph.None && r.out[f].typ == feature.Boss && g.Facing(p, r.out[f].dir)
		}
	}
	if !carries || !r.areSquare(planes) {
		return false
	}
	n := g.Patches[planes[0]].Axis
	wide := min(g.ExtentOf(o.patches, n).Length(), g.ExtentOf(o.patches, dir.Cross(n)).Length())
	return o.height.Length() >= wide-g.Length
}

// isSlantBlock reports whether walls along dir are planes, all square to one another but one, and that is no corner cut off:
// the sides of a block with a slope.
func (r *recognizer) isSlantBlock(walls []int32, dir geom.Vec3) bool {
	odd := slices.DeleteFunc(slices.Clone(walls), func(p int32) bool { return r.areSquare([]int32{walls[0], p}) })
	isSlope := func(p int32) bool { return r.g.Patches[p].Kind == surface.KindPlane && !r.bevels[p] }
	return len(odd) > 0 && r.areUpright(walls, dir) && (len(odd) == 1 && isSlope(odd[0]) ||
		len(odd) == len(walls)-1 && isSlope(walls[0]) && r.areSquare(walls[1:]))
}

// areSquare reports whether all patches are planes, parallel or square to the first.
func (r *recognizer) areSquare(patches []int32) bool {
	first := r.g.Patches[patches[0]].Axis
	return !slices.ContainsFunc(patches, func(p int32) bool {
		s := &r.g.Patches[p].Shape
		c := math.Abs(first.Dot(s.Axis))
		return s.Kind != surface.KindPlane || c > graph.DirectionTolerance && !graph.Parallel(first, s.Axis)
	})
}
