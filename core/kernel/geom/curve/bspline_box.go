package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Bounding box of a B-spline curve. One box around points of the curve grows from inside. A leaf whose control points
// stay within boundsMargin of it is done, since a Bézier curve lies in the convex hull of its control points. Any other
// is cut by de Casteljau's algorithm at the extremum of the coordinate with the largest excess, found by Newton's
// method. There the hulls of both halves end at the extremum, so that one cut is usually enough. The returned box
// contains the hulls. Cost: a few ns per leaf and about 0.5 µs for each extremum that counts; nothing is allocated.

const (
	// boundsMargin is the fraction of the diagonal by which a side of a box may be too far out.
	boundsMargin = 1e-7
	// boxCuts limits the consecutive cuts of a leaf. At the limit the hull is used, whose excess shrinks at least to a
	// quarter with each cut.
	boxCuts = 16
)

// Bounds returns a box that contains the curve over iv and is at most boundsMargin of its size larger.
// Of an open curve only the part of iv inside the domain counts. The box of an interval whose ends are
// in the wrong order, or not numbers, is empty.
func (c *BSpline) Bounds(iv geom.Interval) geom.Box {
	dom := c.Domain()
	if !(iv.Lo <= iv.Hi) {
		return geom.EmptyBox()
	}
	w := boxSearch{c: c, inner: geom.EmptyBox(), outer: geom.EmptyBox()}
	switch {
	case !c.closed:
		iv = clip(iv, dom)
		w.seed(iv)
		w.run(iv)
	case iv.Length() >= dom.Length():
		w.seed(dom)
		w.run(dom)
	default:
		lo := dom.Wrap(iv.Lo)
		hi := lo + iv.Length()
		tail := geom.Interval{Lo: lo, Hi: min(hi, dom.Hi)}
		w.seed(tail)
		if hi > dom.Hi {
			head := geom.Interval{Lo: dom.Lo, Hi: hi - dom.Length()}
			w.seed(head)
			w.run(head)
		}
		w.run(tail)
	}
	return w.outer
}

// boxSearch is the state of one box query.
type boxSearch struct {
	c            *BSpline
	inner, outer geom.Box
}

// seed adds the ends of the leaves, for a first idea of the size.
func (w *boxSearch) seed(iv geom.Interval) {
	leaves := w.c.grow()
	for i := range leaves {
		if _, _, pa, pb, ok := w.c.cut(&leaves[i], iv); ok {
			w.inner = w.inner.Add(pa).Add(pb)
		}
	}
	w.outer = w.outer.Union(w.inner)
}

func (w *boxSearch) run(iv geom.Interval) {
	leaves := w.c.grow()
	for i := range leaves {
		l := &leaves[i]
		if iv.Lo > l.b || iv.Hi < l.a || w.done(l.hull) {
			continue
		}
		var q polygon
		w.c.load(l.piece, &q)
		lo, hi := w.c.local(l.piece, max(l.a, iv.Lo)), w.c.local(l.piece, min(l.b, iv.Hi))
		p := w.c.Degree()
		var rest polygon
		if hi < 1 {
			q.halve(p, hi, &q, &rest)
		}
		if lo > 0 && hi > 0 {
			q.halve(p, min(1, lo/hi), &rest, &q)
		}
		w.refine(&q, boxCuts)
	}
}

// done reports whether a hull stays within the slack of the inner box, and takes it in if so.
func (w *boxSearch) done(hull geom.Box) bool {
	tol := boundsMargin * w.inner.Diagonal()
	if w.inner.Contains(hull.Min, tol) && w.inner.Contains(hull.Max, tol) {
		w.outer = w.outer.Union(hull)
		return true
	}
	return false
}

// refine makes outer contain the curve of polygon q.
func (w *boxSearch) refine(q *polygon, cuts int) {
	p := w.c.Degree()
	hull := q.hull(p)
	if w.done(hull) {
		return
	}
	if cuts == 0 {
		w.outer = w.outer.Union(hull)
		return
	}
	var left, right polygon
	q.halve(p, w.extremum(q, hull), &left, &right)
	w.inner = w.inner.Add(right.p[0].Scale(1 / right.w[0]))
	w.refine(&left, cuts-1)
	w.refine(&right, cuts-1)
}

// extremum returns where the coordinate by which the hull sticks out most is extremal, or the middle
// if it is not known to be inside.
func (w *boxSearch) extremum(q *polygon, hull geom.Box) float64 {
	axis, sign, most := 0, 1.0, math.Inf(-1)
	for a := range 3 {
		if e := coord(hull.Max, a) - coord(w.inner.Max, a); e > most {
			axis, sign, most = a, 1, e
		}
		if e := coord(w.inner.Min, a) - coord(hull.Min, a); e > most {
			axis, sign, most = a, -1, e
		}
	}
	p := w.c.Degree()
	x := func(i int) float64 { return sign * coord(q.p[i], axis) / q.w[i] }
	if !(x(1) > x(0) && x(p-1) > x(p)) {
		return 0.5
	}
	const (
		enough = 1e-9 // of the range: the coordinate is flat there, so this is 1e-18 of its height
		margin = 0x1p-20
	)
	t := risingRoot(func(t float64) (v, dv float64) {
		a, a1, a2 := q.at(p, t, axis)
		// The derivative of a quotient, times its positive denominator squared.
		return sign * (a.X*a1.W - a1.X*a.W), sign * (a.X*a2.W - a2.X*a.W)
	}, 0, 1, 0.5, enough)
	return max(margin, min(1-margin, t))
}
