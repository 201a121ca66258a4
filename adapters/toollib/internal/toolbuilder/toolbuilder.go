// Package toolbuilder builds a tool from its description in a file. It guesses missing values and reports each guess.
// It rejects contradictions with the reason. The readers of all formats share it, so that they fill the same gap with
// the same value.
package toolbuilder

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// Inch is its length in mm.
const Inch = 25.4

// Tool is the description of a tool in a file. Lengths are mm, angles degrees. The value 0 is missing; NaN and negative
// values are unreadable.
type Tool struct {
	Entry  string // as the file names it, for notes
	ID     string
	Name   string
	Number *int
	Kind   machining.ToolKind

	Diameter, CornerRadius, FluteLength, OverallLength, ShankDiameter, BodyLength float64
	FluteCount                                                                    int
	TipAngleDeg, TipDiameter, Pitch                                               float64
	Material                                                                      machining.ToolMaterial

	Holder *machining.Holder
	// Presets without a group are for all that no other preset names. A depth of 0 is not stated.
	Presets []machining.Preset

	notes   []string
	guessed []string
}

// Guess records, in a sentence, the value taken for a field of machining.Tool (its JSON name) that the file does not
// state or contradicts. The tool cuts nothing until a user has confirmed the field.
func (t *Tool) Guess(field, format string, args ...any) {
	t.Remark(format, args...)
	if !slices.Contains(t.guessed, field) {
		t.guessed = append(t.guessed, field)
	}
}

// Remark records, in a sentence, a value that was left out or that follows from the rest of the entry.
func (t *Tool) Remark(format string, args ...any) {
	t.notes = append(t.notes, fmt.Sprintf(format, args...))
}

// Builder gathers the tools of a file and the report about them.
type Builder struct {
	Tools  []machining.Tool
	Report catalog.ToolReport
}

// New returns an empty collection.
func New() *Builder {
	return &Builder{
		Tools:  []machining.Tool{},
		Report: catalog.ToolReport{Skipped: []catalog.ToolNote{}, Guessed: []catalog.ToolNote{}},
	}
}

// ErrTooMany is returned for a file with more entries than the limit.
var ErrTooMany = errors.New("too many entries")

// Count counts one more entry of the file.
func (c *Builder) Count() error {
	if c.Report.Entries == catalog.MaxTools {
		return fmt.Errorf("%w: more than %d", ErrTooMany, catalog.MaxTools)
	}
	c.Report.Entries++
	return nil
}

// Skip records the reason, in a sentence, why an entry gives no tool.
func (c *Builder) Skip(entry, format string, args ...any) {
	c.Report.Skipped = append(c.Report.Skipped, note(entry, fmt.Sprintf(format, args...)))
}

// Note records an assumption about the whole file or one entry.
func (c *Builder) Note(entry, format string, args ...any) {
	c.Report.Guessed = append(c.Report.Guessed, note(entry, fmt.Sprintf(format, args...)))
}

