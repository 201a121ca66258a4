package machining

import (
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"millwright.dev/millwright/core/usertext"
)

// ValidationError is the list of errors of a value: one sentence for each, in the order of the fields.
type ValidationError struct{ Sentences []string }

// Error joins the sentences.
func (e *ValidationError) Error() string { return strings.Join(e.Sentences, " ") }

// findings collects sentences. Prefix leads to the value within the whole, as "holder.".
type findings struct {
	prefix    string
	sentences []string
}

// err is nil when nothing was found.
func (f *findings) err() error {
	if len(f.sentences) == 0 {
		return nil
	}
	return &ValidationError{f.sentences}
}

// mostFindings is the maximum number of kept sentences, more than any client shows.
const mostFindings = 100

// unless adds a sentence when ok is false.
func (f *findings) unless(ok bool, format string, args ...any) {
	if !ok && len(f.sentences) < mostFindings {
		f.sentences = append(f.sentences, fmt.Sprintf(format, args...))
	}
}

// within requires a number in [low, high] and reports whether it is; NaN is in no range.
func (f *findings) within(name string, v, low, high float64, unit string) bool {
	ok := v >= low && v <= high
	f.unless(ok, "%s%s must lie between %s and %s%s, not %s.",
		f.prefix, name, number(low), number(high), unit, number(v))
	return ok
}

// positive requires a number in (0, high] and reports whether it is.
func (f *findings) positive(name string, v, high float64, unit string) bool {
	ok := v > 0 && v <= high
	f.unless(ok, "%s%s must be more than 0 and at most %s%s, not %s.",
		f.prefix, name, number(high), unit, number(v))
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
	f.unless(false, "%s%s must be one of %s, not %s%s", f.prefix, name, strings.Join(all, ", "), usertext.Quote(string(v)),
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
	f.unless(!required || strings.TrimSpace(v) != "", "%s%s is missing.", f.prefix, name)
	f.unless(len(v) <= MaxName, "%s%s is longer than %d bytes.", f.prefix, name, MaxName)
	f.unless(utf8.ValidString(v) && !strings.ContainsFunc(v, unicode.IsControl),
		"%s%s holds characters that are not text.", f.prefix, name)
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
	return fmt.Sprintf("%.6g", v)
}
