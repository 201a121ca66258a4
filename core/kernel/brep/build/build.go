// Package build constructs small exact solids with explicit topology. They are the test parts of every pipeline stage,
// in all the forms in which CAD systems write seams, poles and closed faces.
//
// Lengths are mm, angles rad. Every model is linked and in part coordinates.
package build

import (
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Builder collects the entities of one model.
type Builder struct {
	m     *brep.Model
	faces []brep.FaceID // of the shell under construction
}

// New returns a builder of an empty model.
func New(name string) *Builder {
	return &Builder{m: &brep.Model{Name: name, Tolerance: geom.DefaultTolerance}}
}

// EdgeUse is one use of an edge by a loop.
type EdgeUse struct {
	Edge     brep.EdgeID
	Reversed bool
}

// Fwd uses an edge from Start to End.
func Fwd(e brep.EdgeID) EdgeUse { return EdgeUse{e, false} }

// Rev uses an edge from End to Start.
func Rev(e brep.EdgeID) EdgeUse { return EdgeUse{e, true} }

// Loop is a closed chain of edge uses, or a single vertex when Uses is empty.
type Loop struct {
	Uses   []EdgeUse
	Vertex brep.VertexID
}

// Chain makes a loop of edge uses in walking order.
func Chain(uses ...EdgeUse) Loop { return Loop{uses, brep.None} }

// Point makes a loop of a single vertex.
func Point(v brep.VertexID) Loop { return Loop{nil, v} }

// Vertex adds a vertex.
func (b *Builder) Vertex(p geom.Vec3) brep.VertexID {
	b.m.Vertices = append(b.m.Vertices, brep.Vertex{Point: p})
	return brep.VertexID(len(b.m.Vertices) - 1)
}

// Edge adds an edge along c from parameter lo to hi.
func (b *Builder) Edge(c curve.Curve, lo, hi float64, start, end brep.VertexID) brep.EdgeID {
	b.m.Edges = append(b.m.Edges, brep.Edge{
		Curve: c, Range: geom.Interval{Lo: lo, Hi: hi}, Start: start, End: end,
	})
	return brep.EdgeID(len(b.m.Edges) - 1)
}

// Line adds a straight edge.
func (b *Builder) Line(start, end brep.VertexID) brep.EdgeID {
	p, q := b.m.Vertices[start].Point, b.m.Vertices[end].Point
	return b.Edge(curve.Line{Origin: p, Dir: q.Sub(p).Unit()}, 0, p.Dist(q), start, end)
}

// Degenerate adds an edge without length at a pole.
func (b *Builder) Degenerate(v brep.VertexID) brep.EdgeID { return b.Edge(nil, 0, 0, v, v) }

// Face adds a face to the current shell. Loops keep the interior on their left seen from outside.
func (b *Builder) Face(s surface.Surface, reversed bool, loops ...Loop) brep.FaceID {
	f := brep.FaceID(len(b.m.Faces))
	b.m.Faces = append(b.m.Faces, brep.Face{Surface: s, Reversed: reversed, Origin: int32(f)})
	for _, l := range loops {
		b.AddLoop(f, l)
	}
	b.faces = append(b.faces, f)
	return f
}

// AddLoop adds a loop to a face.
func (b *Builder) AddLoop(f brep.FaceID, l Loop) {
	id := brep.LoopID(len(b.m.Loops))
	loop := brep.Loop{Face: f, Vertex: l.Vertex}
	for _, u := range l.Uses {
		loop.Coedges = append(loop.Coedges, brep.CoedgeID(len(b.m.Coedges)))
		b.m.Coedges = append(b.m.Coedges, brep.Coedge{Loop: id, Edge: u.Edge, Reversed: u.Reversed})
	}
	b.m.Loops = append(b.m.Loops, loop)
	b.m.Faces[f].Loops = append(b.m.Faces[f].Loops, id)
}

// Solid closes the current shell as the outer shell of a new solid.
func (b *Builder) Solid() brep.SolidID {
	id := brep.SolidID(len(b.m.Solids))
	b.m.Solids = append(b.m.Solids, brep.Solid{Shells: []brep.ShellID{b.shell(id)}})
	return id
}

// Sheet closes the current shell as a sheet that bounds no material.
func (b *Builder) Sheet() brep.ShellID { return b.shell(brep.None) }

func (b *Builder) shell(s brep.SolidID) brep.ShellID {
	b.m.Shells = append(b.m.Shells, brep.Shell{Solid: s, Faces: b.faces})
	b.faces = nil
	return brep.ShellID(len(b.m.Shells) - 1)
}

// Model links and returns the finished model.
func (b *Builder) Model() *brep.Model {
	b.m.Link()
	return b.m
}

// solidModel closes the current shell as the only solid and returns the model.
func (b *Builder) solidModel() *brep.Model {
	b.Solid()
	return b.Model()
}
