// Package codec stores models. It writes every array, curve, surface, name and statement of a brep.Model in few bytes,
// and restores them to the last bit, many times faster than a CAD file is read.
//
// Equal models give equal bytes. Data shared in memory, a surface of several faces or the profile of two surfaces, is
// shared again. Decode checks every length and every reference, so damaged bytes give an error or a model with valid
// indices, never a panic, and use memory in proportion to their number. brep.Check checks the content of the model.
package codec

import (
	"fmt"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom/pack"
	"millwright.dev/millwright/core/kernel/geom/surface"
	"millwright.dev/millwright/core/kernel/geom/surface/facets"
)

// Format and Version begin every stored model. Every change of the written bytes raises Version.
const (
	Format  = "millwright model"
	Version = 3
)

// Encode returns the stored form of a model.
func Encode(m *brep.Model) []byte {
	c := coder{Archive: pack.NewWriter(Format, Version), m: m}
	c.model()
	return c.Bytes()
}

// Decode returns the model that Encode wrote. Its error is pack.ErrVersion for bytes of another version.
func Decode(data []byte) (*brep.Model, error) {
	r, err := pack.NewReader(data, Format, Version)
	if err != nil {
		return nil, fmt.Errorf("stored model: %w", err)
	}
	c := coder{Archive: r, m: &brep.Model{}}
	c.model()
	if err := c.Close(); err != nil {
		return nil, fmt.Errorf("stored model: %w", err)
	}
	return c.m, nil
}

// coder serializes one model.
type coder struct {
	*pack.Archive
	m      *brep.Model
	g      *surface.Archive
	size   brep.EntityCounts
	colors []brep.Color // met so far
}

// The least bytes that an entity takes.
const (
	leastSolid  = 3
	leastShell  = 4
	leastFace   = 8
	leastLoop   = 4
	leastCoedge = 3
	leastEdge   = 14
	leastVertex = 26
)

func (c *coder) model() {
	m := c.m
	c.g = surface.NewCoder(c.Archive, facets.Serialize)
	c.String(&m.Name)
	c.String(&m.Numbering)
	c.Floats(&m.Tolerance.Length, &m.Tolerance.Angle)
	c.Sparse(&m.Sag)
	array(c, &m.Solids, leastSolid)
	array(c, &m.Shells, leastShell)
	array(c, &m.Faces, leastFace)
	array(c, &m.Loops, leastLoop)
	array(c, &m.Coedges, leastCoedge)
	array(c, &m.Edges, leastEdge)
	array(c, &m.Vertices, leastVertex)
	c.size = m.EntityCounts()
	for _, part := range []func(){
		c.solids, c.shells, c.faces, c.loops, c.coedges, c.edges, c.vertices, c.pmi, c.warnings} {
		if part(); c.Err() != nil {
			return
		}
	}
}

// array serializes the length of an array and makes it.
func array[T any](c *coder, s *[]T, least int) {
	n, isNil := c.Count(len(*s), *s == nil, least)
	if c.Reading() && !isNil {
		*s = make([]T, n)
	}
}

// id serializes a reference into an array of that length.
func id[ID ~int32](c *coder, v, before *ID, length int) {
	if pack.Delta(c.Archive, v, before); int(*v) < 0 || int(*v) >= length {
		c.wrong(int(*v), length)
	}
}

// option is id for a reference that may be absent.
func option[ID ~int32](c *coder, v, before *ID, length int) {
	if pack.Delta(c.Archive, v, before); int(*v) < brep.None || int(*v) >= length {
		c.wrong(int(*v), length)
	}
}

// wrong reports an invalid reference when reading; when writing, the reference is written unchanged.
func (c *coder) wrong(id, length int) {
	if c.Reading() {
		c.Fail("there is no entity %d of %d", id, length)
	}
}

// lists serializes a list of references for each entity. The lists that are read lie in one array.
func lists[E any, ID ~int32](c *coder, of []E, list func(*E) *[]ID, length int) {
	all := 0
	for i := range of {
		all += len(*list(&of[i]))
	}
	all, _ = c.Count(all, false, 1)
	var room []ID
	if c.Reading() {
		room = make([]ID, all)
	}
	var before ID
	for i := range of {
		l := list(&of[i])
		n, isNil := c.Count(len(*l), *l == nil, 1)
		if c.Reading() {
			if n > len(room) {
				c.Fail("lists contain more than %d references", all)
				return
			}
			if !isNil {
				*l, room = room[:n:n], room[n:]
			}
		}
		for k := range *l {
			id(c, &(*l)[k], &before, length)
		}
	}
}

