package geom

import "math"

// Transform is a similarity: rotation or reflection, uniform scale, translation.
// Columns are the images of the axes: Point(p) = p.X·X + p.Y·Y + p.Z·Z + T.
type Transform struct{ X, Y, Z, T Vec3 }

// Identity leaves every point where it is.
var Identity = Transform{X: Vec3{X: 1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}}

// Translation moves by d.
func Translation(d Vec3) Transform { t := Identity; t.T = d; return t }

// Scaling scales about the origin by s > 0.
func Scaling(s float64) Transform {
	return Transform{X: Vec3{X: s}, Y: Vec3{Y: s}, Z: Vec3{Z: s}}
}

// Rotation turns by angle (radians, right-handed) about the axis through the origin along axis.
func Rotation(axis Vec3, angle float64) Transform {
	k := axis.Unit()
	s, c := math.Sincos(angle)
	rot := func(v Vec3) Vec3 {
		return v.Scale(c).AddScaled(s, k.Cross(v)).AddScaled(k.Dot(v)*(1-c), k)
	}
	return Transform{X: rot(Vec3{X: 1}), Y: rot(Vec3{Y: 1}), Z: rot(Vec3{Z: 1})}
}

// FromFrame maps the coordinates of f to part coordinates.
func FromFrame(f Frame) Transform { return Transform{f.X, f.Y, f.Z, f.Origin} }

// Point maps a point.
func (m Transform) Point(p Vec3) Vec3 { return m.Dir(p).Add(m.T) }

// Dir maps a difference of points (no translation; a uniform scale is kept).
func (m Transform) Dir(d Vec3) Vec3 {
	return m.X.Scale(d.X).AddScaled(d.Y, m.Y).AddScaled(d.Z, m.Z)
}

// Mul returns the transform that applies n first, then m.
func (m Transform) Mul(n Transform) Transform {
	return Transform{m.Dir(n.X), m.Dir(n.Y), m.Dir(n.Z), m.Point(n.T)}
}

// Scale returns the uniform scale factor, always positive.
func (m Transform) Scale() float64 { return math.Cbrt(math.Abs(m.det())) }

// IsMirror reports whether the handedness changes.
func (m Transform) IsMirror() bool { return m.det() < 0 }

func (m Transform) det() float64 { return m.X.Cross(m.Y).Dot(m.Z) }

// Inverse returns the inverse of a similarity with non-zero scale: the transposed linear part over
// the squared scale.
func (m Transform) Inverse() Transform {
	s2 := m.X.Norm2()
	r := Transform{
		X: Vec3{m.X.X, m.Y.X, m.Z.X}.Scale(1 / s2),
		Y: Vec3{m.X.Y, m.Y.Y, m.Z.Y}.Scale(1 / s2),
		Z: Vec3{m.X.Z, m.Y.Z, m.Z.Z}.Scale(1 / s2),
	}
	r.T = r.Dir(m.T).Neg()
	return r
}
