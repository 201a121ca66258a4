package machining

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"millwright.dev/millwright/core/usertext"
)

// Fault is one error of a document.
type Fault struct {
	Pointer string // to the value, a JSON pointer (RFC 6901); "": the whole document
	Message string // a sentence that names the field
}

// ValidationError is the list of errors of a value, in the order of the fields.
type ValidationError struct{ Faults []Fault }

// Sentences returns the message of each error.
func (e *ValidationError) Sentences() []string {
	out := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		out[i] = f.Message
	}
	return out
}

// Error joins the sentences.
func (e *ValidationError) Error() string { return strings.Join(e.Sentences(), " ") }

// findings collects faults. Prefix leads to the value within the whole, as "holder.".
type findings struct {
	prefix string
	faults []Fault
}

// in sets the prefix for the fields of an object, and returns a function that restores it.
func (f *findings) in(object string) (back func()) {
	before := f.prefix
	f.prefix += object
	return func() { f.prefix = before }
}

// err is nil when nothing was found.
func (f *findings) err() error {
	if len(f.faults) == 0 {
		return nil
	}
	return &ValidationError{f.faults}
}

// mostFindings is the maximum number of kept faults, more than any client shows.
const mostFindings = 100

// unless adds a fault of a field when ok is false. Its sentence begins with the name of the field.
func (f *findings) unless(ok bool, field, format string, args ...any) {
	if !ok {
		path := f.prefix + field
		f.add(Fault{pointer(path), path + " " + fmt.Sprintf(format, args...)})
	}
}

func (f *findings) add(faults ...Fault) {
	f.faults = append(f.faults, faults[:min(len(faults), mostFindings-len(f.faults))]...)
}

// addUnlessFound adds faults, except those of values that are known to be wrong, are within such a value, or hold one:
// they may follow from it.
func (f *findings) addUnlessFound(faults []Fault) {
	known := f.faults
	for _, later := range faults {
		follows := slices.ContainsFunc(known, func(k Fault) bool {
			a, b := k.Pointer+"/", later.Pointer+"/"
			return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
		})
		if !follows {
			f.add(later)
		}
	}
}

// pointer returns the JSON pointer of a path of known names, as tools[3].holder.name.
func pointer(path string) string {
	return "/" + strings.NewReplacer(".", "/", "[", "/", "]", "").Replace(path)
}

// figure requires a number within the bounds of its field and reports whether it is; NaN is in no bounds.
func (f *findings) figure(document, name string, v float64) bool {
	b := fields[document+"."+name].Bounds
	unit := b.Unit
	if unit != "" && unit != "°" {
		unit = " " + unit
	}
	ok, said := v >= b.Min && v <= b.Max, "must lie between %s and %s%s, not %s."
	if b.Above {
		ok, said = v > b.Min && v <= b.Max, "must be more than %s and at most %s%s, not %s."
	}
	f.unless(ok, name, said, number(b.Min), number(b.Max), unit, number(v))
	return ok
}

// oneOf requires one of some words; for an unknown word it names the nearest one.
func oneOf[T ~string](f *findings, name string, v T, words []T) {
	for _, w := range words {
		if v == w {
			return
		}
	}
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	f.unless(false, name, "must be one of %s, not %s%s", strings.Join(all, ", "), usertext.Quote(string(v)),
		meant(string(v), all))
}

// meant returns the end of a sentence about an unknown word: the nearest known one.
func meant(word string, known []string) string {
	if near := usertext.Nearest(word, known); near != "" {
		return "; is " + near + " meant?"
	}
	return "."
}

// MaxName is the length of the longest name of a tool, holder, machine, material or cut config, bytes.
const MaxName = 200

// text requires printable text of at most MaxName bytes.
func (f *findings) text(name, v string, required bool) {
	f.unless(!required || strings.TrimSpace(v) != "", name, "is missing.")
	f.unless(len(v) <= MaxName, name, "is longer than %d bytes.", MaxName)
	f.unless(utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl), name,
		"holds characters that are not text.")
}

// CheckName reports the errors in the name of a record. Field is its name in the sentences.
func CheckName(field, name string) error {
	var f findings
	f.text(field, name, true)
	return f.err()
}

// number writes a length, angle or factor as a person would.
func number(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprint(v)
	}
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.6g", v)
}
