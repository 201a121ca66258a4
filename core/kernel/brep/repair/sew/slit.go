package sew

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
)

// Slits
//
// Where curves were approximated badly, like the curves in the parameter planes of some writers, two edges share both
// ends but have a gap wider than the widest tolerance. The hole between them has two edges and is far narrower than
// long. No design has such holes. So when nothing else can be joined, both edges become one. Cost: one comparison for
// each pair of free edges with the same ends.

// A slit is no wider than the smallest of these.
const (
	slitWidth = 0.1  // mm, or, if that is more,
	slitThin  = 1e-4 // of its length: edges meters long are not known to a tenth of a mm
	slitShare = 0.1  // of its length
	slitSize  = 1e-3 // of the box
)

// closeSlits merges pairs of free edges of two faces that have the same ends, the narrowest slits first.
func (s *sewer) closeSlits() {
	m := s.m
	list := slices.Clone(s.free)
	ends := func(id brep.EdgeID) (lo, hi brep.VertexID) {
		e := &m.Edges[id]
		return min(e.Start, e.End), max(e.Start, e.End)
	}
	slices.SortFunc(list, func(a, b brep.EdgeID) int {
		aLo, aHi := ends(a)
		bLo, bHi := ends(b)
		return cmp.Or(cmp.Compare(aLo, bLo), cmp.Compare(aHi, bHi), cmp.Compare(a, b))
	})
	for i := 0; i < len(list); {
		lo, hi := ends(list[i])
		j := i + 1
		for ; j < len(list); j++ {
			if a, b := ends(list[j]); a != lo || b != hi {
				break
			}
		}
		if j-i > 1 && j-i <= maxSlitEdges {
			s.closeSlitsOf(list[i:j])
		}
		i = j
	}
	s.findFree()
}

// maxSlitEdges bounds the edges between two vertices that are compared with each other.
const maxSlitEdges = 64

// closeSlitsOf merges edges with the same ends in pairs.
func (s *sewer) closeSlitsOf(edges []brep.EdgeID) {
	type slit struct {
		a, b brep.EdgeID
		gap  float64
		same bool
	}
	var slits []slit
	for i, a := range edges {
		for _, b := range edges[i+1:] {
			if s.m.FaceOf(s.m.Edges[a].Coedges[0]) == s.m.FaceOf(s.m.Edges[b].Coedges[0]) {
				continue // a thin face's own sides
			}
			length := min(s.polyline(a).length, s.polyline(b).length)
			limit := min(max(slitWidth, slitThin*length), slitShare*length, slitSize*s.box.Diagonal())
			if gap, same := brep.EdgeGap(&s.m.Edges[a], &s.m.Edges[b], limit); gap <= limit {
				slits = append(slits, slit{a, b, gap, same})
			}
		}
	}
	slices.SortStableFunc(slits, func(a, b slit) int { return cmp.Compare(a.gap, b.gap) })
	var done []brep.EdgeID
	for _, l := range slits {
		if slices.Contains(done, l.a) || slices.Contains(done, l.b) {
			continue
		}
		done = append(done, l.a, l.b)
		keep, drop := s.prefer(l.a, l.b)
		s.mergeEdge(keep, drop, l.same, l.gap)
		s.tally(&s.report.Slits, ClosedGaps, func() fault.Location { return s.m.EdgeName(keep) })
		s.report.WidestSlit = max(s.report.WidestSlit, l.gap)
	}
}
