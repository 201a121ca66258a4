package tensor

import (
	"math"
	"sync"

	"millwright/core/geom"
	"millwright/core/geom/bspline"
)

// Tree is a net cut into ever smaller cells with bounds for each, to find those that can hold the closest
// point to a given one.
//
// Method: the root is the whole net. A cell of several patches is halved along its longer side into cells
// of whole patches, each with the box of the control points that count on it. A single patch is turned
// into Bézier form and halved by de Casteljau's algorithm (Farin, Curves and Surfaces for CAGD, 5th ed.,
// ch. 5 and 16) as far as searches ask. Every cell has a box, and one of a patch or less a slab between two
// parallel planes, its corners and bounds of its second derivatives, all from its own Bézier points; since
// weights are positive, its points are in the hull of those.
//
// Everything is made at the first search that gets there and kept, so that a net that nobody searches, or
// of which only one corner is looked at, costs little. Cost: (degree+1)³ for the Bézier form of a patch and
// for a halving, once. After mostKept cells, and four for each patch, further halvings are made anew by each
// search, which bounds the memory.
type Tree struct {
	net  *Net
	mu   sync.Mutex // held by Search.Next and Open; guards what is made later
	kept int
	root Cell
}

// Cell is a node of the tree.
type Cell struct {
	U, V           geom.Interval // the upper ends lie below the knot, so that derivatives there are the cell's
	i0, i1, j0, j1 int32         // the patches
	halvings       int32         // of the patch
	box            box
	patch          *Patch        // made later, as what follows
	halves         *[2]Cell      // nil too where they are not kept
	points         []bspline.Hom // Bézier points, dropped when the halves are kept
}

// Patch is what is known of a cell of one patch or less.
type Patch struct {
	Corner [4]geom.Vec3 // at (Lo, Lo), (Hi, Lo), (Lo, Hi), (Hi, Hi)
	Bend
	slab slab
	box  box // of the Bézier points, smaller than that of the control points
}

const (
	mostKept    = 1 << 12 // cells, about 1 kB each for a bicubic net
	mostPatches = 4       // cells kept for each patch beyond that
	// MaxHalvings of a patch: 30 of each side leave 1e-9 of it.
	MaxHalvings = 60
)

// Tree returns the tree, made at the first call.
func (n *Net) Tree() *Tree {
	n.once.Do(func() {
		t := &Tree{net: n}
		t.root.span(n, 0, int32(n.U.Pieces()), 0, int32(n.V.Pieces()))
		n.tree = t
	})
	return n.tree
}

// span fills a cell of the patches i0 … i1 and j0 … j1.
func (c *Cell) span(n *Net, i0, i1, j0, j1 int32) {
	c.i0, c.i1, c.j0, c.j1 = i0, i1, j0, j1
	c.U, c.V = pieces(n.U, i0, i1), pieces(n.V, j0, j1)
	hull := geom.EmptyBox()
	firstU, lastU := n.U.PieceSpan(int(i0))-n.U.Degree(), n.U.PieceSpan(int(i1-1))
	firstV, lastV := n.V.PieceSpan(int(j0))-n.V.Degree(), n.V.PieceSpan(int(j1-1))
	for i := firstU; i <= lastU; i++ {
		for k := i*n.V.Points() + firstV; k <= i*n.V.Points()+lastV; k++ {
			hull = hull.Add(n.point(k))
		}
	}
	c.box = round(&hull)
}

// point returns control point k.
func (n *Net) point(k int) geom.Vec3 {
	if n.hom != nil {
		return n.hom[k].Point()
	}
	return n.poly[k]
}

// pieces returns the range of the pieces from first to before last, its end below the next piece.
func pieces(k *bspline.Knots, first, last int32) geom.Interval {
	iv := geom.Interval{Lo: k.Breaks()[first], Hi: k.Breaks()[last]}
	if int(last) < k.Pieces() {
		iv.Hi = math.Nextafter(iv.Hi, iv.Lo)
	}
	return iv
}

