package planning

// Flat beds hold workpieces that are too thin for jaws: by vacuum under large faces, by adhesive tape under small ones.
// Low stops around the workpiece bear the horizontal force.

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	vacuumPressure = 0.08     // MPa, of common pumps
	tapePressure   = 0.085    // MPa, that double-sided tape bears for long
	leastVacuum    = 10_000.0 // mm² of contact
	leastTape      = 500.0    // mm²
	stopShare      = 0.5      // of the height of the part
	mostStop       = 5.0      // mm
	stopWidth      = 20.0     // mm, from the workpiece outward
)

// onBed returns the clamping on a bed; false where the workpiece has no large enough finished face below.
func (p *planner) onBed(st *state, s side) (clamping, bool) {
	low, area := s.span(st.left).Lo, 0.0
	for t := range p.tasks {
		task := &p.tasks[t]
		if w := task.ways[s.opposite()]; st.done[t] && w != nil && w.kind == floor &&
			math.Abs(s.span(task.box).Lo-low) <= p.tol() {
			area += task.weight
		}
	}
	bed, name := workholding.Bed{Pressure: vacuumPressure, Area: area}, "vacuum"
	if area < leastVacuum {
		bed.Pressure, name = tapePressure, "double-sided tape"
	}
	if area < leastTape {
		return clamping{}, false
	}
	a, b := s.across()
	height := s.span(st.left).Length()
	stop := min(stopShare*(s.span(p.part).Hi-low), mostStop)
	h := strength{
		bed: &bed, narrow: min(along(st.left, a).Length(), along(st.left, b).Length()), middle: low, top: low + height,
	}
	if !h.holdsLightCuts(&p.in.Config.Material) {
		return clamping{}, false
	}
	out := clamping{
		kind: machining.WorkholdingNone, isBed: true, limit: low + stop + jawClear, strength: &h,
		text: fmt.Sprintf("On a bed with %s under %.4g cm², between stops %.2g mm high.", name, area/100, stop),
	}
	g := viseGrip{rest: low, top: low + stop, depth: stop}
	over := p.overFaces(st, s, geom.Interval{Lo: g.rest, Hi: g.top})
	for _, axis := range [2]int{a, b} {
		third := 3 - s.axis() - axis
		across := along(p.part, third)
		rows := p.extents(slabKey{s, axis, low + p.tol(), low + stop})
		for _, up := range [2]bool{false, true} {
			to, edge := sideOf(axis, up), math.Inf(-1)
			for i := range rows {
				x := across.Lo + (float64(i)+0.5)*across.Length()/formedRows
				part := math.Inf(-1)
				if rows[i].at[0] <= rows[i].at[1] {
					part = max(to.sign()*rows[i].at[0], to.sign()*rows[i].at[1])
				}
				edge = max(edge, p.outermost(st, s, to, &g, x, math.Inf(1), part))
				for k := range over {
					edge = max(edge, p.outermost(&over[k].others, s, to, &g, x, outer(over[k].box, to), part))
				}
			}
			box := p.part
			put(&box, axis, to.flip(geom.Interval{Lo: edge, Hi: edge + stopWidth}))
			put(&box, s.axis(), s.flip(geom.Interval{Lo: low, Hi: low + stop}))
			out.jaws = append(out.jaws, box)
		}
	}
	return out, true
}
