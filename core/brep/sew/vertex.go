package sew

import (
	"slices"

	"millwright/core/brep"
	"millwright/core/geom"
)

// mergeVertices makes one of the ends of free edges that lie within tol (mm) of each other, as far as the
// edges at them allow. Each group gathers around its first vertex, so that no chain of small steps joins
// what is far apart; the merged vertex lies in the middle of its group.
func (s *sewer) mergeVertices(tol float64) {
	m := s.m
	var ends []brep.VertexID
	for _, e := range s.free {
		ends = append(ends, m.Edges[e].Start, m.Edges[e].End)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	g := newGrid(s.box, len(ends), 2*tol)
	into := make([]brep.VertexID, len(m.Vertices))
	for i := range into {
		into[i] = brep.VertexID(i)
	}
	members := make(map[brep.VertexID][]brep.VertexID)
	var found []int32
	for _, v := range ends {
		p := m.Vertices[v].Point
		best, bestDist := brep.VertexID(brep.None), 0.0
		found = g.near(found[:0], geom.BoxOf(p).Grow(tol))
		for _, id := range found {
			w := brep.VertexID(id)
			d := p.Dist(m.Vertices[w].Point)
			if d <= min(tol, s.reach[v], s.reach[w]) &&
				(best == brep.None || d < bestDist || d == bestDist && w < best) {
				best, bestDist = w, d
			}
		}
		if best == brep.None {
			g.add(p, int32(v))
			continue
		}
		into[v] = best
		members[best] = append(members[best], v)
		s.reach[best] = min(s.reach[best], s.reach[v])
	}
	if len(members) == 0 {
		return
	}
	for _, v := range ends {
		if group := members[v]; group != nil {
			s.center(v, group)
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		e.Start, e.End = into[e.Start], into[e.End]
	}
	for i := range m.Loops {
		if v := m.Loops[i].Vertex; v != brep.None {
			m.Loops[i].Vertex = into[v]
		}
	}
}

// center moves a vertex to the middle of those that become it. Rounding moves nothing.
func (s *sewer) center(v brep.VertexID, group []brep.VertexID) {
	m := s.m
	first := m.Vertices[v].Point
	var sum geom.Vec3
	far := 0.0
	for _, w := range group {
		d := m.Vertices[w].Point.Sub(first)
		sum = sum.Add(d)
		far = max(far, d.Norm())
	}
	if far > geom.Resolution {
		m.Vertices[v].Point = first.AddScaled(1/float64(len(group)+1), sum)
	}
}
