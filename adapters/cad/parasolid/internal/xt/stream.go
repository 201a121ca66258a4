// Package xt reads the node streams of Parasolid XT data: text, neutral binary and bare binary, with an embedded schema
// or a known one.
//
// A stream is a prologue (description, schema key, size of user fields) and a sequence of nodes up to a terminator. A
// node consists of the number of its type, an index for pointers to it, and the fields of its type's layout. Layouts
// are the layouts of schema 13006. A stream of a later schema states, at the first node of each type, the differences
// of its layout (edit.go). Fields are read by name, because positions change between schemas. This package does not
// interpret nodes.
//
// Cost: linear in the size of the stream; a value takes eight bytes. Roll-back data ("deltas") have a different framing
// and are not read.
package xt

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/fault"
)

// Stream is a decoded stream.
type Stream struct {
	Description string // for example ": TRANSMIT FILE created by modeller version 2600169"
	Schema      string // schema key
	Header      Header

	records []record
	places  []int32 // position in records, from 1, by index; 0 without a node
	words   []uint64
	texts   []string
}

// maxWords bounds the values of a stream: half a gigabyte.
const maxWords = 1 << 26

// terminator is the type of the node that ends a stream.
const terminator = 1

// Node returns the node with an index, or the zero Node.
func (s *Stream) Node(index int) Node {
	if index > 0 && index < len(s.places) && s.places[index] > 0 {
		return Node{s, int(s.places[index])}
	}
	return Node{}
}

// Root returns the first node.
func (s *Stream) Root() Node {
	if n := s.Node(1); n.OK() || len(s.records) == 0 {
		return n
	}
	return Node{s, 1}
}

// Len returns the number of nodes.
func (s *Stream) Len() int { return len(s.records) }

// Of yields the nodes of a type in the order of the stream.
func (s *Stream) Of(kind int) iter.Seq[Node] {
	return func(yield func(Node) bool) {
		for i := range s.records {
			if s.records[i].kind == kind && !yield(Node{s, i + 1}) {
				return
			}
		}
	}
}

// IsDeltas reports whether data is a stream of roll-back data.
func IsDeltas(data []byte) bool {
	const probe = 96
	return strings.Contains(string(data[:min(len(data), probe)]), "TRANSMIT FILE (deltas)")
}

// Decode reads a stream, with or without a text header. Errors are *fault.Error or the error of ctx.
func Decode(ctx context.Context, data []byte) (*Stream, error) {
	header, rest, err := cutHeader(data)
	if err != nil {
		return nil, err
	}
	in, err := open(rest)
	if err != nil {
		return nil, err
	}
	// In binary data a value takes more than 3.5 bytes on average, and a node more than 35.
	values, nodes := min(len(rest), maxWords)*2/7, min(len(rest), maxWords)/35
	const gaps = 1 << 20
	d := decoder{source: in, most: gaps + min(len(rest), maxWords), Stream: &Stream{
		Header: header, places: make([]int32, nodes), records: make([]record, 0, nodes),
		words: make([]uint64, 0, values),
	}}
	if err := d.prologue(); err != nil {
		return nil, err
	}
	if err := d.nodes(ctx); err != nil {
		return nil, err
	}
	return d.Stream, nil
}

// decoder is the state of Decode.
type decoder struct {
	source
	*Stream
	isEmbedded bool
	userFields int
	most       int             // the largest valid index: indices ascend, with gaps
	fields     map[int][]Field // of the schema, or of the base schema if it is embedded
	layouts    []*layout       // of the types read so far, by type
}

func (d *decoder) fail(format string, args ...any) error {
	behind := ""
	if n := len(d.records); n > 0 {
		behind = fmt.Sprintf(" behind node %d, a %s", d.records[n-1].index, d.records[n-1].name)
	}
	if d.isShort() {
		return fault.Errorf(fault.UnreadableFile,
			"The Parasolid data end in the middle%s; they may have been cut off.", behind)
	}
	return fault.Errorf(fault.UnreadableFile, "The Parasolid data cannot be read%s: %s.", behind,
		fmt.Sprintf(format, args...))
}

