package planar

// Obstacles of discs, indexed by position and height.
//
// Method: a bounding volume tree over the segments, sorted along a Z-order curve (G. Morton, 1966), each node with its
// box and the highest of its obstacles. A disc that touches a point grows until something stops it. The tree is walked
// near side first with the largest disc that is still possible; every obstacle found makes it smaller, so that
// obstacles out of its reach are never visited.
//
// Cost: O(n log n) to build; a query costs about log n and the obstacles near the answer.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Obstacle is a segment that may stop a disc.
type Obstacle struct {
	Segment
	Top float64 // mm, height of its top; a disc at this level or above does not touch it
}

// ObstacleField is an index of obstacles among which discs pass along outlines. It is safe for concurrent queries.
type ObstacleField struct {
	hurdles []hurdle // along the curve
	nodes   []fieldNode
	lo, hi  geom.Vec2
}

// hurdle is a segment that may stop a disc.
type hurdle struct {
	Segment
	tangent        geom.Vec2 // of a segment
	length, radius float64
	top            float64
	id             int32 // index among the given obstacles
}

// fieldNode covers hurdles first to first + count; where count is more than leafSize, the node of the first
// half follows it, and after all below that the node of the second.
type fieldNode struct {
	lo, hi       geom.Vec2
	top          float64
	first, count int32
	next         int32 // the node that follows all below this one
}

const leafSize = 4

// NewField enters obstacles, which are known by their order.
func NewField(obstacles []Obstacle) *ObstacleField {
	f := &ObstacleField{hurdles: make([]hurdle, len(obstacles))}
	boxes := make([][2]geom.Vec2, len(obstacles))
	f.lo = geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}
	f.hi = f.lo.Scale(-1)
	for i := range obstacles {
		boxes[i][0], boxes[i][1] = bounds([]Segment{obstacles[i].Segment})
		f.lo, f.hi = lower(f.lo, boxes[i][0]), upper(f.hi, boxes[i][1])
	}
	if len(obstacles) == 0 {
		return f
	}
	size := f.hi.Sub(f.lo)
	keys := make([]uint64, len(obstacles))
	for i := range keys {
		m := boxes[i][0].Add(boxes[i][1]).Scale(0.5).Sub(f.lo)
		keys[i] = (spread16(m.X/size.X)|spread16(m.Y/size.Y)<<1)<<32 | uint64(i)
	}
	slices.Sort(keys)
	for k, key := range keys {
		f.hurdles[k] = newHurdle(&obstacles[uint32(key)], int32(uint32(key)))
	}
	f.nodes = make([]fieldNode, 0, len(obstacles))
	f.build(0, len(keys), func(k int) [2]geom.Vec2 { return boxes[f.hurdles[k].id] })
	return f
}

// spread16 returns the 16 bits of a share in [0, 1], each followed by a 0.
func spread16(share float64) uint64 {
	if !(share > 0) { // and where the whole is nothing
		return 0
	}
	x := uint64(min(share, 1) * 0xffff)
	x = (x | x<<8) & 0x00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f
	x = (x | x<<2) & 0x33333333
	return (x | x<<1) & 0x55555555
}

func newHurdle(o *Obstacle, id int32) hurdle {
	h := hurdle{Segment: o.Segment, length: o.Length(), radius: o.Radius(), top: o.Top, id: id}
	if h.Turn == 0 {
		h.tangent = h.Tangent(0)
	}
	return h
}

// build builds the node of the hurdles from first up to end, and the nodes below it.
func (f *ObstacleField) build(first, end int, box func(k int) [2]geom.Vec2) {
	at := len(f.nodes)
	f.nodes = append(f.nodes, fieldNode{})
	n := fieldNode{first: int32(first), count: int32(end - first), top: math.Inf(-1)}
	n.lo = geom.Vec2{X: math.Inf(1), Y: math.Inf(1)}
	n.hi = n.lo.Scale(-1)
	if end-first <= leafSize {
		for k := first; k < end; k++ {
			b := box(k)
			n.lo, n.hi, n.top = lower(n.lo, b[0]), upper(n.hi, b[1]), max(n.top, f.hurdles[k].top)
		}
	} else {
		for _, half := range [2][2]int{{first, (first + end) / 2}, {(first + end) / 2, end}} {
			child := len(f.nodes)
			f.build(half[0], half[1], box)
			c := &f.nodes[child]
			n.lo, n.hi, n.top = lower(n.lo, c.lo), upper(n.hi, c.hi), max(n.top, c.top)
		}
	}
	n.next = int32(len(f.nodes))
	f.nodes[at] = n
}

