// Package tensor evaluates tensor-product B-spline nets, rational or not, and bounds them: exact
// boxes over parameter rectangles and a tree of boxes to search for closest points.
//
// A net has control points P[i][j], i along u and j along v, stored row by row: points[i·nv+j].
package tensor

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/bspline"
)

// Net is a tensor-product B-spline. It is immutable and safe for concurrent use.
type Net struct {
	U, V *bspline.Knots
	poly []geom.Vec3   // the control points of a polynomial net, else nil
	hom  []bspline.Hom // the points of a rational net, else nil

	once  sync.Once
	cells *LeafGrid
}

// Jet is a surface point with its partial derivatives up to the second order.
type Jet struct{ P, Du, Dv, Duu, Duv, Dvv geom.Vec3 }

// New validates and copies a net. Nil or equal weights make it polynomial.
func New(degU, degV int, knotsU, knotsV []float64, points []geom.Vec3, weights []float64) (*Net, error) {
	nu, nv := len(knotsU)-degU-1, len(knotsV)-degV-1
	if nu < 1 || nv < 1 || len(points)%nu != 0 || len(points)/nu != nv {
		return nil, fmt.Errorf("%d control points do not fit %d and %d knots of degrees %d and %d",
			len(points), len(knotsU), len(knotsV), degU, degV)
	}
	u, err := bspline.NewKnots(degU, nu, knotsU)
	if err != nil {
		return nil, fmt.Errorf("in u: %w", err)
	}
	v, err := bspline.NewKnots(degV, nv, knotsV)
	if err != nil {
		return nil, fmt.Errorf("in v: %w", err)
	}
	if !bspline.CheckPoints(points) {
		return nil, errors.New("a control point is not finite")
	}
	if err := bspline.CheckWeights(len(points), weights); err != nil {
		return nil, err
	}
	n := &Net{U: u, V: v}
	if bspline.IsRational(weights) {
		n.hom = bspline.LiftNet(points, weights)
	} else {
		n.poly = append([]geom.Vec3(nil), points...)
	}
	return n, nil
}

// ControlPoints returns the points of a polynomial net or the homogeneous ones of a rational net, the other nil.
// Neither may be modified.
func (n *Net) ControlPoints() ([]geom.Vec3, []bspline.Hom) { return n.poly, n.hom }

// Restore builds the net that had these knots and ControlPoints.
func Restore(u, v *bspline.Knots, poly []geom.Vec3, hom []bspline.Hom) (*Net, error) {
	if want := u.Points() * v.Points(); len(poly)+len(hom) != want || min(len(poly), len(hom)) != 0 {
		return nil, fmt.Errorf("%d points and %d homogeneous points do not fit a net of %d", len(poly), len(hom), want)
	}
	if !bspline.CheckPoints(poly) {
		return nil, errors.New("a control point is not finite")
	}
	for _, h := range hom {
		if !h.Vec().IsFinite() || !(h.W > 0) || math.IsInf(h.W, 0) {
			return nil, errors.New("a control point is not finite or its weight not positive")
		}
	}
	return &Net{U: u, V: v, poly: poly, hom: hom}, nil
}

// Transform returns the net of the image.
func (n *Net) Transform(m geom.Transform) *Net {
	r := &Net{U: n.U, V: n.V}
	if n.hom != nil {
		r.hom = make([]bspline.Hom, len(n.hom))
		for i, h := range n.hom {
			r.hom[i] = bspline.Lift(m.Point(h.Point()), h.W)
		}
		return r
	}
	r.poly = make([]geom.Vec3, len(n.poly))
	for i, p := range n.poly {
		r.poly[i] = m.Point(p)
	}
	return r
}

// Rational reports whether the net has weights that differ.
func (n *Net) Rational() bool { return n.hom != nil }

// WeightRatio returns the largest weight over the smallest, 1 for a polynomial net.
func (n *Net) WeightRatio() float64 {
	lo, hi := 1.0, 1.0
	for i, h := range n.hom {
		if i == 0 {
			lo, hi = h.W, h.W
		}
		lo, hi = min(lo, h.W), max(hi, h.W)
	}
	return hi / lo
}

// control returns control point k of the row-major net in homogeneous coordinates.
func (n *Net) control(k int) bspline.Hom {
	if n.hom != nil {
		return n.hom[k]
	}
	return bspline.Lift(n.poly[k], 1)
}

// Hull returns the box of the control points, which contains the surface.
func (n *Net) Hull() geom.Box {
	b := geom.EmptyBox()
	for k := range len(n.hom) + len(n.poly) {
		b = b.Add(n.control(k).Point())
	}
	return b
}

// Controls returns the number of control points.
func (n *Net) Controls() int { return n.U.Points() * n.V.Points() }

// Nearest returns the parameters (Greville abscissae) of the control point nearest to p.
func (n *Net) Nearest(p geom.Vec3) geom.Vec2 {
	best, nearest := 0, math.Inf(1)
	for k := range n.Controls() {
		if d := n.control(k).Point().Dist2(p); d < nearest {
			best, nearest = k, d
		}
	}
	nv := n.V.Points()
	return geom.Vec2{X: greville(n.U, best/nv), Y: greville(n.V, best%nv)}
}

// greville returns the mean of the inner knots of basis function i, near its maximum.
func greville(k *bspline.Knots, i int) float64 {
	sum := 0.0
	for _, t := range k.Flat()[i+1 : i+k.Degree()+1] {
		sum += t
	}
	return k.Domain().Clamp(sum / float64(max(1, k.Degree())))
}

// IsoControl returns the control points of the iso-curve u = t (or v = t when alongU, the curve that
// runs along u).
func (n *Net) IsoControl(alongU bool, t float64) []geom.Vec3 {
	points, _ := n.IsoCurve(alongU, t)
	return points
}

// IsoCurve returns the control points of the same curve with their weights, nil when it has no weights. Its knots are
// the knots of its direction.
func (n *Net) IsoCurve(alongU bool, t float64) (points []geom.Vec3, weights []float64) {
	across, along := n.U, n.V
	strideAcross, strideAlong := n.V.Points(), 1
	if alongU {
		across, along = n.V, n.U
		strideAcross, strideAlong = 1, n.V.Points()
	}
	var row bspline.Row
	span := across.Span(t)
	across.Basis(span, t, &row)
	first := span - across.Degree()
	points = make([]geom.Vec3, along.Points())
	if n.hom != nil {
		weights = make([]float64, along.Points())
	}
	for k := range points {
		var h bspline.Hom
		for r, w := range row[:across.Degree()+1] {
			h = h.AddScaled(w, n.control((first+r)*strideAcross+k*strideAlong))
		}
		points[k] = h.Point()
		if weights != nil {
			weights[k] = h.W
		}
	}
	return points, weights
}
