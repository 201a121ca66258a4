package datasheet

// Threads of holes. The source is the thread that the file states, else the one modeled in the wall, else the thread
// with the bore as its tap drill. The last is excluded if the file tolerances the diameter, which is unusual for a hole
// to be tapped. A tap drill size in whole or half millimeters may be a plain hole. Then a drill point at its bottom, or
// a clearance hole for the screw on its axis, must support the thread.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/feature/recognize"
	"millwright.dev/millwright/core/kernel/gdt"
	"millwright.dev/millwright/core/kernel/gdt/thread"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// thread returns the thread of a hole, nil if it has no thread.
func (p *partContext) thread(s *featureMeasurer, h *feature.HoleFacts) *feature.ThreadFacts {
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
		tapped := thread.FromHelix(t.Major, t.Pitch, t.Flank)
		return &feature.ThreadFacts{Designation: tapped.Called(t.Starts, t.Left), Pitch: tapped.Pitch, Depth: min(h.Depth, s.z.Hi-low),
			Source: feature.ThreadFromGeometry, Confidence: feature.ThreadCertain}
	}
	if h.SweepDeg < 360 || p.isFitted(s, h.Diameter) {
		return nil
	}
	t, isPlain, ok := thread.FromTapDrill(h.Diameter)
	confidence := feature.ThreadLikely
	if ok && isPlain {
		confidence, ok = p.suggests(s, &t)
	}
	if !ok {
		return nil
	}
	return &feature.ThreadFacts{Designation: t.Designation, Pitch: t.Pitch, Depth: h.Depth,
		Source: feature.ThreadInferred, Confidence: confidence}
}

// suggests returns the confidence that a hole of a plain diameter is to be tapped; ok is false without evidence. Equal
// adjacent holes make a thread likely.
func (p *partContext) suggests(s *featureMeasurer, t *thread.Tapped) (confidence string, ok bool) {
	const widest = 1.2 // a clearance hole of ISO 273, coarse, in nominal diameters of M3 and more
	h := s.f.Hole
	hasPoint, equal, hasScrew := !h.Through && h.Bottom == "conical", 0, false
	for i := range p.run.Features {
		o := &p.run.Features[i]
		if o.Hole == nil || !graph.Parallel(o.Direction, s.dir) {
			continue
		}
		if math.Abs(o.Hole.Diameter-h.Diameter) <= p.g.Length && o.Hole.Through == h.Through && o.Hole.Bottom == h.Bottom {
			equal++ // itself too
		}
		off := o.Hole.TopCenter.Sub(h.TopCenter).Cross(s.dir).Norm()
		hasScrew = hasScrew || off <= p.g.Length && o.Hole.Diameter > t.Nominal && o.Hole.Diameter <= widest*t.Nominal
	}
	switch {
	case !hasPoint && !hasScrew:
		return "", false
	case hasPoint && hasScrew, equal > 1:
		return feature.ThreadLikely, true
	}
	return feature.ThreadPossible, true
}

// Threads returns the thread of each hole of a run, nil for other features and holes without one.
func Threads(run *recognize.Recognition) []*feature.ThreadFacts {
	p := &partContext{g: run.Graph, run: run, pmi: statedOn(run.Graph), extents: make(map[geom.Vec3]*graph.Extents)}
	out := make([]*feature.ThreadFacts, len(run.Features))
	for i := range run.Features {
		f := &run.Features[i]
		if f.Hole == nil {
			continue
		}
		if p.extents[f.Direction] == nil {
			p.extents[f.Direction] = p.g.HeightsAlong(f.Direction)
		}
		s := &featureMeasurer{f: f, id: int32(i), dir: f.Direction, patches: p.g.PatchesOf(f.Regions), extents: p.extents[f.Direction]}
		s.z = s.extents.Union(s.patches)
		h := feature.HoleFacts{Diameter: f.Hole.Diameter, Depth: f.Hole.Depth, SweepDeg: p.sweep(s)}
		out[i] = p.thread(s, &h)
	}
	return out
}

// isFitted reports whether the file states limits for the diameter of a hole's bore.
func (p *partContext) isFitted(s *featureMeasurer, diameter float64) bool {
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

// statedThread returns the thread that the file states on some faces, nil without a statement. Its depth is the depth
// of the faces unless the file states less.
func (p *partContext) statedThread(patches []int32, depth float64) *feature.ThreadFacts {
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

// threadOf converts a stated thread to its facts, or returns nil. Its depth is depth unless the file states less.
func threadOf(t *gdt.Thread, text string, depth float64) *feature.ThreadFacts {
	if t == nil {
		return nil
	}
	out := &feature.ThreadFacts{Designation: designation(t, text), Pitch: t.Pitch, Depth: depth,
		Source: feature.ThreadFromPMI, Confidence: feature.ThreadCertain}
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
