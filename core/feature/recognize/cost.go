package recognize

// What a reading of a part costs: the features that it needs, and what it leaves without a reason.
//
// An inner edge has its reason where both sides were cut as one, or where what stands on a floor is a boss. Where it
// lies between two features something was cut into a corner without a cause. An outer corner between two walls of one
// pocket, or of two on one level, is a turn that its cut need not have made: what stands there may be of its own.
//
// Cost: linear in edges and features.

import (
	"slices"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/geom/surface"
)

// The prices, in features.
const (
	featurePrice = 1.0
	restPrice    = 1.2 // of a wall or a surface that no other rule explains
	orphanPrice  = 1.5 // of a patch that no feature makes
	cornerPrice  = 0.5 // of an inner edge between two features
	turnPrice    = 0.6 // of an outer corner between two walls of one pocket
)

// cost returns the price of a reading.
func (r *recognizer) cost() float64 {
	sum := 0.0
	for i := range r.out {
		switch r.out[i].typ {
		case feature.Wall, feature.Three:
			sum += restPrice
		default:
			sum += featurePrice
		}
	}
	for p := range r.taken {
		if !r.taken[p] {
			sum += orphanPrice
		}
	}
	for i := range r.g.Arcs {
		sum += r.priceOf(&r.g.Arcs[i])
	}
	return sum
}

// priceOf returns what an edge adds.
func (r *recognizer) priceOf(a *graph.Arc) float64 {
	f, k := r.owner[a.A], r.owner[a.B]
	switch {
	case f == graph.None || k == graph.None:
		return 0
	case f == k:
		if o := &r.out[f]; o.typ == feature.Pocket && a.Bend == graph.Convex && !isAcross(a, o.dir) &&
			r.isWall(a.A, o.dir) && r.isWall(a.B, o.dir) {
			return turnPrice
		}
		return 0
	case a.Bend == graph.Convex && r.out[f].typ == feature.Pocket && r.out[k].typ == feature.Pocket && r.onOneLevel(a):
		return turnPrice
	case a.Bend != graph.Concave || isShallow(a):
		return 0
	case r.out[f].typ == feature.Boss || r.out[k].typ == feature.Boss:
		return 0
	}
	return cornerPrice
}

// onOneLevel reports whether both sides of an outer corner rise from floors in one plane, each of its own pocket.
func (r *recognizer) onOneLevel(a *graph.Arc) bool {
	return slices.ContainsFunc(r.floorsOf(a.A), func(p int32) bool {
		return slices.ContainsFunc(r.floorsOf(a.B), func(q int32) bool {
			return p != q && r.g.Continues(&r.g.Patches[p].Shape, &r.g.Patches[q].Shape)
		})
	})
}

// floorsOf returns the planes of its own feature that a plane meets in inner edges.
func (r *recognizer) floorsOf(p int32) (out []int32) {
	g := r.g
	for _, x := range g.Patches[p].Arcs {
		q := g.Arcs[x].Other(p)
		if g.Arcs[x].Bend == graph.Concave && g.Patches[q].Kind == surface.KindPlane && r.owner[q] == r.owner[p] {
			out = append(out, q)
		}
	}
	return out
}
