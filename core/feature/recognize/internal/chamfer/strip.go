package chamfer

// Strips: what lies on one surface with a chamfer, and what goes on from it.
//
// One pass cuts what lies in one plane. So where a plane goes on beyond the strip between the two edges of a bevel, the
// bevel is a piece that others leave of a wider face or of the flank of a groove. And what others leave of a strip
// beside its pieces, too short to be known by itself, is of the chamfer, as is a bend by which it goes on smoothly.

import (
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// settle drops the bevels that are pieces of wider faces, and adds the pieces of chamfers.
func (g chamfers) settle(is, taken []bool) {
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
	for _, p := range slices.DeleteFunc(slices.Clone(planes), func(p int32) bool { return !is[p] || !g.isBevelledAllRound(is, p) }) {
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
			within, isWider := g.alongside(near, is, p)
			if isWider {
				is[p], changed = false, true
				continue
			}
			pieces = append(pieces, within...)
		}
	}
	for _, p := range append(pieces, g.stubs(cones, is)...) {
		is[p] = true
	}
	g.goOn(is, taken)
}

// isBevelledAllRound reports whether a patch borders on nothing but bevels: it is what they bevel, the tip of a pin.
func (g chamfers) isBevelledAllRound(is []bool, p int32) bool {
	return !slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool { return !is[g.Arcs[x].Other(p)] })
}

// stubs returns the cones that are no bevels and lie on one cone and at one face with such a one.
func (g chamfers) stubs(cones []int32, is []bool) (out []int32) {
	near := g.NewAxes(cones)
	for _, p := range cones {
		if !is[p] {
			continue
		}
		s := &g.Patches[p].Shape
		z := g.Extent(p, s.Axis)
		near.Near(s, func(q int32) {
			if is[q] || !g.Continues(s, &g.Patches[q].Shape) || !g.breaksSame(p, q) {
				return
			}
			if w := g.Extent(q, s.Axis); w.Lo >= z.Lo-g.Length && w.Hi <= z.Hi+g.Length {
				out = append(out, q)
			}
		})
	}
	return out
}

// alongside returns the planes that are no bevels and lie in the strip of bevel p and at its faces, and whether others
// in its plane reach beyond.
func (g chamfers) alongside(near *graph.PlaneIndex, is []bool, p int32) (within []int32, isWider bool) {
	s := &g.Patches[p].Shape
	across, strip := g.strip(p)
	slack := g.Length + g.Diagonal*graph.AxisTolerance
	near.Between(s.Axis, s.Origin, 0, 0, func(q int32) {
		if is[q] || !g.Continues(s, &g.Patches[q].Shape) {
			return
		}
		w := g.Extent(q, across)
		switch {
		case w.Lo < strip.Lo-slack || w.Hi > strip.Hi+slack:
			isWider = true
		case g.breaksSame(p, q):
			within = append(within, q)
		}
	})
	return within, isWider
}

// strip returns the direction across a flat bevel and its extent, mm.
func (g chamfers) strip(p int32) (across geom.Vec3, extent geom.Interval) {
	longest := 0.0
	for _, x := range g.Patches[p].Arcs {
		if a := &g.Arcs[x]; isBevel(a) && g.isStraight(a) && a.Length > longest {
			longest, across = a.Length, g.Patches[p].Axis.Cross(a.Dir).Unit()
		}
	}
	return across, g.Extent(p, across)
}

// breaksSame reports whether a bevelled edge of q is one of a face that bevel p has such an edge with.
func (g chamfers) breaksSame(p, q int32) bool {
	for _, x := range g.Patches[q].Arcs {
		if isBevel(&g.Arcs[x]) && g.isBeside(p, g.Arcs[x].Other(q)) {
			return true
		}
	}
	return false
}

// isBeside reports whether a bevelled edge lies between a patch and a face or what others leave of it.
func (g chamfers) isBeside(p, q int32) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		return isBevel(&g.Arcs[x]) && g.areOneFace(g.Arcs[x].Other(p), q)
	})
}

// goOn adds what continues chamfers smoothly between two faces, of which one is at the chamfer too, or round inner corners
// of a rim, and what links two of them.
func (g chamfers) goOn(is, taken []bool) {
	var todo []int32
	for p, ok := range is {
		if ok {
			todo = append(todo, int32(p))
		}
	}
	for len(todo) > 0 {
		p := todo[0]
		todo = todo[1:]
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(p)
			if is[q] || taken[q] || g.Arcs[x].Convexity == graph.Convex {
				continue
			}
			if g.Arcs[x].Convexity == graph.Smooth && g.breaksSame(p, q) && g.isBetweenBevels(q) ||
				g.Arcs[x].Convexity == graph.Concave && g.turnsCorner(p, q) || g.links(is, q) {
				is[q] = true
				todo = append(todo, q)
			}
		}
	}
}

// turnsCorner reports whether a patch beside bevel p, in an inner corner of a rim, breaks an edge of the same face: a plane
// at the same angle that is no wider, or what lies between bevelled edges and stands on no floor.
func (g chamfers) turnsCorner(p, q int32) bool {
	if g.Patches[q].Kind == surface.KindPlane && g.share(p, q, false) && g.widthOf(q) <= (1+sameWidth)*g.widthOf(p) {
		return true
	}
	return g.breaksSame(p, q) && g.isBetweenBevels(q) && !g.hasFloor(q, g.broken(q))
}

// links reports whether a patch goes on smoothly in two chamfers, or more, breaks an edge of its own, and is no larger than
// they are.
func (g chamfers) links(is []bool, q int32) bool {
	area, n, isBroken := 0.0, 0, false
	for _, x := range g.Patches[q].Arcs {
		a := &g.Arcs[x]
		isBroken = isBroken || isBevel(a)
		if o := a.Other(q); a.Convexity == graph.Smooth && is[o] {
			area += g.Patches[o].Area
			n++
		}
	}
	return n > 1 && isBroken && g.Patches[q].Area <= area
}

// isBetweenBevels reports whether a patch has bevelled edges to two faces, most of all that are not smooth, and is
// narrower than they are long.
func (g chamfers) isBetweenBevels(p int32) bool {
	bevels, others := 0.0, 0.0
	longest := 0.0
	faces := map[int32]bool{}
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		switch {
		case isBevel(a):
			bevels += a.Length
			longest = max(longest, a.Length)
			faces[a.Other(p)] = true
		case a.Convexity != graph.Smooth:
			others += a.Length
		}
	}
	return len(faces) > 1 && bevels >= others && g.Patches[p].Area <= longest*longest
}
