package curve

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// The conics are parametrized as in ISO 10303-42. They evaluate with the axes of their frame as they
// are, so a conic whose frame a mirroring transform made left-handed is still exact. Ellipse and
// hyperbola do not need Major ≥ Minor: Major lies along X, Minor along Y.

var turn = geom.Interval{Hi: 2 * math.Pi}

// Circle is Origin + Radius·(cos t·X + sin t·Y).
type Circle struct {
	Frame  geom.Frame
	Radius float64
}

// Ellipse is Origin + Major·cos t·X + Minor·sin t·Y.
type Ellipse struct {
	Frame        geom.Frame
	Major, Minor float64 // semi-axes, mm
}

// Hyperbola is Origin + Major·cosh t·X + Minor·sinh t·Y.
type Hyperbola struct {
	Frame        geom.Frame
	Major, Minor float64 // semi-axis and semi-imaginary axis, mm
}

// Parabola is Origin + Focal·(t²·X + 2t·Y).
type Parabola struct {
	Frame geom.Frame
	Focal float64 // distance from apex to focus, mm
}

// Kind returns KindCircle.
func (Circle) Kind() Kind { return KindCircle }

// Kind returns KindEllipse.
func (Ellipse) Kind() Kind { return KindEllipse }

// Kind returns KindHyperbola.
func (Hyperbola) Kind() Kind { return KindHyperbola }

// Kind returns KindParabola.
func (Parabola) Kind() Kind { return KindParabola }

// Domain returns [0, 2π].
func (Circle) Domain() geom.Interval { return turn }

// Domain returns [0, 2π].
func (Ellipse) Domain() geom.Interval { return turn }

// Domain returns the unbounded interval.
func (Hyperbola) Domain() geom.Interval { return geom.Unbounded }

// Domain returns the unbounded interval.
func (Parabola) Domain() geom.Interval { return geom.Unbounded }

// Period returns 2π.
func (Circle) Period() float64 { return turn.Hi }

// Period returns 2π.
func (Ellipse) Period() float64 { return turn.Hi }

// Period returns 0.
func (Hyperbola) Period() float64 { return 0 }

// Period returns 0.
func (Parabola) Period() float64 { return 0 }

// planar returns x·X + y·Y.
func planar(f *geom.Frame, x, y float64) geom.Vec3 { return f.X.Scale(x).AddScaled(y, f.Y) }

// At returns the point at t.
func (c Circle) At(t float64) geom.Vec3 {
	s, co := math.Sincos(t)
	return c.Frame.Origin.Add(planar(&c.Frame, c.Radius*co, c.Radius*s))
}

// D1 returns the point and the first derivative at t.
func (c Circle) D1(t float64) (p, d1 geom.Vec3) {
	s, co := math.Sincos(t)
	x, y := c.Radius*co, c.Radius*s
	return c.Frame.Origin.Add(planar(&c.Frame, x, y)), planar(&c.Frame, -y, x)
}

// D2 returns the point, first and second derivative at t.
func (c Circle) D2(t float64) (p, d1, d2 geom.Vec3) {
	s, co := math.Sincos(t)
	x, y := c.Radius*co, c.Radius*s
	r := planar(&c.Frame, x, y)
	return c.Frame.Origin.Add(r), planar(&c.Frame, -y, x), r.Neg()
}

func (c Circle) d3(t float64) geom.Vec3 {
	_, d1 := c.D1(t)
	return d1.Neg()
}

// At returns the point at t.
func (c Ellipse) At(t float64) geom.Vec3 {
	s, co := math.Sincos(t)
	return c.Frame.Origin.Add(planar(&c.Frame, c.Major*co, c.Minor*s))
}

// D1 returns the point and the first derivative at t.
func (c Ellipse) D1(t float64) (p, d1 geom.Vec3) {
	s, co := math.Sincos(t)
	return c.Frame.Origin.Add(planar(&c.Frame, c.Major*co, c.Minor*s)),
		planar(&c.Frame, -c.Major*s, c.Minor*co)
}

// D2 returns the point, first and second derivative at t.
func (c Ellipse) D2(t float64) (p, d1, d2 geom.Vec3) {
	s, co := math.Sincos(t)
	r := planar(&c.Frame, c.Major*co, c.Minor*s)
	return c.Frame.Origin.Add(r), planar(&c.Frame, -c.Major*s, c.Minor*co), r.Neg()
}

func (c Ellipse) d3(t float64) geom.Vec3 {
	_, d1 := c.D1(t)
	return d1.Neg()
}

// At returns the point at t.
func (c Hyperbola) At(t float64) geom.Vec3 {
	return c.Frame.Origin.Add(planar(&c.Frame, c.Major*math.Cosh(t), c.Minor*math.Sinh(t)))
}

// D1 returns the point and the first derivative at t.
func (c Hyperbola) D1(t float64) (p, d1 geom.Vec3) {
	sh, ch := math.Sinh(t), math.Cosh(t)
	return c.Frame.Origin.Add(planar(&c.Frame, c.Major*ch, c.Minor*sh)),
		planar(&c.Frame, c.Major*sh, c.Minor*ch)
}

// D2 returns the point, first and second derivative at t.
func (c Hyperbola) D2(t float64) (p, d1, d2 geom.Vec3) {
	sh, ch := math.Sinh(t), math.Cosh(t)
	r := planar(&c.Frame, c.Major*ch, c.Minor*sh)
	return c.Frame.Origin.Add(r), planar(&c.Frame, c.Major*sh, c.Minor*ch), r
}

