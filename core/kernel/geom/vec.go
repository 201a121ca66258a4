// Package geom contains the value types that every geometric package shares: vectors, frames, transforms, intervals,
// boxes and tolerances.
//
// Lengths are millimeters, angles radians. Points and directions are both Vec3; argument names show which is meant.
// Nothing here allocates.
//
// # Frames
//
// The part frame is the frame of the CAD file, in mm, with all placements of an assembly resolved. Models, meshes,
// features and files are in it unless they say otherwise.
//
// A tool-axis frame is a Frame whose Z points from the part to the spindle, against the direction of tool approach: z
// grows toward the tool, and of two points the tool meets the higher one first. X and Y span the plane of grids and
// height maps. Local converts points of the part to it, Point converts them back. A direction alone represents all
// frames with that Z at the origin of the part: where only heights matter, as in datasheets, z of a point is its dot
// product with the direction.
//
// The parameter plane (u, v) of a surface is not a frame: the surface defines its axes, rad or mm.
package geom

import "math"

// Vec2 is a point or direction in a plane; for a surface parameter X is u and Y is v.
type Vec2 struct {
	X float64 `json:"X"`
	Y float64 `json:"Y"`
}

// Add returns a + b.
func (a Vec2) Add(b Vec2) Vec2 { return Vec2{a.X + b.X, a.Y + b.Y} }

// Sub returns a - b.
func (a Vec2) Sub(b Vec2) Vec2 { return Vec2{a.X - b.X, a.Y - b.Y} }

// Scale returns s·a.
func (a Vec2) Scale(s float64) Vec2 { return Vec2{s * a.X, s * a.Y} }

// Dot returns the inner product.
func (a Vec2) Dot(b Vec2) float64 { return a.X*b.X + a.Y*b.Y }

// Cross returns the z component of the cross product, twice the signed area of the triangle 0, a, b.
func (a Vec2) Cross(b Vec2) float64 { return a.X*b.Y - a.Y*b.X }

// Norm returns the length.
func (a Vec2) Norm() float64 { return math.Hypot(a.X, a.Y) }

// Norm2 returns the squared length.
func (a Vec2) Norm2() float64 { return a.X*a.X + a.Y*a.Y }

// Dist returns |a - b|.
func (a Vec2) Dist(b Vec2) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// Lerp returns a + t·(b - a).
func (a Vec2) Lerp(b Vec2, t float64) Vec2 { return Vec2{a.X + t*(b.X-a.X), a.Y + t*(b.Y-a.Y)} }

// Vec3 is a point or direction in space. Its tags define its form in data and files of clients.
type Vec3 struct {
	X float64 `json:"x" doc:"Coordinate, mm, or component of a unit vector."`
	Y float64 `json:"y" doc:"Coordinate, mm, or component of a unit vector."`
	Z float64 `json:"z" doc:"Coordinate, mm, or component of a unit vector."`
}

// Add returns a + b.
func (a Vec3) Add(b Vec3) Vec3 { return Vec3{a.X + b.X, a.Y + b.Y, a.Z + b.Z} }

// Sub returns a - b.
func (a Vec3) Sub(b Vec3) Vec3 { return Vec3{a.X - b.X, a.Y - b.Y, a.Z - b.Z} }

// Scale returns s·a.
func (a Vec3) Scale(s float64) Vec3 { return Vec3{s * a.X, s * a.Y, s * a.Z} }

// AddScaled returns a + s·b.
func (a Vec3) AddScaled(s float64, b Vec3) Vec3 { return Vec3{a.X + s*b.X, a.Y + s*b.Y, a.Z + s*b.Z} }

// Neg returns -a.
func (a Vec3) Neg() Vec3 { return Vec3{-a.X, -a.Y, -a.Z} }

// Dot returns the inner product.
func (a Vec3) Dot(b Vec3) float64 { return a.X*b.X + a.Y*b.Y + a.Z*b.Z }

