package planning

// Bores: with which steps they are made.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	// Permitted difference of a drill from its bore, mm: the runout of a drill, and the tolerance of a gouge.
	thinner, thicker = 0.05, 0.01

	breakthrough = 0.5  // mm that a tool goes beyond a through hole
	spotShare    = 0.8  // of the bore, width of the spot before it
	boreShare    = 0.9  // of the bore, largest mill that makes it along a helix
	coreShare    = 0.51 // of the bore, smallest mill that leaves no core
	reamStock    = 0.1  // mm that a reamer takes at least, of the diameter
	reamMost     = 0.6  // mm that it takes at most
	peckFrom     = 3.0  // diameters, from which a drill comes up for its chips
	pointOff     = 0.08 // mm that the point of a drill may leave of a drawn end untold: proofs bear 0.1
)

// steps returns the steps of a hole, or the reason that it cannot be made.
func (s *stack) steps() ([]step, *rejection) {
	last := &s.bores[len(s.bores)-1]
	out, why := s.mainBore(last)
	if why != nil {
		return nil, why
	}
	for i := range s.bores[:len(s.bores)-1] {
		b := &s.bores[i]
		inner := s.bores[i+1].radius
		mill := s.borer(b, inner, b.z.Lo)
		if mill < 0 {
			s.skipPatches(slices.Concat(b.patches, s.ledgesAt(b.z.Lo))) // a pocket, if anything
			continue
		}
		out = append(out, step{phase: boring, strategy: Bore, purpose: cutting.Finish, tool: mill,
			patches: slices.Concat(b.patches, s.ledgesAt(b.z.Lo)), top: s.top, bottom: b.z.Lo, diameter: 2 * b.radius})
	}
	if s.countersink != nil {
		if st, ok := s.sinkStep(last); ok {
			out = append(out, st)
		} else {
			s.skipPatches([]int32{s.countersink.patch}) // a chamfer, if anything
		}
	}
	out = append(out, s.thread(last)...)
	slices.SortStableFunc(out, func(a, b step) int { return cmp.Compare(a.phase, b.phase) })
	return out, nil
}

func (s *stack) ledgesAt(z float64) []int32 {
	var out []int32
	for _, q := range s.ledges {
		if math.Abs(s.side.span(s.p.boxes[q]).Lo-z) <= s.p.tol() {
			out = append(out, q)
		}
	}
	return out
}

// mainBore makes the narrowest bore with its end.
func (s *stack) mainBore(b *bore) ([]step, *rejection) {
	p, d := s.p, 2*b.radius
	done := slices.Clone(b.patches)
	if s.tip != graph.None {
		done = append(done, s.tip)
	}
	grade := s.band()
	if grade <= gradeReamed && s.flat == graph.None {
		if ream := s.pointed(machining.Reamer, d, b, thicker, thicker); ream >= 0 {
			if out, ok := s.beforeReaming(b, d); ok {
				low := b.z.Lo
				if !s.closed {
					low -= breakthrough
				}
				return append(out, step{phase: reaming, strategy: Ream, purpose: cutting.Reaming, tool: ream, patches: done,
					top: s.top, bottom: low, diameter: p.tools[ream].Diameter}), nil
			}
		}
	}
	if grade > gradeMilled && s.flat == graph.None {
		if drill := s.pointed(machining.Drill, d, b, thinner, thicker); drill >= 0 {
			return s.drilled(b, drill, done), nil
		}
	}
	if s.tip == graph.None {
		if out := s.milled(b, done); out != nil {
			if grade <= gradeReamed {
				last := &out[len(out)-1]
				last.notes = append(last.notes, "The band is IT8 or finer and no reamer has the size: measure and correct.")
			}
			return out, nil
		}
	}
	drill := s.pointed(machining.Drill, d, b, thinner, thicker)
	if drill < 0 {
		return s.partly(b)
	}
	out := s.drilled(b, drill, done)
	last := &out[len(out)-1]
	if grade <= gradeMilled {
		last.notes = append(last.notes, "The band is finer than drills hold: measure and correct.")
	}
	if s.flat != graph.None {
		last.patches = append(last.patches, s.flat)
		s.keeps(append(slices.Clone(b.patches), s.flat), refuse(completeness.NoToolFits,
			"No end mill gets down to its flat bottom: the drill leaves %.4g mm of its point there.", s.p.tools[drill].tip()).
			with("An end mill of at most %.4g mm that reaches %.4g mm deep.", round(boreShare*d), round(s.top-b.z.Lo)))
	}
	return out, nil
}

