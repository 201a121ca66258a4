package sew

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/trim"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Capping of holes in solids
//
// A solid of the file may lack faces that its writer lost. If the edges around a hole make one closed path in a plane,
// the missing face is almost certainly plane. The free edges, each in the direction against its face, are chained to
// loops. A loop inside another one of the same plane, in the opposite direction, is a hole of it. All holes of a solid
// are capped, or the solid stays as in the file. Cost: linear in the free edges, plus the square of the number of loops
// of one solid.
//
// A hole whose adjacent faces all lie in its own plane is the opening of a pocket or bore whose wall is missing. Two
// round holes on one axis are the ends of a missing wall. These are not capped.
//
// Not handled: holes bent out of their plane, holes that touch in a vertex, and solids with so many faces missing that
// they may be surfaces on purpose.

// mostMissing is the share of the length of all edges of a solid that its free edges may have to be capped: a
// box without its lid has a third, one without lid and bottom two thirds.
const mostMissing = 0.5

// maxHoles bounds the holes of one solid.
const maxHoles = 256

// hole is a closed path of free edges in a plane.
type hole struct {
	uses    []use
	points  []geom.Vec3 // around it
	normal  geom.Vec3   // unit; the path runs counter-clockwise around it
	center  geom.Vec3
	area    float64 // mm²
	isInner bool    // it is a hole of another one's cap
	inner   []int   // the holes of its cap
}

// use is an edge with its direction in a cap.
type use struct {
	edge     brep.EdgeID
	reversed bool
}

// capHoles adds plane faces to the open holes of each former solid, and groups the faces again.
func (s *sewer) capHoles() {
	faces := make([][]brep.FaceID, len(s.solids)) // by solid
	for i := range s.components {
		c := &s.components[i]
		if was := s.openSolidOf(c); was != brep.None {
			faces[was] = append(faces[was], c.faces...)
		}
	}
	for i := range faces {
		for _, p := range s.caps(faces[i]) {
			s.addCap(p)
		}
	}
	if s.report.Capped > 0 {
		s.components, s.report.NonOrientable = nil, 0
		s.orient()
	}
}

// openSolidOf returns the open solid that all faces of a component belonged to, or None.
func (s *sewer) openSolidOf(c *component) brep.SolidID {
	was := s.wasSolid[s.m.Faces[c.faces[0]].Shell]
	for _, f := range c.faces {
		if s.wasSolid[s.m.Faces[f].Shell] != was {
			return brep.None
		}
	}
	return was
}

// plate is a face to be added: its outline first.
type plate struct {
	outline *hole
	loops   [][]use
}

// caps returns the plane faces that close the faces of a solid, or nil if it is closed or they do not close it.
func (s *sewer) caps(faces []brep.FaceID) []plate {
	loops := s.openLoops(faces)
	if len(loops) == 0 || len(loops) > maxHoles {
		return nil
	}
	holes := make([]hole, len(loops))
	for i, l := range loops {
		h, ok := s.planeHole(l)
		if !ok {
			return nil
		}
		holes[i] = h
	}
	if !s.nestHoles(holes) || lackWall(holes, s.last) {
		return nil
	}
	var out []plate
	for i := range holes {
		h := &holes[i]
		if h.isInner {
			continue
		}
		p := plate{outline: h, loops: [][]use{h.uses}}
		for _, k := range h.inner {
			p.loops = append(p.loops, holes[k].uses)
		}
		out = append(out, p)
	}
	return out
}

// openLoops chains the free edges of faces, each in the direction against its face. It returns nil if they make no
// simple paths, or are too large a fraction of all edges.
func (s *sewer) openLoops(faces []brep.FaceID) [][]use {
	leaving := map[brep.VertexID]use{}
	var order []brep.VertexID
	var free, all float64
	for _, f := range faces {
		for id, e := range s.uses(f) {
			length := s.polyline(s.m.Coedges[id].Edge).length
			all += length / float64(len(e.Coedges))
			if len(e.Coedges) > 2 {
				return nil
			}
			if len(e.Coedges) != 1 {
				continue
			}
			free += length
			u := use{s.m.Coedges[id].Edge, !s.m.Coedges[id].Reversed}
			from := s.m.CoedgeEnd(id)
			if _, twice := leaving[from]; twice {
				return nil
			}
			leaving[from] = u
			order = append(order, from)
		}
	}
	if free > mostMissing*all {
		return nil
	}
	var loops [][]use
	for _, first := range order {
		var loop []use
		for at := first; ; {
			u, ok := leaving[at]
			if !ok {
				break
			}
			delete(leaving, at)
			loop = append(loop, u)
			if e := &s.m.Edges[u.edge]; u.reversed {
				at = e.Start
			} else {
				at = e.End
			}
			if at == first {
				loops = append(loops, loop)
				loop = nil
				break
			}
		}
		if loop != nil {
			return nil // the path ends: the faces around it do not agree
		}
	}
	return loops
}

