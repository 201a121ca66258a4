package primitives

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"
)

// The plot, in SVG units.
const (
	plotWidth, plotHeight = 760, 480
	plotLeft, plotBottom  = 70, 50
	plotRight, plotTop    = 190, 20 // the names are on the right
)

// axis maps a range of positive values to a line, by powers of ten.
type axis struct{ lo, hi, from, to float64 }

func newAxis(values []float64, from, to float64) axis {
	lo, hi := math.Floor(math.Log10(slices.Min(values))), math.Ceil(math.Log10(slices.Max(values)))
	return axis{lo, max(hi, lo+1), from, to}
}

func (a axis) at(value float64) float64 {
	return a.from + (math.Log10(value)-a.lo)/(a.hi-a.lo)*(a.to-a.from)
}

// Plot draws items per second over items, both by powers of ten: a line for each primitive, drawn through on
// the first device and dashed on the others.
func Plot(w io.Writer, rows []Row) error {
	if len(rows) == 0 {
		return fmt.Errorf("plot: there are no measurements")
	}
	sizes, speeds := make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		sizes[i], speeds[i] = float64(r.Size), r.ItemsPerSecond
	}
	x := newAxis(sizes, plotLeft, plotWidth-plotRight)
	y := newAxis(speeds, plotHeight-plotBottom, plotTop)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="11">`+
		"\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", plotWidth, plotHeight)
	grid(&b, x, y)
	lines(&b, x, y, rows)
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// grid draws a line and a number at every power of ten.
func grid(b *strings.Builder, x, y axis) {
	power := func(e, x, y float64, anchor string) {
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">10<tspan dy=\"-4\" font-size=\"8\">%g</tspan></text>\n",
			x, y, anchor, e)
	}
	for e := x.lo; e <= x.hi; e++ {
		at := x.at(math.Pow(10, e))
		fmt.Fprintf(b, "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#ddd\"/>\n", at, y.from, y.to)
		power(e, at, y.from+18, "middle")
	}
	for e := y.lo; e <= y.hi; e++ {
		at := y.at(math.Pow(10, e))
		fmt.Fprintf(b, "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/>\n", x.from, at, x.to)
		power(e, x.from-6, at+4, "end")
	}
	fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">items</text>\n", (x.from+x.to)/2, plotHeight-10)
	fmt.Fprintf(b, "<text transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">items per second</text>\n",
		(y.from+y.to)/2)
}

// series is the measurements of one primitive on one device.
type series struct{ primitive, device string }

// lines draws every series in the order of the rows, with its name at its last point.
func lines(b *strings.Builder, x, y axis, rows []Row) {
	colors := []string{"#1b6ca8", "#c0392b", "#27864a", "#8e44ad", "#b9770e", "#34495e", "#d35489", "#5d6d1e", "#0e8a8a"}
	var all []series
	var names, devices []string
	for _, r := range rows {
		if s := (series{r.Primitive, r.Device}); !slices.Contains(all, s) {
			all = append(all, s)
		}
		if !slices.Contains(names, r.Primitive) {
			names = append(names, r.Primitive)
		}
		if !slices.Contains(devices, r.Device) {
			devices = append(devices, r.Device)
		}
	}
	used := math.Inf(-1)
	slices.SortStableFunc(all, func(p, q series) int { return cmp.Compare(y.at(last(rows, p)), y.at(last(rows, q))) })
	for _, s := range all {
		color := colors[slices.Index(names, s.primitive)%len(colors)]
		dash := ""
		if d := slices.Index(devices, s.device); d > 0 {
			dash = fmt.Sprintf(" stroke-dasharray=\"%d\"", 6/d+1)
		}
		var at []string
		for _, r := range rows {
			if r.Primitive == s.primitive && r.Device == s.device {
				at = append(at, fmt.Sprintf("%.1f,%.1f", x.at(float64(r.Size)), y.at(r.ItemsPerSecond)))
				fmt.Fprintf(b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\"/>\n", x.at(float64(r.Size)),
					y.at(r.ItemsPerSecond), color)
			}
		}
		fmt.Fprintf(b, "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"%s/>\n", strings.Join(at, " "), color, dash)
		const height = 13 // of a line of text
		used = max(used+height, y.at(last(rows, s))+4)
		fmt.Fprintf(b, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>\n", x.to+8, used, color,
			html.EscapeString(s.primitive+", "+s.device))
	}
}

// last returns the speed of a series in its last row.
func last(rows []Row, s series) (speed float64) {
	for _, r := range rows {
		if r.Primitive == s.primitive && r.Device == s.device {
			speed = r.ItemsPerSecond
		}
	}
	return speed
}
