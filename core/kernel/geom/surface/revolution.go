package surface

import (
	"errors"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Revolution revolves a profile C about an axis (ISO 10303-42 SURFACE_OF_REVOLUTION): S(u, v) is C(v)
// turned by the angle u about the axis, right-handed. The profile may touch or cross the axis, where
// the surface is singular, and need not lie in a plane with it. A profile that is a line makes v mm,
// and Transform scales it with m.Scale().
//
// Inversion works on the meridian. If the profile lies in a plane with the axis, that is the profile
// itself, and p is rotated into that plane, onto both sides of the axis if the profile reaches both.
// Otherwise it is the curve (distance from the axis, height).
type Revolution struct {
	frame    geom.Frame  // on the axis; a planar profile lies in its XZ plane
	profile  curve.Curve // in coordinates of the frame
	section  *section    // in coordinates of the frame, in the XZ plane
	planar   bool
	lo, hi   float64 // range of the signed radius; 0, +Inf when not planar
	singular []Singularity
	size     float64 // mm, typical
	slackU   float64
	slackV   float64
}

var _ Surface = (*Revolution)(nil)

// NewRevolution revolves profile about the axis through origin along dir. An unbounded profile must be a line or lie in
// a plane with the axis, and no profile may lie on the axis. If the axis halves a whole conic, only one half is
// revolved (see halved).
func NewRevolution(profile curve.Curve, origin, dir geom.Vec3) (*Revolution, error) {
	switch {
	case profile == nil:
		return nil, errors.New("revolution: no profile")
	case dir.Unit() == geom.Vec3{} || !origin.IsFinite():
		return nil, errors.New("revolution: the axis has no direction")
	}
	axis := dir.Unit()
	profile = halved(profile, origin, axis)
	marks := profileMarks(profile)
	var far geom.Vec3 // the mark farthest from the axis gives the X direction
	for _, t := range marks {
		r := profile.At(t).Sub(origin)
		if r = r.AddScaled(-r.Dot(axis), axis); r.Norm2() > far.Norm2() {
			far = r
		}
	}
	if far.Norm() <= sideTolerance {
		return nil, errors.New("revolution: the profile lies on the axis")
	}
	frame := geom.NewFrame(origin, axis, far)
	s := newRevolution(frame, profile.Transform(geom.FromFrame(frame).Inverse()))
	if _, ok := profile.(curve.Line); !ok && !s.planar && !profile.Domain().IsFinite() {
		return nil, errors.New("revolution: the profile is unbounded and in no plane with the axis")
	}
	return s, nil
}

// newRevolution builds the surface from a profile in coordinates of the frame.
func newRevolution(frame geom.Frame, profile curve.Curve) *Revolution {
	s := &Revolution{frame: frame, profile: profile, planar: true, lo: math.Inf(1), hi: math.Inf(-1)}
	marks := profileMarks(profile)
	for _, t := range marks {
		p := profile.At(t)
		s.size = max(s.size, math.Abs(p.X), math.Abs(p.Y), p.Dist(profile.At(marks[0])))
		s.planar = s.planar && math.Abs(p.Y) <= geom.Resolution
		s.lo, s.hi = min(s.lo, p.X), max(s.hi, p.X)
	}
	if !s.planar {
		s.lo, s.hi = 0, math.Inf(1)
	}
	s.section = meridianSection(profile, s.planar)
	if l, ok := profile.(curve.Line); ok && s.planar && math.Abs(l.Dir.X) > geom.AngularResolution {
		s.lo, s.hi = math.Inf(-1), math.Inf(1)
	}
	s.slackU = flatDerivative * s.size / turn
	s.slackV = marginOf(s.size, profile.Domain())
	s.singular = s.findSingular(marks)
	return s
}

// meridianSection is the profile itself where it lies in a plane with the axis.
func meridianSection(profile curve.Curve, planar bool) *section {
	if planar {
		return &section{c: profile}
	}
	return &section{c: &flattened{profile, meridianOf}}
}

// meridianOf maps a point with its derivatives to (distance from the Z axis, 0, height).
func meridianOf(p, d1, d2 geom.Vec3) (q, q1, q2 geom.Vec3) {
	r := math.Hypot(p.X, p.Y)
	q = geom.Vec3{X: r, Z: p.Z}
	if r == 0 {
		r1 := math.Hypot(d1.X, d1.Y)
		return q, geom.Vec3{X: r1, Z: d1.Z}, geom.Vec3{Z: d2.Z}
	}
	r1 := (p.X*d1.X + p.Y*d1.Y) / r
	r2 := (d1.X*d1.X + d1.Y*d1.Y + p.X*d2.X + p.Y*d2.Y - r1*r1) / r
	return q, geom.Vec3{X: r1, Z: d1.Z}, geom.Vec3{X: r2, Z: d2.Z}
}

const (
	// marksPerPiece is the number of intervals of each piece of a profile that locate it.
	marksPerPiece = 32
	// unboundedMarks (mm, rad or the profile's own unit) is the half length of the range that represents a profile
	// without ends.
	unboundedMarks = 100
)

// profileMarks returns ascending parameters all over a profile.
func profileMarks(c curve.Curve) []float64 {
	dom := c.Domain()
	dom = geom.Interval{Lo: max(dom.Lo, -unboundedMarks), Hi: min(dom.Hi, unboundedMarks)}
	var marks []float64
	lo := dom.Lo
	for _, hi := range append(curve.Breaks(nil, c, dom), dom.Hi) {
		for i := range marksPerPiece {
			marks = append(marks, lo+(hi-lo)*float64(i)/marksPerPiece)
		}
		lo = hi
	}
	return append(marks, dom.Hi)
}

// findSingular lists the parameters at which the profile meets the axis: its ends, and where its
// squared distance has a minimum of zero.
func (s *Revolution) findSingular(marks []float64) (list []Singularity) {
	first, last := marks[0], marks[len(marks)-1]
	add := func(t float64) {
		p := s.profile.At(t)
		if n := len(list); math.Hypot(p.X, p.Y) > sideTolerance || math.IsNaN(t) ||
			n > 0 && t-list[n-1].Param <= sameParam*(last-first) {
			return
		}
		list = append(list, Singularity{ConstV: true, Param: t, Point: s.frame.Point(geom.Vec3{Z: p.Z})})
	}
	if l, ok := s.profile.(curve.Line); ok {
		add(-(l.Origin.X*l.Dir.X + l.Origin.Y*l.Dir.Y) / (l.Dir.X*l.Dir.X + l.Dir.Y*l.Dir.Y))
		return list
	}
	r2 := func(t float64) float64 {
		p := s.profile.At(t)
		return p.X*p.X + p.Y*p.Y
	}
	add(first)
	for i := 1; i+1 < len(marks); i++ {
		if b := r2(marks[i]); b <= r2(marks[i-1]) && b <= r2(marks[i+1]) {
			add(s.meetAxis(marks[i], geom.Interval{Lo: marks[i-1], Hi: marks[i+1]}))
		}
	}
	if s.profile.Period() == 0 {
		add(last)
	}
	return list
}

// sameParam is the fraction of the domain within which two singular parameters are one.
const sameParam = 1e-9

// meetAxis returns where the profile meets the axis inside iv, by Gauss–Newton from t. It converges
// quadratically where the profile crosses the axis and halves the error where it touches it.
func (s *Revolution) meetAxis(t float64, iv geom.Interval) float64 {
	const most = 60
	for range most {
		p, d := s.profile.D1(t)
		n := d.X*d.X + d.Y*d.Y
		if n == 0 {
			break
		}
		next := iv.Clamp(t - (p.X*d.X+p.Y*d.Y)/n)
		if next == t {
			break
		}
		t = next
	}
	return t
}

// Profile returns the revolved curve, in part coordinates.
func (s *Revolution) Profile() curve.Curve { return s.profile.Transform(geom.FromFrame(s.frame)) }

// Axis returns a point on the axis and its unit direction.
func (s *Revolution) Axis() (origin, dir geom.Vec3) { return s.frame.Origin, s.frame.Z }

// Kind returns KindRevolution.
func (s *Revolution) Kind() Kind { return KindRevolution }

// Domain returns [0, 2π] for u, and the domain of the profile for v.
func (s *Revolution) Domain() (u, v geom.Interval) { return fullTurn, s.profile.Domain() }

// Periods returns 2π for u, and the period of the profile for v.
func (s *Revolution) Periods() (u, v float64) { return turn, s.profile.Period() }

// Singularities returns the points where the profile meets the axis.
func (s *Revolution) Singularities() []Singularity { return s.singular }

// At implements Surface.
func (s *Revolution) At(u, v float64) geom.Vec3 {
	return s.frame.Point(turned(s.profile.At(v), sincos(u)))
}

// D1 implements Surface.
func (s *Revolution) D1(u, v float64) (p, du, dv geom.Vec3) {
	q, q1 := s.profile.D1(v)
	a := sincos(u)
	p = turned(q, a)
	return s.frame.Point(p), s.frame.Dir(geom.Vec3{X: -p.Y, Y: p.X}), s.frame.Dir(turned(q1, a))
}

// D2 implements Surface.
func (s *Revolution) D2(u, v float64) (d Derivs) {
	q, q1, q2 := s.profile.D2(v)
	a := sincos(u)
	p, p1 := turned(q, a), turned(q1, a)
	d.P = s.frame.Point(p)
	d.Du = s.frame.Dir(geom.Vec3{X: -p.Y, Y: p.X})
	d.Dv = s.frame.Dir(p1)
	d.Duu = s.frame.Dir(geom.Vec3{X: -p.X, Y: -p.Y})
	d.Duv = s.frame.Dir(geom.Vec3{X: -p1.Y, Y: p1.X})
	d.Dvv = s.frame.Dir(turned(q2, a))
	return d
}

func sincos(u float64) (a geom.Vec2) {
	a.Y, a.X = math.Sincos(u)
	return a
}

// turned turns p about the Z axis by the angle with cosine a.X and sine a.Y.
func turned(p geom.Vec3, a geom.Vec2) geom.Vec3 {
	return geom.Vec3{X: p.X*a.X - p.Y*a.Y, Y: p.X*a.Y + p.Y*a.X, Z: p.Z}
}

// Normal implements Surface. Where the profile meets the axis it is the limit from inside, and where it crosses the
// axis the limit from the side on which most of the profile lies.
func (s *Revolution) Normal(u, v float64) geom.Vec3 {
	_, du, dv := s.D1(u, v)
	if n, ok := unitCross(du, dv, s.slackU, s.slackV); ok {
		return n
	}
	dom := s.profile.Domain()
	if s.planar && du.Norm() <= s.slackU && dv.Norm() > s.slackV {
		// Du is r·t with t = (-sin u, cos u, 0), so the limit is t × Dv with the sign of r.
		side := 1.0
		if w := nudge * inward(v, dom); !dom.Contains(v-w, 0) {
			side = sideOf(s.profile.At(v + w).X)
		}
		a := sincos(u)
		return s.frame.Dir(geom.Vec3{X: -a.Y, Y: a.X}).Cross(dv).Scale(side).Unit()
	}
	return limitNormal(s, fullTurn, dom, u, v, s.slackU, s.slackV)
}

// Transform keeps the angle; the profile's parameters change as the profile's own do. A mirroring
// reverses the sense of rotation and with it the axis.
func (s *Revolution) Transform(m geom.Transform) Surface {
	profile := s.Profile().Transform(m)
	z := m.Dir(s.frame.Z)
	if m.IsMirror() {
		z = z.Neg()
	}
	frame := geom.NewFrame(m.Point(s.frame.Origin), z, m.Dir(s.frame.X))
	return newRevolution(frame, profile.Transform(geom.FromFrame(frame).Inverse()))
}

// side is one half of the axial plane of a point: p lies at (r, z) in it when u is the angle of p
// minus turn.
type side struct{ r, turn float64 }

// sides returns the half planes that can contain the foot point of a point at distance rho from the axis.
func (s *Revolution) sides(rho float64, dst *[2]side) []side {
	out := dst[:0]
	if s.hi > geom.Resolution {
		out = append(out, side{rho, 0})
	}
	if s.lo < -geom.Resolution {
		out = append(out, side{-rho, math.Pi})
	}
	return out
}

// angleAt is the angle of the profile at v about the axis, 0 or π on a planar profile.
func (s *Revolution) angleAt(v float64, on side) float64 {
	if s.planar {
		return on.turn
	}
	p := s.profile.At(v)
	return math.Atan2(p.Y, p.X)
}

// Invert implements Surface.
func (s *Revolution) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	var buf [2]side
	theta, rho, z := cylindrical(&s.frame, p, 0)
	dist = math.Inf(1)
	for _, on := range s.sides(rho, &buf) {
		v, d := s.section.invert(geom.Vec3{X: on.r, Z: z})
		if d < dist {
			uv, dist = geom.Vec2{X: theta - s.angleAt(v, on), Y: v}, d
		}
	}
	uv.X = fullTurn.Wrap(uv.X)
	return uv, dist
}

