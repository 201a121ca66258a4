package sew

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// cutPoint is a place where an edge is to be cut: at a vertex of another one.
type cutPoint struct {
	t      float64
	vertex brep.VertexID
}

// sagShare bounds the height of an arc that turns by sampleTurn, as a fraction of its chord, with a margin for curves
// other than arcs.
const sagShare = 0.1

// splitEdges cuts the free edges on whose curves, within tol (mm), a vertex of another free edge lies that
// runs along them from there: long edges beside short ones, and closed edges that start elsewhere. A vertex
// that merely touches an edge cuts nothing.
func (s *sewer) splitEdges(tol float64) {
	leaving := s.edgesByVertex()
	g := s.newGrid(len(leaving.of), tol)
	for _, v := range leaving.vertices {
		s.enter(g, v)
	}
	cuts := make(map[brep.EdgeID][]cutPoint)
	var order []brep.EdgeID
	var near []brep.VertexID
	for _, id := range s.free {
		near = s.alongside(g, near[:0], id, tol)
		var list []cutPoint
		for _, n := range near {
			if c, ok := s.cutAt(id, n, leaving, tol); ok {
				list = append(list, c)
			}
		}
		if len(list) > 0 {
			slices.SortFunc(list, func(a, b cutPoint) int {
				return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.vertex, b.vertex))
			})
			cuts[id] = list
			order = append(order, id)
		}
	}
	for _, id := range order {
		s.cutEdge(id, cuts[id])
	}
	if len(order) > 0 {
		s.findFree()
	}
}

// incidence lists the free edges at each vertex.
type incidence struct {
	vertices []brep.VertexID // with a free edge, ascending
	first    []int32         // by vertex of the model: into of
	of       []brep.EdgeID
}

func (i *incidence) at(v brep.VertexID) []brep.EdgeID { return i.of[i.first[v]:i.first[v+1]] }

func (s *sewer) edgesByVertex() *incidence {
	m := s.m
	in := &incidence{first: make([]int32, len(m.Vertices)+1), of: make([]brep.EdgeID, 2*len(s.free))}
	for _, id := range s.free {
		in.first[m.Edges[id].Start+1]++
		in.first[m.Edges[id].End+1]++
	}
	for v := range m.Vertices {
		if in.first[v+1] > 0 {
			in.vertices = append(in.vertices, brep.VertexID(v))
		}
		in.first[v+1] += in.first[v]
	}
	at := slices.Clone(in.first)
	for _, id := range s.free {
		for _, v := range [2]brep.VertexID{m.Edges[id].Start, m.Edges[id].End} {
			in.of[at[v]] = id
			at[v]++
		}
	}
	return in
}

// alongside appends the vertices near an edge, each once, without its own.
func (s *sewer) alongside(
	g *vertexGrid, dst []brep.VertexID, id brep.EdgeID, tol float64,
) []brep.VertexID {
	line, e := s.polyline(id), &s.m.Edges[id]
	for i := 1; i < len(line.p); i++ {
		a, b := line.p[i-1], line.p[i]
		chord := a.Dist(b)
		grow := tol
		if e.Curve.Kind() != curve.KindLine {
			grow += sagShare * chord
		}
		pieces := int(chord/g.Size()) + 1
		for k := range pieces {
			p := a.Lerp(b, float64(k)/float64(pieces))
			q := a.Lerp(b, float64(k+1)/float64(pieces))
			dst = s.near(g, dst, geom.BoxOf(p, q).Grow(grow))
		}
	}
	slices.Sort(dst)
	dst = slices.Compact(dst)
	return slices.DeleteFunc(dst, func(v brep.VertexID) bool { return v == e.Start || v == e.End })
}

// cutAt decides whether a vertex cuts an edge.
func (s *sewer) cutAt(id brep.EdgeID, v brep.VertexID, in *incidence, tol float64) (cutPoint, bool) {
	m := s.m
	e, p := &m.Edges[id], m.Vertices[v].Point
	t, d := curve.InvertIn(e.Curve, p, e.Range)
	far := min(tol, s.reach[v])
	if d > far {
		return cutPoint{}, false
	}
	if s.mayBecomeOne(v, e.Start) || s.mayBecomeOne(v, e.End) {
		return cutPoint{}, false
	}
	for _, other := range in.at(v) {
		if other != id && s.runsAlong(other, v, e, t, tol) {
			return cutPoint{t, v}, true
		}
	}
	return cutPoint{}, false
}

