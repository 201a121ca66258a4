package iges

import (
	"math"

	"millwright.dev/millwright/adapters/cad/iges/internal/deck"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// Conic arcs (104) are given by the coefficients of A·x² + B·xy + C·y² + D·x + E·y + F = 0 in a plane
// z = constant, and by their ends; an ellipse runs counter-clockwise. The kind follows from the
// coefficients: the form number is often wrong.

// degenerate is the fraction of the largest second-order coefficient below which another one counts as zero. Files have
// six to sixteen digits.
const degenerate = 1e-9

// conic reads a conic arc.
func (r *reader) conic(e *deck.Entity, p deck.Params) (piece, error) {
	var k [11]float64
	p.Reals(k[:])
	if err := p.Err(); err != nil {
		return piece{}, err
	}
	q := quadric{a: k[0], b: k[1], c: k[2], d: k[3] * r.mm, e: k[4] * r.mm, f: k[5] * r.mm * r.mm}
	z := k[6] * r.mm
	start, end := geom.Vec2{X: k[7], Y: k[8]}.Scale(r.mm), geom.Vec2{X: k[9], Y: k[10]}.Scale(r.mm)
	largest := max(math.Abs(q.a), math.Abs(q.b), math.Abs(q.c))
	if !(largest > 0) || math.IsInf(largest, 0) {
		return segment(geom.Vec3{X: start.X, Y: start.Y, Z: z}, geom.Vec3{X: end.X, Y: end.Y, Z: z}), nil
	}
	q.scale(1 / largest)
	var one piece
	var ok bool
	switch det := q.a*q.c - q.b*q.b/4; {
	case math.Abs(det) <= degenerate:
		one, ok = q.parabola(start, end)
	case det > 0:
		one, ok = q.ellipse(start, end, r.closing)
	default:
		one, ok = q.hyperbola(start, end)
	}
	if !ok {
		return piece{}, deck.Fail(e, "is not a conic: its coefficients describe no curve")
	}
	one.transform(geom.Translation(geom.Vec3{Z: z}))
	return one, nil
}

// quadric contains the coefficients of a conic.
type quadric struct{ a, b, c, d, e, f float64 }

func (q *quadric) scale(s float64) {
	q.a, q.b, q.c, q.d, q.e, q.f = q.a*s, q.b*s, q.c*s, q.d*s, q.e*s, q.f*s
}

// axes returns the angle of a frame in which there is no mixed term, and the coefficients l, m of x² and y²
// in it.
func (q *quadric) axes() (angle, l, m float64) {
	angle = 0.5 * math.Atan2(q.b, q.a-q.c)
	mean, half := (q.a+q.c)/2, math.Hypot(q.a-q.c, q.b)/2
	return angle, mean + half, mean - half
}

// center returns the center and the value of the form there.
func (q *quadric) center() (at geom.Vec2, value float64) {
	det := 4*q.a*q.c - q.b*q.b
	at = geom.Vec2{X: (q.b*q.e - 2*q.c*q.d) / det, Y: (q.b*q.d - 2*q.a*q.e) / det}
	return at, q.f + (q.d*at.X+q.e*at.Y)/2
}

// flat returns the frame in the plane z = 0 with its x axis at an angle.
func flat(at geom.Vec2, angle float64) geom.Frame {
	s, c := math.Sincos(angle)
	return geom.Frame{Origin: geom.Vec3{X: at.X, Y: at.Y}, X: geom.Vec3{X: c, Y: s},
		Y: geom.Vec3{X: -s, Y: c}, Z: geom.World.Z}
}

func (q *quadric) ellipse(start, end geom.Vec2, closing func(size float64) float64) (piece, bool) {
	at, value := q.center()
	angle, l, m := q.axes()
	// Squared half axes; the larger coefficient belongs to the shorter axis.
	major, minor := -value/m, -value/l
	if math.Abs(m) > math.Abs(l) {
		major, minor = minor, major
	} else {
		angle += math.Pi / 2
	}
	if !(major > 0 && minor > 0) || math.IsInf(major, 0) {
		return piece{}, false
	}
	major, minor = math.Sqrt(major), math.Sqrt(minor)
	f := flat(at, angle)
	param := func(p geom.Vec2) float64 {
		local := f.Local(geom.Vec3{X: p.X, Y: p.Y})
		return math.Atan2(local.Y/minor, local.X/major)
	}
	lo := param(start)
	sweep := param(end) - lo
	if start.Sub(end).Norm() <= closing(major) {
		sweep = 2 * math.Pi
	} else if sweep <= 0 {
		sweep += 2 * math.Pi
	}
	if major-minor <= closes*major {
		return piece{c: curve.Circle{Frame: f, Radius: major}, iv: geom.Interval{Lo: lo, Hi: lo + sweep}}, true
	}
	c := curve.Ellipse{Frame: f, Major: major, Minor: minor}
	return piece{c: c, iv: geom.Interval{Lo: lo, Hi: lo + sweep}}, true
}

func (q *quadric) hyperbola(start, end geom.Vec2) (piece, bool) {
	at, value := q.center()
	angle, l, m := q.axes() // l > 0 > m
	if value == 0 {
		return piece{}, false // two lines
	}
	major, minor := -value/l, value/m
	if value > 0 {
		major, minor = -value/m, value/l
		angle += math.Pi / 2
	}
	major, minor = math.Sqrt(math.Abs(major)), math.Sqrt(math.Abs(minor))
	f := flat(at, angle)
	if f.Local(geom.Vec3{X: start.X, Y: start.Y}).X < 0 { // the other branch
		f.X, f.Y = f.X.Neg(), f.Y.Neg()
	}
	if !(major > 0 && minor > 0) {
		return piece{}, false
	}
	param := func(p geom.Vec3) float64 { return math.Asinh(p.Y / minor) }
	return between(start, end, &f, param, func() curve.Curve {
		return curve.Hyperbola{Frame: f, Major: major, Minor: minor}
	})
}

func (q *quadric) parabola(start, end geom.Vec2) (piece, bool) {
	angle, l, m := q.axes()
	if math.Abs(m) > math.Abs(l) { // y' is the squared coordinate, and the axis of the parabola is x'
		angle, l = angle+math.Pi/2, m
	}
	s, c := math.Sincos(angle)
	// In the frame at this angle: l·x² + d·x + e·y + f = 0, open along y.
	d, e := q.d*c+q.e*s, q.e*c-q.d*s
	if e == 0 {
		return piece{}, false
	}
	x := -d / (2 * l)
	y := -(l*x*x + d*x + q.f) / e
	focal := -e / (4 * l)
	f := flat(geom.Vec2{X: c*x - s*y, Y: s*x + c*y}, angle+math.Pi/2)
	if focal < 0 {
		focal, f.X, f.Y = -focal, f.X.Neg(), f.Y.Neg()
	}
	param := func(p geom.Vec3) float64 { return p.Y / (2 * focal) }
	return between(start, end, &f, param, func() curve.Curve {
		return curve.Parabola{Frame: f, Focal: focal}
	})
}

// between is the piece of an open conic from start to end. Its frame is mirrored if the parameter would otherwise
// decrease.
func between(start, end geom.Vec2, f *geom.Frame, param func(geom.Vec3) float64, build func() curve.Curve) (
	piece, bool,
) {
	at := func(p geom.Vec2) float64 { return param(f.Local(geom.Vec3{X: p.X, Y: p.Y})) }
	if at(start) > at(end) {
		f.Y, f.Z = f.Y.Neg(), f.Z.Neg()
	}
	lo, hi := at(start), at(end)
	return piece{c: build(), iv: geom.Interval{Lo: lo, Hi: hi}}, lo < hi
}
