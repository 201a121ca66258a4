package recognize

// Necks: bosses that bend or continue above their base in other surfaces.
//
// The walls of a boss may continue smoothly above, on all sides, in walls that lean by a draft at most. All of them are
// one neck. Its direction is the one near the original that sees most of it, because a bend hides some sides from every
// direction.
//
// Cost: linear in the edges of the walls.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// bentNeck is the rule of a boss that bends.
const bentNeck = "bent neck"

// wallDraft is the sine of the largest draft of walls of bosses and free-standing walls, 20° with a tolerance.
var wallDraft = math.Sin(geom.Radians(20)) + graph.DirectionTolerance

// isWithinDraft reports whether a patch leans to a direction or away from it by a draft at most, given as sine.
func isWithinDraft(pc *partContext, draft float64, p int32, dir geom.Vec3) bool {
	s := pc.g.Slopes(p, dir)
	return s.Lo >= -draft && s.Hi <= draft
}

// withContinuations returns the walls of a boss along direction d with their continuations above, and the direction of
// all. This applies if continuations are on all sides or the walls lean away, otherwise it returns its arguments.
func withContinuations(r *reading, d int, walls []int32) (best int, all []int32, isBent bool) {
	g, dir := r.g, r.v.Dirs[d]
	all = slices.Clone(walls)
	for i := 0; i < len(all); i++ {
		z := g.Extent(all[i], dir)
		for q, a := range g.Neighbors(all[i]) {
			isAbove := i >= len(walls) || a.Mid.Dot(dir) > z.Mid() && g.Extent(q, dir).Mid() > z.Hi
			if math.Abs(a.Turn) <= shallowTurn && isAbove && !r.isTaken(q) && !r.isCore[q] &&
				isWithinDraft(r.partContext, wallDraft, q, dir) && !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	upper := slices.Clone(all[len(walls):])
	if top := g.ExtentOf(upper, dir).Mid(); len(upper) > 0 { // some sides may continue in one plane
		upper = append(upper, without(walls, func(p int32) bool { return g.Extent(p, dir).Hi < top })...)
	}
	if !section.Encircles(g, dir, upper) {
		all = all[:len(walls)]
	}
	if isBent = len(all) > len(walls) || r.slopesOf(walls, dir).Lo < -graph.DirectionTolerance; !isBent {
		return d, walls, false
	}
	all = ascending(all)
	best, most := d, r.v.Seen(g, d, all)
	for i, o := range r.v.Dirs {
		if seen := r.v.Seen(g, i, all); o.Dot(dir) >= math.Sqrt(1-wallDraft*wallDraft) && seen > most+shareTolerance {
			best, most = i, seen
		}
	}
	return best, all, true
}
