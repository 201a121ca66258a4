// Package deck reads the file layer of IGES 5.1 to 5.3 (ANS US PRO/IPO-100, chapter 2), in the fixed and in the
// compressed ASCII form. It turns a deck of 80-column cards into global parameters, a table of directory entries and
// the text of their parameters. Package iges interprets the entities.
//
// Method: one pass over the cards. Columns 1 to 64 of the parameter cards are joined into one byte sequence. An entity
// stores its byte range, which is found through its parameter pointer and checked by the back pointers of the cards. A
// cursor reads values from there on demand, so that no values are stored. Cost: linear in the file; memory is four
// fifths of the file's size.
//
// Accepted beyond the standard: any line ending or none, short and long cards, a byte-order mark, lower case, UTF-8
// text that pushes columns to the right, missing cards, wrong parameter pointers, no Terminate section, text after it.
// Not handled: the binary form.
package deck

import (
	"fmt"
	"sort"

	"millwright.dev/millwright/core/fault"
)

// File is a read IGES file. It is immutable and safe for concurrent use.
type File struct {
	Global   Global
	Entities []Entity // in the order of the directory

	// IsCutOff: the file ends before its Terminate section, or in the middle of an entity.
	IsCutOff bool
	// Garbage is the number of lines that belong to no section. Broken is the number of unreadable directory entries.
	// Misplaced is the number of entities whose parameters were found only by their back pointers.
	Garbage, Broken, Misplaced int

	text []byte // parameters of all entities, and a NUL
}

// Entity is a directory entry. Pointers are the odd sequence numbers of other entries, or 0. Where the standard lets a
// field contain a number or a pointer, the pointer is negative.
type Entity struct {
	DE         int32 // odd sequence number of the entry in the directory
	Type, Form int32
	Structure  int32
	LineFont   int32
	Level      int32
	View       int32
	Transform  int32 // pointer to a transformation matrix (124)
	LabelShown int32
	LineWeight int32
	Color      int32 // 1 to 8: a color of the standard; negative: pointer to a definition (314)
	Subscript  int32
	Status     Status
	label      [8]byte

	start, end uint32 // bytes of File.text
}

// Status is the four two-digit parts of the status number.
type Status struct {
	Blank       uint8 // 0 visible, 1 blanked
	Subordinate Subordinate
	Use         uint8 // see UseGeometry and the constants after it
	Hierarchy   uint8 // display attributes of dependents: 0 from this entity, 1 their own, 2 by a property
}

// Subordinate is the dependence of an entity on others.
type Subordinate uint8

// The values of the subordinate switch. Physically dependent entities are parts of other entities.
const (
	Independent Subordinate = iota
	PhysicallyDependent
	LogicallyDependent
	TwiceDependent // physically and logically
)

// Physical reports whether the entity is a part of another one and means nothing without it.
func (s Subordinate) Physical() bool { return s == PhysicallyDependent || s == TwiceDependent }

// The values of Status.Use.
const (
	UseGeometry uint8 = iota
	UseAnnotation
	UseDefinition
	UseOther
	UsePositional
	UseParametric // curve in the parameter plane of a surface
	UseConstruction
)

// Label returns the entity's name in the directory, without the blanks around it.
func (e *Entity) Label() string { return plainText(e.label[:], true) }

// At returns the entity with the odd sequence number de; false when there is none, as for 0 and negative
// ones.
func (f *File) At(de int) (*Entity, bool) {
	if de <= 0 {
		return nil, false
	}
	if i := de / 2; i < len(f.Entities) && int(f.Entities[i].DE) == de {
		return &f.Entities[i], true
	}
	i := sort.Search(len(f.Entities), func(i int) bool { return int(f.Entities[i].DE) >= de })
	if i < len(f.Entities) && int(f.Entities[i].DE) == de {
		return &f.Entities[i], true
	}
	return nil, false
}

// Describe names an entity in messages: "D123 entity 144 (trimmed surface)".
func Describe(e *Entity) fault.Location {
	text := fmt.Sprintf("D%d entity %d", e.DE, e.Type)
	if name := names[e.Type]; name != "" {
		text += " (" + name + ")"
	}
	return fault.Location{ID: fmt.Sprintf("D%d", e.DE), Text: text}
}

// Fail returns the failure that e cannot be used, with the reason as the rest of the sentence.
func Fail(e *Entity, format string, args ...any) error {
	named := Describe(e)
	err := unreadable(named.Text+" "+format+".", args...)
	err.Entity = named.ID
	return err
}

func unreadable(format string, args ...any) *fault.Error {
	return fault.Errorf(fault.UnreadableFile, format, args...)
}
