package programs

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// The picture, in SVG units.
const (
	nameWidth   = 210
	targetWidth = 150 // of the target's minutes
	mostTargets = 4   // that a bar shows
	textWidth   = 240
	rowHeight   = 16
	pictureTop  = 40
	arcHeight   = 160
	arcWidth    = 18 // of a class of arcs
)

// parts are the kinds of work in a bar, with their colors.
var parts = []struct {
	name, color string
	of          func(*Split) float64
}{
	{"rough", "#1b6ca8", func(s *Split) float64 { return s.Rough }},
	{"finish", "#27864a", func(s *Split) float64 { return s.Finish }},
	{"drill", "#b9770e", func(s *Split) float64 { return s.Drill }},
	{"face", "#8e44ad", func(s *Split) float64 { return s.Face }},
	{"change", "#7f8c8d", func(s *Split) float64 { return s.Change }},
}

// Picture draws a bar for each program: its minutes by kind of work, in units of its target, with lines at the target
// and at the bounds; and the arcs of contact of roughing, the mean of all programs.
func Picture(w io.Writer, rows []*Row) error {
	var made []*Row
	for _, r := range rows {
		if r.Target != nil {
			made = append(made, r)
		}
	}
	width, height := nameWidth+mostTargets*targetWidth+textWidth, pictureTop+len(made)*rowHeight+arcHeight+60
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+
		"\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", width, height)
	for i, p := range parts {
		fmt.Fprintf(&b, "<rect x=\"%d\" y=\"8\" width=\"10\" height=\"10\" fill=\"%s\"/><text x=\"%d\" y=\"17\">%s</text>\n",
			nameWidth+i*80, p.color, nameWidth+i*80+14, p.name)
	}
	for i, r := range made {
		bar(&b, r, float64(pictureTop+i*rowHeight))
	}
	bottom := pictureTop + len(made)*rowHeight
	for _, line := range []struct {
		at    float64
		color string
	}{{1, "black"}, {*figures[0].median, "#c0392b"}, {*figures[0].worst, "#c0392b"}} {
		x := nameWidth + line.at*targetWidth
		fmt.Fprintf(&b, "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n",
			x, pictureTop-4, bottom, line.color, x, pictureTop-8, line.at)
	}
	arcs(&b, made, float64(bottom+30))
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// bar draws one program.
func bar(b *strings.Builder, r *Row, y float64) {
	text := func(x float64, anchor, s string) {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y+11, anchor, html.EscapeString(s))
	}
	text(nameWidth-6, "end", r.Config+" "+r.Part)
	target, at := r.Target.Minutes(), 0.0
	for _, p := range parts {
		from := min(at, mostTargets)
		at += ratio(p.of(&r.Split), target)
		if to := min(at, mostTargets); to > from {
			fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", nameWidth+from*targetWidth, y+2,
				(to-from)*targetWidth, rowHeight-4, p.color)
		}
	}
	text(nameWidth+min(at, mostTargets)*targetWidth+4, "start",
		fmt.Sprintf("%.1f × %.1f min, made %.0f %%", at, target, 100*r.Removed))
}

// arcs draws the mean distribution of the arcs of contact.
func arcs(b *strings.Builder, rows []*Row, y float64) {
	var mean []float64
	for _, r := range rows {
		for i, share := range r.Roughing.Arcs {
			if i == len(mean) {
				mean = append(mean, 0)
			}
			mean[i] += share / float64(len(rows))
		}
	}
	fmt.Fprintf(b, "<text x=\"%d\" y=\"%.1f\">arc of contact of roughing, share of the cut length by 5°</text>\n", 10, y)
	most := 0.0
	for _, v := range mean {
		most = max(most, v)
	}
	for i, v := range mean {
		h := ratio(v, most) * (arcHeight - 20)
		x := float64(10 + i*arcWidth)
		fmt.Fprintf(b, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"#1b6ca8\"/>\n", x, y+arcHeight-10-h, arcWidth-2, h)
		if i%3 == 0 {
			fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"9\">%d°</text>\n", x, y+arcHeight+2, i*classDeg)
		}
	}
}

// classDeg (°) is the width of a class of arcs.
const classDeg = 5
