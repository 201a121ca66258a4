package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Closest point on a B-spline curve, by branch and bound.
//
// Method: a leaf's bound M of |C″| gives, over a range of length h, a lower bound of the distance (that
// of the chord minus M·h²/8), by which most leaves and halves are pruned without evaluation, and a
// test that the squared distance is convex: |C'|² > M·|C-p|, with |C'| at least the chord speed minus
// M·h/2. Where it is convex, Newton's method inside a bracket finds the one minimum; where it is not,
// the range is halved.
//
// So the closest branch is found for every point, up to ties: of two branches whose distances differ
// by less than tieMargin of the distance either may win. Cost: a few ns a leaf and about 0.3 µs for
// each leaf that is not pruned; points near a center of curvature, for which many branches tie, cost
// up to maxNodes evaluations a leaf. Nothing is allocated.

const (
	// tieMargin is the fraction of the best distance by which a branch must be able to improve it, to be searched.
	tieMargin = 1e-6
	// maxNodes limits the ranges that one inversion halves on one leaf. At the center of a circle about
	// √(1/(8·tieMargin)) = 350 ranges remain for every radian, times the square root of the slack in M.
	maxNodes = 1 << 12
)

// search is the state of one closest-point query.
type search struct {
	c     *BSpline
	p     geom.Vec3
	t     float64
	dist2 float64
	exact bool // t is a local minimum inside a leaf, not only a sampled point
	nodes int
}

func (q *search) try(t float64, at geom.Vec3) {
	if d := at.Dist2(q.p); d < q.dist2 {
		q.t, q.dist2, q.exact = t, d, false
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
	q := search{c: c, p: p, dist2: math.Inf(1)}
	dom := c.Domain()
	if !c.closed {
		iv = clip(iv, dom)
		q.run(iv)
	} else {
		length := dom.Length()
		iv.Hi = min(iv.Hi, iv.Lo+length)
		lo := dom.Wrap(iv.Lo)
		shift, hi := lo-iv.Lo, lo+(iv.Hi-iv.Lo)
		q.run(geom.Interval{Lo: lo, Hi: min(hi, dom.Hi)})
		if hi > dom.Hi {
			before := q.dist2
			q.run(geom.Interval{Lo: dom.Lo, Hi: hi - length})
			if q.dist2 < before {
				q.t += length
			}
		}
		q.t = iv.Clamp(q.t - shift)
	}
	if !q.exact && q.dist2 > 0 {
		if c.closed && iv.Length() >= dom.Length() {
			q.polish(geom.Unbounded) // a whole turn has no ends
			q.t, _ = within(q.t, iv, dom.Length())
		} else {
			q.polish(iv)
		}
	}
	return q.t, math.Sqrt(q.dist2)
}

// clip returns the part of iv inside dom, or the end of dom next to it if there is none.
func clip(iv, dom geom.Interval) geom.Interval {
	return geom.Interval{Lo: dom.Clamp(iv.Lo), Hi: dom.Clamp(iv.Hi)}
}

// run improves the search over iv, which lies inside the domain.
func (q *search) run(iv geom.Interval) {
	c := q.c
	if math.IsInf(q.dist2, 1) {
		q.t = iv.Lo // the result for a point that is not finite
	}
	best := -1
	leaves := c.grow()
	for i := range leaves {
		l := &leaves[i]
		if l.a < iv.Lo || l.a > iv.Hi {
			continue
		}
		if d := l.pa.Dist2(q.p); d < q.dist2 {
			q.t, q.dist2, q.exact = l.a, d, false
			best = i
		}
	}
	if best >= 0 {
		q.leaf(&leaves[best], iv)
	}
	for i := range leaves {
		l := &leaves[i]
		if i != best && l.a <= iv.Hi && l.b >= iv.Lo && boxDist2(&l.hull, q.p) < q.dist2 {
			q.leaf(l, iv)
		}
	}
}

// boxDist2 returns the squared distance from p to the box, 0 inside it.
func boxDist2(b *geom.Box, p geom.Vec3) float64 {
	x := max(0, b.Min.X-p.X, p.X-b.Max.X)
	y := max(0, b.Min.Y-p.Y, p.Y-b.Max.Y)
	z := max(0, b.Min.Z-p.Z, p.Z-b.Max.Z)
	return x*x + y*y + z*z
}

func (q *search) leaf(l *leaf, iv geom.Interval) {
	if a, b, pa, pb, ok := q.c.cut(l, iv); ok {
		q.try(a, pa)
		q.try(b, pb)
		q.nodes = 0
		q.refine(l, a, b, pa, pb)
	}
}

// refine searches for a better point on leaf l over [a, b], whose end points pa and pb were tested.
func (q *search) refine(l *leaf, a, b float64, pa, pb geom.Vec3) {
	h := b - a
	slack := l.norm * h * h / 8
	chord := pb.Sub(pa)
	length2 := chord.Norm2()
	x := 0.0
	if length2 > 0 {
		x = max(0, min(1, q.p.Sub(pa).Dot(chord)/length2))
	}
	reach := math.Sqrt(q.dist2)*(1-tieMargin) + slack
	if pa.AddScaled(x, chord).Dist2(q.p) >= reach*reach {
		return
	}
	speed := math.Sqrt(length2)/h - l.norm*h/2
	far := math.Sqrt(max(pa.Dist2(q.p), pb.Dist2(q.p))) + slack
	if speed > 0 && speed*speed > l.norm*far {
		const (
			clearly = 4    // times convex: Newton's error falls with the square of the step
			enough  = 1e-9 // of the range: a step after which the error is below rounding
		)
		last := 0.0
		if speed*speed > clearly*l.norm*far {
			last = enough * h
		}
		q.convex(l.piece, a, b, a+x*h, last)
		return
	}
	mid := a + 0.5*h
	if q.nodes++; q.nodes > maxNodes || !(mid > a && mid < b) {
		return
	}
	pm := q.c.pointOn(l.piece, q.c.local(l.piece, mid))
	q.try(mid, pm)
	if pa.Dist2(q.p) <= pb.Dist2(q.p) {
		q.refine(l, a, mid, pa, pm)
		q.refine(l, mid, b, pm, pb)
	} else {
		q.refine(l, mid, b, pm, pb)
		q.refine(l, a, mid, pa, pm)
	}
}

// convex finds the minimum over [a, b], on which the squared distance is convex. See risingRoot for enough.
func (q *search) convex(s int, a, b, start, enough float64) {
	c := q.c
	t := risingRoot(func(t float64) (v, dv float64) {
		at, d1, d2 := c.on(s, c.local(s, t))
		r := at.Sub(q.p)
		return d1.Dot(r), d1.Norm2() + d2.Dot(r)
	}, a, b, start, enough)
	before := q.dist2
	q.try(t, c.pointOn(s, c.local(s, t)))
	if q.dist2 < before {
		q.exact = t > a && t < b
	}
}

// polish follows the distance downhill by Newton steps from a point that is the end of a leaf, beyond
// which it may still fall by less than tieMargin, or that lies where the distance is not convex.
func (q *search) polish(iv geom.Interval) {
	const most = 20
	step := q.c.Domain().Length()
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
		before := q.dist2
		q.try(next, q.c.At(next))
		if q.dist2 == before {
			return
		}
	}
}
