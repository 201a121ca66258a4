package datasheet

// Threads of holes: what the file states, else what the helix in its wall shows, else what the bore is the tap drill
// of, unless the file tolerances its diameter: nobody does that for a hole to be tapped.
//
// A modelled helix has one start: the ways along the axis of its turns are taken for its pitch.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"millwright/core/feature"
	"millwright/core/feature/graph"
	"millwright/core/gdt"
	"millwright/core/gdt/thread"
	"millwright/core/geom/surface"
)

// thread returns the thread of a hole, nil for none.
func (p *part) thread(s *subject, h *feature.HoleFacts) *feature.ThreadFacts {
	for _, q := range s.patches {
		for _, d := range p.pmi.dimensions[q] {
			if t := p.threadOf(d.Thread, d.Text, h); t != nil {
				return t
			}
		}
		for _, n := range p.pmi.notes[q] {
			if t := p.threadOf(n.Thread, n.Text, h); t != nil {
				return t
			}
		}
	}
	if t := p.helix(s, h); t != nil {
		return t
	}
	if h.SweepDeg < 360 || p.isFitted(s, h.Diameter) {
		return nil
	}
	if t, ok := thread.ByDrill(h.Diameter); ok {
		return &feature.ThreadFacts{Designation: t.Designation, Pitch: t.Pitch, Depth: h.Depth,
			Source: feature.ThreadInferred}
	}
	return nil
}

// isFitted reports whether the file says within which limits the bore of a hole has to have its diameter.
func (p *part) isFitted(s *subject, diameter float64) bool {
	for _, q := range p.bores(s) {
		if slices.ContainsFunc(p.pmi.dimensions[q], func(d *gdt.Dimension) bool {
			size := diameter
			if strings.Contains(d.Kind, "radius") {
				size /= 2
			} else if !strings.Contains(d.Kind, "diameter") {
				return false
			}
			isLimited := d.HasLower && d.HasUpper || d.Fit != "" || d.Basic
			return isLimited && !d.Reference && size >= d.Nominal+d.Lower-p.g.Length &&
				size <= d.Nominal+d.Upper+p.g.Length
		}) {
			return true
		}
	}
	return false
}

// helix returns the thread that is modelled in the wall of a hole: flanks between two cylinders, along edges that
// climb evenly.
func (p *part) helix(s *subject, h *feature.HoleFacts) *feature.ThreadFacts {
	axis := p.axisOf(s)
	major, low := 0.0, math.Inf(1)
	var climbs []float64 // mm a turn, by edge
	for _, q := range s.patches {
		if p.g.Patches[q].Kind != surface.KindBSpline || axis == nil {
			continue
		}
		major, low = max(major, 2*p.g.Reach(q, axis).Hi), min(low, s.extents.Of(q).Lo)
		for _, x := range p.g.Patches[q].Arcs {
			a := &p.g.Arcs[x]
			if o := &p.g.Patches[a.Other(q)]; o.Kind != surface.KindCylinder || !p.g.Coaxial(axis, &o.Shape) {
				continue
			}
			climbs = append(climbs, p.climb(a, axis))
		}
	}
	if len(climbs) == 0 {
		return nil
	}
	slices.Sort(climbs)
	pitch := climbs[len(climbs)/2]
	if !(pitch > p.g.Length) || pitch > major/2 {
		return nil
	}
	t := thread.ByHelix(major, pitch)
	return &feature.ThreadFacts{Designation: t.Designation, Pitch: t.Pitch, Depth: min(h.Depth, s.z.Hi-low),
		Source: feature.ThreadFromGeometry}
}

// climb returns how far an edge round an axis climbs in a turn, mm, if it does so evenly.
func (p *part) climb(a *graph.Arc, axis *graph.Shape) float64 {
	e := &p.g.Model.Edges[a.Edge]
	rise := math.Abs(p.g.Model.Vertices[e.End].Point.Sub(p.g.Model.Vertices[e.Start].Point).Dot(axis.Axis))
	if rise >= a.Length {
		return 0
	}
	turned := math.Sqrt(a.Length*a.Length-rise*rise) / graph.OffAxis(axis, a.Mid) // rad, unrolled
	return 2 * math.Pi * rise / turned
}

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
