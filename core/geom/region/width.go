package region

// The narrowest passage of a region, and its corners.
//
// The narrowest passage is the smallest gap between walls that are opposite, which look at each other with no more
// than opposite between their directions: the smallest disc that is free and touches two such walls. It is read off
// the medial axis (H. Blum, "A transformation for extracting new descriptors of shape", 1967), without building it:
//   - at chokes, discs that touch the walls at opposite ends of a diameter: critical points of the distance to the
//     walls (K. Grove, "Critical point theory for distance functions", 1993);
//   - between segments that open like a wedge, where the disc between them begins to be free;
//   - at the ends of straight walls of one outline, where the disc that goes through them begins to be free;
//   - at the round ends, where the disc is that of a wall's own arc.
//
// A corner, sharp or rounded, is no narrow place, nor is the mouth between two ends of walls that are not opposite.
//
// Pairs of walls are taken in the order of their lengths; of the first that is free and the discs that may be tilted from it the
// narrowest is it. A grid finds pairs within a reach that grows until there is one, and the walls near a disc. Cost: n times
// the walls within reach of each. Curved walls count where they are opposite in the strict sense, turn so far by themselves, or
// have another wall opposite to their own disc.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
)

const (
	// opposite (rad, 30°) is how much the directions of two walls may differ that are opposite.
	opposite = math.Pi / 6

	// cornerTurn (rad, 15°) is where a wall has a corner: it turns so far at once, or along hollow arcs.
	cornerTurn = 15 * math.Pi / 180

	// tangent (rad, 1°) is the largest kink between arcs that make one corner.
	tangent = math.Pi / 180
)

// maxMarch bounds the steps along a family of discs; each step at least halves a gap that is not grazing.
const maxMarch = 200

// Narrowest returns the diameter of the narrowest passage, mm, and whether walls face each other there. Where none
// do it is that of the largest disc in the outline, its open sides closed.
func (r *Region) Narrowest() (diameter float64, faced bool) {
	w := wallsOf(r, false)
	if d := min(w.choke(), w.roundEnd()); !math.IsInf(d, 1) {
		return d, true
	}
	return r.Inscribed(), false
}

// CornerRadius returns the smallest radius of the corners into which a disc must reach, 0 for a sharp
// one, and false when the walls have no corner. A whole circle has none.
func (r *Region) CornerRadius() (float64, bool) {
	w := wallsOf(r, false)
	for i := range w.pieces {
		k := w.next[i]
		if k >= 0 && !w.pieces[k].Joined && turnBetween(&w.pieces[i], &w.pieces[k]) >= cornerTurn {
			return 0, true
		}
	}
	return w.roundCorner(func(i int) bool { return !w.isCircle(i) })
}

// isCircle reports whether piece i is one of those that make a whole circle together, by where they lie: arcs that were
// fitted to a curve differ more by their radii.
func (w *walls) isCircle(i int) bool {
	const alike = 5e-4 // of the radius: what files that have a freeform edge for a circle are off
	var at []geom.Vec2
	for k := i; k >= 0; k = w.next[k] {
		p := &w.pieces[k]
		if p.Turn <= 0 {
			break
		}
		if p.Turn >= 2*math.Pi-smoothTurn {
			return true
		}
		at = append(at, p.From, p.At(0.5))
		if w.next[k] == i {
			return isRound(at, alike)
		}
	}
	return false
}

// isRound reports whether points lie on one circle, to a share of its radius.
func isRound(at []geom.Vec2, alike float64) bool {
	a, n := at[0], len(at)
	b, c := at[n/3].Sub(a), at[2*n/3].Sub(a)
	center := left(c.Scale(b.Norm2()).Sub(b.Scale(c.Norm2()))).Scale(0.5 / c.Cross(b)).Add(a)
	r := center.Dist(a)
	return !slices.ContainsFunc(at, func(p geom.Vec2) bool { return !(math.Abs(center.Dist(p)-r) <= alike*r) })
}

// OuterRadius returns the smallest radius of the round corners that jut out into the region, and false when there are
// none. A whole circle has that of its own.
func (r *Region) OuterRadius() (float64, bool) {
	var back Region
	for _, l := range r.Loops {
		back.Loops = append(back.Loops, l.Reverse())
	}
	return wallsOf(&back, false).roundCorner(func(int) bool { return true })
}

// roundCorner returns the smallest radius of the round corners that begin with some pieces, and whether there are any.
func (w *walls) roundCorner(begins func(i int) bool) (float64, bool) {
	best := math.Inf(1)
	for i := range w.pieces {
		if begins(i) && w.hollowAt(i) > 0 {
			best = min(best, w.cornerFrom(i))
		}
	}
	return best, !math.IsInf(best, 1)
}

