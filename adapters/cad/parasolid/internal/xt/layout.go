package xt

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Variable is the count of a field that holds as many elements as its node says; a count of 0 is a single value.
const Variable = 1

// Limits of what a stream may declare, far above any schema.
const (
	maxFields  = 255
	maxElement = 1024 // of a field of fixed length
)

// Field is one field of a layout. Its kinds are the letters of the format: u byte, c character, l logical, n short,
// w UTF-16 unit, d integer, t tag, p pointer, f real, i interval, v vector, h position, b box.
type Field struct {
	Name  string
	Kind  byte
	Count int // 0 one value, Variable, or a fixed number
	at    int // word of the node at which its values begin
}

// layout is what the nodes of one type consist of.
type layout struct {
	kind   int
	name   string
	fields []Field
	byName map[string]int
	words  int // of all fields but a variable one
}

// width returns how many words a value of a kind takes, 0 for a letter that is none.
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
	l := &layout{kind: kind, name: name, fields: slices.Clone(fields), byName: make(map[string]int, len(fields))}
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
		l.byName[f.Name] = i
		f.at = l.words
		switch {
		case f.Kind == 'c' && f.Count > 0:
			l.words++ // the number of its text
		case f.Count != Variable:
			l.words += w * max(1, f.Count)
		}
	}
	return l, nil
}

// isVariable reports whether nodes of the layout say how many elements their last field has.
func (l *layout) isVariable() bool {
	return len(l.fields) > 0 && l.fields[len(l.fields)-1].Count == Variable
}

// parseFields reads "name kind, name kind[n], …"; [] is a variable length and @ what all geometry begins with.
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

// change is what a schema has otherwise than the one before it.
type change struct {
	since  int    // schema number
	kind   int    // node type
	before string // where the fields go: before this one; at the end if ""
	drop   string // instead of this field, or of all if "*"
	fields string
}

// changes are those since the base schema, as streams with embedded schemas state them.
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

// older are the layouts of schemas before the base one that differ from it.
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
