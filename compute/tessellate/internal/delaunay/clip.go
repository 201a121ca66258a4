package delaunay

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/predicate"
)

// Clip triangulates rings by ear clipping; holes are first joined to the outer ring by bridges (after Held 1998). It is
// for rings that cross themselves or each other, which have no proper triangulation. Every ring segment is a side of
// exactly one triangle, in the ring's direction, and all other sides pair up. So a surface stitched along the segments
// is closed although triangles may overlap. Points and ringEnds are as in Input; the first ring is the outer one. It
// appends n − 2 + 2·holes triangles to dst.
//
// A corner is tested when the ring is entered and when its neighbor is cut off. Corners inside an ear and segments
// across a bridge are found with a tree and a grid and tested exactly. Cost: about n·log n. Crossing rings may need
// more tests, so the number of tests is limited in proportion to n. At the limit, any corner is cut and the shortest
// bridge is taken.
func Clip(points []geom.Vec2, ringEnds []int32, dst [][3]int32) [][3]int32 {
	return clip(points, ringEnds, dst, new(int))
}

// clip is Clip; it counts the tested corners, segments and cells.
func clip(points []geom.Vec2, ringEnds []int32, dst [][3]int32, tests *int) [][3]int32 {
	allowed := testsPerPoint*len(points) + fewTests
	c := clipper{points: points, tests: allowed}
	c.node = slices.Repeat([]int32{none}, len(points))
	defer func() { *tests = allowed - c.tests }()
	c.corners.set(points)
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
	c.join(first)
	if len(holes) > 0 {
		c.wall()
		slices.SortStableFunc(holes, func(a, b int32) int { return cmp.Compare(c.at(a).X, c.at(b).X) })
		for _, h := range holes {
			c.bridge(first, h)
		}
	}
	return c.cut(first, dst)
}

const (
	// testsPerPoint and fewTests limit the tested corners, segments and cells. Valid rings need about 30 per point.
	testsPerPoint = 400
	fewTests      = 100_000
)

// clipper is a set of rings linked through next and prev; a node is one corner of a ring.
type clipper struct {
	points     []geom.Vec2
	point      []int32 // of each node
	next, prev []int32 // none: the node has been cut off
	corners    tree    // the points of the outer ring and of the rings joined to it
	node       []int32 // of each point of those, the last one there
	same       []int32 // of each node, the one at the same point before it
	walls      cells   // the segments of all rings, and bridges
	segments   [][2]int32
	tests      int     // that are left
	queue      []int32 // nodes to test
	queued     []int32 // where in the queue a node is, at last
}

func (c *clipper) at(node int32) geom.Vec2 { return c.points[c.point[node]] }

func (c *clipper) add(point int32) int32 {
	c.point = append(c.point, point)
	c.next = append(c.next, none)
	c.prev = append(c.prev, none)
	c.same = append(c.same, none)
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

// join enters the nodes of a ring in the tree.
func (c *clipper) join(head int32) {
	for n, started := head, false; n != head || !started; n, started = c.next[n], true {
		c.enter(n)
	}
}

func (c *clipper) enter(n int32) {
	p := c.point[n]
	c.corners.count(p, 1)
	c.same[n], c.node[p] = c.node[p], n
}

// cut takes off one ear after the other: proper ones while there are any, afterward the corner that
// turns left the most.
func (c *clipper) cut(head int32, dst [][3]int32) [][3]int32 {
	c.queued = make([]int32, len(c.point))
	left := 0
	for n, started := head, false; n != head || !started; n, started = c.next[n], true {
		c.look(n)
		left++
	}
	for i := int32(0); int(i) < len(c.queue) && left > 2 && c.tests > 0; i++ {
		n := c.queue[i]
		if c.next[n] == none || c.queued[n] != i || !c.isEar(n) {
			continue
		}
		// Both neighbors come later: else ears would fan out from one corner.
		p, q := c.prev[n], c.next[n]
		dst = c.take(n, dst)
		c.look(p)
		c.look(q)
		left--
		head = p
	}
	return c.force(head, left, dst)
}

func (c *clipper) look(n int32) {
	c.queued[n] = int32(len(c.queue))
	c.queue = append(c.queue, n)
}

// take cuts off node n.
func (c *clipper) take(n int32, dst [][3]int32) [][3]int32 {
	p, q := c.prev[n], c.next[n]
	c.link(p, q)
	c.next[n], c.prev[n] = none, none
	c.corners.count(c.point[n], -1)
	return append(dst, [3]int32{c.point[p], c.point[n], c.point[q]})
}

// isEar reports whether node n turns left and no other node lies in the triangle it makes with its
// neighbors.
func (c *clipper) isEar(n int32) bool {
	p, q := c.prev[n], c.next[n]
	a, b, d := c.at(p), c.at(n), c.at(q)
	if !(predicate.Orient2D(a, b, d) > 0) || !isFinite(a) || !isFinite(b) || !isFinite(d) {
		return false
	}
	looked, empty := c.corners.within(a, b, d, func(o int32) bool {
		c.tests--
		x := c.points[o]
		return x == a || x == b || x == d || predicate.Orient2D(a, b, x) < 0 ||
			predicate.Orient2D(b, d, x) < 0 || predicate.Orient2D(d, a, x) < 0
	})
	c.tests -= looked
	return empty
}

// force cuts off the corner that turns left the most until a triangle is left.
func (c *clipper) force(head int32, left int, dst [][3]int32) [][3]int32 {
	if left <= 2 {
		return dst
	}
	order := make(sharpest, 0, left)
	for n, started := head, false; n != head || !started; n, started = c.next[n], true {
		order = append(order, c.bendAt(n))
	}
	heap.Init(&order)
	for left > 2 {
		k := heap.Pop(&order).(bend)
		p, q := c.prev[k.node], c.next[k.node]
		if q == none || p != k.prev || q != k.next {
			continue // another bend by now, which is in the heap, too
		}
		dst = c.take(k.node, dst)
		heap.Push(&order, c.bendAt(p))
		heap.Push(&order, c.bendAt(q))
		left--
	}
	return dst
}

// bend is the left turn (rad) of a ring at a node between its neighbors.
type bend struct {
	turn             float64
	node, prev, next int32
}

func (c *clipper) bendAt(n int32) bend {
	p, q := c.prev[n], c.next[n]
	a, b, d := c.at(p), c.at(n), c.at(q)
	turn := math.Atan2(b.Sub(a).Cross(d.Sub(b)), b.Sub(a).Dot(d.Sub(b)))
	if math.IsNaN(turn) {
		turn = math.Inf(-1)
	}
	return bend{turn, n, p, q}
}

// sharpest is a heap of bends, that which turns left the most on top.
type sharpest []bend

var _ heap.Interface = (*sharpest)(nil)

func (s sharpest) Len() int      { return len(s) }
func (s sharpest) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *sharpest) Push(x any)   { *s = append(*s, x.(bend)) }

func (s sharpest) Less(i, j int) bool {
	if s[i].turn != s[j].turn {
		return s[i].turn > s[j].turn
	}
	return s[i].node < s[j].node
}

func (s *sharpest) Pop() any {
	last := len(*s) - 1
	x := (*s)[last]
	*s = (*s)[:last]
	return x
}
