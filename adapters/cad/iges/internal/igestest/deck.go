// Package igestest writes IGES files for tests, in the fixed and in the compressed form.
package igestest

import (
	"fmt"
	"strings"
)

// Global is a global section with every parameter set: millimeters, resolution 0.001, largest coordinate 100.
const Global = "1H,,1H;,4Hpart,8Hpart.igs,6Hmaker ,2H1.,32,38,6,308,15,4Hpart,1.,2,2HMM,1,0.1," +
	"15H20260101.000000,0.001,100.,2Hme,2Hus,11,0,15H20260101.000000,;"

// Entry is the directory entry of an entity and its parameters.
type Entry struct {
	Type, Form int
	Parameters string // without the entity type and the record delimiter
	Structure  int
	LineFont   int
	Level      int
	View       int
	Transform  int
	Status     string // 8 digits; "" is 00000000
	Color      int
	Label      string
	Subscript  int
}

// Deck is a file being written. Its zero value is an empty file with default Global parameters.
type Deck struct {
	Global  string // "" is Global
	Entries []Entry
	// Break ends the lines; "" is "\n".
	Break string
}

// Add adds an entity and returns the sequence number by which others refer to it. The parameters are
// formatted with args; the entity type and the record delimiter are put around them.
func (d *Deck) Add(kind, form int, parameters string, args ...any) int {
	return d.Put(Entry{Type: kind, Form: form, Parameters: fmt.Sprintf(parameters, args...)})
}

// Put adds an entity with all of its directory entry.
func (d *Deck) Put(e Entry) int {
	d.Entries = append(d.Entries, e)
	return 2*len(d.Entries) - 1
}

// Next returns the sequence number that the entity added next will get.
func (d *Deck) Next() int { return 2*len(d.Entries) + 1 }

func (d *Deck) lineBreak() string {
	if d.Break == "" {
		return "\n"
	}
	return d.Break
}

func (d *Deck) global() string {
	if d.Global == "" {
		return Global
	}
	return d.Global
}

// delimiters returns the parameter and record delimiter of the global section.
func (d *Deck) delimiters() (parameter, record string) {
	parameter, record = ",", ";"
	g := d.global()
	if rest, ok := strings.CutPrefix(g, "1H"); ok {
		parameter, g = rest[:1], rest[1:]
	}
	if rest, ok := strings.CutPrefix(g[1:], "1H"); ok {
		record = rest[:1]
	}
	return parameter, record
}

// text returns the parameters of e with their prefix and suffix.
func (d *Deck) text(e Entry) string {
	parameter, record := d.delimiters()
	if e.Parameters == "" {
		return fmt.Sprintf("%d%s", e.Type, record)
	}
	return fmt.Sprintf("%d%s%s%s", e.Type, parameter, e.Parameters, record)
}

// pieces cuts text into pieces of at most width bytes, in the middle of values where it comes to that.
func pieces(text string, width int) []string {
	var out []string
	for len(text) > width {
		out = append(out, text[:width])
		text = text[width:]
	}
	return append(out, text)
}

func card(text string, section byte, sequence int) string {
	return padded(text, 72) + fmt.Sprintf("%c%7d", section, sequence)
}

// padded fills text with blanks up to a number of bytes.
func padded(text string, bytes int) string {
	return text + strings.Repeat(" ", max(0, bytes-len(text)))
}

// head returns the cards of the S and G sections.
func (d *Deck) head() []string {
	lines := []string{card("A part of a test", 'S', 1)}
	for i, text := range pieces(d.global(), 72) {
		lines = append(lines, card(text, 'G', i+1))
	}
	return lines
}

func (e *Entry) status() string {
	if e.Status == "" {
		return "00000000"
	}
	return e.Status
}

// Fixed returns the file in the fixed form.
func (d *Deck) Fixed() string {
	lines := d.head()
	globals := len(lines) - 1
	var parameters []string
	for i, e := range d.Entries {
		de := 2*i + 1
		text := pieces(d.text(e), 64)
		first := fmt.Sprintf("%8d%8d%8d%8d%8d%8d%8d%8d%8s", e.Type, len(parameters)+1, e.Structure, e.LineFont,
			e.Level, e.View, e.Transform, 0, e.status())
		second := fmt.Sprintf("%8d%8d%8d%8d%8d%8s%8s%8s%8d", e.Type, 0, e.Color, len(text), e.Form, "", "",
			e.Label, e.Subscript)
		lines = append(lines, card(first, 'D', de), card(second, 'D', de+1))
		for _, t := range text {
			parameters = append(parameters, card(padded(t, 64)+fmt.Sprintf("%8d", de), 'P', len(parameters)+1))
		}
	}
	lines = append(lines, parameters...)
	end := fmt.Sprintf("S%7dG%7dD%7dP%7d", 1, globals, 2*len(d.Entries), len(parameters))
	lines = append(lines, card(end, 'T', 1), "")
	return strings.Join(lines, d.lineBreak())
}

// Compressed returns the file in the compressed form. An entity lists only the fields of its directory entry that
// differ from the previous entry.
func (d *Deck) Compressed() string {
	lines := append([]string{card("", 'C', 1)}, d.head()...)
	_, record := d.delimiters()
	previous := map[int]string{}
	for i, e := range d.Entries {
		text := pieces(d.text(e), 64)
		fields := map[int]string{
			1: fmt.Sprint(e.Type), 3: fmt.Sprint(e.Structure), 4: fmt.Sprint(e.LineFont), 5: fmt.Sprint(e.Level),
			6: fmt.Sprint(e.View), 7: fmt.Sprint(e.Transform), 8: "0", 9: e.status(), 12: "0",
			13: fmt.Sprint(e.Color), 14: fmt.Sprint(len(text)), 15: fmt.Sprint(e.Form), 16: "", 17: "",
			18: e.Label, 19: fmt.Sprint(e.Subscript),
		}
		line := fmt.Sprintf("D%d", 2*i+1)
		for f := 1; f <= 19; f++ {
			value, has := fields[f]
			before, known := previous[f]
			if !has || known && value == before {
				continue
			}
			previous[f] = value
			spec := fmt.Sprintf("@%d_%s", f, value)
			if len(line)+len(spec) > 72 {
				lines = append(lines, line)
				line = ""
			}
			line += spec
		}
		if len(line)+len(record) > 72 {
			lines = append(lines, line)
			line = "@"
		}
		lines = append(lines, line+record)
		for _, t := range text {
			lines = append(lines, strings.TrimRight(t, " "))
		}
	}
	end := fmt.Sprintf("S%7dG%7dD%7dP%7d", 1, len(pieces(d.global(), 72)), 2*len(d.Entries), 0)
	lines = append(lines, card(end, 'T', 1), "")
	return strings.Join(lines, d.lineBreak())
}
