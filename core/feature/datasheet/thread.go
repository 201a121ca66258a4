package datasheet

// Threads of holes: what the file states, else what is modelled in the wall, else what the bore is the tap drill
// of, unless the file tolerances its diameter: nobody does that for a hole to be tapped.

import (
	"slices"
	"strconv"
	"strings"

	"millwright/core/feature"
	"millwright/core/gdt"
	"millwright/core/gdt/thread"
	"millwright/core/geom/surface"
)

// thread returns the thread of a hole, nil for none.
func (p *part) thread(s *subject, h *feature.HoleFacts) *feature.ThreadFacts {
	if t := p.statedThread(s.patches, h.Depth); t != nil {
		return t
	}
	if t := s.f.Thread; t != nil {
		low := s.z.Hi - t.Length
		for _, q := range s.patches {
			if p.g.Patches[q].Kind == surface.KindBSpline && !p.g.IsBlend(q) {
				low = min(low, s.extents.Of(q).Lo)
			}
		}
		tapped := thread.ByHelix(t.Major, t.Pitch, t.Flank)
		return &feature.ThreadFacts{Designation: tapped.Called(t.Starts, t.Left), Pitch: tapped.Pitch, Depth: min(h.Depth, s.z.Hi-low),
			Source: feature.ThreadFromGeometry}
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

// statedThread returns the thread that the file states on some faces, nil for none; as deep as they go unless the file says
// less.
func (p *part) statedThread(patches []int32, depth float64) *feature.ThreadFacts {
	for _, q := range patches {
		for _, d := range p.pmi.dimensions[q] {
			if t := threadOf(d.Thread, d.Text, depth); t != nil {
				return t
			}
		}
		for _, n := range p.pmi.notes[q] {
			if t := threadOf(n.Thread, n.Text, depth); t != nil {
				return t
			}
		}
	}
	return nil
}

// threadOf turns a stated thread into its facts; nil for none. It reaches to a depth unless the file says less.
func threadOf(t *gdt.Thread, text string, depth float64) *feature.ThreadFacts {
	if t == nil {
		return nil
	}
	out := &feature.ThreadFacts{Designation: designation(t, text), Pitch: t.Pitch, Depth: depth,
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
		return thread.Tapped{Designation: name, Pitch: t.Pitch}.Called(t.Starts, t.Left)
	}
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		return text
	}
	return strings.TrimSpace(t.Series + " " + number(t.Diameter))
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
