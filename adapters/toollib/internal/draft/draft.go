// Package draft turns what a file says of a tool into a tool: what the file leaves out is guessed and said so,
// what contradicts itself is refused with the reason. The readers of all formats share it, so that the same
// gap is filled the same way whatever the file.
package draft

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"millwright/core/catalog"
	"millwright/core/machining"
)

// Inch is its length in mm.
const Inch = 25.4

// Tool is a tool as far as a file describes it. Lengths are mm, angles degrees; 0 says that the file does not.
type Tool struct {
	Entry  string // as the file names it, for notes
	ID     string
	Name   string
	Number *int
	Kind   machining.Kind

	Diameter, CornerRadius, FluteLength, OverallLength, ShankDiameter, BodyLength float64
	FluteCount                                                                    int
	TipAngleDeg, Pitch                                                            float64

	Holder  *machining.Holder
	Presets []machining.Preset

	guesses []string
}

// Guess notes what was taken where the file says nothing, or what was changed. It is a sentence.
func (t *Tool) Guess(format string, args ...any) {
	t.guesses = append(t.guesses, fmt.Sprintf(format, args...))
}

// Collection gathers the tools of a file and the report about them.
type Collection struct {
	Tools  []machining.Tool
	Report catalog.ToolReport
}

// New returns an empty collection.
func New() *Collection {
	return &Collection{
		Tools:  []machining.Tool{},
		Report: catalog.ToolReport{Skipped: []catalog.ToolNote{}, Guessed: []catalog.ToolNote{}},
	}
}

// ErrTooMany says that a file has more entries than are read.
var ErrTooMany = errors.New("too many entries")

// Count counts one more entry of the file.
func (c *Collection) Count() error {
	if c.Report.Entries == catalog.MaxTools {
		return fmt.Errorf("%w: more than %d", ErrTooMany, catalog.MaxTools)
	}
	c.Report.Entries++
	return nil
}

// Skip says why an entry gives no tool, in a sentence.
func (c *Collection) Skip(entry, format string, args ...any) {
	c.Report.Skipped = append(c.Report.Skipped, note(entry, fmt.Sprintf(format, args...)))
}

// Note says what was taken for the whole file or one entry.
func (c *Collection) Note(entry, format string, args ...any) {
	c.Report.Guessed = append(c.Report.Guessed, note(entry, fmt.Sprintf(format, args...)))
}

// Add completes a drafted tool and adds it, or says why it cannot be one.
func (c *Collection) Add(t *Tool) {
	tool, why := t.complete()
	if why != "" {
		c.Skip(t.Entry, "%s", why)
		return
	}
	if len(t.guesses) > 0 {
		c.Note(t.Entry, "%s", strings.Join(t.guesses, " "))
	}
	c.Tools = append(c.Tools, tool)
}

const maxDetail = 2000 // bytes; an entry with more to say has been understood by then

func note(entry, detail string) catalog.ToolNote {
	return catalog.ToolNote{Entry: Clean(entry, machining.MaxName), Detail: Clean(detail, maxDetail)}
}

// Clean makes a text of a file fit to be shown: valid, without control characters, at most so many bytes.
func Clean(s string, most int) string {
	s = strings.ToValidUTF8(s[:min(len(s), 4*most)], "�")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	if s = strings.TrimSpace(s); len(s) > most {
		s = s[:most]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// complete fills the gaps and checks the whole. The sentence says why there is no tool, "" when there is.
func (t *Tool) complete() (machining.Tool, string) {
	for _, v := range []*float64{
		&t.Diameter, &t.CornerRadius, &t.FluteLength, &t.OverallLength, &t.ShankDiameter, &t.BodyLength,
		&t.TipAngleDeg, &t.Pitch,
	} {
		if math.IsNaN(*v) || math.IsInf(*v, 0) || *v < 0 {
			*v = 0
		}
	}
	if t.Diameter == 0 {
		return machining.Tool{}, "It has no diameter."
	}
	t.end()
	t.sizes()
	if why := t.thread(); why != "" {
		return machining.Tool{}, why
	}
	out := machining.Tool{
		ID: Clean(t.ID, machining.MaxName), Name: Clean(t.Name, machining.MaxName), Number: t.Number, Kind: t.Kind,
		Diameter: t.Diameter, CornerRadius: t.CornerRadius, FluteLength: t.FluteLength,
		OverallLength: t.OverallLength, ShankDiameter: t.ShankDiameter, BodyLength: t.BodyLength,
		FluteCount: t.FluteCount, Presets: []machining.Preset{},
	}
	if out.ID == "" {
		out.ID = "-" // the use case gives it one
	}
	if t.Kind.Pointed() {
		out.TipAngleDeg = &t.TipAngleDeg
	}
	if t.Kind.Threading() {
		out.Pitch = &t.Pitch
	}
	if err := out.Validate(); err != nil {
		return machining.Tool{}, "It contradicts itself: " + err.Error()
	}
	t.attach(&out)
	return out, ""
}

// attach adds holder and presets that are sound; others are left out.
func (t *Tool) attach(out *machining.Tool) {
	if t.Holder != nil {
		out.Holder = t.Holder
		out.Holder.Name = Clean(out.Holder.Name, machining.MaxName)
		if err := out.Validate(); err != nil {
			out.Holder = nil
			t.Guess("Its holder was left out: %s", err)
		}
	}
	for _, p := range t.Presets {
		p.AxialDepth = min(p.AxialDepth, out.FluteLength)
		p.RadialDepth = min(p.RadialDepth, out.Diameter)
		if out.Kind == machining.TapRightHand { // its feed is its pitch, whatever the file says
			p.FeedPerTooth = *out.Pitch / float64(out.FluteCount)
		}
		out.Presets = append(out.Presets, p)
		if err := out.Validate(); err != nil {
			out.Presets = out.Presets[:len(out.Presets)-1]
			t.Guess("A preset was left out: %s", err)
		}
	}
}
