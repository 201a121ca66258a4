package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// halved returns half of a profile that is a whole circle or ellipse and symmetric to the axis of revolution. The whole
// of it would cover every point of the surface twice and with opposite normals, so that no boundary could define the
// side of its face; writers mean the half of an arc that they do not write. It is the half around the conic's X axis
// or, where this lies on the axis of revolution, the half from parameter 0 to π, as in OCCT: writers orient their faces
// by that convention.
func halved(profile curve.Curve, origin, axis geom.Vec3) curve.Curve {
	var f geom.Frame
	var size float64
	round := false
	switch k := profile.(type) {
	case curve.Circle:
		f, size, round = k.Frame, k.Radius, true
	case curve.Ellipse:
		f, size = k.Frame, math.Max(k.Major, k.Minor)
	default:
		return profile
	}
	aslant := sideTolerance / size // rad: this tilt moves every point by less than the tolerance
	w := f.Origin.Sub(origin)
	if w.AddScaled(-w.Dot(axis), axis).Norm() > sideTolerance || math.Abs(f.Z.Dot(axis)) > aslant {
		return profile
	}
	x, y := f.X.Dot(axis), f.Y.Dot(axis)
	if !round && math.Min(math.Abs(x), math.Abs(y)) > aslant {
		return profile // an oblique ellipse: its two halves generate different surfaces
	}
	// The conic meets the axis where cos t·x + sin t·y is ±1.
	from := math.Atan2(y, x)
	if from >= math.Pi/2-aslant {
		from -= math.Pi
	} else if from < -math.Pi/2-aslant {
		from += math.Pi
	}
	half, err := curve.NewTrimmed(profile, geom.Interval{Lo: from, Hi: from + math.Pi}, false)
	if err != nil {
		return profile
	}
	return half
}
