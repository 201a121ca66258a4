package sew

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/hashgrid"
)

// Merging of vertices: the closest pairs first, within the limits of the edges at them. A group stays around its first
// vertex, so that no chain of small steps joins distant vertices, and the merged vertex lies in the middle of its
// group.

// sameVertex (mm) is the largest distance of vertices of one point after rounding.
const sameVertex = 0.1 * geom.Resolution

// mergeVertices makes one of the ends of free edges that lie within tol (mm) of each other.
func (s *sewer) mergeVertices(tol float64) {
	m := s.m
	var ends []brep.VertexID
	for _, e := range s.free {
		ends = append(ends, m.Edges[e].Start, m.Edges[e].End)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	s.into = s.into[:0]
	for i := range m.Vertices {
		s.into = append(s.into, brep.VertexID(i))
	}
	g := s.newGrid(len(ends), tol)
	var near []brep.VertexID
	for _, v := range ends { // so that many vertices of one point do not make pairs of each with each
		near = s.near(g, near[:0], geom.BoxOf(m.Vertices[v].Point).Grow(sameVertex))
		isSame := func(w brep.VertexID) bool { return s.joinVertices(w, v, sameVertex) }
		if !slices.ContainsFunc(near, isSame) {
			s.enter(g, v)
		}
	}
	type pair struct {
		v, w brep.VertexID
		dist float64
	}
	var pairs []pair
	for _, v := range ends {
		p := m.Vertices[v].Point
		if s.into[v] != v {
			continue
		}
		near = s.near(g, near[:0], geom.BoxOf(p).Grow(tol))
		for _, w := range near {
			if d := p.Dist(m.Vertices[w].Point); w > v && d <= tol {
				pairs = append(pairs, pair{v, w, d})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(a.dist, b.dist), cmp.Compare(a.v, b.v), cmp.Compare(a.w, b.w))
	})
	for _, p := range pairs {
		s.joinVertices(p.v, p.w, tol)
	}
	s.applyVertices(ends)
}

// vertexGrid finds vertices by place.
type vertexGrid = hashgrid.Grid[[]brep.VertexID]

// newGrid returns a grid for about n vertices spread over the surface of the part, to be found within tol (mm).
func (s *sewer) newGrid(n int, tol float64) *vertexGrid {
	return hashgrid.New[[]brep.VertexID](max(2*tol, s.box.Diagonal()/math.Sqrt(float64(n)+1),
		math.SmallestNonzeroFloat32))
}

func (s *sewer) enter(g *vertexGrid, v brep.VertexID) {
	list := g.At(s.m.Vertices[v].Point)
	*list = append(*list, v)
}

// near appends the vertices in a box, some cells wide, to dst.
func (s *sewer) near(g *vertexGrid, dst []brep.VertexID, box geom.Box) []brep.VertexID {
	g.Meeting(box, func(list *[]brep.VertexID) {
		for _, v := range *list {
			if box.Contains(s.m.Vertices[v].Point, 0) {
				dst = append(dst, v)
			}
		}
	})
	return dst
}

// root returns the first vertex of the group that v belongs to.
func (s *sewer) root(v brep.VertexID) brep.VertexID {
	for s.into[v] != v {
		v = s.into[v]
	}
	return v
}

// joinVertices merges the groups of two vertices, if their first vertices are within tol (mm) and within reach.
func (s *sewer) joinVertices(v, w brep.VertexID, tol float64) bool {
	v, w = s.root(v), s.root(w)
	v, w = min(v, w), max(v, w)
	d := s.m.Vertices[v].Point.Dist(s.m.Vertices[w].Point)
	if v == w || d > min(tol, s.reach[v], s.reach[w]) {
		return v == w
	}
	s.into[w] = v
	s.reach[v] = min(s.reach[v], s.reach[w])
	return true
}

// applyVertices moves the first vertex of each group to its middle and makes all others it.
func (s *sewer) applyVertices(ends []brep.VertexID) {
	m := s.m
	sums := map[brep.VertexID]geom.Vec3{} // of the offsets from the first vertex
	counts := map[brep.VertexID]int{}
	for _, v := range ends {
		if r := s.root(v); r != v {
			sums[r] = sums[r].Add(m.Vertices[v].Point.Sub(m.Vertices[r].Point))
			counts[r]++
		}
	}
	if len(sums) == 0 {
		return
	}
	for v, sum := range sums {
		if d := sum.Scale(1 / float64(counts[v]+1)); d.Norm() > geom.Resolution { // rounding moves nothing
			m.Vertices[v].Point = m.Vertices[v].Point.Add(d)
		}
	}
	for i := range m.Edges {
		e := &m.Edges[i]
		e.Start, e.End = s.root(e.Start), s.root(e.End)
	}
	for i := range m.Loops {
		if v := m.Loops[i].Vertex; v != brep.None {
			m.Loops[i].Vertex = s.root(v)
		}
	}
}