// milled makes a bore down a helix, after a drill where the flutes are shorter than the bore; nil where no mill does.
func (s *stack) milled(b *bore, done []int32) []step {
	low := s.end(b, 0)
	if s.flat != graph.None && done != nil {
		done = append(slices.Clone(done), s.flat)
	}
	st := step{phase: boring, strategy: Bore, purpose: cutting.Finish, patches: done, top: s.top, bottom: low,
		diameter: 2 * b.radius}
	if st.tool = s.borer(b, 0, low); st.tool >= 0 {
		return []step{st}
	}
	pilot := s.pilot(b)
	if pilot < 0 {
		return nil
	}
	if st.tool = s.borer(b, s.p.tools[pilot].Diameter/2, low); st.tool < 0 {
		return nil
	}
	return append(s.drilled(b, pilot, nil), st)
}

// pilot returns the largest drill that is thinner than a bore and reaches its end, -1 without one.
func (s *stack) pilot(b *bore) int {
	d := 2 * b.radius
	return s.pointed(machining.Drill, d-thinner, b, d/2, 0)
}

// partly makes as much of a small bore as drills and mills reach, and a wide one that ends in a point if all but the
// point is made: as a pocket it would lose more. What it leaves is in s.short.
func (s *stack) partly(b *bore) ([]step, *rejection) {
	why, isSmall := s.noMill(b), s.isSmall()
	if !isSmall && s.tip == graph.None {
		return nil, why
	}
	if drill, low := s.longestDrill(b); isSmall && drill >= 0 && s.top-low > leastDepth {
		out := s.drilled(b, drill, b.patches)
		last := &out[len(out)-1]
		last.bottom = low
		why.detail = strings.TrimSuffix(why.detail, ".") + fmt.Sprintf("; it is drilled %.4g mm deep from %v.", round(s.top-low), s.side)
		s.short, s.full = why, low+s.p.tools[drill].tip()
		return out, nil
	}
	var out []step
	inner, made, extra := 0.0, "", s.extra
	if pilot := s.pilot(b); pilot >= 0 {
		t := &s.p.tools[pilot]
		out, inner, made = s.drilled(b, pilot, nil), t.Diameter/2, fmt.Sprintf("it is drilled to %.4g mm", t.Diameter)
		s.full = math.Inf(1)
	}
	if mill, low := s.deepest(b, inner); mill >= 0 && s.top-low > leastDepth {
		out = append(out, step{phase: boring, strategy: Bore, purpose: cutting.Finish, tool: mill, patches: b.patches, top: s.top,
			bottom: low, diameter: 2 * b.radius})
		if made != "" {
			made += " and "
		}
		made += fmt.Sprintf("milled %.4g mm deep from %v", round(s.top-low), s.side)
		s.full = low
	}
	if out != nil && s.tip != graph.None && s.full <= b.z.Lo+s.p.tol() {
		out[len(out)-1].patches = append(slices.Clone(b.patches), s.tip)
		s.extra = extra // not the point of the thin drill
		s.keeps([]int32{s.tip}, refuse(completeness.NoToolFits, "No drill has the diameter of %.4g mm of its conical end; %s.",
			round(2*b.radius), made).with("A drill of %.4g mm that reaches it.", round(2*b.radius)))
		return out, nil
	}
	if out == nil || !isSmall {
		return nil, why
	}
	why.detail = strings.TrimSuffix(why.detail, ".") + "; " + made + "."
	s.short = why
	return out, nil
}

// isDrillOf reports whether a drill has the size of a bore.
func isDrillOf(b *bore, t *tool) bool {
	return t.Diameter >= 2*b.radius-thinner && t.Diameter <= 2*b.radius+thicker
}

