package delaunay

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// This file joins holes to the outer ring for Clip: the corners of the ring are visited in the order of their
// distance from the hole's leftmost point, and the first is taken to which a bridge crosses nothing.

// wall enters the segments of all rings in a grid whose cells are so large that a segment meets only a few.
func (c *clipper) wall() {
	total := 0.0
	for n := range c.point {
		if d := c.at(int32(n)).Sub(c.at(c.next[n])).Norm(); d <= math.MaxFloat64 {
			total += d
		}
	}
	const few = 4 // cells per segment
	c.walls.set(c.points, len(c.points), total/float64(few*len(c.point)))
	for n := range c.point {
		c.addWall(c.point[n], c.point[c.next[n]])
	}
}

func (c *clipper) addWall(p, q int32) {
	s := int32(len(c.segments))
	c.segments = append(c.segments, [2]int32{p, q})
	a, b := c.points[p], c.points[q]
	if !isFinite(a) || !isFinite(b) {
		return
	}
	c.walls.cover(a, b, func(cell int32) bool {
		c.walls.add(cell, s)
		return true
	})
}

// bridge joins the ring of hole to the ring of outer by the shortest segment from the hole's leftmost point that
// crosses no segment, or by the shortest of all.
func (c *clipper) bridge(outer, hole int32) {
	best := c.nearest(c.at(hole))
	if best == none {
		best = outer
	}
	// … best → hole → … → hole' → best' → …
	c.join(hole)
	hole2, best2 := c.add(c.point[hole]), c.add(c.point[best])
	c.link(c.prev[hole], hole2)
	c.link(best2, c.next[best])
	c.link(hole2, best2)
	c.link(best, hole)
	c.enter(hole2)
	c.enter(best2)
	c.addWall(c.point[best], c.point[hole])
}

// nearest returns the nearest node of the outer ring that is visible from p, or the nearest of all.
func (c *clipper) nearest(p geom.Vec2) int32 {
	first, seen := int32(none), int32(none)
	c.corners.nearest(p, func(o int32) bool {
		c.tests--
		if first == none {
			first = c.node[o]
		}
		if n := c.towards(o, p); n != none && c.sees(p, c.at(n)) {
			seen = n
			return false
		}
		return c.tests > 0
	})
	if seen == none {
		return first
	}
	return seen
}

// towards returns the node at point o between whose segments p lies, on the inner side, or none. Other bridges may end
// in the same point.
func (c *clipper) towards(o int32, p geom.Vec2) int32 {
	for n := c.node[o]; n != none; n = c.same[n] {
		c.tests--
		a, b, d := c.at(c.prev[n]), c.at(n), c.at(c.next[n])
		in, out := predicate.Orient2D(a, b, p) >= 0, predicate.Orient2D(b, d, p) >= 0
		if in && out || (in || out) && predicate.Orient2D(a, b, d) <= 0 {
			return n
		}
	}
	return none
}

// sees reports whether the segment from a to b properly crosses no other.
func (c *clipper) sees(a, b geom.Vec2) bool {
	if !isFinite(a) || !isFinite(b) {
		return false
	}
	g := &c.walls
	return g.cover(a, b, func(cell int32) bool {
		c.tests--
		for e := g.head[cell]; e != none; e = g.next[e] {
			c.tests--
			s := c.segments[g.item[e]]
			q, r := c.points[s[0]], c.points[s[1]]
			if q == a || r == a || q == b || r == b {
				continue
			}
			if predicate.Orient2D(a, b, q)*predicate.Orient2D(a, b, r) <= 0 &&
				predicate.Orient2D(q, r, a)*predicate.Orient2D(q, r, b) <= 0 {
				return false
			}
		}
		return true
	})
}
