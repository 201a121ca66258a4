package surface

import (
	"errors"
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/internal/tensor"
)

// Offset is Base + Distance·N with the unit normal N of Base (ISO 10303-42 OFFSET_SURFACE), for bases whose offset has
// no other surface type; see NewOffset.
//
// With c = Su × Sv, N = c/|c| and k for u or v, N_k = (c_k - (c_k·N)·N)/|c| needs the second derivatives of the base
// only, so the first derivatives of the offset are exact. The second ones need third derivatives of the base, which are
// central differences of its second derivatives. With a step of 1e-5 of the domain their error is about 1e-10 of the
// fifth derivative over the domain, plus 1e-10 of rounding, each times Distance. Next to a knot of degree 3 or less the
// third derivative jumps and the difference gives a mean of both sides.
type Offset struct {
	base           Surface
	distance       float64 // mm, along the normal of base
	singular       []Singularity
	slackU, slackV float64 // |Du| and |Dv| below which the direction is noise
}

var _ Surface = (*Offset)(nil)

// NewOffset moves every point of base by distance (mm) along its normal. The offsets of planes, cylinders, cones,
// spheres, tori, extrusions and revolutions are surfaces of the same kind with the same parameters unless they turn
// inside out; the offset of an Offset or a Trimmed starts from its base.
func NewOffset(base Surface, distance float64) (Surface, error) {
	if base == nil {
		return nil, errors.New("offset surface: no basis surface")
	}
	if math.IsNaN(distance) || math.IsInf(distance, 0) {
		return nil, errors.New("offset surface: the distance is not a number")
	}
	if s := sameKind(base, distance); s != nil {
		return s, nil
	}
	switch b := base.(type) {
	case *Offset:
		return NewOffset(b.base, b.distance+distance)
	case *Trimmed:
		u, v := b.signs()
		inner, err := NewOffset(b.Base, u*v*distance)
		if err != nil {
			return nil, err
		}
		return &Trimmed{inner, b.U, b.V, b.SenseU, b.SenseV}, nil
	}
	s := &Offset{base: base, distance: distance}
	if b, ok := base.(*BSpline); ok {
		s.slackU, s.slackV = b.slackU, b.slackV
	}
	s.findSingular()
	return s, nil
}

// sameKind returns the offset as a surface of base's kind, or nil.
func sameKind(base Surface, distance float64) Surface {
	switch b := base.(type) {
	case Plane:
		b.Frame.Origin = b.Frame.Origin.AddScaled(distance, b.Normal(0, 0))
		return b
	case Cylinder:
		if b.Radius += distance * handedness(&b.Frame); b.Radius > 0 {
			return b
		}
	case Cone:
		d := distance * handedness(&b.Frame)
		sin, cos := math.Sincos(b.HalfAngle)
		b.Frame.Origin = b.Frame.Origin.AddScaled(-d*sin, b.Frame.Z)
		if b.Radius += d * cos; b.Radius >= 0 {
			return b
		}
	case Sphere:
		if b.Radius += distance * handedness(&b.Frame); b.Radius > 0 {
			return b
		}
	case Torus:
		r := b.Minor + distance*handedness(&b.Frame)
		if b.Minor < b.Major && r > 0 && r < b.Major {
			b.Minor = r
			return b
		}
	case *Extrusion:
		if c, err := curve.NewOffset(b.profile, distance, b.dir.Neg()); err == nil {
			if s, err := NewExtrusion(c, b.dir); err == nil {
				return s
			}
		}
	case *Revolution:
		return offsetRevolution(b, distance)
	}
	return nil
}

// offsetRevolution revolves the offset meridian if it stays on its side of the axis.
func offsetRevolution(b *Revolution, distance float64) Surface {
	if !b.planar || b.lo < -geom.Resolution {
		return nil
	}
	c, err := curve.NewOffset(b.profile, distance, geom.Vec3{Y: 1})
	if err != nil {
		return nil
	}
	if s := newRevolution(b.frame, c); s.planar && s.lo >= -geom.Resolution {
		return s
	}
	return nil
}

