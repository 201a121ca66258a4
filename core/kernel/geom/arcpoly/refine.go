package arcpoly

// Arcs of few chords.
//
// An arc has hundreds of chords, and most of them are far from other curves. So arcs begin as stretches of many chords
// each, within one quarter of their circle. A stretch that may meet another chord is divided, until it meets no other
// or is one chord. Stretches cannot meet if the boxes around their ends are disjoint, which contain all of their
// chords, or if a line along one of them separates them with their bends. The subdivision of the plane is then the same
// as with all chords, and so are the results.
//
// Two cases need no division: two boxes that share only one end, and two stretches of the same chords that are divided
// at the same points. Divisions are at positions common to most arcs of one circle, so that shared stretches are found
// early.
//
// Cost: as of chords near other curves, and the logarithm of that for each point where curves meet.

import (
	"math"
	"math/bits"
)

const (
	// apart (steps) is the minimum distance of stretches that cannot touch: ends are rounded by up to one step, and a
	// chord is routed through points one step away.
	apart = 4

	// divisions is the number of parts of one division of a stretch, a power of two.
	divisions = 4
)

// gapPair is a stretch of chords of an arc.
type gapPair struct {
	chords int32   // in the stretch; 1 for a single chord
	at     int32   // start, as a direction of the circle
	bend   float64 // lattice steps, largest deviation to the left of a straight line
}

// straitOf returns the stretch from one point of a circle to another.
func straitOf(on *circle, from, to point, first, last int) gapPair {
	const most = 1.18 // ratio of the bend of a quarter circle to the bend of a parabola
	s := gapPair{chords: int32(max(last-first, first-last)), at: int32(first)}
	if d := to.sub(from); s.chords > 1 {
		s.bend = most / 8 * d.dot(d) / (on.radius * steps)
	}
	if on.isLeft {
		s.bend = -s.bend
	}
	return s
}

// after returns the direction after j, toward last, at which stretches of length size end, a power of two.
func (c *circle) after(j, last, size int) int {
	if c.isLeft {
		return min(j&^(size-1)+size, last)
	}
	return max((j+size-1)&^(size-1)-size, last)
}

// arcThrough appends the chords of an arc between directions first and last of its circle, both with it, as one stretch
// in each quarter.
func (c *chains) arcThrough(on *circle, first, last int, id int32) {
	c.to(on.at(first), id)
	for j := first; j != last; {
		next := on.after(j, last, on.n/4)
		n := len(c.pts)
		c.to(on.at(next), id)
		c.gapPair[n-1] = straitOf(on, c.pts[n-1], c.pts[len(c.pts)-1], j, next)
		j = next
	}
}

// part is a stretch, or a chord, with its parts after a division.
type part struct {
	gapPair
	from, to point
	curve    int32 // negative: no curve
	first    int32 // of its parts, which follow one another
	count    int32 // of its parts
}

// refiner divides stretches.
type refiner struct {
	spare chains     // memory for the next chains
	parts []part     // the parts of the chains in their order, then their divisions
	twins [][2]int32 // parts of the same chords
	has   []bool     // by node of the tree, stretches
}

// refine divides stretches until they all meet no other chord, and leaves the tree of all chords.
func (x *crosser) refine() {
	x.plant()
	isAny := false
	x.parts, x.twins = resized(x.parts, len(x.pts)), x.twins[:0]
	for i := range x.pts {
		x.parts[i] = part{gapPair: x.gapPair[i], from: x.pts[i], to: x.pts[min(i+1, len(x.pts)-1)], curve: x.curve[i]}
		isAny = isAny || x.gapPair[i].chords > 1
	}
	if !isAny {
		return
	}
	x.tree.pairs(x.monotone(), x.stretched(), x.near)
	x.alike()
	if len(x.parts) > len(x.pts) {
		x.rebuild()
		x.plant()
	}
}

// plant makes the tree of the chords.
func (x *crosser) plant() {
	x.own = resized(x.own, len(x.pts))
	for i := range x.own {
		if x.own[i] = emptyBox; x.curve[i] >= 0 {
			x.own[i] = boxOf(x.pts[i], x.pts[i+1])
		}
	}
	x.tree.fill(x.own)
}

// stretched returns, by node of the tree, whether it has stretches.
func (x *crosser) stretched() []bool {
	t := &x.tree
	x.has = resized(x.has, 2*t.leaves)
	for k := 2*t.leaves - 1; k > 0; k-- {
		is := false
		if k < t.leaves {
			is = x.has[2*k] || x.has[2*k+1]
		} else {
			lo, hi := t.span(int32(k))
			for i := lo; i < hi; i++ {
				is = is || x.gapPair[i].chords > 1
			}
		}
		x.has[k] = is
	}
	return x.has
}

// near divides the stretches of two leaves of the tree that may meet.
func (x *crosser) near(a, b int32) {
	lo, hi := x.tree.span(a)
	first, last := x.tree.span(b)
	other := &x.tree.boxes[b]
	for i := lo; i < hi; i++ {
		mine := &x.own[i]
		if a == b {
			first = i + 1
		} else if !mine.meets(other) {
			continue
		}
		for j := first; j < last; j++ {
			if its := &x.own[j]; mine.meets(its) {
				x.keepApart(int32(i), int32(j), *mine, *its)
			}
		}
	}
}