// cornerFrom returns the smallest radius of the walls from piece i on, as far as they turn to make a corner, infinite
// when they do not.
func (w *walls) cornerFrom(i int) float64 {
	turn, radius := 0.0, math.Inf(1)
	for k := i; ; {
		p := &w.pieces[k]
		turn += w.hollowAt(k)
		if p.Turn > 0 {
			radius = min(radius, cmp.Or(p.Tight, p.Radius()))
		} else if b := w.prev[k]; b >= 0 && p.Joined {
			radius = min(radius, circumradius(w.pieces[b].From, p.From, p.To))
		}
		if turn >= cornerTurn-smoothTurn {
			return radius
		}
		n := w.next[k]
		if n < 0 || n == i || w.hollowAt(n) <= 0 || math.Abs(w.turns[n]) > tangent && !w.pieces[n].Joined {
			return math.Inf(1)
		}
		k = n
	}
}

// hollowAt returns by how much the wall turns to the left along piece i, with what stands for a curve before it.
func (w *walls) hollowAt(i int) float64 {
	p := &w.pieces[i]
	if p.Turn == 0 && p.Joined {
		return w.turns[i]
	}
	return p.Turn
}

// turnBetween returns the kink from the end of p to the beginning of q, rad, positive to the left, as in a cusp that opens
// to the left.
func turnBetween(p, q *Piece) float64 {
	a, b := p.Tangent(1), q.Tangent(0)
	turn := math.Atan2(a.Cross(b), a.Dot(b))
	if math.Abs(turn) > math.Pi-tangent {
		back := min(p.Length(), q.Length()) / 16
		across := q.At(back / q.Length()).Sub(p.At(1 - back/p.Length()))
		turn = math.Copysign(turn, a.Cross(across))
	}
	return turn
}

func circumradius(a, b, c geom.Vec2) float64 {
	area2 := math.Abs(b.Sub(a).Cross(c.Sub(a)))
	if area2 == 0 {
		return math.Inf(1)
	}
	return a.Dist(b) * b.Dist(c) * c.Dist(a) / (2 * area2)
}

// roundEnd returns the smallest diameter among the arcs whose whole disc is free and touches walls that are opposite:
// two places of the arc, or one and another wall.
func (w *walls) roundEnd() float64 {
	out := math.Inf(1)
	for i := range w.pieces {
		p := &w.pieces[i]
		r := p.Radius()
		if p.Turn <= 0 || 2*r >= min(out, w.size) || !w.free(p.Center, r) {
			continue
		}
		reach := geom.Vec2{X: r + slack, Y: r + slack}
		w.grid.Within(p.Center.Sub(reach), p.Center.Add(reach), func(k int) bool {
			q := &w.pieces[k]
			near, _ := q.Nearest(p.Center)
			for _, at := range [3]geom.Vec2{near, q.From, q.To} {
				if at.Dist(p.Center) <= r+slack && p.isOpposite(w.inward(k, at)) {
					out = 2 * r
				}
			}
			return out > 2*r
		})
	}
	return out
}

// isOpposite reports whether a wall that looks along n is opposite to some place of a hollow arc.
func (p *Piece) isOpposite(n geom.Vec2) bool {
	most := math.Cos(opposite)
	return p.covers(n) || n.Dot(unit(p.From.Sub(p.Center))) >= most || n.Dot(unit(p.To.Sub(p.Center))) >= most
}

