package recognize

// Relieved inner corners.
//
// A round tool cannot make a sharp inner corner, so a bore is let past it: a dog-bone on its bisector, a T-bone along one of
// its sides. Between the walls is then a hollow cylinder that meets one of them at least in an outer edge, where without it
// they would meet in an inner one, and they are of one hollow all the same. Where it goes round more than half a turn, the
// relief itself is a Hole.
//
// Cost: linear in the edges of the hollow cylinders.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// reliefShare is how wide a relief is at most, as a share of the longer of its walls: a wider bore cuts them as another
// feature.
const reliefShare = 0.5

// relief is a hollow cylinder in the place of the inner corner of two planes.
type relief struct {
	patch int32
	walls [2]int32
}

// findReliefs lists the relieved inner corners of a part.
func findReliefs(g *graph.Graph) (out []relief) {
	for i := range g.Patches {
		p := int32(i)
		s := &g.Patches[p].Shape
		if s.Kind != surface.KindCylinder || !s.Hollow {
			continue
		}
		var ends []*graph.Adjacency // with planes along the axis, one of each
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			isKnown := slices.ContainsFunc(ends, func(e *graph.Adjacency) bool { return e.Other(p) == a.Other(p) })
			if q := &g.Patches[a.Other(p)]; !isKnown && a.Convexity != graph.Concave && q.Kind == surface.KindPlane && graph.Parallel(a.Dir, s.Axis) {
				ends = append(ends, a)
			}
		}
		if len(ends) != 2 { // a wall that goes on from it makes it the end of something else
			continue
		}
		if a, b := ends[0], ends[1]; (a.Convexity == graph.Convex || b.Convexity == graph.Convex) && relieves(g, p, a, b) {
			out = append(out, relief{p, [2]int32{a.Other(p), b.Other(p)}})
		}
	}
	return out
}

// relieves reports whether two planes that meet a hollow cylinder at edges a and b would meet in an inner edge within it.
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
	// From the axis the corner lies at x·m + y·n, where the planes are u and v away.
	u, v := m.Origin.Sub(s.Origin).Dot(m.Axis), n.Origin.Sub(s.Origin).Dot(n.Axis)
	x, y := (u-c*v)/(1-c*c), (v-c*u)/(1-c*c)
	return geom.Vec3{}.AddScaled(x, m.Axis).AddScaled(y, n.Axis).Norm() <= s.Radius+g.Length
}

// joinRelieved joins the walls of relieved corners, with what relieves them, where these are fit, and notes that they are held.
func (f *facts) joinRelieved(set graph.UnionFind, held []bool, isFit func(int32) bool) {
	for _, c := range f.reliefs {
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
