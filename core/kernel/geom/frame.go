package geom

// Frame is an origin with three orthonormal axes. It is right-handed except after a mirroring Transform. Surfaces use
// the axes unchanged, so a mirrored surface stays exact.
type Frame struct {
	Origin Vec3 `json:"Origin"`
	X      Vec3 `json:"X"`
	Y      Vec3 `json:"Y"`
	Z      Vec3 `json:"Z"`
}

// World is the frame of part coordinates.
var World = Frame{X: Vec3{X: 1}, Y: Vec3{Y: 1}, Z: Vec3{Z: 1}}

// NewFrame builds a right-handed frame whose Z is along z and whose X is the part of xRef
// perpendicular to z. A zero z becomes (0,0,1); a zero or parallel xRef becomes any perpendicular.
func NewFrame(origin, z, xRef Vec3) Frame {
	const parallel = 1e-9 // sine of the angle below which xRef gives no direction
	z = z.Unit()
	if z == (Vec3{}) {
		z = Vec3{Z: 1}
	}
	xRef = xRef.Unit()
	x := xRef.AddScaled(-xRef.Dot(z), z)
	if x.Norm() < parallel {
		x = z.Perp()
		if z == (Vec3{Z: 1}) {
			x = Vec3{X: 1}
		}
	}
	x = x.Unit()
	x = x.AddScaled(-x.Dot(z), z).Unit() // the z component that cancellation left in an xRef nearly parallel to z
	return Frame{Origin: origin, X: x, Y: z.Cross(x), Z: z}
}

// Point maps frame coordinates to part coordinates.
func (f Frame) Point(p Vec3) Vec3 { return f.Origin.Add(f.Dir(p)) }

// Dir maps a direction from frame to part coordinates.
func (f Frame) Dir(d Vec3) Vec3 {
	return Vec3{
		d.X*f.X.X + d.Y*f.Y.X + d.Z*f.Z.X,
		d.X*f.X.Y + d.Y*f.Y.Y + d.Z*f.Z.Y,
		d.X*f.X.Z + d.Y*f.Y.Z + d.Z*f.Z.Z,
	}
}

// Local maps part coordinates to frame coordinates.
func (f Frame) Local(p Vec3) Vec3 { return f.LocalDir(p.Sub(f.Origin)) }

// LocalDir maps a direction from part to frame coordinates.
func (f Frame) LocalDir(d Vec3) Vec3 { return Vec3{d.Dot(f.X), d.Dot(f.Y), d.Dot(f.Z)} }

// IsRightHanded reports whether X × Y points along Z.
func (f Frame) IsRightHanded() bool { return f.X.Cross(f.Y).Dot(f.Z) > 0 }

// Transform applies m; the axes stay unit vectors.
func (f Frame) Transform(m Transform) Frame {
	return Frame{m.Point(f.Origin), m.Dir(f.X).Unit(), m.Dir(f.Y).Unit(), m.Dir(f.Z).Unit()}
}