func (c *coder) solids() {
	var source int64
	for i := range c.m.Solids {
		s := &c.m.Solids[i]
		c.String(&s.Name)
		pack.Delta(c.Archive, &s.Source, &source)
	}
	lists(c, c.m.Solids, func(s *brep.Solid) *[]brep.ShellID { return &s.Shells }, c.size.Shells)
}

func (c *coder) shells() {
	var source int64
	var solid brep.SolidID
	for i := range c.m.Shells {
		s := &c.m.Shells[i]
		option(c, &s.Solid, &solid, c.size.Solids)
		c.Flags(&s.IsVoid)
		pack.Delta(c.Archive, &s.Source, &source)
	}
	lists(c, c.m.Shells, func(s *brep.Shell) *[]brep.FaceID { return &s.Faces }, c.size.Faces)
}

func (c *coder) faces() {
	var source int64
	var shell brep.ShellID
	var origin int32
	for i := range c.m.Faces {
		f := &c.m.Faces[i]
		id(c, &f.Shell, &shell, c.size.Shells)
		carrier := f.Surface
		c.g.Surface(&carrier)
		c.Flags(&f.Reversed)
		c.String(&f.Name)
		color := f.Color
		c.color(&color)
		if c.Reading() {
			f.Surface, f.Color = carrier, color
		}
		pack.Delta(c.Archive, &f.Origin, &origin)
		pack.Delta(c.Archive, &f.Source, &source)
		if c.Err() != nil {
			return
		}
	}
	lists(c, c.m.Faces, func(f *brep.Face) *[]brep.LoopID { return &f.Loops }, c.size.Loops)
}

// color serializes a color, which may be nil; a repeated one takes its number only.
func (c *coder) color(v **brep.Color) {
	var number uint64 // 0: no color; 1: a new one; from 2 on earlier ones
	var color brep.Color
	if !c.Reading() && *v != nil {
		color = **v
		number = 1
		for i := range c.colors {
			if c.colors[i] == color {
				number = uint64(i) + 2
			}
		}
	}
	c.Uint(&number)
	switch {
	case number == 0:
		return
	case number == 1:
		c.Floats(&color.R, &color.G, &color.B)
		c.colors = append(c.colors, color)
	case number-2 < uint64(len(c.colors)):
		color = c.colors[number-2]
	default:
		c.Fail("there is no color %d of %d", number-2, len(c.colors))
	}
	*v = &color
}

func (c *coder) loops() {
	var source int64
	var face brep.FaceID
	var vertex brep.VertexID
	for i := range c.m.Loops {
		l := &c.m.Loops[i]
		id(c, &l.Face, &face, c.size.Faces)
		option(c, &l.Vertex, &vertex, c.size.Vertices)
		pack.Delta(c.Archive, &l.Source, &source)
	}
	lists(c, c.m.Loops, func(l *brep.Loop) *[]brep.CoedgeID { return &l.Coedges }, c.size.Coedges)
}

func (c *coder) coedges() {
	var loop brep.LoopID
	var edge brep.EdgeID
	for i := range c.m.Coedges {
		ce := &c.m.Coedges[i]
		id(c, &ce.Loop, &loop, c.size.Loops)
		id(c, &ce.Edge, &edge, c.size.Edges)
		c.Flags(&ce.Reversed)
	}
}

func (c *coder) edges() {
	var source int64
	var start, end brep.VertexID
	for i := range c.m.Edges {
		e := &c.m.Edges[i]
		shape := e.Curve
		if c.g.Curve(&shape); c.Reading() {
			e.Curve = shape
		}
		c.Sparse(&e.Range.Lo)
		c.Float(&e.Range.Hi)
		id(c, &e.Start, &start, c.size.Vertices)
		id(c, &e.End, &end, c.size.Vertices)
		c.Sparse(&e.Tolerance)
		pack.Delta(c.Archive, &e.Source, &source)
		if c.Err() != nil {
			return
		}
	}
	lists(c, c.m.Edges, func(e *brep.Edge) *[]brep.CoedgeID { return &e.Coedges }, c.size.Coedges)
}

func (c *coder) vertices() {
	var source int64
	for i := range c.m.Vertices {
		v := &c.m.Vertices[i]
		c.Vec(&v.Point)
		c.Sparse(&v.Tolerance)
		pack.Delta(c.Archive, &v.Source, &source)
	}
}

func (c *coder) warnings() {
	pack.Slice(c.Archive, &c.m.Warnings, 4, func(w *fault.Warning) { Warning(c.Archive, w) })
}

// Warning serializes a warning for packages that store their own.
func Warning(c *pack.Archive, w *fault.Warning) {
	c.String(&w.Code)
	c.String(&w.Message)
	c.String(&w.Entity)
	pack.Integer(c, &w.Count)
}
