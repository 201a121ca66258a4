package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// Gauss–Newton on the signed distance, in coordinates about the model's own axis. The center moves along b1, b2 (and a,
// except along a symmetry). The axis turns toward b1 and b2 by components that are added and normalized, so that no
// constraint is needed (Forbes, "Least-squares best-fit geometric elements", NPL 1989). With w = p - c, h = w·a, ρ the
// distance from the axis and e the direction from it, a turn of a by (α, β) changes ρ by -h·(e·b) and h by ρ·(e·b).
// Each step is a QR solution, which keeps half of the digits that the normal equations would lose on shallow arcs.

const (
	maxParams = 7
	maxSteps  = 12
	// settled is the step, in units of the samples' size, below which further ones are rounding.
	settled = 1e-14
)

// workspace is the memory of a refinement.
type workspace struct {
	jac, rhs []float64
}

// params returns the number of free parameters and the positions of the radii among them.
func (m *model) params() (n int, radii []int) {
	switch m.kind {
	case surface.KindSphere:
		return 4, []int{3}
	case surface.KindCylinder:
		return 5, []int{4}
	case surface.KindCone:
		return 6, []int{5}
	case surface.KindTorus:
		return 7, []int{5, 6}
	}
	return 0, nil
}

// distance returns the signed distance of p from the model, positive away from the axis, the center or the spine, and
// the unit normal at the foot point.
func (m *model) distance(p geom.Vec3) (dist float64, n geom.Vec3, ok bool) {
	w := p.Sub(m.c)
	switch m.kind {
	case surface.KindPlane:
		return w.Dot(m.a), m.a, true
	case surface.KindSphere:
		n = w.Unit()
		return w.Norm() - m.r, n, n != geom.Vec3{}
	}
	h := w.Dot(m.a)
	out := w.AddScaled(-h, m.a)
	rho := out.Norm()
	e := out.Unit()
	switch m.kind {
	case surface.KindCylinder:
		return rho - m.r, e, rho > 0
	case surface.KindCone:
		sin, cos := math.Sincos(m.slope)
		n = e.Scale(cos).AddScaled(-sin, m.a)
		return (rho-m.r)*cos - h*sin, n, m.r*cos+h*sin > -settled
	}
	x := m.side*rho - m.major
	l := math.Hypot(x, h)
	if l == 0 {
		return 0, geom.Vec3{}, false
	}
	n = e.Scale(m.side*x/l).AddScaled(h/l, m.a)
	return l - m.r, n, true
}

// row writes the derivatives of the distance of p by the parameters and returns the distance.
func (m *model) row(p, b1, b2 geom.Vec3, row []float64) float64 {
	w := p.Sub(m.c)
	if m.kind == surface.KindSphere {
		n := w.Unit()
		row[0], row[1], row[2], row[3] = -n.X, -n.Y, -n.Z, -1
		return w.Norm() - m.r
	}
	h := w.Dot(m.a)
	out := w.AddScaled(-h, m.a)
	rho := out.Norm()
	e := out.Unit()
	e1, e2 := e.Dot(b1), e.Dot(b2)
	// By (x, y, α, β): of ρ, and of h.
	dRho := [4]float64{-e1, -e2, -h * e1, -h * e2}
	dH := [4]float64{0, 0, rho * e1, rho * e2}
	cr, ch := 1.0, 0.0 // of the distance by ρ and by h
	dist := rho - m.r
	switch m.kind {
	case surface.KindCylinder:
		row[4] = -1
	case surface.KindCone:
		sin, cos := math.Sincos(m.slope)
		cr, ch = cos, -sin
		dist = (rho-m.r)*cos - h*sin
		row[4], row[5] = -(rho-m.r)*sin-h*cos, -cos
	case surface.KindTorus:
		x := m.side*rho - m.major
		l := math.Hypot(x, h)
		if l == 0 {
			clear(row)
			return 0
		}
		cr, ch = m.side*x/l, h/l
		dist = l - m.r
		row[4], row[5], row[6] = -ch, -x/l, -1
	}
	for k := range dRho {
		row[k] = cr*dRho[k] + ch*dH[k]
	}
	return dist
}

// move adds a step to the parameters.
func (m *model) move(s []float64, b1, b2 geom.Vec3) {
	if m.kind == surface.KindSphere {
		m.c = m.c.Add(geom.Vec3{X: s[0], Y: s[1], Z: s[2]})
		m.r += s[3]
		return
	}
	m.c = m.c.AddScaled(s[0], b1).AddScaled(s[1], b2)
	a := m.a
	m.a = a.AddScaled(s[2], b1).AddScaled(s[3], b2).Unit()
	switch m.kind {
	case surface.KindCylinder:
		m.r += s[4]
	case surface.KindCone:
		m.slope += s[4]
		m.r += s[5]
	case surface.KindTorus:
		m.c = m.c.AddScaled(s[4], a)
		m.major += s[5]
		m.r += s[6]
	}
}

// system fills the Jacobian and the distances, and returns the sum of their squares.
func (d *data) system(m *model, n int, b1, b2 geom.Vec3) float64 {
	if cap(d.work.jac) < len(d.p)*maxParams {
		d.work.jac = make([]float64, len(d.p)*maxParams)
		d.work.rhs = make([]float64, len(d.p))
	}
	sum := 0.0
	for i, p := range d.p {
		dist := m.row(p, b1, b2, d.work.jac[i*n:(i+1)*n])
		d.work.rhs[i] = -dist
		sum += dist * dist
	}
	return sum
}

// refine moves a seed to the least sum of squared distances next to it.
func (d *data) refine(m *model) bool {
	n, _ := m.params()
	if n == 0 {
		return true
	}
	best, sum := *m, math.Inf(1)
	for range maxSteps {
		b1, b2 := basis(m.a)
		now := d.system(m, n, b1, b2)
		if math.IsNaN(now) {
			return false
		}
		if now >= sum {
			break // the least that rounding allows, or no convergence
		}
		best, sum = *m, now
		if sum <= settled*settled {
			break
		}
		var step [maxParams]float64
		if !leastSquares(d.work.jac[:len(d.p)*n], d.work.rhs[:len(d.p)], step[:n], n) {
			return false
		}
		m.move(step[:n], b1, b2)
	}
	*m = best
	return m.r > 0 && (m.kind != surface.KindTorus || m.major > 0)
}

// determined reports whether errors of the given size in the samples leave the radii certain.
func (d *data) determined(m *model, noise float64) bool {
	n, radii := m.params()
	b1, b2 := basis(m.a)
	d.system(m, n, b1, b2)
	var normal mat.SymDense
	normal.SymOuterK(1, mat.NewDense(len(d.p), n, d.work.jac[:len(d.p)*n]).T())
	var chol mat.Cholesky
	if !chol.Factorize(&normal) {
		return false
	}
	var cov mat.SymDense
	if err := chol.InverseTo(&cov); err != nil {
		return false
	}
	for _, k := range radii {
		r := m.r
		switch {
		case m.kind == surface.KindTorus && k == 5:
			r = m.major
		case m.kind == surface.KindCone: // at the widest place of the samples
			for _, p := range d.p {
				r = max(r, m.r+math.Tan(m.slope)*p.Sub(m.c).Dot(m.a))
			}
		}
		if !(noise*math.Sqrt(cov.At(k, k)) <= maxUncertainty*r) {
			return false
		}
	}
	return true
}

// basis returns two unit vectors across a unit vector.
func basis(a geom.Vec3) (b1, b2 geom.Vec3) {
	b1 = a.Perp()
	return b1, a.Cross(b1)
}
