package tensor

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// LeafGrid is a grid of small cells of a net with bounds for each, to find the cells that can contain the closest point
// to a given one.
//
// Method: every patch is cut until its control polygons turn little (cellTurn), so that a cell is close to flat, and
// the second derivatives on it are bounded. The cells are the leaves of a binary tree that halves the longer side of
// the grid. Every node has the box of its control points, and every cell the slab between two parallel planes that its
// control points fill. Both contain the cell, since weights are positive. Cost: about 1 µs and 100 bytes per cell,
// once; a search visits O(log n) nodes unless many cells are equally near.
type LeafGrid struct {
	u, v  strip
	boxes []box        // of the nodes in preorder: a node of k cells has 2k-1 nodes below and with it
	slabs []slab       // of cell (i, j) at i·(cells in v)+j
	bends []DerivBound // likewise
}

// box and slab take half as many bytes as in float64; rounding makes them larger, never smaller.
type box struct{ lo, hi [3]float32 }

type slab struct {
	n      [3]float32 // about unit, or zero where the cell has no normal
	lo, hi float32    // range of n·P
}

// Cell is a cell with bounds of the lengths of the second derivatives on it.
type Cell struct {
	U, V geom.Interval
	DerivBound
}

// DerivBound bounds |Suu|, |Suv| and |Svv| by the parameters of a cell that run from 0 to 1, in mm.
type DerivBound struct{ UU, UV, VV float32 }

const (
	cellTurn = math.Pi / 8 // rad that the control polygons of a cell may turn
	maxParts = 16          // of a patch along one side: a half circle in one piece needs eight
	maxCells = 1 << 16     // from which patches stay whole, to bound the memory
	// shortLeg is the fraction of a control polygon's length below which the direction of a leg is
	// noise: collapsed control points of a file with 6 digits.
	shortLeg = 1e-6
	// unitError bounds the increase of a unit vector's squared length by rounding to float32.
	unitError = 1e-6
)

// LeafGrid returns the grid, built at the first call.
func (n *Net) LeafGrid() *LeafGrid {
	n.once.Do(func() { n.cells = n.buildCells() })
	return n.cells
}

func (n *Net) buildCells() *LeafGrid {
	u, v := newStrip(n.U, n.U.Domain(), nil), newStrip(n.V, n.V.Domain(), nil)
	partsU, partsV := make([]int, n.U.Pieces()), make([]int, n.V.Pieces())
	q := n.V.Degree() + 1
	n.patches(&u, &v, func(i, j int, net []bspline.Hom) {
		tu, tv := turning(net, q)
		partsU[i] = max(partsU[i], parts(tu))
		partsV[j] = max(partsV[j], parts(tv))
	})
	if sum(partsU)*sum(partsV) <= maxCells {
		u, v = newStrip(n.U, n.U.Domain(), partsU), newStrip(n.V, n.V.Domain(), partsV)
	}
	c := &LeafGrid{u: u, v: v}
	nv := len(v.piece)
	c.slabs = make([]slab, len(u.piece)*nv)
	c.bends = make([]DerivBound, len(c.slabs))
	leaves := make([]geom.Box, len(c.slabs))
	n.patches(&u, &v, func(i, j int, net []bspline.Hom) {
		k := i*nv + j
		leaves[k] = hullOf(net)
		c.slabs[k] = slabOf(net, q)
		c.bends[k] = bend(net, q, &leaves[k])
	})
	c.u.matrix, c.v.matrix = nil, nil
	c.boxes = make([]box, 2*len(leaves)-1)
	c.build(leaves, node{i1: int32(len(u.piece)), j1: int32(nv)})
	return c
}

func parts(turn float64) int { return max(1, min(maxParts, int(math.Ceil(turn/cellTurn)))) }

func sum(n []int) (s int) {
	for _, k := range n {
		s += k
	}
	return s
}

// turning returns bounds (rad) of the turn of the control polygons along u and along v, for a Bézier net with q
// columns. The turn of their chords from one polygon to the next counts too.
func turning(net []bspline.Hom, q int) (u, v float64) {
	p := len(net) / q
	at := func(k int) geom.Vec3 { return net[k].Point() }
	line := func(start, stride, count int) (turn float64, chord geom.Vec3) {
		length := 0.0
		for k := 1; k < count; k++ {
			length += at(start + k*stride).Dist(at(start + (k-1)*stride))
		}
		var last geom.Vec3
		for k := 1; k < count; k++ {
			leg := at(start + k*stride).Sub(at(start + (k-1)*stride))
			if leg.Norm() <= shortLeg*length {
				continue
			}
			if last != (geom.Vec3{}) {
				turn += last.Angle(leg)
			}
			last = leg
		}
		return turn, at(start + (count-1)*stride).Sub(at(start))
	}
	family := func(lines, lineStride, stride, count int) (turn, twist float64) {
		var last geom.Vec3
		for k := range lines {
			t, chord := line(k*lineStride, stride, count)
			turn = max(turn, t)
			if last != (geom.Vec3{}) && chord != (geom.Vec3{}) {
				twist += last.Angle(chord)
			}
			last = chord
		}
		return turn, twist
	}
	tu, twistV := family(q, 1, q, p)
	tv, twistU := family(p, q, 1, q)
	return max(tu, twistU), max(tv, twistV)
}

