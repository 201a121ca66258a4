package surface

import (
	"math"

	"millwright/core/geom"
	"millwright/core/geom/bspline/tensor"
)

// Closest point of a whole B-spline surface, by branch and bound.
//
// Method: package tensor gives the cells that can hold the closest point, nearest first, and halves them
// on request; quad.go bounds the distance of a cell from below and says when a local minimum in it is its
// closest point. A cell that may be nearer than the best point so far is looked at where its lower bound
// is reached; where a minimum would be certain it is found by closest.go; otherwise the cell is halved.
//
// The result is certain: no point of the surface is nearer than the distance d returned minus
// max(tieSlack·d, certain), up to the rounding of its points. A query at equal distance from much of a
// surface, like the centre of a sphere, is the exception: after manyNodes halvings tieSlack is doubled,
// and again after each further half of that. Cost: about 3 µs for a point near the surface once its cells
// are there.

const (
	// tieSlack is the fraction of the best distance by which a branch must be able to win.
	tieSlack = 1e-5
	// certain (mm) is the least distance by which a branch must be able to win.
	certain = 0.1 * geom.Resolution
	// manyNodes is the number of halvings at which tieSlack starts to grow.
	manyNodes = 1 << 12
)

// search is the state of one query.
type search struct {
	s     Surface
	p     geom.Vec3
	best  foot // settle: best is a local minimum
	all   rect // of the surface
	nodes int
	slack float64 // relative
	found bool    // best is a point of this search
}

// search returns the closest point if it is nearer than best, else best. The result is marked settled if
// it is a new one.
func (s *BSpline) search(p geom.Vec3, best foot) foot {
	return s.searchIn(p, best, s.everywhere())
}

// searchIn is search on the part of the domain inside r.
func (s *BSpline) searchIn(p geom.Vec3, best foot, r rect) foot {
	q := search{s: s, p: p, best: best, all: r, slack: tieSlack}
	if !p.IsFinite() {
		return q.result()
	}
	var cells tensor.Search
	s.net.Tree().Search(p, &cells)
	for {
		goal := q.goal()
		if goal <= 0 {
			break
		}
		c, patch := cells.Next(goal * goal)
		if c == nil {
			break
		}
		if cell := (quad{c.U, c.V, patch}); q.all.meets(&cell) && q.isOpen(&cell) {
			cells.Open(c)
		}
	}
	return q.result()
}

// goal is the distance below which a point is worth to be looked for.
func (q *search) goal() float64 {
	if math.IsInf(q.best.dist, 1) {
		return q.best.dist
	}
	return q.best.dist - max(q.slack*q.best.dist, certain)
}

// isOpen takes the best point of a cell if that is certain, and reports whether the cell must be halved.
func (q *search) isOpen(c *quad) bool {
	near, uv, off := c.nearest(q.p)
	sag := c.sag()
	if near-sag >= q.goal() {
		return false
	}
	switch {
	case c.reach(off) > min(q.best.dist, near+sag):
		f := q.descend(c, uv)
		at, du, dv := q.s.D1(f.uv.X, f.uv.Y)
		if c.least(f.uv, at.Sub(q.p), du, dv, &q.all) >= q.goal() {
			return false
		}
	case worthwhile*sag < q.best.dist-near:
		q.look(uv)
	}
	q.nodes++
	if q.nodes >= manyNodes && q.nodes%(manyNodes/2) == 0 {
		q.slack *= 2
	}
	return true
}

const (
	// worthwhile is how often the sagitta of a cell must go into the distance it may win for its nearest
	// point to be looked at: while the sagitta is larger, halving says more.
	worthwhile = 4
	// muchNearer is the fraction of the best distance from which a point is followed to a minimum at once.
	muchNearer = 0.5
)

// look takes a point if it is better.
func (q *search) look(uv geom.Vec2) {
	uv = q.all.clamp(uv)
	d := q.s.At(uv.X, uv.Y).Dist(q.p)
	if d >= q.best.dist {
		return
	}
	isMuch := d < muchNearer*q.best.dist
	q.best, q.found = foot{uv: uv, dist: d}, true
	if isMuch {
		q.follow()
	}
}

// descend returns the local minimum in c, and takes it, followed across the border, if it is better.
func (q *search) descend(c *quad, start geom.Vec2) foot {
	if b := &q.best; q.found && b.settle && c.U.Contains(b.uv.X, 0) && c.V.Contains(b.uv.Y, 0) {
		return *b // a minimum of the surface is one of the cell
	}
	r := q.all.cut(c) // without slack: the derivatives next to a collapsed side count
	f := q.minimum(start, r)
	if f.dist < q.best.dist {
		q.best, q.found = f, true
		if r.borders(f.uv) {
			q.follow()
		}
	}
	return f
}

// minimum is the local minimum from start with its distance as it is: the last step of descend is not
// looked at, and may lead over a kink.
func (q *search) minimum(start geom.Vec2, r rect) foot {
	f := descend(q.s, q.p, start, r)
	f.dist = q.s.At(f.uv.X, f.uv.Y).Dist(q.p)
	return f
}

// follow goes on from the best point to a local minimum of the whole surface.
func (q *search) follow() {
	if g := q.minimum(q.best.uv, q.all); g.dist <= q.best.dist {
		q.best = g
	}
}

// result is the best point, marked settled if it is one of this search.
func (q *search) result() foot {
	if q.found && !q.best.settle {
		q.follow()
	}
	q.best.settle = q.found
	return q.best
}

// meets reports whether a cell reaches into the rectangle.
func (r *rect) meets(c *quad) bool {
	return c.U.Hi >= r.u.Lo && c.U.Lo <= r.u.Hi && c.V.Hi >= r.v.Lo && c.V.Lo <= r.v.Hi
}

// cut returns the part of a cell inside the rectangle, which it meets.
func (r *rect) cut(c *quad) rect {
	return rect{
		u: geom.Interval{Lo: max(c.U.Lo, r.u.Lo), Hi: min(c.U.Hi, r.u.Hi)},
		v: geom.Interval{Lo: max(c.V.Lo, r.v.Lo), Hi: min(c.V.Hi, r.v.Hi)},
	}
}

// borders reports whether a point of the rectangle lies on its border.
func (r *rect) borders(uv geom.Vec2) bool {
	return uv.X <= r.u.Lo || uv.X >= r.u.Hi || uv.Y <= r.v.Lo || uv.Y >= r.v.Hi
}
