// Package linuxcnc reads tool tables of LinuxCNC (tool.tbl).
//
// A line is a tool: words of a letter and a number in any order, then a comment after a semicolon (user manual, "Tool
// Compensation", section "Tool Table Format"):
//
//	T1 P1 X0 Z-35.2 D6.35 ;1/4 end mill 2FL
//
// T is the tool number, P the pocket, D the diameter; X to W are offsets, I and J angles and Q the orientation of
// turning tools. A table names no unit: lengths are in the units of its machine, which the caller must know. Graphical
// front ends such as QtPyVCP write lines of text before the first tool, which LinuxCNC skips.
//
// Only number and diameter are dimensions of the tool. Its kind, material, number of flutes, tip angle, pitch and
// corner radius are read from the comment if stated there; all other values are guessed and reported. A size in the
// comment is compared with the diameter.
package linuxcnc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"millwright.dev/millwright/adapters/toollib/internal/toolbuilder"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/service/catalog"
)

// ErrFormat is returned for a file that is not a tool table.
var ErrFormat = errors.New("it is not a LinuxCNC tool table")

const maxLine = 4096 // bytes; a longer line is not from a tool table

// Is reports whether a text looks like a tool table: one of its lines starts with a tool number and consists of words.
func Is(data []byte) bool {
	for line := range bytes.Lines(data) {
		if text, _, _ := strings.Cut(string(line[:min(len(line), maxLine)]), ";"); startsTool(text) {
			words, err := parse(text)
			_, numbered := words['T']
			if err == nil && numbered {
				return true
			}
		}
	}
	return false
}

// startsTool reports whether a line begins like a tool's line.
func startsTool(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 1 && line[0]&^('a'-'A') == 'T' && strings.ContainsRune(" \t+.0123456789", rune(line[1]))
}

// Read reads a table whose lengths are in the given unit, mm when it is "".
func Read(data []byte, unit catalog.LengthUnit) (catalog.ToolFile, error) {
	c := toolbuilder.New()
	if !utf8.Valid(data) && bytes.IndexByte(data, 0) >= 0 {
		return catalog.ToolFile{}, fmt.Errorf("%w: it is not a text", ErrFormat)
	}
	scale := 1.0
	switch unit {
	case catalog.UnitInch:
		scale = toolbuilder.Inch
	case "":
		c.Note("", "The table names no unit; lengths were taken as mm. Send unit=in for a table in inches.")
	}
	line, begun := 0, false
	for raw := range bytes.Lines(data) {
		line++
		if len(raw) > maxLine {
			return catalog.ToolFile{}, fmt.Errorf("%w: line %d is longer than %d bytes", ErrFormat, line, maxLine)
		}
		text, comment, _ := strings.Cut(string(raw), ";")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if begun = begun || startsTool(text); !begun {
			continue // text of a front end
		}
		if err := c.Count(); err != nil {
			return catalog.ToolFile{}, err
		}
		t := read(c, fmt.Sprintf("line %d", line), text, strings.TrimSpace(comment), scale)
		if t == nil {
			continue
		}
		if unit == "" && !t.sized {
			t.Guess("diameter", "The table names no unit; the diameter was taken as mm.")
		}
		c.Add(&t.Tool)
	}
	return catalog.ToolFile{Format: catalog.ToolsLinuxCNC, Tools: c.Tools, Report: c.Report}, nil
}

// drafted is a tool whose comment may state the size that the table has.
type drafted struct {
	toolbuilder.Tool
	sized bool
}

// read returns the tool of one line, or nil with a note if the line gives no tool.
func read(c *toolbuilder.Builder, entry, text, comment string, scale float64) *drafted {
	words, err := parse(text)
	if err != nil {
		c.Skip(entry, "The line is not of a tool table: %s.", err)
		return nil
	}
	number, numbered := words['T']
	if !numbered || number < 0 || number != math.Trunc(number) || number > 99999 {
		c.Skip(entry, "The line has no tool number T from 0 to 99999.")
		return nil
	}
	whole := int(number)
	entry += fmt.Sprintf(" (T%d)", whole)
	said := describe(comment, scale)
	why := said.unfit
	switch {
	case words['Q'] != 0 || words['I'] != 0 || words['J'] != 0:
		why = "It is a turning tool, as it has an orientation or angles; this service mills."
	case words['D'] <= 0:
		why = "It has no diameter D."
	case whole == 0:
		why = "T0 stands for the empty spindle."
	}
	if why != "" {
		c.Skip(entry, "%s", why)
		return nil
	}
	t := &drafted{Tool: toolbuilder.Tool{
		Entry: entry, Name: comment, Number: &whole, Kind: said.kind, Material: said.material,
		Diameter: words['D'] * scale, FluteCount: said.flutes, TipAngleDeg: said.angle, CornerRadius: said.corner,
		Pitch: said.pitch,
	}}
	if t.Kind == "" {
		t.Kind = machining.FlatEndMill
		t.Guess("kind", "The comment does not say what tool it is; it was taken for a flat end mill.")
	}
	sizes := sizesIn(comment)
	const same = 0.02 // of the diameter: names round, 17/64 and 6.75 mm are one drill
	t.sized = slices.ContainsFunc(sizes, func(mm float64) bool { return math.Abs(mm-t.Diameter) <= same*t.Diameter })
	if len(sizes) > 0 && !t.sized {
		t.Guess("diameter", "The comment says %.6g mm, the table %.6g mm: check the diameter and the unit.",
			sizes[0], t.Diameter)
	}
	return t
}

// parse reads words of a letter and a number, such as T1 or Z+0.5; blanks between them may be missing.
func parse(s string) (map[byte]float64, error) {
	const letters = "TPXYZABCUVWDIJQ"
	words := map[byte]float64{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		letter := s[0] &^ ('a' - 'A')
		if !strings.ContainsRune(letters, rune(letter)) {
			return nil, fmt.Errorf("%q is not a word of a tool table", toolbuilder.Clean(s, 20))
		}
		s = strings.TrimLeft(s[1:], " \t")
		end := 0
		for end < len(s) && strings.IndexByte("+-.0123456789", s[end]) >= 0 {
			end++
		}
		v, err := strconv.ParseFloat(s[:end], 64)
		if err != nil || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%c has no number", letter)
		}
		if _, twice := words[letter]; twice {
			return nil, fmt.Errorf("%c is there twice", letter)
		}
		words[letter], s = v, s[end:]
	}
	return words, nil
}
