package sew

import (
	"cmp"
	"fmt"
	"math"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/brep/repair/internal/heal"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// makeSolids makes shells of the components and solids of the closed ones, with their normals out of the
// material.
func (s *sewer) makeSolids() {
	m := s.m
	moved := s.keepShells()
	for i := range m.Solids {
		for k, sh := range m.Solids[i].Shells {
			m.Solids[i].Shells[k] = moved[sh]
		}
	}
	var closed []body
	for i := range s.components {
		id := s.firstNew + brep.ShellID(i)
		if s.isClosed(int32(i)) {
			if s.isFlat(id) {
				s.tally(&s.report.Beside, SheetsKept, func() fault.Location { return m.ShellName(id) })
				continue
			}
			b := s.bodyOf(id)
			switch b.sense = s.sense(&b); b.sense {
			case 0:
				continue
			case -1:
				for _, f := range m.Shells[id].Faces {
					s.turnFace(f)
				}
				b.sense = 1
			}
			closed = append(closed, b)
		}
	}
	s.nest(closed)
	s.addSolids(closed)
	s.untie()
	s.restoreSolids()
}

// isFlat reports whether a shell lies in one plane, like a triangle that two equal corners have closed on itself: it
// closes and encloses nothing.
func (s *sewer) isFlat(sh brep.ShellID) bool {
	faces := s.m.Shells[sh].Faces
	base, ok := s.m.Faces[faces[0]].Surface.(surface.Plane)
	isOff := func(p geom.Vec3) bool { return math.Abs(base.Frame.Local(p).Z) > geom.Resolution }
	for _, f := range faces {
		if !ok || s.m.Faces[f].Surface.Kind() != surface.KindPlane {
			return false
		}
		for _, e := range s.uses(f) {
			if isOff(e.Curve.At(e.Range.Lo)) || isOff(e.Curve.At(e.Range.Mid())) {
				return false
			}
		}
	}
	return true
}

// keepShells lists the unchanged shells and then the shells of the components. It returns the new numbers of the
// unchanged shells.
func (s *sewer) keepShells() []brep.ShellID {
	m := s.m
	shells := make([]brep.Shell, 0, len(m.Shells))
	moved := make([]brep.ShellID, len(m.Shells))
	for i, sh := range m.Shells {
		if len(sh.Faces) > 0 && !s.isMine[sh.Faces[0]] {
			moved[i] = brep.ShellID(len(shells))
			shells = append(shells, sh)
		}
	}
	s.firstNew = brep.ShellID(len(shells))
	for i := range s.components {
		c := &s.components[i]
		from := m.Faces[c.faces[0]].Shell
		c.solid = s.wasSolid[from]
		for _, f := range c.faces {
			if s.wasSolid[m.Faces[f].Shell] != c.solid {
				c.solid = brep.None
			}
		}
		shells = append(shells, brep.Shell{Solid: brep.None, Faces: c.faces, Source: m.Shells[from].Source})
	}
	m.Shells = shells
	for i := range m.Shells {
		for _, f := range m.Shells[i].Faces {
			m.Faces[f].Shell = brep.ShellID(i)
		}
	}
	return moved
}

// solidOf returns a solid of one new shell, with the name of the open one that it was.
func (s *sewer) solidOf(sh brep.ShellID) brep.Solid {
	solid := brep.Solid{Source: s.m.Shells[sh].Source}
	if was := s.components[sh-s.firstNew].solid; was != brep.None {
		solid = s.solids[was]
	}
	solid.Shells = []brep.ShellID{sh}
	return solid
}

// restoreSolids restores former solids that have no free edge but enclose no certain volume: the mesh decides later.
// Former solids with free edges stay sheets.
func (s *sewer) restoreSolids() {
	m := s.m
	restored, demoted := map[brep.SolidID]brep.SolidID{}, map[brep.SolidID]*opening{}
	var order []brep.SolidID
	for i := range s.components {
		sh := s.firstNew + brep.ShellID(i)
		was := s.components[i].solid
		if was == brep.None || m.Shells[sh].Solid != brep.None {
			continue
		}
		if o := s.opening(m.Shells[sh].Faces); o.edges > 0 {
			if demoted[was] == nil {
				demoted[was] = &opening{}
				order = append(order, was)
			}
			demoted[was].edges += o.edges
			demoted[was].length += o.length
			continue
		}
		id, ok := restored[was]
		if !ok {
			id = brep.SolidID(len(m.Solids))
			m.Solids = append(m.Solids, s.solidOf(sh))
			restored[was] = id
		} else {
			m.Solids[id].Shells = append(m.Solids[id].Shells, sh)
		}
		m.Shells[sh].Solid = id
	}
	if s.report.Demoted = len(order); len(order) > 0 {
		s.demoted = *demoted[order[0]]
		s.name(OpenSolid, s.nameOf(&s.solids[order[0]]))
	}
}

// opening counts the edges that keep a shell open, edges of one face, and their length (mm).
type opening struct {
	edges  int
	length float64
}

func (s *sewer) opening(faces []brep.FaceID) opening {
	var o opening
	for _, f := range faces {
		for c, e := range s.uses(f) {
			if len(e.Coedges) == 1 {
				o.edges++
				o.length += s.polyline(s.m.Coedges[c].Edge).length
			}
		}
	}
	return o
}

// nameOf names a solid as the file does.
func (s *sewer) nameOf(solid *brep.Solid) fault.Location {
	if solid.Source == 0 {
		return fault.Location{ID: solid.Name, Text: fmt.Sprintf("solid %q", solid.Name)}
	}
	id := fmt.Sprint(cmp.Or(s.m.Numbering, "#"), solid.Source)
	if solid.Name != "" {
		return fault.Location{ID: id, Text: fmt.Sprintf("solid %q (%s)", solid.Name, id)}
	}
	return fault.Location{ID: id, Text: "solid " + id}
}

// addSolids makes a solid of every body that is inside an even number of others, and a void of the others.
func (s *sewer) addSolids(bodies []body) {
	m := s.m
	for i := range bodies {
		if b := &bodies[i]; len(b.outside)%2 == 0 {
			m.Shells[b.shell].Solid = brep.SolidID(len(m.Solids))
			m.Solids = append(m.Solids, s.solidOf(b.shell))
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

// untie gives the solids their own edges and vertices where they touch themselves or each other. A solid whose numbers
// of faces, edges and vertices are impossible becomes a sheet again.
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
				s.tally(&s.report.Closed, ClosedSheet, func() fault.Location { return m.ShellName(sh) })
			}
		}
	}
	m.Solids = solids
}

// isOld reports whether a shell was left as it was.
func (s *sewer) isOld(sh brep.ShellID) bool { return sh < s.firstNew }

// isSewn reports whether an edge bounds a face that was sewn.
func (s *sewer) isSewn(e *brep.Edge) bool {
	return len(e.Coedges) > 0 && s.component[s.m.FaceOf(e.Coedges[0])] >= 0
}