// Cross returns the cross product.
func (a Vec3) Cross(b Vec3) Vec3 {
	return Vec3{a.Y*b.Z - a.Z*b.Y, a.Z*b.X - a.X*b.Z, a.X*b.Y - a.Y*b.X}
}

// Norm returns the length.
func (a Vec3) Norm() float64 { return math.Sqrt(a.X*a.X + a.Y*a.Y + a.Z*a.Z) }

// Norm2 returns the squared length.
func (a Vec3) Norm2() float64 { return a.X*a.X + a.Y*a.Y + a.Z*a.Z }

// Dist returns |a - b|.
func (a Vec3) Dist(b Vec3) float64 { return a.Sub(b).Norm() }

// Dist2 returns |a - b|².
func (a Vec3) Dist2(b Vec3) float64 { return a.Sub(b).Norm2() }

// Unit returns a/|a|, or the zero vector when a is zero or not finite.
func (a Vec3) Unit() Vec3 {
	const tiny, huge = 1e-280, 1e280 // squares between these are accurate
	if n := a.Norm2(); n > tiny && n < huge {
		return a.Scale(1 / math.Sqrt(n))
	}
	return a.unitExtreme()
}

// unitExtreme is Unit for vectors whose squared length overflows or loses digits, apart so that Unit
// is inlined.
func (a Vec3) unitExtreme() Vec3 {
	m := max(math.Abs(a.X), max(math.Abs(a.Y), math.Abs(a.Z)))
	if m == 0 || math.IsInf(m, 0) || math.IsNaN(m) {
		return Vec3{}
	}
	_, e := math.Frexp(m)
	b := Vec3{math.Ldexp(a.X, -e), math.Ldexp(a.Y, -e), math.Ldexp(a.Z, -e)}
	return b.Scale(1 / b.Norm())
}

// Lerp returns a + t·(b - a).
func (a Vec3) Lerp(b Vec3, t float64) Vec3 { return a.AddScaled(t, b.Sub(a)) }

// Reject returns the component of a perpendicular to a unit vector.
func (a Vec3) Reject(unit Vec3) Vec3 { return a.AddScaled(-a.Dot(unit), unit) }

// AtHeight returns the point at height z along a unit direction on the line through a in it.
func (a Vec3) AtHeight(z float64, dir Vec3) Vec3 { return a.AddScaled(z-a.Dot(dir), dir) }

// Perp returns a unit vector perpendicular to a (any one, but always the same for the same a).
func (a Vec3) Perp() Vec3 {
	ax, ay, az := math.Abs(a.X), math.Abs(a.Y), math.Abs(a.Z)
	switch {
	case ax <= ay && ax <= az:
		return a.Cross(Vec3{X: 1}).Unit()
	case ay <= az:
		return a.Cross(Vec3{Y: 1}).Unit()
	default:
		return a.Cross(Vec3{Z: 1}).Unit()
	}
}

// Angle returns the angle between a and b in [0, π], accurate near 0 and π.
func (a Vec3) Angle(b Vec3) float64 { return math.Atan2(a.Cross(b).Norm(), a.Dot(b)) }

// Coordinate returns that along an axis: 0 for x, 1 for y, 2 for z.
func (a Vec3) Coordinate(axis int) float64 { return [3]float64{a.X, a.Y, a.Z}[axis] }

// SetCoordinate sets that along an axis.
func (a *Vec3) SetCoordinate(axis int, x float64) { *[3]*float64{&a.X, &a.Y, &a.Z}[axis] = x }

// IsFinite reports whether no coordinate is NaN or infinite.
func (a Vec3) IsFinite() bool {
	return a.X*0+a.Y*0+a.Z*0 == 0 // infinity and NaN times zero are NaN
}

// Radians converts degrees, the unit of the API, to radians, the unit inside.
func Radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// Degrees converts radians to degrees.
func Degrees(radians float64) float64 { return radians * (180 / math.Pi) }
