package surface

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// Trimmed is the part of Base over a parameter rectangle (ISO 10303-42 RECTANGULAR_TRIMMED_SURFACE). Its parameters are
// the parameters of Base. A direction whose sense is false is reversed over the same range, where u maps to U.Lo + U.Hi
// - u, and reverses the normal.
type Trimmed struct {
	Base           Surface
	U, V           geom.Interval
	SenseU, SenseV bool // true: as Base
}

var _ Surface = (*Trimmed)(nil)

// periodMargin is the fraction of a period by which a range may miss it and still be a whole turn.
const periodMargin = 1e-9

// NewTrimmed cuts base to u × v. A range of a periodic direction is changed at Hi to at most one period above Lo; equal
// ends mean a full period. A range of another direction is cut to the domain; its ends may have either order, and it
// must not be empty.
func NewTrimmed(base Surface, u, v geom.Interval, senseU, senseV bool) (*Trimmed, error) {
	if base == nil {
		return nil, errors.New("trimmed surface: no basis surface")
	}
	du, dv := base.Domain()
	pu, pv := base.Periods()
	u, err := trimRange(u, du, pu)
	if err != nil {
		return nil, fmt.Errorf("trimmed surface: u: %w", err)
	}
	if v, err = trimRange(v, dv, pv); err != nil {
		return nil, fmt.Errorf("trimmed surface: v: %w", err)
	}
	return &Trimmed{base, u, v, senseU, senseV}, nil
}

func trimRange(iv, dom geom.Interval, period float64) (geom.Interval, error) {
	if math.IsNaN(iv.Lo) || math.IsNaN(iv.Hi) {
		return iv, errors.New("a trim parameter is not a number")
	}
	if period > 0 {
		if !iv.IsFinite() {
			return iv, errors.New("a trim parameter is infinite")
		}
		length := geom.Interval{Hi: period}.Wrap(iv.Hi - iv.Lo)
		if slack := periodMargin * period; length < slack || length > period-slack {
			length = period
		}
		if iv.Hi-iv.Lo != length {
			iv.Hi = iv.Lo + length
		}
		return iv, nil
	}
	if iv.Lo > iv.Hi {
		iv.Lo, iv.Hi = iv.Hi, iv.Lo
	}
	cut := geom.Interval{Lo: max(iv.Lo, dom.Lo), Hi: min(iv.Hi, dom.Hi)}
	if !(cut.Hi > cut.Lo) {
		return iv, fmt.Errorf("the range %g … %g is empty", iv.Lo, iv.Hi)
	}
	return cut, nil
}

// Kind returns KindTrimmed.
func (s *Trimmed) Kind() Kind { return KindTrimmed }

// Domain is the rectangle.
func (s *Trimmed) Domain() (u, v geom.Interval) { return s.U, s.V }

// Periods returns the periods of Base in a direction that is cut to a whole period, else 0.
func (s *Trimmed) Periods() (u, v float64) {
	u, v = s.Base.Periods()
	if s.U.Length() < u*(1-periodMargin) {
		u = 0
	}
	if s.V.Length() < v*(1-periodMargin) {
		v = 0
	}
	return u, v
}

// Singularities returns the singularities of Base inside the rectangle.
func (s *Trimmed) Singularities() (list []Singularity) {
	pu, pv := s.Base.Periods()
	for _, g := range s.Base.Singularities() {
		iv, period, sense := s.U, pu, s.SenseU
		if g.ConstV {
			iv, period, sense = s.V, pv, s.SenseV
		}
		if period > 0 {
			g.Param = unwrap(g.Param, iv.Mid(), period)
		}
		slack := 0.0
		if iv.IsFinite() {
			slack = sameParam * iv.Length()
		}
		if !iv.Contains(g.Param, slack) {
			continue
		}
		g.Param = flip(iv.Clamp(g.Param), iv, sense)
		list = append(list, g)
	}
	return list
}

// flip exchanges a parameter of the trimmed surface and of Base.
func flip(t float64, iv geom.Interval, sense bool) float64 {
	switch {
	case sense:
		return t
	case t == iv.Lo:
		return iv.Hi
	case t == iv.Hi:
		return iv.Lo
	}
	return iv.Lo + (iv.Hi - t)
}

// OfBase maps the parameters that list returns for Base to parameters of s, in ascending order. iv is the range on s,
// of u, or of v if constV.
func (s *Trimmed) OfBase(constV bool, iv geom.Interval, list func(geom.Interval) []float64) []float64 {
	own, sense := s.U, s.SenseU
	if constV {
		own, sense = s.V, s.SenseV
	}
	if sense {
		return list(iv)
	}
	found := list(geom.Interval{Lo: flip(iv.Hi, own, false), Hi: flip(iv.Lo, own, false)})
	for i, t := range found {
		found[i] = flip(t, own, false)
	}
	slices.Reverse(found)
	return found
}

func (s *Trimmed) toBase(u, v float64) (float64, float64) {
	return flip(u, s.U, s.SenseU), flip(v, s.V, s.SenseV)
}

// signs are the derivatives of Base's parameters by the own ones.
func (s *Trimmed) signs() (u, v float64) {
	u, v = 1, 1
	if !s.SenseU {
		u = -1
	}
	if !s.SenseV {
		v = -1
	}
	return u, v
}

