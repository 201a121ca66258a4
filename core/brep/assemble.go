package brep

import (
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// Append adds a copy of src, moved by t, behind what m holds: solids, shells and faces keep their order, and
// what is stated about the faces goes with them.
// Geometry is shared when t is the identity. A mirroring t turns the loops around and negates the senses
// of the faces, so that normals still point out of the material. The warnings of src are not taken over.
func (m *Model) Append(src *Model, t geom.Transform) {
	base := m.sizes()
	moves, mirrors, scale := t != geom.Identity, t.IsMirror(), t.Scale()
	for _, s := range src.Solids {
		s.Shells = shifted(s.Shells, base.shell)
		m.Solids = append(m.Solids, s)
	}
	for _, s := range src.Shells {
		if s.Solid != None {
			s.Solid += base.solid
		}
		s.Faces = shifted(s.Faces, base.face)
		m.Shells = append(m.Shells, s)
	}
	for _, f := range src.Faces {
		f.Shell += base.shell
		f.Loops = shifted(f.Loops, base.loop)
		f.Origin += int32(base.face)
		f.Reversed = f.Reversed != mirrors
		if moves && f.Surface != nil {
			f.Surface = f.Surface.Transform(t)
		}
		m.Faces = append(m.Faces, f)
	}
	for _, l := range src.Loops {
		l.Face += base.face
		l.Coedges = shifted(l.Coedges, base.coedge)
		if mirrors {
			slices.Reverse(l.Coedges)
		}
		if l.Vertex != None {
			l.Vertex += base.vertex
		}
		m.Loops = append(m.Loops, l)
	}
	for _, c := range src.Coedges {
		m.Coedges = append(m.Coedges, Coedge{c.Loop + base.loop, c.Edge + base.edge, c.Reversed != mirrors})
	}
	for _, e := range src.Edges {
		e.Coedges = shifted(e.Coedges, base.coedge)
		e.Start, e.End = e.Start+base.vertex, e.End+base.vertex
		e.Tolerance *= scale
		if moves && e.Curve != nil {
			e.Range = curve.TransformRange(e.Curve, t, e.Range)
			e.Curve = e.Curve.Transform(t)
		}
		m.Edges = append(m.Edges, e)
	}
	for _, v := range src.Vertices {
		v.Point = t.Point(v.Point)
		v.Tolerance *= scale
		m.Vertices = append(m.Vertices, v)
	}
	m.PMI.append(&src.PMI, t, base.face)
}

// sizes are the ids that the next entities of a model get.
type sizes struct {
	solid  SolidID
	shell  ShellID
	face   FaceID
	loop   LoopID
	coedge CoedgeID
	edge   EdgeID
	vertex VertexID
}

func (m *Model) sizes() sizes {
	return sizes{
		SolidID(len(m.Solids)), ShellID(len(m.Shells)), FaceID(len(m.Faces)), LoopID(len(m.Loops)),
		CoedgeID(len(m.Coedges)), EdgeID(len(m.Edges)), VertexID(len(m.Vertices)),
	}
}

// shifted returns a copy of ids, each raised by base.
func shifted[ID ~int32](ids []ID, base ID) []ID {
	if ids == nil {
		return nil
	}
	out := make([]ID, len(ids))
	for i, id := range ids {
		out[i] = id + base
	}
	return out
}
