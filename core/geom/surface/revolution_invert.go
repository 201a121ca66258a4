package surface

import (
	"math"

	"millwright/core/geom"
)

// side is one half of the axial plane of a point: p lies at (r, z) in it when u is the angle of p
// minus turn.
type side struct{ r, turn float64 }

// sides returns the half planes in which the foot of a point at distance rho from the axis can lie.
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

// boundSteps is the number of intervals in each direction by which the box of a profile outside the
// axial plane is found; its error is about the size over the square of it.
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
			// The centre moves by at most r·Δu/2, the rest of the piece lies within its half sizes.
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
