package analyze

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/feature"
)

// This file describes the facts of features in words, mm and degrees.

// inWords describes a feature's main facts in one line.
func inWords(facts feature.Facts) string {
	var p phrase
	switch f := facts.(type) {
	case *feature.HoleFacts:
		p.hole(f)
	case *feature.PocketFacts:
		p.pocket(f)
	case *feature.BossFacts:
		p.boss(f)
	case *feature.WallFacts:
		p.wall(f)
	case *feature.FaceFacts:
		p.add("%s x %s", number(f.Length), number(f.Width))
		p.add("area %s", number(f.Area))
		p.addIf(f.IsOutermost, "outermost")
		p.add("%s %% of the boundary open", number(100*f.OpenFraction))
		p.add("narrowest %s", number(f.NarrowestWidth))
		p.maybe("concave radius %s", f.MinConcaveRadius)
	case *feature.SurfaceFacts:
		p.add("area %s", number(f.Area))
		p.add("slope %s to %s deg", number(f.MinSlopeDeg), number(f.MaxSlopeDeg))
		p.add("%s", strings.Join(f.SurfaceKinds, " "))
		p.maybe("concave radius %s", f.MinConcaveRadius)
		p.maybe("ball up to %s", f.MaxBallDiameter)
	case *feature.ChamferFacts:
		p.add("%s", bevel(&f.Bevel))
		p.add("length %s", number(f.Length))
		p.addIf(f.IsClosed, "closed")
		p.addIf(!f.IsConvexEdge, "in a concave edge")
	case *feature.ProfileFacts:
		p.profile(f)
	case *feature.DovetailFacts:
		p.add("%s deg flanks", number(f.AngleDeg))
		p.add("neck %s, floor %s", number(f.NeckWidth), number(f.FloorWidth))
		p.add("%s deep", number(f.Depth))
		p.channel(f.CornerRadius, f.OpenEnds, f.MaxNeckDiameter, f.MaxHeadDiameter)
	case *feature.TslotFacts:
		p.add("neck %s x %s", number(f.NeckWidth), number(f.NeckDepth))
		p.add("slot %s x %s", number(f.SlotWidth), number(f.SlotHeight))
		p.channel(f.CornerRadius, f.OpenEnds, f.MaxNeckDiameter, f.MaxHeadDiameter)
	}
	return strings.Join(p, ", ")
}

// phrase is a list of remarks.
type phrase []string

func (p *phrase) add(format string, args ...any) { *p = append(*p, fmt.Sprintf(format, args...)) }

func (p *phrase) addIf(is bool, text string) {
	if is {
		*p = append(*p, text)
	}
}

// maybe adds a length that may be absent.
func (p *phrase) maybe(format string, v *float64) {
	if v != nil {
		p.add(format, number(*v))
	}
}

func (p *phrase) hole(f *feature.HoleFacts) {
	p.add("diameter %s", number(f.Diameter))
	p.add("%s deep", number(f.Depth))
	if f.IsThrough {
		p.add("through")
	} else {
		p.add("%s bottom", f.Bottom)
	}
	p.maybe("tip %s deg", f.TipAngleDeg)
	for i, where := range []string{"", "far "} {
		if c := []*feature.BoreFacts{f.Counterbore, f.FarCounterbore}[i]; c != nil {
			p.add(where+"counterbore %s x %s", number(c.Diameter), number(c.Depth))
		}
		if c := []*feature.SinkFacts{f.Countersink, f.FarCountersink}[i]; c != nil {
			p.add(where+"countersink %s x %s deg", number(c.Diameter), number(c.AngleDeg))
		}
	}
	if t := f.Thread; t != nil {
		p.add("thread %s, %s deep (%s)", t.Designation, number(t.Depth), t.Source)
	}
	if f.SweepDeg < 360 {
		p.add("goes round %s deg", number(f.SweepDeg))
	}
	p.addIf(f.CrossesVoid, "crosses a void")
	if f.EntryTiltDeg > 0 {
		p.add("entered at %s deg", number(f.EntryTiltDeg))
	}
}

