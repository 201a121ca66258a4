// Package hole finds the holes of a part on its graph and measures them.
package hole

// Stacks: coaxial faces that one hole consists of.
//
// A stack grows from bores that are walls of holes over shared edges: to cones, spheres and tori
// round the axis (countersinks, tips, fillets, rounded mouths), to flat floors and steps, and from a
// step to the narrower bore in it. What a drill, a reamer and a counterbore make in one place is so
// one feature.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Stack is one hole before its direction is known.
type Stack struct {
	shape   graph.Shape // of its narrowest bore; the axis has the canonical sense
	bores   []int32
	Patches []int32 // ascending
	top     ending  // the end along +axis
	bottom  ending
}

// ending is how a stack ends along its axis.
type ending struct {
	closed bool
	kind   surface.Kind // of the closing patch
}

// Stacks groups the bores of a part that are walls of holes, with everything that belongs to them.
func Stacks(gr *graph.Graph) []Stack {
	g := holeRules{gr}
	bores := g.bores()
	set := graph.NewUnionFind(len(g.Patches))
	wall := make([]int32, len(g.Patches)) // the bore of a patch
	member := make([]bool, len(g.Patches))
	for i := range wall {
		wall[i] = graph.None
	}
	for i := range bores {
		for _, p := range bores[i].patches {
			wall[p] = int32(i)
		}
	}
	g.tips(bores, wall)
	pairs := g.bridge(bores)
	g.tips(bores, wall) // of cones that others have made walls
	g.demoteCones(bores, wall)
	g.stages(bores, wall)
	for i := range bores {
		if bores[i].isWall {
			g.grow(bores, int32(i), wall, set, member)
		}
	}
	for _, pair := range pairs {
		set.Join(bores[pair[0]].patches[0], bores[pair[1]].patches[0])
	}
	var out []Stack
	for _, group := range set.Groups(func(i int32) bool { return member[i] }) {
		if s, ok := g.newStack(group, bores, wall); ok {
			out = append(out, s)
		}
	}
	return out
}

// tips takes a bore that others cut open for a wall where its tip goes round: the drill made both.
func (g holeRules) tips(bores []bore, wall []int32) {
	g.eachBevel(bores, wall, func(cone, cylinder *bore, joint graph.Convexity) {
		if _, shut := g.sides(cylinder); joint == graph.Concave && shut == 0 && g.floorsAreOwn(cylinder) {
			cylinder.isWall = true
		}
	})
}

// stages takes the bores that go on narrower from the floors of others for walls, whatever stands in them: a hole has no
// pocket for its last stage.
func (g holeRules) stages(bores []bore, wall []int32) {
	for again := true; again; {
		again = false
		for i := range bores {
			for _, f := range bores[i].floors {
				for _, x := range g.Patches[f.plane].Arcs {
					w := wall[g.Arcs[x].Other(f.plane)]
					if !bores[i].isWall || g.Arcs[x].Convexity != graph.Convex || w == graph.None || bores[w].isWall {
						continue
					}
					if b := &bores[w]; g.Coaxial(&bores[i].shape, &b.shape) && b.radius < bores[i].radius &&
						g.goesRound(b) && g.floorsEnd(b) {
						b.isWall, again = true, true
					}
				}
			}
		}
	}
}

// demoteCones takes the verdict off cones that only bevel a bore which is no wall of a hole.
func (g holeRules) demoteCones(bores []bore, wall []int32) {
	g.eachBevel(bores, wall, func(cone, _ *bore, _ graph.Convexity) { cone.isWall = false })
}

// eachBevel visits the cones that are walls beside cylinders on their axis that are none.
func (g holeRules) eachBevel(bores []bore, wall []int32, visit func(cone, cylinder *bore, joint graph.Convexity)) {
	for i := range bores {
		cone := &bores[i]
		if cone.shape.Kind != surface.KindCone {
			continue
		}
		for _, p := range cone.patches {
			for _, x := range g.Patches[p].Arcs {
				w := wall[g.Arcs[x].Other(p)]
				if w != graph.None && cone.isWall && !bores[w].isWall && bores[w].shape.Kind == surface.KindCylinder &&
					g.Coaxial(&cone.shape, &bores[w].shape) {
					visit(cone, &bores[w], g.Arcs[x].Convexity)
				}
			}
		}
	}
}

// mouthReach is how far from the axis, in radii of the bore, the bevel of its mouth reaches at most: what goes farther is a
// dish that the bore opens in.
const mouthReach = 2

