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
	reamMost     = 0.6  // mm that a reamer takes at most, of the diameter
	pilotStock   = 0.3  // mm that a drill leaves for a mill at least, of the diameter
	millGap      = 0.1  // mm around a mill that goes down in a drilled hole
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
		st := step{phase: boring, strategy: Bore, purpose: cutting.Finish,
			patches: slices.Concat(b.patches, s.ledgesAt(b.z.Lo)), top: s.top, bottom: b.z.Lo, diameter: 2 * b.radius}
		best := s.quickest(s.each(st, s.borers(b, inner, b.z.Lo)), inner)
		if best == nil {
			s.skipPatches(st.patches) // a pocket, if anything
			continue
		}
		out = append(out, best...)
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

// mainBore makes the narrowest bore with its end, by the quickest of the methods that hold its tolerance.
func (s *stack) mainBore(b *bore) ([]step, *rejection) {
	p, d := s.p, 2*b.radius
	done := slices.Clone(b.patches)
	if s.tip != graph.None {
		done = append(done, s.tip)
	}
	grade := s.band()
	var list [][]step
	if s.flat == graph.None {
		list = s.reamed(b, done)
	}
	if grade > gradeReamed || len(list) == 0 {
		if s.flat == graph.None {
			for _, drill := range s.drills(b, grade) {
				list = append(list, s.drilled(b, drill, done))
			}
		}
		if s.tip == graph.None {
			list = append(list, s.milled(b, done)...)
		}
	}
	if out := s.quickest(list, 0); out != nil {
		s.keepPoint(b, out)
		if last := &out[len(out)-1]; grade <= gradeReamed && last.strategy == Bore {
			last.notes = append(last.notes, "The band is IT8 or finer and no reamer has the size: measure and correct.")
		}
		return out, nil
	}
	drills := s.drills(b, gradeMost)
	if len(drills) == 0 || s.flat != graph.None && s.isPocket(b) {
		return s.partly(b)
	}
	out := s.drilled(b, drills[0], done)
	s.keepPoint(b, out)
	last := &out[len(out)-1]
	if grade < p.tools[drills[0]].grade() {
		last.notes = append(last.notes, "The band is finer than drills hold: measure and correct.")
	}
	if s.flat != graph.None {
		last.patches = append(last.patches, s.flat)
		s.keeps(append(slices.Clone(b.patches), s.flat), refuse(completeness.NoToolFits,
			"No end mill gets down to its flat bottom: the drill leaves %.4g mm of its point there.",
			p.tools[drills[0]].tip()).
			with("An end mill of at most %.4g mm that reaches %.4g mm deep.", round(boreShare*d), round(s.top-b.z.Lo)))
	}
	return out, nil
}

// isPocket reports whether a mill makes the flat bottom of a bore as that of a pocket.
func (s *stack) isPocket(b *bore) bool {
	return !s.isSmall() && len(s.p.choose(func(t *tool) bool {
		return t.Diameter <= 2*b.radius-play && (t.ShankDiameter <= t.Diameter || t.FluteLength >= s.top-b.z.Lo) &&
			s.reaches(t, b.radius, b.z.Lo)
	}, machining.FlatEndMill)) > 0
}

// drills returns the drills that make a bore to a grade: those nearest to its size that reach its end, of these
// the ones with the point nearest to the drawn one.
func (s *stack) drills(b *bore, grade int) []int {
	list := s.pointed(machining.Drill, 2*b.radius, b, s.under(), thicker)
	if len(list) == 0 {
		return nil
	}
	size := s.p.tools[list[0]].Diameter
	list = slices.DeleteFunc(list, func(i int) bool {
		return s.p.tools[i].Diameter < size || s.p.tools[i].grade() > grade
	})
	if s.tip != graph.None && len(list) > 0 {
		least := slices.MinFunc(list, func(i, j int) int { return cmp.Compare(s.blunter(b, i), s.blunter(b, j)) })
		list = slices.DeleteFunc(list, func(i int) bool { return s.blunter(b, i) > s.blunter(b, least) })
	}
	return list
}

