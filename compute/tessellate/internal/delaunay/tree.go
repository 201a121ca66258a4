package delaunay

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// tree finds the active points in a triangle, or the active point nearest to a position.
//
// Method: a packed tree of boxes over the points in the order of a Hilbert curve (Kamel and Faloutsos 1994), two
// branches a node, with the number of active points below each. Boxes without active points and boxes beyond a side of
// the triangle are skipped, the latter with a margin above rounding. So no point is missed, and found points need an
// exact test. Points with non-finite coordinates are never found.
type tree struct {
	points []geom.Vec2
	order  []int32    // points along the curve
	place  []int32    // of each point in the order; none: not finite
	alive  []int32    // per point: how often it lives
	nodes  []treeNode // node 1 is the root, 2k and 2k+1 are below node k
	leaves int        // number of leaves, the last nodes
	stack  []int32
	front  []neighbor
}

// treeNode is the box of the points below it and the number of active ones.
type treeNode struct {
	lo, hi geom.Vec2
	alive  int32
}

// leaf is the number of points in a leaf.
const leaf = 4

// set builds the tree; no point is alive.
func (t *tree) set(points []geom.Vec2) {
	t.points, t.place, t.alive = points, make([]int32, len(points)), make([]int32, len(points))
	lo, hi := extent(points)
	scale := hilbertMask / max(hi.X-lo.X, hi.Y-lo.Y, math.SmallestNonzeroFloat64)
	keys := make([]uint64, 0, len(points))
	for i, p := range points {
		t.place[i] = none
		if isFinite(p) {
			x, y := index((p.X-lo.X)*scale, hilbertMask), index((p.Y-lo.Y)*scale, hilbertMask)
			keys = append(keys, uint64(hilbert(uint32(x), uint32(y)))<<32|uint64(i))
		}
	}
	slices.Sort(keys)
	t.order = make([]int32, len(keys))
	for i, k := range keys {
		t.order[i] = int32(uint32(k))
		t.place[t.order[i]] = int32(i)
	}
	t.leaves = 1
	for t.leaves*leaf < len(keys) {
		t.leaves *= 2
	}
	t.nodes = make([]treeNode, 2*t.leaves)
	inf := math.Inf(1)
	for k := len(t.nodes) - 1; k > 0; k-- {
		n := &t.nodes[k]
		n.lo, n.hi = geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}
		if k < t.leaves {
			a, b := &t.nodes[2*k], &t.nodes[2*k+1]
			n.grow(a.lo, a.hi)
			n.grow(b.lo, b.hi)
			continue
		}
		for _, p := range t.leaf(k) {
			n.grow(points[p], points[p])
		}
	}
}

func (n *treeNode) grow(lo, hi geom.Vec2) {
	n.lo.X, n.lo.Y = min(n.lo.X, lo.X), min(n.lo.Y, lo.Y)
	n.hi.X, n.hi.Y = max(n.hi.X, hi.X), max(n.hi.Y, hi.Y)
}

// leaf returns the points of leaf node k.
func (t *tree) leaf(k int) []int32 {
	first := min((k-t.leaves)*leaf, len(t.order))
	return t.order[first:min(first+leaf, len(t.order))]
}

// count adds n to the number of living points at point p: several nodes may lie there.
func (t *tree) count(p, n int32) {
	if t.place[p] == none {
		return
	}
	t.alive[p] += n
	for k := t.leaves + int(t.place[p])/leaf; k > 0; k /= 2 {
		t.nodes[k].alive += n
	}
}