func lower(a, b geom.Vec2) geom.Vec2 { return geom.Vec2{X: min(a.X, b.X), Y: min(a.Y, b.Y)} }
func upper(a, b geom.Vec2) geom.Vec2 { return geom.Vec2{X: max(a.X, b.X), Y: max(a.Y, b.Y)} }

// boxDistance2 returns the square of the distance of p from a box.
func boxDistance2(p, lo, hi geom.Vec2) float64 {
	x := max(lo.X-p.X, 0, p.X-hi.X)
	y := max(lo.Y-p.Y, 0, p.Y-hi.Y)
	return x*x + y*y
}

// ObstacleFilter selects the obstacles that count, and the discs.
type ObstacleFilter struct {
	Level  float64          // mm; only higher obstacles count
	Accept func(i int) bool // selects obstacles; nil: all
	Flush  float64          // mm: obstacles no further than this in front of an outline do not count
	Widest float64          // mm, diameter: wider discs count as unlimited
	Shut   []Segment        // stretches of the outline without space in front

	// Rank orders obstacles that limit discs equally, numbered as Clearance.Nearest: the highest is named; nil: the
	// first.
	Rank func(i int) float64
}

// alike (mm) is the largest difference of two discs with equal limits.
const alike = 1e-4

// outranks reports whether one of two things that limit discs equally is to be named in place of the other.
func (a *ObstacleFilter) outranks(i, other int) bool {
	return a.Rank != nil && i != other && i != -1 && (other == -1 || a.Rank(i) > a.Rank(other))
}

// touch returns the radius of the largest disc that touches p with its center along the unit vector n, no larger than
// most, and the obstacle that it then touches: by, unchanged, if no obstacle makes it smaller.
func (f *ObstacleField) touch(p, n geom.Vec2, a *ObstacleFilter, most float64, by int32) (float64, int32) {
	var stack [64]int32
	depth := 0
	if len(f.nodes) > 0 {
		stack[0], depth = 0, 1
	}
	for depth > 0 {
		depth--
		at := stack[depth]
		c := &f.nodes[at]
		if !(c.top > a.Level) || !meetsDisc(p, n, most, c.lo, c.hi) {
			continue
		}
		if c.count > leafSize {
			near, far := at+1, f.nodes[at+1].next
			l, r := &f.nodes[near], &f.nodes[far]
			if boxDistance2(p, r.lo, r.hi) < boxDistance2(p, l.lo, l.hi) {
				near, far = far, near
			}
			stack[depth], stack[depth+1] = far, near
			depth += 2
			continue
		}
		for k := c.first; k < c.first+c.count; k++ {
			h := &f.hurdles[k]
			if !(h.top > a.Level) {
				continue
			}
			d := h.tangentRadius(p, n, a.Flush)
			if !(d < most || d == most && h.id < by || a.Rank != nil && d <= most+alike) ||
				a.Accept != nil && !a.Accept(int(h.id)) {
				continue
			}
			if by == -1 || a.Rank == nil || d < most-alike || a.outranks(int(h.id), int(by)) {
				by = h.id
			}
			most = min(most, d)
		}
	}
	return most, by
}

// meetsDisc reports whether a box meets the disc of a radius that touches p with its center along n.
func meetsDisc(p, n geom.Vec2, radius float64, lo, hi geom.Vec2) bool {
	reach := radius + margin
	return boxDistance2(addScaled(p, radius, n), lo, hi) <= reach*reach
}

// within calls visit for the selected obstacles whose box may meet a window, in the order of the tree.
func (f *ObstacleField) within(lo, hi geom.Vec2, a *ObstacleFilter, visit func(h *hurdle)) {
	for at := 0; at < len(f.nodes); {
		c := &f.nodes[at]
		isNear := c.top > a.Level && c.lo.X <= hi.X && c.hi.X >= lo.X && c.lo.Y <= hi.Y && c.hi.Y >= lo.Y
		switch {
		case isNear && c.count > leafSize:
			at++
			continue
		case isNear:
			for k := c.first; k < c.first+c.count; k++ {
				h := &f.hurdles[k]
				if h.top > a.Level && (a.Accept == nil || a.Accept(int(h.id))) {
					visit(h)
				}
			}
		}
		at = int(c.next)
	}
}
