package sew

import (
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
)

// Edges in which more than two faces meet
//
// Solids that touch have coincident edges, and also coincident faces where they are in contact. Only the edges with two
// faces define the groups: faces they connect belong to one solid. A face whose edges are all multiple is connected to
// no other face. If such a face of one solid has a copy in the other, either solid may have either.

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

// isMultiple reports whether more than two sewn faces meet in an edge.
func (s *sewer) isMultiple(e *brep.Edge) bool {
	return len(e.Coedges) > 2 && e.Curve != nil && s.isMine[s.m.FaceOf(e.Coedges[0])]
}

// splitMultiple gives each group its own edge where groups meet, if two of its faces use that edge. An edge that keeps
// two faces then joins them too, which may separate groups elsewhere. The split repeats until nothing changes.
func (s *sewer) splitMultiple() {
	var open []brep.EdgeID
	for i := range s.m.Edges {
		if s.isMultiple(&s.m.Edges[i]) {
			open = append(open, brep.EdgeID(i))
		}
	}
	s.report.Multiple = len(open)
	for before := -1; len(open) != before && len(open) > 0; {
		before = len(open)
		left := open[:0]
		for _, id := range open {
			if !s.splitByGroup(id) {
				left = append(left, id)
			}
		}
		open = left
	}
}

// splitByGroup splits an edge between its groups, and reports whether every edge has two faces now.
func (s *sewer) splitByGroup(id brep.EdgeID) bool {
	m := s.m
	rest := slices.Clone(m.Edges[id].Coedges)
	for k := 0; k < len(rest) && len(rest) > 2; {
		group := s.groupOf(m.FaceOf(rest[k]))
		isOther := func(c brep.CoedgeID) bool { return s.groupOf(m.FaceOf(c)) != group }
		own := slices.DeleteFunc(slices.Clone(rest), isOther)
		if len(own) != 2 {
			k++
			continue
		}
		rest = slices.DeleteFunc(rest, func(c brep.CoedgeID) bool { return !isOther(c) })
		next := m.Edges[id]
		next.Coedges = own
		for _, c := range own {
			m.Coedges[c].Edge = brep.EdgeID(len(m.Edges))
		}
		m.Edges = append(m.Edges, next)
	}
	m.Edges[id].Coedges = rest
	if len(rest) == 2 {
		s.join(m.FaceOf(rest[0]), m.FaceOf(rest[1]))
	}
	return len(rest) <= 2
}
