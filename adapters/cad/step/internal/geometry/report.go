// Package geometry reads the points, placements, curves and surfaces of STEP files in mm and radians, with the units of
// the representation they belong to. An error names the faulty entity in a sentence.
package geometry

import (
	"fmt"
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/core/fault"
)

// Document is a file whose instances are being read. Reading changes only the units and the warnings, which belong to
// one goroutine.
type Document struct {
	File *part21.File
	Journal
	contexts map[part21.Ref]Units
}

// New returns the document of a file that was read with schema.Vocabulary.
func New(file *part21.File) *Document {
	return &Document{File: file, contexts: map[part21.Ref]Units{}}
}

// Entity names an instance in messages: "#1234 ADVANCED_FACE".
func (d *Document) Entity(r part21.Ref) fault.Location {
	if r == part21.Missing {
		return fault.Location{Text: "an entity that is not there"}
	}
	if r.IsLost() {
		return Numbered(d.File.ID(r), "")
	}
	return Numbered(d.File.ID(r), d.File.Name(r))
}

// Numbered is the entity with a number in the file and its name, which may be "".
func Numbered(id int64, name string) fault.Location {
	number := fmt.Sprintf("#%d", id)
	return fault.Location{ID: number, Text: strings.TrimSuffix(number+" "+name, " ")}
}

// Fail returns the failure that r cannot be used, with the reason as the rest of the sentence.
func (d *Document) Fail(r part21.Ref, format string, args ...any) error {
	e := d.Entity(r)
	return &fault.Error{Code: fault.UnreadableFile, Entity: e.ID,
		Reason: e.Text + " " + fmt.Sprintf(format, args...) + "."}
}

// Check returns the error of reading the parameters of r, or nil. Call it once, after the last parameter.
func (d *Document) Check(r part21.Ref, a *part21.Args) error {
	ordinal, absent := a.Problem()
	if ordinal == 0 && absent == 0 {
		return nil
	}
	if reason := d.File.Fault(r); reason != "" {
		return d.Fail(r, "breaks the grammar of ISO 10303-21: %s", reason)
	}
	if uri, ok := d.external(absent); ok {
		return d.Fail(r, "refers to #%d, which is in the file %q, which was not read", absent, uri)
	}
	if absent != 0 {
		return d.Fail(r, "refers to #%d, which is not in the file%s", absent, d.CutOff())
	}
	return d.Fail(r, "has no usable value as parameter %d", ordinal)
}

// external returns where an instance is that a REFERENCE section names.
func (d *Document) external(id int64) (uri string, ok bool) {
	for _, e := range d.File.Externals {
		if e.ID == id && id != 0 {
			return e.URI, true
		}
	}
	return "", false
}

// CutOff ends a sentence about something missing in a file that ends too early.
func (d *Document) CutOff() string {
	if d.File.IsCutOff {
		return "; the file looks cut off"
	}
	return ""
}

// WrongType returns the failure that r is not of the wanted type, for example "a curve".
func (d *Document) WrongType(r part21.Ref, wanted string) error {
	if r == part21.Missing {
		return &fault.Error{Code: fault.UnreadableFile, Reason: "A reference to " + wanted + " is missing."}
	}
	if reason := d.File.Fault(r); reason != "" {
		return d.Fail(r, "breaks the grammar of ISO 10303-21: %s", reason)
	}
	return d.Fail(r, "is used as %s but its type is not supported", wanted)
}

// Journal collects warnings: one for each code, with the first detail and a count.
type Journal struct{ Warnings []fault.Warning }

// Warn records count cases of a repair or an omission; it ignores a count of 0.
func (j *Journal) Warn(code string, count int, format string, args ...any) {
	if count > 0 {
		j.Add(fault.Warnf(code, count, format, args...))
	}
}

// Add records a warning.
func (j *Journal) Add(w fault.Warning) {
	for i := range j.Warnings {
		if j.Warnings[i].Code == w.Code {
			j.Warnings[i].Count += w.Count
			return
		}
	}
	j.Warnings = append(j.Warnings, w)
}

// HasWarning reports whether a warning with the code was given.
func (j *Journal) HasWarning(code string) bool {
	for _, w := range j.Warnings {
		if w.Code == code {
			return true
		}
	}
	return false
}
