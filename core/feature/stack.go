package feature

// Stacks: coaxial faces that one hole consists of.
//
// A stack grows from bores that are walls of holes over shared edges: to cones, spheres and tori
// round the axis (countersinks, tips, fillets, rounded mouths), to flat floors and steps, and from a
// step to the narrower bore in it. What a drill, a reamer and a counterbore make in one place is so
// one feature.

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// stack is one hole before its direction is known.
type stack struct {
	shape   shape // of its narrowest bore; the axis has the canonical sense
	bores   []int32
	patches []int32 // ascending
	top     ending  // the end along +axis
	bottom  ending
}

// ending is how a stack ends along its axis.
type ending struct {
	closed bool
	kind   surface.Kind // of the closing patch
}

// stacks groups the bores that are walls of holes, with everything that belongs to them.
func (g *graph) stacks() []stack {
	bores := g.bores()
	set := newSets(len(g.patches))
	wall := make([]int32, len(g.patches)) // the bore of a patch
	member := make([]bool, len(g.patches))
	for i := range wall {
		wall[i] = none
	}
	for i := range bores {
		for _, p := range bores[i].patches {
			wall[p] = int32(i)
		}
	}
	g.demoteCones(bores, wall)
	for i := range bores {
		if bores[i].isWall {
			g.grow(bores, int32(i), wall, set, member)
		}
	}
	var out []stack
	for _, group := range set.groups(func(i int32) bool { return member[i] }) {
		if s, ok := g.newStack(group, bores, wall); ok {
			out = append(out, s)
		}
	}
	return out
}

// demoteCones takes the verdict off cones that only bevel a bore which is no wall of a hole.
func (g *graph) demoteCones(bores []bore, wall []int32) {
	for i := range bores {
		if bores[i].shape.kind != surface.KindCone {
			continue
		}
		for _, p := range bores[i].patches {
			for _, x := range g.patches[p].arcs {
				w := wall[g.arcs[x].other(p)]
				if w != none && !bores[w].isWall && bores[w].shape.kind == surface.KindCylinder &&
					g.coaxial(&bores[i].shape, &bores[w].shape) {
					bores[i].isWall = false
				}
			}
		}
	}
}

// grow unites a bore with its neighbours along the axis.
func (g *graph) grow(bores []bore, i int32, wall []int32, set sets, member []bool) {
	b := &bores[i]
	join := func(p int32) { set.join(b.patches[0], p); member[p] = true }
	for _, p := range b.patches {
		join(p)
		for _, x := range g.patches[p].arcs {
			q := g.arcs[x].other(p)
			s := &g.patches[q].shape
			switch s.kind {
			case surface.KindCylinder, surface.KindCone:
				// A partial cone next to the bore is its countersink all the same.
				if s.hollow && g.coaxial(&b.shape, s) && (bores[wall[q]].isWall || s.kind == surface.KindCone) {
					join(q)
				}
			case surface.KindTorus:
				if g.coaxial(&b.shape, s) {
					join(q)
				}
			case surface.KindSphere:
				if s.hollow && g.coaxial(&b.shape, s) {
					join(q)
				}
			case surface.KindBSpline:
				if g.isFlank(b, q) {
					join(q)
				}
			}
		}
	}
	for _, f := range b.floors {
		join(f.plane)
		if f.fillet != none {
			join(f.fillet)
		}
		for _, x := range g.patches[f.plane].arcs {
			q := g.arcs[x].other(f.plane)
			s := &g.patches[q].shape
			inner := wall[q] != none && bores[wall[q]].isWall || s.kind == surface.KindTorus
			if inner && g.coaxial(&b.shape, s) {
				join(q)
			}
		}
	}
}

// newStack finds the ends of a group of patches; ok is false for a cavity that is closed at both.
func (g *graph) newStack(group []int32, bores []bore, wall []int32) (stack, bool) {
	s := stack{patches: group}
	narrowest := math.Inf(1)
	for _, p := range group {
		w := wall[p]
		if w == none || !bores[w].isWall {
			continue
		}
		if !slices.Contains(s.bores, w) {
			s.bores = append(s.bores, w)
		}
		r := g.reach(p, &bores[w].shape).Hi
		if bores[w].shape.kind == surface.KindCylinder {
			r -= g.diagonal // a cylinder says better than any cone where the axis is
		}
		if r < narrowest {
			narrowest, s.shape = r, bores[w].shape
			s.shape.axis = bores[w].axisOf()
		}
	}
	mid := g.extentOf(group, s.shape.axis).Mid()
	see := func(p int32) {
		g.pierced(p, &s.shape, func(z float64, facing bool) {
			if facing && z < mid+g.length {
				s.bottom = ending{true, g.patches[p].kind}
			}
			if !facing && z > mid-g.length {
				s.top = ending{true, g.patches[p].kind}
			}
		})
	}
	for _, p := range group {
		see(p)
		for _, x := range g.patches[p].arcs {
			if a := &g.arcs[x]; a.bend == concave && wall[p] != none && !slices.Contains(group, a.other(p)) {
				see(a.other(p)) // a floor that is not square to the axis
			}
		}
	}
	return s, !(s.top.closed && s.bottom.closed)
}

// axisDir returns the direction of a stack from which its hole opens towards the sense given.
func (s *stack) axisDir(up bool) geom.Vec3 {
	if up {
		return s.shape.axis
	}
	return s.shape.axis.Neg()
}
