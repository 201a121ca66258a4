package recognize

// Walls of what lies above a pocket.
//
// A pocket in the floor of a step or under an overhang may end flush with a wall that rises beyond it. Between the walls
// beside it that wall is the pocket's, but above them it reaches beyond both: what lies there has it.
//
// Cost: linear in the edges of a wall.

import (
	"math"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// isOfAbove reports whether an upright plane on a floor goes on above the two inner corners at its ends there, wider than
// between them, from another floor at their height.
func (r *recognizer) isOfAbove(wall int32, b *basin) bool {
	g, dir := r.g, r.v.Dirs[b.dir]
	if g.Patches[wall].Kind != surface.KindPlane || !r.isUpright(wall, dir) {
		return false
	}
	along := g.Patches[wall].Axis.Cross(dir)
	ends := func(x int32) [2]geom.Vec3 {
		e := &g.Model.Edges[g.Arcs[x].Edge]
		return [2]geom.Vec3{g.Model.Vertices[e.Start].Point, g.Model.Vertices[e.End].Point}
	}
	none := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	foot, top, corners := math.Inf(1), math.Inf(-1), none
	for _, x := range g.Patches[wall].Arcs {
		a := &g.Arcs[x]
		if isAcross(a, dir) || !r.isCorner(a) {
			continue
		}
		p := ends(x)
		z := geom.Interval{Lo: p[0].Dot(dir), Hi: p[1].Dot(dir)}
		if z.Lo > z.Hi {
			z.Lo, z.Hi = z.Hi, z.Lo
		}
		switch {
		case z.Lo < b.z-g.Length || z.Lo > foot+g.Length:
			continue
		case z.Lo < foot-g.Length:
			foot, top, corners = z.Lo, math.Inf(-1), none
		}
		top = max(top, z.Hi)
		corners.Lo, corners.Hi = min(corners.Lo, p[0].Dot(along)), max(corners.Hi, p[0].Dot(along))
	}
	if corners.Length() <= g.Length || g.Extent(wall, dir).Hi <= top+g.Length {
		return false
	}
	above, hasFloor := none, false
	for _, x := range g.Patches[wall].Arcs {
		a := &g.Arcs[x]
		hasFloor = hasFloor || a.Bend == graph.Concave && math.Abs(a.Mid.Dot(dir)-top) <= g.Length && g.Facing(a.Other(wall), dir)
		for _, p := range ends(x) {
			if p.Dot(dir) >= top-g.Length {
				above.Lo, above.Hi = min(above.Lo, p.Dot(along)), max(above.Hi, p.Dot(along))
			}
		}
	}
	return hasFloor && above.Lo < corners.Lo-g.Length && above.Hi > corners.Hi+g.Length
}