// longestDrill returns the drill of the size of a bore that reaches deepest, and its lowest tip height; -1 without one.
func (s *stack) longestDrill(b *bore) (drill int, low float64) {
	drill, low = -1, math.Inf(1)
	if s.band() <= gradeMilled {
		return drill, low
	}
	for _, i := range s.p.choose(func(t *tool) bool {
		return isDrillOf(b, t) && !s.p.isAvoided(s.side, s.patches, t)
	}, machining.Drill) {
		t := &s.p.tools[i]
		at := place{side: s.side, patches: s.bores[0].patches, bottom: s.end(b, t.tip()), beside: -b.radius}
		if z := max(s.p.lowest(&at, t), s.top+leaveAxial-t.FluteLength); z < low-s.p.tol() {
			drill, low = i, z
		}
	}
	return drill, low
}

// deepest returns the mill that reaches deepest into a bore whose core is open to a radius, and its lowest tip height;
// -1 without one.
func (s *stack) deepest(b *bore, inner float64) (mill int, low float64) {
	mill, low = -1, math.Inf(1)
	for _, i := range s.p.choose(func(t *tool) bool {
		return s.fitsHelix(b, t, inner) && !s.p.isAvoided(s.side, s.patches, t)
	}, machining.FlatEndMill) {
		t := &s.p.tools[i]
		at := place{side: s.side, patches: s.bores[0].patches, bottom: s.end(b, 0), beside: -b.radius}
		z := s.p.lowest(&at, t)
		z = max(z, s.bodyLow(b, t, inner))
		if z < low-s.p.tol() && !s.shankMeets(t, b.radius, z) {
			mill, low = i, z
		}
	}
	return mill, low
}

// beforeReaming drills a bore somewhat narrower, or mills it.
func (s *stack) beforeReaming(b *bore, d float64) ([]step, bool) {
	if drill := s.pointed(machining.Drill, d-reamStock, b, reamMost-reamStock, 0); drill >= 0 {
		return s.drilled(b, drill, nil), true
	}
	thin := *b
	thin.radius -= reamStock
	out := s.milled(&thin, nil)
	return out, out != nil
}

// drilled spots and drills a bore.
func (s *stack) drilled(b *bore, drill int, done []int32) []step {
	p, t := s.p, &s.p.tools[drill]
	var out []step
	if spot := s.spot(t.Diameter); spot >= 0 {
		pt := &p.tools[spot]
		deep := pt.ConeHeight(min(spotShare*t.Diameter, spotShare*pt.Diameter))
		out = append(out, step{phase: spotting, strategy: Drill, purpose: cutting.Drilling, tool: spot, top: s.top,
			bottom: s.top - deep, diameter: min(spotShare*t.Diameter, spotShare*pt.Diameter)})
	}
	st := step{phase: drilling, strategy: Drill, purpose: cutting.Drilling, tool: drill, patches: done, top: s.top,
		bottom: s.end(b, t.tip()), diameter: t.Diameter}
	if s.tip != graph.None && !s.isPoint(b, t) {
		s.keeps(append(slices.Clone(b.patches), s.tip), refuse(completeness.NoToolFits,
			"The hole is made except for its end, which differs from the drill's point of %.4g°.", *t.TipAngleDeg).
			with("A drill of %.4g mm with the point that is drawn.", round(2*b.radius)))
	}
	if s.top-b.z.Lo > peckFrom*t.Diameter {
		st.strategy = PeckDrill
	}
	if s.facts.EntryTiltDeg > maxTilt {
		st.notes = append(st.notes, "The mouth is "+strconv.FormatFloat(math.Round(s.facts.EntryTiltDeg), 'f', -1, 64)+
			"° askew: mill a seat for the drill first.")
	}
	return append(out, st)
}

// isPoint reports whether the drawn end of a bore is that which the point of a drill makes.
func (s *stack) isPoint(b *bore, t *tool) bool {
	deep := b.z.Lo - s.side.span(s.p.boxes[s.tip]).Lo
	return s.p.g.Patches[s.tip].Kind == surface.KindCone &&
		math.Abs(deep-t.tip())*b.radius/math.Hypot(b.radius, deep) <= pointOff
}

