package tensor

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// Exact boxes of a net over a parameter rectangle, by branch and bound on Bézier patches.
//
// Method: a coordinate of a patch lies between the smallest and the largest of its control values, and takes the values
// of its corners. For each side of the box, patches that cannot beat the best corner by more than extentMargin of the
// size are settled; the others are halved by de Casteljau's algorithm (Farin, Curves and Surfaces for CAGD, 5th ed.,
// ch. 4 and 14). The hull converges with the square of the patch size, so an isolated extremum takes about a dozen
// halvings and one along a line some hundred patches. Past maxHalves patches the hulls are used unchanged: the box may
// then be too large, never too small.

const (
	extentMargin = 1e-7 // of the size of the control points in the coordinate
	maxHalves    = 1 << 14
	maxSplits    = 40 // of one patch; 2^-20 of a side is below extentMargin for any curvature
)

// Bounds returns the box of the surface over u × v, which must lie inside the domain.
func (n *Net) Bounds(u, v geom.Interval) geom.Box {
	su, sv := newStrip(n.U, u, nil), newStrip(n.V, v, nil)
	p, q := n.U.Degree()+1, n.V.Degree()+1
	count := len(su.piece) * len(sv.piece)
	e := extent{p: p, q: q, initial: count}
	for axis := range e.value {
		e.value[axis] = make([]float64, 0, count*p*q)
	}
	n.patches(&su, &sv, func(_, _ int, net []bspline.Hom) {
		for _, h := range net {
			e.value[0] = append(e.value[0], h.X)
			e.value[1] = append(e.value[1], h.Y)
			e.value[2] = append(e.value[2], h.Z)
			e.value[3] = append(e.value[3], h.W)
		}
	})
	x, y, z := e.axis(0), e.axis(1), e.axis(2)
	return geom.Box{Min: geom.Vec3{X: x.Lo, Y: y.Lo, Z: z.Lo}, Max: geom.Vec3{X: x.Hi, Y: y.Hi, Z: z.Hi}}
}

// extent contains the control values of the patches, coordinate by coordinate and the weight last, with space for the
// halves of the patch being split.
type extent struct {
	p, q     int
	initial  int
	value    [4][]float64
	num, den []float64 // stack of patches: control values and weights
	depth    []int
}

func (e *extent) axis(axis int) geom.Interval {
	lo := e.highest(axis, -1)
	hi := e.highest(axis, 1)
	return geom.Interval{Lo: -lo, Hi: hi}
}

// highest returns the maximum of sign times the coordinate.
func (e *extent) highest(axis int, sign float64) float64 {
	size := e.p * e.q
	e.num, e.den, e.depth = e.num[:0], e.den[:0], e.depth[:0]
	best, least := math.Inf(-1), math.Inf(1)
	for k := range e.initial {
		for c := k * size; c < (k+1)*size; c++ {
			e.num = append(e.num, sign*e.value[axis][c])
			e.den = append(e.den, e.value[3][c])
			least = min(least, e.num[c]/e.den[c])
		}
		e.depth = append(e.depth, 0)
		best = max(best, e.corner(k))
	}
	outer := best
	for halves := 0; len(e.depth) > 0; {
		top := len(e.depth) - 1
		bound := e.hull(top)
		depth := e.depth[top]
		if tol := extentMargin * (best - least); bound <= best+tol || depth >= maxSplits || halves >= maxHalves {
			outer = max(outer, bound)
			e.num, e.den, e.depth = e.num[:top*size], e.den[:top*size], e.depth[:top]
			continue
		}
		halves++
		e.split(top)
		best = max(best, e.corner(top), e.corner(top+1))
	}
	return max(outer, best)
}

// corner returns the largest value at the corners of patch k of the stack.
func (e *extent) corner(k int) float64 {
	at := func(c int) float64 { return e.num[k*e.p*e.q+c] / e.den[k*e.p*e.q+c] }
	last := e.p*e.q - 1
	return max(at(0), at(e.q-1), at(last-e.q+1), at(last))
}

// hull returns the largest control value of patch k.
func (e *extent) hull(k int) float64 {
	h := math.Inf(-1)
	for c := k * e.p * e.q; c < (k+1)*e.p*e.q; c++ {
		h = max(h, e.num[c]/e.den[c])
	}
	return h
}

// split replaces the top patch k by its halves k and k+1, across the side along which its control
// values vary more.
func (e *extent) split(k int) {
	size := e.p * e.q
	base := k * size
	e.num = append(e.num, e.num[base:]...)
	e.den = append(e.den, e.den[base:]...)
	e.depth[k]++
	e.depth = append(e.depth, e.depth[k])
	lines, lineStride, stride, count := e.q, 1, e.q, e.p
	if e.variation(base, e.p, e.q, 1, e.q) > e.variation(base, e.q, 1, e.q, e.p) {
		lines, lineStride, stride, count = e.p, e.q, 1, e.q
	}
	for l := range lines {
		for _, w := range [2][]float64{e.num, e.den} {
			casteljau(w, base+l*lineStride, base+size+l*lineStride, stride, count)
		}
	}
}

// casteljau halves one control polygon in place: the left half at lo, the right half at hi. At first both contain the
// whole.
func casteljau(w []float64, lo, hi, stride, count int) {
	for step := 1; step < count; step++ {
		for r := 0; r < count-step; r++ {
			w[hi+r*stride] = 0.5 * (w[hi+r*stride] + w[hi+(r+1)*stride])
		}
		w[lo+step*stride] = w[hi]
	}
}

// variation sums the steps of the control values along count points of lines polygons.
func (e *extent) variation(base, lines, lineStride, stride, count int) (s float64) {
	for l := range lines {
		for c := 1; c < count; c++ {
			a := base + l*lineStride + c*stride
			s += math.Abs(e.num[a]/e.den[a] - e.num[a-stride]/e.den[a-stride])
		}
	}
	return s
}
