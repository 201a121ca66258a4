package surface

import "millwright.dev/millwright/core/kernel/geom"

// Plane is S(u, v) = O + u·X + v·Y of its frame (ISO 10303-42 PLANE); u and v are mm.
type Plane struct{ Frame geom.Frame }

var _ Surface = Plane{}

// Kind returns KindPlane.
func (s Plane) Kind() Kind { return KindPlane }

// Domain is unbounded.
func (s Plane) Domain() (u, v geom.Interval) { return wholeLine, wholeLine }

// Periods are both 0.
func (s Plane) Periods() (u, v float64) { return 0, 0 }

// Singularities is empty.
func (s Plane) Singularities() []Singularity { return nil }

// At implements Surface.
func (s Plane) At(u, v float64) geom.Vec3 {
	return s.Frame.Origin.AddScaled(u, s.Frame.X).AddScaled(v, s.Frame.Y)
}

// D1 implements Surface.
func (s Plane) D1(u, v float64) (p, du, dv geom.Vec3) { return s.At(u, v), s.Frame.X, s.Frame.Y }

// D2 implements Surface.
func (s Plane) D2(u, v float64) Derivs {
	return Derivs{P: s.At(u, v), Du: s.Frame.X, Dv: s.Frame.Y}
}

// Normal is the frame's Z, or its opposite after a mirroring.
func (s Plane) Normal(_, _ float64) geom.Vec3 { return s.Frame.Z.Scale(handedness(&s.Frame)) }

// Invert is the orthogonal projection.
func (s Plane) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	q := s.Frame.Local(p)
	if q.Z < 0 {
		q.Z = -q.Z
	}
	return geom.Vec2{X: q.X, Y: q.Y}, q.Z
}

// InvertNear is Invert: a plane has one branch.
func (s Plane) InvertNear(p geom.Vec3, _ geom.Vec2) (uv geom.Vec2, dist float64) { return s.Invert(p) }

// Bounds is tight.
func (s Plane) Bounds(u, v geom.Interval) geom.Box {
	axis := func(o, x, y float64) geom.Interval {
		a, b := linearRange(x, u), linearRange(y, v)
		return geom.Interval{Lo: o + a.Lo + b.Lo, Hi: o + a.Hi + b.Hi}
	}
	f := &s.Frame
	return boxOf(axis(f.Origin.X, f.X.X, f.Y.X), axis(f.Origin.Y, f.X.Y, f.Y.Y),
		axis(f.Origin.Z, f.X.Z, f.Y.Z))
}

// Transform scales both parameters with m.Scale().
func (s Plane) Transform(m geom.Transform) Surface { return Plane{s.Frame.Transform(m)} }
