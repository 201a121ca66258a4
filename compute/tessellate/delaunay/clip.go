package delaunay

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/predicate"
)

// Clip triangulates rings by cutting ears off, holes first joined to the outer ring by bridges (after
// Held 1998). It is for rings that cross themselves or each other, for which no proper triangulation
// exists: every ring segment is a side of exactly one triangle, in the ring's direction, and all other
// sides pair up, so a surface stitched along the segments stays closed although triangles may overlap.
// Points and ringEnds are as in Input, the first ring is the outer one. The triangles are added to
// dst: n − 2 + 2·holes of them. Cost: up to the square of the number of points.
func Clip(points []geom.Vec2, ringEnds []int32, dst [][3]int32) [][3]int32 {
	var c clipper
	c.points = points
	begin := int32(0)
	var holes []int32
	first := int32(none)
	for _, end := range ringEnds {
		if head := c.ring(begin, end); head != none {
			if first == none {
				first = head
			} else {
				holes = append(holes, c.leftmost(head))
			}
		}
		begin = end
	}
	if first == none {
		return dst
	}
	slices.SortStableFunc(holes, func(a, b int32) int { return cmp.Compare(c.at(a).X, c.at(b).X) })
	for i, h := range holes {
		c.bridge(first, h, holes[i:])
	}
	return c.cut(first, dst)
}

// clipper is a set of rings linked through next and prev; a node is one corner of a ring.
type clipper struct {
	points     []geom.Vec2
	point      []int32 // of each node
	next, prev []int32
}

func (c *clipper) at(node int32) geom.Vec2 { return c.points[c.point[node]] }

func (c *clipper) add(point int32) int32 {
	c.point = append(c.point, point)
	c.next = append(c.next, none)
	c.prev = append(c.prev, none)
	return int32(len(c.point) - 1)
}

func (c *clipper) link(a, b int32) { c.next[a], c.prev[b] = b, a }

// ring makes nodes for the points begin … end-1.
func (c *clipper) ring(begin, end int32) int32 {
	if end <= begin {
		return none
	}
	head := c.add(begin)
	last := head
	for p := begin + 1; p < end; p++ {
		n := c.add(p)
		c.link(last, n)
		last = n
	}
	c.link(last, head)
	return head
}

func (c *clipper) leftmost(head int32) int32 {
	best := head
	for n := c.next[head]; n != head; n = c.next[n] {
		if c.at(n).X < c.at(best).X {
			best = n
		}
	}
	return best
}

// bridge joins the ring of hole to the ring of outer by the shortest segment from the hole's leftmost
// point that crosses neither the outer ring nor the holes that are left, or the shortest of all.
func (c *clipper) bridge(outer, hole int32, holes []int32) {
	best, bestFree := int32(none), int32(none)
	least, leastFree := math.Inf(1), math.Inf(1)
	p := c.at(hole)
	for n, started := outer, false; n != outer || !started; n, started = c.next[n], true {
		d := c.at(n).Sub(p).Norm2()
		if d < least {
			best, least = n, d
		}
		free := func(ring int32) bool { return !c.crosses(ring, n, hole) }
		if d < leastFree && free(outer) && !slices.ContainsFunc(holes, func(h int32) bool { return !free(h) }) {
			bestFree, leastFree = n, d
		}
	}
	if bestFree != none {
		best = bestFree
	}
	// … best → hole → … → hole' → best' → …
	hole2, best2 := c.add(c.point[hole]), c.add(c.point[best])
	c.link(c.prev[hole], hole2)
	c.link(best2, c.next[best])
	c.link(hole2, best2)
	c.link(best, hole)
}

// crosses reports whether the segment from node a to node b properly crosses a segment of the ring.
func (c *clipper) crosses(ring, a, b int32) bool {
	pa, pb := c.at(a), c.at(b)
	for n, started := ring, false; n != ring || !started; n, started = c.next[n], true {
		q, r := c.at(n), c.at(c.next[n])
		if q == pa || r == pa || q == pb || r == pb {
			continue
		}
		if predicate.Orient2D(pa, pb, q)*predicate.Orient2D(pa, pb, r) <= 0 &&
			predicate.Orient2D(q, r, pa)*predicate.Orient2D(q, r, pb) <= 0 {
			return true
		}
	}
	return false
}

// cut takes off one ear after the other: proper ones while there are any, afterwards the corner that
// turns left the most.
func (c *clipper) cut(head int32, dst [][3]int32) [][3]int32 {
	left := 1
	for n := c.next[head]; n != head; n = c.next[n] {
		left++
	}
	since, proper := 0, true
	n := head
	for left > 2 {
		switch {
		case proper && c.isEar(n):
			since = 0
		case proper && since < left:
			n = c.next[n]
			since++
			continue
		default:
			proper = false
			n = c.sharpest(n)
		}
		p, q := c.prev[n], c.next[n]
		dst = append(dst, [3]int32{c.point[p], c.point[n], c.point[q]})
		c.link(p, q)
		n = c.next[q]
		left--
	}
	return dst
}

// isEar reports whether node n turns left and no other node lies in the triangle it makes with its
// neighbours.
func (c *clipper) isEar(n int32) bool {
	p, q := c.prev[n], c.next[n]
	a, b, d := c.at(p), c.at(n), c.at(q)
	if predicate.Orient2D(a, b, d) <= 0 {
		return false
	}
	for o := c.next[q]; o != p; o = c.next[o] {
		x := c.at(o)
		if x == a || x == b || x == d {
			continue
		}
		if predicate.Orient2D(a, b, x) >= 0 && predicate.Orient2D(b, d, x) >= 0 && predicate.Orient2D(d, a, x) >= 0 {
			return false
		}
	}
	return true
}

func (c *clipper) sharpest(head int32) int32 {
	best, most := head, math.Inf(-1)
	for n, started := head, false; n != head || !started; n, started = c.next[n], true {
		a, b, d := c.at(c.prev[n]), c.at(n), c.at(c.next[n])
		if turn := math.Atan2(b.Sub(a).Cross(d.Sub(b)), b.Sub(a).Dot(d.Sub(b))); turn > most {
			best, most = n, turn
		}
	}
	return best
}
