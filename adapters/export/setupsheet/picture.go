package setupsheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/kernel/geom"
)

// Picture returns an SVG of a setup seen from the spindle: the stock, the jaws, the edges of the part, the holes that
// are made, and the work offset with its axes. One unit is a millimeter. Edges are in the part frame.
func Picture(s *planning.Setup, edges [][]geom.Vec3) string {
	frame := s.Before
	frame = frame.Add(geom.Vec3{})
	for _, b := range s.Clamping.Solid {
		frame = frame.Union(b)
	}
	size := frame.Size()
	unit := max(size.X, size.Y, 1) / 100 // of the strokes and letters
	margin := 9 * unit
	var d drawing
	fmt.Fprintf(&d.text, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s %s %s %s" `+
		`font-family="sans-serif" font-size="%s" fill="none" stroke-width="%s">`+"\n",
		short(frame.Min.X-margin), short(-frame.Max.Y-margin), short(size.X+2*margin), short(size.Y+2*margin),
		short(3*unit), short(0.25*unit))
	d.box(s.Before, `fill="#eef1f4" stroke="#7a8796"`)
	for _, b := range s.Clamping.Solid {
		d.box(b, `fill="#c9b8a0" stroke="#7a6240"`)
	}
	d.edges(s.Frame, edges)
	for i := range s.Operations {
		for _, h := range s.Operations[i].Holes {
			fmt.Fprintf(&d.text, `<circle cx="%s" cy="%s" r="%s" stroke="#0072b2"/>`+"\n",
				short(h.At.X), short(-h.At.Y), short(h.Diameter/2))
		}
	}
	d.offset(12 * unit)
	d.sizes(s.Before, unit)
	d.text.WriteString("</svg>\n")
	return d.text.String()
}

// drawing is an unfinished SVG. Its y axis points down, the y axis of the setup up.
type drawing struct{ text strings.Builder }

func (d *drawing) box(b geom.Box, style string) {
	size := b.Size()
	fmt.Fprintf(&d.text, `<rect x="%s" y="%s" width="%s" height="%s" %s/>`+"\n",
		short(b.Min.X), short(-b.Max.Y), short(size.X), short(size.Y), style)
}

// edges draws the lines of the part as one path, without points closer than the resolution.
func (d *drawing) edges(f geom.Frame, edges [][]geom.Vec3) {
	const fine = 0.05 // mm
	var path strings.Builder
	for _, line := range edges {
		var last geom.Vec3
		drawn := false
		for i, p := range line {
			at := f.Local(p)
			at.Z = 0
			if i > 0 && at.Dist(last) < fine && (i+1 < len(line) || !drawn) {
				continue
			}
			command := "L"
			if i == 0 {
				command = "M"
			}
			path.WriteString(command + short(at.X) + " " + short(-at.Y))
			drawn = drawn || i > 0
			last = at
		}
	}
	if path.Len() > 0 {
		fmt.Fprintf(&d.text, `<path d="%s" stroke="#1a1c21"/>`+"\n", path.String())
	}
}

// offset draws the work offset: a cross with arrows along X and Y.
func (d *drawing) offset(length float64) {
	l, back, tip := short(length), short(-length/3), length/6
	fmt.Fprintf(&d.text, `<g stroke="#d55e00" fill="#d55e00"><path d="M%s 0L%s 0M0 %sL0 -%s" fill="none"/>`+
		`<path d="M%s 0l-%s -%sv%sz"/><path d="M0 -%sl-%s %sh%sz"/>`+
		`<text x="%s" y="0" stroke="none">X</text><text x="0" y="-%s" stroke="none">Y</text></g>`+"\n",
		back, l, short(length/3), l,
		l, short(tip), short(tip/2), short(tip), l, short(tip/2), short(tip), short(tip),
		short(length*1.1), short(length*1.1))
}

// sizes writes how large the stock is.
func (d *drawing) sizes(b geom.Box, unit float64) {
	size, middle := b.Size(), b.Center()
	fmt.Fprintf(&d.text, `<g fill="#4b5563" text-anchor="middle"><text x="%s" y="%s">%s</text>`+
		`<text transform="translate(%s %s) rotate(-90)">%s</text></g>`+"\n",
		short(middle.X), short(-b.Min.Y+5*unit), mm(size.X),
		short(b.Max.X+5*unit), short(-middle.Y), mm(size.Y))
}

// short is a length to a hundredth.
func short(v float64) string { return strconv.FormatFloat(math.Round(v*100)/100+0, 'f', -1, 64) }
