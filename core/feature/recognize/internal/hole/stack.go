// Package hole finds the holes of a part on its graph and measures them.
package hole

// Stacks: coaxial faces of one hole.
//
// A stack grows from bores that are walls of holes over common edges: to cones, spheres and tori around the axis
// (countersinks, tips, fillets, rounded openings), to flat floors and steps, and from a step to the narrower bore in
// it. So the cuts of a drill, a reamer and a counterbore in one place are one feature.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Stack is one hole without its direction.
type Stack struct {
	shape   graph.Shape // of its narrowest bore; the axis has the canonical sense
	bores   []int32
	Patches []int32 // ascending
	top     ending  // the end along +axis
	bottom  ending
}

// ending is the end of a stack along its axis.
type ending struct {
	closed bool
	kind   surface.Kind // of the closing patch
}

// Stacks groups the bores of a part that are walls of holes, with all of their patches.
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
	g.tips(bores, wall) // of cones that others made walls
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

// tips marks a bore that others cut open as a wall if its tip surrounds the axis: the drill made both.
func (g holeRules) tips(bores []bore, wall []int32) {
	g.eachBevel(bores, wall, func(cone, cylinder *bore, joint graph.Convexity) {
		if _, shut := g.sides(cylinder); joint == graph.Concave && shut == 0 && g.floorsAreOwn(cylinder) {
			cylinder.isWall = true
		}
	})
}

// stages marks the narrower bores in the floors of other bores as walls, with or without bodies in them: a pocket is
// never the last stage of a hole.
func (g holeRules) stages(bores []bore, wall []int32) {
	for again := true; again; {
		again = false
		for i := range bores {
			for _, f := range bores[i].floors {
				for q, a := range g.Neighbors(f.plane) {
					w := wall[q]
					if !bores[i].isWall || a.Convexity != graph.Convex || w == graph.None || bores[w].isWall {
						continue
					}
					if b := &bores[w]; g.Coaxial(&bores[i].shape, &b.shape) && b.radius < bores[i].radius &&
						g.coversCircle(b) && g.floorsEnd(b) {
						b.isWall, again = true, true
					}
				}
			}
		}
	}
}

// demoteCones clears the mark on cones that only bevel a bore that is not a wall of a hole.
func (g holeRules) demoteCones(bores []bore, wall []int32) {
	g.eachBevel(bores, wall, func(cone, _ *bore, _ graph.Convexity) { cone.isWall = false })
}

// eachBevel visits the cones that are walls next to coaxial cylinders that are not.
func (g holeRules) eachBevel(bores []bore, wall []int32, visit func(cone, cylinder *bore, joint graph.Convexity)) {
	for i := range bores {
		cone := &bores[i]
		if cone.shape.Kind != surface.KindCone {
			continue
		}
		for _, p := range cone.patches {
			for q, a := range g.Neighbors(p) {
				w := wall[q]
				if w != graph.None && cone.isWall && !bores[w].isWall && bores[w].shape.Kind == surface.KindCylinder &&
					g.Coaxial(&cone.shape, &bores[w].shape) {
					visit(cone, &bores[w], a.Convexity)
				}
			}
		}
	}
}

// openReach is the largest radius, in radii of the bore, of the bevel of its opening. A wider one is a dish in which
// the bore opens.
const openReach = 2

// grow joins a bore with its neighbors along the axis.
func (g holeRules) grow(bores []bore, i int32, wall []int32, set graph.UnionFind, member []bool) {
	b := &bores[i]
	join := func(p int32) { set.Join(b.patches[0], p); member[p] = true }
	for _, p := range b.patches {
		join(p)
		for q, a := range g.Neighbors(p) {
			s := &g.Patches[q].Shape
			switch s.Kind {
			case surface.KindCylinder, surface.KindCone:
				// A partial cone next to the bore is its countersink too.
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
				isAcross := math.Abs(a.Dir.Dot(b.shape.Axis)) < graph.LateralCos
				isNear := func() bool { return g.Patches[q].Hollow && g.Reach(q, &b.shape).Hi <= openReach*b.radius }
				if g.isFlank(b, q) || isAcross && g.roundsOpening(q) && (a.Convexity == graph.Smooth || isNear()) {
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
		for q := range g.Neighbors(f.plane) {
			s := &g.Patches[q].Shape
			inner := wall[q] != graph.None && bores[wall[q]].isWall || s.Kind == surface.KindTorus
			if inner && g.Coaxial(&b.shape, s) {
				join(q)
			}
		}
	}
}

// roundsOpening reports whether a free-form patch rounds or bevels the opening of a bore in an oblique face.
func (g holeRules) roundsOpening(p int32) bool {
	if !g.Patches[p].Hollow {
		return g.IsBlend(p)
	}
	return !g.AnyNeighbor(p, func(q int32, a *graph.Adjacency) bool {
		// not a piece
		return a.Convexity == graph.Concave || a.Convexity == graph.Smooth && g.Patches[q].Kind != surface.KindBSpline
	})
}

// newStack returns the stack of a group of patches. ok is false for a cavity closed at both ends.
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
			r -= g.Diagonal // the axis of a cylinder is better than that of a cone
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
		for q, a := range g.Neighbors(p) {
			if a.Convexity != graph.Concave || slices.Contains(group, q) {
				continue
			}
			switch n := g.Patches[p].Axis; {
			case wall[p] != graph.None:
				see(q) // a floor oblique to the axis
			case g.IsPlane(p) && n.Dot(s.shape.Axis) > 0: // a body is on it
				s.bottom = ending{true, surface.KindPlane}
			case g.IsPlane(p):
				s.top = ending{true, surface.KindPlane}
			}
		}
	}
	g.closeCutTips(&s)
	return s, !(s.top.closed && s.bottom.closed)
}

// closeCutTips closes the ends of a stack at cones that narrow to less than half of their start and are cut obliquely,
// even off the axis: tips of drills that came out in the side of another cavity. A seat or a taper ends wider, and the
// opening of a nozzle is perpendicular.
func (g holeRules) closeCutTips(s *Stack) {
	axis := s.shape.Axis
	all := g.ExtentOf(s.Patches, axis)
	for _, p := range s.Patches {
		c := &g.Patches[p].Shape
		if c.Kind != surface.KindCone {
			continue
		}
		z := g.Extent(p, axis)
		at := func(z float64) float64 { return c.RadiusAt(s.shape.Origin.AtHeight(z, axis)) }
		if z.Lo <= all.Lo+g.Length && 2*at(z.Lo) < at(z.Hi) && g.isCutObliquely(p, axis) {
			s.bottom = ending{true, surface.KindCone}
		}
		if z.Hi >= all.Hi-g.Length && 2*at(z.Hi) < at(z.Lo) && g.isCutObliquely(p, axis) {
			s.top = ending{true, surface.KindCone}
		}
	}
}

// isCutObliquely reports whether a convex edge of a patch is oblique to an axis.
func (g holeRules) isCutObliquely(p int32, axis geom.Vec3) bool {
	return g.AnyNeighbor(p, func(_ int32, a *graph.Adjacency) bool {
		e := &g.Model.Edges[a.Edge]
		z, from, to := a.Mid.Dot(axis), g.Model.Vertices[e.Start].Point.Dot(axis), g.Model.Vertices[e.End].Point.Dot(axis)
		return a.Convexity == graph.Convex && max(z, from, to)-min(z, from, to) > g.Length
	})
}

// axisDir returns the direction from which the hole of a stack opens, for a sense of the axis.
func (s *Stack) axisDir(up bool) geom.Vec3 {
	if up {
		return s.shape.Axis
	}
	return s.shape.Axis.Neg()
}
