// Package bvh builds the bounding volume hierarchy that rays traverse on a graphics device: a binary tree over a
// triangle mesh, traversed without a stack.
package bvh

// Method: top-down build with binned surface-area heuristic (I. Wald, "On fast construction of
// SAH-based bounding volume hierarchies", IEEE RT 2007) along all three axes; subtrees of a
// large mesh are built in parallel into disjoint slots and compacted afterward, so the tree does
// not depend on the number of threads. Nodes lie in depth-first order and carry the index of the
// node after their subtree ("skip pointer", B. Smits, "Efficiency issues for ray tracing", 1998):
// a node that is missed is left by one jump, and no traversal needs a stack. Below a depth that no sound mesh comes
// near, nodes are halved.
//
// Cost: O(n log n) to build, 12 bytes per triangle and 32 per node, some n/2 nodes.
// Limits: 2^27 triangles, coordinates up to 10^15 mm.

import (
	"fmt"
	"math"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	binCount     = 16   // SAH bins on the split axis; more changes the cost by under 1 %
	leafTarget   = 2    // a leaf of up to this many triangles is cheaper than any split
	leafMax      = 15   // maximum of leafBits
	leafBits     = 4    // low bits of node.leaf
	parallelSize = 4096 // below this many triangles a goroutine costs more than it saves
	maxTriangles = 1 << 27

	// maxCoordinate (mm) keeps box areas in float32 range.
	maxCoordinate = 1e15

	// boxPad widens the boxes by this share of the scene's diagonal: by more than float32 rounds the corners.
	boxPad = 1.0 / (1 << 18)

	// deepest is the depth from which nodes are halved: the build takes at most O(n·(deepest + log n)) for any mesh.
	deepest = 36
)

var inf32 = float32(math.Inf(1))

// Node covers a subtree. The nodes of the subtree follow it, its first child immediately. 32 bytes.
type Node struct {
	Lo, Hi [3]float32 // mm, about the tree's middle
	Skip   int32      // index of the node after the subtree
	Leaf   uint32     // first triangle << 4 | count for a leaf, 0 for an inner node
}

// Tree is a hierarchy over a fixed set of triangles. It is immutable and safe for concurrent use.
type Tree struct {
	nodes  []Node
	tris   [][3]int32 // in leaf order
	middle geom.Vec3
}

// prim is a triangle while the tree is built.
type prim struct {
	lo, hi [3]float32
	id     int32
}

// New builds the tree with up to threads goroutines. It refuses points that are not finite or
// farther than 10^15 mm out, and triangles that name missing points; degenerate triangles are accepted.
func New(points []geom.Vec3, triangles [][3]int32, threads int) (*Tree, error) {
	if len(triangles) >= maxTriangles {
		return nil, fmt.Errorf("ray casting: %d triangles, at most %d are supported", len(triangles), maxTriangles)
	}
	box := geom.EmptyBox()
	for i, p := range points {
		if !(max(math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z)) <= maxCoordinate) {
			return nil, fmt.Errorf("ray casting: point %d is at (%g, %g, %g) mm", i, p.X, p.Y, p.Z)
		}
		box = box.Add(p)
	}
	for i, t := range triangles {
		for _, k := range t {
			if k < 0 || int(k) >= len(points) {
				return nil, fmt.Errorf("ray casting: triangle %d names point %d of %d", i, k, len(points))
			}
		}
	}
	t := &Tree{}
	if len(triangles) == 0 {
		return t, nil
	}
	t.middle = box.Center()
	near := make([][3]float32, len(points))
	for i, p := range points {
		q := p.Sub(t.middle)
		near[i] = [3]float32{float32(q.X), float32(q.Y), float32(q.Z)}
	}
	t.build(near, triangles, float32(boxPad*box.Diagonal()), threads)
	return t, nil
}

// Nodes returns the nodes in depth-first order. Callers must not change this result or those of the methods below.
func (t *Tree) Nodes() []Node { return t.nodes }

