package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// The cylinder, cone, sphere and torus revolve a meridian (r(v), z(v)) about the Z axis of a frame:
//
//	S(u, v) = O + r(v)·e(u) + z(v)·Z,  e = cos u·X + sin u·Y,  ∂e/∂u = t = -sin u·X + cos u·Y.
//
// In a right-handed frame Du × Dv = r·(z'·e - r'·Z); in a left-handed one, which only a mirroring
// makes, it is the opposite. Everything here is exact and costs one sine and cosine of u.

// meridian is a point of the meridian with its first and second derivatives with respect to v.
type meridian struct{ r, z, r1, z1, r2, z2 float64 }

func (m *meridian) at(f *geom.Frame, u float64) geom.Vec3 {
	s, c := math.Sincos(u)
	return f.Point(geom.Vec3{X: m.r * c, Y: m.r * s, Z: m.z})
}

func (m *meridian) d1(f *geom.Frame, u float64) (p, du, dv geom.Vec3) {
	s, c := math.Sincos(u)
	return f.Point(geom.Vec3{X: m.r * c, Y: m.r * s, Z: m.z}),
		f.Dir(geom.Vec3{X: -m.r * s, Y: m.r * c}),
		f.Dir(geom.Vec3{X: m.r1 * c, Y: m.r1 * s, Z: m.z1})
}

func (m *meridian) d2(f *geom.Frame, u float64) (d Derivs) {
	s, c := math.Sincos(u)
	d.P = f.Point(geom.Vec3{X: m.r * c, Y: m.r * s, Z: m.z})
	d.Du = f.Dir(geom.Vec3{X: -m.r * s, Y: m.r * c})
	d.Dv = f.Dir(geom.Vec3{X: m.r1 * c, Y: m.r1 * s, Z: m.z1})
	d.Duu = f.Dir(geom.Vec3{X: -m.r * c, Y: -m.r * s})
	d.Duv = f.Dir(geom.Vec3{X: -m.r1 * s, Y: m.r1 * c})
	d.Dvv = f.Dir(geom.Vec3{X: m.r2 * c, Y: m.r2 * s, Z: m.z2})
	return d
}

// normal returns the unit vector along side·(z'·e - r'·Z), with side the sign of r.
func (m *meridian) normal(f *geom.Frame, u, side float64) geom.Vec3 {
	s, c := math.Sincos(u)
	k := side * handedness(f) / math.Hypot(m.r1, m.z1)
	return f.Dir(geom.Vec3{X: k * m.z1 * c, Y: k * m.z1 * s, Z: -k * m.r1})
}

// look returns point, normal and principal curvatures; ok is false next to the axis. Along u the normal curvature is
// -z1/(|r|·|(r1, z1)|), along the meridian (r2·z1 - z2·r1)/|(r1, z1)|³ with the sign of r, both toward Du × Dv.
func (m *meridian) look(f *geom.Frame, u, side float64) (p, n geom.Vec3, k1, k2 float64, ok bool) {
	l2 := m.r1*m.r1 + m.z1*m.z1
	l := math.Sqrt(l2)
	if math.Abs(m.r) <= 2*parallel*l {
		return p, n, 0, 0, false
	}
	s, c := math.Sincos(u)
	hand := handedness(f)
	k := side * hand / l
	along, across := -hand*m.z1/(math.Abs(m.r)*l), hand*sideOf(m.r)*(m.r2*m.z1-m.z2*m.r1)/(l2*l)
	return f.Point(geom.Vec3{X: m.r * c, Y: m.r * s, Z: m.z}),
		f.Dir(geom.Vec3{X: k * m.z1 * c, Y: k * m.z1 * s, Z: -k * m.r1}),
		min(along, across), max(along, across), true
}

// handedness is 1 for a right-handed frame and -1 for a mirrored one.
func handedness(f *geom.Frame) float64 {
	if f.IsRightHanded() {
		return 1
	}
	return -1
}

// sideOf is the sign of r, with 1 on the axis.
func sideOf(r float64) float64 {
	if r < 0 {
		return -1
	}
	return 1
}

// cylindrical returns angle, distance from the axis and height of p in f. On the axis, where every angle fits, the
// angle is the argument free.
func cylindrical(f *geom.Frame, p geom.Vec3, free float64) (angle, rho, z float64) {
	q := f.Local(p)
	rho = math.Hypot(q.X, q.Y)
	if rho < geom.Resolution {
		return free, rho, q.Z
	}
	return math.Atan2(q.Y, q.X), rho, q.Z
}

// revolvedBounds returns the box of the surface over the angles u. extent returns the range of
// r·g + z·c over the meridian for given g and c. A coordinate is r·g(u) + z·c with g(u) a harmonic of
// u, and linear in g, so its extremes lie at the extremes of g.
func revolvedBounds(f *geom.Frame, u geom.Interval, extent func(g, c float64) geom.Interval) geom.Box {
	axis := func(o, x, y, z float64) geom.Interval {
		g := harmonicRange(x, y, u)
		return shift(hull(extent(g.Lo, z), extent(g.Hi, z)), o)
	}
	return boxOf(axis(f.Origin.X, f.X.X, f.Y.X, f.Z.X), axis(f.Origin.Y, f.X.Y, f.Y.Y, f.Z.Y),
		axis(f.Origin.Z, f.X.Z, f.Y.Z, f.Z.Z))
}

const turn = 2 * math.Pi

var (
	fullTurn  = geom.Interval{Hi: turn}
	wholeLine = geom.Unbounded
)

// unwrap returns t moved by whole periods to within half a period of hint.
func unwrap(t, hint, period float64) float64 {
	return t + period*math.Round((hint-t)/period)
}

// harmonicRange returns the range of a·cos t + b·sin t over iv.
func harmonicRange(a, b float64, iv geom.Interval) geom.Interval {
	amp := math.Hypot(a, b)
	if !(iv.Length() < turn) {
		return geom.Interval{Lo: -amp, Hi: amp}
	}
	s0, c0 := math.Sincos(iv.Lo)
	s1, c1 := math.Sincos(iv.Hi)
	f0, f1 := a*c0+b*s0, a*c1+b*s1
	r := geom.Interval{Lo: math.Min(f0, f1), Hi: math.Max(f0, f1)}
	next := geom.Interval{Lo: iv.Lo, Hi: iv.Lo + turn}
	peak := next.Wrap(math.Atan2(b, a))
	if peak <= iv.Hi {
		r.Hi = amp
	}
	if next.Wrap(peak+math.Pi) <= iv.Hi {
		r.Lo = -amp
	}
	return r
}

// linearRange returns the range of c·t over iv; 0 times an unbounded end is 0.
func linearRange(c float64, iv geom.Interval) geom.Interval {
	if c == 0 {
		return geom.Interval{}
	}
	lo, hi := c*iv.Lo, c*iv.Hi
	return geom.Interval{Lo: math.Min(lo, hi), Hi: math.Max(lo, hi)}
}

func hull(a, b geom.Interval) geom.Interval {
	return geom.Interval{Lo: math.Min(a.Lo, b.Lo), Hi: math.Max(a.Hi, b.Hi)}
}

// shift returns iv moved by d.
func shift(iv geom.Interval, d float64) geom.Interval {
	return geom.Interval{Lo: iv.Lo + d, Hi: iv.Hi + d}
}

// boxOf puts the ranges of the three coordinates together.
func boxOf(x, y, z geom.Interval) geom.Box {
	return geom.Box{Min: geom.Vec3{X: x.Lo, Y: y.Lo, Z: z.Lo}, Max: geom.Vec3{X: x.Hi, Y: y.Hi, Z: z.Hi}}
}
