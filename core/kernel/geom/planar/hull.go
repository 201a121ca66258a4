package planar

// The convex hull of segments and arcs.
//
// Segments inside the octagon between eight outermost ends, most segments of a part, are left out at once (S. Akl, G.
// Toussaint, "A fast convex hull algorithm", 1978). Andrew's method finds the hull of the other ends and of a few
// points on each arc. Arcs that extend beyond one of its sides although none of their points is on it are added until
// there are no more. The outermost element in a direction is then either the outermost point, or one of the arcs beyond
// the two sides next to it: everything else lies within the wedge of these sides.
//
// Cost: O(n) for segments inside, O(m log m) for the m others.

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	arcPoints = 24 // per full turn, for the first hull
	maxRounds = 8  // of looking for arcs that reach over it
)

// octagon is the directions of the outermost points, counter-clockwise.
var octagon = [8]geom.Vec2{
	{X: 1}, {X: math.Sqrt2 / 2, Y: math.Sqrt2 / 2}, {Y: 1}, {X: -math.Sqrt2 / 2, Y: math.Sqrt2 / 2},
	{X: -1}, {X: -math.Sqrt2 / 2, Y: -math.Sqrt2 / 2}, {Y: -1}, {X: math.Sqrt2 / 2, Y: -math.Sqrt2 / 2},
}

// side is a side of a polygon: its unit outward normal, and its distance along the normal.
type side struct {
	out   geom.Vec2
	reach float64
}

// newSide returns the side from a to b, the inside on its left.
func newSide(a, b geom.Vec2) side {
	u := unit(left(a.Sub(b)))
	return side{u, max(a.Dot(u), b.Dot(u))}
}

// isWithin reports whether a segment stays behind the side, clear of it by more than rounding.
func (s *side) isWithin(p *Segment) bool { return p.support(s.out) < s.reach-geom.Resolution/10 }

// outer returns the segments that reach out of the polygon between eight outermost ends of segments, or onto
// it: the others are nowhere on the hull.
func outer(pieces []Segment) []*Segment {
	var far [len(octagon)]geom.Vec2
	for k, u := range octagon {
		best := math.Inf(-1)
		for i := range pieces {
			if h := pieces[i].From.Dot(u); h > best {
				best, far[k] = h, pieces[i].From
			}
		}
	}
	var sides [len(octagon)]side
	n := 0
	for k := range far {
		if s := newSide(far[k], far[(k+1)%len(far)]); s.out != (geom.Vec2{}) {
			sides[n] = s
			n++
		}
	}
	var out []*Segment
	for i := range pieces {
		p := &pieces[i]
		// Without a side all begin in one point.
		if n == 0 || slices.ContainsFunc(sides[:n], func(s side) bool { return !s.isWithin(p) }) {
			out = append(out, p)
		}
	}
	return out
}

// site is an element that a line around the hull can touch: a point, or an arc.
type site struct {
	piece  *Segment // nil for a point
	center geom.Vec2
	radius float64
}

func arcSite(p *Segment) site { return site{piece: p, center: p.Center, radius: p.Radius()} }

// reach returns the extent of the site along the unit vector u.
func (s *site) reach(u geom.Vec2) float64 {
	if s.piece == nil {
		return s.center.Dot(u)
	}
	return s.piece.support(u)
}

// dot is a point of the hull and its segment.
type dot struct {
	at geom.Vec2
	s  site
}

// hull is the convex hull of some segments.
type hull struct {
	dots  []dot // counter-clockwise
	sides []side
	turn  []float64 // rad, of the outward normal of the side from each dot to the next, ascending
	arcs  []*Segment
	over  [][]int32 // arcs that reach over each side
}

// newHull returns the hull of one segment or more.
func newHull(pieces []Segment) *hull {
	h := &hull{}
	var dots []dot
	for _, p := range outer(pieces) {
		dots = append(dots, dot{p.From, site{center: p.From}}, dot{p.To, site{center: p.To}})
		if p.Turn == 0 {
			continue
		}
		h.arcs = append(h.arcs, p)
		n := 2 + int(arcPoints*math.Abs(p.Turn)/(2*math.Pi))
		for k := 1; k < n; k++ {
			dots = append(dots, dot{p.At(float64(k) / float64(n)), arcSite(p)})
		}
	}
	for n := 0; ; n++ {
		h.wrap(dots)
		extra := h.beyond()
		if len(extra) == 0 || n == maxRounds {
			return h
		}
		dots = append(h.dots, extra...)
	}
}

// wrap sets the hull of some points.
func (h *hull) wrap(dots []dot) {
	h.dots = hullOf(dots)
	n := len(h.dots)
	h.sides, h.turn, h.over = h.sides[:0], h.turn[:0], make([][]int32, n)
	for i := range h.dots {
		s := newSide(h.dots[i].at, h.dots[(i+1)%n].at)
		turn := math.Atan2(s.out.Y, s.out.X)
		if i > 0 {
			last := h.sides[i-1].out
			turn = h.turn[i-1] + max(0, math.Atan2(last.Cross(s.out), last.Dot(s.out)))
		}
		h.sides, h.turn = append(h.sides, s), append(h.turn, turn)
	}
	for k, p := range h.arcs {
		from, wide := p.From.Sub(p.Center), math.Abs(p.Turn)
		if p.Turn < 0 {
			from = p.To.Sub(p.Center)
		}
		start := math.Atan2(from.Y, from.X)
		start += 2 * math.Pi * math.Ceil((h.turn[0]-start)/(2*math.Pi))
		i := sort.SearchFloat64s(h.turn, start-geom.AngularResolution)
		for range h.turn {
			lap := 2 * math.Pi * float64(i/n)
			if h.turn[i%n]+lap > start+wide+geom.AngularResolution {
				break
			}
			if s := &h.sides[i%n]; p.support(s.out) > s.reach {
				h.over[i%n] = append(h.over[i%n], int32(k))
			}
			i++
		}
	}
}

