package sew

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// candidate is a free edge for matching: its ends, smaller first, and its middle along the curve.
type candidate struct {
	edge   brep.EdgeID
	lo, hi brep.VertexID
	mid    geom.Vec3
	length float64
}

// midMargin is the share of its length by which the middles of two edges that lie on each other may
// differ, for the error of a length measured along chords.
const midMargin = 0.02

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
	same bool // their directions agree
}

// mergeGroup merges edges with equal ends, sorted by the x of their middles; the closest pairs first.
func (s *sewer) mergeGroup(group []candidate, tol float64) {
	var pairs []pair
	for i := range group {
		a := &group[i]
		for j := i + 1; j < len(group); j++ {
			b := &group[j]
			slack := 2*tol + midMargin*a.length
			if b.mid.X-a.mid.X > slack {
				break
			}
			if a.mid.Dist(b.mid) > slack {
				continue
			}
			gap, same := brep.EdgeGap(&s.m.Edges[a.edge], &s.m.Edges[b.edge], tol)
			if gap <= tol && s.mayMerge(a.edge, b.edge, same) {
				pairs = append(pairs, pair{i, j, gap, same})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.gap, b.gap) })
	classes := make([]class, len(group))
	for i := range classes {
		classes[i] = class{edge: group[i].edge, into: i}
	}
	for _, p := range pairs {
		a, b := rootOf(classes, p.a), rootOf(classes, p.b)
		isFirst := !classes[a].isJoined && !classes[b].isJoined
		if a == b {
			continue
		}
		gap, same := p.gap, p.same
		if !isFirst {
			gap, same = brep.EdgeGap(&s.m.Edges[classes[a].edge], &s.m.Edges[classes[b].edge], tol)
			if gap > tol {
				continue
			}
		}
		keep, drop := s.prefer(classes[a].edge, classes[b].edge)
		s.mergeEdge(keep, drop, same, gap)
		classes[b].into = a
		classes[a] = class{edge: keep, into: a, isJoined: true}
	}
}

// class is a set of edges of a group that have become one.
type class struct {
	edge     brep.EdgeID
	into     int  // toward the class that it became
	isJoined bool // it has two edges or more
}

func rootOf(classes []class, i int) int {
	for classes[i].into != i {
		i = classes[i].into
	}
	return i
}

// mayMerge refuses to join an edge with another one of its own face when both run in the same direction around it: a
// seam is used once in each direction. If both edges have two faces already, they must have no face in common.
func (s *sewer) mayMerge(a, b brep.EdgeID, same bool) bool {
	if len(s.m.Edges[a].Coedges) > 1 || len(s.m.Edges[b].Coedges) > 1 {
		return !s.haveCommonFace(a, b)
	}
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
	if s.addGap(gap); s.report.Merged == 1 {
		s.name(SewnEdges, s.m.EdgeName(keep))
	}
}