// keepApart divides two stretches, or a stretch and a chord, until they cannot meet. Their boxes meet.
func (x *crosser) keepApart(i, j int32, mine, its box) {
	a, b := &x.parts[i], &x.parts[j]
	switch {
	case a.chords == 1 && b.chords == 1, a.meetsAtEnd(b, &mine, &its), a.isParted(b), b.isParted(a):
		return
	case x.isSame(a, b):
		x.twins = append(x.twins, [2]int32{i, j})
		return
	case a.chords < b.chords:
		i, j, its = j, i, mine
	}
	first, count := x.divided(i)
	for k := first; k < first+count; k++ {
		if own := boxOf(x.parts[k].from, x.parts[k].to); own.meets(&its) {
			x.keepApart(k, j, own, its)
		}
	}
}

// meetsAtEnd reports whether the boxes of two parts, which meet, share only an end of both.
func (a *part) meetsAtEnd(b *part, mine, its *box) bool {
	at := point{max(mine.x0, its.x0), max(mine.y0, its.y0)}
	return at == point{min(mine.x1, its.x1), min(mine.y1, its.y1)} &&
		(at == a.from || at == a.to) && (at == b.from || at == b.to)
}

// isParted reports whether a line along a part keeps it from another one, however far both bend.
func (a *part) isParted(b *part) bool {
	d, e := a.to.sub(a.from), b.to.sub(b.from)
	v := b.from.sub(a.from)
	begin := d.x*v.y - d.y*v.x // times the length of a, as all that follows
	end := begin + d.x*e.y - d.y*e.x
	length, bend := math.Sqrt(d.dot(d)), 0.0
	if b.bend != 0 {
		bend = b.bend * d.dot(e) / math.Sqrt(e.dot(e))
	}
	return min(begin, end)+min(0, bend) > (apart+max(0, a.bend))*length ||
		max(begin, end)+max(0, bend) < (min(0, a.bend)-apart)*length
}

// isSame reports whether two parts are of the same chords, and would be divided at the same points.
func (x *crosser) isSame(a, b *part) bool {
	isBack := a.from != b.from
	if a.chords != b.chords || isBack && (a.from != b.to || a.to != b.from) || !isBack && a.to != b.to {
		return false
	}
	on, of := circleOf(&x.curves[a.curve]), circleOf(&x.curves[b.curve])
	at, step := int(b.at), int(of.ahead(1))
	if isBack {
		at, step = at+int(of.ahead(b.chords)), -step
	}
	if on.n != of.n || (int(a.at)-at)&(on.n-1) != 0 || step != int(on.ahead(1)) {
		return false
	}
	for k := 1; k < int(a.chords); k++ {
		if on.at(int(a.at)+k*step) != of.at(at+k*step) {
			return false
		}
	}
	return true
}

// alike divides stretches of the same chords at the same points.
func (x *crosser) alike() {
	for isDone := false; !isDone; {
		isDone = true
		for k := 0; k < len(x.twins); k++ {
			i, j := x.twins[k][0], x.twins[k][1]
			if x.parts[i].count == 0 && x.parts[j].count == 0 {
				continue
			}
			isDone = isDone && x.parts[i].count > 0 && x.parts[j].count > 0
			first, count := x.divided(i)
			other, _ := x.divided(j)
			step := int32(1)
			if x.parts[i].from != x.parts[j].from {
				other, step = other+count-1, -1
			}
			x.twins[k] = x.twins[len(x.twins)-1]
			x.twins = x.twins[:len(x.twins)-1]
			k--
			for n := range count {
				if x.parts[first+n].chords > 1 {
					x.twins = append(x.twins, [2]int32{first + n, other + n*step})
				}
			}
		}
	}
}

// divided returns the parts of a stretch, and divides it on the first call.
func (x *crosser) divided(i int32) (first, count int32) {
	if p := x.parts[i]; p.count == 0 {
		on := circleOf(&x.curves[p.curve])
		last, size := int(p.at+on.ahead(p.chords)), max(1<<bits.Len(uint(p.chords-1))/divisions, 1)
		first := int32(len(x.parts))
		from := p.from
		for j := int(p.at); j != last; {
			next, to := on.after(j, last, size), p.to
			if next != last {
				to = on.at(next)
			}
			x.parts = append(x.parts,
				part{gapPair: straitOf(&on, from, to, j, next), from: from, to: to, curve: p.curve})
			j, from = next, to
		}
		x.parts[i].first, x.parts[i].count = first, int32(len(x.parts))-first
	}
	return x.parts[i].first, x.parts[i].count
}

// rebuild makes the chains again from their divided parts.
func (x *crosser) rebuild() {
	old := x.chains
	x.chains, x.spare = x.spare, old
	x.reset()
	x.curves, x.in, x.isSparse, x.spare.curves = old.curves, old.in, old.isSparse, nil
	for i, l := range old.loop {
		if int(l) == len(x.first) {
			x.first = append(x.first, int32(len(x.pts)))
		}
		x.lay(&x.parts[i], l)
	}
}

// lay appends a part to a loop.
func (x *crosser) lay(p *part, loop int32) {
	if p.count > 0 {
		for k := range p.count {
			x.lay(&x.parts[p.first+k], loop)
		}
		return
	}
	x.pts, x.curve, x.loop = append(x.pts, p.from), append(x.curve, p.curve), append(x.loop, loop)
	x.gapPair = append(x.gapPair, p.gapPair)
}
