package geometry

import (
	"math"

	"millwright.dev/millwright/adapters/cad/step/internal/part21"
	"millwright.dev/millwright/adapters/cad/step/internal/schema"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// meridian returns the profile of a surface of revolution. A whole circle in a plane with the axis that crosses the
// axis would cover the same points twice, once with each side of the normal: a sphere, or a lemon inside an apple.
// Writers mean the arc on one side of the axis and omit its ends. It is the arc on which the circle's parameter starts,
// or which begins at that start.
func meridian(profile curve.Curve, origin, dir geom.Vec3) curve.Curve {
	c, ok := profile.(curve.Circle)
	if !ok {
		return profile
	}
	w := c.Frame.Origin.Sub(origin)
	out := dir.Cross(c.Frame.Z).Unit() // in the plane of the circle, away from the axis
	d := w.Dot(out)
	isPlanar := math.Abs(dir.Unit().Dot(c.Frame.Z)) <= geom.AngularResolution &&
		math.Abs(w.Dot(c.Frame.Z)) <= geom.Resolution
	if !isPlanar || c.Radius-math.Abs(d) <= geom.Resolution {
		return profile
	}
	half := math.Acos(-d / c.Radius) // of the arc on the side of out
	mid := math.Atan2(c.Frame.Y.Dot(out), c.Frame.X.Dot(out))
	turn := 2 * math.Pi
	past := math.Mod(half-mid+2*turn, turn) // how far the parameter 0 is past the start of that arc
	if turn-past <= geom.AngularResolution {
		past = 0
	}
	length := 2 * half
	if past >= length-geom.AngularResolution {
		past, length = past-length, turn-length
	}
	arc, err := curve.NewTrimmed(c, geom.Interval{Lo: -past, Hi: length - past}, false)
	if err != nil {
		return profile
	}
	return arc
}

// Parts returns the other surfaces that a face on one part of a sphere or spindle torus may use: the other part, and
// for a revolved circle also the whole surface, which intersects itself. It returns nil for all other surfaces. The
// edges of the face determine the surface.
func Parts(s surface.Surface) (others []surface.Surface) {
	if t, ok := s.(surface.Torus); ok && t.Part != surface.Whole {
		t.Part = surface.Apple + surface.Lemon - t.Part
		return []surface.Surface{t}
	}
	r, ok := s.(*surface.Revolution)
	if !ok || len(r.Singularities()) != 2 {
		return nil
	}
	arc, ok := r.Profile().(*curve.Trimmed)
	if !ok || arc.Base.Kind() != curve.KindCircle {
		return nil
	}
	origin, dir := r.Axis()
	rest, err := curve.NewTrimmed(arc.Base, geom.Interval{Lo: arc.Range.Hi, Hi: arc.Range.Lo + 2*math.Pi}, false)
	if err != nil {
		return nil
	}
	for _, profile := range []curve.Curve{rest, arc.Base} {
		if other, err := surface.NewRevolution(profile, origin, dir); err == nil {
			others = append(others, other)
		}
	}
	return others
}

// StatesPart reports whether the record r selects a part of a spindle torus, by its keyword or by the sign of its
// radius.
func (d *Document) StatesPart(r part21.Ref, s surface.Surface) bool {
	t, ok := s.(surface.Torus)
	return ok && (t.Part == surface.Lemon || d.Kind(r, surfaceKinds) == schema.DegenerateToroidalSurface)
}
