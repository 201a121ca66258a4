package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/internal/tensor"
)

// Closest point of a whole B-spline surface, by branch and bound.
//
// Method: package tensor gives the cells that can contain the closest point, nearest first, with bounds of the second
// derivatives. On a cell where Suu and Svv are at most a and b by its own parameters from 0 to 1, the surface stays
// within (a + b)/8 of the bilinear patch of its corners, and the patch within a quarter of its twist of two triangles:
// a lower bound of the distance. Cells that pass it get the constrained local minimum f of closest.go. With x the step
// from f to another point q of the cell, d the distance of f, s a lower bound of the singular values of J on the cell
// and m the bound of D²S,
//
// 	|q - p|² = d² + |q - f|² - 2(p - f)·(q - f) ≥ d² + s²x² - d·m·x²,
//
// since (p - f)·J(f)x is not positive at a constrained minimum. So where s² > d·m nothing in the cell is nearer than f;
// elsewhere the cell is halved.
//
// So the closest branch is found for every point, up to ties: of two whose distances differ by less than tieMargin of
// the distance either may win. Cost: about 3 µs for a point near the surface; a point at equal distance from much of
// it, like the center of a sphere, costs maxNodes halvings.

const (
	// tieMargin is the fraction of the best distance by which a branch must be able to win.
	tieMargin = 1e-5
	// maxNodes bounds the halvings of one search, after which the first minimum of a cell counts.
	maxNodes = 1 << 12
	// maxDepth bounds the halvings of one cell: next to a collapsed side s is never positive.
	maxDepth = 16
)

// search is the state of one query.
type search struct {
	s     *BSpline
	p     geom.Vec3
	best  footPoint
	nodes int
	found bool
}

// search returns the closest point if it is nearer than best, else best. The result is marked settled if
// it is a new one.
func (s *BSpline) search(p geom.Vec3, best footPoint) footPoint {
	var cells tensor.Search
	s.net.LeafGrid().Search(p, &cells)
	q := search{s: s, p: p, best: best}
	for q.best.dist > coincident {
		reach := q.best.dist * (1 - tieMargin)
		c, ok := cells.Next(reach * reach)
		if !ok {
			break
		}
		cell := newQuad(s, &c)
		q.halve(&cell, 0)
	}
	q.best.settle = q.found
	return q.best
}

// quad is a cell or a part of one with its corners: 0 at (Lo, Lo), 1 at (Hi, Lo), 2 at (Lo, Hi), 3 at
// (Hi, Hi).
type quad struct {
	tensor.Cell
	corner [4]geom.Vec3
}

func newQuad(s *BSpline, c *tensor.Cell) quad {
	at := s.net.At
	return quad{*c, [4]geom.Vec3{
		at(c.U.Lo, c.V.Lo), at(c.U.Hi, c.V.Lo), at(c.U.Lo, c.V.Hi), at(c.U.Hi, c.V.Hi),
	}}
}

// halves cuts c across the side along which it is longer or bends more.
func (c *quad) halves(s *BSpline) (a, b quad) {
	a, b = *c, *c
	if max(float64(c.UU), c.lengthU()) >= max(float64(c.VV), c.lengthV()) {
		mid := c.U.Mid()
		a.U.Hi, b.U.Lo = mid, mid
		low, high := s.net.At(mid, c.V.Lo), s.net.At(mid, c.V.Hi)
		a.corner[1], a.corner[3], b.corner[0], b.corner[2] = low, high, low, high
		a.UU, a.UV = 0.25*a.UU, 0.5*a.UV
	} else {
		mid := c.V.Mid()
		a.V.Hi, b.V.Lo = mid, mid
		low, high := s.net.At(c.U.Lo, mid), s.net.At(c.U.Hi, mid)
		a.corner[2], a.corner[3], b.corner[0], b.corner[1] = low, high, low, high
		a.VV, a.UV = 0.25*a.VV, 0.5*a.UV
	}
	b.DerivBound = a.DerivBound
	return a, b
}

// halve looks for a better point in c.
func (q *search) halve(c *quad, depth int) {
	if q.best.dist <= coincident || c.lower(q.p) >= q.best.dist*(1-tieMargin) {
		return
	}
	isLast := depth == maxDepth || q.nodes > maxNodes
	if depth == 0 && !q.found {
		q.descend(c) // gives a first upper bound
	}
	if reach := c.reach(); isLast || reach > q.best.dist {
		if f := q.descend(c); isLast || f.settle && reach > f.dist {
			return
		}
	}
	q.nodes++
	a, b := c.halves(q.s)
	if b.center().Dist2(q.p) < a.center().Dist2(q.p) {
		a, b = b, a
	}
	q.halve(&a, depth+1)
	q.halve(&b, depth+1)
}

