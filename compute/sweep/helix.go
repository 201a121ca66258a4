package sweep

// Falling helices of at most half a turn.
//
// Along the tool: the tool is over a ray while the ray is within its radius of the axis, on one stretch of the turn or
// on two. A flat underside is lowest at the end of the stretch. Where another part of the underside decides, the
// stretch from the first possible point is approximated by chords. So is the whole stretch for parts that narrow
// upward.
//
// Across: a slab passes the height of the ray on one stretch of the turn. Where its radius is the same at all heights,
// the ray meets the swept volume of the level arc; other slabs use chords of the stretch.
//
// The chords deviate inward by at most Chord.

import "math"

// at returns the place and height of the tip by the angle from the start.
func (m *arc) at(angle float64) (x, y, s float64) {
	sin, cos := math.Sincos(angle)
	return m.x + cos*m.fromX + sin*m.ahead0, m.y + cos*m.fromY + sin*m.ahead1, m.height(angle)
}

func (m *arc) height(angle float64) float64 { return m.s + m.rise*(angle/m.angle) }

// within returns the angle from the point of the arc nearest to a position, d mm from the center, to the point at the
// distance r: π if it never gets that far, less than 0 if it is always farther.
func (m *arc) within(d, r float64) float64 {
	excess, twice := d*d+m.radius*m.radius-r*r, 2*d*m.radius
	switch {
	case excess <= -twice:
		return math.Pi
	case excess > twice:
		return -1
	}
	return math.Acos(excess / twice)
}

// fall appends the height ranges in which the ray along the axis at (x, y) meets the swept volume of b.
func (m *arc) fall(cuts [][2]float64, b *body, x, y float64) [][2]float64 {
	dx, dy := x-m.x, y-m.y
	d := math.Hypot(dx, dy)
	reach := m.within(d, b.r1)
	if reach < 0 {
		return cuts
	}
	next := math.Atan2(dx*m.ahead0+dy*m.ahead1, dx*m.fromX+dy*m.fromY)
	for range 2 { // the arc may come back to the ray at its end
		if first, last := max(next-reach, 0), min(next+reach, m.angle); first <= last {
			lo, hi := m.lowest(b, x, y, d, next, first, last), m.height(first)+b.z1
			if len(b.down) > 0 {
				hi = m.highest(b, x, y, first, last)
			}
			cuts = append(cuts, [2]float64{lo, hi})
		}
		next += 2 * math.Pi
	}
	return cuts
}

// lowest returns the lowest intersection of the ray at (x, y) with the volume between two angles. The ray is d mm from
// the center and next to the arc at angle next, and never out of reach between the angles.
func (m *arc) lowest(b *body, x, y, d, next, first, last float64) float64 {
	if len(b.up) == 0 {
		return m.height(last) + b.z0
	}
	lo := math.Inf(1)
	first = max(first, min(next, last)) // before that it is as near again later
	if flat := m.within(d, b.low); flat >= 0 && next+flat >= first && next-flat <= last {
		first = min(next+flat, last)
		lo = m.height(first) + b.z0
	}
	m.chords(first, last, func(from, to [3]float64) {
		s := newStraight([3]float64{from[2], from[0], from[1]}, [3]float64{to[2], to[0], to[1]})
		if l, _, ok := s.meet(b, x, y); ok {
			lo = min(lo, l)
		}
	})
	for _, end := range [2]float64{first, last} {
		ax, ay, s := m.at(end)
		lo = min(lo, s+lowest(b.up, b.low, b.z0, min(math.Hypot(x-ax, y-ay), b.r1)))
	}
	return lo
}

// highest is lowest for the upper end.
func (m *arc) highest(b *body, x, y, first, last float64) float64 {
	hi := math.Inf(-1)
	m.chords(first, last, func(from, to [3]float64) {
		s := newStraight([3]float64{from[2], from[0], from[1]}, [3]float64{to[2], to[0], to[1]})
		if _, h, ok := s.meet(b, x, y); ok {
			hi = max(hi, h)
		}
	})
	for _, end := range [2]float64{first, last} {
		ax, ay, s := m.at(end)
		hi = max(hi, s-lowest(b.down, b.high, -b.z1, min(math.Hypot(x-ax, y-ay), b.r1)))
	}
	return hi
}

// chords visits the chords of a stretch of the arc.
func (m *arc) chords(first, last float64, visit func(from, to [3]float64)) {
	if first == last {
		return
	}
	n := chords(m.radius, last-first)
	var from [3]float64
	from[0], from[1], from[2] = m.at(first)
	for k := range n {
		var to [3]float64
		to[0], to[1], to[2] = m.at(first + (last-first)*float64(k+1)/float64(n))
		visit(from, to)
		from = to
	}
}

// fallAcross appends the intervals of x in which the perpendicular ray at (y, z) meets the swept volume of b; they may
// overlap.
func (m *arc) fallAcross(cuts [][2]float64, b *body, y, z float64) [][2]float64 {
	perMM := -m.angle / m.rise
	z -= m.s // over the tip at the start, and more later
	for i := range b.slabs {
		k := &b.slabs[i]
		first, last := max((k.z0-z)*perMM, 0), min((k.z1-z)*perMM, m.angle)
		switch {
		case !(first <= last):
		case !k.arc && k.slope == 0:
			level := m.stretch(first, last)
			cuts = level.cross(cuts, k.r0, y)
		default:
			m.chords(first, last, func(from, to [3]float64) {
				s := newSlide(from, to)
				if lo, hi, ok := s.meet(b, y, z+m.s); ok {
					cuts = append(cuts, [2]float64{lo, hi})
				}
			})
		}
	}
	return cuts
}

// stretch returns the part of the arc between two angles, as a level arc.
func (m *arc) stretch(first, last float64) arc {
	if first == 0 && last == m.angle {
		return *m
	}
	sin, cos := math.Sincos(first)
	from := [2]float64{cos*m.fromX + sin*m.ahead0, cos*m.fromY + sin*m.ahead1}
	ahead := [2]float64{cos*m.ahead0 - sin*m.fromX, cos*m.ahead1 - sin*m.fromY}
	return newArc([3]float64{m.s, m.x, m.y}, from, ahead, last-first, 0)
}