// blunter returns the height difference of a drill's point and the drawn end of a bore, mm, rounded; 0 where the drill
// makes the end.
func (s *stack) blunter(b *bore, drill int) float64 {
	t := &s.p.tools[drill]
	if s.isPoint(b, t) {
		return 0
	}
	return round(math.Abs(b.z.Lo - s.side.span(s.p.boxes[s.tip]).Lo - t.tip()))
}

// reamed returns the ways to ream a bore, each after a drill of another material, or after a mill without one.
func (s *stack) reamed(b *bore, done []int32) (list [][]step) {
	reamers := s.pointed(machining.Reamer, 2*b.radius, b, thicker, thicker)
	if len(reamers) == 0 {
		return nil
	}
	thin := *b
	thin.radius -= reamStock(2*b.radius) / 2
	most := reamMost - reamStock(2*b.radius)
	for _, drill := range s.firstOfEach(s.pointed(machining.Drill, 2*thin.radius, b, most, 0)) {
		list = append(list, s.drilled(b, drill, nil))
	}
	if len(list) == 0 && s.tip == graph.None {
		list = s.milled(&thin, nil)
	}
	ream := step{phase: reaming, strategy: Ream, purpose: cutting.Reaming, tool: reamers[0], patches: done, top: s.top,
		bottom: b.z.Lo, diameter: s.p.tools[reamers[0]].Diameter}
	if !s.closed {
		ream.bottom -= breakthrough
	}
	for i := range list {
		list[i] = append(list[i], ream)
	}
	return list
}

// milled returns the ways to mill a bore: down a helix alone, or after the thickest drill of each material.
func (s *stack) milled(b *bore, done []int32) (list [][]step) {
	low := s.end(b, 0)
	if s.flat != graph.None && done != nil {
		done = append(slices.Clone(done), s.flat)
	}
	st := step{phase: boring, strategy: Bore, purpose: cutting.Finish, patches: done, top: s.top, bottom: low,
		diameter: 2 * b.radius}
	list = s.each(st, s.borers(b, 0, low))
	for _, pilot := range s.pilots(b) {
		for _, mill := range s.each(st, s.borers(b, s.p.tools[pilot].Diameter/2, low)) {
			list = append(list, append(s.drilled(b, pilot, nil), mill...))
		}
	}
	return list
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
		s.keepPoint(b, out)
		last := &out[len(out)-1]
		last.bottom = low
		why.detail = strings.TrimSuffix(why.detail, ".") + fmt.Sprintf("; it is drilled %.4g mm deep from %v.",
			round(s.top-low), s.side)
		s.short, s.full = why, low+s.p.tools[drill].tip()
		return out, nil
	}
	var out []step
	inner, made := 0.0, ""
	if pilots := s.pilots(b); len(pilots) > 0 {
		t := &s.p.tools[pilots[0]]
		out, inner = s.drilled(b, pilots[0], nil), t.Diameter/2
		made = fmt.Sprintf("it is drilled to %.4g mm", t.Diameter)
		s.full = math.Inf(1)
	}
	if mill, low := s.deepest(b, inner); mill >= 0 && s.top-low > leastDepth {
		out = append(out,
			step{phase: boring, strategy: Bore, purpose: cutting.Finish, tool: mill, patches: b.patches, top: s.top,
				bottom: low, diameter: 2 * b.radius})
		if made != "" {
			made += " and "
		}
		made += fmt.Sprintf("milled %.4g mm deep from %v", round(s.top-low), s.side)
		s.full = low
	}
	if out != nil && s.tip != graph.None && s.full <= b.z.Lo+s.p.tol() {
		out[len(out)-1].patches = append(slices.Clone(b.patches), s.tip)
		s.keeps([]int32{s.tip},
			refuse(completeness.NoToolFits, "No drill has the diameter of %.4g mm of its conical end; %s.",
				round(2*b.radius), made).with("A drill of %.4g mm that reaches it.", round(2*b.radius)))
		return out, nil
	}
	if out == nil || !isSmall {
		return nil, why
	}
	s.keepPoint(b, out)
	why.detail = strings.TrimSuffix(why.detail, ".") + "; " + made + "."
	s.short = why
	return out, nil
}

