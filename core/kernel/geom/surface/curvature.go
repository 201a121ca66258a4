package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Curvatures of a surface from its fundamental forms (do Carmo, Differential Geometry of Curves and
// Surfaces, ch. 3.3): with E = Su·Su, F = Su·Sv, G = Sv·Sv and L, M, N the components of Suu, Suv, Svv
// along the normal, the mean and the Gaussian curvature are
//
//	H = (E·N - 2F·M + G·L)/(2(EG - F²)),  K = (LN - M²)/(EG - F²),
//
// and the principal ones H ± √(H² - K). Where Su × Sv vanishes they are taken a little inside.

// nudge is the fraction of the domain by which curvatures at a singular point are taken inside.
const nudge = 1e-4

// Curvatures returns the principal curvatures in 1/mm, the algebraically smaller one first. They are positive where the
// surface bends toward its normal: a sphere with outward normal has -1/R. Every normal curvature lies between them.
// Where they have no limit, as at the apex of a cone, they are the curvatures nearby.
func Curvatures(s Surface, u, v float64) (k1, k2 float64) {
	if s.Kind() == KindPlane {
		return 0, 0
	}
	d := s.D2(u, v)
	if isSingular(&d) {
		du, dv := s.Domain()
		d = s.D2(u+nudge*inward(u, du), v+nudge*inward(v, dv))
	}
	return principal(&d)
}

// Curvatures returns the principal curvatures as the function of that name does, at a point whose
// derivatives are known and where the surface is regular; both are 0 where it is not.
func (d *Derivs) Curvatures() (k1, k2 float64) { return principal(d) }

// CurvatureAlong returns the normal curvature in the direction of a tangent, 1/mm, of the sign of the principal ones:
// the quotient of the fundamental forms there. It returns false where the surface is not regular or the tangent is 0.
func (d *Derivs) CurvatureAlong(t geom.Vec3) (float64, bool) {
	if isSingular(d) {
		return 0, false
	}
	e, f, g := d.Du.Norm2(), d.Du.Dot(d.Dv), d.Dv.Norm2()
	tu, tv := t.Dot(d.Du), t.Dot(d.Dv)
	a, b := g*tu-f*tv, e*tv-f*tu // of Du and Dv in the tangent, times EG - F²
	if first := e*a*a + 2*f*a*b + g*b*b; first > 0 {
		n := d.Du.Cross(d.Dv).Unit()
		return (d.Duu.Dot(n)*a*a + 2*d.Duv.Dot(n)*a*b + d.Dvv.Dot(n)*b*b) / first, true
	}
	return 0, false
}

// isSingular reports whether Su × Sv has no usable direction.
func isSingular(d *Derivs) bool {
	c, e, g := d.Du.Cross(d.Dv).Norm(), d.Du.Norm(), d.Dv.Norm()
	// The derivatives next to a pole are compared with their own change over the domain, for which the second
	// derivatives are a measure.
	return c <= parallel*e*g || e <= parallel*d.Duv.Norm() || g <= parallel*d.Duv.Norm()
}

// LocalProperties returns point, unit normal and principal curvatures at (u, v): the results of At, Normal and
// Curvatures, for little more than one evaluation where the surface is regular.
func LocalProperties(s Surface, u, v float64) (p, n geom.Vec3, k1, k2 float64) {
	ok := false
	switch s := s.(type) {
	case Plane:
		return s.At(u, v), s.Normal(u, v), 0, 0
	case Cylinder:
		m := s.meridian(v)
		p, n, k1, k2, ok = m.look(&s.Frame, u, 1)
	case Cone:
		m := s.meridian(v)
		p, n, k1, k2, ok = m.look(&s.Frame, u, s.side(&m))
	case Sphere:
		m := s.meridian(v)
		p, n, k1, k2, ok = m.look(&s.Frame, u, 1)
	case Torus:
		m := s.meridian(v)
		p, n, k1, k2, ok = m.look(&s.Frame, u, s.side(&m))
	}
	if ok {
		return p, n, k1, k2
	}
	return lookByDerivatives(s, u, v)
}

// lookByDerivatives is LocalProperties for any surface.
func lookByDerivatives(s Surface, u, v float64) (p, n geom.Vec3, k1, k2 float64) {
	d := s.D2(u, v)
	if isSingular(&d) {
		k1, k2 = Curvatures(s, u, v)
		return d.P, s.Normal(u, v), k1, k2
	}
	k1, k2 = principal(&d)
	if b, ok := s.(*BSpline); ok {
		if n, ok := unitCross(d.Du, d.Dv, b.slackU, b.slackV); ok {
			return d.P, n, k1, k2
		}
	}
	return d.P, s.Normal(u, v), k1, k2
}

func principal(d *Derivs) (k1, k2 float64) {
	n := d.Du.Cross(d.Dv).Unit()
	e, f, g := d.Du.Norm2(), d.Du.Dot(d.Dv), d.Dv.Norm2()
	l, m, nn := d.Duu.Dot(n), d.Duv.Dot(n), d.Dvv.Dot(n)
	area := e*g - f*f
	if !(area > 0) {
		return 0, 0
	}
	h := (e*nn - 2*f*m + g*l) / (2 * area)
	// H² - K as a sum of squares, in the basis of Su and the part of Sv across it.
	a := l / e
	b := (m - f*l/e) / math.Sqrt(area)
	half := h - a // (k_across - k_u)/2
	root := math.Hypot(half, b)
	return h - root, h + root
}