func hullOf(net []bspline.Hom) geom.Box {
	b := geom.EmptyBox()
	for _, h := range net {
		b = b.Add(h.Point())
	}
	return b
}

// slabOf returns the slab of a Bézier net with q columns across the product of its diagonals.
func slabOf(net []bspline.Hom, q int) (s slab) {
	last := len(net) - 1
	d1 := net[last].Point().Sub(net[0].Point())
	d2 := net[last-q+1].Point().Sub(net[q-1].Point())
	n := d1.Cross(d2).Unit()
	s.n = [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, h := range net {
		d := s.along(h.Point())
		lo, hi = min(lo, d), max(hi, d)
	}
	s.lo, s.hi = below(lo), above(hi)
	return s
}

func (s *slab) along(p geom.Vec3) float64 {
	return float64(s.n[0])*p.X + float64(s.n[1])*p.Y + float64(s.n[2])*p.Z
}

// below and above round to float32 outward, by one step more for the rounding in the computation of x.
func below(x float64) float32 {
	return math.Nextafter32(math.Nextafter32(float32(x), float32(math.Inf(-1))), float32(math.Inf(-1)))
}

func above(x float64) float32 { return -below(-x) }

func round(b *geom.Box) box {
	return box{
		lo: [3]float32{below(b.Min.X), below(b.Min.Y), below(b.Min.Z)},
		hi: [3]float32{above(b.Max.X), above(b.Max.Y), above(b.Max.Z)},
	}
}

// node is a rectangle of cells in the tree.
type node struct {
	near2          float64 // squared distance from the query to the node's box
	at             int32   // its index in boxes
	i0, i1, j0, j1 int32
}

// halves splits a node of more than one cell.
func (t node) halves() (a, b node) {
	a, b = t, t
	if t.i1-t.i0 >= t.j1-t.j0 {
		a.i1 = (t.i0 + t.i1) / 2
		b.i0 = a.i1
	} else {
		a.j1 = (t.j0 + t.j1) / 2
		b.j0 = a.j1
	}
	a.at = t.at + 1
	b.at = a.at + 2*a.count() - 1
	return a, b
}

func (t node) count() int32 { return (t.i1 - t.i0) * (t.j1 - t.j0) }

func (c *LeafGrid) build(leaves []geom.Box, t node) geom.Box {
	var hull geom.Box
	if t.count() == 1 {
		hull = leaves[int(t.i0)*len(c.v.piece)+int(t.j0)]
	} else {
		a, b := t.halves()
		hull = c.build(leaves, a).Union(c.build(leaves, b))
	}
	c.boxes[t.at] = round(&hull)
	return hull
}

// Count returns the number of cells.
func (c *LeafGrid) Count() int { return len(c.slabs) }

// maxDepth is the depth of the tree at the highest number of cells, with reserve for nets with more patches than that.
const maxDepth = 48

// Search visits the cells from near to far; Cells.Search creates it.
type Search struct {
	c     *LeafGrid
	p     geom.Vec3
	n     int
	stack [maxDepth]node
}

// Search starts a search for the cells near p in s.
func (c *LeafGrid) Search(p geom.Vec3, s *Search) {
	s.c, s.p, s.n = c, p, 1
	s.stack[0] = node{i1: int32(len(c.u.piece)), j1: int32(len(c.v.piece)), near2: distance2(&c.boxes[0], p)}
}

// Next returns the next cell that may be nearer to p than the square root of best2 (mm²); ok is false if there are no
// more. Of two boxes the nearer one is tested first. The upper ends of the ranges lie below the knot, so that
// derivatives there belong to the cell's own piece.
func (s *Search) Next(best2 float64) (cell Cell, ok bool) {
	c := s.c
	for s.n > 0 {
		s.n--
		t := s.stack[s.n]
		if t.near2 >= best2 {
			continue
		}
		if t.count() > 1 {
			a, b := t.halves()
			a.near2, b.near2 = distance2(&c.boxes[a.at], s.p), distance2(&c.boxes[b.at], s.p)
			if b.near2 < a.near2 {
				a, b = b, a
			}
			s.stack[s.n], s.stack[s.n+1] = b, a
			s.n += 2
			continue
		}
		k := int(t.i0)*len(c.v.piece) + int(t.j0)
		sl := &c.slabs[k]
		d := sl.along(s.p)
		d = max(0, float64(sl.lo)-d, d-float64(sl.hi))
		if d*d*(1-unitError) < best2 {
			return Cell{c.u.part(int(t.i0)), c.v.part(int(t.j0)), c.bends[k]}, true
		}
	}
	return cell, false
}

// part returns the range of part i, its end below the next part's start.
func (t *strip) part(i int) geom.Interval {
	iv := geom.Interval{Lo: t.bounds[i], Hi: t.bounds[i+1]}
	if i+1 < len(t.piece) {
		iv.Hi = math.Nextafter(iv.Hi, iv.Lo)
	}
	return iv
}

func distance2(b *box, p geom.Vec3) float64 {
	dx := max(0, float64(b.lo[0])-p.X, p.X-float64(b.hi[0]))
	dy := max(0, float64(b.lo[1])-p.Y, p.Y-float64(b.hi[1]))
	dz := max(0, float64(b.lo[2])-p.Z, p.Z-float64(b.hi[2]))
	return dx*dx + dy*dy + dz*dz
}