func (c Hyperbola) d3(t float64) geom.Vec3 {
	_, d1 := c.D1(t)
	return d1
}

// At returns the point at t.
func (c Parabola) At(t float64) geom.Vec3 {
	return c.Frame.Origin.Add(planar(&c.Frame, c.Focal*t*t, 2*c.Focal*t))
}

// D1 returns the point and the first derivative at t.
func (c Parabola) D1(t float64) (p, d1 geom.Vec3) {
	return c.At(t), planar(&c.Frame, 2*c.Focal*t, 2*c.Focal)
}

// D2 returns the point, first and second derivative at t.
func (c Parabola) D2(t float64) (p, d1, d2 geom.Vec3) {
	return c.At(t), planar(&c.Frame, 2*c.Focal*t, 2*c.Focal), c.Frame.X.Scale(2 * c.Focal)
}

func (Parabola) d3(float64) geom.Vec3 { return geom.Vec3{} }

// Transform returns the image with the same parametrization.
func (c Circle) Transform(m geom.Transform) Curve {
	return Circle{Frame: c.Frame.Transform(m), Radius: c.Radius * m.Scale()}
}

// Transform returns the image with the same parametrization.
func (c Ellipse) Transform(m geom.Transform) Curve {
	s := m.Scale()
	return Ellipse{Frame: c.Frame.Transform(m), Major: c.Major * s, Minor: c.Minor * s}
}

// Transform returns the image with the same parametrization.
func (c Hyperbola) Transform(m geom.Transform) Curve {
	s := m.Scale()
	return Hyperbola{Frame: c.Frame.Transform(m), Major: c.Major * s, Minor: c.Minor * s}
}

// Transform returns the image with the same parametrization.
func (c Parabola) Transform(m geom.Transform) Curve {
	return Parabola{Frame: c.Frame.Transform(m), Focal: c.Focal * m.Scale()}
}

// Bounds returns the tight box of the circle over iv.
func (c Circle) Bounds(iv geom.Interval) geom.Box {
	return Ellipse{Frame: c.Frame, Major: c.Radius, Minor: c.Radius}.Bounds(iv)
}

// Bounds returns the tight box of the ellipse over iv. In each coordinate the ellipse is
// x·cos t + y·sin t = hypot(x, y)·cos(t - atan2(y, x)).
func (c Ellipse) Bounds(iv geom.Interval) geom.Box {
	b := geom.BoxOf(c.At(iv.Lo), c.At(iv.Hi))
	for axis := range 3 {
		x, y := c.Major*coord(c.Frame.X, axis), c.Minor*coord(c.Frame.Y, axis)
		amp, o := math.Hypot(x, y), coord(c.Frame.Origin, axis)
		peak := math.Atan2(y, x)
		if contains(iv, peak) {
			b = widen(b, axis, o+amp)
		}
		if contains(iv, peak+math.Pi) {
			b = widen(b, axis, o-amp)
		}
	}
	return b
}

// contains reports whether the interval contains t plus a multiple of 2π.
func contains(iv geom.Interval, t float64) bool {
	return iv.Length() >= turn.Hi || geom.Interval{Lo: iv.Lo, Hi: iv.Lo + turn.Hi}.Wrap(t) <= iv.Hi
}

// Bounds returns the tight box of the hyperbola over iv. A coordinate x·cosh t + y·sinh t has its
// extremum at tanh t = -y/x.
func (c Hyperbola) Bounds(iv geom.Interval) geom.Box {
	b := geom.EmptyBox()
	for axis := range 3 {
		x, y := c.Major*coord(c.Frame.X, axis), c.Minor*coord(c.Frame.Y, axis)
		o := coord(c.Frame.Origin, axis)
		at := func(t float64) float64 {
			if math.IsInf(t, 0) {
				lead := x + math.Copysign(1, t)*y // coefficient of e^|t|/2 as t goes to infinity
				return ray(o, math.Inf(1), lead)
			}
			return o + x*math.Cosh(t) + y*math.Sinh(t)
		}
		b = widen(widen(b, axis, at(iv.Lo)), axis, at(iv.Hi))
		if t := math.Atanh(-y / x); t > iv.Lo && t < iv.Hi {
			b = widen(b, axis, at(t))
		}
	}
	return b
}

// Bounds returns the tight box of the parabola over iv. A coordinate x·t² + 2y·t has its extremum at
// t = -y/x.
func (c Parabola) Bounds(iv geom.Interval) geom.Box {
	b := geom.EmptyBox()
	for axis := range 3 {
		x, y := c.Focal*coord(c.Frame.X, axis), c.Focal*coord(c.Frame.Y, axis)
		o := coord(c.Frame.Origin, axis)
		at := func(t float64) float64 {
			if math.IsInf(t, 0) && x != 0 {
				return ray(o, math.Inf(1), x)
			}
			return ray(ray(o, t*t, x), 2*t, y)
		}
		b = widen(widen(b, axis, at(iv.Lo)), axis, at(iv.Hi))
		if t := -y / x; t > iv.Lo && t < iv.Hi {
			b = widen(b, axis, at(t))
		}
	}
	return b
}

func coord(v geom.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// widen makes the range of b along one axis contain x.
func widen(b geom.Box, axis int, x float64) geom.Box {
	switch axis {
	case 0:
		b.Min.X, b.Max.X = min(b.Min.X, x), max(b.Max.X, x)
	case 1:
		b.Min.Y, b.Max.Y = min(b.Min.Y, x), max(b.Max.Y, x)
	default:
		b.Min.Z, b.Max.Z = min(b.Min.Z, x), max(b.Max.Z, x)
	}
	return b
}
