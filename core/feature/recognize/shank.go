package recognize

// Walls above the walls of a boss.
//
// A flat pin has shoulders that taper to a shank. What rises from its walls as steeply, between its two sides, is made with
// them in one pass round it. So is what a round one goes on in that tapers without a shoulder.
//
// Cost: linear in the edges of bosses.

import (
	"math"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// upperWalls gives bosses the free steep planes that go on above their walls between two others of them, as the shoulders and
// the shank of a flat pin do, and the round ones that go on above a round wall.
func (r *recognizer) upperWalls() {
	for f := 0; f < len(r.out); f++ {
		if r.out[f].typ != feature.Boss {
			continue
		}
		for k := 0; k < len(r.out[f].patches); k++ { // what is added may have others above it
			for _, x := range r.g.Patches[r.out[f].patches[k]].Arcs {
				p := r.out[f].patches[k]
				if q := r.g.Arcs[x].Other(p); r.goesOnAbove(q, x, int32(f)) || r.tapers(p, q, x, r.out[f].dir) {
					r.extend(int32(f), q)
					r.out[f].z.Hi = max(r.out[f].z.Hi, r.g.Extent(q, r.out[f].dir).Hi)
					k = -1 // they ascend
					break
				}
			}
		}
	}
}

// goesOnAbove reports whether a free plane rises steeply from edge x of a boss, ends at its walls on both sides, which reach
// as high, and is of no notch in it: what it meets in an inner edge above goes on so too.
func (r *recognizer) goesOnAbove(p, x, f int32) bool {
	g, dir := r.g, r.out[f].dir
	z := g.Extent(p, dir)
	if r.taken[p] || g.Patches[p].Kind != surface.KindPlane || !section.IsSteep(g, p, dir) || !isAcross(&g.Arcs[x], dir) ||
		g.Arcs[x].Mid.Dot(dir) > z.Lo+g.Length || z.Hi > r.out[f].z.Hi+g.Length {
		return false
	}
	sides := 0
	for _, y := range g.Patches[p].Arcs {
		a := &g.Arcs[y]
		switch {
		case isAcross(a, dir):
			if a.Convexity == graph.Concave && y != x && (a.Turn < -math.Pi/4 || !r.goesOnAbove(a.Other(p), y, f)) {
				return false
			}
		case a.Convexity != graph.Convex || r.owner[a.Other(p)] != f:
			return false
		default:
			sides++
		}
	}
	return sides > 1
}

// tapers reports whether a free round wall that leans by no more than a draft goes on above another about one axis, from edge x,
// and gets no wider.
func (r *recognizer) tapers(below, p, x int32, dir geom.Vec3) bool {
	g := r.g
	s, b := &g.Patches[p].Shape, &g.Patches[below].Shape
	if r.taken[p] || !s.IsMantle() || s.Hollow || !b.IsMantle() || !graph.Parallel(s.Axis, dir) || !g.Coaxial(s, b) ||
		!isAcross(&g.Arcs[x], dir) {
		return false
	}
	lean := g.Slopes(p, dir)
	return lean.Lo >= -graph.DirectionTolerance && lean.Hi <= wallDraft &&
		g.Arcs[x].Mid.Dot(dir) <= g.Extent(p, dir).Lo+g.Length && g.Reach(p, b).Hi <= g.Reach(below, b).Hi+g.Length
}
