package recognize

// Sides of outlines that other features have cut off.
//
// What bounds the silhouette of a part along a direction is its outline there, and one pass cuts all of it, however
// others have cut it to pieces since. A cut at one height misses what they took away there: a free face that lies in the
// plane or on the mantle of a side of an outline is of it, and so is a plane that the outline touches from behind, all of it.
//
// Cost: planes and mantles on the surfaces of an outline's sides are looked up; what is found there is not looked up from
// again. Each free plane beside them that may be a side takes time linear in the triangles of the outline, once in every round
// that adds sides.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// sidesOfOutlines gives outlines the free walls that bound the same silhouette.
func (r *recognizer) sidesOfOutlines() {
	g := r.g
	var free []int32
	for p, isTaken := range r.taken {
		if !isTaken {
			free = append(free, int32(p))
		}
	}
	surfaces := g.NewSurfaces(free)
	for f := range r.out {
		o := &r.out[f]
		if o.rule != outerProfile {
			continue
		}
		if d := r.v.Find(o.dir); d != graph.None && r.addSides(int32(f), d, surfaces) {
			o.reasons = append(o.reasons, "Others have cut sides of it off.")
		}
	}
}

// addSides gives an outline along direction d the free walls that are on surfaces of its sides, and the
// planes beside them that it reaches up to; it reports whether there are any. All planes of one round are asked about the same
// sides, and again when there are more, so that the order in which they come does not count.
func (r *recognizer) addSides(f int32, d int, surfaces *graph.SurfaceIndex) bool {
	g, o := r.g, &r.out[f]
	known, sides := len(o.patches), slices.Clone(o.patches)
	add := func(q int32) {
		r.extend(f, q)
		sides = append(sides, q)
	}
	shellOf := func(p int32) int32 { return int32(g.Model.Faces[g.Patches[p].Faces[0]].Shell) } // others have outlines of their own
	answers := map[int32]bool{}
	mayBeSide := func(q int32) bool {
		ok, isAsked := answers[q]
		if !isAsked {
			ok = shellOf(q) == shellOf(sides[0]) && r.leansWithin(profileDraft, q, o.dir) && !r.isElsewhere(q) && r.isOutside(d, q)
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
				if !r.taken[q] && mayBeSide(q) {
					isFlush[q] = true
					add(q)
				}
			})
		}
		for ; done < len(sides); done++ {
			for _, x := range g.Patches[sides[done]].Arcs {
				q := g.Arcs[x].Other(sides[done])
				if !r.taken[q] && g.Patches[q].Kind == surface.KindPlane && mayBeSide(q) {
					beside = append(beside, q)
				}
			}
		}
		beside = slices.DeleteFunc(ascending(beside), func(q int32) bool { return r.taken[q] })
		reached := slices.DeleteFunc(slices.Clone(beside), func(q int32) bool { return !r.reachUpTo(sides, q) })
		for _, q := range reached {
			add(q)
		}
	}
	return len(sides) > known
}

// reachUpTo reports whether some patches lie behind a plane and reach up to it.
func (r *facts) reachUpTo(patches []int32, plane int32) bool {
	s := &r.g.Patches[plane].Shape
	return math.Abs(r.g.ExtentOf(patches, s.Axis).Hi-s.Origin.Dot(s.Axis)) <= r.g.Length
}
