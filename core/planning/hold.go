package planning

// How the part is held.
//
// A vise grips what stands at the lower end of the part over the height of its bite, with one pair of parallel faces:
// raw faces of the stock, or planes of the part that are finished over that height and that nothing of the part or of
// the raw stock stands out of there. Where there is no such pair, a fixture is named, and its maker sees to its
// clamps.

import (
	"fmt"
	"math"

	"millwright/core/geom"
	"millwright/core/geom/surface"
	"millwright/core/machining"
)

const (
	jawDepth  = 40.0 // mm from the gripping face outwards, as of the plates of common vises and the jaw behind
	jawClear  = 0.6  // mm between tools and jaws: paths keep access.Clearance, and round
	leastGrip = 0.25 // share of the length of the part that jaws must touch on both sides, and of its height between them
)

// hold is how the part is held in a setup.
type hold struct {
	kind  machining.HoldKind
	text  string
	jaws  []geom.Box // in the frame of the workpiece
	limit float64    // along the side: how low tools may go beside the part; -Inf without jaws
}

// state is how far the work has come.
type state struct {
	left    geom.Box           // what encloses what is left of the stock
	cleared [3]geom.Interval   // along each axis: where all around the part is cut away; empty: nowhere
	made    [][3]geom.Interval // of each task that is a wall: what is made, by axis
	done    []bool             // by task
	before  [sides]bool        // sides that were up
}

func (p *planner) begin() *state {
	s := &state{left: p.stock, made: make([][3]geom.Interval, len(p.tasks)), done: make([]bool, len(p.tasks))}
	none := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for a := range s.cleared {
		s.cleared[a] = none
	}
	for t := range s.made {
		s.made[t] = [3]geom.Interval{none, none, none}
	}
	return s
}

// hold decides how the part is held with a side up: never in a vise where it may not be.
func (p *planner) hold(st *state, s side, vise bool) hold {
	w := &p.in.Config.Workholding
	free := math.Inf(-1)
	switch {
	case w.Kind == machining.HoldNone:
		return hold{kind: w.Kind, text: "Held from below, as by vacuum or glue, with nothing in the way.", limit: free}
	case w.Kind == machining.HoldFixture || !vise:
		return hold{kind: machining.HoldFixture, text: fixtureText(s), limit: free}
	}
	bottom := s.span(st.left).Lo
	band := geom.Interval{Lo: bottom, Hi: bottom + w.Bite}
	best, size := -1, math.Inf(1)
	var grip geom.Interval
	for _, axis := range p.gripAxes(s) {
		g, ok := p.grip(st, s, axis, band)
		if ok && g.Length() < size-p.tol() {
			best, size, grip = axis, g.Length(), g
		}
	}
	if best < 0 {
		return hold{kind: machining.HoldFixture, text: fixtureText(s), limit: free}
	}
	h := hold{kind: machining.HoldVise, limit: band.Hi + jawClear}
	h.text = fmt.Sprintf("In a vise, %.4g mm deep, on the faces across %s, %.5g mm apart.", w.Bite, "xyz"[best:best+1],
		round(grip.Length()))
	third := 3 - s.axis() - best
	mid := along(st.left, third).Mid()
	for _, jaw := range [2]geom.Interval{{Lo: grip.Lo - jawDepth, Hi: grip.Lo}, {Lo: grip.Hi, Hi: grip.Hi + jawDepth}} {
		var b geom.Box
		put(&b, best, jaw)
		put(&b, third, geom.Interval{Lo: mid - w.JawWidth/2, Hi: mid + w.JawWidth/2})
		put(&b, s.axis(), s.flip(geom.Interval{Lo: band.Hi - max(w.JawHeight, w.Bite), Hi: band.Hi}))
		h.jaws = append(h.jaws, b)
	}
	return h
}

func fixtureText(s side) string {
	return fmt.Sprintf("In a fixture made for the part, %v of the workpiece up; its clamps are no part of the proof.", s)
}

