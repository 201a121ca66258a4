package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// Leaves: the ranges for inversion and bounding boxes of a B-spline curve.
//
// A leaf is a piece, or part of one, with a rigorous bound M of |C″| on it, coordinate by coordinate. Over a parameter
// range of length h the curve then stays within M·h²/8 of its chord at even speed. The bound comes from the second
// differences of the Bézier points. A piece is halved by de Casteljau's algorithm while the bound is weaker than the
// control polygon, as for a polygon that turns a lot and for weights that vary a lot.

const (
	// looseLeaf is the fraction of the control polygon's diagonal that M·h²/8 may reach.
	looseLeaf = 0.4
	// leafHalvings bounds how often a part of a piece is halved: enough for weights that differ by a
	// factor of 1e9, near the end with the larger one.
	leafHalvings = 32
	// maxLeaves bounds the leaves of one piece. Halving usually continues at one point only.
	maxLeaves = 256
)

// leaf is a range of one piece.
type leaf struct {
	a, b   float64
	pa, pb geom.Vec3 // the points at a and b
	bend   geom.Vec3 // bound of the magnitude of C″
	norm   float64   // its length
	hull   geom.Box  // of the control points of the range
	piece  int
}

// polygon contains the Bézier points of a range, multiplied by their weights; the weights of a polynomial curve are all
// one.
type polygon struct {
	p [bspline.MaxOrder]geom.Vec3
	w [bspline.MaxOrder]float64
}

// grow returns the leaves. They are made at the first question: many curves are only evaluated.
func (c *BSpline) grow() []leaf {
	c.grown.Do(func() {
		c.leaves = make([]leaf, 0, c.knots.Pieces())
		breaks := c.knots.Breaks()
		for s := range c.knots.Pieces() {
			var q polygon
			c.load(s, &q)
			c.split(&q, leaf{a: breaks[s], b: breaks[s+1], piece: s}, leafHalvings, len(c.leaves)+maxLeaves)
		}
	})
	return c.leaves
}

// split appends the range l, or its halves as long as there are fewer than most leaves.
func (c *BSpline) split(q *polygon, l leaf, depth, most int) {
	p := c.Degree()
	h := l.b - l.a
	q.measure(p, h, &l)
	mid := l.a + 0.5*h
	slack := l.norm * h * h / 8
	tight := slack <= looseLeaf*l.hull.Diagonal() || slack <= geom.Resolution
	if tight || depth == 0 || len(c.leaves)+2 > most ||
		!(mid > l.a && mid < l.b) {
		c.leaves = append(c.leaves, l)
		return
	}
	var left, right polygon
	q.halve(p, 0.5, &left, &right)
	c.split(&left, leaf{a: l.a, b: mid, piece: l.piece}, depth-1, most)
	c.split(&right, leaf{a: mid, b: l.b, piece: l.piece}, depth-1, most)
}

// load writes the polygon of piece s.
func (c *BSpline) load(s int, q *polygon) {
	order := c.Degree() + 1
	copy(q.p[:], c.bezier[s*order:(s+1)*order])
	if c.bezierW != nil {
		copy(q.w[:], c.bezierW[s*order:(s+1)*order])
		return
	}
	for i := range order {
		q.w[i] = 1
	}
}

// halve cuts a polygon of degree p at x (de Casteljau's algorithm); left or right may be q itself.
func (q *polygon) halve(p int, x float64, left, right *polygon) {
	r := *q
	left.p[0], left.w[0] = r.p[0], r.w[0]
	for step := 1; step <= p; step++ {
		for i := 0; i <= p-step; i++ {
			r.p[i] = r.p[i].Scale(1-x).AddScaled(x, r.p[i+1])
			r.w[i] = (1-x)*r.w[i] + x*r.w[i+1]
		}
		left.p[step], left.w[step] = r.p[0], r.w[0]
	}
	*right = r
}

// hull returns the box of the control points.
func (q *polygon) hull(p int) geom.Box {
	b := geom.EmptyBox()
	for i := range p + 1 {
		b = b.Add(q.p[i].Scale(1 / q.w[i]))
	}
	return b
}

