package post

import (
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/kernel/geom"
)

// words are the replacements of the names in braces. A name that ends in "!" is written even when it has not changed.
type words map[string]string

// fill returns a block with its words. A number after a colon is the minimum width of a word.
func fill(block string, w words) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(block, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		name, after, _ := strings.Cut(rest, "}")
		name, width, _ := strings.Cut(name, ":")
		b.WriteString(w[name])
		if n, err := strconv.Atoi(width); err == nil {
			b.WriteString(strings.Repeat(" ", max(0, n-len(w[name]))))
		}
		block = after
	}
}

// block writes the lines of a block. Lines whose words are all left out are left out themselves.
func (w *writer) block(block string, with words) {
	if block == "" {
		return
	}
	if with == nil {
		with = w.words(nil)
	}
	for line := range strings.SplitSeq(block, "\n") {
		text := strings.TrimSpace(fill(line, with))
		if text == "" {
			continue
		}
		if w.dialect.LineNumbers && !w.goesOn {
			w.text.WriteString(strconv.Itoa(w.lines) + " ")
			w.lines++
		}
		w.goesOn = strings.HasSuffix(text, "~")
		w.text.WriteString(text + "\n")
		w.count++
	}
}

// number returns a number as the dialect prints it.
func (w *writer) number(v float64) string {
	s := strconv.FormatFloat(v+0, 'f', -1, 64) // +0: no minus zero
	if w.dialect.Point && !strings.Contains(s, ".") {
		s += "."
	}
	if w.dialect.Plus && v >= 0 {
		s = "+" + s
	}
	return s
}

// words returns the names of the program and of an operation for blocks; o may be nil.
func (w *writer) words(o *motion.Operation) words {
	p := w.program
	all := words{
		"name": programName(p.Part, p.Number), "number": zeros(p.Number), "offset": strconv.Itoa(p.WorkOffset),
		"G5x": "G" + strconv.Itoa(53+p.WorkOffset),
	}
	for i, axis := range []string{"X", "Y", "Z"} {
		all["min"+axis] = axis + w.number(thousandths(p.Stock.Min.Coordinate(i)))
		all["max"+axis] = axis + w.number(thousandths(p.Stock.Max.Coordinate(i)))
	}
	if o != nil {
		t := &p.Tools[o.Tool]
		all["T"] = strconv.Itoa(t.Number)
		all["S"] = strconv.FormatFloat(o.SpindleRPM, 'f', -1, 64)
	}
	return all
}

// point adds the words of a position.
func (w *writer) point(all words, p geom.Vec3) {
	for i, axis := range []string{"X", "Y", "Z"} {
		v := p.Coordinate(i)
		all[axis+"!"] = " " + axis + w.number(v)
		if !w.known || v != w.at.Coordinate(i) {
			all[axis] = all[axis+"!"]
		}
	}
}

// feedWord adds the feed.
func (w *writer) feedWord(all words, feed float64) {
	all["F!"] = " F" + w.plain(feed)
	if !w.fed || feed != w.feed {
		all["F"] = all["F!"]
	}
	w.feed, w.fed = feed, true
}

// plain returns a number that has no sign.
func (w *writer) plain(v float64) string { return strings.TrimPrefix(w.number(v), "+") }

// arc writes an arc or a helix.
func (w *writer) arc(o *motion.Operation, m *motion.Move) {
	d := w.dialect
	all := w.words(o)
	w.point(all, m.To)
	all["I"] = " I" + w.number(thousandths(m.Center.X-w.at.X))
	all["J"] = " J" + w.number(thousandths(m.Center.Y-w.at.Y))
	all["CX"], all["CY"] = " X"+w.number(m.Center.X), " Y"+w.number(m.Center.Y)
	all["turn"] = d.Turn[m.Turn > 0]
	const steps = 1e6 // of a degree: less than a µm at any radius that a machine has
	all["angle"] = w.number(math.Round(m.Turn*180/math.Pi*steps) / steps)
	all["dZ"] = w.number(thousandths(m.To.Z - w.at.Z))
	if !w.known { // a circle whose end is slightly off its start would become a tiny arc
		w.feedTo(d.Line, o, &motion.Move{To: w.at, Feed: m.Feed})
	}
	block := d.Arc
	// the end differs from To by the difference of its distances from the center
	byAngle := m.To.Z != w.at.Z && d.Helix != ""
	if byAngle {
		block = d.Helix
	}
	w.feedWord(all, m.Feed)
	w.block(block, all)
	w.at, w.known = m.To, !byAngle
}

// cycleWords returns the names for the blocks of cycles.
func (w *writer) cycleWords(o *motion.Operation, m *motion.Move, c *motion.Cycle) words {
	all := w.words(o)
	w.feedWord(all, m.Feed)
	w.point(all, m.To)
	all["bottom"] = w.number(c.Bottom)
	all["retract"] = w.number(c.Retract)
	all["back"] = w.number(m.To.Z)
	all["backOver"] = w.number(thousandths(max(m.To.Z-c.Retract, 0)))
	all["depth"] = w.number(thousandths(c.Bottom - c.Retract))
	all["feed"] = w.plain(m.Feed)
	all["peck"] = w.plain(thousandths(c.Retract - c.Bottom)) // in one go
	if c.Kind != motion.Drill && c.Peck > 0 {
		all["peck"] = w.plain(c.Peck)
	}
	all["pitch"] = w.plain(c.Pitch)
	all["dwell"] = w.plain(c.Dwell)
	if c.Dwell > 0 {
		for name, v := range dwell(c.Dwell) {
			all[name] = v
		}
	}
	if c.Kind == motion.Drill {
		all["G81"] = "G81"
		if c.Dwell > 0 {
			all["G81"] = "G82"
		}
	}
	return all
}

// dwell returns a time in the units of the dialects.
func dwell(seconds float64) words {
	return words{
		"s":  " P" + strconv.FormatFloat(seconds, 'f', -1, 64),
		"ms": " P" + strconv.FormatFloat(math.Round(seconds*1000), 'f', 0, 64),
		"F":  " F" + strconv.FormatFloat(seconds, 'f', -1, 64),
		"in": strconv.FormatFloat(seconds, 'f', -1, 64),
	}
}

// thousandths removes the rounding error of a difference.
func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

// zeros returns a number in four digits.
func zeros(n int) string {
	s := strconv.Itoa(n)
	return strings.Repeat("0", max(0, 4-len(s))) + s
}
