package build

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
)

// Exploded gives every face of the solids of m its own edges, vertices and sheet shell, moved by a transform (nil =
// identity). A seam, an edge that a face uses twice, stays one edge unless loose is true.
func Exploded(m *brep.Model, loose bool, move func(f brep.FaceID) geom.Transform) *brep.Model {
	if move == nil {
		move = func(brep.FaceID) geom.Transform { return geom.Identity }
	}
	out := &brep.Model{Name: m.Name, Tolerance: m.Tolerance}
	for f := range m.Faces {
		if m.IsSheet(brep.FaceID(f)) {
			continue
		}
		one := &brep.Model{}
		vertices := map[brep.VertexID]brep.VertexID{}
		vertex := func(v brep.VertexID) brep.VertexID {
			if _, ok := vertices[v]; !ok {
				vertices[v] = brep.VertexID(len(one.Vertices))
				one.Vertices = append(one.Vertices, m.Vertices[v])
			}
			return vertices[v]
		}
		edges := map[brep.EdgeID]brep.EdgeID{}
		face := m.Faces[f]
		face.Shell, face.Loops, face.Origin = 0, nil, 0
		for _, l := range m.Faces[f].Loops {
			loop := brep.Loop{Vertex: brep.None}
			if v := m.Loops[l].Vertex; v != brep.None && len(m.Loops[l].Coedges) == 0 {
				loop.Vertex = vertex(v)
			}
			for _, c := range m.Loops[l].Coedges {
				ce := m.Coedges[c]
				id, ok := edges[ce.Edge]
				if !ok || loose {
					id = brep.EdgeID(len(one.Edges))
					e := m.Edges[ce.Edge]
					e.Start, e.End, e.Coedges = vertex(e.Start), vertex(e.End), nil
					one.Edges = append(one.Edges, e)
					edges[ce.Edge] = id
				}
				loop.Coedges = append(loop.Coedges, brep.CoedgeID(len(one.Coedges)))
				one.Coedges = append(one.Coedges, brep.Coedge{Edge: id, Reversed: ce.Reversed})
			}
			face.Loops = append(face.Loops, brep.LoopID(len(one.Loops)))
			one.Loops = append(one.Loops, loop)
		}
		one.Faces = []brep.Face{face}
		one.Shells = []brep.Shell{{Solid: brep.None, Faces: []brep.FaceID{0}}}
		one.Link()
		out.Append(one, move(brep.FaceID(f)))
	}
	out.Link()
	return out
}