// at returns one coordinate, in X, and the weight at x with two derivatives by x.
func (q *polygon) at(p int, x float64, axis int) (a, a1, a2 bspline.Hom) {
	var b bspline.Row
	if p == 1 {
		d0, d1 := bspline.Hom{X: coord(q.p[0], axis), W: q.w[0]}, bspline.Hom{X: coord(q.p[1], axis), W: q.w[1]}
		a1 = d1.AddScaled(-1, d0)
		return d0.AddScaled(x, a1), a1, a2
	}
	bernstein(p-2, x, &b)
	var h [3]bspline.Hom
	for i, f := range b[:p-1] {
		for k := range h {
			h[k].X += f * coord(q.p[i+k], axis)
			h[k].W += f * q.w[i+k]
		}
	}
	e0, e1 := h[1].AddScaled(-1, h[0]), h[2].AddScaled(-1, h[1])
	n := float64(p)
	d := e1.AddScaled(-1, e0)
	a1 = bspline.Hom{X: n * (e0.X + x*d.X), W: n * (e0.W + x*d.W)}
	a2 = bspline.Hom{X: n * (n - 1) * d.X, W: n * (n - 1) * d.W}
	return h[0].AddScaled(2*x, e0).AddScaled(x*x, d), a1, a2
}

// measure fills the geometric part of a leaf of degree p and parameter length h. With O the middle of
// the control points, C-O = A/w gives |C'| ≤ (|A'| + |w'||C-O|)/w and
// |C″| ≤ (|A″| + 2|w'||C'| + |w″||C-O|)/w, with each factor bounded by its Bézier coefficients.
func (q *polygon) measure(p int, h float64, l *leaf) {
	l.hull = q.hull(p)
	least := math.Inf(1)
	for _, w := range q.w[:p+1] {
		least = min(least, w)
	}
	l.pa, l.pb = q.p[0].Scale(1/q.w[0]), q.p[p].Scale(1/q.w[p])
	o, reach := l.hull.Center(), l.hull.Size().Scale(0.5)
	var a1, a2 geom.Vec3
	w1, w2 := 0.0, 0.0
	before := q.p[0].AddScaled(-q.w[0], o)
	var lastStep geom.Vec3
	for i := 1; i <= p; i++ {
		at := q.p[i].AddScaled(-q.w[i], o)
		step := at.Sub(before)
		a1 = maxAbs(a1, step)
		w1 = max(w1, math.Abs(q.w[i]-q.w[i-1]))
		if i > 1 {
			a2 = maxAbs(a2, step.Sub(lastStep))
			w2 = max(w2, math.Abs(q.w[i]-2*q.w[i-1]+q.w[i-2]))
		}
		before, lastStep = at, step
	}
	f1 := float64(p) / h
	f2 := f1 * float64(p-1) / h
	speed := a1.AddScaled(w1, reach).Scale(f1 / least)
	l.bend = a2.Scale(f2).AddScaled(2*f1*w1, speed).AddScaled(f2*w2, reach).Scale(1 / least)
	l.norm = l.bend.Norm()
}

func maxAbs(a, b geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: max(a.X, math.Abs(b.X)), Y: max(a.Y, math.Abs(b.Y)), Z: max(a.Z, math.Abs(b.Z)),
	}
}

// cut returns the part of a leaf inside iv, with ok false if there is none.
func (c *BSpline) cut(l *leaf, iv geom.Interval) (a, b float64, pa, pb geom.Vec3, ok bool) {
	a, b, pa, pb = l.a, l.b, l.pa, l.pb
	if iv.Lo > b || iv.Hi < a {
		return a, b, pa, pb, false
	}
	if iv.Lo > a {
		a, pa = iv.Lo, c.pointOn(l.piece, c.local(l.piece, iv.Lo))
	}
	if iv.Hi < b {
		b, pb = iv.Hi, c.pointOn(l.piece, c.local(l.piece, iv.Hi))
	}
	return a, b, pa, pb, true
}