// maxTilt is the largest tilt of a face on which a spot drill does not slip, degrees.
const maxTilt = 15

// spot returns the smallest spot drill wide enough to guide a drill, else the widest; -1 without one.
func (s *stack) spot(d float64) int {
	list := s.p.choose(func(t *tool) bool { return true }, machining.SpotDrill)
	if len(list) == 0 {
		return -1
	}
	for i := len(list) - 1; i >= 0; i-- {
		if spotShare*s.p.tools[list[i]].Diameter >= spotShare*d {
			return list[i]
		}
	}
	return list[0]
}

// end returns where the tip of a tool with a point of some height goes to make the lower end of a bore.
func (s *stack) end(b *bore, tip float64) float64 {
	p := s.p
	if !s.closed {
		room := p.clearanceBelow(s.side, p.frame.Point(s.center), b.radius, b.z.Lo)
		return b.z.Lo - min(tip+breakthrough, max(room-play, 0))
	}
	if s.tip != graph.None { // never deeper than the drawn point, for any point angle
		return max(b.z.Lo-tip, s.side.span(p.boxes[s.tip]).Lo)
	}
	return b.z.Lo
}

// pointed returns the tool of a kind that has the diameter of a bore, within thin and thick, and reaches its end; -1
// without one.
func (s *stack) pointed(k machining.ToolKind, d float64, b *bore, thin, thick float64) int {
	list := s.p.choose(func(t *tool) bool {
		if t.Diameter < d-thin || t.Diameter > d+thick {
			return false
		}
		if k == machining.Drill && t.FluteLength < s.top-s.end(b, t.tip()) {
			return false
		}
		return s.reaches(t, b.radius, s.end(b, t.tip()))
	}, k)
	if len(list) == 0 {
		return -1
	}
	return list[0]
}

// borer returns the mill that makes a bore along a helix down to a height, with at most a core of the radius inner that
// was opened before; -1 without one.
func (s *stack) borer(b *bore, inner, bottom float64) int {
	for _, kind := range []machining.ToolKind{machining.FlatEndMill, machining.BullNoseEndMill} {
		list := s.p.choose(func(t *tool) bool {
			through := kind == machining.FlatEndMill || !s.closed && inner == 0
			return through && s.fitsHelix(b, t, inner) && s.bodyLow(b, t, inner) <= bottom && s.reaches(t, b.radius, bottom)
		}, kind)
		if len(list) > 0 {
			return list[0]
		}
	}
	return -1
}

// fitsHelix reports whether a mill makes a bore along a helix, with a core already open to a radius. The helix leaves
// the material within d/2 - diameter of the axis.
func (s *stack) fitsHelix(b *bore, t *tool, inner float64) bool {
	d := 2 * b.radius
	return t.Diameter <= boreShare*d && t.Diameter >= max(coreShare*d-inner, 0) && (t.RampDeg() > 0 || t.CutsCenter())
}

// bodyLow returns the lowest height of a mill's tip on its helix in a bore, before its neck or shank touches uncut
// material. The flute length limits it, unless the core is open to a radius that the body clears.
func (s *stack) bodyLow(b *bore, t *tool, inner float64) float64 {
	isClear := t.Diameter/2 <= inner
	if t.ShankDiameter > t.Diameter {
		isClear = b.radius+(t.ShankDiameter-t.Diameter)/2+shankGap <= inner
	}
	if isClear {
		return math.Inf(-1)
	}
	return s.top + leaveAxial - t.FluteLength
}

// shankMeets reports whether a shank that is wider than a bore meets the narrow part of the hole.
func (s *stack) shankMeets(t *tool, radius, bottom float64) bool {
	if t.ShankDiameter <= t.Diameter || t.ShankDiameter/2 <= radius {
		return false
	}
	return slices.ContainsFunc(s.bores, func(b bore) bool {
		return b.radius < t.ShankDiameter/2+shankGap && b.z.Hi > bottom+t.FluteLength
	})
}