// Triangles returns the corners of the triangles in the order in which the leaves number them.
func (t *Tree) Triangles() [][3]int32 { return t.tris }

// Middle returns the reference point of the boxes (mm).
func (t *Tree) Middle() geom.Vec3 { return t.middle }

// build makes the nodes over points about the middle, with boxes widened by pad (mm).
func (t *Tree) build(points [][3]float32, triangles [][3]int32, pad float32, threads int) {
	prims := make([]prim, len(triangles))
	for i, k := range triangles {
		p := &prims[i]
		p.id, p.lo, p.hi = int32(i), points[k[0]], points[k[0]]
		for _, v := range k[1:] {
			for a, x := range points[v] {
				p.lo[a], p.hi[a] = min(p.lo[a], x), max(p.hi[a], x)
			}
		}
	}
	w := builder{prims: prims, nodes: make([]Node, 2*len(prims)), slots: make(chan struct{}, max(threads-1, 0))}
	w.subtree(0, len(prims), 0, 0)
	t.nodes = w.compact()
	t.tris = make([][3]int32, len(prims))
	for i := range prims {
		t.tris[i] = triangles[prims[i].id]
	}
	for i := range t.nodes {
		for k := range 3 {
			t.nodes[i].Lo[k] -= pad
			t.nodes[i].Hi[k] += pad
		}
	}
}

// builder is the state of one build. The subtree over prims[lo:hi] uses node slots from 2·lo on, at most 2·(hi−lo)−1 of
// them, so subtrees never share a slot.
type builder struct {
	prims []prim
	nodes []Node
	slots chan struct{} // one token per extra goroutine
}

// subtree builds the node at slot over prims[lo:hi]. An inner node keeps the slot of its second child in Leaf until
// compact runs; until then Skip is -1 for inner nodes and 0 for leaves.
func (w *builder) subtree(lo, hi, slot, depth int) {
	n := &w.nodes[slot]
	n.Lo, n.Hi = bounds(w.prims[lo:hi])
	mid := lo
	switch {
	case hi-lo > leafTarget && depth >= deepest:
		mid = lo + (hi-lo)/2
	case hi-lo > leafTarget:
		mid = w.split(lo, hi, n)
	}
	if mid == lo {
		n.Leaf = uint32(lo)<<leafBits | uint32(hi-lo)
		return
	}
	second := slot + 2*(mid-lo)
	n.Skip, n.Leaf = -1, uint32(second)
	if hi-lo > parallelSize {
		select {
		case w.slots <- struct{}{}:
			var wg sync.WaitGroup
			wg.Go(func() { w.subtree(lo, mid, slot+1, depth+1); <-w.slots })
			w.subtree(mid, hi, second, depth+1)
			wg.Wait()
			return
		default:
		}
	}
	w.subtree(lo, mid, slot+1, depth+1)
	w.subtree(mid, hi, second, depth+1)
}

// split partitions prims[lo:hi] and returns where the second part begins, or lo for a leaf.
func (w *builder) split(lo, hi int, n *Node) int {
	p := w.prims[lo:hi]
	least, spread := centroids(p)
	var axis, at int
	var scale [3]float32
	cost := math.Inf(1)
	for k := range 3 {
		scale[k] = float32(binCount) * (1 - 1e-6) / spread[k] // keeps the last centroid in the last bin
		if !(scale[k] < inf32) {
			continue
		}
		if plane, c := bestPlane(p, k, least[k], scale[k]); c < cost {
			axis, at, cost = k, plane, c
		}
	}
	if math.IsInf(cost, 1) { // all centroids coincide: no plane separates them
		if hi-lo <= leafMax {
			return lo
		}
		return lo + (hi-lo)/2
	}
	area := halfArea(n.Lo, n.Hi)
	// One node visit is taken as dear as one triangle test; both were measured within 20 %.
	if len(p) <= leafMax && float64(len(p)) <= 1+cost/math.Max(area, math.SmallestNonzeroFloat32) {
		return lo
	}
	i, j := 0, len(p)-1
	for i <= j {
		if binOf(&p[i], axis, least[axis], scale[axis]) < at {
			i++
		} else {
			p[i], p[j] = p[j], p[i]
			j--
		}
	}
	return lo + i
}

