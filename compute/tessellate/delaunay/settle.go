package delaunay

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/predicate"
)

// This file moves points of the parameter plane that are in the way of a segment, or in the same
// place as another point. Only the plane is bent: the points of space stay where they are. The
// triangulation is then built anew, which is affordable because it is rare.

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

// nudge is the share of a segment's length by which a point is moved away from it in the first round:
// far below any tolerance, far above rounding.
const nudge = 1e-9

// settle moves points so that the noted conflicts disappear; false when there was nothing to do.
func (t *Triangulation) settle(round int) bool {
	share := nudge * math.Pow(4, float64(round))
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

// sideOf returns 1 when v belongs on the left of a→b and -1 for the right, by where its neighbours are.
func (t *Triangulation) sideOf(v, a, b int32) float64 {
	side := 0
	t.neighbours(v, func(u int32) {
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

// neighbours calls f with the vertices before and after each occurrence of v on the rings.
func (t *Triangulation) neighbours(v int32, f func(u int32)) {
	begin := int32(0)
	for _, end := range t.ringEnds {
		n := end - begin
		for i := range n {
			if t.alias[begin+i+super] == v {
				f(t.alias[begin+(i+n-1)%n+super])
				f(t.alias[begin+(i+1)%n+super])
			}
		}
		begin = end
	}
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

// step is the distance to move: a share of the local length, but no less than what survives rounding.
func (t *Triangulation) step(at geom.Vec2, length, share float64) float64 {
	const rounding = 0x1p-48 // a few units in the last place
	return max(share*length, rounding*(math.Abs(at.X)+math.Abs(at.Y)))
}

func (t *Triangulation) move(v int32, p geom.Vec2) {
	t.changed = true
	for i, a := range t.alias[super:] {
		if a == v {
			t.pts[i+super] = p
			t.moved[i+super] = true
		}
	}
}

// separate moves v away from u, which is at the same place: out of the region when u's neighbours lie
// in the region's wedge at v, else into it.
func (t *Triangulation) separate(v, u int32, share float64) {
	var before, after int32 = none, none
	begin := int32(0)
	for _, end := range t.ringEnds {
		if i := v - super; i >= begin && i < end {
			n := end - begin
			before, after = begin+(i-begin+n-1)%n+super, begin+(i-begin+1)%n+super
		}
		begin = end
	}
	if before == none {
		return
	}
	p := t.pts[v]
	in, out := p.Sub(t.pts[before]), t.pts[after].Sub(p)
	if in.Norm2() == 0 || out.Norm2() == 0 { // u is the neighbour: spread the two along the ring
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
	t.neighbours(u, func(w int32) {
		d := t.pts[w].Sub(p)
		l, m := in.Cross(d) > 0, out.Cross(d) > 0
		if l && m || in.Cross(out) < 0 && (l || m) {
			side = -1
		}
	})
	t.move(v, p.Add(left.Scale(side*t.step(p, length, share)/left.Norm())))
}

// spread moves v towards the neighbour that is not at the same place.
func (t *Triangulation) spread(v, before, after int32, share float64) {
	p := t.pts[v]
	for _, w := range [2]int32{after, before} {
		if d := t.pts[w].Sub(p); d.Norm2() > 0 {
			t.move(v, p.Add(d.Scale(t.step(p, d.Norm(), share)/d.Norm())))
			return
		}
	}
}

// uncrossByMoving moves that end of two crossing segments which is least far beyond the other segment
// back to its own side.
func (t *Triangulation) uncrossByMoving(c conflict, share float64) {
	ends := [4][4]int32{ // the end to move, its other end, the segment to get off
		{c.v, c.c, c.a, c.b}, {c.c, c.v, c.a, c.b}, {c.a, c.b, c.v, c.c}, {c.b, c.a, c.v, c.c},
	}
	best, least := 0, math.Inf(1)
	for i, e := range ends {
		d := t.pts[e[3]].Sub(t.pts[e[2]])
		if depth := math.Abs(d.Cross(t.pts[e[0]].Sub(t.pts[e[2]]))) / d.Norm(); depth < least {
			best, least = i, depth
		}
	}
	e := ends[best]
	if least > t.depth*min(t.pts[c.a].Dist(t.pts[c.b]), t.pts[c.v].Dist(t.pts[c.c])) {
		return
	}
	side := 1.0
	if predicate.Orient2D(t.pts[e[2]], t.pts[e[3]], t.pts[e[1]]) < 0 {
		side = -1
	}
	t.push(e[0], e[2], e[3], side, share)
}
