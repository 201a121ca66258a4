package curve

import (
	"math"

	"millwright/core/geom"
)

// Closest point and bounding box of a B-spline curve, by branch and bound.
//
// Method: each piece carries a rigorous bound M of |C″|, coordinate by coordinate, from the second
// differences of its Bézier points. Over a parameter range of length h the curve stays within M·h²/8
// of its chord run through at even speed. For the closest point that gives a lower bound of the
// distance (chord distance minus M·h²/8) by which most pieces and halves are pruned without
// evaluation, and a test that the squared distance is convex: |C'|² > M·|C-p|, with |C'| at least the
// chord speed minus M·h/2. Where it is convex, Newton's method inside a bracket finds the one
// minimum; where it is not, the range is halved. The box is widened the same way until the
// remaining slack is boundsSlack of its size.
//
// So the closest branch is found for every point, up to ties: of two branches whose distances differ
// by less than tieSlack of the distance either may win. Cost: a few ns a piece and about 0.3 µs for
// each piece that is not pruned; points near a centre of curvature, for which many branches tie, cost
// up to maxNodes evaluations. Nothing is allocated.

const (
	// tieSlack is the fraction of the best distance by which a branch must be able to win to be
	// looked at.
	tieSlack = 1e-6
	// maxNodes bounds the ranges one inversion looks at: enough for the centre of a circle at
	// tieSlack, where 2π·√(1/(8·tieSlack)) ranges remain for every factor of slack in M.
	maxNodes = 1 << 15
	// maxHalvings stops at ranges of 2^-40 of a piece, near the spacing of floats.
	maxHalvings = 40
	// boundsSlack is the fraction of the diagonal by which a side of a box may be too far out.
	boundsSlack = 1e-7
)

// bendBound returns a bound of |C″| on piece s for each coordinate. For a rational piece, with O the
// middle of its control points, C-O = A/w gives |C'| ≤ (|A'| + |w'||C-O|)/w and
// |C″| ≤ (|A”| + 2|w'||C'| + |w”||C-O|)/w, with each factor bounded by its Bézier coefficients.
func (c *BSpline) bendBound(s int) geom.Vec3 {
	p := c.Degree()
	order := p + 1
	pts := c.bezier[s*order : (s+1)*order]
	f1 := float64(p) * c.perUnit[s]
	f2 := f1 * float64(p-1) * c.perUnit[s]
	if c.bezierW == nil {
		var second geom.Vec3
		for i := 2; i < order; i++ {
			second = maxAbs(second, pts[i].AddScaled(-2, pts[i-1]).Add(pts[i-2]))
		}
		return second.Scale(f2)
	}
	ws := c.bezierW[s*order : (s+1)*order]
	hull := geom.EmptyBox()
	least := math.Inf(1)
	for i, q := range pts {
		hull = hull.Add(q.Scale(1 / ws[i]))
		least = math.Min(least, ws[i])
	}
	o, reach := hull.Center(), hull.Size().Scale(0.5)
	at := func(i int) geom.Vec3 { return pts[i].AddScaled(-ws[i], o) }
	var a1, a2 geom.Vec3
	w1, w2 := 0.0, 0.0
	for i := 1; i < order; i++ {
		a1 = maxAbs(a1, at(i).Sub(at(i-1)))
		w1 = math.Max(w1, math.Abs(ws[i]-ws[i-1]))
		if i > 1 {
			a2 = maxAbs(a2, at(i).AddScaled(-2, at(i-1)).Add(at(i-2)))
			w2 = math.Max(w2, math.Abs(ws[i]-2*ws[i-1]+ws[i-2]))
		}
	}
	speed := a1.AddScaled(w1, reach).Scale(f1 / least)
	return a2.Scale(f2).AddScaled(2*f1*w1, speed).AddScaled(f2*w2, reach).Scale(1 / least)
}

func maxAbs(a, b geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: math.Max(a.X, math.Abs(b.X)), Y: math.Max(a.Y, math.Abs(b.Y)), Z: math.Max(a.Z, math.Abs(b.Z)),
	}
}

// search is the state of one closest-point query.
type search struct {
	c       *BSpline
	p       geom.Vec3
	t, dist float64
	exact   bool // t is a local minimum, not just a point looked at
	nodes   int
}

func (q *search) try(t float64, at geom.Vec3) {
	if d := at.Dist(q.p); d < q.dist {
		q.t, q.dist, q.exact = t, d, false
	}
}

