package facets

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// The closest point of many triangles.
//
// Method: a tree of boxes, split at the median of the centers along the longest side, searched nearest box
// first; the closest point of one triangle by the regions of its corners and sides (C. Ericson, Real-Time
// Collision Detection, 2005, 5.1.5). Cost: O(n log n) to build, at the first question; O(log n) for a
// point near the surface. Of several triangles at the same distance the first one found counts, which is
// the same for the same surface and point.

// leafSize is the number of triangles that the search tests one by one.
const leafSize = 8

type tree struct {
	order []int32
	nodes []node
}

// node is a box with two children, or with the triangles order[first:first+count].
type node struct {
	box          geom.Box
	first, count int32
	right        int32 // the left child follows its parent
}

func (s *Surface) buildTree() {
	n := len(s.triangles)
	s.tree.order = make([]int32, n)
	centers := make([]geom.Vec3, n)
	for i := range s.triangles {
		s.tree.order[i] = int32(i)
		a, b, c := s.corners(i)
		centers[i] = a.Add(b).Add(c)
	}
	s.split(centers, 0, n)
}

// split makes the node of order[lo:hi] and everything below it.
func (s *Surface) split(centers []geom.Vec3, lo, hi int) {
	t := &s.tree
	id := len(t.nodes)
	t.nodes = append(t.nodes, node{box: geom.EmptyBox(), first: int32(lo), count: int32(hi - lo)})
	box, spread := geom.EmptyBox(), geom.EmptyBox()
	for _, i := range t.order[lo:hi] {
		a, b, c := s.corners(int(i))
		box = box.Add(a).Add(b).Add(c)
		spread = spread.Add(centers[i])
	}
	t.nodes[id].box = box
	if hi-lo <= leafSize {
		return
	}
	size := spread.Size()
	axis := func(p geom.Vec3) float64 { return p.X }
	if size.Y > size.X && size.Y >= size.Z {
		axis = func(p geom.Vec3) float64 { return p.Y }
	} else if size.Z > size.X {
		axis = func(p geom.Vec3) float64 { return p.Z }
	}
	slices.SortFunc(t.order[lo:hi], func(i, j int32) int {
		return cmp.Or(cmp.Compare(axis(centers[i]), axis(centers[j])), cmp.Compare(i, j))
	})
	mid := (lo + hi) / 2
	t.nodes[id].count = 0
	s.split(centers, lo, mid)
	t.nodes[id].right = int32(len(t.nodes))
	s.split(centers, mid, hi)
}

// search is the state of one query.
type search struct {
	*Surface
	p     geom.Vec3
	best  int
	x, y  float64
	dist2 float64
}

// closest returns the parameters of the closest point to p and its distance; first, when it is a
// triangle, is looked at before all others.
func (s *Surface) closest(p geom.Vec3, first int) (uv geom.Vec2, dist float64) {
	s.once.Do(s.buildTree)
	q := search{Surface: s, p: p, dist2: math.Inf(1)}
	if first >= 0 {
		q.try(first)
	}
	q.visit(0)
	return geom.Vec2{X: stride*float64(q.best) + q.x, Y: q.y}, math.Sqrt(q.dist2)
}

func (q *search) visit(id int) {
	n := &q.tree.nodes[id]
	if n.count > 0 {
		for _, i := range q.tree.order[n.first : n.first+n.count] {
			q.try(int(i))
		}
		return
	}
	near, far := id+1, int(n.right)
	dNear, dFar := distance2(&q.tree.nodes[near].box, q.p), distance2(&q.tree.nodes[far].box, q.p)
	if dFar < dNear {
		near, far, dNear, dFar = far, near, dFar, dNear
	}
	if dNear < q.dist2 {
		q.visit(near)
	}
	if dFar < q.dist2 {
		q.visit(far)
	}
}

// distance2 is the squared distance of p from a box.
func distance2(b *geom.Box, p geom.Vec3) float64 {
	x := max(b.Min.X-p.X, 0, p.X-b.Max.X)
	y := max(b.Min.Y-p.Y, 0, p.Y-b.Max.Y)
	z := max(b.Min.Z-p.Z, 0, p.Z-b.Max.Z)
	return x*x + y*y + z*z
}

func (q *search) try(i int) {
	a, b, c := q.corners(i)
	x, y := closestIn(q.p, a, b, c)
	if d := a.AddScaled(x, b.Sub(a)).AddScaled(y, c.Sub(a)).Dist2(q.p); d < q.dist2 {
		q.best, q.x, q.y, q.dist2 = i, x, y, d
	}
}

// closestIn returns the coordinates of the point of a triangle that is closest to p.
func closestIn(p, a, b, c geom.Vec3) (x, y float64) {
	ab, ac, ap := b.Sub(a), c.Sub(a), p.Sub(a)
	d1, d2 := ab.Dot(ap), ac.Dot(ap)
	if d1 <= 0 && d2 <= 0 {
		return 0, 0
	}
	bp := p.Sub(b)
	d3, d4 := ab.Dot(bp), ac.Dot(bp)
	if d3 >= 0 && d4 <= d3 {
		return 1, 0
	}
	vc := d1*d4 - d3*d2
	if vc <= 0 && d1 >= 0 && d3 <= 0 {
		return d1 / (d1 - d3), 0
	}
	cp := p.Sub(c)
	d5, d6 := ab.Dot(cp), ac.Dot(cp)
	if d6 >= 0 && d5 <= d6 {
		return 0, 1
	}
	vb := d5*d2 - d1*d6
	if vb <= 0 && d2 >= 0 && d6 <= 0 {
		return 0, d2 / (d2 - d6)
	}
	va := d3*d6 - d5*d4
	if va <= 0 && d4 >= d3 && d5 >= d6 {
		w := (d4 - d3) / ((d4 - d3) + (d5 - d6))
		return 1 - w, w
	}
	sum := va + vb + vc
	return vb / sum, vc / sum
}
