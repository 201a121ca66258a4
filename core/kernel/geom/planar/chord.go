package planar

// Chords: the points at which a disc can touch two walls at opposite ends of a diameter.
//
// Between points there is one chord. Parallel segments and concentric arcs have a family of equal ones. Segments that
// open like a wedge, and the ends of straight walls of one outline, have only discs that grow along them. They count as
// a family that begins with the first disc that may be free. Cost: constant for a pair, except a wedge, along which
// discs are marched. The caller tests whether a disc is free of other walls.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// chord is a pair of opposite touching points, or a family of them whose middle runs along a segment or arc.
type chord struct {
	length float64
	base   geom.Vec2 // its middle, or the middle of the first of the family
	along  geom.Vec2 // unit direction of the family at its start
	hi     float64   // mm, length of the family
	pivot  geom.Vec2 // of a ring
	mid    float64   // radius of a ring, 0 otherwise
	isEnd  bool      // its discs grow as they go aside, through the ends of one or two straight walls
	away   geom.Vec2 // from the straight wall that they touch between its ends, from which their middles go as well
}

// disc returns the middle and the radius of the disc s mm along the family.
func (c *chord) disc(s float64) (geom.Vec2, float64) {
	r := c.length / 2
	at := addScaled(c.base, s, c.along)
	switch {
	case c.mid > 0:
		at = c.pivot.Add(rotate(c.base.Sub(c.pivot), s/c.mid))
	case c.isEnd && c.away == geom.Vec2{}:
		r = math.Hypot(r, s)
	case c.isEnd:
		more := s * s / (4 * r)
		at, r = addScaled(at, more, c.away), r+more
	}
	return at, r
}

func (w *walls) jointChord(all []chord, a, b *joint) []chord {
	d := b.at.Sub(a.at)
	l := d.Norm()
	if l <= 2*margin {
		return all
	}
	d = d.Scale(1 / l)
	if !a.touches(d) || !b.touches(d.Scale(-1)) || a.ends() && b.ends() && !isOpposite(a.look(), b.look()) {
		return all
	}
	c := fixed(a.at, b.at)
	if !b.ends() || !w.alongside(a, b.wall) {
		return append(all, c)
	}
	tilt := math.Tan(opposite / 2)
	for _, t := range [2]geom.Vec2{left(d), left(d).Scale(-1)} {
		c.isEnd, c.along, c.hi = true, t, 0
		if a.touches(unit(addScaled(d, tilt, t))) && b.touches(unit(addScaled(d.Scale(-1), tilt, t))) {
			c.hi = l / 2 * tilt
		}
		all = append(all, c)
	}
	return all
}

// alongside reports whether a straight wall of the outline that segment i, straight as well, is of ends at a joint.
func (w *walls) alongside(j *joint, i int) bool {
	return j.ends() && w.pieces[j.wall].Turn == 0 && w.pieces[i].Turn == 0 && w.loop[j.wall] == w.loop[i]
}

// isOpposite reports whether walls that look along m and n are opposite.
func isOpposite(m, n geom.Vec2) bool { return m.Dot(n) <= -math.Cos(opposite) }

func fixed(a, b geom.Vec2) chord {
	return chord{length: a.Dist(b), base: a.Lerp(b, 0.5)}
}

// footChords adds the chords between a joint and the inside of segment i.
func (w *walls) footChords(all []chord, j *joint, i int) []chord {
	p := &w.pieces[i]
	var feet [2]geom.Vec2
	n := 0
	if p.Turn == 0 {
		if at, inner := p.Nearest(j.at); inner {
			feet[0], n = at, 1
		}
	} else if v := unit(j.at.Sub(p.Center)); v != (geom.Vec2{}) {
		feet, n = p.across(v)
	}
	for _, f := range feet[:n] {
		d, inward := j.at.Sub(f), w.inward(i, f)
		l := d.Norm()
		if l <= 2*margin || inward.Dot(d) <= 0 || !j.touches(d.Scale(-1/l)) ||
			j.ends() && !isOpposite(j.look(), inward) {
			continue
		}
		c := fixed(f, j.at)
		if !w.alongside(j, i) {
			all = append(all, c)
			continue
		}
		for end, t := range [2]geom.Vec2{p.Tangent(0).Scale(-1), p.Tangent(0)} {
			c.isEnd, c.along, c.away, c.hi = true, t, inward, 0
			if j.touches(unit(addScaled(inward.Scale(-1), math.Tan(opposite), t))) {
				c.hi = min(l*math.Tan(opposite/2), f.Dist([2]geom.Vec2{p.From, p.To}[end]))
			}
			all = append(all, c)
		}
	}
	return all
}

// across returns the points of an arc on the line through its center along v.
func (p *Segment) across(v geom.Vec2) (at [2]geom.Vec2, n int) {
	for _, s := range [2]float64{1, -1} {
		if p.covers(v.Scale(s)) {
			at[n] = addScaled(p.Center, s*p.Radius(), v)
			n++
		}
	}
	return at, n
}

