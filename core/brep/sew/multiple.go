package sew

import (
	"slices"

	"millwright/core/brep"
)

// Edges in which more than two faces meet
//
// Solids that touch have edges in one place, and faces too where they are in contact. What belongs together
// follows from the edges that bound two faces only: faces they connect are of one solid. A face all of whose
// edges are multiple is connected to nothing; as such a face of one solid has a copy in the other, either
// may have either.

// connect groups the faces that edges of two faces connect.
func (s *sewer) connect() {
	s.group = make([]brep.FaceID, len(s.m.Faces))
	for i := range s.group {
		s.group[i] = brep.FaceID(i)
	}
	s.joinPairs()
}

// joinPairs joins the two faces of every edge that has two.
func (s *sewer) joinPairs() {
	for i := range s.m.Edges {
		if e := &s.m.Edges[i]; len(e.Coedges) == 2 && e.Curve != nil {
			s.join(s.m.FaceOf(e.Coedges[0]), s.m.FaceOf(e.Coedges[1]))
		}
	}
}

// groupOf returns the first face of the group that a face belongs to.
func (s *sewer) groupOf(f brep.FaceID) brep.FaceID {
	for s.group[f] != f {
		s.group[f] = s.group[s.group[f]]
		f = s.group[f]
	}
	return f
}

func (s *sewer) join(f, g brep.FaceID) {
	f, g = s.groupOf(f), s.groupOf(g)
	s.group[max(f, g)] = min(f, g)
}

// isMultiple reports whether more than two faces that are sewn meet in an edge.
func (s *sewer) isMultiple(e *brep.Edge) bool {
	return len(e.Coedges) > 2 && e.Curve != nil && s.isMine[s.m.FaceOf(e.Coedges[0])]
}

// splitMultiple gives each group an edge of its own where groups meet, if two faces of it do.
func (s *sewer) splitMultiple() {
	m := s.m
	for i := range m.Edges {
		if !s.isMultiple(&m.Edges[i]) {
			continue
		}
		s.report.Multiple++
		rest := slices.Clone(m.Edges[i].Coedges)
		for k := 0; k < len(rest) && len(rest) > 2; {
			group := s.groupOf(m.FaceOf(rest[k]))
			isOther := func(c brep.CoedgeID) bool { return s.groupOf(m.FaceOf(c)) != group }
			own := slices.DeleteFunc(slices.Clone(rest), isOther)
			if len(own) != 2 {
				k++
				continue
			}
			rest = slices.DeleteFunc(rest, func(c brep.CoedgeID) bool { return !isOther(c) })
			next := m.Edges[i]
			next.Coedges = own
			for _, c := range own {
				m.Coedges[c].Edge = brep.EdgeID(len(m.Edges))
			}
			m.Edges = append(m.Edges, next)
		}
		m.Edges[i].Coedges = rest
	}
}
