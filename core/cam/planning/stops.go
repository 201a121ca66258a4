package planning

// Stops of base plates: two pins along an edge of the part and one at its end.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

const pinWide = 10.0 // mm

// stops returns pins at finished walls of the part's lower end, and the words for them.
func (p *planner) stops(st *state, s side) (pins []geom.Box, named string) {
	a, b := s.across()
	if along(p.part, a).Length() < along(p.part, b).Length() {
		a, b = b, a
	}
	for _, up := range [2]bool{false, true} {
		long := p.pinsAt(st, s, sideOf(b, up))
		for _, upEnd := range [2]bool{false, true} {
			ends := p.pinsAt(st, s, sideOf(a, upEnd))
			if len(long) > 1 && len(ends) > 0 {
				return append(long[:2:2], ends[len(ends)/2]), "two pins at an edge and one at an end"
			}
		}
	}
	return nil, "aligned by an indicator"
}

// pinsAt returns pins that touch a finished wall toward a side near its ends and its middle.
func (p *planner) pinsAt(st *state, s, to side) (list []geom.Box) {
	low := s.span(st.left).Lo
	high := min(stopShare*(s.span(p.part).Hi-low), mostStop)
	g := viseGrip{rest: low, top: low + high, depth: high}
	third := 3 - s.axis() - to.axis()
	across := along(p.part, third)
	rows := p.extents(slabKey{s, to.axis(), low + p.tol(), low + high})
	pitch := across.Length() / formedRows
	half := max(int(math.Ceil(pinWide/2/pitch)), 1)
	at := func(i int) (box geom.Box, ok bool) {
		edge := math.Inf(-1)
		for k := i - half; k <= i+half; k++ {
			part := math.Inf(-1)
			if k >= 0 && k < formedRows && rows[k].at[0] <= rows[k].at[1] {
				end := 0
				if to.sign() > 0 {
					end = 1
				}
				part = to.sign() * rows[k].at[end]
				if k == i && !p.isMade(st, s, rows[k].by[end], &g) {
					return box, false
				}
			}
			x := across.Lo + (float64(k)+0.5)*pitch
			edge = max(edge, p.outermost(st, s, to, &g, x, math.Inf(1), part))
		}
		if math.IsInf(edge, -1) || edge > outer(p.part, to)+p.tol() {
			return box, false
		}
		middle := across.Lo + (float64(i)+0.5)*pitch
		put(&box, to.axis(), to.flip(geom.Interval{Lo: edge, Hi: edge + pinWide}))
		put(&box, third, geom.Interval{Lo: middle - pinWide/2, Hi: middle + pinWide/2})
		put(&box, s.axis(), s.flip(geom.Interval{Lo: low - baseGap, Hi: low + high}))
		return box, true
	}
	for _, share := range [3]float64{0.2, 0.8, 0.5} {
		if box, ok := at(int(share * formedRows)); ok {
			list = append(list, box)
		}
	}
	return list
}
