// Package brep represents exact boundary representations with explicit topology.
//
// A Model is a set of flat arrays that refer to each other by index: Solid → Shell → Face → Loop → Coedge → Edge →
// Vertex. Orientation is resolved once, when a model is built, and afterward means only two things:
//
//   - an edge runs from Start to End in the direction of growing curve parameter (Range.Lo → Range.Hi);
//     a coedge is Reversed when its loop uses the edge from End to Start;
//   - a face's outward normal (out of the material) is its surface normal, negated when Reversed.
//     Its loops keep the face's interior on their left, seen from outside.
//
// Lengths are mm in part coordinates.
package brep

import (
	"cmp"
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Indices into the arrays of a Model. None marks an absent reference.
type (
	SolidID  int32
	ShellID  int32
	FaceID   int32
	LoopID   int32
	CoedgeID int32
	EdgeID   int32
	VertexID int32
)

// None is the index of an absent entity.
const None = -1

// Model is one part: solids, and sheet shells that belong to no solid. Faces are ordered shell by
// shell in file order; face i is region i of the part's mesh.
type Model struct {
	Name     string
	Solids   []Solid
	Shells   []Shell
	Faces    []Face
	Loops    []Loop
	Coedges  []Coedge
	Edges    []Edge
	Vertices []Vertex

	// PMI contains the statements of the file about the faces: dimensions, tolerances, datums and notes.
	PMI gdt.PMI

	// Numbering is the prefix of entity numbers, the Source fields, in the file: "#", or "D" for the directory entries
	// of IGES files. "" means "#".
	Numbering string
	Tolerance geom.Tolerance
	// Sag (mm) is the largest deviation of the shape from the part. 0 is exact; +Inf is inexact by an amount that the
	// file does not state.
	Sag      float64
	Warnings []fault.Warning
}

// Solid is one connected body: an outer shell and the shells of its voids.
type Solid struct {
	Name   string
	Shells []ShellID // the outer shell first
	Source int64     // entity number in the file, 0 when unknown
}

// Shell is a connected set of faces. The faces of a void shell have their normals out of the
// material too, that is, into the void.
type Shell struct {
	Solid  SolidID // None: a sheet, not part of any solid
	Faces  []FaceID
	IsVoid bool
	Source int64
}

// Face is a bounded piece of a surface. No loops at all means the whole of a closed surface.
type Face struct {
	Shell    ShellID
	Surface  surface.Surface
	Reversed bool
	Loops    []LoopID // in file order; which is the outer one is a property of the geometry
	Name     string
	Color    *Color
	Origin   int32 // faces with equal Origin were split from one face of the file
	Source   int64
}

// Color is 0..1 RGB as stored in the file; CAD systems store display values (sRGB).
type Color struct{ R, G, B float64 }

// Loop is a closed chain of coedges, or a single Vertex (a pole of the surface) with no coedges.
type Loop struct {
	Face    FaceID
	Coedges []CoedgeID
	Vertex  VertexID // None unless the loop is a vertex loop
	Source  int64
}

// Coedge is one use of an edge by a loop.
type Coedge struct {
	Loop     LoopID
	Edge     EdgeID
	Reversed bool
}

// Edge is a bounded piece of a curve. Start equals End for a closed edge. A degenerate edge has a nil Curve and Start
// == End: it represents a pole of the surface.
type Edge struct {
	Curve      curve.Curve
	Range      geom.Interval
	Start, End VertexID
	Coedges    []CoedgeID // two in a closed shell; both of the same face for a seam
	Tolerance  float64    // mm: largest distance of curve, surfaces and vertices; 0 = the model's
	Source     int64
	// IsOdd reports, until repair, that the sense of the curve in the file differs from that of all other edges. If the
	// curve is closed, the complementary arc may be meant.
	IsOdd bool
}

// Vertex is a point where edges meet.
type Vertex struct {
	Point     geom.Vec3
	Tolerance float64 // mm; 0 = the model's
	Source    int64
}

// Codes of the warnings in which readers of all formats report the losses of a damaged file.
const (
	SkippedFace  = "lost_face"  // faces that could not be read were left out
	SkippedShape = "lost_shape" // solids, surfaces or components that could not be read were left out
)

// CoedgeStart returns the vertex where the loop enters the coedge's edge.
func (m *Model) CoedgeStart(c CoedgeID) VertexID {
	ce := &m.Coedges[c]
	if ce.Reversed {
		return m.Edges[ce.Edge].End
	}
	return m.Edges[ce.Edge].Start
}

// CoedgeEnd returns the vertex where the loop leaves the coedge's edge.
func (m *Model) CoedgeEnd(c CoedgeID) VertexID {
	ce := &m.Coedges[c]
	if ce.Reversed {
		return m.Edges[ce.Edge].Start
	}
	return m.Edges[ce.Edge].End
}

// FaceOf returns the face whose loop uses the coedge.
func (m *Model) FaceOf(c CoedgeID) FaceID { return m.Loops[m.Coedges[c].Loop].Face }

// FaceName names a face in messages by its number in the file, or by its index where that is unknown: "face #12".
func (m *Model) FaceName(f FaceID) fault.Location { return m.name("face", int(f), m.Faces[f].Source) }

// EdgeName is FaceName for an edge.
func (m *Model) EdgeName(e EdgeID) fault.Location { return m.name("edge", int(e), m.Edges[e].Source) }

// VertexName is FaceName for a vertex.
func (m *Model) VertexName(v VertexID) fault.Location {
	return m.name("vertex", int(v), m.Vertices[v].Source)
}

// SolidName is FaceName for a solid.
func (m *Model) SolidName(s SolidID) fault.Location {
	return m.name("solid", int(s), m.Solids[s].Source)
}

// ShellName is FaceName for a shell.
func (m *Model) ShellName(s ShellID) fault.Location {
	return m.name("shell", int(s), m.Shells[s].Source)
}

func (m *Model) name(kind string, index int, source int64) fault.Location {
	if source > 0 {
		id := fmt.Sprint(cmp.Or(m.Numbering, "#"), source)
		return fault.Location{ID: id, Text: kind + " " + id}
	}
	id := fmt.Sprint(kind, " ", index)
	return fault.Location{ID: id, Text: id}
}

// IsSheet reports whether the face belongs to a sheet shell and so bounds no material.
func (m *Model) IsSheet(f FaceID) bool { return m.Shells[m.Faces[f].Shell].Solid == None }

// Link fills the back references (Face.Shell, Loop.Face, Coedge.Loop, Edge.Coedges, Shell.Solid)
// from the forward ones. Builders call it once, after the last entity.
func (m *Model) Link() {
	for i := range m.Shells {
		m.Shells[i].Solid = None
	}
	for i, s := range m.Solids {
		for _, sh := range s.Shells {
			m.Shells[sh].Solid = SolidID(i)
		}
	}
	m.reserveUses()
	for si, s := range m.Shells {
		for _, f := range s.Faces {
			m.Faces[f].Shell = ShellID(si)
			for _, l := range m.Faces[f].Loops {
				m.Loops[l].Face = f
				for _, c := range m.Loops[l].Coedges {
					m.Coedges[c].Loop = l
					e := &m.Edges[m.Coedges[c].Edge]
					e.Coedges = append(e.Coedges, c)
				}
			}
		}
	}
}

// reserveUses gives every edge an empty list of coedges with capacity for its uses in loops, all in one array.
func (m *Model) reserveUses() {
	uses := make([]int32, len(m.Edges))
	all := 0
	for i := range m.Loops {
		for _, c := range m.Loops[i].Coedges {
			uses[m.Coedges[c].Edge]++
			all++
		}
	}
	room := make([]CoedgeID, all)
	for i, n := range uses {
		m.Edges[i].Coedges, room = room[:0:n], room[n:]
	}
}
