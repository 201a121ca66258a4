package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// splineCurve reads a rational B-spline curve (126).
func (r *reader) splineCurve(e *deck.Entity, p deck.Params) (piece, error) {
	k, degree := p.Int(), p.Int()
	p.Skip(1) // planar
	isClosed := p.Bool()
	p.Skip(2) // polynomial, periodic: the weights and the knots show both
	if err := r.checkDegree(e, &p, degree, k); err != nil {
		return piece{}, err
	}
	n := k + 1
	knots, weights, xyz := make([]float64, n+degree+1), make([]float64, n), make([]float64, 3*n)
	p.Reals(knots)
	p.Reals(weights)
	p.Reals(xyz)
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	r.fillWeights(e, weights)
	lo, hi := p.RealOr(knots[degree]), p.RealOr(knots[n])
	points := r.points(xyz)
	if n == 2 && degree == 1 && weights[0] == weights[1] && knots[1] < knots[2] {
		at := func(t float64) geom.Vec3 {
			s := (min(max(t, knots[1]), knots[2]) - knots[1]) / (knots[2] - knots[1])
			return points[0].Lerp(points[1], s)
		}
		if !(lo < hi) {
			lo, hi = knots[1], knots[2]
		}
		one := segment(at(lo), at(hi))
		one.file = geom.Interval{Lo: lo, Hi: hi}
		return one, nil
	}
	knots, kept := r.effective(e, knots, degree)
	points, weights = pick(points, kept), pick(weights, kept)
	c, err := curve.NewBSpline(degree, knots, points, weights, isClosed)
	if err != nil {
		return piece{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return piece{c: c, iv: within(c.Domain(), lo, hi)}, nil
}

// within returns the range lo … hi cut to a domain, or the domain where nothing sensible is left.
func within(domain geom.Interval, lo, hi float64) geom.Interval {
	slack := 1e-9 * domain.Length() // rounding of the written ends
	iv := geom.Interval{Lo: max(lo, domain.Lo), Hi: min(hi, domain.Hi)}
	if iv.Lo-domain.Lo <= slack {
		iv.Lo = domain.Lo
	}
	if domain.Hi-iv.Hi <= slack {
		iv.Hi = domain.Hi
	}
	if !(iv.Hi-iv.Lo > slack) {
		return domain
	}
	return iv
}

// checkDegree rejects unreadable degrees, and numbers of control points that exceed the record.
func (r *reader) checkDegree(e *deck.Entity, p *deck.Params, degree, upper int) error {
	switch {
	case p.Err() != nil:
		return p.Err()
	case degree < 1 || degree > bspline.MaxDegree:
		return deck.Fail(e, "has degree %d; 1 to %d can be read", degree, bspline.MaxDegree)
	case upper < degree:
		return deck.Fail(e, "has %d control points, too few for degree %d", upper+1, degree)
	case upper >= p.Remaining():
		return deck.Fail(e, "counts more control points than it has")
	}
	return nil
}

// points makes points of coordinates in the file's unit.
func (r *reader) points(xyz []float64) []geom.Vec3 {
	out := make([]geom.Vec3, len(xyz)/3)
	for i := range out {
		out[i] = geom.Vec3{X: xyz[3*i], Y: xyz[3*i+1], Z: xyz[3*i+2]}.Scale(r.mm)
	}
	return out
}

// collapse merges knots that differ by rounding only: writers print six digits or more, and smaller differences would
// make pieces of zero length.
func collapse(knots []float64, degree int) []float64 {
	const rounding = 1e-10 // of the domain
	slack := rounding * math.Abs(knots[len(knots)-degree-1]-knots[degree])
	for i := 1; i < len(knots); i++ {
		if d := knots[i] - knots[i-1]; d != 0 && math.Abs(d) <= slack {
			knots[i] = knots[i-1]
		}
	}
	return knots
}

// fillWeights sets all weights to 1 if the file omits all of them.
func (r *reader) fillWeights(e *deck.Entity, weights []float64) {
	for _, w := range weights {
		if w != 0 {
			return
		}
	}
	r.warn("missing_weights", "%s has no weights; equal ones were taken", deck.Describe(e))
	for i := range weights {
		weights[i] = 1
	}
}

// effective returns the knots without excess multiplicity, and the indices of the control points that have an effect.
// The multiplicity of a knot is at most degree + 1; for each excess knot, the support of one basis function is empty.
func (r *reader) effective(e *deck.Entity, knots []float64, degree int) (kept []float64, points []int) {
	knots = collapse(knots, degree)
	n := len(knots) - degree - 1
	points = make([]int, 0, n)
	for i := range n {
		if knots[i] != knots[i+degree+1] {
			points = append(points, i)
		}
	}
	if len(points) == n {
		return knots, points
	}
	r.warn("needless_knots", "%s repeats knots so often that control points have no effect; they were left out",
		deck.Describe(e))
	for _, i := range points {
		kept = append(kept, knots[i])
	}
	return append(kept, knots[n:]...), points
}

// pick returns the values at the given indices.
func pick[T any](values []T, at []int) []T {
	if len(at) == len(values) {
		return values
	}
	out := make([]T, len(at))
	for i, k := range at {
		out[i] = values[k]
	}
	return out
}

// splineSurface reads a rational B-spline surface (128), whose control points come with the first index
// running fastest.
func (r *reader) splineSurface(e *deck.Entity, p deck.Params) (patch, error) {
	k1, k2, m1, m2 := p.Int(), p.Int(), p.Int(), p.Int()
	p.Skip(5) // closed, polynomial, periodic: the weights and the knots show them
	if err := r.checkDegree(e, &p, m1, k1); err != nil {
		return patch{}, err
	}
	if err := r.checkDegree(e, &p, m2, k2); err != nil {
		return patch{}, err
	}
	nu, nv := k1+1, k2+1
	if nu*nv >= p.Remaining() {
		return patch{}, deck.Fail(e, "counts more control points than it has")
	}
	s, t := make([]float64, nu+m1+1), make([]float64, nv+m2+1)
	w, xyz := make([]float64, nu*nv), make([]float64, 3*nu*nv)
	p.Reals(s)
	p.Reals(t)
	p.Reals(w)
	p.Reals(xyz)
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	r.fillWeights(e, w)
	file := r.points(xyz)
	s, keptU := r.effective(e, s, m1)
	t, keptV := r.effective(e, t, m2)
	points, weights := make([]geom.Vec3, 0, nu*nv), make([]float64, 0, nu*nv)
	for _, i := range keptU {
		for _, j := range keptV {
			points, weights = append(points, file[j*nu+i]), append(weights, w[j*nu+i])
		}
	}
	srf, err := surface.NewBSpline(m1, m2, s, t, points, weights)
	if err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	u, v := srf.Domain()
	ends := [4]float64{u.Lo, u.Hi, v.Lo, v.Hi}
	for i := range ends {
		ends[i] = p.RealOr(ends[i])
	}
	out := whole(srf)
	out.u, out.v = within(u, ends[0], ends[1]), within(v, ends[2], ends[3])
	out.params = &plane{first: same(u), second: same(v)}
	return out, p.Err()
}

// parametricSpline reads a piecewise cubic curve (112) as a B-spline with knots of full multiplicity.
func (r *reader) parametricSpline(e *deck.Entity, p deck.Params) (piece, error) {
	p.Skip(3) // type, continuity, dimensions: all three coordinates are written
	n := p.Count(13)
	breaks := make([]float64, n+1)
	p.Reals(breaks)
	points := make([]geom.Vec3, 0, 3*n+1)
	for i := range n {
		var k [12]float64
		p.Reals(k[:])
		h := breaks[i+1] - breaks[i]
		var bezier [4]geom.Vec3
		for j := range bezier {
			bezier[j] = geom.Vec3{X: bernstein(k[0:4], h)[j], Y: bernstein(k[4:8], h)[j], Z: bernstein(k[8:12], h)[j]}
		}
		if i == 0 {
			points = append(points, bezier[0].Scale(r.mm))
		}
		for _, b := range bezier[1:] {
			points = append(points, b.Scale(r.mm))
		}
	}
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	c, err := curve.NewBSpline(3, fullKnots(breaks, 3), points, nil, false)
	if err != nil {
		return piece{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return piece{c: c, iv: c.Domain()}, nil
}

// bernstein returns the Bézier ordinates over [0, h] of the cubic with these power coefficients.
func bernstein(k []float64, h float64) [4]float64 {
	b, c, d := k[1]*h, k[2]*h*h, k[3]*h*h*h
	return [4]float64{k[0], k[0] + b/3, k[0] + 2*b/3 + c/3, k[0] + b + c + d}
}

// fullKnots is the knot vector of Bézier pieces joined at the breaks.
func fullKnots(breaks []float64, degree int) []float64 {
	if len(breaks) == 0 {
		return nil
	}
	knots := []float64{breaks[0]}
	for _, b := range breaks {
		for range degree {
			knots = append(knots, b)
		}
	}
	return append(knots, breaks[len(breaks)-1])
}

// parametricSplineSurface reads a grid of bicubic patches (114) as a B-spline surface with knots of full multiplicity.
// The record contains one more row and column of patches, which are not used.
func (r *reader) parametricSplineSurface(e *deck.Entity, p deck.Params) (patch, error) {
	p.Skip(2) // type, patch type
	m, n := p.Count(1), p.Count(1)
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	const perPatch = 48
	if m < 1 || n < 1 || m > p.Remaining()/perPatch || n > p.Remaining()/(perPatch*m) {
		return patch{}, deck.Fail(e, "counts more patches than it has")
	}
	tu, tv := make([]float64, m+1), make([]float64, n+1)
	p.Reals(tu)
	p.Reals(tv)
	nv := 3*n + 1
	points := make([]geom.Vec3, (3*m+1)*nv)
	for i := range m {
		for j := range n {
			var k [perPatch]float64
			p.Reals(k[:])
			x, y, z := bicubic(k[:16], tu[i+1]-tu[i], tv[j+1]-tv[j]), bicubic(k[16:32], tu[i+1]-tu[i], tv[j+1]-tv[j]),
				bicubic(k[32:], tu[i+1]-tu[i], tv[j+1]-tv[j])
			for a := range 4 {
				for b := range 4 {
					points[(3*i+a)*nv+3*j+b] = geom.Vec3{X: x[a][b], Y: y[a][b], Z: z[a][b]}.Scale(r.mm)
				}
			}
		}
		p.Skip(perPatch)
	}
	if err := p.Err(); err != nil {
		return patch{}, err
	}
	s, err := surface.NewBSpline(3, 3, fullKnots(tu, 3), fullKnots(tv, 3), points, nil)
	if err != nil {
		return patch{}, deck.Fail(e, "has no valid geometry: %v", err)
	}
	return parametrized(s), nil
}

// bicubic returns the Bézier ordinates over [0, hu] × [0, hv] of the power coefficients k. In k, the power of u varies
// fastest.
func bicubic(k []float64, hu, hv float64) (out [4][4]float64) {
	var rows [4][4]float64 // by power of v: ordinates in u
	for j := range rows {
		rows[j] = bernstein(k[4*j:4*j+4], hu)
	}
	for i := range out {
		out[i] = bernstein([]float64{rows[0][i], rows[1][i], rows[2][i], rows[3][i]}, hv)
	}
	return out
}