// Invert returns the parameter in Domain of the point closest to p and the distance from p to it.
func (c *BSpline) Invert(p geom.Vec3) (t, dist float64) {
	dom := c.Domain()
	t, dist = c.InvertIn(p, dom)
	if c.closed {
		t = dom.Wrap(t)
	}
	return t, dist
}

// InvertIn is Invert on the part of the curve over iv, which may cross the seam of a closed curve.
func (c *BSpline) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	q := search{c: c, p: p, dist: math.Inf(1)}
	dom := c.Domain()
	if !c.closed {
		q.run(clip(iv, dom))
		return q.t, q.dist
	}
	iv.Hi = math.Min(iv.Hi, iv.Lo+dom.Length())
	shift := dom.Wrap(iv.Lo) - iv.Lo
	lo, hi := iv.Lo+shift, iv.Hi+shift
	if hi <= dom.Hi {
		q.run(geom.Interval{Lo: lo, Hi: hi})
		return iv.Clamp(q.t - shift), q.dist
	}
	q.run(geom.Interval{Lo: lo, Hi: dom.Hi})
	before, t0 := q.dist, q.t
	q.run(geom.Interval{Lo: dom.Lo, Hi: hi - dom.Length()})
	if q.dist < before {
		return iv.Clamp(q.t + dom.Length() - shift), q.dist
	}
	return iv.Clamp(t0 - shift), before
}

// clip returns the part of iv inside dom, or the end of dom next to it if there is none.
func clip(iv, dom geom.Interval) geom.Interval {
	return geom.Interval{Lo: dom.Clamp(iv.Lo), Hi: dom.Clamp(iv.Hi)}
}

// run improves the search over iv, which lies inside the domain.
func (q *search) run(iv geom.Interval) {
	c := q.c
	first, last := c.knots.Piece(iv.Lo), c.knots.Piece(iv.Hi)
	best := first
	for s := first; s <= last; s++ {
		before := q.dist
		a, b, pa, pb := c.part(s, iv)
		q.try(a, pa)
		q.try(b, pb)
		if q.dist < before {
			best = s
		}
	}
	q.piece(best, iv)
	for s := first; s <= last; s++ {
		if s != best {
			q.piece(s, iv)
		}
	}
	if !q.exact && q.dist > 0 {
		q.polish(iv)
	}
}

// part returns the range of piece s inside iv and its end points.
func (c *BSpline) part(s int, iv geom.Interval) (a, b float64, pa, pb geom.Vec3) {
	k := c.knots.Breaks()
	a, pa = k[s], c.start(s)
	if iv.Lo > a {
		a, pa = iv.Lo, c.pointOn(s, c.local(s, iv.Lo))
	}
	b, pb = k[s+1], c.end(s)
	if iv.Hi < b {
		b, pb = iv.Hi, c.pointOn(s, c.local(s, iv.Hi))
	}
	return a, b, pa, pb
}

func (q *search) piece(s int, iv geom.Interval) {
	a, b, pa, pb := q.c.part(s, iv)
	q.refine(s, q.c.bend[s].Norm(), a, b, pa, pb, maxHalvings)
}

// refine looks for a better point on piece s over [a, b], whose end points pa and pb were tried.
func (q *search) refine(s int, bend, a, b float64, pa, pb geom.Vec3, depth int) {
	h := b - a
	slack := bend * h * h / 8
	chord := pb.Sub(pa)
	x := 0.0
	if n := chord.Norm2(); n > 0 {
		x = math.Max(0, math.Min(1, q.p.Sub(pa).Dot(chord)/n))
	}
	if pa.AddScaled(x, chord).Dist(q.p)-slack >= q.dist*(1-tieSlack) {
		return
	}
	speed := chord.Norm()/h - bend*h/2
	far := math.Max(pa.Dist(q.p), pb.Dist(q.p)) + slack
	if speed > 0 && speed*speed > bend*far {
		q.convex(s, a, b, a+x*h)
		return
	}
	mid := a + 0.5*h
	if q.nodes++; depth == 0 || q.nodes > maxNodes || !(mid > a && mid < b) {
		return
	}
	pm := q.c.pointOn(s, q.c.local(s, mid))
	q.try(mid, pm)
	if pa.Dist2(q.p) <= pb.Dist2(q.p) {
		q.refine(s, bend, a, mid, pa, pm, depth-1)
		q.refine(s, bend, mid, b, pm, pb, depth-1)
	} else {
		q.refine(s, bend, mid, b, pm, pb, depth-1)
		q.refine(s, bend, a, mid, pa, pm, depth-1)
	}
}

