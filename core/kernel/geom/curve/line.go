package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Line is Origin + t·Dir. Dir is a unit vector, so t is arc length in mm.
type Line struct{ Origin, Dir geom.Vec3 }

// Kind returns KindLine.
func (Line) Kind() Kind { return KindLine }

// Domain returns the unbounded interval.
func (Line) Domain() geom.Interval { return geom.Unbounded }

// Period returns 0.
func (Line) Period() float64 { return 0 }

// At returns the point at t.
func (c Line) At(t float64) geom.Vec3 { return c.Origin.AddScaled(t, c.Dir) }

// D1 returns the point and the first derivative at t.
func (c Line) D1(t float64) (p, d1 geom.Vec3) { return c.Origin.AddScaled(t, c.Dir), c.Dir }

// D2 returns the point, first and second derivative at t.
func (c Line) D2(t float64) (p, d1, d2 geom.Vec3) {
	return c.Origin.AddScaled(t, c.Dir), c.Dir, geom.Vec3{}
}

func (Line) d3(float64) geom.Vec3 { return geom.Vec3{} }

// Invert returns the parameter of the point closest to p and the distance from p to it.
func (c Line) Invert(p geom.Vec3) (t, dist float64) { return c.InvertIn(p, geom.Unbounded) }

// InvertIn is Invert on the part of the line over iv.
func (c Line) InvertIn(p geom.Vec3, iv geom.Interval) (t, dist float64) {
	t = iv.Clamp(p.Sub(c.Origin).Dot(c.Dir))
	return t, c.At(t).Dist(p)
}

// Bounds returns the box of the line over iv, infinite in the directions in which the line is.
func (c Line) Bounds(iv geom.Interval) geom.Box {
	return geom.BoxOf(c.end(iv.Lo), c.end(iv.Hi))
}

// end is At for a parameter that may be infinite.
func (c Line) end(t float64) geom.Vec3 {
	if !math.IsInf(t, 0) {
		return c.At(t)
	}
	return geom.Vec3{
		X: ray(c.Origin.X, t, c.Dir.X), Y: ray(c.Origin.Y, t, c.Dir.Y), Z: ray(c.Origin.Z, t, c.Dir.Z),
	}
}

// ray returns o + t·d with 0·∞ = 0.
func ray(o, t, d float64) float64 {
	if d == 0 {
		return o
	}
	return o + t*d
}

// Transform returns the image; its parameter is scaled, see TransformRange.
func (c Line) Transform(m geom.Transform) Curve {
	return Line{Origin: m.Point(c.Origin), Dir: m.Dir(c.Dir).Unit()}
}

// TransformParam returns the parameter that t becomes under Transform.
func (Line) TransformParam(m geom.Transform, t float64) float64 { return t * m.Scale() }