// findSingular keeps the collapsed lines of base along which the normal is constant too.
func (s *Offset) findSingular() {
	u, v := s.base.Domain()
	for _, g := range s.base.Singularities() {
		free := v
		if g.ConstV {
			free = u
		}
		at := func(t float64) geom.Vec3 {
			if g.ConstV {
				return s.At(t, g.Param)
			}
			return s.At(g.Param, t)
		}
		first, collapsed := at(free.Lo), true
		const looks = 8
		for i := range looks {
			collapsed = collapsed && at(free.At(float64(i+1)/looks)).Dist(first) <= sideTolerance
		}
		if collapsed {
			g.Point = first
			s.singular = append(s.singular, g)
		}
	}
}

// Base returns the offset surface's base and the distance (mm).
func (s *Offset) Base() (base Surface, distance float64) { return s.base, s.distance }

// Kind returns KindOffset.
func (s *Offset) Kind() Kind { return KindOffset }

// Domain returns the domain of the base.
func (s *Offset) Domain() (u, v geom.Interval) { return s.base.Domain() }

// Periods returns the periods of the base.
func (s *Offset) Periods() (u, v float64) { return s.base.Periods() }

// Singularities returns the singularities of the base at which its normal has one limit.
func (s *Offset) Singularities() []Singularity { return s.singular }

// At implements Surface.
func (s *Offset) At(u, v float64) geom.Vec3 {
	return s.base.At(u, v).AddScaled(s.distance, s.base.Normal(u, v))
}

// D1 implements Surface.
func (s *Offset) D1(u, v float64) (p, du, dv geom.Vec3) {
	b := s.base.D2(u, v)
	n := s.turning(&b, u, v)
	return b.P.AddScaled(s.distance, n.n), b.Du.AddScaled(s.distance, n.u), b.Dv.AddScaled(s.distance, n.v)
}

// normalTurn is the unit normal with its first derivatives, computed from c = Su × Sv and the derivatives of c.
type normalTurn struct {
	n, u, v    geom.Vec3
	c, cu, cv  geom.Vec3
	length     float64 // |c|
	degenerate bool
}

func (s *Offset) turning(b *Derivs, u, v float64) (t normalTurn) {
	t.c = b.Du.Cross(b.Dv)
	t.length = t.c.Norm()
	if t.length <= parallel*b.Du.Norm()*b.Dv.Norm() || s.nearSingular(b) {
		return s.limitTurning(u, v)
	}
	t.cu = b.Duu.Cross(b.Dv).Add(b.Du.Cross(b.Duv))
	t.cv = b.Duv.Cross(b.Dv).Add(b.Du.Cross(b.Dvv))
	t.n = t.c.Scale(1 / t.length)
	t.u = t.cu.AddScaled(-t.cu.Dot(t.n), t.n).Scale(1 / t.length)
	t.v = t.cv.AddScaled(-t.cv.Dot(t.n), t.n).Scale(1 / t.length)
	return t
}

// nearSingular reports whether the base is collapsed at this point, where Du × Dv is rounding.
func (s *Offset) nearSingular(b *Derivs) bool {
	for _, g := range s.base.Singularities() {
		if g.Point.Dist(b.P) <= geom.Resolution {
			return true
		}
	}
	return false
}

// differenceStep is the step of the central differences as a fraction of the domain.
const differenceStep = 1e-5

// steps are parameter steps toward the middle of the domain.
func (s *Offset) steps(u, v float64) (hu, hv float64) {
	du, dv := s.base.Domain()
	return differenceStep * inward(u, du), differenceStep * inward(v, dv)
}

// limitTurning differentiates the limit normals where the base has no normal.
func (s *Offset) limitTurning(u, v float64) (t normalTurn) {
	hu, hv := s.steps(u, v)
	t.n = s.base.Normal(u, v)
	// One-sided differences of second order.
	slope := func(a, b geom.Vec3, h float64) geom.Vec3 {
		return a.Scale(4).Sub(b).AddScaled(-3, t.n).Scale(0.5 / h)
	}
	t.u = slope(s.base.Normal(u+hu, v), s.base.Normal(u+2*hu, v), hu)
	t.v = slope(s.base.Normal(u, v+hv), s.base.Normal(u, v+2*hv), hv)
	t.degenerate = true
	return t
}