// convex finds the minimum over [a, b], on which the squared distance is convex.
func (q *search) convex(s int, a, b, start float64) {
	c := q.c
	t := risingRoot(func(t float64) (v, dv float64) {
		at, d1, d2 := c.on(s, c.local(s, t))
		r := at.Sub(q.p)
		return d1.Dot(r), d1.Norm2() + d2.Dot(r)
	}, a, b, start)
	before := q.dist
	q.try(t, c.pointOn(s, c.local(s, t)))
	q.exact = q.exact || q.dist < before
}

// polish improves a minimum that lies where the distance is not convex by damped Newton steps.
func (q *search) polish(iv geom.Interval) {
	const most = 20
	step := iv.Length()
	for range most {
		at, d1, d2 := q.c.D2(q.t)
		r := at.Sub(q.p)
		v, dv := d1.Dot(r), d1.Norm2()+d2.Dot(r)
		if dv <= 0 {
			dv = d1.Norm2()
		}
		next := iv.Clamp(q.t - v/dv)
		if moved := math.Abs(next - q.t); !(moved > 0 && moved < step) {
			return
		} else {
			step = moved
		}
		before := q.dist
		q.try(next, q.c.At(next))
		if q.dist == before {
			return
		}
	}
}

// Bounds returns a box that contains the curve over iv and is at most boundsSlack of its size larger.
// Of an open curve only the part of iv inside the domain counts.
func (c *BSpline) Bounds(iv geom.Interval) geom.Box {
	dom := c.Domain()
	w := boxSearch{c: c, inner: geom.EmptyBox(), outer: geom.EmptyBox()}
	switch {
	case !c.closed:
		w.run(clip(iv, dom))
	case iv.Length() >= dom.Length():
		w.run(dom)
	default:
		lo := dom.Wrap(iv.Lo)
		hi := lo + iv.Length()
		w.seed(geom.Interval{Lo: lo, Hi: math.Min(hi, dom.Hi)})
		if hi > dom.Hi {
			w.run(geom.Interval{Lo: dom.Lo, Hi: hi - dom.Length()})
		}
		w.run(geom.Interval{Lo: lo, Hi: math.Min(hi, dom.Hi)})
	}
	return w.outer
}

// boxSearch grows two boxes: inner around points of the curve, outer around the curve.
type boxSearch struct {
	c            *BSpline
	inner, outer geom.Box
}

// seed adds the ends and the middle of each piece, for a first idea of the size.
func (w *boxSearch) seed(iv geom.Interval) (first, last int) {
	first, last = w.c.knots.Piece(iv.Lo), w.c.knots.Piece(iv.Hi)
	for s := first; s <= last; s++ {
		a, b, pa, pb := w.c.part(s, iv)
		w.inner = w.inner.Add(pa).Add(pb)
		if w.c.bend[s] != (geom.Vec3{}) {
			w.inner = w.inner.Add(w.c.pointOn(s, w.c.local(s, 0.5*(a+b))))
		}
	}
	w.outer = w.outer.Union(w.inner)
	return first, last
}

func (w *boxSearch) run(iv geom.Interval) {
	first, last := w.seed(iv)
	for s := first; s <= last; s++ {
		a, b, pa, pb := w.c.part(s, iv)
		w.refine(s, a, b, pa, pb, maxHalvings)
	}
}

// refine makes outer contain the curve over [a, b], whose end points are in both boxes.
func (w *boxSearch) refine(s int, a, b float64, pa, pb geom.Vec3, depth int) {
	h := b - a
	slack := w.c.bend[s].Scale(h * h / 8)
	reach := geom.BoxOf(pa, pb)
	reach.Min, reach.Max = reach.Min.Sub(slack), reach.Max.Add(slack)
	tol := boundsSlack * w.inner.Diagonal()
	mid := a + 0.5*h
	if depth == 0 || !(mid > a && mid < b) || w.inner.Contains(reach.Min, tol) &&
		w.inner.Contains(reach.Max, tol) {
		w.outer = w.outer.Union(reach)
		return
	}
	pm := w.c.pointOn(s, w.c.local(s, mid))
	w.inner = w.inner.Add(pm)
	w.refine(s, a, mid, pa, pm, depth-1)
	w.refine(s, mid, b, pm, pb, depth-1)
}
