package recognize

// Walls above the walls of a boss.
//
// A flat pin has shoulders that taper to a shank. Walls that rise as steeply from its walls, between its two sides, are
// cut with them in one pass. The same holds for a round wall that tapers without a shoulder.
//
// Cost: linear in the edges of bosses.

import (
	"math"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// claimUpperWalls gives bosses the free steep planes above their walls between two other walls, such as the shoulders
// and the shank of a flat pin, and the round walls above a round wall.
func claimUpperWalls(r *reading, v *verifier) {
	for f := 0; f < len(r.features); f++ {
		if r.features[f].typ != feature.Boss {
			continue
		}
		for k := 0; k < len(r.features[f].patches); k++ { // added walls may have others above
			for _, x := range r.g.Patches[r.features[f].patches[k]].Arcs {
				p := r.features[f].patches[k]
				if q := r.g.Arcs[x].Other(p); r.continuesAbove(q, x, int32(f)) || tapers(r, p, q, x, r.features[f].dir) {
					v.extend(int32(f), q)
					v.raise(int32(f), q)
					k = -1 // patches are sorted
					break
				}
			}
		}
	}
}

// continuesAbove reports whether a free plane rises steeply from edge x of a boss, ends at walls of equal height on
// both sides, and is in no notch. A plane above it in a concave edge must continue too.
func (r *reading) continuesAbove(p, x, f int32) bool {
	g, dir := r.g, r.features[f].dir
	z := g.Extent(p, dir)
	if r.isTaken(p) || !g.IsPlane(p) || !section.IsSteep(g, p, dir) || !isPerpendicular(&g.Arcs[x], dir) ||
		g.Arcs[x].Mid.Dot(dir) > z.Lo+g.Length || z.Hi > r.features[f].z.Hi+g.Length {
		return false
	}
	sides := 0
	for _, y := range g.Patches[p].Arcs {
		a := &g.Arcs[y]
		switch {
		case isPerpendicular(a, dir):
			if a.Convexity == graph.Concave && y != x && (a.Turn < -math.Pi/4 || !r.continuesAbove(a.Other(p), y, f)) {
				return false
			}
		case a.Convexity != graph.Convex || r.ownerOf(a.Other(p)) != f:
			return false
		default:
			sides++
		}
	}
	return sides > 1
}

// tapers reports whether a free round wall, within a draft and no wider, continues a coaxial wall above edge x.
func tapers(r *reading, below, p, x int32, dir geom.Vec3) bool {
	g := r.g
	s, b := &g.Patches[p].Shape, &g.Patches[below].Shape
	if r.isTaken(p) || !s.IsMantle() || s.Hollow || !b.IsMantle() || !graph.Parallel(s.Axis, dir) || !g.Coaxial(s, b) ||
		!isPerpendicular(&g.Arcs[x], dir) {
		return false
	}
	lean := g.Slopes(p, dir)
	return lean.Lo >= -graph.DirectionTolerance && lean.Hi <= wallDraft &&
		g.Arcs[x].Mid.Dot(dir) <= g.Extent(p, dir).Lo+g.Length && g.Reach(p, b).Hi <= g.Reach(below, b).Hi+g.Length
}
