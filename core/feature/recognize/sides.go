package recognize

// Sides of profiles that other features have cut off.
//
// The boundary of the silhouette of a part along a direction is its profile there, and one pass cuts all of it, even if
// later cuts split it. A section at one height misses walls that are cut away there. A free face on the plane or
// cylinder of a side belongs to the profile. So does a plane that the whole profile touches from behind.
//
// Cost: planes and cylinders on the surfaces of sides are looked up, and no found face is looked up again. Each
// adjacent free plane takes time linear in the triangles of the profile, once in every round that adds sides.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// sidesOfOutlines gives profiles the free walls that bound the same silhouette.
func sidesOfOutlines(r *reading, v *verifier) {
	g := r.g
	surfaces := g.NewSurfaces(r.free())
	for f := range r.features {
		o := r.features[f]
		if o.rule != outerProfile {
			continue
		}
		if d := r.v.Find(o.dir); d != graph.None && addSides(r, v, int32(f), d, surfaces) {
			v.explain(int32(f), "Others have cut sides of it off.")
		}
	}
}

// addSides gives a profile along direction d the free walls on surfaces of its sides, and the adjacent planes that it
// touches. It reports whether there are any. All planes of one round are tested with the same sides, and again if there
// are more, so that their order has no effect.
func addSides(r *reading, v *verifier, f int32, d int, surfaces *graph.SurfaceIndex) bool {
	g, o := r.g, r.features[f]
	known, sides := len(o.patches), slices.Clone(o.patches)
	add := func(q int32) {
		v.extend(f, q)
		sides = append(sides, q)
	}
	// other shells have profiles of their own
	shellOf := func(p int32) int32 { return int32(g.Model.Faces[g.Patches[p].Faces[0]].Shell) }
	answers := map[int32]bool{}
	mayBeSide := func(q int32) bool {
		ok, isAsked := answers[q]
		if !isAsked {
			ok = shellOf(q) == shellOf(sides[0]) && isWithinDraft(r.partContext, profileDraft, q, o.dir) && !r.isElsewhere(q) &&
				isOutside(r.partContext, d, q)
			answers[q] = ok
		}
		return ok
	}
	isFlush := map[int32]bool{} // with a side whose surface has been looked up
	var beside []int32
	for done := 0; done < len(sides); {
		for _, p := range sides[done:] {
			s := &g.Patches[p].Shape
			if isFlush[p] || s.Kind != surface.KindPlane && !s.IsMantle() {
				continue
			}
			surfaces.On(s, func(q int32) {
				if !r.isTaken(q) && mayBeSide(q) {
					isFlush[q] = true
					add(q)
				}
			})
		}
		for ; done < len(sides); done++ {
			for q := range g.Neighbors(sides[done]) {
				if !r.isTaken(q) && g.IsPlane(q) && mayBeSide(q) {
					beside = append(beside, q)
				}
			}
		}
		beside = slices.DeleteFunc(ascending(beside), r.isTaken)
		reached := only(beside, func(q int32) bool { return touchPlane(r.partContext, sides, q) })
		for _, q := range reached {
			add(q)
		}
	}
	return len(sides) > known
}

// touchPlane reports whether some patches lie behind a plane and touch it.
func touchPlane(pc *partContext, patches []int32, plane int32) bool {
	s := &pc.g.Patches[plane].Shape
	return math.Abs(pc.g.ExtentOf(patches, s.Axis).Hi-s.Origin.Dot(s.Axis)) <= pc.g.Length
}
