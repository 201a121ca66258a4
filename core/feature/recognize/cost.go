package recognize

// The cost of a reading: its features, and edges and patches without an explanation.
//
// A concave edge is explained if both sides were cut as one, or if one side is a boss. Between two other features it
// means a cut into a corner without a cause. A convex edge between two walls of one pocket is an unnecessary turn: the
// material there may be another feature.
//
// Cost: linear in edges and features.

import (
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
)

// Prices, in features.
const (
	featurePrice = 1.0
	restPrice    = 1.2 // of a wall or a surface that no other rule explains
	orphanPrice  = 1.5 // of a patch without a feature
	cornerPrice  = 0.5 // of a concave edge between two features
	turnPrice    = 0.6 // of a convex edge between two walls of one pocket
)

// cost returns the price of a reading.
func cost(r *reading) float64 {
	sum := 0.0
	for i := range r.features {
		switch r.features[i].typ {
		case feature.Wall, feature.Three:
			sum += restPrice
		default:
			sum += featurePrice
		}
	}
	sum += orphanPrice * float64(len(r.free()))
	for i := range r.g.Arcs {
		sum += priceOf(r, &r.g.Arcs[i])
	}
	return sum
}

// priceOf returns the price of an edge.
func priceOf(r *reading, a *graph.Adjacency) float64 {
	f, k := r.ownerOf(a.A), r.ownerOf(a.B)
	switch {
	case f == graph.None || k == graph.None:
		return 0
	case f == k:
		if o := r.features[f]; o.typ == feature.Pocket && a.Convexity == graph.Convex && !isPerpendicular(a, o.dir) &&
			r.isWall(a.A, o.dir) && r.isWall(a.B, o.dir) {
			return turnPrice
		}
		return 0
	case a.Convexity != graph.Concave || isShallow(a):
		return 0
	case r.features[f].typ == feature.Boss || r.features[k].typ == feature.Boss:
		return 0
	}
	return cornerPrice
}
