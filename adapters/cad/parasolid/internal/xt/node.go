package xt

import "math"

// Null is the integer for an absent value. An absent real is NaN.
const Null = math.MinInt32

// Node is a node of a stream; the zero Node represents a missing one. Fields are read by name. A field that the type
// lacks, or that the schema of the stream lacks, reads as null, empty or the zero Node.
type Node struct {
	s  *Stream
	at int // record number, from 1; 0: no node
}

// record locates the values of a node.
type record struct {
	*layout
	index int32
	count int32 // elements of a variable field
	first int32 // of its words
}

// OK reports whether there is a node.
func (n Node) OK() bool { return n.at > 0 }

func (n Node) record() *record { return &n.s.records[n.at-1] }

// Kind returns the number of the node's type, or 0 for the zero Node.
func (n Node) Kind() int {
	if !n.OK() {
		return 0
	}
	return n.record().kind
}

// Type returns the name of the node's type.
func (n Node) Type() string {
	if !n.OK() {
		return ""
	}
	return n.record().name
}

// Stream returns the stream that the node is of.
func (n Node) Stream() *Stream { return n.s }

// Place returns the position of the node in its stream, from 1, or 0 for the zero Node.
func (n Node) Place() int { return n.at }

// Index returns the number of the node in its stream.
func (n Node) Index() int {
	if !n.OK() {
		return 0
	}
	return int(n.record().index)
}

// words returns the values of a field.
func (n Node) words(name string) (f *Field, words []uint64) {
	if !n.OK() {
		return nil, nil
	}
	r := n.record()
	f = r.field(name)
	if f == nil {
		return nil, nil
	}
	from, count := int(r.first)+f.at, f.words
	if f.Count == Variable && f.Kind != 'c' {
		count *= int(r.count)
	}
	return f, n.s.words[from : from+count]
}

// Int returns an integer, character or logical, or 0 if it is absent.
func (n Node) Int(name string) int {
	if _, w := n.words(name); len(w) > 0 {
		if i := int(int64(w[0])); i != Null {
			return i
		}
	}
	return 0
}

// Flag returns a logical.
func (n Node) Flag(name string) bool { return n.Int(name) == 1 }

// Is reports whether a character has a value.
func (n Node) Is(name string, c byte) bool { return n.Int(name) == int(c) }

// Real returns a real, or NaN if it is absent.
func (n Node) Real(name string) float64 {
	if _, w := n.words(name); len(w) > 0 {
		return math.Float64frombits(w[0])
	}
	return math.NaN()
}

// Reals returns all numbers of a field: a vector has three.
func (n Node) Reals(name string) []float64 {
	_, w := n.words(name)
	out := make([]float64, len(w))
	for i := range w {
		out[i] = math.Float64frombits(w[i])
	}
	return out
}

// Three returns the first three numbers of a field, for example of a vector. ok is false if it has fewer.
func (n Node) Three(name string) (of [3]float64, ok bool) {
	_, w := n.words(name)
	if len(w) < len(of) {
		return of, false
	}
	for i := range of {
		of[i] = math.Float64frombits(w[i])
	}
	return of, true
}

// Ints returns all integers of a field.
func (n Node) Ints(name string) []int {
	_, w := n.words(name)
	out := make([]int, len(w))
	for i := range w {
		out[i] = int(int64(w[i]))
	}
	return out
}

// Text returns characters.
func (n Node) Text(name string) string {
	f, w := n.words(name)
	switch {
	case len(w) == 0:
		return ""
	case f.Kind == 'c' && f.Count > 0:
		return n.s.texts[w[0]]
	case f.Kind == 'w':
		runes := make([]rune, len(w)) // names are in the basic plane
		for i := range w {
			runes[i] = rune(w[i] & 0xffff)
		}
		return string(runes)
	}
	return ""
}

// To returns the node of a pointer, or the zero Node if the pointer is null or dangling.
func (n Node) To(name string) Node {
	if _, w := n.words(name); len(w) > 0 {
		return n.s.Node(int(w[0]))
	}
	return Node{}
}

// All returns the nodes of an array of pointers; null pointers give zero Nodes.
func (n Node) All(name string) []Node {
	_, w := n.words(name)
	out := make([]Node, len(w))
	for i := range w {
		out[i] = n.s.Node(int(w[i]))
	}
	return out
}
