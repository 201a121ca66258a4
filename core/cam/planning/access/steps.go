package access

import (
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

const (
	// fine (mm) is the largest distance by which a step extends beyond the cutting zone: across a sloping section, and
	// half as much from the center of a round one. If the flutes leave stock at walls, which is cut again, it is this
	// stock to leave.
	fine = 0.05
	// coarse (mm) is the same for what must only keep clear, across.
	coarse = 2.0

	// CornerFacetDrop (mm) is slightly more than the distance by which a round corner is drawn too low. Lifted by this
	// amount, the corner fits into a fillet of its own radius, right to its level end.
	CornerFacetDrop = 0.6 * fine
)

// step is a disc that encloses a section of the tool: no point of the section is lower or farther from the axis.
type step struct{ radius, height float64 } // mm; the height is above the tip

// steps are the discs that the underside of a tool in its holder is made of, from the tip upward, each wider than the
// one below it.
type steps struct {
	cutting []step
	body    []step // of neck, shank and holder
}

// newSteps cuts an assembly that leaves so much (mm) at walls into discs.
func newSteps(a *toolprofile.Assembly, leave float64) steps {
	var s steps
	for i, k := range a.Outline {
		list, wide := &s.cutting, max(fine, leave)
		if a.Zones[i] != toolprofile.Cutting {
			list, wide = &s.body, coarse
		}
		if k.From.Y == k.To.Y {
			continue // the next segment begins with it
		}
		if c, isArc := k.Center(); isArc {
			*list = append(*list, round(k, c, wide/2)...)
			continue
		}
		n := 1 + int(math.Abs(k.To.X-k.From.X)/wide)
		for j := range n {
			x0, y0 := along(k, float64(j)/float64(n))
			x1, _ := along(k, float64(j+1)/float64(n))
			*list = append(*list, step{max(x0, x1), y0})
		}
	}
	s.cutting, s.body = widening(s.cutting), widening(s.body)
	return s
}

// round cuts an arc into steps, each as long as the corner of the step is not further off the arc than deep.
func round(k toolprofile.Segment, center geom.Vec2, deep float64) (list []step) {
	radius := k.From.Dist(center)
	x0, y0 := k.From.X, k.From.Y
	for from := 0.0; from < 1; {
		isNear := func(to float64) bool {
			x, _ := along(k, to)
			return math.Abs(math.Hypot(max(x, x0)-center.X, y0-center.Y)-radius) <= deep
		}
		to := 1.0
		if !isNear(to) {
			for lo, hi := from, 1.0; hi-lo > 1e-6; to = lo {
				if m := (lo + hi) / 2; isNear(m) {
					lo = m
				} else {
					hi = m
				}
			}
		}
		to = max(to, from+1e-3)
		x, y := along(k, min(to, 1))
		list = append(list, step{max(x, x0), y0})
		from, x0, y0 = to, x, y
	}
	return list
}

// along returns the point of a segment at a share of the way.
func along(k toolprofile.Segment, t float64) (x, y float64) {
	c, isArc := k.Center()
	switch {
	case t == 1: // exactly, as the widest disc is known by its radius
		return k.To.X, k.To.Y
	case !isArc:
		p := k.From.Lerp(k.To, t)
		return p.X, p.Y
	}
	from, to := k.From.Sub(c), k.To.Sub(c)
	turn := math.Atan2(from.Cross(to), from.Dot(to))
	sin, cos := math.Sincos(t * turn)
	p := c.Add(from.Scale(cos)).Add(perp(from).Scale(sin))
	return p.X, p.Y
}

// widening keeps the steps that are wider than all below them.
func widening(list []step) []step {
	var kept []step
	widest := 0.0
	for _, s := range list { // outlines never fall
		if s.radius > widest {
			widest = s.radius
			kept = append(kept, s)
		}
	}
	return kept
}
