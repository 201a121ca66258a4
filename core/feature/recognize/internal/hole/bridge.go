package hole

// Bores across voids: what a drill leaves of one hole on both sides of a slot, a pocket or a fork.
//
// Two coaxial pieces are one bore when what lies between them is a hollow: either one hollow patch that
// both open into, such as a crossing bore, or two planes that face each other and rise from the same
// floor, or from floors and blends that meet. Cost: the arcs of a few patches around each candidate pair.
// Limits: an island that stands undrilled between the two planes is not seen, nor are voids whose facing
// walls are neither planes nor one patch.

import (
	"slices"

	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// facingCos is the least cosine between the axis and the normal of a plane that closes the void at one end.
const facingCos = graph.LateralCos

// openInto reports whether both bores open into one hollow patch that is not their own wall.
func (g holeRules) openInto(a, b int32) bool {
	return slices.ContainsFunc(g.Patches[a].Arcs, func(x int32) bool {
		q := g.Arcs[x].Other(a)
		return g.Patches[q].Hollow && !g.Coaxial(&g.Patches[a].Shape, &g.Patches[q].Shape) && g.borders(q, b)
	})
}

// acrossVoid reports whether a and b open through planes that face each other across one hollow. The unit
// vector dir leads from a to b.
func (g holeRules) acrossVoid(a, b int32, dir geom.Vec3) bool {
	from, to := g.opensAt(a, dir), g.opensAt(b, dir.Neg())
	for _, p := range from {
		around := g.hollowRound(p)
		for _, q := range to {
			if p != q && slices.ContainsFunc(g.hollowRound(q), func(o int32) bool { return slices.Contains(around, o) }) {
				return true
			}
		}
	}
	return false
}

// opensAt returns the planes that bore p breaks out of towards dir.
func (g holeRules) opensAt(p int32, dir geom.Vec3) []int32 {
	var out []int32
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		s := &g.Patches[q].Shape
		if a.Bend == graph.Convex && s.Kind == surface.KindPlane && s.Axis.Dot(dir) > facingCos &&
			!slices.Contains(out, q) {
			out = append(out, q)
		}
	}
	return out
}

// hollowRound returns the patches that rise from plane p or from which it rises, and behind blends what
// those lead to.
func (g holeRules) hollowRound(p int32) []int32 {
	var out []int32
	for _, x := range g.Patches[p].Arcs {
		a := &g.Arcs[x]
		q := a.Other(p)
		isBlend := a.Bend == graph.Smooth && g.Patches[q].Hollow
		if a.Bend != graph.Concave && !isBlend {
			continue
		}
		out = append(out, q)
		if !isBlend {
			continue
		}
		for _, y := range g.Patches[q].Arcs {
			if o := g.Arcs[y].Other(q); g.Arcs[y].Bend != graph.Convex && o != p {
				out = append(out, o)
			}
		}
	}
	return out
}
