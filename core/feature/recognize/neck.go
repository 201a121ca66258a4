package recognize

// Necks: bosses that are bent, or go on above their foot in other surfaces.
//
// The walls of a boss may go on smoothly above, on all sides of it, in others that lean by a draft at most to where it was
// made from or away from there. All of them are one neck, made along the direction, no farther off than that, which sees
// most of it: what is bent hides some of its sides from anywhere.
//
// Cost: linear in the edges of the walls.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom"
)

// bentNeck is the rule of a boss that is bent.
const bentNeck = "bent neck"

// wallDraft is the sine of the angle by which walls of bosses and free-standing ones may lean, 20°, with room for what is drawn at
// that.
var wallDraft = math.Sin(geom.Radians(20)) + graph.DirectionTolerance

// leansWithin reports whether a patch leans by a draft at most, its sine given, to a direction or away from it.
func (r *facts) leansWithin(draft float64, p int32, dir geom.Vec3) bool {
	s := r.g.Slopes(p, dir)
	return s.Lo >= -draft && s.Hi <= draft
}

// bent returns the walls of a boss along direction d with those in which they go on above, and the direction of all, if these
// are on all sides or its own walls lean away; else what it was given.
func (r *recognizer) bent(d int, walls []int32) (best int, all []int32, isBent bool) {
	g, dir := r.g, r.v.Dirs[d]
	all = slices.Clone(walls)
	for i := 0; i < len(all); i++ {
		z := g.Extent(all[i], dir)
		for _, x := range g.Patches[all[i]].Arcs {
			a := &g.Arcs[x]
			q := a.Other(all[i])
			isAbove := i >= len(walls) || a.Mid.Dot(dir) > z.Mid() && g.Extent(q, dir).Mid() > z.Hi
			if math.Abs(a.Turn) <= shallowTurn && isAbove && !r.taken[q] && !r.isCore[q] && r.leansWithin(wallDraft, q, dir) &&
				!slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	upper := slices.Clone(all[len(walls):])
	if top := g.ExtentOf(upper, dir).Mid(); len(upper) > 0 { // some sides may go on in one plane
		upper = append(upper, slices.DeleteFunc(slices.Clone(walls), func(p int32) bool { return g.Extent(p, dir).Hi < top })...)
	}
	if !section.Embraces(g, dir, upper) {
		all = all[:len(walls)]
	}
	if isBent = len(all) > len(walls) || r.slopesOf(walls, dir).Lo < -graph.DirectionTolerance; !isBent {
		return d, walls, false
	}
	all = ascending(all)
	best, most := d, r.v.Seen(g, d, all)
	for i, o := range r.v.Dirs {
		if seen := r.v.Seen(g, i, all); o.Dot(dir) >= math.Sqrt(1-wallDraft*wallDraft) && seen > most+sameShare {
			best, most = i, seen
		}
	}
	return best, all, true
}