// prologue reads the data before the nodes.
func (d *decoder) prologue() error {
	d.Description, d.Schema = d.prose(d.descriptionLength()), d.prose(d.integer())
	if d.isShort() || !strings.HasPrefix(d.Schema, "SCH_") {
		return fault.Errorf(fault.UnreadableFile, "The Parasolid data begin with no schema key.")
	}
	numbers := strings.Split(strings.TrimPrefix(d.Schema, "SCH_"), "_")
	schema, err := strconv.Atoi(numbers[min(1, len(numbers)-1)])
	if err != nil || len(numbers) < 2 || len(numbers) > 3 {
		return fault.Errorf(fault.UnreadableFile,
			"The Parasolid data have the schema key %q, which means nothing.", d.Schema)
	}
	const oldest, newest = 9008, 30999 // schemas with known layouts
	if len(numbers) == 3 {
		d.isEmbedded = true
		if numbers[2] != strconv.Itoa(baseSchema) {
			return fault.Errorf(fault.UnsupportedVersion,
				"The Parasolid data are of a schema that builds on schema %s; only %d is known.",
				numbers[2], baseSchema)
		}
		schema = baseSchema
		d.short() // the highest type
	} else if schema < oldest || schema > newest {
		return fault.Errorf(fault.UnsupportedVersion,
			"The Parasolid data are of schema %d, which cannot be read; export the part as STEP.", schema)
	}
	const mostUserFields = 16
	if d.userFields = d.integer(); d.isShort() || d.userFields < 0 || d.userFields > mostUserFields {
		return d.fail("user fields of size %d", d.userFields)
	}
	d.fields = fieldsOf(schema)
	return nil
}

// nodes reads all nodes up to the terminator.
func (d *decoder) nodes(ctx context.Context) error {
	const betweenChecks = 4096
	for n := 0; ; n++ {
		if n%betweenChecks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		kind := d.short()
		if kind == terminator || d.isShort() {
			if index := d.index(); d.isShort() || index != 0 {
				return d.fail("the terminator has index %d", index)
			}
			return nil
		}
		if err := d.node(kind); err != nil {
			return err
		}
	}
}

// node reads a node whose type is known.
func (d *decoder) node(kind int) error {
	const most = 1 << 15
	if kind < 0 || kind >= most {
		return d.fail("node type %d is not known", kind)
	}
	if kind >= len(d.layouts) {
		d.layouts = append(d.layouts, make([]*layout, kind+1-len(d.layouts))...)
	}
	l := d.layouts[kind]
	if l == nil {
		var err error
		if l, err = d.layout(kind); err != nil {
			return err
		}
		d.layouts[kind] = l
	}
	count := 0
	if l.isVariable() {
		if count = d.integer(); count < 0 || count > d.left() {
			return d.fail("a %s counts %d elements", l.name, count)
		}
	}
	index := d.index()
	if d.isShort() || index <= 0 || index > d.most || d.Node(index).OK() {
		return d.fail("a %s has the index %d", l.name, index)
	}
	if len(d.words)+l.words+6*count > maxWords {
		return fault.Errorf(fault.TooComplex, "The Parasolid data hold more than %d values.", maxWords)
	}
	d.records = append(d.records, record{l, int32(index), int32(count), int32(len(d.words))})
	for index >= len(d.places) {
		d.places = append(d.places, make([]int32, max(index+1-len(d.places), len(d.places)))...)
	}
	d.places[index] = int32(len(d.records))
	for _, r := range l.runs {
		n := r.count
		if r.isVariable {
			n = count
		}
		if r.isText {
			d.words = append(d.words, uint64(len(d.texts)))
			d.texts = append(d.texts, d.characters(n))
			continue
		}
		d.words = d.values(d.words, r.kind, n)
	}
	for range d.userFields {
		d.integer()
	}
	if d.isShort() {
		return d.fail("")
	}
	return nil
}
