package planning

// Round bars that lie in soft jaws.
//
// The jaws are bored to the raw diameter along the bar, and reach from below its middle up to, or past it. They count
// over the longest run of columns along the bar in which the round face is still there over that height.

import (
	"fmt"
	"math"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/workholding"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	boredLow    = 0.85   // radii from the middle of the bar down to where jaws touch it
	boredWidth  = 0.7    // diameters between the middles of the contact of both jaws
	boredRows   = 12     // of boxes over the height of a jaw
	frictionBar = 0.1425 // of smooth jaws on raw faces of aluminum
)

// boredTops are the heights of jaws over the middle of the bar that are tried, in radii: past it they lock the bar.
var boredTops = [3]float64{0.35, 0, -0.35}

// inBored returns the clampings of a raw bar that lies in bored jaws, the highest jaws first.
func (p *planner) inBored(st *state, s side) (list []clamping) {
	if p.plan.Bar == nil || *p.plan.Bar == s.axis() {
		return nil
	}
	third := *p.plan.Bar
	axis := 3 - s.axis() - third
	radius, middle := along(p.stock, axis).Length()/2, s.span(p.stock).Mid()
	for _, share := range boredTops {
		low, top := middle-boredLow*radius, middle+share*radius
		touch := p.roundRun(st, s, axis, low, top)
		if touch.Length() < leastGrip*along(p.part, third).Length() || top > s.span(p.part).Hi-jawClear {
			continue
		}
		c, m := &p.in.Config.Workholding, &p.in.Config.Material
		h := strength{
			grip: workholding.Grip{
				Depth: top - low, Length: touch.Length(), Width: boredWidth * 2 * radius, Friction: frictionBar, Seated: true,
			},
			solid:  workholding.Solid{Yield: m.Yield, Modulus: m.Modulus, Thickness: 2 * radius, Finished: true},
			middle: (low + top) / 2, top: s.span(st.left).Hi, open: 2 * radius,
		}
		h.force = min(c.Force, reserve*h.grip.Crush(h.solid), reserve*h.grip.Bow(h.solid))
		if h.open > c.MostOpening() || !h.holdsLightCuts(m) {
			continue
		}
		list = append(list, clamping{
			kind: machining.WorkholdingVise, isFormed: true, limit: top + jawClear, strength: &h,
			text: fmt.Sprintf("In a vise with soft jaws bored along %s to the bar of %.5g mm, up to %.3g mm over its middle.",
				"xyz"[third:third+1], round(2*radius), round(top-middle)),
			jaws: p.boredJaws(s, axis, touch, top),
		})
	}
	return list
}

// roundRun returns the longest run along the bar in which its raw face is there between two heights on both sides, as
// long as jaws at most.
func (p *planner) roundRun(st *state, s side, axis int, low, top float64) (best geom.Interval) {
	const under, levels = 0.3, 5
	third := 3 - s.axis() - axis
	all, middle := along(st.left, third), p.stock.Center()
	radius := along(p.stock, axis).Length()/2 - under
	isThere := func(x float64) bool {
		for i := range levels {
			z := low + (top-low)*float64(i)/(levels-1)
			out := math.Sqrt(max(radius*radius-math.Pow(z-s.span(p.stock).Mid(), 2), 0))
			for _, sign := range [2]float64{-1, 1} {
				var at geom.Vec3
				at.SetCoordinate(third, x)
				at.SetCoordinate(axis, middle.Coordinate(axis)+sign*out)
				at.SetCoordinate(s.axis(), s.sign()*z)
				if !st.left.Contains(at, 0) || !p.isLeft(st, at, (*heightField).least) {
					return false
				}
			}
		}
		return true
	}
	pitch, from := all.Length()/formedRows, math.Inf(1)
	for i := range formedRows + 1 {
		x := all.Lo + (float64(i)+0.5)*pitch
		if i < formedRows && isThere(x) {
			from = min(from, x-pitch/2)
			continue
		}
		if run := (geom.Interval{Lo: from, Hi: x - pitch/2}); run.Length() > best.Length() {
			best = run
		}
		from = math.Inf(1)
	}
	if over := best.Length() - p.in.Config.Workholding.JawWidth; over > 0 {
		best.Lo, best.Hi = best.Lo+over/2, best.Hi-over/2
	}
	return best
}

// boredJaws returns the jaws as boxes in rows over their height, where they touch the bar.
func (p *planner) boredJaws(s side, axis int, touch geom.Interval, top float64) (jaws []geom.Box) {
	radius, middle, center := along(p.stock, axis).Length()/2, s.span(p.stock).Mid(), along(p.stock, axis).Mid()
	low := min(middle-radius-closedGap, top-p.in.Config.Workholding.JawHeight)
	rows := []geom.Interval{{Lo: low, Hi: middle - radius}}
	pitch := (top - middle + radius) / boredRows
	for i := range boredRows {
		from := middle - radius + float64(i)*pitch
		rows = append(rows, geom.Interval{Lo: from, Hi: from + pitch})
	}
	for _, row := range rows {
		z := max(row.Lo-middle, middle-row.Hi, 0) // of the row's place nearest to the middle
		half := max(math.Sqrt(max(radius*radius-z*z, 0)), closedGap/2)
		for _, sign := range [2]float64{-1, 1} {
			inner, outer := center+sign*half, center+sign*(radius+jawDepth)
			var b geom.Box
			put(&b, axis, geom.Interval{Lo: min(inner, outer), Hi: max(inner, outer)})
			put(&b, 3-s.axis()-axis, touch)
			put(&b, s.axis(), s.flip(row))
			jaws = append(jaws, b)
		}
	}
	return jaws
}