// InvertNear implements Surface. On a profile that crosses the axis it stays on the hint's side,
// unless the other side is much nearer.
func (s *Revolution) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	var buf [2]side
	theta, rho, z := cylindrical(&s.frame, p, math.NaN())
	list := s.sides(rho, &buf)
	if len(list) > 1 && s.profile.At(hint.Y).X < 0 {
		list[0], list[1] = list[1], list[0]
	}
	on := list[0]
	v, dist := s.section.near(geom.Vec3{X: on.r, Z: z}, hint.Y)
	if len(list) > 1 && dist > geom.Resolution {
		if v2, d2 := s.section.near(geom.Vec3{X: list[1].r, Z: z}, hint.Y); d2 < 0.5*dist {
			v, dist, on = v2, d2, list[1]
		}
	}
	if q := s.profile.At(v); math.IsNaN(theta) || math.Hypot(q.X, q.Y) < geom.Resolution {
		return geom.Vec2{X: hint.X, Y: v}, dist
	}
	return geom.Vec2{X: unwrap(theta-s.angleAt(v, on), hint.X, turn), Y: v}, dist
}

// boundSteps is the number of intervals in each direction for the box of a profile outside the axial plane. The error
// of the box is about the size divided by the square of boundSteps.
const boundSteps = 64