// IsSmall reports whether a cell is less than a sixteenth of each side of a patch, so that what cannot be
// told from it is hardly to be told from its halves.
func (c *Cell) IsSmall() bool { return c.halvings >= 8 }

func (c *Cell) isPatch() bool { return c.i1-c.i0 == 1 && c.j1-c.j0 == 1 }

// detail returns the patch of a cell.
func (t *Tree) detail(c *Cell) *Patch {
	if c.patch != nil {
		return c.patch
	}
	if c.points == nil {
		c.points = t.net.Bezier(int(c.i0), int(c.j0))
	}
	c.patch = measure(c.points, t.net.V.Degree()+1, t.net.hom != nil)
	return c.patch
}

// measure returns what the Bézier points with q columns say of a cell.
func measure(points []bspline.Hom, q int, isRational bool) *Patch {
	last := len(points) - 1
	hull := hullOf(points)
	p := &Patch{
		Corner: [4]geom.Vec3{
			points[0].Point(), points[last-q+1].Point(), points[q-1].Point(), points[last].Point(),
		},
		slab: slabOf(points, q),
		box:  round(&hull),
	}
	p.Bend = bend(points, q, &hull, isRational)
	return p
}

// open returns the halves of a cell, or nil if it cannot be halved any more.
func (t *Tree) open(c *Cell) *[2]Cell {
	if c.halves != nil {
		return c.halves
	}
	h := new([2]Cell)
	if c.isPatch() {
		if c.halvings >= MaxHalvings || !t.halve(c, h) {
			return nil
		}
	} else {
		a, b := [4]int32{c.i0, c.i1, c.j0, c.j1}, [4]int32{c.i0, c.i1, c.j0, c.j1}
		if c.i1-c.i0 >= c.j1-c.j0 {
			a[1] = (c.i0 + c.i1) / 2
			b[0] = a[1]
		} else {
			a[3] = (c.j0 + c.j1) / 2
			b[2] = a[3]
		}
		h[0].span(t.net, a[0], a[1], a[2], a[3])
		h[1].span(t.net, b[0], b[1], b[2], b[3])
	}
	if n := t.net; t.kept < mostKept+mostPatches*n.U.Pieces()*n.V.Pieces() {
		t.kept += len(h)
		c.halves = h
		c.points = nil
	}
	return h
}

// halve cuts a cell of one patch across the side along which it is longer or bends more; false if its
// parameters cannot be halved.
func (t *Tree) halve(c *Cell, h *[2]Cell) bool {
	a, b := &h[0], &h[1]
	for k := range h {
		h[k].U, h[k].V = c.U, c.V
		h[k].i0, h[k].i1, h[k].j0, h[k].j1, h[k].halvings = c.i0, c.i1, c.j0, c.j1, c.halvings+1
	}
	d := t.detail(c)
	q := t.net.V.Degree() + 1
	p := len(c.points) / q
	points := make([]bspline.Hom, 2*len(c.points))
	a.points, b.points = points[:len(c.points):len(c.points)], points[len(c.points):]
	copy(b.points, c.points)
	lengthU, lengthV := d.Corner[1].Dist(d.Corner[0]), d.Corner[2].Dist(d.Corner[0])
	if max(d.UU.Most, lengthU) >= max(d.VV.Most, lengthV) {
		mid := c.U.Mid()
		a.U.Hi, b.U.Lo = mid, mid
		for j := range q {
			halveLine(a.points[j:], b.points[j:], q, p)
		}
	} else {
		mid := c.V.Mid()
		a.V.Hi, b.V.Lo = mid, mid
		for i := range p {
			halveLine(a.points[i*q:], b.points[i*q:], 1, q)
		}
	}
	for k := range h {
		hull := hullOf(h[k].points)
		h[k].box = round(&hull)
	}
	return a.U.Length() > 0 && b.U.Length() > 0 && a.V.Length() > 0 && b.V.Length() > 0
}

