// Package xttest writes Parasolid XT data for tests: streams of any nodes, and the nodes of solids.
package xttest

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
)

// Values are the fields of a node by name: *Node, []*Node, int, []int, float64, []float64, bool, byte, string or a
// geom.Vec3. Absent fields are null.
type Values map[string]any

// Node is a node of a stream.
type Node struct {
	Kind, Index int
	Values
}

// Stream is a sequence of nodes; the first added is the root.
type Stream struct {
	Nodes []*Node
	// UserFields is the number of integers after every node.
	UserFields int
}

// Add adds a node.
func (s *Stream) Add(kind int, v Values) *Node {
	if v == nil {
		v = Values{}
	}
	n := &Node{kind, len(s.Nodes) + 1, v}
	s.Nodes = append(s.Nodes, n)
	return n
}

// Form is the encoding of a stream.
type Form struct {
	Encoding Encoding
	Schema   int  // 13006 if 0
	Embedded bool // the stream states the differences of its schema from the base schema
}

// Encoding is one of the three encodings of a stream.
type Encoding int

// The encodings.
const (
	Text Encoding = iota
	Neutral
	Bare
)

// String names the form.
func (f Form) String() string {
	return fmt.Sprintf("%s %d embedded %v", []string{"text", "neutral", "bare"}[f.Encoding], f.schema(), f.Embedded)
}

const base = 13006

func (f Form) schema() int {
	if f.Schema == 0 {
		return base
	}
	return f.Schema
}

// sink writes values in an encoding.
type sink struct {
	Form
	out []byte
}

func (w *sink) order() binary.AppendByteOrder {
	if w.Encoding == Bare {
		return binary.LittleEndian
	}
	return binary.BigEndian
}

// null is the integer for an absent value.
const null = -32764

func (w *sink) number(v any) {
	if v == null {
		w.out = append(w.out, '?')
		return
	}
	w.out = fmt.Appendf(w.out, "%v ", v)
}

func (w *sink) short(i int) {
	if w.Encoding == Text {
		w.number(i)
		return
	}
	w.out = w.order().AppendUint16(w.out, uint16(int16(i)))
}

func (w *sink) byte(i int) {
	if w.Encoding == Text {
		w.number(i)
		return
	}
	w.out = append(w.out, byte(i))
}

func (w *sink) integer(i int) {
	if w.Encoding == Text {
		w.number(i)
		return
	}
	w.out = w.order().AppendUint32(w.out, uint32(int32(i)))
}

func (w *sink) index(i int) {
	const radix = 32767
	switch {
	case w.Encoding == Text:
		w.number(i)
	case i < radix-1:
		w.short(i + 1)
	default:
		w.short(-(i%radix + 1))
		w.short(i / radix)
	}
}

func (w *sink) real(r float64) {
	switch {
	case w.Encoding == Text && math.IsNaN(r):
		w.out = append(w.out, '?')
	case w.Encoding == Text:
		w.number(r)
	case math.IsNaN(r):
		w.out = w.order().AppendUint64(w.out, 0xC2BC928F996E0000)
	default:
		w.out = w.order().AppendUint64(w.out, math.Float64bits(r))
	}
}

func (w *sink) logical(b bool) {
	i := 0
	if b {
		i = 1
	}
	if w.Encoding == Text {
		w.out = append(w.out, "FT"[i])
		return
	}
	w.out = append(w.out, byte(i))
}

