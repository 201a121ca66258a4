package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// The seeds. Each is linear, and returns false for samples that are far from its kind.

// seed sets the parameters of m.kind from the samples.
func (d *data) seed(m *model) bool {
	m.side = 1
	switch m.kind {
	case surface.KindPlane:
		return d.seedPlane(m)
	case surface.KindSphere:
		return d.seedSphere(m)
	case surface.KindCylinder:
		return d.seedCylinder(m)
	case surface.KindCone:
		return d.seedCone(m)
	}
	return d.seedTorus(m)
}

// seedPlane computes the final fit of a plane: the directions of the least and the second least spread of the points. A
// needle is rejected: it has no normal.
func (d *data) seedPlane(m *model) bool {
	for _, n := range d.n[1:] {
		if n.Cross(d.n[0]).Norm() > gateAngle {
			return false
		}
	}
	const needle = 10 // tolerances: the least width of a plane
	values, axis := leastSpread(d.p, geom.Vec3{})
	m.a = axis
	return values[1] > sq(needle*d.tol)*float64(len(d.p))
}

// seedSphere solves p = c + r·n.
func (d *data) seedSphere(m *model) bool {
	c, r, off := d.round(geom.Vec3{})
	m.c, m.r = c, math.Abs(r)
	return r != 0 && off <= d.gate()
}

// gate is the error of a seed that is worth refining.
func (d *data) gate() float64 { return gateShare + d.tol }

// round solves p = c + r·n, in the plane perpendicular to along (a unit vector), or in space if along is zero. It
// returns the largest error as off.
func (d *data) round(along geom.Vec3) (c geom.Vec3, r, off float64) {
	flat := func(v geom.Vec3) geom.Vec3 { return v.AddScaled(-v.Dot(along), along) }
	nm := flat(mean(d.n)) // the mean of the points is zero
	num, den := 0.0, 0.0
	for i := range d.p {
		dn := flat(d.n[i]).Sub(nm)
		num, den = num+flat(d.p[i]).Dot(dn), den+dn.Norm2()
	}
	if den <= sq(settled)*float64(len(d.p)) {
		return c, 0, math.Inf(1)
	}
	r = num / den
	c = nm.Scale(-r)
	for i := range d.p {
		off = max(off, flat(d.p[i]).Sub(c).AddScaled(-r, flat(d.n[i])).Norm())
	}
	return c, r, off
}

func (d *data) seedCylinder(m *model) bool {
	_, m.a = leastSpread(d.n, geom.Vec3{})
	for _, n := range d.n {
		if math.Abs(n.Dot(m.a)) > gateAngle {
			return false
		}
	}
	c, r, off := d.round(m.a)
	m.c, m.r = c, math.Abs(r)
	return r != 0 && off <= d.gate()
}

// seedCone takes the axis from the small circle of the normals and the apex from n·apex = n·p.
func (d *data) seedCone(m *model) bool {
	nm := mean(d.n)
	_, m.a = leastSpread(d.n, nm)
	k := nm.Dot(m.a)
	for _, n := range d.n {
		if math.Abs(n.Dot(m.a)-k) > gateAngle {
			return false
		}
	}
	var a mat.SymDense
	a.ReuseAsSym(3)
	rhs := mat.NewVecDense(3, nil)
	for i, n := range d.n {
		v := mat.NewVecDense(3, []float64{n.X, n.Y, n.Z})
		a.SymRankOne(&a, 1, v)
		rhs.AddScaledVec(rhs, n.Dot(d.p[i]), v)
	}
	var x mat.VecDense
	if err := x.SolveVec(&a, rhs); err != nil {
		return false
	}
	apex := geom.Vec3{X: x.AtVec(0), Y: x.AtVec(1), Z: x.AtVec(2)}
	if apex.Dot(m.a) > 0 { // the radius grows along the axis
		m.a = m.a.Neg()
	}
	m.slope = math.Asin(min(math.Abs(k), 1))
	// The origin is the mean of the samples projected onto the axis.
	h := -apex.Dot(m.a)
	m.c, m.r = apex.AddScaled(h, m.a), h*math.Tan(m.slope)
	return m.slope > 0 && m.slope < math.Pi/2 && d.within(m)
}

