package iges

import (
	"cmp"
	"slices"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Manifold solids (186) share their edges and vertices through lists (504, 502), so the topology is that of the file.
//
// Writers disagree about loops of a face whose flag says that its normal is opposite to that of its surface. The face
// is on the left of the loop, seen along the surface's normal or along the face's. Adjacent faces traverse their common
// edge in opposite directions. So the reading that satisfies this for more edges is chosen.

// listEntry is an item of a list entity.
type listEntry struct{ list, index int }

// tracer follows the topology of one solid.
type tracer struct {
	*reader
	m        *brep.Model
	place    geom.Transform
	vertices map[listEntry]brep.VertexID
	edges    map[listEntry]traced
	loops    []brep.LoopID         // of the solid
	against  []brep.FaceID         // faces whose normal is opposite to that of the surface in the file
	points   map[int][]geom.Vec3   // by vertex list
	curves   map[int][]listedCurve // by edge list

	edgeFaults map[brep.EdgeID]error // reason why the curve of an edge is unknown
	faceFaults map[brep.FaceID]error // reason why the surface or a loop of a face is unknown
	open       map[brep.FaceID]bool  // faces with an unknown loop
}

// traced is an edge in the model. turned is true if the edge in the file has the opposite direction, isPoint if it has
// zero length and is represented by its vertex.
type traced struct {
	id      brep.EdgeID
	turned  bool
	isPoint bool
	vertex  brep.VertexID
}

// listedCurve is an entry of an edge list.
type listedCurve struct {
	curve      int
	start, end listEntry
}

// solid adds a manifold solid (186) to m.
func (r *reader) solid(m *brep.Model, e *deck.Entity) error {
	place, err := r.placement(e)
	if err != nil {
		return err
	}
	t := newTracer(r, place)
	p := r.file.Params(e)
	s := brep.Solid{Source: int64(e.DE)}
	outer, agrees := p.Pointer(), p.Bool()
	if err := t.shell(&s, e, outer, agrees); err != nil {
		return err
	}
	for range p.Count(2) {
		void, agrees := p.Pointer(), p.Bool()
		if err := t.shell(&s, e, void, agrees); err != nil {
			return err
		}
	}
	if err := p.Err(); err != nil {
		return err
	}
	t.settleLoops()
	s.Name = r.name(e, &p)
	color := r.color(e)
	for f := range t.m.Faces {
		if t.m.Faces[f].Color == nil {
			t.m.Faces[f].Color = color
		}
	}
	t.m.Solids = append(t.m.Solids, s)
	return t.addTo(m)
}

// shells adds a shell (514) or a face (510) that belongs to no solid to m, as a sheet.
func (r *reader) shells(m *brep.Model, e *deck.Entity) error {
	place, err := r.placement(e)
	if err != nil {
		return err
	}
	t := newTracer(r, place)
	if e.Type == 510 {
		t.m.Shells = append(t.m.Shells, brep.Shell{Source: int64(e.DE)})
		err = t.face(0, e, true)
	} else {
		err = t.shell(&brep.Solid{}, e, int(e.DE), true)
	}
	if err != nil {
		return err
	}
	t.settleLoops()
	return t.addTo(m)
}

func newTracer(r *reader, place geom.Transform) *tracer {
	return &tracer{reader: r, m: &brep.Model{}, place: place, edgeFaults: map[brep.EdgeID]error{},
		faceFaults: map[brep.FaceID]error{}, open: map[brep.FaceID]bool{}, vertices: map[listEntry]brep.VertexID{},
		edges: map[listEntry]traced{}, points: map[int][]geom.Vec3{}, curves: map[int][]listedCurve{}}
}

// shell reads a shell (514) of the solid; agrees: its faces' normals point out of the material.
func (t *tracer) shell(s *brep.Solid, of *deck.Entity, de int, agrees bool) error {
	e, err := t.atKind(of, de, 514)
	if err != nil {
		return err
	}
	id := brep.ShellID(len(t.m.Shells))
	t.m.Shells = append(t.m.Shells, brep.Shell{Source: int64(de), IsVoid: len(s.Shells) > 0})
	s.Shells = append(s.Shells, id)
	p := t.file.Params(e)
	for range p.Count(2) {
		face, same := p.Pointer(), p.Bool()
		f, err := t.atKind(e, face, 510)
		if err == nil {
			err = t.face(id, f, same == agrees)
		}
		if err != nil && !t.skip(brep.SkippedFace, "A face", err) {
			return err
		}
	}
	if len(t.m.Shells[id].Faces) == 0 && p.Err() == nil {
		return deck.Fail(e, "has no faces")
	}
	return p.Err()
}

// face reads a face (510) of a shell. same is true if its normal is that of its surface.
func (t *tracer) face(shell brep.ShellID, e *deck.Entity, same bool) error {
	p := t.file.Params(e)
	var on patch
	s, fault := t.at(e, p.Pointer())
	if fault == nil {
		on, fault = t.surface(s)
	}
	if fault != nil && !isDamage(fault) {
		return fault
	}
	f := brep.Face{Surface: on.s, Reversed: same == on.flipped, Source: int64(e.DE)}
	if fault == nil && t.place != geom.Identity {
		f.Surface = on.s.Transform(t.place)
	}
	id := brep.FaceID(len(t.m.Faces))
	f.Origin = int32(id)
	if !same {
		t.against = append(t.against, id)
	}
	n := p.Count(1)
	p.Skip(1) // whether the first loop is the outer one, which the geometry shows
	for range n {
		l, ok, err := t.loopAt(e, p.Pointer(), same)
		if err != nil && !isDamage(err) {
			return err
		}
		if err != nil {
			t.open[id] = true
			fault = cmp.Or(fault, err)
		}
		if ok {
			f.Loops = append(f.Loops, l)
			t.loops = append(t.loops, l)
		}
	}
	if err := p.Err(); err != nil {
		t.open[id] = true
		fault = cmp.Or(fault, err)
	}
	if f.Name, f.Color = t.name(e, &p), t.color(e); f.Color == nil && s != nil {
		f.Color = t.color(s)
	}
	if fault != nil {
		t.faceFaults[id] = fault
	}
	t.m.Faces = append(t.m.Faces, f)
	t.m.Shells[shell].Faces = append(t.m.Shells[shell].Faces, id)
	return nil
}

// settleLoops reverses the loops of all faces in against, if more edges of the solid are then traversed in both
// directions.
func (t *tracer) settleLoops() {
	before := t.oneWay()
	if before == 0 || len(t.against) == 0 {
		return
	}
	t.turnLoops()
	if t.oneWay() >= before {
		t.turnLoops()
	}
}

func (t *tracer) turnLoops() {
	for _, f := range t.against {
		for _, l := range t.m.Faces[f].Loops {
			coedges := t.m.Loops[l].Coedges
			slices.Reverse(coedges)
			for _, c := range coedges {
				t.m.Coedges[c].Reversed = !t.m.Coedges[c].Reversed
			}
		}
	}
}

// oneWay returns the sum, over the edges of the solid, of the difference between the uses in both directions.
func (t *tracer) oneWay() int {
	sum := make(map[brep.EdgeID]int, len(t.edges))
	for _, l := range t.loops {
		for _, c := range t.m.Loops[l].Coedges {
			if u := t.m.Coedges[c]; u.Reversed {
				sum[u.Edge]--
			} else {
				sum[u.Edge]++
			}
		}
	}
	total := 0
	for _, n := range sum {
		total += max(n, -n)
	}
	return total
}

// loopAt reads the loop that a face refers to.
func (t *tracer) loopAt(face *deck.Entity, de int, forward bool) (brep.LoopID, bool, error) {
	e, err := t.atKind(face, de, 508)
	if err != nil {
		return 0, false, err
	}
	return t.loop(e, forward)
}

// loop reads a loop (508), reversed unless forward is set; the second result is false for an empty loop.
func (t *tracer) loop(e *deck.Entity, forward bool) (brep.LoopID, bool, error) {
	p := t.file.Params(e)
	l := brep.Loop{Vertex: brep.None, Source: int64(e.DE)}
	var uses []brep.Coedge
	for range p.Count(5) {
		isVertex := p.Int() == 1
		at := listEntry{p.Pointer(), p.Int()}
		along := p.Bool()
		for range p.Count(2) {
			p.Skip(2) // curves in the parameter plane
		}
		if err := p.Err(); err != nil {
			return 0, false, err
		}
		if isVertex {
			v, err := t.vertex(e, at)
			if err != nil {
				return 0, false, err
			}
			l.Vertex = v
			continue
		}
		edge, err := t.edge(e, at)
		if err != nil {
			return 0, false, err
		}
		if edge.isPoint {
			l.Vertex = edge.vertex
			continue
		}
		uses = append(uses, brep.Coedge{Edge: edge.id, Reversed: along == edge.turned})
	}
	if err := p.Err(); err != nil {
		return 0, false, err
	}
	if len(uses) > 0 {
		l.Vertex = brep.None // the vertex of a pole is not needed next to edges
	} else if l.Vertex == brep.None {
		return 0, false, nil
	}
	if !forward {
		slices.Reverse(uses)
	}
	for _, u := range uses {
		u.Reversed = u.Reversed == forward
		l.Coedges = append(l.Coedges, brep.CoedgeID(len(t.m.Coedges)))
		t.m.Coedges = append(t.m.Coedges, u)
	}
	t.m.Loops = append(t.m.Loops, l)
	return brep.LoopID(len(t.m.Loops) - 1), true, nil
}

// vertex returns the vertex that a vertex list (502) has at an index, counted from 1.
func (t *tracer) vertex(of *deck.Entity, at listEntry) (brep.VertexID, error) {
	if v, ok := t.vertices[at]; ok {
		return v, nil
	}
	points, ok := t.points[at.list]
	if !ok {
		e, err := t.atKind(of, at.list, 502)
		if err != nil {
			return 0, err
		}
		own, err := t.placement(e)
		if err != nil {
			return 0, err
		}
		p := t.file.Params(e)
		points = make([]geom.Vec3, p.Count(3))
		for i := range points {
			points[i] = t.place.Mul(own).Point(t.point(&p))
		}
		if err := p.Err(); err != nil {
			return 0, err
		}
		t.points[at.list] = points
	}
	if at.index < 1 || at.index > len(points) {
		return 0, deck.Fail(of, "refers to vertex %d of D%d, which has %d", at.index, at.list, len(points))
	}
	v := brep.VertexID(len(t.m.Vertices))
	t.m.Vertices = append(t.m.Vertices, brep.Vertex{Point: points[at.index-1], Source: int64(at.list)})
	t.vertices[at] = v
	return v, nil
}

// entry returns the entry of an edge list (504) at an index, counted from 1.
func (t *tracer) entry(of *deck.Entity, at listEntry) (listedCurve, error) {
	entries, ok := t.curves[at.list]
	if !ok {
		e, err := t.atKind(of, at.list, 504)
		if err != nil {
			return listedCurve{}, err
		}
		p := t.file.Params(e)
		entries = make([]listedCurve, p.Count(5))
		for i := range entries {
			entries[i] = listedCurve{p.Pointer(), listEntry{p.Pointer(), p.Int()}, listEntry{p.Pointer(), p.Int()}}
		}
		if err := p.Err(); err != nil {
			return listedCurve{}, err
		}
		t.curves[at.list] = entries
	}
	if at.index < 1 || at.index > len(entries) {
		return listedCurve{}, deck.Fail(of, "refers to edge %d of D%d, which has %d", at.index, at.list, len(entries))
	}
	return entries[at.index-1], nil
}

// edgeCurve reads the curve of an edge as one piece.
func (t *tracer) edgeCurve(of *deck.Entity, de int) (piece, error) {
	e, err := t.at(of, de)
	if err != nil {
		return piece{}, err
	}
	pieces, err := t.curve(e)
	if err != nil || len(pieces) == 1 {
		return slices.Concat(pieces, []piece{{}})[0], err
	}
	c, _, err := t.profile(of, de)
	if err != nil {
		return piece{}, err
	}
	return piece{c: c, iv: c.Domain()}, nil
}

// edge returns the edge that an edge list has at an index.
func (t *tracer) edge(of *deck.Entity, at listEntry) (traced, error) {
	if e, ok := t.edges[at]; ok {
		return e, nil
	}
	entry, err := t.entry(of, at)
	if err != nil {
		return traced{}, err
	}
	one, err := t.edgeCurve(of, entry.curve)
	if isDamage(err) {
		return t.lostEdge(of, at, entry, err)
	}
	if err != nil {
		return traced{}, err
	}
	one.transform(t.place)
	e := brep.Edge{Curve: one.c, Range: one.iv, Source: int64(entry.curve)}
	if e.Start, err = t.vertex(of, entry.start); err != nil {
		return traced{}, err
	}
	if e.End, err = t.vertex(of, entry.end); err != nil {
		return traced{}, err
	}
	out := traced{turned: one.reversed}
	if e.Start == e.End && one.size() <= shortest {
		out.isPoint, out.vertex = true, e.Start
		t.edges[at] = out
		return out, nil
	}
	if !(e.Range.Length() > 0) {
		return t.lostEdge(of, at, entry,
			deck.Fail(of, "refers to edge %d of D%d, whose curve is a point", at.index, at.list))
	}
	a, b := t.m.Vertices[e.Start].Point, t.m.Vertices[e.End].Point
	lo, hi := one.c.At(one.iv.Lo), one.c.At(one.iv.Hi)
	if max(a.Dist(lo), b.Dist(hi)) > max(a.Dist(hi), b.Dist(lo)) {
		out.turned = true
	} else if e.Start != e.End {
		out.turned = false
	}
	if out.turned {
		e.Start, e.End, a, b = e.End, e.Start, b, a
	}
	e.Tolerance = max(a.Dist(lo), b.Dist(hi))
	fitToVertices(&e, a, b)
	out.id = brep.EdgeID(len(t.m.Edges))
	t.m.Edges = append(t.m.Edges, e)
	t.edges[at] = out
	return out, nil
}

// fitToVertices shortens the range of an edge to the part between its vertices if the file gives a longer curve. A
// closed edge starts at its vertex afterward.
func fitToVertices(e *brep.Edge, a, b geom.Vec3) {
	period := e.Curve.Period()
	if e.Start == e.End && e.Tolerance > shortest && period > 0 && e.Range.Length() >= period*(1-closes) {
		if t, d := e.Curve.Invert(a); d < e.Tolerance {
			e.Range, e.Tolerance = geom.Interval{Lo: t, Hi: t + period}, d
		}
		return
	}
	if e.Tolerance <= joint || e.Start == e.End {
		return
	}
	lo, dLo := curve.InvertIn(e.Curve, a, e.Range)
	hi, dHi := curve.InvertIn(e.Curve, b, e.Range)
	if lo < hi && max(dLo, dHi) < e.Tolerance {
		e.Range, e.Tolerance = geom.Interval{Lo: lo, Hi: hi}, max(dLo, dHi)
	}
}
