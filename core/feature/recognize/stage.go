package recognize

// Round stages of turned bodies without a floor: beyond a neck, a groove or a collar.
//
// Round walls where a body is narrower than elsewhere on its axis are a stage and not a profile. A groove turned into a
// stage leaves one stage, and one turned into a profile one profile.

import (
	"fmt"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
)

// addStage proposes a profile as a boss if it is a stage of a round body that is wider elsewhere, in a boss, a profile
// or another candidate. It reports acceptance.
func addStage(r *reading, v *verifier, o *profileCandidate, others []profileCandidate) bool {
	g := r.g
	s := &g.Patches[o.patches[0]].Shape
	isCoaxial := func(p int32) bool { return g.Patches[p].Shape.IsMantle() && g.Coaxial(s, &g.Patches[p].Shape) }
	if !all(o.patches, isCoaxial) {
		return false
	}
	widest := int32(graph.None)
	reach := g.Reach(o.patches[0], s).Hi
	widen := func(patches []int32) {
		round := only(patches, isCoaxial)
		if !section.Encircles(g, s.Axis, round) {
			return // webs and cams are not a round body
		}
		for _, q := range round {
			if g.Reach(q, s).Hi > reach+g.Length {
				widest, reach = q, g.Reach(q, s).Hi
			}
		}
	}
	for f := range r.features {
		if t := r.features[f].typ; t == feature.Boss || t == feature.Profile {
			widen(r.features[f].patches)
		}
	}
	for i := range others {
		widen(others[i].patches)
	}
	if q := shoulderOf(r, o.patches); q != graph.None && g.Reach(q, s).Hi > reach+g.Length {
		widest, reach = q, g.Reach(q, s).Hi
	}
	if widest == graph.None {
		return false
	}
	up := s.Axis
	if g.ExtentOf(o.patches, up).Mid() < g.Extent(widest, up).Mid() {
		up = up.Neg()
	}
	d := r.v.Find(up)
	if d == graph.None {
		return false
	}
	n := len(r.features)
	addBoss(r, v, o.patches, d, "round stage", fmt.Sprintf(
		"A round wall stands beyond a neck on a body that is %s wide on the same axis.", mm(2*reach)))
	return len(r.features) > n
}

// shoulderOf returns the plane from which the bottom of a turned groove below some round walls rises, outside the
// groove, None if there is none.
func shoulderOf(r *reading, walls []int32) int32 {
	g := r.g
	for _, p := range walls {
		for o := range g.Neighbors(p) {
			f := r.ownerOf(o)
			if f == graph.None || r.features[f].rule != turnedGroove {
				continue
			}
			for _, b := range r.features[f].patches {
				for q, a := range g.Neighbors(b) {
					if a.Convexity == graph.Concave && r.ownerOf(q) != f && g.IsPlane(q) &&
						graph.Parallel(g.Patches[q].Axis, g.Patches[p].Axis) {
						return q
					}
				}
			}
		}
	}
	return graph.None
}

// mergeLands merges the lands of one round surface on both sides of a turned groove to one stage or profile, also
// across chamfers.
func mergeLands(r *reading, v *verifier) {
	g := r.g
	beyond := func(p int32, visit func(q int32)) {
		for q, a := range g.Neighbors(p) {
			if a.Convexity != graph.Concave && r.ownerOf(q) != graph.None {
				visit(q)
			}
		}
	}
	for f := range r.features {
		if r.features[f].rule != turnedGroove {
			continue
		}
		var beside []int32
		see := func(q int32) {
			if t := r.features[r.ownerOf(q)].typ; (t == feature.Boss || t == feature.Profile) && g.Patches[q].Shape.IsMantle() {
				beside = append(beside, q)
			}
		}
		for _, p := range r.features[f].patches {
			beyond(p, func(q int32) {
				if see(q); r.isChamfer(q) {
					beyond(q, see)
				}
			})
		}
		for i, p := range beside {
			for _, q := range beside[:i] {
				a, b := min(r.ownerOf(p), r.ownerOf(q)), max(r.ownerOf(p), r.ownerOf(q))
				if a != b && g.OnOneSurface(p, q) {
					v.merge(a, b, "A groove parts it.")
					v.remeasure(a)
				}
			}
		}
	}
	v.dropMerged()
}
