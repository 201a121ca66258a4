package dropcutter

import (
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
)

// cutter is the underside of a tool as the drop-cutter needs it: lines and arcs that bulge downward.
type cutter struct {
	toolprofile.Underside
	radius float64   // mm
	kinks  []float64 // mm, distances from the axis where the slope may jump upward

	convex    float64 // mm, the distance from the axis up to which the underside is convex
	roundness float64 // 1/mm, the least curvature of that part in all directions: of a ball, else 0

	// floor bounds the height from below: over the squared distances from one of floorSteps equal parts of the
	// squared radius to the next it is at least floor of the first. It spares a root for most cells.
	floor   []float64
	perPart float64 // parts per mm²
}

const floorSteps = 1024

// axial (share of the radius) is the largest center offset of a ball nose that is attributed to rounding of its
// outline. It also bounds the rounding of a distance by squares and roots.
const axial = 1e-12

func newCutter(p toolprofile.Profile) *cutter {
	t := &cutter{Underside: p.Underside().Filled()}
	t.radius = t.Radius()
	for i := range t.Underside {
		s := &t.Underside[i]
		if math.Abs(s.CenterX) <= axial*s.Radius {
			s.CenterX = 0
		}
		if i+1 < len(t.Underside) || !math.IsInf(slopeAt(s, s.To), 1) {
			t.kinks = append(t.kinks, s.To)
		}
	}
	before, height := 0.0, 0.0
	for i := range t.Underside {
		s := &t.Underside[i]
		if slopeAt(s, s.From) < before-flatness || s.FromHeight > height {
			break
		}
		t.convex, before, height = s.To, slopeAt(s, s.To), s.Height
	}
	if s := &t.Underside[0]; s.Radius > 0 && s.CenterX == 0 && s.To == t.convex {
		t.roundness = 1 / s.Radius
	}
	t.perPart = floorSteps / (t.radius * t.radius)
	t.floor = make([]float64, floorSteps+2) // one for the rim, one for its rounding
	for i := range t.floor {
		t.floor[i] = t.At(t.radius * math.Sqrt(min(float64(i)/floorSteps, 1)) * (1 - axial))
	}
	return t
}

// above returns a height that the tool does not stay below at the square root of d2 mm from its axis.
func (t *cutter) above(d2 float64) float64 { return t.floor[int(d2*t.perPart)] }

// slope returns the slope of the underside at r mm from the axis.
func (t *cutter) slope(r float64) float64 {
	i := 0
	for i+1 < len(t.Underside) && t.Underside[i].To < r {
		i++
	}
	return slopeAt(&t.Underside[i], r)
}

// slopeAt returns the slope of a span at r mm from the axis.
func slopeAt(s *toolprofile.Span, r float64) float64 {
	if s.Radius == 0 {
		return (s.Height - s.FromHeight) / (s.To - s.From)
	}
	d := r - s.CenterX
	if d >= s.Radius {
		return math.Inf(1)
	}
	return d / math.Sqrt((s.Radius-d)*(s.Radius+d))
}

// canReach appends the distances from the axis (mm) at which the tool may touch a plane of the given slope: where
// its own slope passes through that.
func (t *cutter) canReach(slope float64, out []float64) []float64 {
	before := math.Inf(-1) // slope inside of the next span
	height := 0.0
	for i := range t.Underside {
		s := &t.Underside[i]
		first, last := slopeAt(s, s.From), slopeAt(s, s.To)
		if s.FromHeight > height && i > 0 { // a step
			first = math.Inf(1)
		}
		if before <= slope+flatness && first >= slope-flatness {
			out = append(out, s.From)
		}
		if s.Radius > 0 {
			if r := s.CenterX + s.Radius*slope/math.Hypot(1, slope); r > s.From && r < s.To {
				out = append(out, r)
			}
		}
		before, height = last, s.Height
	}
	if before <= slope+flatness {
		out = append(out, t.radius)
	}
	return out
}

// ridge is a straight side under the tool, in mm: it rises by rise per mm, and the axis passes it at a distance
// off, beside the point at a height of z.
type ridge struct {
	z, rise, off float64
	back, ahead  float64 // mm from that point to the ends, back not positive in general
	contact      float64 // mm from that point, once over has found it
}

// over returns the height of the tip at which the tool touches the ridge between its ends, -Inf if it touches only an
// end or does not touch it. Its contact is never more than slack (mm) beyond the ends.
func (t *cutter) over(r *ridge, slack float64) float64 {
	best := math.Inf(-1)
	try := func(d float64) { // mm from the axis, uphill
		w := math.Copysign(math.Sqrt(max((d-r.off)*(d+r.off), 0)), r.rise)
		if w < r.back-slack || w > r.ahead+slack {
			return
		}
		if z := r.z + r.rise*max(min(w, r.ahead), r.back) - t.At(d); z > best {
			best, r.contact = z, max(min(w, r.ahead), r.back)
		}
	}
	steep := math.Abs(r.rise)
	if r.rise == 0 { // the tool is lowest next to its axis
		try(r.off)
		return best
	}
	for i := range t.Underside {
		s := &t.Underside[i]
		if s.To < r.off {
			continue
		}
		if d, ok := touch(s, steep, r.off); ok {
			try(d)
		}
	}
	for _, k := range t.kinks {
		if k >= r.off {
			try(k)
		}
	}
	return best
}

// touch returns the distance from the axis (mm) at which a span touches a line that rises by steep and passes the
// axis at the distance off: where h'(d)·w/d = steep with w² = d² - off².
func touch(s *toolprofile.Span, steep, off float64) (d float64, ok bool) {
	switch {
	case s.Radius == 0:
		k := slopeAt(s, s.From)
		if k <= steep {
			return 0, false
		}
		d = off * k / math.Sqrt((k-steep)*(k+steep))
	case s.CenterX == 0:
		w2 := (s.Radius - off) * (s.Radius + off) / (1 + steep*steep) * steep * steep
		d = math.Sqrt(max(w2, 0) + off*off)
	default:
		d = touchTorus(s, steep, off)
	}
	return d, d >= s.From && d <= s.To
}

// touchTorus solves for x = d - CenterX: the squares of both sides of x·sqrt(d² - off²) = steep·sqrt(Radius² - x²)·d
// differ by a polynomial that changes its sign once. Newton's method inside of a bracket, which is halved where a
// step would leave it.
func touchTorus(s *toolprofile.Span, steep, off float64) float64 {
	const rounds, near = 60, 1e-9 // share of the radius: the height error is quadratic in it
	m2, r2 := steep*steep, s.Radius*s.Radius
	lo := max(s.Radius*steep/math.Sqrt(1+m2), off-s.CenterX) // nearer even a line through the axis is steeper
	hi := s.Radius
	x := (lo + hi) / 2
	for range rounds {
		d := s.CenterX + x
		clear, bow := (d-off)*(d+off), m2*(r2-x*x)
		g := x*x*clear - bow*d*d
		if g < 0 {
			lo = x
		} else {
			hi = x
		}
		slope := 2 * (x*clear + x*x*d + m2*x*d*d - bow*d)
		next := x - g/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-x) <= near*s.Radius {
			x = next
			break
		}
		x = next
	}
	return s.CenterX + x
}
