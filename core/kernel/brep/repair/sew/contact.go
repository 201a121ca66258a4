package sew

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
)

// Coincident edges
//
// Where solids are in contact, their edges coincide. If the curves are no better than the gaps, an edge may find its
// match on the other solid before the match on its own: the pairs are then closed, but join two solids into one with
// nothing in between. So coincident edges, with any number of faces by then, become one, and the other edges decide the
// groups (multiple.go). Cost: one more merging of vertices, and one comparison for each two edges with the same ends.

// gather merges coincident edges to the widest tolerance. If both have two faces, they must have no face in common.
func (s *sewer) gather() {
	if !(s.last > 0) {
		return // all vertices are one point
	}
	s.free = s.free[:0]
	for i := range s.m.Edges {
		e := &s.m.Edges[i]
		if e.Curve != nil && len(e.Coedges) > 0 && s.isMine[s.m.FaceOf(e.Coedges[0])] {
			s.free = append(s.free, brep.EdgeID(i))
		}
	}
	s.mergeVertices(s.last)
	s.mergeEdges(s.last)
	s.findFree()
}

// haveCommonFace reports whether two edges bound the same face.
func (s *sewer) haveCommonFace(a, b brep.EdgeID) bool {
	return slices.ContainsFunc(s.m.Edges[a].Coedges, func(c brep.CoedgeID) bool {
		return slices.ContainsFunc(s.m.Edges[b].Coedges, func(o brep.CoedgeID) bool {
			return s.m.FaceOf(c) == s.m.FaceOf(o)
		})
	})
}