// Bounds is as tight as the profile's boxes if the profile lies in a plane with the axis, else larger
// by up to a few percent.
func (s *Revolution) Bounds(u, v geom.Interval) geom.Box {
	if !s.planar {
		return s.looseBounds(u, v)
	}
	return revolvedBounds(&s.frame, u, func(g, c float64) geom.Interval {
		// x·g + z·c is the coordinate along a turned axis of the profile times the length of (g, c).
		l := math.Hypot(g, c)
		if l == 0 {
			return geom.Interval{}
		}
		sin, cos := g/l, c/l
		b := s.profile.Transform(geom.Transform{
			X: geom.Vec3{X: cos, Z: sin}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{X: -sin, Z: cos},
		}).Bounds(v)
		return geom.Interval{Lo: l * b.Min.Z, Hi: l * b.Max.Z}
	})
}

// looseBounds adds up boxes of small pieces of the profile, each turned by small angles.
func (s *Revolution) looseBounds(u, v geom.Interval) geom.Box {
	box := geom.EmptyBox()
	if u.Length() > turn {
		u = fullTurn
	}
	for i := range boundSteps {
		b := s.profile.Bounds(geom.Interval{Lo: v.At(float64(i) / boundSteps), Hi: v.At(float64(i+1) / boundSteps)})
		c, half := b.Center(), b.Size().Scale(0.5)
		reach := math.Hypot(half.X, half.Y)
		for k := range boundSteps {
			a := geom.Interval{Lo: u.At(float64(k) / boundSteps), Hi: u.At(float64(k+1) / boundSteps)}
			p := s.frame.Point(turned(c, sincos(a.Mid())))
			// The center moves by at most r·Δu/2, the rest of the piece lies within its half sizes.
			d := reach + math.Hypot(c.X, c.Y)*a.Length()/2
			box = box.Add(p.Sub(s.around(d, half.Z))).Add(p.Add(s.around(d, half.Z)))
		}
	}
	return box
}

// around returns the half sizes of a disc of radius r across the axis and half height h.
func (s *Revolution) around(r, h float64) geom.Vec3 {
	f := &s.frame
	one := func(x, y, z float64) float64 { return r*math.Hypot(x, y) + h*math.Abs(z) }
	return geom.Vec3{X: one(f.X.X, f.Y.X, f.Z.X), Y: one(f.X.Y, f.Y.Y, f.Z.Y), Z: one(f.X.Z, f.Y.Z, f.Z.Z)}
}