// Add completes a tool and adds it, or records why it cannot be a tool.
func (c *Builder) Add(t *Tool) {
	tool, why := t.complete()
	if why != "" {
		c.Skip(t.Entry, "%s", why)
		return
	}
	if len(t.notes) > 0 {
		c.Note(t.Entry, "%s", strings.Join(t.notes, " "))
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

// complete fills the gaps and checks the tool. It returns the reason why there is no tool, or "".
func (t *Tool) complete() (machining.Tool, string) {
	for _, size := range []struct {
		field string
		v     *float64
	}{
		{"diameter", &t.Diameter}, {"cornerRadius", &t.CornerRadius}, {"fluteLength", &t.FluteLength},
		{"overallLength", &t.OverallLength}, {"shankDiameter", &t.ShankDiameter}, {"bodyLength", &t.BodyLength},
		{"tipAngleDeg", &t.TipAngleDeg}, {"tipDiameter", &t.TipDiameter}, {"pitch", &t.Pitch},
	} {
		if math.IsNaN(*size.v) || math.IsInf(*size.v, 0) || *size.v < 0 {
			*size.v = 0
			t.Guess(size.field, "Its %s cannot be read.", size.field)
		}
	}
	if t.Diameter == 0 {
		return machining.Tool{}, "It has no diameter."
	}
	t.end()
	t.sizes()
	t.cone()
	if why := t.thread(); why != "" {
		return machining.Tool{}, why
	}
	out := machining.Tool{
		ID: Clean(t.ID, machining.MaxName), Name: Clean(t.Name, machining.MaxName), Number: t.Number, Kind: t.Kind,
		Diameter: t.Diameter, CornerRadius: t.CornerRadius, FluteLength: t.FluteLength,
		OverallLength: t.OverallLength, ShankDiameter: t.ShankDiameter, BodyLength: t.BodyLength,
		FluteCount: t.FluteCount, Presets: []machining.Preset{}, Material: t.Material,
	}
	if out.ID == "" {
		out.ID = "-" // the use case gives it one
	}
	if t.Kind.Pointed() {
		out.TipAngleDeg = &t.TipAngleDeg
	}
	if t.TipDiameter > 0 && t.Kind.Tapers() {
		out.TipDiameter = &t.TipDiameter
	}
	if t.Kind.Threading() {
		out.Pitch = &t.Pitch
	}
	if err := out.Validate(); err != nil {
		return machining.Tool{}, "It contradicts itself: " + err.Error()
	}
	t.attach(&out)
	if out.Material == "" && isComputed(&out) {
		t.Guess("toolMaterial", "Its material is not given; cutting data are computed for %s.", usualName(out.Kind))
	}
	out.Guessed = t.guessed
	return out, ""
}

// isComputed reports whether cutting data of the tool are computed for a group of materials.
func isComputed(t *machining.Tool) bool {
	return slices.ContainsFunc(machining.Groups, func(g machining.MaterialGroup) bool {
		_, own := t.Preset(g)
		_, rule := t.RulePreset(g)
		return rule && !own
	})
}

// attach adds holder and presets that are sound; others are left out.
func (t *Tool) attach(out *machining.Tool) {
	if t.Holder != nil {
		out.Holder = t.Holder
		out.Holder.Name = Clean(out.Holder.Name, machining.MaxName)
		if err := out.Validate(); err != nil {
			out.Holder = nil
			t.Remark("Its holder was left out: %s", err)
		}
	}
	taken, rule := map[machining.MaterialGroup]bool{}, false
	for _, p := range t.Presets {
		taken[p.MaterialGroup] = true
	}
	for _, p := range t.Presets {
		if p.MaterialGroup != "" {
			rule = t.preset(out, p) || rule
			continue
		}
		for _, g := range machining.Groups {
			if _, cut := out.RulePreset(g); cut && !taken[g] {
				p.MaterialGroup, taken[g] = g, true
				rule = t.preset(out, p) || rule
			}
		}
	}
	if rule {
		t.Remark("Depths that its presets do not state are those of the rule for its kind.")
	}
}

// preset adds a preset and returns whether the rule of the kind gave it a depth that it lacks.
func (t *Tool) preset(out *machining.Tool, p machining.Preset) bool {
	rule, cut := out.RulePreset(p.MaterialGroup)
	if !cut { // the depths for steel suit every kind
		rule, _ = out.RulePreset(machining.GroupP)
	}
	lacks := p.AxialDepth == 0 || p.RadialDepth == 0
	if p.AxialDepth == 0 {
		p.AxialDepth = rule.AxialDepth
	}
	if p.RadialDepth == 0 {
		p.RadialDepth = rule.RadialDepth
	}
	p.AxialDepth = min(p.AxialDepth, out.FluteLength)
	p.RadialDepth = min(p.RadialDepth, out.Diameter)
	if out.Kind == machining.TapRightHand { // a tap's feed is its pitch; the file's feed is ignored
		p.FeedPerTooth = *out.Pitch / float64(out.FluteCount)
	}
	out.Presets = append(out.Presets, p)
	if err := out.Validate(); err != nil {
		out.Presets = out.Presets[:len(out.Presets)-1]
		t.Remark("A preset was left out: %s", err)
		return false
	}
	return lacks
}