// mayBecomeOne reports whether two vertices are to be merged, now or with a wider tolerance.
func (s *sewer) mayBecomeOne(v, w brep.VertexID) bool {
	return s.m.Vertices[v].Point.Dist(s.m.Vertices[w].Point) <= min(s.last, s.reach[v], s.reach[w])
}

// runsAlong reports whether an edge that leaves vertex v lies on edge e, to tol (mm), over their common length from
// parameter t of e, in either direction.
func (s *sewer) runsAlong(other brep.EdgeID, v brep.VertexID, e *brep.Edge, t, tol float64) bool {
	f, line := &s.m.Edges[other], s.polyline(other)
	for _, fromStart := range [2]bool{true, false} {
		if fromStart && f.Start != v || !fromStart && f.End != v {
			continue
		}
		place := func(share float64) geom.Vec3 {
			if !fromStart {
				share = 1 - share
			}
			return f.Curve.At(line.at(share * line.length))
		}
		share := 1.0
		// e may end before f does: its end then lies on f.
		for _, end := range [2]float64{e.Range.Lo, e.Range.Hi} {
			x, d := curve.InvertIn(f.Curve, e.Curve.At(end), f.Range)
			if d > tol || e.Start == e.End {
				continue
			}
			if s := line.share(x); fromStart {
				share = min(share, s)
			} else {
				share = min(share, 1-s)
			}
		}
		along := true
		for _, part := range [3]float64{0.2, 0.5, 0.9} {
			_, d := curve.InvertIn(e.Curve, place(part*share), e.Range)
			along = along && d <= tol
		}
		if along && share*line.length > tol {
			return true
		}
	}
	return false
}

// share returns the position of a parameter along the polyline, 0…1.
func (l *polyline) share(t float64) float64 {
	sum := 0.0
	for i := 1; i < len(l.t); i++ {
		d := l.p[i].Dist(l.p[i-1])
		if t <= l.t[i] {
			sum += d * (t - l.t[i-1]) / (l.t[i] - l.t[i-1])
			break
		}
		sum += d
	}
	if l.length == 0 {
		return 0
	}
	return sum / l.length
}

// cutEdge cuts a free edge at ascending places: it keeps the first piece, new edges get the others.
func (s *sewer) cutEdge(id brep.EdgeID, cuts []cutPoint) {
	m := s.m
	c := m.Edges[id].Coedges[0]
	pieces := []brep.EdgeID{id}
	for _, cut := range cuts {
		e := &m.Edges[pieces[len(pieces)-1]]
		if cut.t <= e.Range.Lo || len(pieces) > 1 && s.mayBecomeOne(cut.vertex, e.Start) {
			continue
		}
		next := *e
		next.Start, next.Range.Lo, next.Coedges = cut.vertex, cut.t, nil
		e.End, e.Range.Hi = cut.vertex, cut.t
		pieces = append(pieces, brep.EdgeID(len(m.Edges)))
		m.Edges = append(m.Edges, next)
		s.tally(&s.report.Split, SplitEdges, func() fault.Location { return m.EdgeName(id) })
	}
	s.lines[id] = polyline{}
	coedges := []brep.CoedgeID{c}
	for _, p := range pieces[1:] {
		k := brep.CoedgeID(len(m.Coedges))
		use := m.Coedges[c]
		use.Edge = p
		m.Coedges = append(m.Coedges, use)
		m.Edges[p].Coedges = []brep.CoedgeID{k}
		coedges = append(coedges, k)
	}
	if m.Coedges[c].Reversed {
		slices.Reverse(coedges)
	}
	loop := &m.Loops[m.Coedges[c].Loop]
	at := slices.Index(loop.Coedges, c)
	loop.Coedges = slices.Insert(slices.Delete(slices.Clone(loop.Coedges), at, at+1), at, coedges...)
	for _, p := range pieces {
		s.limitReach(p)
	}
}
