package planning

// Clamping of the part.
//
// The part is clamped in a vise if a grip exists (grip.go): by either pair of faces, or by both in turn if the jaws of
// one obstruct the machining. Else a fixture is named, whose maker provides its clamps.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	jawDepth = 40.0 // mm from the gripping face outward, as of the plates of common vises and the jaw behind
	jawClear = 0.6  // mm between tools and jaws: paths keep access.Clearance, and round
	// share of the length of the part that jaws must touch on both sides, and of its height between them
	leastGrip = 0.25
)

// clamping is the clamping of the part in a setup.
type clamping struct {
	kind   machining.WorkholdingKind
	choice int // of the ways to hold the part
	text   string
	jaws   []geom.Box // in the frame of the workpiece
	limit  float64    // along the side: how low tools may go beside the part; -Inf without jaws
}

// state is the progress of the work.
type state struct {
	left    geom.Box         // bounding box of the remaining stock
	cleared [3]geom.Interval // along each axis: where all around the part is cut away; empty: nowhere
	cuts    []cut
	made    [][3]geom.Interval // of each wall task: its finished range, by axis
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

// clampings returns the ways to hold the part with a side up: those in a vise, the best first, then a fixture. Many
// orders of sides come by the same state. The caller must not change them.
func (p *planner) clampings(st *state, s side) []clamping {
	key := string(st.appendHeld([]byte{byte(s)}))
	list, ok := p.held[key]
	if !ok {
		if p.held == nil {
			p.held = map[string][]clamping{}
		}
		list = p.findClampings(st, s)
		p.held[key] = list
	}
	return list
}

// appendHeld appends the part of a state that decides its clamping: the remaining stock, for any order of cuts, and the
// finished faces.
func (st *state) appendHeld(key []byte) []byte {
	number := func(list ...float64) {
		for _, x := range list {
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
		}
	}
	number(st.left.Min.X, st.left.Min.Y, st.left.Min.Z, st.left.Max.X, st.left.Max.Y, st.left.Max.Z)
	cuts := slices.Clone(st.cuts)
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Or(cmp.Compare(a.side, b.side), cmp.Compare(a.low, b.low)) })
	for _, c := range slices.Compact(cuts) {
		key = append(key, byte(c.side))
		number(c.low)
	}
	key = append(key, byte(sides)) // no cut
	for t := range st.made {
		m := &st.made[t]
		switch {
		case st.done[t]:
			key = append(key, 2)
		case max(m[0].Length(), m[1].Length(), m[2].Length()) >= 0:
			key = append(key, 1)
			number(m[0].Lo, m[0].Hi, m[1].Lo, m[1].Hi, m[2].Lo, m[2].Hi)
		default:
			key = append(key, 0)
		}
	}
	return key
}

func (p *planner) findClampings(st *state, s side) (list []clamping) {
	kind, free := p.in.Config.Workholding.Kind, math.Inf(-1)
	if kind == machining.WorkholdingNone {
		return []clamping{{kind: kind, text: "Held from below, as by vacuum or glue, with nothing in the way.",
			limit: free}}
	}
	if kind == machining.WorkholdingVise {
		for _, g := range p.vises(st, s) {
			list = append(list, p.inVise(st, s, &g))
		}
	}
	list = append(list, clamping{kind: machining.WorkholdingFixture, text: fixtureText(s), limit: free})
	for i := range list {
		list[i].choice = i
	}
	return list
}

// inVise is the clamping in a vise with a grip.
func (p *planner) inVise(st *state, s side, g *viseGrip) clamping {
	w := &p.in.Config.Workholding
	h := clamping{kind: machining.WorkholdingVise, limit: g.top + jawClear}
	vise, on := "In a vise", ""
	if g.soft {
		vise = "In a vise with soft jaws"
	}
	if hangs := round(g.rest - s.span(st.left).Lo); hangs > 0 {
		on = fmt.Sprintf(" It lies on a floor %.4g mm above its lowest point.", hangs)
	}
	h.text = fmt.Sprintf("%s, %.4g mm deep, on the faces across %s, %.5g mm apart.%s", vise, round(g.top-g.rest),
		"xyz"[g.axis:g.axis+1], round(g.planes.Length()), on)
	third := 3 - s.axis() - g.axis
	mid := along(st.left, third).Mid()
	for _, jaw := range [2]geom.Interval{
		{Lo: g.planes.Lo - jawDepth, Hi: g.planes.Lo}, {Lo: g.planes.Hi, Hi: g.planes.Hi + jawDepth},
	} {
		var b geom.Box
		put(&b, g.axis, jaw)
		put(&b, third, geom.Interval{Lo: mid - w.JawWidth/2, Hi: mid + w.JawWidth/2})
		put(&b, s.axis(), s.flip(geom.Interval{Lo: g.top - max(w.JawHeight, w.Bite), Hi: g.top}))
		h.jaws = append(h.jaws, b)
	}
	return h
}

func fixtureText(s side) string {
	return fmt.Sprintf("In a fixture made for the part, %v of the workpiece up; its clamps are no part of the proof.",
		s)
}

// isSquare reports whether a patch is a plane that faces along an axis.
func (p *planner) isSquare(q int32, axis int, up bool) bool {
	return p.g.Patches[q].Kind == surface.KindPlane && p.g.Facing(q, sideOf(axis, up).dir(p.frame))
}