func (p *phrase) pocket(f *feature.PocketFacts) {
	if f.Shape != feature.ShapeGeneral {
		p.add("%s", f.Shape)
	}
	p.add("%s x %s", number(f.Length), number(f.Width))
	p.add("%s deep", number(f.Depth))
	p.addIf(f.IsOpen, "open")
	p.addIf(f.IsThrough, "through")
	p.maybe("corner radius %s", f.MinCornerRadius)
	if f.FloorRadius > 0 {
		p.add("floor radius %s", number(f.FloorRadius))
	}
	p.add("narrowest %s", number(f.NarrowestWidth))
	p.add("cleared by %s", number(f.MaxClearingDiameter))
	if f.IslandCount > 0 {
		p.add("%d islands", f.IslandCount)
	}
	if f.FloorTiltDeg > 0 {
		p.add("floor tilted %s deg", number(f.FloorTiltDeg))
	}
	p.add("volume %s", number(f.Volume))
	p.bevels(f.Bevels)
}

func (p *phrase) boss(f *feature.BossFacts) {
	if f.Shape != feature.ShapeGeneral {
		p.add("%s", f.Shape)
	}
	p.maybe("diameter %s", f.Diameter)
	p.add("%s x %s", number(f.Length), number(f.Width))
	p.add("%s high", number(f.Height))
	p.maybe("concave radius %s", f.MinConcaveRadius)
	p.draft(f.DraftDeg)
	p.clearance(f.CD)
	p.bevels(f.Bevels)
}

func (p *phrase) wall(f *feature.WallFacts) {
	p.add("%s x %s high", number(f.Length), number(f.Height))
	p.addIf(f.IsClosed, "closed")
	p.maybe("concave radius %s", f.MinConcaveRadius)
	if f.FloorRadius > 0 {
		p.add("floor radius %s", number(f.FloorRadius))
	}
	p.draft(f.DraftDeg)
	p.maybe("%s thick", f.Thickness)
	p.clearance(f.CD)
}

func (p *phrase) profile(f *feature.ProfileFacts) {
	if f.IsOuter {
		p.add("outer")
	} else {
		p.add("inner")
	}
	p.add("perimeter %s", number(f.Perimeter))
	p.add("%s high", number(f.Height))
	p.maybe("concave radius %s", f.MinConcaveRadius)
	p.maybe("convex radius %s", f.MinConvexRadius)
	p.draft(f.DraftDeg)
	p.bevels(f.Bevels)
}

func (p *phrase) channel(corner float64, ends int, neck, head float64) {
	if corner > 0 {
		p.add("corner radius %s", number(corner))
	}
	p.add("%d open ends", ends)
	p.add("tool neck up to %s, head up to %s", number(neck), number(head))
}

func (p *phrase) draft(deg float64) {
	if deg > 0 {
		p.add("draft %s deg", number(deg))
	}
}

func (p *phrase) clearance(cd feature.CdData) {
	p.maybe("tool all round up to %s", cd.MaxFullDiameter)
	p.maybe("in reach up to %s", cd.MaxPartialDiameter)
}

func (p *phrase) bevels(all []feature.BevelFacts) {
	for i := range all {
		p.add("bevel %s", bevel(&all[i]))
	}
}

func bevel(f *feature.BevelFacts) string {
	text := fmt.Sprintf("%s at %s deg", number(f.Slant), number(f.AngleDeg))
	if c := f.Countersink; c != nil {
		text += fmt.Sprintf(" (countersink %s x %s deg)", number(c.Diameter), number(c.AngleDeg))
	}
	return text
}

// number shows a length or an angle to a thousandth, without trailing zeros.
func number(v float64) string {
	const places = 1e3
	r := math.Round(v*places) / places
	if r == 0 {
		r = 0 // no minus
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

// signed is number with its sign.
func signed(v float64) string {
	if text := number(v); text != "0" && v > 0 {
		return "+" + text
	}
	return number(v)
}
