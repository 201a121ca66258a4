package recognize

// Round stages of turned bodies that no floor tells: those beyond a neck, a groove or a collar.
//
// What runs round a body where it is narrower than elsewhere on its axis is no outline of the part, but a stage of it. A
// groove turned into a stage leaves one stage, and one turned into an outline one outline.

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize/internal/section"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// isStage reports whether an outline is a stage of a round body that is wider elsewhere, in a boss, a profile or another
// outline, and makes a boss of it.
func (r *recognizer) isStage(o *outline, others []outline) bool {
	g := r.g
	s := &g.Patches[o.patches[0]].Shape
	if slices.ContainsFunc(o.patches, func(p int32) bool {
		return !g.Patches[p].Shape.IsMantle() || !g.Coaxial(s, &g.Patches[p].Shape)
	}) {
		return false
	}
	widest := int32(graph.None)
	reach := g.Reach(o.patches[0], s).Hi
	widen := func(patches []int32) {
		round := slices.DeleteFunc(slices.Clone(patches), func(q int32) bool {
			w := &g.Patches[q].Shape
			return !w.IsMantle() || !g.Coaxial(s, w)
		})
		if !section.Embraces(g, s.Axis, round) {
			return // cheeks and cams are no round body
		}
		for _, q := range round {
			if g.Reach(q, s).Hi > reach+g.Length {
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
	if q := r.shoulderOf(o.patches); q != graph.None && g.Reach(q, s).Hi > reach+g.Length {
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
	n := len(r.out)
	r.addBoss(o.patches, d, "round stage", fmt.Sprintf(
		"A round wall stands beyond a neck on a body that is %s wide on the same axis.", mm(2*reach)))
	return len(r.out) > n
}

// shoulderOf returns the plane from which the bottom of a turned groove below some round walls rises, of no groove itself: None
// where there is none.
func (r *recognizer) shoulderOf(walls []int32) int32 {
	g := r.g
	for _, p := range walls {
		for _, x := range g.Patches[p].Arcs {
			f := r.owner[g.Arcs[x].Other(p)]
			if f == graph.None || r.out[f].rule != turnedGroove {
				continue
			}
			for _, b := range r.out[f].patches {
				for _, y := range g.Patches[b].Arcs {
					q := g.Arcs[y].Other(b)
					if g.Arcs[y].Convexity == graph.Concave && r.owner[q] != f && g.Patches[q].Kind == surface.KindPlane &&
						graph.Parallel(g.Patches[q].Axis, g.Patches[p].Axis) {
						return q
					}
				}
			}
		}
	}
	return graph.None
}

// lands makes one stage, or one outline, of the lands of one round surface that a turned groove parts, whatever bevels its rims.
func (r *recognizer) lands() {
	g := r.g
	beyond := func(p int32, visit func(q int32)) {
		for _, x := range g.Patches[p].Arcs {
			if q := g.Arcs[x].Other(p); g.Arcs[x].Convexity != graph.Concave && r.owner[q] != graph.None {
				visit(q)
			}
		}
	}
	for f := range r.out {
		if r.out[f].rule != turnedGroove {
			continue
		}
		var beside []int32
		see := func(q int32) {
			if t := r.out[r.owner[q]].typ; (t == feature.Boss || t == feature.Profile) && g.Patches[q].Shape.IsMantle() {
				beside = append(beside, q)
			}
		}
		for _, p := range r.out[f].patches {
			beyond(p, func(q int32) {
				if see(q); r.isChamfer[q] {
					beyond(q, see)
				}
			})
		}
		for i, p := range beside {
			for _, q := range beside[:i] {
				a, b := min(r.owner[p], r.owner[q]), max(r.owner[p], r.owner[q])
				if a != b && g.Continues(&g.Patches[p].Shape, &g.Patches[q].Shape) {
					r.merge(a, b, "A groove parts it.")
					r.out[a].z = g.ExtentOf(r.out[a].patches, r.out[a].dir)
				}
			}
		}
	}
	r.dropUnited()
}
