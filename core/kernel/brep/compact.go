package brep

import (
	"slices"

	"millwright.dev/millwright/core/kernel/gdt"
)

// Compact drops the faces that are in no shell, and unreferenced loops, coedges, edges and vertices. It sorts faces in
// the order of the shells, and loops and coedges in the order of the faces, and rebuilds the back references (see
// Link). The caller removes empty shells first. PMI follows its faces; a statement about dropped faces alone then
// refers to no face.
func (m *Model) Compact() {
	c := compactor{old: *m, m: m, origins: map[int32]int32{}, faces: make([]FaceID, len(m.Faces))}
	for i := range c.faces {
		c.faces[i] = None
	}
	m.Faces, m.Loops, m.Coedges, m.Edges, m.Vertices = nil, nil, nil, nil, nil
	c.keepEdges()
	for i := range m.Shells {
		faces := make([]FaceID, 0, len(m.Shells[i].Faces))
		for _, f := range m.Shells[i].Faces {
			c.faces[f] = FaceID(len(m.Faces))
			faces = append(faces, c.faces[f])
			c.keepFace(f)
		}
		m.Shells[i].Faces = faces
	}
	m.PMI.Renumber(func(f gdt.Face) (gdt.Face, bool) {
		if !in(FaceID(f), len(c.faces)) || c.faces[f] == None {
			return None, false
		}
		return gdt.Face(c.faces[f]), true
	})
	m.Link()
}

type compactor struct {
	old      Model
	m        *Model
	faces    []FaceID   // by old face: the new one
	edges    []EdgeID   // by old edge
	vertices []VertexID // by old vertex
	origins  map[int32]int32
}

// keepEdges copies the edges and vertices that a face of a shell uses, in their order.
func (c *compactor) keepEdges() {
	old, m := &c.old, c.m
	c.edges = make([]EdgeID, len(old.Edges))
	c.vertices = make([]VertexID, len(old.Vertices))
	isUsed := make([]bool, len(old.Edges))
	isKept := make([]bool, len(old.Vertices))
	for _, sh := range old.Shells {
		for _, f := range sh.Faces {
			for _, l := range old.Faces[f].Loops {
				loop := &old.Loops[l]
				if len(loop.Coedges) == 0 && loop.Vertex != None {
					isKept[loop.Vertex] = true
				}
				for _, ce := range loop.Coedges {
					e := old.Coedges[ce].Edge
					isUsed[e] = true
					isKept[old.Edges[e].Start], isKept[old.Edges[e].End] = true, true
				}
			}
		}
	}
	for i, v := range old.Vertices {
		c.vertices[i] = VertexID(len(m.Vertices))
		if isKept[i] {
			m.Vertices = append(m.Vertices, v)
		}
	}
	for i, e := range old.Edges {
		c.edges[i] = EdgeID(len(m.Edges))
		if isUsed[i] {
			e.Start, e.End, e.Coedges = c.vertices[e.Start], c.vertices[e.End], nil
			m.Edges = append(m.Edges, e)
		}
	}
}

// keepFace copies a face with its loops.
func (c *compactor) keepFace(f FaceID) {
	m := c.m
	face := c.old.Faces[f]
	if _, ok := c.origins[face.Origin]; !ok {
		c.origins[face.Origin] = int32(len(m.Faces))
	}
	face.Origin = c.origins[face.Origin]
	face.Loops = slices.Clone(face.Loops)
	for i, l := range face.Loops {
		loop := c.old.Loops[l]
		loop.Coedges = slices.Clone(loop.Coedges)
		for k, ce := range loop.Coedges {
			use := c.old.Coedges[ce]
			use.Edge = c.edges[use.Edge]
			loop.Coedges[k] = CoedgeID(len(m.Coedges))
			m.Coedges = append(m.Coedges, use)
		}
		if loop.Vertex != None {
			loop.Vertex = c.vertices[loop.Vertex]
		}
		face.Loops[i] = LoopID(len(m.Loops))
		m.Loops = append(m.Loops, loop)
	}
	m.Faces = append(m.Faces, face)
}
