package chamfer

// Strips: patches on the surface of a chamfer, and continuations of chamfers.
//
// One pass cuts all of one plane. If a plane extends beyond the strip between the two edges of a bevel, the bevel is a
// piece of a wider face or of the flank of a groove. Short pieces of a strip next to its bevels belong to the chamfer,
// as does a bend that continues it smoothly.

import (
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// settle removes the bevels that are pieces of wider faces, and adds the pieces of chamfers.
func settle(g *graph.Graph, is, taken []bool) {
	var planes, cones []int32
	for i := range g.Patches {
		switch kind := g.Patches[i].Kind; {
		case taken[i]:
		case kind == surface.KindPlane:
			planes = append(planes, int32(i))
		case kind == surface.KindCone:
			cones = append(cones, int32(i))
		}
	}
	for _, p := range slices.DeleteFunc(slices.Clone(planes), func(p int32) bool {
		return !is[p] || !isBevelledAllRound(g, is, p)
	}) {
		is[p] = false
	}
	near := g.NewPlanes(planes)
	var pieces []int32
	for changed := true; changed; {
		changed = false
		pieces = pieces[:0]
		for _, p := range planes {
			if !is[p] {
				continue
			}
			within, isWider := alongside(g, near, is, p)
			if isWider {
				is[p], changed = false, true
				continue
			}
			pieces = append(pieces, within...)
		}
	}
	for _, p := range append(pieces, stubs(g, cones, is)...) {
		is[p] = true
	}
	addContinuations(g, is, taken)
}

// isBevelledAllRound reports whether all neighbors of a patch are bevels: the patch is the tip of a pin.
func isBevelledAllRound(g *graph.Graph, is []bool, p int32) bool {
	return !g.AnyNeighbor(p, func(q int32, _ *graph.Adjacency) bool { return !is[q] })
}

// stubs returns the cones that are not bevels but share the cone and a face with one.
func stubs(g *graph.Graph, cones []int32, is []bool) (out []int32) {
	near := g.NewAxes(cones)
	for _, p := range cones {
		if !is[p] {
			continue
		}
		s := &g.Patches[p].Shape
		z := g.Extent(p, s.Axis)
		near.Near(s, func(q int32) {
			if is[q] || !g.Continues(s, &g.Patches[q].Shape) || !breaksSame(g, p, q) {
				return
			}
			if w := g.Extent(q, s.Axis); w.Lo >= z.Lo-g.Length && w.Hi <= z.Hi+g.Length {
				out = append(out, q)
			}
		})
	}
	return out
}

// alongside returns the planes that are not bevels, in the strip of bevel p and at its faces, and whether coplanar ones
// extend beyond the strip.
func alongside(g *graph.Graph, near *graph.PlaneIndex, is []bool, p int32) (within []int32, isWider bool) {
	s := &g.Patches[p].Shape
	across, extent := strip(g, p)
	near.Between(s.Axis, s.Origin, 0, 0, func(q int32) {
		if is[q] || !g.Continues(s, &g.Patches[q].Shape) {
			return
		}
		w := g.Extent(q, across)
		switch {
		case w.Lo < extent.Lo-g.Slack() || w.Hi > extent.Hi+g.Slack():
			isWider = true
		case breaksSame(g, p, q):
			within = append(within, q)
		}
	})
	return within, isWider
}

// strip returns the direction across a flat bevel and its extent, mm.
func strip(g *graph.Graph, p int32) (across geom.Vec3, extent geom.Interval) {
	longest := 0.0
	for _, a := range g.Neighbors(p) {
		if isBevel(a) && isStraight(g, a) && a.Length > longest {
			longest, across = a.Length, g.Patches[p].Axis.Cross(a.Dir).Unit()
		}
	}
	return across, g.Extent(p, across)
}

// breaksSame reports whether a beveled edge of q is at a face with a beveled edge of p.
func breaksSame(g *graph.Graph, p, q int32) bool {
	for o, a := range g.Neighbors(q) {
		if isBevel(a) && isBeside(g, p, o) {
			return true
		}
	}
	return false
}

// isBeside reports whether a beveled edge is between a patch and a face or a piece of that face.
func isBeside(g *graph.Graph, p, q int32) bool {
	return g.AnyNeighbor(p, func(o int32, a *graph.Adjacency) bool {
		return isBevel(a) && g.OnOneSurface(o, q)
	})
}

// addContinuations adds the patches that continue chamfers smoothly between two faces, one of them also at the chamfer,
// or around inner corners of a boundary, and the patches that link two chamfers.
func addContinuations(g *graph.Graph, is, taken []bool) {
	var todo []int32
	for p, ok := range is {
		if ok {
			todo = append(todo, int32(p))
		}
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		for q, a := range g.Neighbors(p) {
			if is[q] || taken[q] || a.Convexity == graph.Convex {
				continue
			}
			if a.Convexity == graph.Smooth && breaksSame(g, p, q) && isBetweenBevels(g, q) ||
				a.Convexity == graph.Concave && turnsCorner(g, p, q, is) || links(g, is, q) {
				is[q] = true
				todo = append(todo, q)
			}
		}
	}
}

// turnsCorner reports whether a patch next to bevel p, in an inner corner of a boundary, bevels an edge of the same
// face. It is a plane at the same angle that is no wider, or a patch between beveled edges without a floor.
func turnsCorner(g *graph.Graph, p, q int32, is []bool) bool {
	if g.IsPlane(q) && share(g, p, q, false) && widthOf(g, q) <= (1+sameWidth)*widthOf(g, p) {
		return true
	}
	return breaksSame(g, p, q) && isBetweenBevels(g, q) && !hasFloor(g, q, broken(g, q), is)
}

// links reports whether a patch continues at least two chamfers smoothly, bevels an edge, and is no larger than they
// are.
func links(g *graph.Graph, is []bool, q int32) bool {
	area, n, isBroken := 0.0, 0, false
	for o, a := range g.Neighbors(q) {
		isBroken = isBroken || isBevel(a)
		if a.Convexity == graph.Smooth && is[o] {
			area += g.Patches[o].Area
			n++
		}
	}
	return n > 1 && isBroken && g.Patches[q].Area <= area
}

// isBetweenBevels reports whether a patch has beveled edges to two faces, longer than half of its other sharp edges,
// and is narrower than they are long.
func isBetweenBevels(g *graph.Graph, p int32) bool {
	bevels, others := 0.0, 0.0
	longest := 0.0
	faces := map[int32]bool{}
	for q, a := range g.Neighbors(p) {
		switch {
		case isBevel(a):
			bevels += a.Length
			longest = max(longest, a.Length)
			faces[q] = true
		case a.Convexity != graph.Smooth:
			others += a.Length
		}
	}
	return len(faces) > 1 && bevels >= others && g.Patches[p].Area <= longest*longest
}