// halveLine halves the control polygon in b, count points a stride apart: the first half goes to a, the
// second stays in b.
func halveLine(a, b []bspline.Hom, stride, count int) {
	for step := range count {
		a[step*stride] = b[0]
		for r := 0; r < count-1-step; r++ {
			x, y := b[r*stride], b[(r+1)*stride]
			b[r*stride] = bspline.Hom{
				X: 0.5 * (x.X + y.X), Y: 0.5 * (x.Y + y.Y), Z: 0.5 * (x.Z + y.Z), W: 0.5 * (x.W + y.W),
			}
		}
	}
}

// Bezier returns the Bézier points of the patch on piece i of u and piece j of v, row by row; all weights are 1 in
// a polynomial net.
func (n *Net) Bezier(i, j int) []bspline.Hom {
	p, q := n.U.Degree()+1, n.V.Degree()+1
	mu, mv := make([]float64, p*p+q*q), []float64(nil)
	mu, mv = mu[:p*p], mu[p*p:]
	n.U.Extraction(i, mu)
	n.V.Extraction(j, mv)
	first := (n.U.PieceSpan(i)-p+1)*n.V.Points() + n.V.PieceSpan(j) - q + 1
	points := make([]bspline.Hom, p*q)
	rows := make([]bspline.Hom, p*q) // Bézier in v, still B-spline in u
	for r := range p {
		for b := range q {
			var h bspline.Hom
			for c, w := range mv[b*q:][:q] {
				if w != 0 {
					h = h.AddScaled(w, n.control(first+r*n.V.Points()+c))
				}
			}
			rows[r*q+b] = h
		}
	}
	for a := range p {
		for r, w := range mu[a*p:][:p] {
			if w == 0 {
				continue
			}
			for b := range q {
				points[a*q+b] = points[a*q+b].AddScaled(w, rows[r*q+b])
			}
		}
	}
	return points
}

// maxStack holds a search: one half waits for each level of patches and of halvings.
const maxStack = 128

// Search walks the cells from near to far; it is made by Tree.Search.
type Search struct {
	t     *Tree
	p     geom.Vec3
	n     int
	stack [maxStack]waiting
}

type waiting struct {
	cell  *Cell
	near2 float64 // squared distance from the query to the cell's box
}

// Search starts a search for the cells near p in s.
func (t *Tree) Search(p geom.Vec3, s *Search) {
	s.t, s.p, s.n = t, p, 1
	s.stack[0] = waiting{&t.root, distance2(&t.root.box, p)}
}

// Next returns the next cell, of one patch or less, that may come nearer to p than the square root of best2
// (mm²); nil when there is none left. Of two boxes the nearer one is looked at first.
func (s *Search) Next(best2 float64) (*Cell, *Patch) {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	for s.n > 0 {
		s.n--
		w := s.stack[s.n]
		if w.near2 >= best2 {
			continue
		}
		if !w.cell.isPatch() {
			s.open(w.cell)
			continue
		}
		d := s.t.detail(w.cell)
		h := d.slab.along(s.p)
		h = max(0, float64(d.slab.lo)-h, h-float64(d.slab.hi))
		if h*h*(1-unitError) < best2 && (w.cell.halvings > 0 || distance2(&d.box, s.p) < best2) {
			return w.cell, d
		}
	}
	return nil, nil
}

// Open puts the halves of a cell that Next returned back into the search; false if it cannot be halved.
func (s *Search) Open(c *Cell) bool {
	s.t.mu.Lock()
	defer s.t.mu.Unlock()
	return s.open(c)
}

func (s *Search) open(c *Cell) bool {
	h := s.t.open(c)
	if h == nil || s.n+2 > maxStack {
		return false
	}
	a, b := &h[0], &h[1]
	na, nb := distance2(&a.box, s.p), distance2(&b.box, s.p)
	if nb < na {
		a, b, na, nb = b, a, nb, na
	}
	s.stack[s.n], s.stack[s.n+1] = waiting{b, nb}, waiting{a, na}
	s.n += 2
	return true
}