// planeHole returns the hole enclosed by a path; ok is false if it is not planar within the widest tolerance.
func (s *sewer) planeHole(path []use) (hole, bool) {
	h := hole{uses: path}
	for _, u := range path {
		p := slices.Clone(s.polyline(u.edge).p)
		if u.reversed {
			slices.Reverse(p)
		}
		h.points = append(h.points, p[:len(p)-1]...) // the last one is the first of the next edge
	}
	for _, p := range h.points {
		h.center = h.center.AddScaled(1/float64(len(h.points)), p)
	}
	var sum geom.Vec3 // twice the area: M. Newell's formula
	for i, p := range h.points {
		sum = sum.Add(p.Sub(h.center).Cross(h.points[(i+1)%len(h.points)].Sub(h.center)))
	}
	h.normal, h.area = sum.Unit(), sum.Norm()/2
	box := geom.BoxOf(h.points...)
	if !(h.area > s.last*box.Diagonal()) {
		return h, false // a slit: nothing was there
	}
	off := func(p geom.Vec3) bool { d := p.Sub(h.center).Dot(h.normal); return d > s.last || d < -s.last }
	if slices.ContainsFunc(h.points, off) {
		return h, false
	}
	isBeside := func(u use) bool { return !s.liesIn(s.m.FaceOf(s.m.Edges[u.edge].Coedges[0]), h.center, h.normal) }
	return h, slices.ContainsFunc(path, isBeside)
}

// liesIn reports whether a face lies in the plane through a point. It tests one point well inside the face.
func (s *sewer) liesIn(f brep.FaceID, at, normal geom.Vec3) bool {
	uv, ok := s.domain(f).inside()
	if !ok {
		return false
	}
	const parallel = 1 - 1e-6 // cosine
	face := s.m.Faces[f].Surface
	return math.Abs(face.Normal(uv.X, uv.Y).Dot(normal)) > parallel &&
		math.Abs(face.At(uv.X, uv.Y).Sub(at).Dot(normal)) <= s.last
}

// lackWall reports whether two of the outlines are circles about one axis, to tol (mm).
func lackWall(holes []hole, tol float64) bool {
	for i := range holes {
		for k := range holes[:i] {
			a, b := &holes[i], &holes[k]
			if !a.isInner && !b.isInner && a.isRound(tol) && b.isRound(tol) &&
				a.normal.Cross(b.center.Sub(a.center)).Norm() <= tol && a.normal.Cross(b.normal).Norm() <= roundAxis {
				return true
			}
		}
	}
	return false
}

// roundAxis (rad) is the angle up to which two axes are one, with the rounding of their planes.
const roundAxis = 1e-3

// isRound reports whether all points are as far from the center, to tol (mm).
func (h *hole) isRound(tol float64) bool {
	const least = 12 // points: fewer are a polygon
	first := h.points[0].Dist(h.center)
	return len(h.points) >= least && !slices.ContainsFunc(h.points, func(p geom.Vec3) bool {
		return math.Abs(p.Dist(h.center)-first) > tol
	})
}

// nestHoles finds the holes that are holes of another one's cap; false where two caps would overlap, because one
// of their shells is inside out.
func (s *sewer) nestHoles(holes []hole) bool {
	for i := range holes {
		inner, into := &holes[i], -1
		for k := range holes {
			outer := &holes[k]
			if i != k && outer.area > inner.area && outer.contains(inner, s.last) &&
				(into < 0 || outer.area < holes[into].area) {
				into = k
			}
		}
		if into < 0 {
			continue
		}
		if holes[into].normal.Dot(inner.normal) > 0 {
			return false
		}
		inner.isInner = true
		holes[into].inner = append(holes[into].inner, i)
	}
	return !slices.ContainsFunc(holes, func(h hole) bool { return h.isInner && len(h.inner) > 0 })
}

// contains reports whether another path lies in the plane of this one, to tol (mm), and inside it.
func (h *hole) contains(other *hole, tol float64) bool {
	frame := geom.NewFrame(h.center, h.normal, h.normal.Perp())
	for _, p := range other.points {
		if z := frame.Local(p).Z; z > tol || z < -tol {
			return false
		}
	}
	flat := make([]geom.Vec2, len(h.points))
	for i, p := range h.points {
		q := frame.Local(p)
		flat[i] = geom.Vec2{X: q.X, Y: q.Y}
	}
	q := frame.Local(other.points[0])
	return trim.Encloses(flat, geom.Vec2{X: q.X, Y: q.Y})
}

// addCap adds a plane face next to its first neighbor.
func (s *sewer) addCap(p plate) {
	m := s.m
	f := brep.FaceID(len(m.Faces))
	neighbor := &m.Faces[m.FaceOf(m.Edges[p.outline.uses[0].edge].Coedges[0])]
	h := p.outline
	face := brep.Face{Shell: neighbor.Shell, Origin: int32(f), Color: neighbor.Color,
		Surface: surface.Plane{Frame: geom.NewFrame(h.center, h.normal, h.normal.Perp())}}
	for _, uses := range p.loops {
		l := brep.LoopID(len(m.Loops))
		loop := brep.Loop{Face: f, Vertex: brep.None}
		for _, u := range uses {
			c := brep.CoedgeID(len(m.Coedges))
			m.Coedges = append(m.Coedges, brep.Coedge{Loop: l, Edge: u.edge, Reversed: u.reversed})
			e := &m.Edges[u.edge]
			e.Coedges = append(slices.Clone(e.Coedges), c)
			loop.Coedges = append(loop.Coedges, c)
		}
		m.Loops = append(m.Loops, loop)
		face.Loops = append(face.Loops, l)
	}
	m.Faces = append(m.Faces, face)
	s.isMine = append(s.isMine, true)
	s.faces = append(s.faces, f)
	if s.domains != nil {
		s.domains = append(s.domains, domain{})
	}
	s.tally(&s.report.Capped, CappedHole, func() fault.Location {
		return m.FaceName(m.FaceOf(m.Edges[h.uses[0].edge].Coedges[0]))
	})
}