// beyond returns the points of arcs that extend farthest beyond a side although none of their points is on the hull.
func (h *hull) beyond() []dot {
	on := make(map[*Segment]bool, len(h.dots))
	for i := range h.dots {
		on[h.dots[i].s.piece] = true
	}
	var out []dot
	for i := range h.sides {
		u, best := h.sides[i].out, h.sides[i].reach
		for _, k := range h.over[i] {
			if p := h.arcs[k]; on[p] {
				best = max(best, p.support(u))
			}
		}
		for _, k := range h.over[i] {
			if p := h.arcs[k]; !on[p] && p.support(u) > best+geom.Resolution/10 {
				out = append(out, dot{addScaled(p.Center, p.Radius(), u), arcSite(p)})
			}
		}
	}
	return out
}

// hasArc reports whether the hull has an arc.
func (h *hull) hasArc() bool {
	return slices.ContainsFunc(h.over, func(arcs []int32) bool { return len(arcs) > 0 })
}

// farthest returns the farthest site along the unit vector u, at an angle.
func (h *hull) farthest(u geom.Vec2, angle float64) site {
	n := len(h.dots)
	angle += 2 * math.Pi * math.Ceil((h.turn[0]-angle)/(2*math.Pi))
	i := sort.SearchFloat64s(h.turn, angle) % n
	for range n { // where rounding of angles has missed it
		after, before := (i+1)%n, (i+n-1)%n
		switch z := h.dots[i].at.Dot(u); {
		case h.dots[after].at.Dot(u) > z:
			i = after
			continue
		case h.dots[before].at.Dot(u) > z:
			i = before
			continue
		}
		break
	}
	out := site{center: h.dots[i].at}
	best := out.center.Dot(u)
	for _, side := range [2]int{i, (i + n - 1) % n} {
		for _, k := range h.over[side] {
			if r := h.arcs[k].support(u); r > best {
				best, out = r, arcSite(h.arcs[k])
			}
		}
	}
	return out
}

// hullOf returns the convex hull, counter-clockwise (A. Andrew, "Another efficient algorithm for
// convex hulls in two dimensions", 1979).
func hullOf(dots []dot) []dot {
	slices.SortStableFunc(dots, func(a, b dot) int {
		return cmp.Or(cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.at.Y, b.at.Y))
	})
	var hull []dot
	add := func(d dot, keep int) {
		for n := len(hull); n >= keep+2; n = len(hull) {
			a, b := hull[n-2].at, hull[n-1].at
			if b.Sub(a).Cross(d.at.Sub(a)) > 0 {
				break
			}
			hull = hull[:n-1]
		}
		hull = append(hull, d)
	}
	for _, d := range dots {
		add(d, 0)
	}
	keep := len(hull) - 1
	for i := len(dots) - 2; i >= 0; i-- {
		add(dots[i], keep)
	}
	if len(hull) > 1 {
		hull = hull[:len(hull)-1] // the first once more
	}
	return hull
}

// bridges returns the directions, in [0, π/2), in which a side of the rectangle lies on a straight side of the hull, in
// ascending order; only 0 if there are no straight sides.
func (h *hull) bridges() []float64 {
	var sites []site // each once in a row
	for _, d := range h.dots {
		if n := len(sites); n == 0 || sites[n-1] != d.s {
			sites = append(sites, d.s)
		}
	}
	var out []float64
	n := len(sites)
	for i := range sites {
		a, b, c, d := &sites[i], &sites[(i+1)%n], &sites[(i+2)%n], &sites[(i+3)%n]
		out = a.appendBridge(out, b)
		// The end of an arc is a separate site, which the bridge may skip.
		if b.isEndOf(a) || b.isEndOf(c) {
			out = a.appendBridge(out, c)
		}
		if b.isEndOf(a) && c.isEndOf(d) {
			out = a.appendBridge(out, d)
		}
	}
	if len(out) == 0 {
		return []float64{0}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// isEndOf reports whether a point is an end of an arc.
func (s *site) isEndOf(arc *site) bool {
	return s.piece == nil && arc.piece != nil && (s.center == arc.piece.From || s.center == arc.piece.To)
}

// appendBridge appends the direction of the bridge from a site to the next.
func (s *site) appendBridge(dst []float64, next *site) []float64 {
	d := next.center.Sub(s.center)
	l := d.Norm()
	if l == 0 || math.Abs(next.radius-s.radius) > l {
		return dst
	}
	// The outer normal u of the bridge has d·u = s.radius - next.radius.
	tilt := math.Asin((s.radius - next.radius) / l)
	angle := math.Mod(math.Atan2(d.Y, d.X)+tilt, math.Pi/2)
	if angle < 0 {
		angle += math.Pi / 2
	}
	return append(dst, angle)
}
