package delaunay

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// This file moves points of the parameter plane that obstruct a segment or coincide with another point. Only the points
// in the plane move; the points in space stay. The triangulation is then rebuilt, which is affordable because it is
// rare.

type reason uint8

const (
	drop     reason = iota // free point v lies where a ring has a point
	apart                  // ring points v and a coincide
	beside                 // v lies inside the segment a→b
	crossing               // the segments v–c and a→b cross
	stuck                  // nothing to move
)

type conflict struct {
	kind       reason
	v, c, a, b int32
}

// nudge is the fraction of a segment's length by which a point is moved away from it in the first round. It is far
// below any tolerance and far above rounding.
const nudge = 1e-9

// usualRounds is the usual maximum number of attempts of Build; reachingOver is the maximum for points that reach over
// a ring.
const (
	usualRounds  = 8
	reachingOver = 40
)

// settle moves points so that the noted conflicts disappear; false when there was nothing to do.
func (t *Triangulation) settle(round int) bool {
	share := nudge * math.Pow(4, float64(min(round, usualRounds)))
	t.changed = false
	for _, c := range t.conflicts {
		switch c.kind {
		case drop:
			t.alias[c.v], t.changed = none, true
		case apart:
			t.separate(c.v, c.a, share)
		case beside:
			if c.v >= t.rings()+super {
				t.alias[c.v], t.changed = none, true
			} else {
				t.push(c.v, c.a, c.b, t.sideOf(c.v, c.a, c.b), share)
			}
		case crossing:
			t.uncrossByMoving(c, share)
		}
	}
	return t.changed
}

// sideOf returns 1 when v belongs on the left of a→b and -1 for the right, by where its neighbors are.
func (t *Triangulation) sideOf(v, a, b int32) float64 {
	side := 0
	t.neighbors(v, func(u int32) {
		if u == a || u == b {
			return
		}
		switch o := predicate.Orient2D(t.pts[a], t.pts[b], t.pts[u]); {
		case o > 0:
			side++
		case o < 0:
			side--
		}
	})
	if side < 0 {
		return -1
	}
	return 1
}

// occurrences calls f with v and the ring points that it represents.
func (t *Triangulation) occurrences(v int32, f func(u int32)) {
	f(v)
	for _, u := range t.same {
		if t.alias[u] == v {
			f(u)
		}
	}
}

// neighbors calls f with the vertices before and after each occurrence of v on the rings.
func (t *Triangulation) neighbors(v int32, f func(u int32)) {
	t.occurrences(v, func(u int32) {
		if before, after := t.onRing(u); before != none {
			f(t.alias[before])
			f(t.alias[after])
		}
	})
}

// onRing returns the ring points before and after v; none for a free point.
func (t *Triangulation) onRing(v int32) (before, after int32) {
	i, begin, n := t.ringOf(v)
	if i == none {
		return none, none
	}
	return begin + (i+n-1)%n + super, begin + (i+1)%n + super
}

// push moves v and all that coincide with it to the given side of the line a→b.
func (t *Triangulation) push(v, a, b int32, side, share float64) {
	pa, d := t.pts[a], t.pts[b].Sub(t.pts[a])
	length := d.Norm()
	if length == 0 {
		return
	}
	d = d.Scale(1 / length)
	normal := geom.Vec2{X: -d.Y, Y: d.X}
	along := t.pts[v].Sub(pa).Dot(d)
	foot := pa.Add(d.Scale(along))
	t.move(v, foot.Add(normal.Scale(side*t.step(foot, length, share))))
}

// step returns the distance to move: a share of the local length, but no less than the resolution of rounding.
func (t *Triangulation) step(at geom.Vec2, length, share float64) float64 {
	const rounding = 0x1p-48 // a few units in the last place
	return max(share*length, rounding*(math.Abs(at.X)+math.Abs(at.Y)))
}

func (t *Triangulation) move(v int32, p geom.Vec2) {
	t.changed = true
	t.occurrences(v, func(u int32) { t.pts[u], t.moved[u] = p, true })
}

// separate moves v away from u, which is at the same place: out of the region when u's neighbors lie
// in the region's wedge at v, else into it.
func (t *Triangulation) separate(v, u int32, share float64) {
	before, after := t.onRing(v)
	if before == none {
		return
	}
	p := t.pts[v]
	in, out := p.Sub(t.pts[before]), t.pts[after].Sub(p)
	if in.Norm2() == 0 || out.Norm2() == 0 { // u is the neighbor: spread the two along the ring
		t.spread(v, before, after, share)
		return
	}
	in, out = in.Scale(1/in.Norm()), out.Scale(1/out.Norm())
	left := geom.Vec2{X: -in.Y - out.Y, Y: in.X + out.X}
	if left.Norm2() == 0 {
		left = geom.Vec2{X: -in.Y, Y: in.X}
	}
	length := min(p.Dist(t.pts[before]), p.Dist(t.pts[after]))
	side := 1.0
	t.neighbors(u, func(w int32) {
		d := t.pts[w].Sub(p)
		l, m := in.Cross(d) > 0, out.Cross(d) > 0
		if l && m || in.Cross(out) < 0 && (l || m) {
			side = -1
		}
	})
	t.move(v, p.Add(left.Scale(side*t.step(p, length, share)/left.Norm())))
}

