package recognize

// Passages that no plane and no hole asks a direction for.
//
// Planes joined to a ring by parallel concave edges are the walls of a straight passage: through a round
// body nothing else on the part need point along it. The direction of the edges, both ways, is worth a
// look then.
//
// Cost: linear in concave edges.

import (
	"millwright/core/feature/direction"
	"millwright/core/feature/graph"
	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// passageAsks returns the directions along straight passages.
func (r *recognizer) passageAsks() []direction.Ask {
	g := r.g
	set := graph.NewSets(len(g.Patches))
	isHeld := make([]bool, len(g.Patches))
	for i := range g.Arcs {
		if a := &g.Arcs[i]; a.Bend == graph.Concave {
			set.Join(a.A, a.B)
			isHeld[a.A], isHeld[a.B] = true, true
		}
	}
	var out []direction.Ask
	for _, group := range set.Groups(func(p int32) bool { return isHeld[p] }) {
		if along, ok := r.alongRing(group); ok {
			out = append(out, direction.Ask{Dir: along, Patches: group},
				direction.Ask{Dir: along.Neg(), Patches: group})
		}
	}
	return out
}

// alongRing returns the direction of the concave edges between some planes when they are parallel and
// each plane has two neighbours over them; the sense is the canonical one.
func (r *recognizer) alongRing(group []int32) (along geom.Vec3, ok bool) {
	const least = 3
	if len(group) < least || len(group) > maxPassage {
		return along, false
	}
	g := r.g
	for _, p := range group {
		if g.Patches[p].Kind != surface.KindPlane {
			return along, false
		}
		first, others := int32(graph.None), false
		for _, x := range g.Patches[p].Arcs {
			a := &g.Arcs[x]
			if a.Bend != graph.Concave {
				continue
			}
			if along == (geom.Vec3{}) {
				along = graph.Canonical(a.Dir)
			}
			if !graph.Parallel(along, a.Dir) {
				return along, false
			}
			q := a.Other(p)
			others = others || first != graph.None && q != first
			first = q
		}
		if !others {
			return along, false
		}
	}
	return along, true
}