// chord is a pair of opposite touching points, or a family of them whose middle runs along a segment
// or arc.
type chord struct {
	length float64
	base   geom.Vec2 // its middle, or that of the first of the family
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

// choke returns the diameter of the narrowest choke, infinite when there is none. Pairs are looked for
// within a reach that doubles until one is found.
func (w *walls) choke() float64 {
	if len(w.pieces) == 0 {
		return math.Inf(1)
	}
	var all []chord
	last, best := 0.0, math.Inf(1)
	for reach := 2 * w.grid.cell; ; reach *= 2 {
		isAll := !(reach <= w.size) // not a number included
		all = w.chords(all[:0], reach)
		slices.SortStableFunc(all, func(a, b chord) int { return cmp.Compare(a.length, b.length) })
		for i := range all {
			c := &all[i]
			if c.length > reach && !isAll || c.length >= best {
				break
			}
			if c.length > last {
				best = min(best, w.passes(c))
			}
		}
		if isAll || best <= reach {
			return best
		}
		last = reach
	}
}

// chords returns the chords of which both ends lie within reach of each other.
func (w *walls) chords(all []chord, reach float64) []chord {
	r := geom.Vec2{X: reach, Y: reach}
	for i := range w.pieces {
		w.grid.Within(w.lo[i].Sub(r), w.hi[i].Add(r), func(j int) bool {
			if j < i {
				all = w.pieceChords(all, i, j)
			}
			return true
		})
	}
	for i := range w.joints {
		j := &w.joints[i]
		w.grid.Within(j.at.Sub(r), j.at.Add(r), func(k int) bool {
			all = w.footChords(all, j, k)
			return true
		})
		w.jointGrid.Within(j.at.Sub(r), j.at.Add(r), func(k int) bool {
			if k < i {
				all = w.jointChord(all, j, &w.joints[k])
			}
			return true
		})
	}
	return all
}

// passes returns the diameter of the first disc of a chord that is free, infinite when none is, marching along the family
// by how deep it still cuts in.
func (w *walls) passes(c *chord) float64 {
	for s, n := 0.0, 0; n < maxMarch; n++ {
		at, r := c.disc(s)
		d, hit := w.distance(at, r-min(slack, r/2), nil)
		if hit < 0 {
			return 2 * r
		}
		if s >= c.hi {
			break
		}
		s = min(s+max(r-d, slack), c.hi)
	}
	return math.Inf(1)
}

func (w *walls) jointChord(all []chord, a, b *joint) []chord {
	d := b.at.Sub(a.at)
	l := d.Norm()
	if l <= 2*slack {
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

// alongside reports whether a straight wall of the outline that piece i, straight as well, is of ends at a joint.
func (w *walls) alongside(j *joint, i int) bool {
	return j.ends() && w.pieces[j.wall].Turn == 0 && w.pieces[i].Turn == 0 && w.loop[j.wall] == w.loop[i]
}

// isOpposite reports whether walls that look along m and n are opposite.
func isOpposite(m, n geom.Vec2) bool { return m.Dot(n) <= -math.Cos(opposite) }

func fixed(a, b geom.Vec2) chord {
	return chord{length: a.Dist(b), base: a.Lerp(b, 0.5)}
}

// footChords adds the chords between a joint and the inside of piece i.
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
		if l <= 2*slack || inward.Dot(d) <= 0 || !j.touches(d.Scale(-1/l)) || j.ends() && !isOpposite(j.look(), inward) {
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

// across returns the points of an arc on the line through its centre along v.
func (p *Piece) across(v geom.Vec2) (at [2]geom.Vec2, n int) {
	for _, s := range [2]float64{1, -1} {
		if p.covers(v.Scale(s)) {
			at[n] = addScaled(p.Center, s*p.Radius(), v)
			n++
		}
	}
	return at, n
}

// pieceChords adds the chords between the insides of two pieces.
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
	case p.Center.Dist(q.Center) <= slack:
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

// facing adds the chord between two inner points of pieces if they look at each other.
func (w *walls) facing(all []chord, i int, a geom.Vec2, j int, b geom.Vec2) []chord {
	d := b.Sub(a)
	if d.Norm() <= 2*slack || w.inward(i, a).Dot(d) <= 0 || w.inward(j, b).Dot(d) >= 0 {
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
	if gap <= 2*slack || hi < lo {
		return all
	}
	base := addScaled(addScaled(p.From, lo, t), gap/2, n)
	return append(all, chord{length: gap, hi: hi - lo, base: base, along: t})
}

// wedgeChord adds the smallest disc that is free between two segments which open like a wedge. It goes outwards from
// the narrow end, where the segments end, by as much as it is still cut into.
func (w *walls) wedgeChord(all []chord, i, j int) []chord {
	p, q := &w.pieces[i], &w.pieces[j]
	t, u := p.Tangent(0), q.Tangent(0)
	apex := addScaled(p.From, q.From.Sub(p.From).Cross(u)/t.Cross(u), t)
	along := unit(t.Sub(u))
	if t.Cross(u) > 0 { // p leads to the narrow end
		along = along.Scale(-1)
	}
	grow, reach := along.Dot(left(t)), math.Abs(along.Dot(t)) // of the radius, and of the touching points
	span := func(s *Piece) (lo, hi float64) {
		a, b := s.From.Sub(apex).Dot(along), s.To.Sub(apex).Dot(along)
		return min(a, b) / (reach * reach), max(a, b) / (reach * reach)
	}
	pLo, pHi := span(p)
	qLo, qHi := span(q)
	lo, hi := max(pLo, qLo), min(pHi, qHi)
	if grow <= 0 || lo <= slack {
		return all // they look away from each other, or meet in a corner
	}
	for n := 0; n < maxMarch && lo <= hi; n++ {
		c, r := addScaled(apex, lo, along), lo*grow
		d, at := w.distance(c, r-min(slack, r/2), nil)
		if at < 0 {
			return append(all, chord{length: 2 * r, base: c})
		}
		lo += max((r-d)/(1-grow), slack)
	}
	return all
}

// ringChord adds the family of chords between two arcs round one centre.
func (w *walls) ringChord(all []chord, i, j int) []chord {
	p, q := &w.pieces[i], &w.pieces[j]
	if p.Turn < 0 {
		p, q = q, p
	}
	gap := p.Radius() - q.Radius()
	if p.Turn < 0 || q.Turn > 0 || gap <= 2*slack {
		return all
	}
	mid := (p.Radius() + q.Radius()) / 2
	first := unit(q.To.Sub(q.Center)) // q runs clockwise, so that it begins here when seen the other way
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
