package pmi

import (
	"strconv"
	"strings"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/brep"
)

// measure is a length (mm) or an angle (rad) with its qualifiers.
type measure struct {
	value      float64
	isAngle    bool
	name       string   // "nominal value", "upper limit", …
	qualifiers []string // "maximum", "minimum", "average", …
	decimals   int      // decimal places shown; brep.None if not stated
}

// measure reads a measure with unit; ok is false for anything else.
func (r *reader) measure(ref part21.Ref) (m measure, ok bool) {
	m.decimals = brep.None
	if m.value, m.isAngle, ok = r.Measure(ref); !ok {
		return m, false
	}
	if title, found := r.File.Partial(ref, schema.RepresentationItem); found {
		m.name = normal(title.Text())
	} else if r.File.Keyword(ref) == schema.MeasureRepresentationItem {
		a := r.File.Args(ref)
		m.name = normal(a.Text())
	}
	if a, found := r.File.Partial(ref, schema.QualifiedRepresentationItem); found {
		for list := a.List(); list.More(); {
			r.qualify(&m, list.OptRef())
		}
	}
	return m, true
}

// qualify adds one qualifier to a measure.
func (r *reader) qualify(m *measure, ref part21.Ref) {
	if ref == part21.Missing {
		return
	}
	a := r.File.Args(ref)
	switch r.File.Keyword(ref) {
	case schema.TypeQualifier:
		m.qualifiers = append(m.qualifiers, normal(a.Text()))
	case schema.ValueFormatTypeQualifier:
		m.decimals = decimals(a.Text())
	}
}

// decimals reads the decimal places from a value format such as "NR2 1.3": one digit before the point and three after
// it (ISO 13584-42).
func decimals(format string) int {
	_, digits, ok := strings.Cut(format, " ")
	_, behind, hasPoint := strings.Cut(strings.TrimSpace(digits), ".")
	if !ok || !hasPoint {
		return brep.None
	}
	n, err := strconv.ParseUint(behind, 10, 8)
	if err != nil {
		return brep.None
	}
	return int(n)
}

// length reads a length in mm.
func (r *reader) length(ref part21.Ref) (float64, bool) {
	value, isAngle, ok := r.Measure(ref)
	return value, ok && !isAngle
}

// normal is a name in lower case with single blanks, however it was spelt.
func normal(text string) string {
	if isNormal(text) {
		return text // as nearly all are
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(text), "_", " ")), " ")
}

// isNormal reports whether a name is spelt as normal spells it.
func isNormal(text string) bool {
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c == '_' || c >= 'A' && c <= 'Z' || c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return text == "" || last != ' '
}

// enums reads a list of modifiers.
func enums(list part21.Args) []string {
	var out []string
	for list.More() {
		if name := schema.Spell(list.Enum()); name != "" {
			out = append(out, name)
		}
	}
	return out
}