// D2 implements Surface; see Offset for the error.
func (s *Offset) D2(u, v float64) (d Derivs) {
	b := s.base.D2(u, v)
	hu, hv := s.steps(u, v)
	var third thirds
	third.along(s, u, v, hu, hv)
	return s.second(&b, &third, u, v)
}

// thirds are the third derivatives of the base.
type thirds struct{ uuu, uuv, uvv, vvv geom.Vec3 }

// along fills in central differences; at the border of the domain both points lie inside.
func (t *thirds) along(s *Offset, u, v, hu, hv float64) {
	du, dv := s.base.Domain()
	pu, pv := s.base.Periods()
	if pu == 0 {
		u = midOf(u, hu, du)
	}
	if pv == 0 {
		v = midOf(v, hv, dv)
	}
	a, b := s.base.D2(u+hu, v), s.base.D2(u-hu, v)
	t.uuu = a.Duu.Sub(b.Duu).Scale(0.5 / hu)
	t.uuv = a.Duv.Sub(b.Duv).Scale(0.5 / hu)
	a, b = s.base.D2(u, v+hv), s.base.D2(u, v-hv)
	t.uvv = a.Duv.Sub(b.Duv).Scale(0.5 / hv)
	t.vvv = a.Dvv.Sub(b.Dvv).Scale(0.5 / hv)
}

// midOf moves t inside by the step h, which points inward, if it is nearer to an end than that.
func midOf(t, h float64, iv geom.Interval) float64 {
	if a := math.Abs(h); iv.IsFinite() && (t-a < iv.Lo || t+a > iv.Hi) {
		return t + h
	}
	return t
}

// second puts the derivatives together. From N = c/l, l = |c| and k, m each u or v:
//
//	N_km = (c_km - l_km·N - l_k·N_m - l_m·N_k)/l,  l_k = N·c_k,  l_km = N_m·c_k + N·c_km.
func (s *Offset) second(b *Derivs, t *thirds, u, v float64) (d Derivs) {
	n := s.turning(b, u, v)
	d = *b
	d.P = b.P.AddScaled(s.distance, n.n)
	d.Du = b.Du.AddScaled(s.distance, n.u)
	d.Dv = b.Dv.AddScaled(s.distance, n.v)
	if n.degenerate {
		return d
	}
	cuu := t.uuu.Cross(b.Dv).AddScaled(2, b.Duu.Cross(b.Duv)).Add(b.Du.Cross(t.uuv))
	cuv := t.uuv.Cross(b.Dv).Add(b.Duu.Cross(b.Dvv)).Add(b.Du.Cross(t.uvv))
	cvv := t.uvv.Cross(b.Dv).AddScaled(2, b.Duv.Cross(b.Dvv)).Add(b.Du.Cross(t.vvv))
	lu, lv := n.n.Dot(n.cu), n.n.Dot(n.cv)
	turn := func(c, ck, nk, nm geom.Vec3, lk, lm float64) geom.Vec3 {
		l := nm.Dot(ck) + n.n.Dot(c)
		return c.AddScaled(-l, n.n).AddScaled(-lk, nm).AddScaled(-lm, nk).Scale(s.distance / n.length)
	}
	d.Duu = b.Duu.Add(turn(cuu, n.cu, n.u, n.u, lu, lu))
	d.Duv = b.Duv.Add(turn(cuv, n.cu, n.u, n.v, lu, lv))
	d.Dvv = b.Dvv.Add(turn(cvv, n.cv, n.v, n.v, lv, lv))
	return d
}

// Normal implements Surface: the normal of the base, or its opposite where the offset is inside out.
func (s *Offset) Normal(u, v float64) geom.Vec3 {
	n := s.base.Normal(u, v)
	_, du, dv := s.D1(u, v)
	if own, ok := unitCross(du, dv, s.slackU, s.slackV); ok && own.Dot(n) < 0 {
		return n.Neg()
	}
	return n
}

