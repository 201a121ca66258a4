package xt

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Variable is the count of a field whose number of elements is stated in each node. A count of 0 is a single value.
const Variable = 1

// Limits of the declarations in a stream, far above any schema.
const (
	maxFields  = 255
	maxElement = 1024 // of a field of fixed length
)

// Field is one field of a layout. Its kinds are the letters of the format: u byte, c character, l logical, n short,
// w UTF-16 unit, d integer, t tag, p pointer, f real, i interval, v vector, h position, b box.
type Field struct {
	Name  string
	Kind  byte
	Count int // 0 for one value, Variable, or a fixed number
	at    int // word of the node at which its values begin
	words int // number of words; of a variable field, per element
}

// layout lists the fields of the nodes of one type.
type layout struct {
	kind   int
	name   string
	fields []Field
	slots  []uint8 // field numbers, in an open hash table by name; 0: empty slot
	runs   []run
	words  int // of all fields except a variable one
}

// run is a sequence of values of one kind.
type run struct {
	kind       byte
	count      int
	isVariable bool // each node states the number of values
	isText     bool
}

// slot returns the first index in the hash table to probe for a name.
func (l *layout) slot(name string) int {
	h := len(name)
	if h > 0 {
		h += 7*int(name[0]) + 13*int(name[h-1]) + 31*int(name[h/2])
	}
	return h & (len(l.slots) - 1)
}

// field returns the field with the given name, or nil.
func (l *layout) field(name string) *Field {
	for at := l.slot(name); ; at = (at + 1) & (len(l.slots) - 1) {
		i := l.slots[at]
		if i == 0 {
			return nil
		}
		if f := &l.fields[i-1]; f.Name == name {
			return f
		}
	}
}

// index builds the hash table of names. Of two fields with one name, the last is found.
func (l *layout) index() {
	l.slots = make([]uint8, 2<<bits.Len(uint(len(l.fields))))
	for i := range l.fields {
		at := l.slot(l.fields[i].Name)
		for l.slots[at] != 0 && l.fields[l.slots[at]-1].Name != l.fields[i].Name {
			at = (at + 1) & (len(l.slots) - 1)
		}
		l.slots[at] = uint8(i + 1)
	}
}

// join combines the fields into runs.
func (l *layout) join() {
	for i := range l.fields {
		f := &l.fields[i]
		r := run{f.Kind, max(1, f.Count), f.Count == Variable, f.Kind == 'c' && f.Count > 0}
		if last := len(l.runs) - 1; last >= 0 && !r.isVariable && !r.isText && l.runs[last].kind == r.kind &&
			!l.runs[last].isText {
			l.runs[last].count += r.count
			continue
		}
		l.runs = append(l.runs, r)
	}
}

// width returns the number of words in a value of a kind, or 0 for an unknown letter.
func width(kind byte) int {
	switch kind {
	case 'u', 'c', 'l', 'n', 'w', 'd', 't', 'p', 'f':
		return 1
	case 'i':
		return 2
	case 'v', 'h':
		return 3
	case 'b':
		return 6
	}
	return 0
}

// newLayout checks and completes a layout.
func newLayout(kind int, name string, fields []Field) (*layout, error) {
	l := &layout{kind: kind, name: name, fields: slices.Clone(fields)}
	for i := range l.fields {
		f := &l.fields[i]
		w := width(f.Kind)
		switch {
		case w == 0:
			return nil, fmt.Errorf("field %q of %s has the unknown type %q", f.Name, name, f.Kind)
		case f.Count < 0 || f.Count > maxElement:
			return nil, fmt.Errorf("field %q of %s counts %d elements", f.Name, name, f.Count)
		case f.Count == Variable && i < len(fields)-1:
			return nil, fmt.Errorf("field %q of %s has any length and is not the last", f.Name, name)
		}
		f.at = l.words
		switch {
		case f.Kind == 'c' && f.Count > 0:
			f.words = 1 // the number of its text
			l.words++
		case f.Count == Variable:
			f.words = w
		default:
			f.words = w * max(1, f.Count)
			l.words += f.words
		}
	}
	l.index()
	l.join()
	return l, nil
}

// isVariable reports whether each node of the layout states the number of elements of its last field.
func (l *layout) isVariable() bool {
	return len(l.fields) > 0 && l.fields[len(l.fields)-1].Count == Variable
}

// parseFields reads "name kind, name kind[n], …". [] is a variable length, and @ the fields common to all geometry.
func parseFields(text string) []Field {
	const geometry = "node_id d, attributes p, owner p, next p, previous p, geometric_owner p, sense c"
	var out []Field
	for item := range strings.SplitSeq(strings.ReplaceAll(text, "@", geometry), ",") {
		name, kind, _ := strings.Cut(strings.TrimSpace(item), " ")
		f := Field{Name: name, Kind: kind[0]}
		if count, ok := strings.CutPrefix(kind[1:], "["); ok {
			if f.Count = Variable; count != "]" {
				f.Count, _ = strconv.Atoi(strings.TrimSuffix(count, "]"))
			}
		}
		out = append(out, f)
	}
	return out
}