// within calls visit for the active points of the boxes that triangle a, b, c meets until visit returns false. It
// returns the number of boxes examined and the last result of visit.
func (t *tree) within(a, b, c geom.Vec2, visit func(p int32) bool) (looked int, all bool) {
	var whole treeNode
	whole.lo, whole.hi = a, a
	whole.grow(b, b)
	whole.grow(c, c)
	t.stack = append(t.stack[:0], 1)
	for len(t.stack) > 0 {
		k := t.stack[len(t.stack)-1]
		t.stack = t.stack[:len(t.stack)-1]
		n := &t.nodes[k]
		looked++
		if n.alive == 0 || n.hi.X < whole.lo.X || n.lo.X > whole.hi.X || n.hi.Y < whole.lo.Y ||
			n.lo.Y > whole.hi.Y || n.rightOf(a, b) || n.rightOf(b, c) || n.rightOf(c, a) {
			continue
		}
		if int(k) < t.leaves {
			t.stack = append(t.stack, 2*k, 2*k+1)
			continue
		}
		for _, p := range t.leaf(int(k)) {
			if t.alive[p] > 0 && !visit(p) {
				return looked, false
			}
		}
	}
	return looked, true
}

// rightOf reports whether the box is surely on the right of the line from a to b.
func (n *treeNode) rightOf(a, b geom.Vec2) bool {
	d := b.Sub(a)
	corner := geom.Vec2{X: n.lo.X, Y: n.lo.Y} // the one farthest to the left
	if d.X > 0 {
		corner.Y = n.hi.Y
	}
	if d.Y < 0 {
		corner.X = n.hi.X
	}
	r := corner.Sub(a)
	left, right := d.X*r.Y, d.Y*r.X
	const rounding = 1e-15 // of the products: four roundings of half a unit in the last place each
	return left-right < -rounding*(math.Abs(left)+math.Abs(right))
}

// neighbor is a point of a tree, or a node below which some are, and the square of how near it is.
type neighbor struct {
	dist2 float64
	point int32 // none: a node
	node  int32
}

func (a neighbor) before(b neighbor) bool {
	if a.dist2 != b.dist2 {
		return a.dist2 < b.dist2
	}
	if a.point != b.point {
		return a.point < b.point
	}
	return a.node < b.node
}

// nearest calls visit for the living points in the order of their distance from p until visit returns false
// (Hjaltason and Samet 1999).
func (t *tree) nearest(p geom.Vec2, visit func(point int32) bool) {
	t.front = t.front[:0]
	t.offer(p, 1)
	for len(t.front) > 0 {
		n := t.pop()
		switch {
		case n.point != none:
			if !visit(n.point) {
				return
			}
		case int(n.node) < t.leaves:
			t.offer(p, 2*n.node)
			t.offer(p, 2*n.node+1)
		default:
			for _, q := range t.leaf(int(n.node)) {
				if t.alive[q] > 0 {
					t.push(neighbor{t.points[q].Sub(p).Norm2(), q, none})
				}
			}
		}
	}
}

// offer puts node k at the front if any point below it is alive.
func (t *tree) offer(p geom.Vec2, k int32) {
	n := &t.nodes[k]
	if n.alive == 0 {
		return
	}
	d := geom.Vec2{X: max(0, n.lo.X-p.X, p.X-n.hi.X), Y: max(0, n.lo.Y-p.Y, p.Y-n.hi.Y)}
	t.push(neighbor{d.Norm2(), none, k})
}

// push puts a neighbor on the heap.
func (t *tree) push(x neighbor) {
	t.front = append(t.front, x)
	for i := len(t.front) - 1; i > 0; {
		up := (i - 1) / 2
		if !t.front[i].before(t.front[up]) {
			return
		}
		t.front[i], t.front[up] = t.front[up], t.front[i]
		i = up
	}
}

// pop takes the nearest neighbor off the heap.
func (t *tree) pop() neighbor {
	top, last := t.front[0], len(t.front)-1
	t.front[0] = t.front[last]
	t.front = t.front[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return top
		}
		if child+1 < last && t.front[child+1].before(t.front[child]) {
			child++
		}
		if !t.front[child].before(t.front[i]) {
			return top
		}
		t.front[i], t.front[child] = t.front[child], t.front[i]
		i = child
	}
}
