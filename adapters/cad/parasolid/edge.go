package parasolid

import (
	"math"
	"slices"

	"millwright.dev/millwright/adapters/cad/internal/edgerange"
	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/brep"
)

// An edge has its own curve. A tolerant edge has instead one curve in the parameter plane of each of its faces; the
// first is used. The edge has the direction of its curve or the opposite one, by the curve's sense. An edge without
// vertices is a whole closed curve and gets a vertex at the start of that curve.

// isRing reports whether an edge has no vertices.
func isRing(n xt.Node) bool { return !n.To("fin").To("vertex").OK() }

// ends returns the vertices of an edge. A fin in the direction of the edge ends at its end vertex, a fin against it at
// its start vertex.
func ends(n xt.Node) (start, end xt.Node) {
	for fin := range round(n.To("fin"), "other") {
		last, first := fin.To("vertex"), fin.To("backward").To("vertex")
		if fin.Is("sense", '-') {
			first, last = last, first
		}
		if !end.OK() {
			end = last
		}
		if !start.OK() {
			start = first
		}
	}
	return start, end
}

// edge returns the edge of a node. An unusable curve is recorded in edgeFaults. The error concerns the vertices, or the
// curve of an edge without vertices.
func (t *tracer) edge(n xt.Node) (brep.EdgeID, error) {
	if id, ok := t.known(&t.trail.edges, n); ok {
		return brep.EdgeID(id), nil
	}
	e := brep.Edge{Source: int64(n.Index())}
	c, forward, fault := t.guide(n)
	ring := isRing(n)
	if ring {
		if fault != nil {
			return 0, fault
		}
		from := c.Domain().Lo
		if !c.Domain().IsFinite() {
			return 0, fail(n, "has no vertices, and its curve is not closed")
		}
		e.Start = t.addVertex(brep.Vertex{Point: c.At(from)})
		e.End = e.Start
	} else {
		first, last := ends(n)
		var err error
		if e.Start, err = t.vertex(first); err != nil {
			return 0, err
		}
		if e.End, err = t.vertex(last); err != nil {
			return 0, err
		}
	}
	id := brep.EdgeID(len(t.m.Edges))
	if fault == nil {
		fault = t.fit(&e, id, n, c, forward)
	}
	if fault != nil {
		t.edgeFaults[id] = fault
	}
	t.m.Edges = append(t.m.Edges, e)
	t.know(&t.trail.edges, n, int32(id))
	return id, nil
}

// guide returns the curve of an edge, and whether the edge has the curve's direction. Among curves in parameter planes,
// curves on other surfaces than blends come first, because a blend is an approximation.
func (t *tracer) guide(n xt.Node) (c guide, forward bool, err error) {
	if on := n.To("curve"); on.OK() {
		c, err = t.curve(on, 0)
		return c, !on.Is("sense", '-'), err
	}
	err = fail(n, "has no curve")
	for _, blends := range []bool{false, true} {
		for fin := range round(n.To("fin"), "other") {
			on := fin.To("curve")
			if !on.OK() || (on.To("basis_curve").To("surface").Kind() == nodeBlendedEdge) != blends {
				continue
			}
			if c, err = t.curve(on, 0); err == nil {
				return c, fin.Is("sense", '-') == on.Is("sense", '-'), nil
			}
		}
	}
	return c, false, err
}

// fit gives an edge the part of a curve between its vertices.
func (t *tracer) fit(e *brep.Edge, id brep.EdgeID, n xt.Node, c guide, forward bool) error {
	start, end := t.m.Vertices[e.Start].Point, t.m.Vertices[e.End].Point
	stated := n.Real("tolerance") * metre
	if !(stated > 0) {
		stated = 0
	}
	s := edgerange.EdgeRange{Range: c.iv, Against: forward == c.back}
	forward = forward != c.back
	if c.iv.Length() > 0 {
		from, to := c.At(c.iv.Lo), c.At(c.iv.Hi)
		if s.Against {
			from, to = to, from
		}
		s.Gap = math.Max(start.Dist(from), end.Dist(to))
	}
	if c.iv.Length() == 0 || !(s.Gap <= math.Max(tolerance, stated)) {
		if by := edgerange.Find(c.Curve, start, end, e.Start == e.End, forward, stated); c.iv.Length() == 0 ||
			by.Gap < s.Gap {
			s = by
		}
	}
	switch {
	case s.IsPoint:
		t.points[id] = true
		return nil
	case !s.IsFinite():
		return fail(n, "has vertices that cannot be found on its curve")
	}
	e.Curve, e.Range = c.Curve, s.Range
	if off := math.Max(s.Gap, stated); off > tolerance {
		const rounding = 1 + 1e-9 // so that a second measurement of the gap does not exceed it
		e.Tolerance = off * rounding
	}
	if s.Against {
		e.Start, e.End = e.End, e.Start
		t.turned[id] = true
	}
	return nil
}

// dropPoints removes the edges of zero length from their loops. A loop of such edges only becomes a vertex loop.
func (t *tracer) dropPoints() {
	if len(t.points) == 0 {
		return
	}
	m := t.m
	into := make([]brep.VertexID, len(m.Vertices))
	for v := range into {
		into[v] = brep.VertexID(v)
	}
	find := func(v brep.VertexID) brep.VertexID {
		for into[v] != v {
			v = into[v]
		}
		return v
	}
	for i := range m.Edges {
		if a, b := find(m.Edges[i].Start), find(m.Edges[i].End); t.points[brep.EdgeID(i)] {
			into[max(a, b)] = min(a, b)
		}
	}
	for i := range m.Edges {
		m.Edges[i].Start, m.Edges[i].End = find(m.Edges[i].Start), find(m.Edges[i].End)
	}
	for i := range m.Loops {
		l := &m.Loops[i]
		if l.Vertex != brep.None {
			l.Vertex = find(l.Vertex)
			continue
		}
		at := m.Edges[m.Coedges[l.Coedges[0]].Edge].Start
		l.Coedges = slices.DeleteFunc(l.Coedges, func(c brep.CoedgeID) bool { return t.points[m.Coedges[c].Edge] })
		if len(l.Coedges) == 0 {
			l.Vertex = at
		}
	}
}
