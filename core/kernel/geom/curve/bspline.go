package curve

import (
	"errors"
	"fmt"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// BSpline is a B-spline curve, polynomial or rational.
//
// Every piece is stored in Bézier form and evaluated by de Casteljau's algorithm with the lower levels contracted:
// Bernstein weights of degree p-2 give the last three points, from which point and both derivatives follow. This needs
// no division except the rational one, and about 3·degree multiplications per coordinate. Outside its domain, an open
// curve continues its end pieces and a closed curve repeats.
type BSpline struct {
	knots   *bspline.Knots
	points  []geom.Vec3
	weights []float64 // nil for a polynomial curve
	closed  bool
	bezier  []geom.Vec3 // degree+1 points for each piece, multiplied by their weights
	bezierW []float64   // their weights, nil for a polynomial curve
	perUnit []float64   // one over the length of each piece

	grown  sync.Once
	leaves []leaf // filled by grow
}

// NewBSpline checks and builds a curve from a flat knot vector (len(points)+degree+1 knots). Equal weights are dropped.
// closed is the flag of the file. The curve is periodic if its ends meet within geom.Resolution, or within the default
// tolerance if closed is set. The curve keeps the slices points and weights; the caller must not modify them.
func NewBSpline(degree int, knots []float64, points []geom.Vec3, weights []float64, closed bool) (
	*BSpline, error,
) {
	k, err := bspline.NewKnots(degree, len(points), knots)
	if err != nil {
		return nil, fmt.Errorf("spline curve: %w", err)
	}
	if err := checkControl(points, weights); err != nil {
		return nil, err
	}
	if !bspline.IsRational(weights) {
		weights = nil
	}
	c := newBSpline(k, points, weights, closed)
	gap := geom.Resolution
	if closed {
		gap = geom.DefaultTolerance.Length
	}
	c.closed = c.control(0).Dist(c.control(len(c.bezier)-1)) <= gap && geom.BoxOf(points...).Diagonal() > 2*gap
	return c, nil
}

func checkControl(points []geom.Vec3, weights []float64) error {
	if err := bspline.CheckWeights(len(points), weights); err != nil {
		return fmt.Errorf("spline curve: %w", err)
	}
	if !bspline.CheckPoints(points) {
		return errors.New("spline curve: a control point is not finite")
	}
	return nil
}

// RestoreBSpline rebuilds a curve from its knots, control points and weights (nil for a polynomial one), periodic if
// closed: every figure of it is the same to the last bit.
func RestoreBSpline(k *bspline.Knots, points []geom.Vec3, weights []float64, closed bool) (*BSpline, error) {
	if len(points) != k.Points() {
		return nil, fmt.Errorf("spline curve: %d control points do not fit knots for %d", len(points), k.Points())
	}
	if err := checkControl(points, weights); err != nil {
		return nil, err
	}
	return newBSpline(k, points, weights, closed), nil
}

func newBSpline(k *bspline.Knots, points []geom.Vec3, weights []float64, closed bool) *BSpline {
	c := &BSpline{knots: k, points: points, weights: weights, closed: closed}
	c.extract()
	return c
}

// control returns Bézier point i in space.
func (c *BSpline) control(i int) geom.Vec3 {
	if c.bezierW == nil {
		return c.bezier[i]
	}
	return c.bezier[i].Scale(1 / c.bezierW[i])
}

// extract fills the Bézier form.
func (c *BSpline) extract() {
	k, order := c.knots, c.knots.Degree()+1
	n := k.Pieces()
	c.bezier = make([]geom.Vec3, 0, n*order)
	c.perUnit = make([]float64, n)
	matrix := make([]float64, order*order)
	for s := range n {
		k.Extraction(s, matrix)
		c.perUnit[s] = 1 / (k.Breaks()[s+1] - k.Breaks()[s])
		first := k.PieceSpan(s) - order + 1
		for j := range order {
			var p geom.Vec3
			w := 0.0
			for r, f := range matrix[j*order : (j+1)*order] {
				if f == 0 {
					continue
				}
				if c.weights != nil {
					f *= c.weights[first+r]
					w += f
				}
				p = p.AddScaled(f, c.points[first+r])
			}
			c.bezier = append(c.bezier, p)
			if c.weights != nil {
				c.bezierW = append(c.bezierW, w)
			}
		}
	}
}

// Kind returns KindBSpline.
func (c *BSpline) Kind() Kind { return KindBSpline }

// Domain returns the parameter range of the knots.
func (c *BSpline) Domain() geom.Interval { return c.knots.Domain() }

// Period returns the length of the domain of a closed curve, 0 for an open one.
func (c *BSpline) Period() float64 {
	if c.closed {
		return c.Domain().Length()
	}
	return 0
}

// Degree returns the polynomial degree.
func (c *BSpline) Degree() int { return c.knots.Degree() }

// Knots returns the knot vector.
func (c *BSpline) Knots() *bspline.Knots { return c.knots }

// Points returns the control points; they must not be modified.
func (c *BSpline) Points() []geom.Vec3 { return c.points }

// Weights returns the weights of the control points, nil for a polynomial curve; they must not be
// modified.
func (c *BSpline) Weights() []float64 { return c.weights }

// locate returns the piece of t and the parameter on it, 0 at its start and 1 at its end.
func (c *BSpline) locate(t float64) (s int, x float64) {
	if c.closed {
		if dom := c.Domain(); t < dom.Lo || t > dom.Hi {
			t = dom.Wrap(t)
		}
	}
	s = c.knots.Piece(t)
	return s, c.local(s, t)
}

// local returns the parameter on piece s, exact at both ends.
func (c *BSpline) local(s int, t float64) float64 {
	if b := c.knots.Breaks(); t != b[s+1] {
		return (t - b[s]) * c.perUnit[s]
	}
	return 1
}

// bernstein writes the Bernstein polynomials of degree n at x (P&T A1.3).
func bernstein(n int, x float64, w *bspline.Row) {
	w[0] = 1
	y := 1 - x
	for j := 1; j <= n; j++ {
		saved := 0.0
		for r, v := range w[:j] {
			w[r] = saved + y*v
			saved = x * v
		}
		w[j] = saved
	}
}

// At returns the point at t.
func (c *BSpline) At(t float64) geom.Vec3 { return c.pointOn(c.locate(t)) }

func (c *BSpline) pointOn(s int, x float64) geom.Vec3 {
	p := c.knots.Degree()
	var b bspline.Row
	bernstein(p, x, &b)
	var a geom.Vec3
	base := s * (p + 1)
	for i, q := range c.bezier[base : base+p+1] {
		a = a.AddScaled(b[i], q)
	}
	if c.bezierW == nil {
		return a
	}
	w := 0.0
	for i, v := range c.bezierW[base : base+p+1] {
		w += b[i] * v
	}
	return a.Scale(1 / w)
}

// D1 returns the point and the first derivative at t; at a knot the one to the right.
func (c *BSpline) D1(t float64) (p, d1 geom.Vec3) {
	p, d1, _ = c.on(c.locate(t))
	return p, d1
}

// D2 returns the point, first and second derivative at t; at a knot the ones to the right.
func (c *BSpline) D2(t float64) (p, d1, d2 geom.Vec3) { return c.on(c.locate(t)) }

// on evaluates piece s at its own parameter x; the derivatives are with respect to t.
func (c *BSpline) on(s int, x float64) (p, d1, d2 geom.Vec3) {
	a, a1, a2 := c.levels(s, x)
	if c.bezierW == nil {
		return a, a1, a2
	}
	w, w1, w2 := c.weightLevels(s, x)
	hom := func(v geom.Vec3, w float64) bspline.Hom { return bspline.Hom{X: v.X, Y: v.Y, Z: v.Z, W: w} }
	return bspline.Quotient2(hom(a, w), hom(a1, w1), hom(a2, w2))
}

// levels returns value, first and second derivative by t of the homogeneous coordinates.
func (c *BSpline) levels(s int, x float64) (a, a1, a2 geom.Vec3) {
	p := c.knots.Degree()
	pts := c.bezier[s*(p+1):][:p+1]
	f := float64(p) * c.perUnit[s]
	if p == 1 {
		return pts[0].Scale(1-x).AddScaled(x, pts[1]), pts[1].Sub(pts[0]).Scale(f), a2
	}
	var b bspline.Row
	bernstein(p-2, x, &b)
	var q0, q1, q2 geom.Vec3
	for i, w := range b[:p-1] {
		q0 = q0.AddScaled(w, pts[i])
		q1 = q1.AddScaled(w, pts[i+1])
		q2 = q2.AddScaled(w, pts[i+2])
	}
	e0, e1 := q1.Sub(q0), q2.Sub(q1)
	y := 1 - x
	a = q0.Scale(y*y).AddScaled(2*x*y, q1).AddScaled(x*x, q2)
	return a, e0.Scale(f*y).AddScaled(f*x, e1), e1.Sub(e0).Scale(f * float64(p-1) * c.perUnit[s])
}

// weightLevels is levels for the weight.
func (c *BSpline) weightLevels(s int, x float64) (w, w1, w2 float64) {
	p := c.knots.Degree()
	ws := c.bezierW[s*(p+1):][:p+1]
	f := float64(p) * c.perUnit[s]
	y := 1 - x
	if p == 1 {
		return y*ws[0] + x*ws[1], (ws[1] - ws[0]) * f, 0
	}
	var b bspline.Row
	bernstein(p-2, x, &b)
	var q0, q1, q2 float64
	for i, v := range b[:p-1] {
		q0 += v * ws[i]
		q1 += v * ws[i+1]
		q2 += v * ws[i+2]
	}
	e0, e1 := q1-q0, q2-q1
	return y*y*q0 + 2*x*y*q1 + x*x*q2, f * (y*e0 + x*e1), f * float64(p-1) * c.perUnit[s] * (e1 - e0)
}

// d3 returns the third derivative. The last four points of de Casteljau's algorithm three levels below the top give the
// derivative of the homogeneous coordinates, and the quotient rule (P&T eq. 4.8) the one in space.
func (c *BSpline) d3(t float64) geom.Vec3 {
	p := c.knots.Degree()
	s, x := c.locate(t)
	var a3 geom.Vec3
	w3 := 0.0
	if p >= 3 {
		var b bspline.Row
		bernstein(p-3, x, &b)
		f := float64(p*(p-1)*(p-2)) * c.perUnit[s] * c.perUnit[s] * c.perUnit[s]
		base := s * (p + 1)
		for i, w := range b[:p-2] {
			w *= f
			q := c.bezier[base+i:]
			a3 = a3.AddScaled(w, q[3].Sub(q[0]).AddScaled(3, q[1].Sub(q[2])))
			if c.bezierW != nil {
				v := c.bezierW[base+i:]
				w3 += w * (v[3] - v[0] + 3*(v[1]-v[2]))
			}
		}
	}
	if c.bezierW == nil {
		return a3
	}
	at, d1, d2 := c.on(s, x)
	w, w1, w2 := c.weightLevels(s, x)
	return a3.AddScaled(-3*w1, d2).AddScaled(-3*w2, d1).AddScaled(-w3, at).Scale(1 / w)
}

// Breaks appends the knots strictly inside iv, repeated over the periods of a closed curve.
func (c *BSpline) Breaks(dst []float64, iv geom.Interval) []float64 {
	return periodicBreaks(dst, c.knots.Breaks(), iv, c.Period())
}

// Transform returns the image with the same parametrization.
func (c *BSpline) Transform(m geom.Transform) Curve {
	points := make([]geom.Vec3, len(c.points))
	for i, p := range c.points {
		points[i] = m.Point(p)
	}
	return newBSpline(c.knots, points, c.weights, c.closed)
}