// isDrillOf reports whether a drill has the size of a bore.
func (s *stack) isDrillOf(b *bore, t *tool) bool {
	return t.Diameter >= 2*b.radius-s.under() && t.Diameter <= 2*b.radius+thicker
}

// longestDrill returns the drill of the size of a bore that reaches deepest, and its lowest tip height; -1 without one.
func (s *stack) longestDrill(b *bore) (drill int, low float64) {
	drill, low = -1, math.Inf(1)
	grade := s.band()
	for _, i := range s.p.choose(func(t *tool) bool {
		return s.isDrillOf(b, t) && t.grade() <= grade && !s.p.isAvoided(s.side, s.patches, t)
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

// drilled spots and drills a bore.
func (s *stack) drilled(b *bore, drill int, done []int32) []step {
	p, t := s.p, &s.p.tools[drill]
	var out []step
	if spot := s.spot(t.Diameter); spot >= 0 && !(t.centersItself() && s.facts.EntryTiltDeg <= steadyTilt) {
		pt := &p.tools[spot]
		deep := pt.ConeHeight(min(spotShare*t.Diameter, spotShare*pt.Diameter))
		out = append(out, step{phase: spotting, strategy: Drill, purpose: cutting.Drilling, tool: spot, top: s.top,
			bottom: s.top - deep, diameter: min(spotShare*t.Diameter, spotShare*pt.Diameter)})
	}
	st := step{phase: drilling, strategy: Drill, purpose: cutting.Drilling, tool: drill, patches: done, top: s.top,
		bottom: s.end(b, t.tip()), diameter: t.Diameter}
	if s.top-b.z.Lo > t.peckFrom() {
		st.strategy = PeckDrill
	}
	if s.facts.EntryTiltDeg > maxTilt {
		st.notes = append(st.notes, "The mouth is "+strconv.FormatFloat(math.Round(s.facts.EntryTiltDeg), 'f', -1, 64)+
			"° askew: mill a seat for the drill first.")
	}
	return append(out, st)
}

// keepPoint names the material that the drill among some steps leaves of an end of another shape.
func (s *stack) keepPoint(b *bore, steps []step) {
	for i := range steps {
		if t := &s.p.tools[steps[i].tool]; steps[i].phase == drilling && s.tip != graph.None && !s.isPoint(b, t) {
			s.keeps(append(slices.Clone(b.patches), s.tip), refuse(completeness.NoToolFits,
				"The hole is made except for its end, which differs from the drill's point of %.4g°.", *t.TipAngleDeg).
				with("A drill of %.4g mm with the point that is drawn.", round(2*b.radius)))
		}
	}
}

// isPoint reports whether the drawn end of a bore is that which the point of a drill makes.
func (s *stack) isPoint(b *bore, t *tool) bool {
	deep := b.z.Lo - s.side.span(s.p.boxes[s.tip]).Lo
	return s.p.g.Patches[s.tip].Kind == surface.KindCone &&
		math.Abs(deep-t.tip())*b.radius/math.Hypot(b.radius, deep) <= pointOff
}

// Largest tilts of a face, degrees: on which a spot drill does not slip, and on which a drill that centers itself does
// not.
const maxTilt, steadyTilt = 15, 5

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
		if s.room == 0 {
			last := &s.bores[len(s.bores)-1]
			s.room = p.clearanceBelow(s.side, p.frame.Point(s.center), last.radius, last.z.Lo)
		}
		return b.z.Lo - min(tip+breakthrough, max(s.room-play, 0))
	}
	if s.tip != graph.None { // never deeper than the drawn point, for any point angle
		return max(b.z.Lo-tip, s.side.span(p.boxes[s.tip]).Lo)
	}
	return b.z.Lo
}

// pointed returns the tools of a kind that have a diameter, within thin and thick, and reach the end of a bore, the
// thickest first.
func (s *stack) pointed(k machining.ToolKind, d float64, b *bore, thin, thick float64) []int {
	return s.p.choose(func(t *tool) bool {
		if t.Diameter < d-thin || t.Diameter > d+thick {
			return false
		}
		if k == machining.Drill && t.FluteLength < s.top-s.end(b, t.tip()) {
			return false
		}
		return s.reaches(t, b.radius, s.end(b, t.tip()))
	}, k)
}

// borers returns the mills that make a bore down to a height whose core is open to the radius inner, of a kind that has
// some.
func (s *stack) borers(b *bore, inner, bottom float64) []int {
	for _, kind := range []machining.ToolKind{machining.FlatEndMill, machining.BullNoseEndMill} {
		list := s.p.choose(func(t *tool) bool {
			through := kind == machining.FlatEndMill || !s.closed && inner == 0
			return through && s.fitsHelix(b, t, inner) && s.bodyLow(b, t, inner) <= bottom &&
				s.reaches(t, b.radius, bottom)
		}, kind)
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// fitsHelix reports whether a mill makes a bore, with a core already open to a radius: along a helix, or by turns where
// it goes down in the core.
func (s *stack) fitsHelix(b *bore, t *tool, inner float64) bool {
	d := 2 * b.radius
	return (t.Diameter <= boreShare*d || goesDown(t, inner)) && t.Diameter >= max(coreShare*d-inner, 0) &&
		(t.RampDeg() > 0 || t.CutsCenter())
}

// goesDown reports whether a mill goes down in a core that is open to a radius.
func goesDown(t *tool, inner float64) bool { return t.Diameter/2+millGap <= inner }

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
	if s.shankMeets(t, radius, bottom) {
		return false
	}
	at := &s.at
	at.side, at.patches, at.bottom, at.beside = s.side, s.bores[0].patches, bottom, -radius
	return s.p.clears(at, t) && !s.p.isAvoided(s.side, s.patches, t)
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
	fits := func(t *tool) bool {
		return right(t) && t.Diameter >= 2*k.wide && t.TipRadius() <= last.radius &&
			s.reaches(t, k.wide, deep+t.blunt())
	}
	list := p.choose(fits, machining.Countersink)
	if len(list) == 0 {
		list = p.choose(fits, machining.SpotDrill, machining.ChamferMill)
	}
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
	if sizes := s.p.choose(func(t *tool) bool { return s.isDrillOf(b, t) }, machining.Drill); len(sizes) > 0 {
		size := s.p.tools[sizes[0]].Diameter
		sizes = slices.DeleteFunc(sizes, func(i int) bool { return s.p.tools[i].Diameter < size })
		return refuse(completeness.OutOfReach, "The bore of %.4g mm is %.4g mm deep; the longest drill is %s.",
			d, deep, s.p.longest(sizes)).
			with("A drill of %.4g mm that reaches %.4g mm deep.", d, deep)
	}
	mills := s.p.choose(func(t *tool) bool { return s.fitsHelix(b, t, b.radius) }, machining.FlatEndMill)
	remedy := fmt.Sprintf("A drill of %.4g mm, or an end mill of at most %.4g mm that cuts over %.4g mm.", d,
		round(boreShare*2*b.radius), deep)
	if len(mills) == 0 {
		return refuse(completeness.NoToolFits,
			"No drill has the bore's diameter of %.4g mm, and every end mill is too thick "+
				"to make it along a helix.", d).with("%s", remedy)
	}
	return refuse(completeness.OutOfReach,
		"No drill has the bore's diameter of %.4g mm, and no end mill that fits reaches "+
			"%.4g mm deep (the longest is %s).", d, deep, s.p.longest(mills)).with("%s", remedy)
}
