package sew

import (
	"cmp"
	"slices"

	"millwright/core/brep"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// candidate is a free edge as matching sees it: its ends, smaller first, and its middle along the curve.
type candidate struct {
	edge   brep.EdgeID
	lo, hi brep.VertexID
	mid    geom.Vec3
	length float64
}

// midSlack is the share of its length by which the middles of two edges that lie on each other may
// differ, for the error of a length measured along chords.
const midSlack = 0.02

// mergeEdges merges the free edges that have the same ends and lie within tol (mm) of each other. Two
// become one; three or more become one too, which is then reported as bounding several faces.
func (s *sewer) mergeEdges(tol float64) {
	list := make([]candidate, 0, len(s.free))
	for _, id := range s.free {
		e, line := &s.m.Edges[id], s.polyline(id)
		list = append(list, candidate{
			edge: id, lo: min(e.Start, e.End), hi: max(e.Start, e.End),
			mid: e.Curve.At(line.middle()), length: line.length,
		})
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(a.hi, b.hi),
			cmp.Compare(a.mid.X, b.mid.X), cmp.Compare(a.edge, b.edge))
	})
	for i := 0; i < len(list); {
		j := i + 1
		for j < len(list) && list[j].lo == list[i].lo && list[j].hi == list[i].hi {
			j++
		}
		if j-i > 1 {
			s.mergeGroup(list[i:j], tol)
		}
		i = j
	}
}

// pair is two edges of a group that lie on each other.
type pair struct {
	a, b int // into the group
	gap  float64
	same bool // they run the same way
}

// mergeGroup merges edges with equal ends, sorted by the x of their middles; the closest pairs first.
func (s *sewer) mergeGroup(group []candidate, tol float64) {
	var pairs []pair
	for i := range group {
		a := &group[i]
		for j := i + 1; j < len(group); j++ {
			b := &group[j]
			slack := 2*tol + midSlack*a.length
			if b.mid.X-a.mid.X > slack {
				break
			}
			if a.mid.Dist(b.mid) > slack {
				continue
			}
			gap, same := s.distance(a.edge, b.edge, tol)
			if gap <= tol && s.mayMerge(a.edge, b.edge, same) {
				pairs = append(pairs, pair{i, j, gap, same})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.gap, b.gap) })
	into := make([]brep.EdgeID, len(group)) // by edge of the group: what it became
	for i := range into {
		into[i] = brep.None
	}
	for _, p := range pairs {
		a, b := &group[p.a], &group[p.b]
		if into[p.a] == brep.None && into[p.b] == brep.None {
			keep, drop := s.prefer(a.edge, b.edge)
			s.mergeEdge(keep, drop, p.same, p.gap)
			into[p.a], into[p.b] = keep, keep
			continue
		}
		if into[p.b] != brep.None {
			p.a, p.b, b = p.b, p.a, a
		}
		if into[p.b] != brep.None {
			continue // joined both
		}
		if gap, same := s.distance(into[p.a], b.edge, tol); gap <= tol {
			s.mergeEdge(into[p.a], b.edge, same, gap)
			into[p.b] = into[p.a]
		}
	}
}

// mayMerge refuses to join an edge with another one of its own face when both run the same way around
// it: a seam is walked once in each direction.
func (s *sewer) mayMerge(a, b brep.EdgeID, same bool) bool {
	ca, cb := s.m.Edges[a].Coedges[0], s.m.Edges[b].Coedges[0]
	if s.m.FaceOf(ca) != s.m.FaceOf(cb) {
		return true
	}
	return (s.m.Coedges[ca].Reversed == s.m.Coedges[cb].Reversed) != same
}

// prefer returns the edge to keep, the one with the simpler curve, and the other one.
func (s *sewer) prefer(a, b brep.EdgeID) (keep, drop brep.EdgeID) {
	ka, kb := s.m.Edges[a].Curve.Kind(), s.m.Edges[b].Curve.Kind()
	if kb < ka || kb == ka && b < a {
		return b, a
	}
	return a, b
}

// mergeEdge makes every use of edge drop one of edge keep, which bridges a gap (mm) between them.
func (s *sewer) mergeEdge(keep, drop brep.EdgeID, same bool, gap float64) {
	k, d := &s.m.Edges[keep], &s.m.Edges[drop]
	uses := make([]brep.CoedgeID, 0, len(k.Coedges)+len(d.Coedges))
	uses = append(append(uses, k.Coedges...), d.Coedges...)
	for _, c := range d.Coedges {
		ce := &s.m.Coedges[c]
		ce.Edge = keep
		ce.Reversed = ce.Reversed != !same
	}
	slices.Sort(uses)
	k.Coedges, d.Coedges = uses, nil
	k.Tolerance = max(k.Tolerance, d.Tolerance, gap)
	s.addGap(gap)
}

// distance returns the largest distance (mm) of a point of one edge from the other one, over samples of
// both, and whether they run the same way. It stops at the first that exceeds enough.
func (s *sewer) distance(a, b brep.EdgeID, enough float64) (gap float64, same bool) {
	ea, eb := &s.m.Edges[a], &s.m.Edges[b]
	t1, d1 := curve.InvertIn(eb.Curve, ea.Curve.At(ea.Range.At(0.25)), eb.Range)
	t2, d2 := curve.InvertIn(eb.Curve, ea.Curve.At(ea.Range.At(0.75)), eb.Range)
	same = t1 < t2
	if gap = max(d1, d2); gap > enough {
		return gap, same
	}
	if gap = max(gap, s.oneWay(a, b, enough)); gap > enough {
		return gap, same
	}
	return max(gap, s.oneWay(b, a, enough)), same
}

// oneWay returns the largest distance of samples of a from b.
func (s *sewer) oneWay(a, b brep.EdgeID, enough float64) float64 {
	line, from, to := s.polyline(a), s.m.Edges[a].Curve, &s.m.Edges[b]
	gap, last := 0.0, line.t[0]
	for i, t := range line.t {
		_, d := curve.InvertIn(to.Curve, line.p[i], to.Range)
		if gap = max(gap, d); gap > enough {
			return gap
		}
		if i > 0 {
			_, d := curve.InvertIn(to.Curve, from.At(0.5*(last+t)), to.Range)
			if gap = max(gap, d); gap > enough {
				return gap
			}
		}
		last = t
	}
	return gap
}
