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
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" `+
		`font-family="sans-serif" font-size="11">`+"\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", width, height)
	for i, p := range parts {
		x := float64(nameWidth + i*80)
		box(&b, x, 8, 10, 10, p.color)
		label(&b, x+14, 17, "start", p.name)
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
		fmt.Fprintf(&b, "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/>\n", x, pictureTop-4, bottom, line.color)
		label(&b, x, pictureTop-8, "middle", fmt.Sprint(line.at))
	}
	arcs(&b, made, float64(bottom+30))
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// bar draws one program.
func bar(b *strings.Builder, r *Row, y float64) {
	label(b, nameWidth-6, y+11, "end", r.Config+" "+r.Part)
	target, at := r.Target.Minutes(), 0.0
	for _, p := range parts {
		from := min(at, mostTargets)
		at += ratio(p.of(&r.Split), target)
		if to := min(at, mostTargets); to > from {
			box(b, nameWidth+from*targetWidth, y+2, (to-from)*targetWidth, rowHeight-4, p.color)
		}
	}
	label(b, nameWidth+min(at, mostTargets)*targetWidth+4, y+11, "start",
		fmt.Sprintf("%.1f × %.1f min, made %.0f %%", at, target, 100*r.Removed))
}

// box draws a filled rectangle.
func box(b *strings.Builder, x, y, width, height float64, color string) {
	const form = "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n"
	fmt.Fprintf(b, form, x, y, width, height, color)
}

// label writes a text that starts, ends or is centered at a place.
func label(b *strings.Builder, x, y float64, anchor, text string) {
	const form = "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n"
	fmt.Fprintf(b, form, x, y, anchor, html.EscapeString(text))
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
	label(b, 10, y, "start", "arc of contact of roughing, share of the cut length by 5°")
	most := 0.0
	for _, v := range mean {
		most = max(most, v)
	}
	for i, v := range mean {
		h := ratio(v, most) * (arcHeight - 20)
		x := float64(10 + i*arcWidth)
		box(b, x, y+arcHeight-10-h, arcWidth-2, h, parts[0].color)
		if i%3 == 0 {
			label(b, x, y+arcHeight+2, "start", fmt.Sprintf("%d°", i*classDeg))
		}
	}
}

// classDeg (°) is the width of a class of arcs.
const classDeg = 5
