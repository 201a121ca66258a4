package arcpoly

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom/planar"
)

// The intersection of areas is in the intersection of their boxes. A run of consecutive segments, all beyond one side
// of this box, may be replaced by the straight line from the first to the last, which is beyond it too. The winding
// numbers in the box stay the same. Restoring the loops drops the area that the lines enclose outside the box: an empty
// strip around the box separates it.

// everywhere is the unbounded box.
var everywhere = box{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}

// common returns the box that areas have in common, and a little more.
func common(areas []*Area) box {
	in := everywhere
	for _, a := range areas {
		_, b := a.bounds()
		in = box{max(in.x0, b.x0), max(in.y0, b.y0), min(in.x1, b.x1), min(in.y1, b.y1)}
	}
	return in.expanded(reachOut)
}

// contains reports whether a point of the lattice is in a box, mm.
func (a *box) contains(p point) bool {
	at := p.vec()
	return a.x0 <= at.X && at.X <= a.x1 && a.y0 <= at.Y && at.Y <= a.y1
}

func (a *box) expanded(by float64) box { return box{a.x0 - by, a.y0 - by, a.x1 + by, a.y1 + by} }

// beyond returns bits for the sides of a box that a segment is beyond.
func (a *box) beyond(p *planar.Segment) (sides uint8) {
	bulge := 0.0 // mm, largest distance of an arc from its chord
	if p.Turn != 0 {
		// An arc stays as near to one of its ends as half of its length, and to its chord as its sagitta.
		bulge = p.Radius() * min(math.Abs(p.Turn)/2, p.Turn*p.Turn/8)
	}
	if min(p.From.X, p.To.X)-bulge > a.x1 {
		sides = 1
	}
	if max(p.From.X, p.To.X)+bulge < a.x0 {
		sides |= 2
	}
	if min(p.From.Y, p.To.Y)-bulge > a.y1 {
		sides |= 4
	}
	if max(p.From.Y, p.To.Y)+bulge < a.y0 {
		sides |= 8
	}
	return sides
}

// enter appends loops; only their part in a box matters.
func (c *chains) enter(loops []planar.Loop, in box) {
	c.in = in
	for _, l := range loops {
		c.begin()
		for i := 0; i < len(l); {
			first, sides := i, in.beyond(&l[i])
			for i++; sides != 0 && i < len(l); i++ {
				both := sides & in.beyond(&l[i])
				if both == 0 {
					break
				}
				sides = both
			}
			switch {
			case sides == 0:
				c.add(&l[first], false)
			case i-first < len(l): // else all of the loop is far
				past := planar.NewLine(l[first].From, l[i-1].To)
				c.add(&past, false)
			}
		}
		c.end()
	}
}
