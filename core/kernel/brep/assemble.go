package brep

import (
	"slices"

	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Append adds a copy of src, moved by t, after the entities of m: solids, shells and faces keep their order, and the
// PMI of the faces follows them. Geometry is shared when t is the identity. A mirroring t reverses the loops and
// negates the senses of the faces, so that normals still point out of the material. The sag becomes the larger of both.
// The warnings of src are not copied.
func (m *Model) Append(src *Model, t geom.Transform) {
	base := m.sizes()
	moves, mirrors, scale := t != geom.Identity, t.IsMirror(), t.Scale()
	m.Sag = max(m.Sag, scale*src.Sag)
	// The lists of ids lie in a few arrays: a file may have a million of them.
	shells := make([]ShellID, 0, len(src.Shells))
	faces, loops := make([]FaceID, 0, len(src.Faces)), make([]LoopID, 0, len(src.Loops))
	coedges := make([]CoedgeID, 0, 2*len(src.Coedges)) // of loops and of edges
	for _, s := range src.Solids {
		s.Shells = shiftedIn(&shells, s.Shells, base.shell)
		m.Solids = append(m.Solids, s)
	}
	for _, s := range src.Shells {
		if s.Solid != None {
			s.Solid += base.solid
		}
		s.Faces = shiftedIn(&faces, s.Faces, base.face)
		m.Shells = append(m.Shells, s)
	}
	for _, f := range src.Faces {
		f.Shell += base.shell
		f.Loops = shiftedIn(&loops, f.Loops, base.loop)
		f.Origin += int32(base.face)
		f.Reversed = f.Reversed != mirrors
		if moves && f.Surface != nil {
			f.Surface = f.Surface.Transform(t)
		}
		m.Faces = append(m.Faces, f)
	}
	for _, l := range src.Loops {
		l.Face += base.face
		l.Coedges = shiftedIn(&coedges, l.Coedges, base.coedge)
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
		e.Coedges = shiftedIn(&coedges, e.Coedges, base.coedge)
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
	m.PMI.Append(&src.PMI, t, gdt.Face(base.face))
}

// EntityCounts counts the entities of a model.
type EntityCounts struct{ Solids, Shells, Faces, Loops, Coedges, Edges, Vertices int }

// EntityCounts returns the number of entities of each kind in m.
func (m *Model) EntityCounts() EntityCounts {
	return EntityCounts{len(m.Solids), len(m.Shells), len(m.Faces), len(m.Loops), len(m.Coedges), len(m.Edges),
		len(m.Vertices)}
}

// Plus returns the sum.
func (s EntityCounts) Plus(o EntityCounts) EntityCounts {
	return EntityCounts{s.Solids + o.Solids, s.Shells + o.Shells, s.Faces + o.Faces, s.Loops + o.Loops,
		s.Coedges + o.Coedges, s.Edges + o.Edges, s.Vertices + o.Vertices}
}

// Grow reserves capacity for so many more entities, so that appending them moves no existing ones.
func (m *Model) Grow(s EntityCounts) {
	m.Solids = slices.Grow(m.Solids, s.Solids)
	m.Shells = slices.Grow(m.Shells, s.Shells)
	m.Faces = slices.Grow(m.Faces, s.Faces)
	m.Loops = slices.Grow(m.Loops, s.Loops)
	m.Coedges = slices.Grow(m.Coedges, s.Coedges)
	m.Edges = slices.Grow(m.Edges, s.Edges)
	m.Vertices = slices.Grow(m.Vertices, s.Vertices)
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

// shiftedIn returns a copy of ids, each raised by base, appended to room.
func shiftedIn[ID ~int32](room *[]ID, ids []ID, base ID) []ID {
	if ids == nil {
		return nil
	}
	first := len(*room)
	for _, id := range ids {
		*room = append(*room, id+base)
	}
	return (*room)[first:len(*room):len(*room)]
}