// baseSchema is the number of the schema that embedded schemas edit.
const baseSchema = 13006

// baseFields are the fields of the node types of schema 13006 and their names, by type.
var baseFields = sync.OnceValues(func() (fields map[int][]Field, names map[int]string) {
	fields, names = map[int][]Field{}, map[int]string{}
	for entry := range strings.SplitSeq(strings.ReplaceAll(base13006, "\n  ", " "), "\n") {
		head, list, _ := strings.Cut(entry, ": ")
		number, name, _ := strings.Cut(head, " ")
		kind, _ := strconv.Atoi(number)
		fields[kind], names[kind] = parseFields(list), name
	}
	return fields, names
})

// baseLayouts are the layouts of schema 13006 by type. Most of them are the same in later schemas.
var baseLayouts = sync.OnceValue(func() map[int]*layout {
	fields, names := baseFields()
	all := map[int]*layout{}
	for kind := range fields {
		l, err := newLayout(kind, names[kind], fields[kind])
		if err != nil {
			panic(err) // base.go is wrong
		}
		all[kind] = l
	}
	return all
})

// change is a difference between a schema and the schema before it.
type change struct {
	since  int    // schema number
	kind   int    // node type
	before string // the new fields come before this one; at the end if ""
	drop   string // the new fields replace this one, or all fields if "*"
	fields string
}

// changes are the differences from the base schema on, as streams with embedded schemas state them.
var changes = []change{
	{since: 18106, kind: 101, before: "highest_id", fields: "attdef_list p"},
	{since: 18106, kind: 70, drop: "*", fields: "node_id d, list_type u, notransmit l, owner p, next p, previous p, " +
		"list_length d, block_length d, finger_index d, finger_block p, list_block p"},
	{since: 19008, kind: 12, fields: "index_map_offset d, index_map p, node_id_index_map p, schema_embedding_map p"},
	{since: 19008, kind: 74, before: "next_block", fields: "index_map_offset d"},
	{since: 19008, kind: 101, fields: "index_map_offset d, index_map p, schema_embedding_map p"},
	{since: 25001, kind: 12, drop: "owner", before: "body_type", fields: "owner p"},
	{since: 25001, kind: 12, fields: "child p, lowest_node_id d"},
	{since: 25001, kind: 19, fields: "owner p"},
	{since: 26105, kind: 12, before: "index_map_offset", fields: "boundary_mesh p"},
	{since: 28101, kind: 12, before: "key", fields: "mesh p, polyline p"},
	{since: 28101, kind: 12, drop: "boundary_mesh", before: "region", fields: "boundary_mesh p, boundary_polyline p"},
	{since: 28101, kind: 41, before: "type", fields: "term_use c"},
	{since: 28101, kind: 101, before: "alive", fields: "mesh p, polyline p"},
	{since: 30000, kind: 38, fields: "intersection_data p"},
	{since: 30000, kind: 204, fields: "uv_type u, values f[]"},
}

// older changes fields to the layouts of schemas before the base schema.
func older(schema int, fields map[int][]Field) {
	if schema >= 11004 {
		return
	}
	without := func(kind int, name string) {
		fields[kind] = slices.DeleteFunc(slices.Clone(fields[kind]), func(f Field) bool { return f.Name == name })
	}
	without(17, "attributes")
	without(80, "field_names")
	if schema < 10004 {
		without(12, "nom_geom_state")
		for i, f := range fields[80] {
			if f.Name == "legal_owners" {
				fields[80][i].Count = 13
			}
		}
	}
}

// fieldsOf returns the fields of all types in a schema that is not embedded.
func fieldsOf(schema int) map[int][]Field {
	base, _ := baseFields()
	if schema == baseSchema {
		return base
	}
	fields := maps.Clone(base)
	older(schema, fields)
	for _, c := range changes {
		if c.since > schema {
			continue
		}
		list := slices.DeleteFunc(slices.Clone(fields[c.kind]), func(f Field) bool {
			return c.drop == "*" || f.Name == c.drop
		})
		at := slices.IndexFunc(list, func(f Field) bool { return f.Name == c.before })
		if at < 0 {
			at = len(list)
		}
		fields[c.kind] = slices.Insert(list, at, parseFields(c.fields)...)
	}
	return fields
}

// Fields returns the fields of all node types in a schema, and their names, by type.
func Fields(schema int) (fields map[int][]Field, names map[int]string) {
	_, names = baseFields()
	return fieldsOf(schema), names
}
