package surface

import (
	"errors"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Extrusion is S(u, v) = C(u) + v·Dir (ISO 10303-42 SURFACE_OF_LINEAR_EXTRUSION, with its vector normalized to a unit
// vector). u is the parameter of the profile C, v is in mm. If the profile is a line, u is in mm too, and Transform
// scales it with m.Scale().
type Extrusion struct {
	profile curve.Curve
	dir     geom.Vec3
	section *section // the profile projected onto the plane through the origin across dir
}

var _ Surface = (*Extrusion)(nil)

// NewExtrusion moves the profile along dir. An unbounded profile must be a line or perpendicular to dir, and no profile
// may be parallel to dir everywhere.
func NewExtrusion(profile curve.Curve, dir geom.Vec3) (*Extrusion, error) {
	s, err := newExtrusion(profile, dir.Unit())
	if err != nil {
		return nil, errors.New("linear extrusion: " + err.Error())
	}
	return s, nil
}

func newExtrusion(profile curve.Curve, dir geom.Vec3) (*Extrusion, error) {
	switch {
	case profile == nil:
		return nil, errors.New("no profile")
	case dir == geom.Vec3{}:
		return nil, errors.New("the direction is zero")
	}
	if l, ok := profile.(curve.Line); ok && l.Dir.Cross(dir).Norm() <= geom.AngularResolution {
		return nil, errors.New("the profile is parallel to the direction")
	}
	c := projected(profile, dir)
	if _, ok := profile.(curve.Line); !ok && !c.Domain().IsFinite() {
		if _, ok := c.(*flattened); ok {
			return nil, errors.New("the profile is unbounded and oblique to the direction")
		}
	}
	return &Extrusion{profile: profile, dir: dir, section: &section{c: c}}, nil
}

// sweep moves a profile, which the caller has checked, along a unit direction.
func sweep(profile curve.Curve, dir geom.Vec3) *Extrusion {
	return &Extrusion{profile: profile, dir: dir, section: &section{c: projected(profile, dir)}}
}

// projected returns the orthogonal projection of c onto the plane through the origin across dir, with
// the same parametrization.
func projected(c curve.Curve, dir geom.Vec3) curve.Curve {
	flat := func(p geom.Vec3) geom.Vec3 { return p.AddScaled(-p.Dot(dir), dir) }
	across := func(f geom.Frame) bool { return f.Z.Cross(dir).Norm() <= geom.AngularResolution }
	switch k := c.(type) {
	case curve.Circle:
		if across(k.Frame) {
			k.Frame.Origin = flat(k.Frame.Origin)
			return k
		}
	case curve.Ellipse:
		if across(k.Frame) {
			k.Frame.Origin = flat(k.Frame.Origin)
			return k
		}
	case curve.Hyperbola:
		if across(k.Frame) {
			k.Frame.Origin = flat(k.Frame.Origin)
			return k
		}
	case curve.Parabola:
		if across(k.Frame) {
			k.Frame.Origin = flat(k.Frame.Origin)
			return k
		}
	case *curve.BSpline:
		points := make([]geom.Vec3, len(k.Points()))
		for i, p := range k.Points() {
			points[i] = flat(p)
		}
		b, err := curve.NewBSpline(k.Degree(), k.Knots().Flat(), points, k.Weights(), k.Period() > 0)
		if err == nil && b.Period() == k.Period() {
			return b
		}
	case *curve.Trimmed:
		base := projected(k.Base, dir)
		if _, ok := base.(*flattened); !ok {
			return &curve.Trimmed{Base: base, Range: k.Range, Reversed: k.Reversed}
		}
	}
	return &flattened{c, func(p, d1, d2 geom.Vec3) (q, q1, q2 geom.Vec3) {
		return flat(p), flat(d1), flat(d2)
	}}
}

// Profile returns the swept curve.
func (s *Extrusion) Profile() curve.Curve { return s.profile }

// Dir returns the unit direction of v.
func (s *Extrusion) Dir() geom.Vec3 { return s.dir }

// Kind returns KindExtrusion.
func (s *Extrusion) Kind() Kind { return KindExtrusion }

// Domain returns the domain of the profile for u, and an unbounded range for v.
func (s *Extrusion) Domain() (u, v geom.Interval) { return s.profile.Domain(), wholeLine }

// Periods returns the period of the profile for u, and 0 for v.
func (s *Extrusion) Periods() (u, v float64) { return s.profile.Period(), 0 }

// Singularities is empty.
func (s *Extrusion) Singularities() []Singularity { return nil }

// At implements Surface.
func (s *Extrusion) At(u, v float64) geom.Vec3 { return s.profile.At(u).AddScaled(v, s.dir) }

// D1 implements Surface.
func (s *Extrusion) D1(u, v float64) (p, du, dv geom.Vec3) {
	p, du = s.profile.D1(u)
	return p.AddScaled(v, s.dir), du, s.dir
}

// D2 implements Surface.
func (s *Extrusion) D2(u, v float64) (d Derivs) {
	d.P, d.Du, d.Duu = s.profile.D2(u)
	d.P = d.P.AddScaled(v, s.dir)
	d.Dv = s.dir
	return d
}

// Normal implements Surface; where the profile stops or runs along dir it is the limit from inside.
func (s *Extrusion) Normal(u, v float64) geom.Vec3 {
	_, du := s.profile.D1(u)
	if n := du.Cross(s.dir); n.Norm() > parallel*du.Norm() {
		return n.Unit()
	}
	_, _, d2 := s.profile.D2(u)
	return d2.Cross(s.dir).Scale(inward(u, s.profile.Domain())).Unit()
}

// Invert finds the closest point of the section.
func (s *Extrusion) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	v := p.Dot(s.dir)
	q := p.AddScaled(-v, s.dir)
	if l, ok := s.profile.(curve.Line); ok {
		return s.ofLine(l, q, v)
	}
	u, dist := s.section.invert(q)
	return geom.Vec2{X: u, Y: v - s.profile.At(u).Dot(s.dir)}, dist
}

// InvertNear finds the closest point of the section from the hint's u.
func (s *Extrusion) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	v := p.Dot(s.dir)
	q := p.AddScaled(-v, s.dir)
	if l, ok := s.profile.(curve.Line); ok {
		return s.ofLine(l, q, v)
	}
	u, dist := s.section.near(q, hint.X)
	return geom.Vec2{X: u, Y: v - s.profile.At(u).Dot(s.dir)}, dist
}

