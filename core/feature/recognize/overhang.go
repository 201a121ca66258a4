package recognize

// What hangs over pockets.
//
// A hollow that others broke into from its side keeps some of what closed it there, where the direction of its floor does
// not see it: free planes that look down on the floor, and meet nothing in inner edges but what bounds that hollow.
//
// Limits: a plane that meets the rest over fillets is none.

import (
	"math"
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// overhangs gives pockets the free planes that hang over their floors.
func (r *recognizer) overhangs() {
	for again := true; again; {
		again = false
		for i := range r.g.Patches {
			p := int32(i)
			if f := r.hangsOver(p); f != graph.None {
				r.extend(f, p)
				again = true
			}
		}
	}
}

// hangsOver returns the pocket on whose floor a free plane looks down, and of which all is that the plane meets in inner edges,
// but for free planes that do too; None where there is none.
func (r *recognizer) hangsOver(p int32) int32 {
	of := int32(graph.None)
	for _, x := range r.g.Patches[p].Arcs {
		if f := r.owner[r.g.Arcs[x].Other(p)]; r.g.Arcs[x].Bend == graph.Concave && f != graph.None && r.out[f].typ == feature.Pocket &&
			r.out[f].rule != turnedGroove {
			of = f
			break
		}
	}
	if of == graph.None || !r.looksDown(p, of) || slices.ContainsFunc(r.g.Patches[p].Arcs, func(x int32) bool {
		q := r.g.Arcs[x].Other(p)
		return r.g.Arcs[x].Bend != graph.Convex && r.owner[q] != of && !r.looksDown(q, of)
	}) {
		return graph.None
	}
	return of
}

// looksDown reports whether a patch is a free plane that looks against the direction of a pocket.
func (r *recognizer) looksDown(p, f int32) bool {
	s := &r.g.Patches[p].Shape
	return !r.taken[p] && s.Kind == surface.KindPlane && s.Axis.Dot(r.out[f].dir) < -math.Sin(10*math.Pi/180)
}
