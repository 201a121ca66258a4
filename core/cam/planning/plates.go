package planning

// Fixtures of two plates.
//
// Where no vise holds, two plates of aluminum are made for the part: one is screwed to a base, the other slides, and
// bolts beside the part draw them together. They are as wide and as high as the part needs, and flat or milled to its
// outline. So they hold parts that are too tall or too long for the jaws of a vise, or whose lower end is thin. The
// model is that of jaws, with the force of the bolts.

import (
	"fmt"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	plateBolt   = 10.0 // mm, M10 of class 8.8
	plateTorque = 40.0 // N·m, of each
	plateBolts  = 1    // at each end of the plates
	plateMargin = 45.0 // mm of plate beside the part at each end, for the bolts
	plateHigh   = 150.0
	plateLow    = 20.0 // mm high at least, for the bolts
	plateOpens  = 400.0

	baseThick = 20.0 // mm
	baseGap   = 10.0 // mm between the base and the part, which lies on parallels: tools run past the part
	thinForm  = 2.0  // mm, depth of the least pocket in plates, into which the whole part drops
)

// plateShares are the shares of the height of the workpiece that plates cover.
var plateShares = [4]float64{1, 0.75, 0.5, 0.25}

// inPlates returns the clampings between two plates: the deepest, and the one that is in the way of least.
func (p *planner) inPlates(st *state, s side) (list []clamping) {
	a, b := s.across()
	pairs := [2]*platePair{p.newPair(st, s, min(a, b)), p.newPair(st, s, max(a, b))}
	depths := p.plateDepths(st, s)
	at := slices.IndexFunc(depths, func(depth float64) bool {
		h, ok := p.fastestPair(pairs, depth)
		if ok {
			list = append(list, h)
		}
		return ok
	})
	for i := len(depths) - 1; at >= 0 && i > at; i-- {
		if h, ok := p.fastestPair(pairs, depths[i]); ok {
			return append(list, h)
		}
	}
	return list
}

// fastestPair returns the clamping with a depth of contact that roughs fastest; false where none holds.
func (p *planner) fastestPair(pairs [2]*platePair, depth float64) (best clamping, ok bool) {
	for _, pair := range pairs {
		for _, h := range pair.clampings(depth) {
			if h.pace = p.paceOf(h.strength); !ok || h.pace < best.pace {
				best, ok = h, true
			}
		}
	}
	return best, ok
}

// platePair is two plates that close along an axis, as a vise with these as jaws.
type platePair struct {
	*planner
	st   *state
	side side
	axis int
	jaws [2]jaw
}

func (p *planner) newPair(st *state, s side, axis int) *platePair {
	on := *p
	w := &on.in.Config.Workholding
	w.JawHeight, w.JawWidth = plateHigh, along(st.left, 3-s.axis()-axis).Length()+2*plateMargin
	w.Opening, w.OuterOpening = plateOpens, 0
	w.Force = 2 * plateBolts * workholding.ScrewForce(plateTorque, plateBolt)
	jaws := [2]jaw{{planner: &on, st: st, s: s, to: sideOf(axis, false)}, {planner: &on, st: st, s: s, to: sideOf(axis, true)}}
	return &platePair{&on, st, s, axis, jaws}
}

// clampings returns the clampings with a depth of contact. Flat plates are smooth, on raw faces too.
func (p *platePair) clampings(depth float64) (list []clamping) {
	if g, ok := p.lowestGrip(&p.jaws, p.axis, depth); ok && depth >= leastForm {
		h := p.inVise(p.st, p.side, &g)
		h = p.bolted(p.st, p.side, &g, &h, "with flat faces")
		h.strength.grip.Friction = frictionFinished
		h.strength.solid.Finished = true
		h.strength.force = min(h.strength.force, reserve*h.strength.grip.Crush(h.strength.solid))
		if h.strength.holdsLightCuts(&p.in.Config.Material) {
			list = append(list, h)
		}
	}
	if p.st.before != [sides]bool{} {
		rest := p.side.span(p.st.left).Lo
		g := viseGrip{axis: p.axis, rest: rest, top: rest + depth, depth: depth, soft: true}
		if h, ok := p.form(p.st, p.side, &g, 3-p.side.axis()-p.axis); ok {
			list = append(list, p.bolted(p.st, p.side, &g, &h, "milled to its outline"))
		}
	}
	return list
}

// plateDepths returns the depths of contact that plates are made for, the deepest first.
func (p *planner) plateDepths(st *state, s side) (list []float64) {
	rest, high := s.span(st.left).Lo, min(s.span(p.part).Hi-s.span(st.left).Lo-jawClear, plateHigh)
	for _, share := range plateShares {
		list = append(list, share*high)
	}
	for t := range p.tasks { // up to a floor that they support
		if w := p.tasks[t].ways[s.opposite()]; st.done[t] && w != nil && w.kind == floor {
			list = append(list, s.span(p.tasks[t].box).Lo-rest)
		}
	}
	list = slices.DeleteFunc(list, func(d float64) bool { return d < thinForm || d > high })
	list = p.sorted(list)
	slices.Reverse(list)
	return list
}

// bolted adds the base and the bolts of plates to a clamping between them.
func (p *planner) bolted(st *state, s side, g *viseGrip, h *clamping, faces string) clamping {
	out := *h
	third := 3 - s.axis() - g.axis
	all := geom.EmptyBox()
	for _, b := range h.jaws {
		all = all.Union(b)
	}
	low := min(g.rest-baseGap, g.top-plateLow)
	for i := range out.jaws { // down to the base
		put(&out.jaws[i], s.axis(), s.flip(geom.Interval{Lo: low, Hi: g.top}))
	}
	base := all
	put(&base, s.axis(), s.flip(geom.Interval{Lo: low - baseThick, Hi: low}))
	out.under = append(out.under, base)
	ends := along(all, third)
	middle := min(max(g.top-g.depth/2, low+plateBolt), g.top-plateBolt)
	for _, at := range [2]float64{ends.Lo + plateBolt, ends.Hi - plateBolt} {
		bolt := all
		put(&bolt, third, geom.Interval{Lo: at - plateBolt/2, Hi: at + plateBolt/2})
		put(&bolt, g.axis, g.planes)
		put(&bolt, s.axis(), s.flip(geom.Interval{Lo: middle - plateBolt/2, Hi: middle + plateBolt/2}))
		out.under = append(out.under, bolt)
	}
	out.kind, out.device = machining.WorkholdingFixture, DevicePlates
	plates := &plateSet{formed: formed{side: s, grip: *g, third: third, ends: ends}, middle: middle, base: base, isFlat: true}
	if h.formed != nil {
		plates.formed, plates.isFlat = *h.formed, false
	}
	plates.low, plates.seat, out.design = low, false, plates
	out.text = fmt.Sprintf("Between two plates %.4g mm high %s, made for the part, on a base %.4g mm thick: %.4g mm deep, "+
		"across %s, %.5g mm apart, drawn together by %d bolts M%.4g beside the part.", round(g.top-low), faces, baseThick,
		round(g.depth), "xyz"[g.axis:g.axis+1], round(g.planes.Length()), 2*plateBolts, plateBolt)
	model := *h.strength
	out.strength = &model
	return out
}
