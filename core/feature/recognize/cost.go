package recognize

// What a reading of a part costs: the features that it needs, and what it leaves without a reason.
//
// An inner edge has its reason where both sides were cut as one, or where what stands on a floor is a boss. Where it
// lies between two features something was cut into a corner without a cause. An outer corner between two walls of one
// pocket, or of two on one level, is a turn that its cut need not have made: what stands there may be of its own.
//
// Cost: linear in edges and features.

import (
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
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
func (r *recognizer) priceOf(a *graph.Adjacency) float64 {
	f, k := r.owner[a.A], r.owner[a.B]
	switch {
	case f == graph.None || k == graph.None:
		return 0
	case f == k:
		if o := &r.out[f]; o.typ == feature.Pocket && a.Convexity == graph.Convex && !isAcross(a, o.dir) &&
			r.isWall(a.A, o.dir) && r.isWall(a.B, o.dir) {
			return turnPrice
		}
		return 0
	case a.Convexity != graph.Concave || isShallow(a):
		return 0
	case r.out[f].typ == feature.Boss || r.out[k].typ == feature.Boss:
		return 0
	}
	return cornerPrice
}