func (s *stack) reaches(t *tool, radius, bottom float64) bool {
	spot := place{side: s.side, patches: s.bores[0].patches, bottom: bottom, beside: -radius}
	return !s.shankMeets(t, radius, bottom) && s.p.clears(&spot, t) && !s.p.isAvoided(s.side, s.patches, t)
}

// skipPatches takes patches out of the stack: they are made otherwise, or named by themselves.
func (s *stack) skipPatches(patches []int32) {
	s.isCropped = true
	s.patches = slices.DeleteFunc(s.patches, func(q int32) bool { return slices.Contains(patches, q) })
}

// sinkStep makes the conical opening with one plunge; false where no tool does.
func (s *stack) sinkStep(last *bore) (step, bool) {
	p, k := s.p, s.countersink
	deep := k.z.Hi - k.wide/math.Tan(k.angle)
	right := func(t *tool) bool {
		return math.Abs(geom.Radians(*t.TipAngleDeg)/2-k.angle) <= geom.Radians(bevelMatch)
	}
	list := p.choose(func(t *tool) bool {
		return right(t) && t.Diameter >= 2*k.wide && t.TipRadius() <= last.radius && s.reaches(t, k.wide, deep+t.blunt())
	}, machining.Countersink, machining.SpotDrill, machining.ChamferMill)
	if len(list) == 0 || s.closed && deep < s.end(last, 0) {
		return step{}, false
	}
	best := list[len(list)-1]
	return step{phase: sinking, strategy: Drill, purpose: cutting.Drilling, tool: best, patches: []int32{k.patch},
		top:    s.top,
		bottom: deep + p.tools[best].blunt(), diameter: 2 * k.wide}, true
}

// noMill says why a bore is not made: which drills and mills were looked for, and what they lack.
func (s *stack) noMill(b *bore) *rejection {
	d, deep := round(2*b.radius), round(s.top-b.z.Lo)
	sizes := s.p.choose(func(t *tool) bool { return isDrillOf(b, t) }, machining.Drill)
	if len(sizes) > 0 {
		return refuse(completeness.OutOfReach, "The bore of %.4g mm is %.4g mm deep; the longest drill is %s.",
			d, deep, s.p.longest(sizes)).
			with("A drill of %.4g mm that reaches %.4g mm deep.", d, deep)
	}
	mills := s.p.choose(func(t *tool) bool { return s.fitsHelix(b, t, b.radius) }, machining.FlatEndMill)
	remedy := fmt.Sprintf("A drill of %.4g mm, or an end mill of at most %.4g mm that cuts over %.4g mm.", d,
		round(boreShare*2*b.radius), deep)
	if len(mills) == 0 {
		return refuse(completeness.NoToolFits, "No drill has the bore's diameter of %.4g mm, and every end mill is too thick "+
			"to make it along a helix.", d).with("%s", remedy)
	}
	return refuse(completeness.OutOfReach, "No drill has the bore's diameter of %.4g mm, and no end mill that fits reaches "+
		"%.4g mm deep (the longest is %s).", d, deep, s.p.longest(mills)).with("%s", remedy)
}

// Grades of ISO 286-1 that decide how a bore is made.
const (
	gradeReamed = 8
	gradeMilled = 11
	gradeDrill  = 18
)

// band returns the grade that the tolerance of the hole allows: drilled where the file states none.
func (s *stack) band() int {
	b := s.p.in.Sheets[s.id].ToleranceBand
	if b.Source != feature.ToleranceFromPMI {
		return gradeDrill
	}
	d := s.facts.Diameter
	unit := (0.45*math.Cbrt(d) + 0.001*d) / 1000 // i of ISO 286-1, mm
	width := 2 * (b.RadialUpper - b.RadialLower)
	grade := gradeDrill
	for n, times := range map[int]float64{5: 7, 6: 10, 7: 16, 8: 25, 9: 40, 10: 64, 11: 100} {
		if width <= times*unit*1.05 {
			grade = min(grade, n)
		}
	}
	return grade
}
