package part21

import "cmp"

// Ref is an instance of one File. Only that File creates it, and it is not an index. A Ref that leads nowhere, or that
// comes from another File, acts as an instance without name and parameters. The zero Ref is Missing.
type Ref struct {
	row int32 // 1 + index in the instance table, in file order; negated instance number if it is not in the file
}

// Missing is the Ref of nothing: an unset attribute, or a reference to an instance that is not there.
var Missing Ref

// IsLost reports whether r refers to an instance that is not in the file, see Args.Link.
func (r Ref) IsLost() bool { return r.row < 0 }

// refTo returns the Ref of a row of the instance table.
func refTo(row int32) Ref { return Ref{row + 1} }

// Compare orders by position in the file, Missing first.
func (r Ref) Compare(other Ref) int { return cmp.Compare(r.row, other.row) }

// nowhere is the instance for references outside the table.
var nowhere = instance{flags: flagSkipped}

// at returns the instance of r.
func (f *File) at(r Ref) *instance {
	if row := uint(r.row) - 1; row < uint(len(f.table)) {
		return &f.table[row]
	}
	return &nowhere
}

// Table stores a value for every instance of a File in an array, for lookups too frequent for a map.
type Table[T any] struct{ rows []T }

// NewTable returns the table of zero values.
func NewTable[T any](f *File) Table[T] { return Table[T]{make([]T, f.Len())} }

// At returns the value of r, zero where r leads nowhere.
func (t Table[T]) At(r Ref) T {
	if row := uint(r.row) - 1; row < uint(len(t.rows)) {
		return t.rows[row]
	}
	var zero T
	return zero
}

// Set gives r the value v; where r leads nowhere there is nothing to give it to.
func (t Table[T]) Set(r Ref, v T) {
	if row := uint(r.row) - 1; row < uint(len(t.rows)) {
		t.rows[row] = v
	}
}
