package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Iso returns the curve on s with one constant parameter: v if alongU, else u. It also returns the curve's range for
// iv, a finite range of the other parameter. The curve has the direction of the increasing parameter. Straight and
// circular iso-lines are lines and circles, and iso-lines of B-splines are B-splines; all others are given in the
// parameter plane. A range that collapses to a point gives nil.
func Iso(s Surface, alongU bool, at float64, iv geom.Interval) (curve.Curve, geom.Interval) {
	place := func(t float64) (u, v float64) {
		if alongU {
			return t, at
		}
		return at, t
	}
	from, mid, to := s.At(place(iv.Lo)), s.At(place(iv.Mid())), s.At(place(iv.Hi))
	if from.Dist(mid) <= geom.Resolution && mid.Dist(to) <= geom.Resolution {
		return nil, geom.Interval{}
	}
	straight := func() (curve.Curve, geom.Interval) {
		d := to.Sub(from)
		return curve.Line{Origin: from, Dir: d.Unit()}, geom.Interval{Hi: d.Norm()}
	}
	switch b := s.(type) {
	case Plane:
		return straight()
	case Cylinder, Cone:
		if !alongU {
			return straight()
		}
		return circle(s, place, iv)
	case Sphere, Torus:
		return circle(s, place, iv)
	case *Extrusion:
		if !alongU {
			return straight()
		}
		return b.profile.Transform(geom.Translation(b.dir.Scale(at))), iv
	case *Revolution:
		if alongU {
			return circle(s, place, iv)
		}
		return b.Profile().Transform(geom.Translation(b.frame.Origin).Mul(
			geom.Rotation(b.frame.Z, at)).Mul(geom.Translation(b.frame.Origin.Neg()))), iv
	case *BSpline:
		along := b.net.V
		if alongU {
			along = b.net.U
		}
		points, weights := b.net.IsoCurve(alongU, at)
		if c, err := curve.NewBSpline(along.Degree(), along.Flat(), points, weights, false); err == nil {
			return c, iv
		}
	}
	u, v := place(0)
	du, dv := place(1)
	return NewOnSurface(s, curve.Line{Origin: geom.Vec3{X: u, Y: v},
		Dir: geom.Vec3{X: du - u, Y: dv - v}}), iv
}

// circle returns the circle through the iso-line of a surface whose iso-lines are circles in their angle,
// with the angle for parameter.
func circle(s Surface, place func(t float64) (u, v float64), iv geom.Interval) (curve.Curve, geom.Interval) {
	p, q, r := s.At(place(0)), s.At(place(math.Pi)), s.At(place(math.Pi/2))
	center := p.Lerp(q, 0.5)
	x, y := p.Sub(center), r.Sub(center)
	f := geom.Frame{Origin: center, X: x.Unit(), Y: y.Unit()}
	f.Z = f.X.Cross(f.Y)
	return curve.Circle{Frame: f, Radius: x.Norm()}, iv
}