// Bounds is the base's box grown by the distance: up to twice the distance too large.
func (s *Offset) Bounds(u, v geom.Interval) geom.Box {
	return s.base.Bounds(u, v).Grow(math.Abs(s.distance))
}

// Transform keeps the parametrization if the base does. A mirroring reverses the normal.
func (s *Offset) Transform(m geom.Transform) Surface {
	d := s.distance * m.Scale()
	if m.IsMirror() {
		d = -d
	}
	k := m.Scale()
	return &Offset{s.base.Transform(m), d, transformSingular(s.singular, m), k * s.slackU, k * s.slackV}
}

// approximate is the offset without the third derivatives of its base, five times as fast: enough to
// descend to a closest point, since next to one they do not count.
type approximate struct{ *Offset }

func (s approximate) D2(u, v float64) Derivs {
	b := s.base.D2(u, v)
	return s.second(&b, &thirds{}, u, v)
}

func (s *Offset) everywhere() rect {
	if b, ok := s.base.(*BSpline); ok {
		return b.everywhere()
	}
	u, v := s.base.Domain()
	pu, pv := s.base.Periods()
	if pu > 0 {
		u = wholeLine
	}
	if pv > 0 {
		v = wholeLine
	}
	return rect{u, v, s.slackU, s.slackV}
}

// Invert descends on a B-spline base from the nearest control point. If the result is not within trusted, it tests all
// cells within the distance of the best point. On any other base it descends from the foot point on the base.
func (s *Offset) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	var best footPoint
	b, isSpline := s.base.(*BSpline)
	if isSpline {
		best = descend(approximate{s}, p, b.net.Nearest(p), s.everywhere())
	}
	if !best.settle || best.dist > trusted {
		start, _ := s.base.Invert(p)
		best = descend(approximate{s}, p, start, s.everywhere())
		if isSpline {
			best = s.search(b, p, best)
		}
	}
	du, dv := s.base.Domain()
	pu, pv := s.base.Periods()
	if pu > 0 {
		best.uv.X = geom.Interval{Lo: du.Lo, Hi: du.Lo + pu}.Wrap(best.uv.X)
	}
	if pv > 0 {
		best.uv.Y = geom.Interval{Lo: dv.Lo, Hi: dv.Lo + pv}.Wrap(best.uv.Y)
	}
	return best.uv, best.dist
}

// InvertNear descends from the hint. If the result is not within trusted, the point of Invert replaces it if that point
// is at less than half the distance.
func (s *Offset) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	f := descend(approximate{s}, p, hint, s.everywhere())
	if !f.settle || f.dist > trusted {
		if uv, d := s.Invert(p); d < 0.5*f.dist || !f.settle && d < f.dist {
			f.uv, f.dist = uv, d
		}
	}
	uv = f.uv
	pu, pv := s.base.Periods()
	if pu > 0 {
		uv.X = unwrap(uv.X, hint.X, pu)
	}
	if pv > 0 {
		uv.Y = unwrap(uv.Y, hint.Y, pv)
	}
	for _, g := range s.singular {
		if g.Point.Dist(p) > geom.Resolution {
			continue
		}
		r := s.everywhere()
		if g.ConstV {
			return geom.Vec2{X: r.u.Clamp(hint.X), Y: g.Param}, f.dist
		}
		return geom.Vec2{X: g.Param, Y: r.v.Clamp(hint.Y)}, f.dist
	}
	return uv, f.dist
}

// search improves best over the cells of the base: a point of the offset lies within the distance of
// its cell.
func (s *Offset) search(b *BSpline, p geom.Vec3, best footPoint) footPoint {
	var q tensor.Search
	b.net.LeafGrid().Search(p, &q)
	for best.dist > coincident {
		reach := best.dist + math.Abs(s.distance)
		c, ok := q.Next(reach * reach)
		if !ok {
			break
		}
		start := geom.Vec2{X: c.U.Mid(), Y: c.V.Mid()}
		f := descend(approximate{s}, p, start, rect{c.U, c.V, b.slackU, b.slackV})
		if f.dist < best.dist {
			best = f
		}
	}
	return best
}