// At implements Surface.
func (s *Trimmed) At(u, v float64) geom.Vec3 { return s.Base.At(s.toBase(u, v)) }

// D1 implements Surface.
func (s *Trimmed) D1(u, v float64) (p, du, dv geom.Vec3) {
	su, sv := s.signs()
	p, du, dv = s.Base.D1(s.toBase(u, v))
	return p, du.Scale(su), dv.Scale(sv)
}

// D2 implements Surface.
func (s *Trimmed) D2(u, v float64) Derivs {
	su, sv := s.signs()
	d := s.Base.D2(s.toBase(u, v))
	d.Du, d.Dv, d.Duv = d.Du.Scale(su), d.Dv.Scale(sv), d.Duv.Scale(su*sv)
	return d
}

// Normal is the normal of Base, negated if exactly one sense is false.
func (s *Trimmed) Normal(u, v float64) geom.Vec3 {
	su, sv := s.signs()
	return s.Base.Normal(s.toBase(u, v)).Scale(su * sv)
}

// Invert is Base's where the closest point lies in the rectangle; else the closest of the local minima
// reached from it and from the middle and the corners of the rectangle.
func (s *Trimmed) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	uv, dist = s.Base.Invert(p)
	uv, dist = s.inside(p, uv, dist)
	return s.own(uv), dist
}

// InvertNear is Base's from the hint where that lies in the rectangle, else Invert.
func (s *Trimmed) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	pu, pv := s.Periods()
	var at geom.Vec2
	at.X, at.Y = s.toBase(hint.X, hint.Y)
	uv, dist = s.Base.InvertNear(p, at)
	uv, dist = s.inside(p, uv, dist)
	uv = s.own(uv)
	if pu > 0 {
		uv.X = unwrap(uv.X, hint.X, pu)
	}
	if pv > 0 {
		uv.Y = unwrap(uv.Y, hint.Y, pv)
	}
	return uv, dist
}

// own returns the own parameters of a point of Base in the rectangle.
func (s *Trimmed) own(uv geom.Vec2) geom.Vec2 {
	uv.X, uv.Y = s.toBase(uv.X, uv.Y)
	pu, pv := s.Periods()
	if pu > 0 {
		uv.X = geom.Interval{Lo: s.U.Lo, Hi: s.U.Lo + pu}.Wrap(uv.X)
	}
	if pv > 0 {
		uv.Y = geom.Interval{Lo: s.V.Lo, Hi: s.V.Lo + pv}.Wrap(uv.Y)
	}
	return uv
}

// inside moves the foot point uv on Base into the rectangle, and searches the rectangle if that is not possible.
func (s *Trimmed) inside(p geom.Vec3, uv geom.Vec2, dist float64) (geom.Vec2, float64) {
	pu, pv := s.Base.Periods()
	if pu > 0 {
		uv.X = into(uv.X, s.U, pu)
	}
	if pv > 0 {
		uv.Y = into(uv.Y, s.V, pv)
	}
	if s.U.Contains(uv.X, 0) && s.V.Contains(uv.Y, 0) {
		return uv, dist
	}
	r := rect{u: s.U, v: s.V}
	best := descend(s.Base, p, uv, r)
	for _, x := range [3]float64{0, 0.5, 1} {
		for _, y := range [3]float64{0, 0.5, 1} {
			if !s.U.IsFinite() && x != 0.5 || !s.V.IsFinite() && y != 0.5 {
				continue
			}
			start := uv
			if s.U.IsFinite() {
				start.X = s.U.At(x)
			}
			if s.V.IsFinite() {
				start.Y = s.V.At(y)
			}
			if f := descend(s.Base, p, start, r); f.dist < best.dist {
				best = f
			}
		}
	}
	return best.uv, best.dist
}

// into moves t by periods into iv, or next to the middle of it if that is not possible.
func into(t float64, iv geom.Interval, period float64) float64 {
	if w := (geom.Interval{Lo: iv.Lo, Hi: iv.Lo + period}).Wrap(t); w <= iv.Hi {
		return w
	}
	return unwrap(t, iv.Mid(), period)
}

// Bounds is Base's over the same part.
func (s *Trimmed) Bounds(u, v geom.Interval) geom.Box {
	part := func(iv, own geom.Interval, sense bool) geom.Interval {
		if sense {
			return iv
		}
		return geom.Interval{Lo: flip(iv.Hi, own, false), Hi: flip(iv.Lo, own, false)}
	}
	return s.Base.Bounds(part(u, s.U, s.SenseU), part(v, s.V, s.SenseV))
}

// Transform trims the image of Base, whose parameters may have changed, to the image of the
// rectangle.
func (s *Trimmed) Transform(m geom.Transform) Surface {
	base := s.Base.Transform(m)
	ku, kv := ParamScale(s.Base, m)
	scale := func(iv geom.Interval, k float64) geom.Interval {
		return geom.Interval{Lo: k * iv.Lo, Hi: k * iv.Hi}
	}
	return &Trimmed{base, scale(s.U, ku), scale(s.V, kv), s.SenseU, s.SenseV}
}