// spread moves v toward the neighbor that is not at the same place.
func (t *Triangulation) spread(v, before, after int32, share float64) {
	p := t.pts[v]
	for _, w := range [2]int32{after, before} {
		if d := t.pts[w].Sub(p); d.Norm2() > 0 {
			t.move(v, p.Add(d.Scale(t.step(p, d.Norm(), share)/d.Norm())))
			return
		}
	}
}

// uncrossByMoving moves the end of two crossing segments that is least far beyond the other segment back to its own
// side. Where rings cross each other with several points, an end's own side is the side of its ring's origin, not of
// the other end.
func (t *Triangulation) uncrossByMoving(c conflict, share float64) {
	ends := [4][4]int32{ // the end to move, its other end, the segment to get off
		{c.v, c.c, c.a, c.b}, {c.c, c.v, c.a, c.b}, {c.a, c.b, c.v, c.c}, {c.b, c.a, c.v, c.c},
	}
	best, least, side := -1, math.Inf(1), 0.0
	for i, e := range ends {
		depth := math.Abs(t.height(e[0], e[2], e[3]))
		if depth >= least {
			continue
		}
		own := math.Copysign(1, t.height(e[1], e[2], e[3]))
		if t.reach > 0 {
			if own = t.origin(e[0], e[2], e[3]); own*t.height(e[0], e[2], e[3]) > 0 {
				continue // already on the right side
			}
		}
		best, least, side = i, depth, own
	}
	if best < 0 ||
		least > max(t.reach, t.depth*min(t.pts[c.a].Dist(t.pts[c.b]), t.pts[c.v].Dist(t.pts[c.c]))) {
		return
	}
	e := ends[best]
	if t.reach > 0 { // beyond the line, or strands that follow each other creep back for ever
		const overshoot = 0.3 // of the depth
		share = max(share, overshoot*least/t.pts[e[2]].Dist(t.pts[e[3]]))
	}
	t.push(e[0], e[2], e[3], side, share)
}

// height is the distance of v from the line a→b, positive on its left.
func (t *Triangulation) height(v, a, b int32) float64 {
	d := t.pts[b].Sub(t.pts[a])
	return d.Cross(t.pts[v].Sub(t.pts[a])) / d.Norm()
}

// origin returns 1 when the ring of v approaches v from the left of the ring of a→b and continues to it, and -1 for the
// right. It tests the next points in both directions that are farther than the reach from the pieces of that ring
// around a→b.
func (t *Triangulation) origin(v, a, b int32) float64 {
	const clear, window = 1.5, 12 // reaches; segments before and after a→b
	i, begin, n := t.ringOf(v)
	k, first, m := t.ringOf(a)
	if i == none || k == none {
		return math.Copysign(1, t.height(v, a, b))
	}
	sum := 0.0
	for _, step := range [2]int32{1, n - 1} {
		for count, j := int32(0), i; count < min(n, 4*window); count++ {
			j = (j + step) % n
			p := t.pts[begin+j+super]
			side, nearest := 0.0, math.Inf(1)
			for c := range min(m, 2*window) {
				x := (k + m - min(m, 2*window)/2 + c) % m
				q, r := t.pts[first+x+super], t.pts[first+(x+1)%m+super]
				if d := distance(p, q, r); d < nearest {
					side, nearest = r.Sub(q).Cross(p.Sub(q)), d
				}
			}
			if nearest > clear*t.reach {
				sum += math.Copysign(1, side)
				break
			}
		}
	}
	if t.alias[first+(k+1)%m+super] != b { // a→b runs against its ring
		sum = -sum
	}
	return math.Copysign(1, sum)
}

// ringOf returns the place of vertex v in its ring, the ring's first point and its length.
func (t *Triangulation) ringOf(v int32) (place, begin, n int32) {
	i := v - super
	if i < 0 || i >= t.rings() {
		return none, 0, 0
	}
	k, _ := slices.BinarySearch(t.ringEnds, i+1)
	if k > 0 {
		begin = t.ringEnds[k-1]
	}
	return i - begin, begin, t.ringEnds[k] - begin
}

// distance returns the distance of p from the segment a–b.
func distance(p, a, b geom.Vec2) float64 {
	d, at := b.Sub(a), 0.0
	if l := d.Norm2(); l > 0 {
		at = min(1, max(0, p.Sub(a).Dot(d)/l))
	}
	return p.Dist(a.Add(d.Scale(at)))
}
