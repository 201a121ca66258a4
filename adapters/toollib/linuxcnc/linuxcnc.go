// Package linuxcnc reads tool tables of LinuxCNC (tool.tbl).
//
// A line is a tool: words of a letter and a number in any order, then a comment after a semicolon (user manual,
// "Tool Compensation", section "Tool Table Format"):
//
//	T1 P1 X0 Z-35.2 D6.35 ;1/4 end mill 2FL
//
// T is the tool number, P the pocket, D the diameter; X to W are offsets, I and J angles and Q the orientation of
// turning tools. A table names no unit: lengths are in the units of its machine, which the caller must know.
//
// Only number and diameter are dimensions of the tool. What it is, its number of flutes, its tip angle, pitch and
// corner radius are read from the comment where that says them; everything else is guessed and reported.
package linuxcnc

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"millwright/adapters/toollib/internal/draft"
	"millwright/core/catalog"
	"millwright/core/machining"
)

// ErrFormat says that a file is no tool table.
var ErrFormat = errors.New("it is no tool table of LinuxCNC")

const maxLine = 4096 // bytes; a longer one is no line of a tool table

// Is reports whether a text looks like a tool table: its first line that is not a comment begins with a word T.
func Is(data []byte) bool {
	for line := range bytes.Lines(data) {
		text, _, _ := strings.Cut(string(line[:min(len(line), maxLine)]), ";")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		words, err := parse(text)
		_, numbered := words['T']
		return err == nil && numbered
	}
	return false
}

// Read reads a table whose lengths are in the given unit, mm when it is "".
func Read(data []byte, unit catalog.LengthUnit) (catalog.ToolFile, error) {
	c := draft.New()
	if !utf8.Valid(data) && bytes.IndexByte(data, 0) >= 0 {
		return catalog.ToolFile{}, fmt.Errorf("%w: it is no text", ErrFormat)
	}
	scale := 1.0
	switch unit {
	case catalog.UnitInch:
		scale = draft.Inch
	case "":
		c.Note("", "The table names no unit; lengths were taken as mm. Send unit=in for a table in inches.")
	}
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		if len(raw) > maxLine {
			return catalog.ToolFile{}, fmt.Errorf("%w: line %d is longer than %d bytes", ErrFormat, line, maxLine)
		}
		text, comment, _ := strings.Cut(string(raw), ";")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if err := c.Count(); err != nil {
			return catalog.ToolFile{}, err
		}
		read(c, fmt.Sprintf("line %d", line), text, strings.TrimSpace(comment), scale)
	}
	return catalog.ToolFile{Format: catalog.ToolsLinuxCNC, Tools: c.Tools, Report: c.Report}, nil
}

// read adds the tool of one line.
func read(c *draft.Collection, entry, text, comment string, scale float64) {
	words, err := parse(text)
	if err != nil {
		c.Skip(entry, "The line is not of a tool table: %s.", err)
		return
	}
	number, numbered := words['T']
	if !numbered || number < 0 || number != math.Trunc(number) || number > 99999 {
		c.Skip(entry, "The line has no tool number T from 0 to 99999.")
		return
	}
	whole := int(number)
	entry += fmt.Sprintf(" (T%d)", whole)
	switch {
	case words['Q'] != 0 || words['I'] != 0 || words['J'] != 0:
		c.Skip(entry, "It is a turning tool, as it has an orientation or angles; this service mills.")
		return
	case words['D'] <= 0:
		c.Skip(entry, "It has no diameter D.")
		return
	}
	t := &draft.Tool{
		Entry: entry, Name: comment, Number: &whole, Diameter: words['D'] * scale,
	}
	said := describe(comment, scale)
	switch {
	case said.probe:
		c.Skip(entry, "It is a probe, which cuts nothing.")
		return
	case said.left && said.kind == machining.TapRightHand:
		c.Skip(entry, "It is a left-hand tap, which is not supported.")
		return
	}
	if t.Kind = said.kind; t.Kind == "" {
		t.Kind = machining.FlatEndMill
		t.Guess("The comment does not say what tool it is; it was taken for a flat end mill.")
	}
	t.FluteCount, t.TipAngleDeg, t.CornerRadius, t.Pitch = said.flutes, said.angle, said.corner, said.pitch
	c.Add(t)
}

// parse reads words of a letter and a number, such as T1 or Z+0.5; blanks between them may be missing.
func parse(s string) (map[byte]float64, error) {
	const letters = "TPXYZABCUVWDIJQ"
	words := map[byte]float64{}
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		letter := s[0] &^ ('a' - 'A')
		if !strings.ContainsRune(letters, rune(letter)) {
			return nil, fmt.Errorf("%q is no word of a tool table", draft.Clean(s, 20))
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
