package region

// The narrowest passage of a region, and the largest disc that clears it.
//
// Both are read off the medial axis (H. Blum, "A transformation for extracting new descriptors of shape",
// 1967), the centres of the discs inside that touch the walls twice, without building it. Its radius is
// smallest
//   - at chokes, discs that touch the walls at opposite ends of a diameter: the critical points of the
//     distance to the walls (K. Grove, "Critical point theory for distance functions", 1993);
//   - where the branches out of the corners end, because they touch a third wall;
//   - at the round ends, where the disc is that of a wall's own arc.
//
// Narrowest is the smallest diameter among the first two and the round ends that turn so far that they are
// no corners. A corner, sharp or rounded, is no narrow place. Where there is none of these there is but one
// critical disc, the largest inscribed one.
//
// Clearing is the diameter of the largest disc whose sweep leaves nothing of the region behind
// (morphological opening), sharp corners aside, which no disc clears: also the arcs of rounded corners
// count.
//
// Chokes are taken from pairs of walls in the order of their lengths, and the first free one is it. A
// grid finds pairs within a reach that grows until there is one, and the walls near a disc. Cost: n
// times the walls within reach of each. Corners with curved sides, and those whose disc rolls off the
// end of a side, give no disc of their own.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
)

// cornerTurn (rad) is the largest turn of a rounded corner; arcs that turn further are the ends of slots.
const cornerTurn = 2*math.Pi/3 + smoothTurn

// shallow (mm) is the depth to which a hollow of a freeform curve is none: what outlines are exact to.
const shallow = 1e-3

// maxMarch bounds the steps along a family of discs; each step at least halves a gap that is not grazing.
const maxMarch = 200

// Widths are the diameters that decide which tools a region takes, mm.
type Widths struct {
	Narrowest float64 // of the narrowest passage
	Clearing  float64 // of the largest disc that clears all but sharp corners
	Bounded   bool    // walls set both; otherwise they come from the outline with its open sides
}

// Widths measures the region. Without walls that face each other the narrowest passage is that of the
// region with its open sides closed, and the largest disc that clears it is as wide as its rectangle
// is long, unless a rounded corner demands less.
func (r *Region) Widths() Widths {
	w := wallsOf(r, false)
	open := len(w.pieces) == 0
	for _, l := range r.Loops {
		open = open || slices.ContainsFunc(l, func(p Piece) bool { return p.Open })
	}
	narrow := min(w.choke(), w.arcDisc(cornerTurn))
	narrow = min(narrow, w.cornerDisc(narrow))
	clearing := min(narrow, w.arcDisc(0))
	if !math.IsInf(narrow, 1) {
		return Widths{Narrowest: narrow, Clearing: clearing, Bounded: true}
	}
	if !open {
		_, radius := w.inscribed()
		return Widths{Narrowest: 2 * radius, Clearing: min(clearing, 2*radius), Bounded: true}
	}
	all := wallsOf(r, true)
	_, radius := all.inscribed()
	return Widths{Narrowest: 2 * radius, Clearing: min(clearing, EnclosingRect(r.pieces()).Length)}
}

// CornerRadius returns the smallest radius of the corners into which a disc must reach, 0 for a sharp
// one, and false when the walls have no corner. Hollows of freeform curves that are no deeper than
// shallow are waves of their construction.
func (r *Region) CornerRadius() (float64, bool) {
	w := wallsOf(r, false)
	best := math.Inf(1)
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.Turn > 0 && p.Turn < 2*math.Pi-smoothTurn && w.isHollow(i) {
			best = min(best, cmp.Or(p.Tight, p.Radius()))
		}
		k := w.next[i]
		if k < 0 || k == i {
			continue
		}
		q := &w.pieces[k]
		turn := turnBetween(p, q)
		switch {
		case turn > 0 && q.Joined && p.Turn == 0 && q.Turn == 0:
			chord := Segment(p.From, q.To)
			if chord.Distance(q.From) > shallow {
				best = min(best, circumradius(p.From, q.From, q.To))
			}
		case turn > smoothTurn && !q.Joined:
			return 0, true
		}
	}
	return best, !math.IsInf(best, 1)
}