// ofLine inverts the extrusion of a line at the point q + v·dir with q across dir.
func (s *Extrusion) ofLine(l curve.Line, q geom.Vec3, v float64) (uv geom.Vec2, dist float64) {
	slope := l.Dir.Dot(s.dir)
	across := l.Dir.AddScaled(-slope, s.dir)
	height := l.Origin.Dot(s.dir)
	r := q.Sub(l.Origin.AddScaled(-height, s.dir))
	u := r.Dot(across) / across.Norm2()
	return geom.Vec2{X: u, Y: v - height - u*slope}, r.AddScaled(-u, across).Norm()
}

// Bounds is as tight as the profile's: the box of the profile moved to both ends.
func (s *Extrusion) Bounds(u, v geom.Interval) geom.Box {
	b := s.profile.Bounds(u)
	move := func(lo, hi, d float64) geom.Interval {
		r := linearRange(d, v)
		return geom.Interval{Lo: lo + r.Lo, Hi: hi + r.Hi}
	}
	return boxOf(move(b.Min.X, b.Max.X, s.dir.X), move(b.Min.Y, b.Max.Y, s.dir.Y),
		move(b.Min.Z, b.Max.Z, s.dir.Z))
}

// Transform scales v with m.Scale(), and u as the profile does.
func (s *Extrusion) Transform(m geom.Transform) Surface {
	return sweep(s.profile.Transform(m), m.Dir(s.dir).Unit())
}

// marginOf is the length below which a derivative along a direction of the given domain and size is
// noise.
func marginOf(size float64, iv geom.Interval) float64 {
	if l := iv.Length(); l > 0 && !math.IsInf(l, 0) {
		return flatDerivative * size / l
	}
	return flatDerivative
}
