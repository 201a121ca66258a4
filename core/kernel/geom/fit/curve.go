package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Curves: line, circle, ellipse, tried in this order.
//
// Method: a line joins the first and the last point; a circle is Kåsa's (1976) in the plane of least spread, an ellipse
// the conic of the least singular value there (Bookstein 1979, unconstrained: the points are an exact conic or
// rejected). All points must be within the tolerance and follow each other in one direction. An arc is accepted only if
// its sagitta, or for a conic the second singular value, exceeds the accuracy of the points, so that nearly straight
// curves do not become circles of any radius. Cost: O(n).

const (
	// sagittaShare is the least ratio of an arc's height above its chord to the accuracy of its points.
	sagittaShare = 1 / maxUncertainty
	// nearlyRound is the relative difference of semi-axes below which an ellipse is a circle.
	nearlyRound = 1e-9
	// fewestOnConic is a number of points that do not all lie on every conic.
	fewestOnConic = 7
)

// Curve returns the line, circle or ellipse that the points of a curve, in their order, lie on within
// tol (mm), with the parameter range from the first to the last point. A curve that ends where it starts
// (closed) is a whole turn; the reference direction of a circle points to its first point.
func Curve(p []geom.Vec3, closed bool, tol float64) (curve.Curve, geom.Interval, bool) {
	if len(p) < 3 || !(tol > 0) {
		return nil, geom.Interval{}, false
	}
	if !closed {
		if c, iv, ok := line(p, tol); ok {
			return c, iv, ok
		}
	}
	if len(p) < fewestOnConic {
		return nil, geom.Interval{}, false
	}
	in, ok := flatten(p)
	if !ok || !in.contains(p, tol) {
		return nil, geom.Interval{}, false
	}
	if c, iv, ok := arc(p, in, closed, tol); ok {
		return c, iv, ok
	}
	return ellipse(p, in, closed, tol)
}

func line(p []geom.Vec3, tol float64) (curve.Curve, geom.Interval, bool) {
	first, last := p[0], p[len(p)-1]
	c := curve.Line{Origin: first, Dir: last.Sub(first).Unit()}
	length := first.Dist(last)
	if !(length > tol) {
		return nil, geom.Interval{}, false
	}
	at := 0.0
	for _, q := range p[1:] {
		t := q.Sub(first).Dot(c.Dir)
		if t < at || q.Dist(c.At(t)) > tol {
			return nil, geom.Interval{}, false
		}
		at = t
	}
	return c, geom.Interval{Hi: length}, true
}

// chordRise returns the largest distance of points from the line through the first and the last.
func chordRise(p []geom.Vec3) (rise float64) {
	dir := p[len(p)-1].Sub(p[0]).Unit()
	for _, q := range p {
		w := q.Sub(p[0])
		rise = max(rise, w.AddScaled(-w.Dot(dir), dir).Norm())
	}
	return rise
}

func arc(p []geom.Vec3, in plane, closed bool, tol float64) (curve.Curve, geom.Interval, bool) {
	none := geom.Interval{}
	axis := in.Z
	center, r, ok := circle(p, in)
	if !ok {
		return nil, none, false
	}
	worst := 0.0
	for _, q := range p {
		w := q.Sub(center)
		h := w.Dot(axis)
		worst = max(worst, math.Hypot(w.AddScaled(-h, axis).Norm()-r, h))
	}
	if !(worst <= tol) || !closed && chordRise(p) < sagittaShare*max(worst, accuracy(tol)) {
		return nil, none, false
	}
	c := curve.Circle{Frame: geom.NewFrame(center, axis, p[0].Sub(center)), Radius: r}
	angle := func(q geom.Vec3) float64 {
		l := c.Frame.Local(q)
		return math.Atan2(l.Y, l.X)
	}
	if math.Remainder(angle(p[1])-angle(p[0]), 2*math.Pi) < 0 {
		c.Frame = geom.NewFrame(center, axis.Neg(), p[0].Sub(center))
	}
	iv, ok := turning(p, closed, angle)
	return c, iv, ok
}

// accuracy returns the best accuracy of the points of a curve.
func accuracy(tol float64) float64 {
	const share = 0.1
	return min(geom.Resolution, share*tol)
}