// within reports whether all samples are near m.
func (d *data) within(m *model) bool {
	for _, p := range d.p {
		if dist, _, ok := m.distance(p); !ok || math.Abs(dist) > d.gate() {
			return false
		}
	}
	return true
}

// seedTorus finds the spine of the tube from the principal curvature that is constant.
func (d *data) seedTorus(m *model) bool {
	for _, k := range [2][]float64{d.k1, d.k2} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, x := range k {
			lo, hi = min(lo, x), max(hi, x)
		}
		mid := (lo + hi) / 2
		if !(hi-lo <= gateCurvature*math.Abs(mid)) || mid == 0 {
			continue
		}
		if d.spine(m, mid) && d.within(m) {
			return true
		}
	}
	return false
}

// spine fits a circle to the points p + n/k.
func (d *data) spine(m *model, k float64) bool {
	q := make([]geom.Vec3, len(d.p))
	for i := range q {
		q[i] = d.p[i].AddScaled(1/k, d.n[i])
	}
	in, ok := flatten(q)
	if !ok {
		return false
	}
	c, r, ok := circle(q, in)
	if !ok {
		return false
	}
	axis := in.Z
	m.c, m.a, m.major, m.r = c, axis, r, math.Abs(1/k)
	votes := 0.0
	for i := range q {
		spine := q[i].Sub(c)
		out := d.p[i].Sub(c)
		if out = out.AddScaled(-out.Dot(axis), axis); out.Dot(spine) < 0 {
			votes--
		} else {
			votes++
		}
	}
	m.side = math.Copysign(1, votes)
	return true
}

// plane is the plane of least spread of points: its frame at their mean, and their scale in it, mm.
type plane struct {
	geom.Frame
	unit float64
}

// flatten returns the plane of points; false when they lie on a line.
func flatten(q []geom.Vec3) (plane, bool) {
	mid := mean(q)
	values, axis := leastSpread(q, mid)
	if !(values[1] > 0) {
		return plane{}, false
	}
	x, y := basis(axis)
	return plane{geom.Frame{Origin: mid, X: x, Y: y, Z: axis}, math.Sqrt(values[2] / float64(len(q)))}, true
}

// contains reports whether all points are within tol of the plane.
func (f *plane) contains(q []geom.Vec3, tol float64) bool {
	for _, p := range q {
		if math.Abs(p.Sub(f.Origin).Dot(f.Z)) > tol {
			return false
		}
	}
	return true
}

// circle returns the algebraic circle of Kåsa (1976) through points, in their plane.
func circle(q []geom.Vec3, in plane) (c geom.Vec3, r float64, ok bool) {
	mem := make([]float64, 4*len(q))
	a, b := mem[:3*len(q)], mem[3*len(q):]
	for i, p := range q {
		w := p.Sub(in.Origin).Scale(1 / in.unit)
		px, py := w.Dot(in.X), w.Dot(in.Y)
		a[3*i], a[3*i+1], a[3*i+2] = 2*px, 2*py, 1
		b[i] = px*px + py*py
	}
	var s [3]float64
	if !leastSquares(a, b, s[:], 3) {
		return c, 0, false
	}
	cx, cy := s[0], s[1]
	r2 := s[2] + cx*cx + cy*cy
	if !(r2 > 0) {
		return c, 0, false
	}
	return in.Origin.AddScaled(cx*in.unit, in.X).AddScaled(cy*in.unit, in.Y),
		math.Sqrt(r2) * in.unit, true
}

// leastSpread returns the eigenvalues of the second moments of vectors about m, ascending, and the unit
// direction of the least.
func leastSpread(vs []geom.Vec3, m geom.Vec3) (values [3]float64, dir geom.Vec3) {
	var c [3][3]float64
	for _, v := range vs {
		w := v.Sub(m)
		c[0][0] += w.X * w.X
		c[0][1] += w.X * w.Y
		c[0][2] += w.X * w.Z
		c[1][1] += w.Y * w.Y
		c[1][2] += w.Y * w.Z
		c[2][2] += w.Z * w.Z
	}
	values, vectors := eigen3(c)
	return values, vectors[0]
}

func mean(vs []geom.Vec3) geom.Vec3 {
	var m geom.Vec3
	for _, v := range vs {
		m = m.Add(v)
	}
	return m.Scale(1 / float64(len(vs)))
}

func sq(x float64) float64 { return x * x }
