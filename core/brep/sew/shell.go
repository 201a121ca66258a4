package sew

import (
	"slices"

	"millwright/core/brep"
	"millwright/core/brep/heal"
	"millwright/core/geom"
)

// makeSolids makes shells of the components and solids of the closed ones, with their normals out of the
// material.
func (s *sewer) makeSolids() {
	m := s.m
	shells := make([]brep.Shell, 0, len(m.Shells))
	moved := make([]brep.ShellID, len(m.Shells)) // by old shell of a solid
	for i, sh := range m.Shells {
		if sh.Solid != brep.None {
			moved[i] = brep.ShellID(len(shells))
			shells = append(shells, sh)
		}
	}
	for i := range m.Solids {
		for k, sh := range m.Solids[i].Shells {
			m.Solids[i].Shells[k] = moved[sh]
		}
	}
	s.firstNew = brep.ShellID(len(shells))
	var closed []body
	for i, c := range s.components {
		id := brep.ShellID(len(shells))
		if s.isClosed(int32(i)) {
			box := geom.EmptyBox()
			for _, f := range c.faces {
				box = box.Union(s.domain(f).box)
			}
			closed = append(closed, body{shell: id, box: box})
		}
		source := m.Shells[m.Faces[c.faces[0]].Shell].Source
		shells = append(shells, brep.Shell{Solid: brep.None, Faces: c.faces, Source: source})
	}
	m.Shells = shells
	for i := range m.Shells {
		for _, f := range m.Shells[i].Faces {
			m.Faces[f].Shell = brep.ShellID(i)
		}
	}
	closed = slices.DeleteFunc(closed, func(b body) bool {
		return !s.turnOutwards(m.Shells[b.shell].Faces, b.box)
	})
	s.nest(closed)
	s.addSolids(closed)
	s.untie()
}

// addSolids makes a solid of every body that is inside an even number of others, and a void of the others.
func (s *sewer) addSolids(bodies []body) {
	m := s.m
	for i := range bodies {
		if b := &bodies[i]; len(b.outside)%2 == 0 {
			m.Shells[b.shell].Solid = brep.SolidID(len(m.Solids))
			m.Solids = append(m.Solids,
				brep.Solid{Shells: []brep.ShellID{b.shell}, Source: m.Shells[b.shell].Source})
		}
	}
	for i := range bodies {
		b := &bodies[i]
		for _, k := range b.outside {
			if len(b.outside)%2 == 0 || len(bodies[k].outside) != len(b.outside)-1 {
				continue
			}
			solid := m.Shells[bodies[k].shell].Solid
			m.Solids[solid].Shells = append(m.Solids[solid].Shells, b.shell)
			m.Shells[b.shell].Solid, m.Shells[b.shell].IsVoid = solid, true
			for _, f := range m.Shells[b.shell].Faces {
				s.turnFace(f)
			}
			break
		}
	}
}

// untie gives the solids edges and vertices of their own where they touch themselves or each other, and
// makes those sheets again that have no numbers of faces, edges and vertices that a solid can have.
func (s *sewer) untie() {
	m := s.m
	heal.SplitTouching(m)
	var vertices []brep.VertexID
	for i := range m.Edges {
		if e := &m.Edges[i]; s.isSewn(e) && !m.IsSheet(m.FaceOf(e.Coedges[0])) {
			vertices = append(vertices, e.Start, e.End)
		}
	}
	heal.SplitVertices(m, vertices)
	solids := m.Solids[:0]
	for _, solid := range m.Solids {
		ok := true
		for _, sh := range solid.Shells {
			ok = ok && (s.isOld(sh) || brep.EulerOf(m, sh).Valid())
		}
		id := brep.SolidID(len(solids))
		if ok {
			solids = append(solids, solid)
		} else {
			id = brep.None
		}
		for _, sh := range solid.Shells {
			m.Shells[sh].Solid = id
			m.Shells[sh].IsVoid = m.Shells[sh].IsVoid && ok
			if ok && !s.isOld(sh) {
				s.report.Closed++
			}
		}
	}
	m.Solids = solids
}

// isOld reports whether a shell belonged to a solid before.
func (s *sewer) isOld(sh brep.ShellID) bool { return sh < s.firstNew }

// loosenVertices widens the tolerances of the vertices to reach the ends of their edges.
func (s *sewer) loosenVertices() {
	m := s.m
	for i := range m.Edges {
		e := &m.Edges[i]
		if e.Curve == nil || !s.isSewn(e) {
			continue
		}
		s.loosen(e.Start, e, e.Range.Lo)
		s.loosen(e.End, e, e.Range.Hi)
	}
}

// isSewn reports whether an edge bounds a face that was that of a sheet.
func (s *sewer) isSewn(e *brep.Edge) bool {
	return len(e.Coedges) > 0 && s.component[s.m.FaceOf(e.Coedges[0])] >= 0
}

func (s *sewer) loosen(id brep.VertexID, e *brep.Edge, t float64) {
	v := &s.m.Vertices[id]
	d := e.Curve.At(t).Dist(v.Point)
	if d > max(s.m.Tolerance.Length, e.Tolerance, v.Tolerance) {
		v.Tolerance = d * rounding
	}
}

// rounding widens a measured tolerance, so that measuring it again does not exceed it.
const rounding = 1 + 1e-9
