package datasheet

import (
	"strconv"
	"strings"

	"millwright/core/feature"
	"millwright/core/gdt"
)

// threadOf turns a stated thread into its facts; nil for none. It reaches as deep as the hole unless
// the file says less.
func (p *part) threadOf(t *gdt.Thread, text string, h *feature.HoleFacts) *feature.ThreadFacts {
	if t == nil {
		return nil
	}
	out := &feature.ThreadFacts{Designation: designation(t, text), Pitch: t.Pitch, Depth: h.Depth,
		Source: feature.ThreadFromPMI}
	if t.Depth > 0 {
		out.Depth = t.Depth
	}
	return out
}

// designation names a thread: as M6x1 where it is metric, else as the file has it.
func designation(t *gdt.Thread, text string) string {
	if !t.Inch && strings.HasPrefix(t.Series, "M") {
		name := t.Series + number(t.Diameter)
		if t.Pitch > 0 {
			name += "x" + number(t.Pitch)
		}
		return name
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		return text
	}
	return strings.TrimSpace(t.Series + " " + number(t.Diameter))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