// centroids returns the least centroid along each axis and how far they spread; coordinates are lo+hi, twice the
// centroid.
func centroids(p []prim) (least, spread [3]float32) {
	lo, hi := [3]float32{inf32, inf32, inf32}, [3]float32{-inf32, -inf32, -inf32}
	for i := range p {
		for k := range 3 {
			c := p[i].lo[k] + p[i].hi[k]
			lo[k], hi[k] = min(lo[k], c), max(hi[k], c)
		}
	}
	for k := range 3 {
		spread[k] = hi[k] - lo[k]
	}
	return lo, spread
}

func binOf(p *prim, axis int, cmin, scale float32) int {
	return min(max(int((p.lo[axis]+p.hi[axis]-cmin)*scale), 0), binCount-1)
}

type bin struct {
	lo, hi [3]float32
	count  int
}

var emptyBin = bin{lo: [3]float32{inf32, inf32, inf32}, hi: [3]float32{-inf32, -inf32, -inf32}}

// bestPlane returns the first bin right of the cheapest split and its cost: the sum over both sides
// of half area times triangle count.
func bestPlane(p []prim, axis int, cmin, scale float32) (at int, cost float64) {
	var bins [binCount]bin
	for i := range bins {
		bins[i] = emptyBin
	}
	for i := range p {
		b := &bins[binOf(&p[i], axis, cmin, scale)]
		b.count++
		for k := range 3 {
			b.lo[k], b.hi[k] = min(b.lo[k], p[i].lo[k]), max(b.hi[k], p[i].hi[k])
		}
	}
	var right [binCount]float64
	acc := emptyBin
	for i := binCount - 1; i > 0; i-- {
		right[i] = acc.merge(&bins[i])
	}
	acc = emptyBin
	cost, at = math.Inf(1), 1
	for i := 1; i < binCount; i++ {
		left := acc.merge(&bins[i-1])
		if acc.count > 0 && acc.count < len(p) && left+right[i] < cost {
			cost, at = left+right[i], i
		}
	}
	return at, cost
}

// merge adds o and returns the cost of the merged bin.
func (b *bin) merge(o *bin) float64 {
	if o.count > 0 {
		b.count += o.count
		for k := range 3 {
			b.lo[k], b.hi[k] = min(b.lo[k], o.lo[k]), max(b.hi[k], o.hi[k])
		}
	}
	if b.count == 0 {
		return 0
	}
	return halfArea(b.lo, b.hi) * float64(b.count)
}

func halfArea(lo, hi [3]float32) float64 {
	x, y, z := float64(hi[0]-lo[0]), float64(hi[1]-lo[1]), float64(hi[2]-lo[2])
	return x*y + y*z + z*x
}

func bounds(p []prim) (lo, hi [3]float32) {
	lo, hi = p[0].lo, p[0].hi
	for i := 1; i < len(p); i++ {
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], p[i].lo[k]), max(hi[k], p[i].hi[k])
		}
	}
	return lo, hi
}

// compact moves the used slots together in depth-first order and sets the skip pointers.
func (w *builder) compact() []Node {
	out := make([]Node, 0, len(w.prims))
	var walk func(slot int)
	walk = func(slot int) {
		at, n := len(out), w.nodes[slot]
		out = append(out, n)
		if n.Skip < 0 {
			walk(slot + 1)
			walk(int(n.Leaf))
			out[at].Leaf = 0
		}
		out[at].Skip = int32(len(out))
	}
	walk(0)
	return out
}