// isHollow reports whether the arcs of one curve that hollow the region out round arc i are deeper than
// shallow; an arc that stands for itself or for a conic is.
func (w *walls) isHollow(i int) bool {
	if p := &w.pieces[i]; p.Tight > 0 || !p.Joined && (w.next[i] < 0 || !w.pieces[w.next[i]].Joined) {
		return true
	}
	length, turn := 0.0, 0.0
	add := func(k int) bool {
		length, turn = length+w.pieces[k].Length(), turn+w.pieces[k].Turn
		return length*turn > 8*shallow // of an arc, eight times its sagitta
	}
	if add(i) {
		return true
	}
	for k := i; w.pieces[k].Joined; {
		if k = w.prev[k]; k < 0 || k == i || w.pieces[k].Turn <= 0 {
			break
		}
		if add(k) {
			return true
		}
	}
	for k := w.next[i]; k >= 0 && k != i && w.pieces[k].Joined && w.pieces[k].Turn > 0; k = w.next[k] {
		if add(k) {
			return true
		}
	}
	return false
}

// turnBetween returns the kink from the end of p to the beginning of q, rad, positive to the left.
func turnBetween(p, q *Piece) float64 {
	a, b := p.Tangent(1), q.Tangent(0)
	return math.Atan2(a.Cross(b), a.Dot(b))
}

func circumradius(a, b, c geom.Vec2) float64 {
	area2 := math.Abs(b.Sub(a).Cross(c.Sub(a)))
	if area2 == 0 {
		return math.Inf(1)
	}
	return a.Dist(b) * b.Dist(c) * c.Dist(a) / (2 * area2)
}

// arcDisc returns the smallest diameter among the arcs that hollow the region out by more than turn
// and whose whole disc is free.
func (w *walls) arcDisc(turn float64) float64 {
	out := math.Inf(1)
	for i := range w.pieces {
		p := &w.pieces[i]
		if p.Turn > turn && w.free(p.Center, p.Radius()) {
			out = min(out, 2*p.Radius())
		}
	}
	return out
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
}

// center returns the middle of the chord s mm along the family.
func (c *chord) center(s float64) geom.Vec2 {
	if c.mid > 0 {
		return c.pivot.Add(rotate(c.base.Sub(c.pivot), s/c.mid))
	}
	return addScaled(c.base, s, c.along)
}

// choke returns the diameter of the narrowest choke, infinite when there is none. Pairs are looked for
// within a reach that doubles until one is found.
func (w *walls) choke() float64 {
	if len(w.pieces) == 0 {
		return math.Inf(1)
	}
	var all []chord
	last := 0.0
	for reach := 2 * w.grid.cell; ; reach *= 2 {
		isAll := !(reach <= w.size) // not a number included
		all = w.chords(all[:0], reach)
		slices.SortStableFunc(all, func(a, b chord) int { return cmp.Compare(a.length, b.length) })
		for i := range all {
			c := &all[i]
			if c.length > reach && !isAll {
				break
			}
			if c.length > last && w.passes(c) {
				return c.length
			}
		}
		if isAll {
			return math.Inf(1)
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

// passes reports whether a disc of the chord is free, marching along the family by how deep it still
// cuts in.
func (w *walls) passes(c *chord) bool {
	r := c.length / 2
	for s, n := 0.0, 0; n < maxMarch; n++ {
		d, at := w.distance(c.center(s), r-min(slack, r/2), nil)
		if at < 0 {
			return true
		}
		if s >= c.hi {
			return false
		}
		s = min(s+max(r-d, slack), c.hi)
	}
	return false
}

func (w *walls) jointChord(all []chord, a, b *joint) []chord {
	d := b.at.Sub(a.at)
	l := d.Norm()
	if l <= 2*slack {
		return all
	}
	d = d.Scale(1 / l)
	if !a.touches(d) || !b.touches(d.Scale(-1)) {
		return all
	}
	return append(all, fixed(a.at, b.at))
}

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
		d := j.at.Sub(f)
		l := d.Norm()
		if l <= 2*slack || w.inward(i, f).Dot(d) <= 0 || !j.touches(d.Scale(-1/l)) {
			continue
		}
		all = append(all, fixed(f, j.at))
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
	if u := q.Tangent(0); t.Dot(u) > 0 || math.Abs(t.Cross(u)) > level {
		return all
	}
	n := left(t)
	gap := n.Dot(q.At(0.5).Sub(p.From))
	lo := max(0, t.Dot(q.To.Sub(p.From)))
	hi := min(p.Length(), t.Dot(q.From.Sub(p.From)))
	if gap <= 2*slack || hi < lo {
		return all
	}
	base := addScaled(addScaled(p.From, lo, t), gap/2, n)
	return append(all, chord{length: gap, hi: hi - lo, base: base, along: t})
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