func (w *sink) characters(s string) {
	if w.Encoding == Text {
		s = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`, "\x00", `\0`).Replace(s)
	}
	w.out = append(w.out, s...)
}

func (w *sink) word(s string) {
	w.byte(len(s))
	w.characters(s)
}

// Encode writes the stream.
func (s *Stream) Encode(f Form) []byte {
	w := &sink{Form: f}
	key := fmt.Sprintf("SCH_%d00000_%d", f.schema()/1000, f.schema())
	if f.Embedded {
		key += fmt.Sprint("_", base)
	}
	const description = ": TRANSMIT FILE created by modeller version 1300000"
	switch f.Encoding {
	case Text:
		w.out = append(w.out, 'T')
		w.number(len(description))
	case Neutral:
		w.out = append(w.out, "PS\x00\x00"...)
		w.short(len(description))
	case Bare:
		w.out = append(w.out, 'B')
		w.integer(len(description))
	}
	w.characters(description)
	w.integer(len(key))
	w.characters(key)
	if f.Embedded {
		w.short(999)
	}
	w.integer(s.UserFields)
	fields, names := xt.Fields(f.schema())
	before, _ := xt.Fields(base)
	met := map[int]bool{}
	for _, n := range s.Nodes {
		w.short(n.Kind)
		if f.Embedded && !met[n.Kind] {
			w.schema(before[n.Kind], fields[n.Kind], names[n.Kind])
		}
		met[n.Kind] = true
		w.node(n, fields[n.Kind])
		for range s.UserFields {
			w.integer(7)
		}
	}
	w.short(1)
	w.index(0)
	if f.Encoding == Text {
		return wrap(w.out)
	}
	return w.out
}

// schema states the fields of a type as edits of the fields in the base schema.
func (w *sink) schema(before, now []xt.Field, name string) {
	if slices.Equal(before, now) {
		w.byte(255)
		return
	}
	w.byte(len(now))
	if before == nil {
		w.word(name)
		w.word("")
		for _, f := range now {
			w.definition(f)
		}
		return
	}
	for _, f := range now {
		for len(before) > 0 && before[0] != f && !slices.Contains(now, before[0]) {
			w.characters("D")
			before = before[1:]
		}
		switch {
		case len(before) > 0 && before[0] == f:
			w.characters("C")
			before = before[1:]
			continue
		case len(before) > 0:
			w.characters("I")
		default:
			w.characters("A")
		}
		w.definition(f)
	}
	w.characters("Z")
}

func (w *sink) definition(f xt.Field) {
	w.word(f.Name)
	if f.Kind == 'p' {
		w.short(1000)
	} else {
		w.short(0)
	}
	w.index(f.Count)
	if f.Kind != 'p' {
		w.word(string(f.Kind))
	}
	if f.Count == xt.Variable {
		w.logical(true)
	}
}

// node writes a node behind its type.
func (w *sink) node(n *Node, fields []xt.Field) {
	last := fields[len(fields)-1]
	if last.Count == xt.Variable {
		w.integer(length(n.Values[last.Name], last.Kind))
	}
	w.index(n.Index)
	for _, f := range fields {
		v := n.Values[f.Name]
		count := max(1, f.Count)
		if f.Count == xt.Variable {
			count = length(v, f.Kind)
		}
		for i := range count {
			w.value(f.Kind, element(v, f.Kind, i))
		}
	}
}

// length returns the number of elements of a value.
func length(v any, kind byte) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case []int:
		return len(v)
	case []*Node:
		return len(v)
	case []float64:
		if kind == 'h' || kind == 'v' {
			return len(v) / 3
		}
		return len(v)
	}
	return 0
}

// element returns one element of a value.
func element(v any, kind byte, i int) any {
	switch v := v.(type) {
	case string:
		return v[i]
	case []int:
		return v[i]
	case []*Node:
		return v[i]
	case []float64:
		if kind == 'h' || kind == 'v' {
			return geom.Vec3{X: v[3*i], Y: v[3*i+1], Z: v[3*i+2]}
		}
		return v[i]
	}
	return v
}

func (w *sink) value(kind byte, v any) {
	switch kind {
	case 'p':
		n, _ := v.(*Node)
		if n == nil {
			n = &Node{}
		}
		w.index(n.Index)
	case 'f':
		r, ok := v.(float64)
		if !ok {
			r = math.NaN()
		}
		w.real(r)
	case 'v', 'h':
		p, ok := v.(geom.Vec3)
		switch {
		case ok:
			w.real(p.X)
			w.real(p.Y)
			w.real(p.Z)
		case w.Encoding == Text:
			w.out = append(w.out, '?')
		default:
			w.real(math.NaN())
			w.real(0)
			w.real(0)
		}
	case 'i', 'b':
		for range map[byte]int{'i': 2, 'b': 6}[kind] {
			w.real(0)
		}
	case 'l':
		b, _ := v.(bool)
		w.logical(b)
	case 'c':
		c, _ := v.(byte)
		if c == 0 {
			c = '?'
		}
		w.characters(string(rune(c)))
	case 'u':
		i, _ := v.(int)
		w.byte(i)
	case 'n', 'w':
		i, _ := v.(int)
		w.short(i)
	default:
		i, _ := v.(int)
		w.integer(i)
	}
}

// wrap breaks text into lines, at any character.
func wrap(text []byte) []byte {
	const columns = 80
	var out []byte
	for len(text) > columns {
		out = append(append(out, text[:columns]...), '\n')
		text = text[columns:]
	}
	return append(append(out, text...), '\n')
}
