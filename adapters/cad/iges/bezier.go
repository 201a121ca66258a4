package iges

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// A ruled surface joins two curves by lines. As a B-spline of degree 1 across, both need the same degree
// and knots: they are cut to rational Bézier pieces at the knots of either (Boehm's knot insertion), raised
// to the higher degree (P. J. Davis's binomial form) and joined again with knots of full multiplicity.
// Cost: linear in the pieces. Exact for lines, conic arcs other than hyperbolas and parabolas, and B-splines.

// hom is a homogeneous point: coordinates multiplied by the weight, and the weight.
type hom struct {
	p geom.Vec3
	w float64
}

func (a hom) lerp(b hom, t float64) hom {
	return hom{a.p.Scale(1-t).AddScaled(t, b.p), a.w*(1-t) + b.w*t}
}

// rational is a curve of Bézier pieces. Piece i covers breaks[i] to breaks[i+1]; the breaks are in [0, 1].
type rational struct {
	degree int
	breaks []float64
	pieces [][]hom
}

// rationalOf returns a piece of a curve in this form; ok is false for kinds without a rational form.
func rationalOf(p piece) (rational, bool) {
	var out rational
	switch c := p.c.(type) {
	case curve.Line:
		out = rational{1, []float64{0, 1}, [][]hom{{{c.At(p.iv.Lo), 1}, {c.At(p.iv.Hi), 1}}}}
	case curve.Circle:
		out = arcPieces(c.Frame, c.Radius, c.Radius, p.iv)
	case curve.Ellipse:
		out = arcPieces(c.Frame, c.Major, c.Minor, p.iv)
	case *curve.Polyline:
		if p.iv != c.Domain() {
			return out, false
		}
		points := c.Points()
		out.degree = 1
		for i := range points {
			out.breaks = append(out.breaks, float64(i)/float64(len(points)-1))
			if i > 0 {
				out.pieces = append(out.pieces, []hom{{points[i-1], 1}, {points[i], 1}})
			}
		}
	case *curve.BSpline:
		out = splinePieces(c, p.iv)
	default:
		return out, false
	}
	if p.reversed {
		out.reverse()
	}
	return out, true
}

func (r *rational) reverse() {
	slices.Reverse(r.pieces)
	for _, p := range r.pieces {
		slices.Reverse(p)
	}
	slices.Reverse(r.breaks)
	for i := range r.breaks {
		r.breaks[i] = 1 - r.breaks[i]
	}
}

// arcPieces cuts an elliptic arc into rational quadratics of at most a quarter turn (P&T 7.3).
func arcPieces(f geom.Frame, major, minor float64, iv geom.Interval) rational {
	n := max(1, int(math.Ceil(iv.Length()/(math.Pi/2)-1e-9)))
	step := iv.Length() / float64(n)
	at := func(t, stretch float64) geom.Vec3 {
		s, c := math.Sincos(t)
		return f.Point(geom.Vec3{X: major * c * stretch, Y: minor * s * stretch})
	}
	out := rational{degree: 2, breaks: []float64{0}}
	w := math.Cos(step / 2)
	for i := range n {
		a := iv.Lo + step*float64(i)
		out.breaks = append(out.breaks, float64(i+1)/float64(n))
		mid := at(a+step/2, 1/w)
		out.pieces = append(out.pieces, []hom{{at(a, 1), 1}, {mid.Scale(w), w}, {at(a+step, 1), 1}})
	}
	return out
}

// splinePieces cuts a B-spline over a range into its Bézier pieces.
func splinePieces(c *curve.BSpline, iv geom.Interval) rational {
	degree, knots := c.Degree(), slices.Clone(c.Knots().Flat())
	points := make([]hom, len(c.Points()))
	for i, p := range c.Points() {
		w := 1.0
		if c.Weights() != nil {
			w = c.Weights()[i]
		}
		points[i] = hom{p.Scale(w), w}
	}
	inner := curve.Breaks(nil, c, iv)
	out := rational{degree: degree, breaks: []float64{0}}
	ends := append(append([]float64{iv.Lo}, inner...), iv.Hi)
	for _, t := range knots[degree : len(knots)-degree] {
		if t > iv.Lo && t < iv.Hi {
			ends = append(ends, t)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	for i := 1; i < len(ends); i++ {
		bezier := make([]hom, degree+1)
		for j := range bezier {
			bezier[j] = blossom(degree, knots, points, ends[i-1], ends[i], j)
		}
		out.pieces = append(out.pieces, bezier)
		out.breaks = append(out.breaks, (ends[i]-iv.Lo)/iv.Length())
	}
	return out
}

// blossom evaluates the polar form of the spline's piece over [a, b]. j arguments are b and the other arguments a; the
// value is control point j of the Bézier form (L. Ramshaw).
func blossom(degree int, knots []float64, points []hom, a, b float64, j int) hom {
	span := degree
	for span < len(points)-1 && knots[span+1] <= a {
		span++
	}
	d := slices.Clone(points[span-degree : span+1])
	for level := 1; level <= degree; level++ {
		t := a
		if level <= j {
			t = b
		}
		for i := degree; i >= level; i-- {
			lo, hi := knots[span-degree+i], knots[span+1+i-level]
			d[i] = d[i-1].lerp(d[i], (t-lo)/(hi-lo))
		}
	}
	return d[degree]
}

// split cuts the pieces at t in (0, 1) by de Casteljau's method.
func (r *rational) split(t float64) {
	const same = 1e-12
	k := slices.IndexFunc(r.breaks, func(b float64) bool { return b > t-same })
	if k < 1 || math.Abs(r.breaks[k]-t) <= same {
		return
	}
	s := (t - r.breaks[k-1]) / (r.breaks[k] - r.breaks[k-1])
	left, right := slices.Clone(r.pieces[k-1]), slices.Clone(r.pieces[k-1])
	for level := 1; level <= r.degree; level++ {
		for i := 0; i <= r.degree-level; i++ {
			right[i] = right[i].lerp(right[i+1], s)
		}
		left[level] = right[0]
	}
	r.pieces[k-1] = right
	r.pieces = slices.Insert(r.pieces, k-1, left)
	r.breaks = slices.Insert(r.breaks, k, t)
}

// raise raises the degree of the pieces, one degree at a time.
func (r *rational) raise(degree int) {
	for ; r.degree < degree; r.degree++ {
		for k, p := range r.pieces {
			n := len(p)
			up := make([]hom, n+1)
			up[0], up[n] = p[0], p[n-1]
			for i := 1; i < n; i++ {
				up[i] = p[i].lerp(p[i-1], float64(i)/float64(n))
			}
			r.pieces[k] = up
		}
	}
}

// ruled returns the surface of the lines between points of equal relative parameter on a and b: v = 0 is a.
func ruled(a, b rational) (*surface.BSpline, error) {
	for _, t := range slices.Clone(b.breaks) {
		a.split(t)
	}
	for _, t := range slices.Clone(a.breaks) {
		b.split(t)
	}
	degree := max(a.degree, b.degree)
	a.raise(degree)
	b.raise(degree)
	var points []geom.Vec3
	var weights []float64
	for k := range min(len(a.pieces), len(b.pieces)) {
		for i := range a.pieces[k] {
			if i == 0 && k > 0 {
				continue
			}
			for _, h := range []hom{a.pieces[k][i], b.pieces[k][i]} {
				points, weights = append(points, h.p.Scale(1/h.w)), append(weights, h.w)
			}
		}
	}
	return surface.NewBSpline(degree, 1, fullKnots(a.breaks, degree), []float64{0, 0, 1, 1}, points, weights)
}
