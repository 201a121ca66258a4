package recognize

// Round stages of turned bodies that no floor tells: those beyond a neck, a groove or a collar.
//
// What runs round a body where it is narrower than elsewhere on its axis is no outline of the part, but a stage of it. A
// groove turned into a stage leaves one stage.

import (
	"fmt"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
)

// isStage reports whether an outline is a stage of a round body that is wider elsewhere, in a boss, a profile or another
// outline, and makes a boss of it.
func (r *recognizer) isStage(o *outline, others []outline) bool {
	g := r.g
	s := &g.Patches[o.patches[0]].Shape
	if slices.ContainsFunc(o.patches, func(p int32) bool {
		return !isMantle(&g.Patches[p].Shape) || !g.Coaxial(s, &g.Patches[p].Shape)
	}) {
		return false
	}
	if f := r.acrossGroove(o.patches); f != graph.None {
		for _, p := range o.patches {
			r.extend(f, p)
		}
		r.out[f].z = g.ExtentOf(r.out[f].patches, r.out[f].dir)
		return true
	}
	widest := int32(graph.None)
	reach := g.Reach(o.patches[0], s).Hi
	widen := func(patches []int32) {
		for _, q := range patches {
			w := &g.Patches[q].Shape
			if isMantle(w) && g.Coaxial(s, w) && g.Reach(q, s).Hi > reach+g.Length {
				widest, reach = q, g.Reach(q, s).Hi
			}
		}
	}
	for f := range r.out {
		if t := r.out[f].typ; t == feature.Boss || t == feature.Profile {
			widen(r.out[f].patches)
		}
	}
	for i := range others {
		widen(others[i].patches)
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
	n := len(r.out)
	r.addBoss(o.patches, d, "round stage", fmt.Sprintf(
		"A round wall stands beyond a neck on a body that is %s wide on the same axis.", mm(2*reach)))
	return len(r.out) > n
}

// acrossGroove returns the boss on whose round wall some walls go on across a turned groove, None where there is none.
func (r *recognizer) acrossGroove(walls []int32) int32 {
	g := r.g
	beyond := func(p int32, visit func(q int32) bool) bool {
		return slices.ContainsFunc(g.Patches[p].Arcs, func(x int32) bool {
			return g.Arcs[x].Bend == graph.Convex && visit(g.Arcs[x].Other(p))
		})
	}
	for _, p := range walls {
		found := int32(graph.None)
		beyond(p, func(q int32) bool {
			f := r.owner[q]
			if f == graph.None || r.out[f].rule != turnedGroove {
				return false
			}
			return slices.ContainsFunc(r.out[f].patches, func(w int32) bool {
				return beyond(w, func(b int32) bool {
					k := r.owner[b]
					if k == graph.None || r.out[k].typ != feature.Boss || !g.Continues(&g.Patches[p].Shape, &g.Patches[b].Shape) {
						return false
					}
					found = k
					return true
				})
			})
		})
		if found != graph.None {
			return found
		}
	}
	return graph.None
}
