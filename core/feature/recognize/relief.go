package recognize

// Reliefs of inner corners.
//
// A round tool cannot make a sharp inner corner, so a bore may relieve it: a dog-bone on its bisector, or a T-bone
// along one side. Between the walls is then a concave cylinder that meets at least one of them in a convex edge.
// Without it the walls would meet in a concave edge, and they are in one pocket. A relief of more than half a turn is a
// hole.
//
// Cost: linear in the edges of concave cylinders.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// reliefShare is the largest ratio of the diameter of a relief to the longer of its walls. A wider bore is another
// feature.
const reliefShare = 0.5

// cornerRelief is a concave cylinder in the place of the inner corner of two planes.
type cornerRelief struct {
	patch int32
	walls [2]int32
}

// findReliefs returns the relieved inner corners of a part.
func findReliefs(g *graph.Graph) (out []cornerRelief) {
	for p := range int32(len(g.Patches)) {
		s := &g.Patches[p].Shape
		if s.Kind != surface.KindCylinder || !s.Hollow {
			continue
		}
		var ends []*graph.Adjacency // to planes along the axis, one per plane
		for o, a := range g.Neighbors(p) {
			isKnown := slices.ContainsFunc(ends, func(e *graph.Adjacency) bool { return e.Other(p) == o })
			if q := &g.Patches[o]; !isKnown && a.Convexity != graph.Concave && q.Kind == surface.KindPlane &&
				graph.Parallel(a.Dir, s.Axis) {
				ends = append(ends, a)
			}
		}
		if len(ends) != 2 { // with a wall that continues it, it is the end of another feature
			continue
		}
		if a, b := ends[0], ends[1]; (a.Convexity == graph.Convex || b.Convexity == graph.Convex) && relieves(g, p, a, b) {
			out = append(out, cornerRelief{p, [2]int32{a.Other(p), b.Other(p)}})
		}
	}
	return out
}

// relieves reports whether two planes that meet a concave cylinder at edges a and b would meet in a concave edge within
// it.
func relieves(g *graph.Graph, p int32, a, b *graph.Adjacency) bool {
	s := &g.Patches[p].Shape
	m, n := &g.Patches[a.Other(p)].Shape, &g.Patches[b.Other(p)].Shape
	c := m.Axis.Dot(n.Axis)
	length := func(q int32) float64 { return g.Extent(q, g.Patches[q].Axis.Cross(s.Axis)).Length() }
	if 2*s.Radius > reliefShare*max(length(a.Other(p)), length(b.Other(p))) {
		return false
	}
	isInner := b.Mid.Sub(m.Origin).Dot(m.Axis) >= -g.Length && a.Mid.Sub(n.Origin).Dot(n.Axis) >= -g.Length
	if !isInner || math.Abs(c) > math.Cos(shallowTurn) {
		return false
	}
	// From the axis, the corner is at x·m + y·n, with the planes at distances u and v.
	u, v := m.Origin.Sub(s.Origin).Dot(m.Axis), n.Origin.Sub(s.Origin).Dot(n.Axis)
	x, y := (u-c*v)/(1-c*c), (v-c*u)/(1-c*c)
	return geom.Vec3{}.AddScaled(x, m.Axis).AddScaled(y, n.Axis).Norm() <= s.Radius+g.Length
}

// joinRelieved joins the walls of relieved corners with their relief where isFit accepts them, and marks them in held.
func joinRelieved(pc *partContext, set graph.UnionFind, held []bool, isFit func(int32) bool) {
	for _, c := range pc.reliefs {
		if !isFit(c.walls[0]) || !isFit(c.walls[1]) {
			continue
		}
		for _, p := range []int32{c.walls[0], c.walls[1], c.patch} {
			if isFit(p) {
				set.Join(c.walls[0], p)
				held[p] = true
			}
		}
	}
}