// turning returns the range of angles that points cover one after the other, each a step forward.
func turning(p []geom.Vec3, closed bool, angle func(geom.Vec3) float64) (geom.Interval, bool) {
	start := angle(p[0])
	at, last := start, start
	n := len(p)
	if closed {
		n-- // the last point is the first one
	}
	for _, q := range p[1:n] {
		a := angle(q)
		step := math.Remainder(a-last, 2*math.Pi)
		if !(step > 0) {
			return geom.Interval{}, false
		}
		at, last = at+step, a
	}
	if closed {
		const rounding = 1e-9
		if rest := start + 2*math.Pi - at; !(rest > rounding) {
			return geom.Interval{}, false
		}
		return geom.Interval{Lo: start, Hi: start + 2*math.Pi}, true
	}
	return geom.Interval{Lo: start, Hi: at}, at-start <= 2*math.Pi
}

func ellipse(p []geom.Vec3, in plane, closed bool, tol float64) (curve.Curve, geom.Interval, bool) {
	none := geom.Interval{}
	unit := in.unit
	a := mat.NewDense(len(p), 6, nil)
	for i, q := range p {
		w := q.Sub(in.Origin)
		px, py := w.Dot(in.X)/unit, w.Dot(in.Y)/unit
		a.SetRow(i, []float64{px * px, px * py, py * py, px, py, 1})
	}
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThinV) {
		return nil, none, false
	}
	known := sagittaShare * accuracy(tol) / unit * math.Sqrt(float64(len(p)))
	if svd.Values(nil)[4] < known {
		return nil, none, false // more than one conic fits
	}
	var v mat.Dense
	svd.VTo(&v)
	var q [6]float64
	mat.Col(q[:], 5, &v)
	c, ok := conic(q, in.Frame, unit)
	if !ok {
		return nil, none, false
	}
	angle := func(q geom.Vec3) float64 {
		l := c.Frame.Local(q)
		return math.Atan2(l.Y/c.Minor, l.X/c.Major)
	}
	if math.Remainder(angle(p[1])-angle(p[0]), 2*math.Pi) < 0 {
		c.Frame.Y, c.Frame.Z = c.Frame.Y.Neg(), c.Frame.Z.Neg()
	}
	for _, q := range p {
		if _, dist := c.Invert(q); !(dist <= tol) {
			return nil, none, false
		}
	}
	iv, ok := turning(p, closed, angle)
	return c, iv, ok
}

// conic returns the ellipse q0·x² + q1·xy + q2·y² + q3·x + q4·y + q5 = 0 in units of the frame.
func conic(q [6]float64, f geom.Frame, unit float64) (curve.Ellipse, bool) {
	det := 4*q[0]*q[2] - q[1]*q[1]
	if !(det > 0) {
		return curve.Ellipse{}, false // a parabola, a hyperbola or a pair of lines
	}
	cx, cy := (q[1]*q[4]-2*q[2]*q[3])/det, (q[1]*q[3]-2*q[0]*q[4])/det
	level := -(q[5] + (q[3]*cx+q[4]*cy)/2)
	half, diff := (q[0]+q[2])/2, math.Hypot((q[0]-q[2])/2, q[1]/2)
	if half < 0 {
		half, level = -half, -level
		q[0], q[1], q[2] = -q[0], -q[1], -q[2]
	}
	big, small := level/(half-diff), level/(half+diff) // squares of the semi-axes
	if !(small > 0) || big <= small*(1+nearlyRound) || math.IsInf(big, 0) {
		return curve.Ellipse{}, false
	}
	turn := math.Atan2(q[1], q[0]-q[2])/2 + math.Pi/2 // of the major axis
	sin, cos := math.Sincos(turn)
	x := f.X.Scale(cos).AddScaled(sin, f.Y)
	center := f.Origin.AddScaled(cx*unit, f.X).AddScaled(cy*unit, f.Y)
	return curve.Ellipse{Frame: geom.NewFrame(center, f.Z, x), Major: math.Sqrt(big) * unit,
		Minor: math.Sqrt(small) * unit}, true
}