// descend returns the local minimum in c, and takes it, followed across the border, if it is better.
func (q *search) descend(c *quad) footPoint {
	r := rect{c.U, c.V, q.s.slackU, q.s.slackV}
	f := descend(q.s, q.p, c.start(q.p), r)
	if f.dist < q.best.dist {
		q.best, q.found = f, true
		if r.borders(f.uv) {
			if g := descend(q.s, q.p, f.uv, q.s.everywhere()); g.dist < f.dist {
				q.best = g
			}
		}
	}
	return f
}

// borders reports whether a point of the rectangle lies on its border.
func (r *rect) borders(uv geom.Vec2) bool {
	return uv.X <= r.u.Lo || uv.X >= r.u.Hi || uv.Y <= r.v.Lo || uv.Y >= r.v.Hi
}

func (c *quad) center() geom.Vec3 {
	return c.corner[0].Add(c.corner[1]).Add(c.corner[2]).Add(c.corner[3]).Scale(0.25)
}

func (c *quad) lengthU() float64 { return c.corner[1].Dist(c.corner[0]) }
func (c *quad) lengthV() float64 { return c.corner[2].Dist(c.corner[0]) }

// legs returns the mean sides along u and v.
func (c *quad) legs() (a, b geom.Vec3) {
	d1, d2 := c.corner[3].Sub(c.corner[0]), c.corner[1].Sub(c.corner[2])
	return d1.Add(d2).Scale(0.5), d1.Sub(d2).Scale(0.5)
}

// sag returns the largest distance of the surface from the bilinear patch.
func (c *quad) sag() float64 { return float64(c.UU+c.VV) / 8 }

// lower is a lower bound of the distance from p.
func (c *quad) lower(p geom.Vec3) float64 {
	twist := c.corner[0].Sub(c.corner[1]).Sub(c.corner[2]).Add(c.corner[3]).Norm()
	d2 := min(triangleDist2(p, c.corner[0], c.corner[1], c.corner[3]),
		triangleDist2(p, c.corner[0], c.corner[2], c.corner[3]))
	return math.Sqrt(d2) - twist/4 - c.sag()
}

// reach is the distance s²/m up to which a constrained minimum on c is the closest point of c, 0 if
// nothing is known. The parameters are scaled so that the mean sides have length 1.
func (c *quad) reach() float64 {
	a, b := c.legs()
	la, lb := a.Norm(), b.Norm()
	if la == 0 || lb == 0 {
		return 0
	}
	// Su differs from the mean side along u by half of its change along u and along v.
	uu, uv, vv := float64(c.UU)/la, float64(c.UV), float64(c.VV)/lb
	change := 0.5 * math.Hypot(uu+uv/la, vv+uv/lb)
	least := math.Sqrt(max(0, 1-math.Abs(a.Dot(b))/(la*lb))) - change
	if least <= 0 {
		return 0
	}
	return least * least / (max(uu/la, vv/lb) + uv/(la*lb))
}

// start returns the parameters of the point of the mean parallelogram that is closest to p.
func (c *quad) start(p geom.Vec3) geom.Vec2 {
	a, b := c.legs()
	r := p.Sub(c.center())
	m11, m12, m22 := a.Norm2(), a.Dot(b), b.Norm2()
	x, y := 0.5, 0.5
	if det := m11*m22 - m12*m12; det > definite*m11*m22 {
		ra, rb := r.Dot(a), r.Dot(b)
		x += (m22*ra - m12*rb) / det
		y += (m11*rb - m12*ra) / det
	}
	return geom.Vec2{X: c.U.At(max(0, min(1, x))), Y: c.V.At(max(0, min(1, y)))}
}

// triangleDist2 returns the squared distance of p from the triangle a, b, c, which may be a line or a
// point: that from its plane if p lies over it, else the least of those from its sides.
func triangleDist2(p, a, b, c geom.Vec3) float64 {
	n := b.Sub(a).Cross(c.Sub(a))
	pa, pb, pc := a.Sub(p), b.Sub(p), c.Sub(p)
	isOver := pb.Cross(pc).Dot(n) >= 0 && pc.Cross(pa).Dot(n) >= 0 && pa.Cross(pb).Dot(n) >= 0
	if n2 := n.Norm2(); isOver && n2 > 0 {
		h := pa.Dot(n)
		return h * h / n2
	}
	return min(segmentDist2(pa, pb), segmentDist2(pb, pc), segmentDist2(pc, pa))
}

// segmentDist2 returns the squared distance of the origin from the segment a, b.
func segmentDist2(a, b geom.Vec3) float64 {
	d := b.Sub(a)
	n2 := d.Norm2()
	if n2 == 0 {
		return a.Norm2()
	}
	return a.AddScaled(max(0, min(1, -a.Dot(d)/n2)), d).Norm2()
}