// grow unites a bore with its neighbours along the axis.
func (g holeRules) grow(bores []bore, i int32, wall []int32, set graph.UnionFind, member []bool) {
	b := &bores[i]
	join := func(p int32) { set.Join(b.patches[0], p); member[p] = true }
	for _, p := range b.patches {
		join(p)
		for _, x := range g.Patches[p].Arcs {
			q := g.Arcs[x].Other(p)
			s := &g.Patches[q].Shape
			switch s.Kind {
			case surface.KindCylinder, surface.KindCone:
				// A partial cone next to the bore is its countersink all the same.
				if s.Hollow && g.Coaxial(&b.shape, s) && (bores[wall[q]].isWall || s.Kind == surface.KindCone) {
					join(q)
				}
			case surface.KindTorus:
				if g.Coaxial(&b.shape, s) {
					join(q)
				}
			case surface.KindSphere:
				if s.Hollow && g.Coaxial(&b.shape, s) {
					join(q)
				}
			case surface.KindBSpline:
				a := &g.Arcs[x]
				isAcross := math.Abs(a.Dir.Dot(b.shape.Axis)) < graph.LateralCos
				isNear := func() bool { return g.Patches[q].Hollow && g.Reach(q, &b.shape).Hi <= mouthReach*b.radius }
				if g.isFlank(b, q) || isAcross && g.isMouth(q) && (a.Convexity == graph.Smooth || isNear()) {
					join(q)
				}
			}
		}
	}
	for _, f := range b.floors {
		join(f.plane)
		if f.fillet != graph.None {
			join(f.fillet)
		}
		for _, x := range g.Patches[f.plane].Arcs {
			q := g.Arcs[x].Other(f.plane)
			s := &g.Patches[q].Shape
			inner := wall[q] != graph.None && bores[wall[q]].isWall || s.Kind == surface.KindTorus
			if inner && g.Coaxial(&b.shape, s) {
				join(q)
			}
		}
	}
}

// isMouth reports whether a free form rounds or bevels the mouth of a bore in a face that is not square to it.
func (g holeRules) isMouth(p int32) bool {
	if !g.Patches[p].Hollow {
		return g.IsBlend(p)
	}
	return !slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		a := &g.Arcs[x]
		return a.Convexity == graph.Concave || a.Convexity == graph.Smooth && g.Patches[a.Other(p)].Kind != surface.KindBSpline // not a piece
	})
}

// newStack finds the ends of a group of patches; ok is false for a cavity that is closed at both.
func (g holeRules) newStack(group []int32, bores []bore, wall []int32) (Stack, bool) {
	s := Stack{Patches: group}
	narrowest := math.Inf(1)
	for _, p := range group {
		w := wall[p]
		if w == graph.None || !bores[w].isWall {
			continue
		}
		if !slices.Contains(s.bores, w) {
			s.bores = append(s.bores, w)
		}
		r := g.Reach(p, &bores[w].shape).Hi
		if bores[w].shape.Kind == surface.KindCylinder {
			r -= g.Diagonal // a cylinder says better than any cone where the axis is
		}
		if r < narrowest {
			narrowest, s.shape = r, bores[w].shape
			s.shape.Axis = bores[w].axisOf()
		}
	}
	mid := g.ExtentOf(group, s.shape.Axis).Mid()
	see := func(p int32) {
		g.Pierced(p, &s.shape, func(z float64, facing bool) {
			if facing && z < mid+g.Length {
				s.bottom = ending{true, g.Patches[p].Kind}
			}
			if !facing && z > mid-g.Length {
				s.top = ending{true, g.Patches[p].Kind}
			}
		})
	}
	for _, p := range group {
		see(p)
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			q := a.Other(p)
			if a.Convexity != graph.Concave || slices.Contains(group, q) {
				continue
			}
			switch n := g.Patches[p].Axis; {
			case wall[p] != graph.None:
				see(q) // a floor that is not square to the axis
			case g.Patches[p].Kind == surface.KindPlane && n.Dot(s.shape.Axis) > 0: // something stands on it
				s.bottom = ending{true, surface.KindPlane}
			case g.Patches[p].Kind == surface.KindPlane:
				s.top = ending{true, surface.KindPlane}
			}
		}
	}
	g.closeCutTips(&s)
	return s, !(s.top.closed && s.bottom.closed)
}

// closeCutTips closes the ends of a stack at cones that run in to less than half of what they begin with and are cut askew,
// whether anything lies on the axis or not: tips of drills that came out in the side of another hollow. A seat or a
// taper ends wider, the mouth of a nozzle square.
func (g holeRules) closeCutTips(s *Stack) {
	axis := s.shape.Axis
	all := g.ExtentOf(s.Patches, axis)
	for _, p := range s.Patches {
		c := &g.Patches[p].Shape
		if c.Kind != surface.KindCone {
			continue
		}
		z := g.Extent(p, axis)
		at := func(z float64) float64 { return c.RadiusAt(s.shape.Origin.AddScaled(z-s.shape.Origin.Dot(axis), axis)) }
		if z.Lo <= all.Lo+g.Length && 2*at(z.Lo) < at(z.Hi) && g.isCutAskew(p, axis) {
			s.bottom = ending{true, surface.KindCone}
		}
		if z.Hi >= all.Hi-g.Length && 2*at(z.Hi) < at(z.Lo) && g.isCutAskew(p, axis) {
			s.top = ending{true, surface.KindCone}
		}
	}
}

// isCutAskew reports whether an outer edge of a patch is not square to an axis.
func (g holeRules) isCutAskew(p int32, axis geom.Vec3) bool {
	return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
		a := &g.Arcs[x]
		e := &g.Model.Edges[a.Edge]
		z, from, to := a.Mid.Dot(axis), g.Model.Vertices[e.Start].Point.Dot(axis), g.Model.Vertices[e.End].Point.Dot(axis)
		return a.Convexity == graph.Convex && max(z, from, to)-min(z, from, to) > g.Length
	})
}

// axisDir returns the direction of a stack from which its hole opens towards the sense given.
func (s *Stack) axisDir(up bool) geom.Vec3 {
	if up {
		return s.shape.Axis
	}
	return s.shape.Axis.Neg()
}