func (p *planner) gripAxes(s side) [2]int {
	a, b := s.across()
	return [2]int{min(a, b), max(a, b)}
}

// grip returns where jaws touch along an axis, if they can hold by what stands there within a band along the side.
func (p *planner) grip(st *state, s side, axis int, band geom.Interval) (geom.Interval, bool) {
	third := 3 - s.axis() - axis
	var out geom.Interval
	touch := geom.Everything
	for _, up := range [2]bool{false, true} {
		at, span, ok := p.gripped(st, s, axis, band, up)
		if !ok {
			return out, false
		}
		if touch = overlap(touch, span); up {
			out.Hi = at
		} else {
			out.Lo = at
		}
	}
	return out, touch.Length() >= leastGrip*along(p.part, third).Length() &&
		out.Length() >= leastGrip*s.span(p.part).Length()
}

// gripped returns where a jaw stands on one side of the part, and over which length it touches.
func (p *planner) gripped(st *state, s side, axis int, band geom.Interval, up bool) (at float64, touch geom.Interval,
	ok bool) {
	third := 3 - s.axis() - axis
	outer := func(b geom.Box) float64 { // away from the middle is more
		if up {
			return coordinate(b.Max, axis)
		}
		return -coordinate(b.Min, axis)
	}
	absolute := func(x float64) float64 {
		if up {
			return x
		}
		return -x
	}
	cut := st.cleared[s.axis()]
	bandOnAxis := s.flip(band)
	isCleared := bandOnAxis.Lo >= cut.Lo-p.tol() && bandOnAxis.Hi <= cut.Hi+p.tol()
	from := sideOf(axis, up)
	isFaced := st.before[from] && st.cleared[axis].Length() < 0
	if isRaw := outer(st.left) > outer(p.part)+p.tol(); !isCleared && (isRaw || isFaced) {
		whole := overlap(bandOnAxis, cut).Length() <= 0
		return absolute(outer(st.left)), rest(along(st.left, third), st.cleared[third]), whole
	}
	far := math.Inf(-1) // of the part within the band
	for q := range p.boxes {
		if overlap(s.span(p.boxes[q]), band).Length() > p.tol() {
			far = max(far, outer(p.boxes[q]))
		}
	}
	touch = geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	for t := range p.tasks {
		task := &p.tasks[t]
		if len(task.patches) != 1 || math.Abs(outer(task.box)-far) > p.tol() || !p.isSquare(task.patches[0], axis, up) {
			continue
		}
		z := s.span(task.box)
		if z.Lo > band.Lo+p.tol() || z.Hi < band.Hi-p.tol() || !p.isFinished(st, t, s, band) {
			continue
		}
		t := along(task.box, third)
		touch = geom.Interval{Lo: min(touch.Lo, t.Lo), Hi: max(touch.Hi, t.Hi)}
	}
	return absolute(far), touch, touch.Length() > 0
}

// rest returns the longer of what is left of a range at either end.
func rest(all, without geom.Interval) geom.Interval {
	if overlap(all, without).Length() < 0 {
		return all
	}
	low, high := geom.Interval{Lo: all.Lo, Hi: without.Lo}, geom.Interval{Lo: without.Hi, Hi: all.Hi}
	if low.Length() >= high.Length() {
		return low
	}
	return high
}

// isSquare reports whether a patch is a plane that faces along an axis.
func (p *planner) isSquare(q int32, axis int, up bool) bool {
	return p.g.Patches[q].Kind == surface.KindPlane && p.g.Facing(q, sideOf(axis, up).dir(p.frame))
}

// isFinished reports whether a task is made over a band along a side.
func (p *planner) isFinished(st *state, t int, s side, band geom.Interval) bool {
	if st.done[t] {
		return true
	}
	on := s.flip(band)
	m := st.made[t][s.axis()]
	return on.Lo >= m.Lo-p.tol() && on.Hi <= m.Hi+p.tol()
}