// pieceChords adds the chords between the insides of two segments.
func (w *walls) pieceChords(all []chord, i, j int) []chord {
	p, q := &w.pieces[i], &w.pieces[j]
	if p.Turn != 0 {
		p, q, i, j = q, p, j, i // a segment first
	}
	if q.Turn == 0 {
		return w.stripChord(all, i, j)
	}
	var v geom.Vec2
	switch {
	case p.Turn == 0:
		v = left(p.Tangent(0))
	case p.Center.Dist(q.Center) <= margin:
		return w.ringChord(all, i, j)
	default:
		v = unit(q.Center.Sub(p.Center))
	}
	ends, n := q.across(v)
	if p.Turn == 0 {
		f, inner := p.Nearest(q.Center)
		if !inner {
			return all
		}
		for _, e := range ends[:n] {
			all = w.facing(all, i, f, j, e)
		}
		return all
	}
	others, m := p.across(v)
	for _, e := range ends[:n] {
		for _, f := range others[:m] {
			all = w.facing(all, i, f, j, e)
		}
	}
	return all
}

// facing adds the chord between two inner points of segments if they look at each other.
func (w *walls) facing(all []chord, i int, a geom.Vec2, j int, b geom.Vec2) []chord {
	d := b.Sub(a)
	if d.Norm() <= 2*margin || w.inward(i, a).Dot(d) <= 0 || w.inward(j, b).Dot(d) >= 0 {
		return all
	}
	return append(all, fixed(a, b))
}

// stripChord adds the family of chords between two parallel segments.
func (w *walls) stripChord(all []chord, i, j int) []chord {
	const level = 1e-7 // rad
	p, q := &w.pieces[i], &w.pieces[j]
	t := p.Tangent(0)
	u, n := q.Tangent(0), left(t)
	if !isOpposite(t, u) {
		return all
	}
	if math.Abs(t.Cross(u)) > level {
		return w.wedgeChord(all, i, j)
	}
	gap := n.Dot(q.At(0.5).Sub(p.From))
	lo := max(0, t.Dot(q.To.Sub(p.From)))
	hi := min(p.Length(), t.Dot(q.From.Sub(p.From)))
	if gap <= 2*margin || hi < lo {
		return all
	}
	base := addScaled(addScaled(p.From, lo, t), gap/2, n)
	return append(all, chord{length: gap, hi: hi - lo, base: base, along: t})
}

// wedgeChord adds the smallest free disc between two segments that form a wedge. From the narrow end, where the
// segments end, the disc moves outward until it is free.
func (w *walls) wedgeChord(all []chord, i, j int) []chord {
	p, q := &w.pieces[i], &w.pieces[j]
	t, u := p.Tangent(0), q.Tangent(0)
	apex := addScaled(p.From, q.From.Sub(p.From).Cross(u)/t.Cross(u), t)
	along := unit(t.Sub(u))
	if t.Cross(u) > 0 { // p leads to the narrow end
		along = along.Scale(-1)
	}
	grow, reach := along.Dot(left(t)), math.Abs(along.Dot(t)) // of the radius, and of the touching points
	span := func(s *Segment) (lo, hi float64) {
		a, b := s.From.Sub(apex).Dot(along), s.To.Sub(apex).Dot(along)
		return min(a, b) / (reach * reach), max(a, b) / (reach * reach)
	}
	pLo, pHi := span(p)
	qLo, qHi := span(q)
	lo, hi := max(pLo, qLo), min(pHi, qHi)
	if grow <= 0 || lo <= margin {
		return all // they face away from each other, or meet in a corner
	}
	for n := 0; n < maxMarch && lo <= hi; n++ {
		c, r := addScaled(apex, lo, along), lo*grow
		d, at := w.distance(c, r-min(margin, r/2), nil)
		if at < 0 {
			return append(all, chord{length: 2 * r, base: c})
		}
		lo += max((r-d)/(1-grow), margin)
	}
	return all
}

// ringChord adds the family of chords between two concentric arcs.
func (w *walls) ringChord(all []chord, i, j int) []chord {
	p, q := &w.pieces[i], &w.pieces[j]
	if p.Turn < 0 {
		p, q = q, p
	}
	gap := p.Radius() - q.Radius()
	if p.Turn < 0 || q.Turn > 0 || gap <= 2*margin {
		return all
	}
	mid := (p.Radius() + q.Radius()) / 2
	first := unit(q.To.Sub(q.Center)) // q runs clockwise, so that it begins here in the opposite direction
	for _, from := range [2]geom.Vec2{first, unit(p.From.Sub(p.Center))} {
		if !p.covers(from) || !q.covers(from) {
			continue
		}
		toP := turnTo(from, p.To.Sub(p.Center), p.Turn)
		toQ := turnTo(from, q.From.Sub(q.Center), q.Turn)
		all = append(all, chord{length: gap, hi: min(toP, toQ) * mid,
			base: addScaled(p.Center, mid, from), pivot: p.Center, mid: mid})
	}
	return all
}

// turnTo returns the counter-clockwise turn from a to b, a full one for a full circle.
func turnTo(a, b geom.Vec2, whole float64) float64 {
	if math.Abs(whole) >= 2*math.Pi-smoothTurn {
		return 2 * math.Pi
	}
	t := math.Atan2(a.Cross(b), a.Dot(b))
	if t < 0 {
		t += 2 * math.Pi
	}
	return t
}
