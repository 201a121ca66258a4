package step

import (
	"slices"

	"millwright.dev/millwright/adapters/cad/step/internal/geometry"
	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// bound reads a FACE_BOUND and its loop. The flag for the outer bound is ignored: several writers set it on no bound or
// on all bounds. A loop without edges gives None.
func (t *tracer) bound(r part21.Ref, flip bool) (brep.LoopID, error) {
	k := t.Kind(r, []part21.Keyword{schema.FaceBound, schema.FaceOuterBound})
	if k != schema.FaceBound && k != schema.FaceOuterBound {
		return 0, t.WrongType(r, "a bound of a face")
	}
	a := t.Own(r, schema.FaceBound)
	if k == schema.FaceOuterBound {
		a = t.Own(r, k)
	}
	loop := a.Ref()
	flip = flip != (a.Enum() == schema.F)
	if err := t.Check(r, &a); err != nil {
		return 0, err
	}
	l := brep.Loop{Vertex: brep.None, Source: t.File.ID(loop)}
	var err error
	switch t.Kind(loop, []part21.Keyword{schema.EdgeLoop, schema.VertexLoop, schema.PolyLoop}) {
	case schema.EdgeLoop:
		l.Coedges, err = t.edgeLoop(loop, flip)
	case schema.PolyLoop:
		l.Coedges, err = t.polyLoop(loop, flip)
	case schema.VertexLoop:
		b := t.Own(loop, schema.VertexLoop)
		vertex := b.Ref()
		if err = t.Check(loop, &b); err == nil {
			l.Vertex, err = t.vertex(vertex)
		}
	default:
		return 0, t.WrongType(loop, "a loop")
	}
	if err != nil {
		return 0, err
	}
	if l.Vertex == brep.None && len(l.Coedges) == 0 {
		return brep.None, nil
	}
	id := brep.LoopID(len(t.model.Loops))
	t.model.Loops = append(t.model.Loops, l)
	if t.Kind(loop, nil) == schema.PolyLoop {
		t.polyLoops = append(t.polyLoops, id)
	}
	return id, nil
}

// edgeLoop reads the edges of a loop, backward when flip is set.
func (t *tracer) edgeLoop(r part21.Ref, flip bool) ([]brep.CoedgeID, error) {
	a := t.Own(r, schema.EdgeLoop)
	edges := a.List()
	uses := make([]brep.Coedge, 0, edges.Len())
	for edges.More() {
		use := edges.Ref()
		c, err := t.coedge(use)
		if use == part21.Missing {
			all := a
			all.Join(edges)
			err = t.Check(r, &all)
		}
		if isDamage(err) {
			c, err = t.lostEdge(r, err), nil
		}
		if err != nil {
			return nil, err
		}
		uses = append(uses, c)
	}
	if err := t.Check(r, &a); err != nil {
		return nil, err
	}
	return t.add(uses, flip), nil
}

// add appends the coedges of a loop, reversed if flip is set.
func (t *tracer) add(uses []brep.Coedge, flip bool) []brep.CoedgeID {
	if flip {
		slices.Reverse(uses)
	}
	ids := make([]brep.CoedgeID, len(uses))
	for i, c := range uses {
		c.Reversed = c.Reversed != flip
		ids[i] = brep.CoedgeID(len(t.model.Coedges))
		t.model.Coedges = append(t.model.Coedges, c)
	}
	return ids
}

// coedge reads an ORIENTED_EDGE; a plain edge is a coedge of its own direction.
func (t *tracer) coedge(r part21.Ref) (brep.Coedge, error) {
	if r == part21.Missing {
		return brep.Coedge{}, t.WrongType(r, "an edge")
	}
	r, reversed, err := unwrap(t.Document, r, false, orientedEdges, 2) // the ends
	if err != nil {
		return brep.Coedge{}, err
	}
	e, err := t.edge(r)
	return brep.Coedge{Edge: e, Reversed: reversed}, err
}

// edge reads an EDGE_CURVE or SUBEDGE up to its vertices.
func (t *tracer) edge(r part21.Ref) (brep.EdgeID, error) {
	if r == part21.Missing {
		return 0, t.WrongType(r, "an edge")
	}
	if id, ok := t.known(r, asEdge); ok {
		return brep.EdgeID(id), nil
	}
	ends, source, fault := t.edgeParts(r)
	if fault != nil && !isDamage(fault) {
		return 0, fault
	}
	if source.curve == part21.Missing {
		source.fault = fault
	}
	e := brep.Edge{Source: t.File.ID(r)}
	var err error
	if e.Start, err = t.end(ends[0], fault); err != nil {
		return 0, err
	}
	if e.End, err = t.end(ends[1], fault); err != nil {
		return 0, err
	}
	id := brep.EdgeID(len(t.model.Edges))
	t.model.Edges = append(t.model.Edges, e)
	t.edges = append(t.edges, source)
	t.know(r, asEdge, int(id))
	return id, nil
}

// edgeParts returns the ends of an edge and the source of its curve; a SUBEDGE has the source of its parent.
func (t *tracer) edgeParts(r part21.Ref) (ends [2]part21.Ref, source edgeSource, err error) {
	source.entity = r
	for depth := 0; ; depth++ {
		k := t.Kind(r, []part21.Keyword{schema.EdgeCurve, schema.Subedge})
		var a, g part21.Args
		switch {
		case k == schema.EdgeCurve && t.File.IsComplex(r):
			a, _ = t.File.Partial(r, schema.Edge)
			g, _ = t.File.Partial(r, schema.EdgeCurve)
		case k == schema.EdgeCurve || k == schema.Subedge:
			a = t.Own(r, k)
		default:
			return ends, source, t.WrongType(r, "an edge with a curve")
		}
		v0, v1 := a.Ref(), a.Ref()
		if depth == 0 {
			ends = [2]part21.Ref{v0, v1}
		}
		if !t.File.IsComplex(r) {
			g = a
		} else if err = t.Check(r, &a); err != nil {
			return ends, source, err
		}
		next := g.Ref()
		if k == schema.EdgeCurve {
			source.curve, source.sense = next, g.Enum() != schema.F
		}
		if err = t.Check(r, &g); err != nil || k == schema.EdgeCurve {
			return ends, source, err
		}
		if depth > geometry.MaxChain {
			return ends, source, t.Fail(r, "is part of itself")
		}
		r = next
	}
}

// vertex reads a VERTEX_POINT.
func (t *tracer) vertex(r part21.Ref) (brep.VertexID, error) {
	if r == part21.Missing {
		return 0, t.WrongType(r, "a vertex")
	}
	if id, ok := t.known(r, asVertex); ok {
		return brep.VertexID(id), nil
	}
	if t.Kind(r, []part21.Keyword{schema.VertexPoint}) != schema.VertexPoint {
		return 0, t.WrongType(r, "a vertex")
	}
	a := t.Own(r, schema.VertexPoint)
	at := a.Ref()
	if err := t.Check(r, &a); err != nil {
		return 0, err
	}
	return t.vertexAt(r, at)
}

// vertexAt makes the vertex of r at a point.
func (t *tracer) vertexAt(r, point part21.Ref) (brep.VertexID, error) {
	p, err := t.Point(point)
	if err != nil {
		return 0, err
	}
	id := brep.VertexID(len(t.model.Vertices))
	t.model.Vertices = append(t.model.Vertices, brep.Vertex{Point: p, Source: t.File.ID(r)})
	t.know(r, asVertex, int(id))
	return id, nil
}

// polyLoop reads a POLY_LOOP: straight edges between points. Facets share the edges between points that are the same or
// have equal coordinates. A loop of fewer than three distinct points gives no coedges.
func (t *tracer) polyLoop(r part21.Ref, flip bool) ([]brep.CoedgeID, error) {
	a := t.Own(r, schema.PolyLoop)
	points := a.List()
	var ring []brep.VertexID
	for points.More() {
		p := points.Ref()
		if p == part21.Missing {
			break
		}
		v, err := t.corner(p)
		if err != nil {
			return nil, err
		}
		if len(ring) == 0 || ring[len(ring)-1] != v {
			ring = append(ring, v)
		}
	}
	a.Join(points)
	if err := t.Check(r, &a); err != nil {
		return nil, err
	}
	if len(ring) > 1 && ring[0] == ring[len(ring)-1] {
		ring = ring[:len(ring)-1]
	}
	if len(ring) < 3 {
		return nil, nil
	}
	uses := make([]brep.Coedge, len(ring))
	for i, v := range ring {
		uses[i] = t.side(r, v, ring[(i+1)%len(ring)])
	}
	return t.add(uses, flip), nil
}

// corner returns the vertex of a poly loop at a point. Points with equal coordinates share a vertex.
func (t *tracer) corner(point part21.Ref) (brep.VertexID, error) {
	if id, ok := t.known(point, asVertex); ok {
		return brep.VertexID(id), nil
	}
	p, err := t.Point(point)
	if err != nil {
		return 0, err
	}
	p = geom.Vec3{X: p.X + 0, Y: p.Y + 0, Z: p.Z + 0} // no negative zeros
	id, ok := t.corners[p]
	if !ok {
		id = brep.VertexID(len(t.model.Vertices))
		t.model.Vertices = append(t.model.Vertices, brep.Vertex{Point: p, Source: t.File.ID(point)})
		t.corners[p] = id
	}
	t.know(point, asVertex, int(id))
	return id, nil
}

// side returns a coedge, from one vertex to another, of the straight edge between them.
func (t *tracer) side(r part21.Ref, from, to brep.VertexID) brep.Coedge {
	reversed := from > to
	if reversed {
		from, to = to, from
	}
	key := [2]brep.VertexID{from, to}
	id, ok := t.sides[key]
	if !ok {
		a, b := t.model.Vertices[from].Point, t.model.Vertices[to].Point
		along := b.Sub(a)
		id = brep.EdgeID(len(t.model.Edges))
		t.sides[key] = id
		t.model.Edges = append(t.model.Edges, brep.Edge{
			Curve: curve.Line{Origin: a, Dir: along.Unit()}, Range: geom.Interval{Hi: along.Norm()},
			Start: from, End: to, Source: t.File.ID(r),
		})
		t.edges = append(t.edges, edgeSource{entity: r, curve: part21.Missing})
	}
	return brep.Coedge{Edge: id, Reversed: reversed}
}
