package milling

// Rays neither parallel nor perpendicular to the tool's axis.
//
// The point of the ray at s, as the tool sees it at parameter t of a straight move, is o + s·d - t·v, linear in
// both. Where the radius of a slab is R with R² = α·z² + β·z + γ (cones, cylinders, balls), being inside of it
// restricts (s, t) to a conic; the heights of the slab and the ends of the move bound that by four lines. The
// region is convex, and its least and greatest s lie on one of these: points of the conic with a tangent along
// t, the conic's intersections with a line, or corners between lines. All of them are computed, those outside
// are dropped. Rounded corners are taken as chords.

import "math"

// skew is a straight move as a ray of any direction sees it: in the tool's axes.
type skew struct {
	d, v [3]float64 // unit direction of the ray, and the move
}

// extent gathers the values of s of the points inside.
type extent struct {
	lo, hi float64
	found  bool
}

func (e *extent) add(s float64) { e.lo, e.hi, e.found = min(e.lo, s), max(e.hi, s), true }

// slack widens the bounds that a computed point is held against, as a share of their range: points lie on a
// bound that others are tested against, and rounding must not drop a corner.
const slack = 1e-9

// meet intersects the ray through o (mm, as the tool sees it at the start) with the sweep of a slab.
func (m *skew) meet(b *slab, o [3]float64, e *extent) {
	q := m.conic(b, o)
	tan := q.c
	if tan != 0 { // tangents along t: ∂F/∂t = 0
		f := q.b / tan
		g := q.e / tan
		a2, b2, c2 := q.a-q.b*f, q.d-q.b*g, q.g-q.e*g
		for _, s := range roots(a2, b2, c2) {
			m.offer(b, o, s, -(q.b*s+q.e)/tan, e)
		}
	}
	for _, t := range [2]float64{0, 1} {
		for _, s := range roots(q.a, q.b*t+q.d, (q.c*t+2*q.e)*t+q.g) {
			m.offer(b, o, s, t, e)
		}
	}
	m.caps(b, o, b.z0, b.r0, e)
	m.caps(b, o, b.z1, b.r1, e)
}

// conic holds a·s² + 2b·st + c·t² + 2d·s + 2e·t + g ≤ 0.
type conic struct{ a, b, c, d, e, g float64 }

func (m *skew) conic(b *slab, o [3]float64) conic {
	// R² = al·w² + 2·be·w + ga with w = z - z0 or z - h.
	w, al, be, ga := o[2]-b.z0, b.slope*b.slope, b.slope*b.r0, b.r0*b.r0
	if b.arc {
		w, al, be, ga = o[2]-b.h, -1, 0, b.r*b.r
	}
	d, v := m.d, m.v
	return conic{
		a: d[0]*d[0] + d[1]*d[1] - al*d[2]*d[2],
		b: -(d[0]*v[0] + d[1]*v[1] - al*d[2]*v[2]),
		c: v[0]*v[0] + v[1]*v[1] - al*v[2]*v[2],
		d: o[0]*d[0] + o[1]*d[1] - al*w*d[2] - be*d[2],
		e: -(o[0]*v[0] + o[1]*v[1] - al*w*v[2] - be*v[2]),
		g: o[0]*o[0] + o[1]*o[1] - al*w*w - 2*be*w - ga,
	}
}

// roots returns the solutions of a·x² + 2b·x + c = 0; a double or missing one is NaN or repeated.
func roots(a, b, c float64) [2]float64 {
	d := b*b - a*c
	if d < 0 {
		return [2]float64{math.NaN(), math.NaN()}
	}
	q := -(b + math.Copysign(math.Sqrt(d), b))
	return [2]float64{q / a, c / q}
}

// offer adds the point of the conic at (s, t) if it is within the heights of the slab and the move.
func (m *skew) offer(b *slab, o [3]float64, s, t float64, e *extent) {
	z := o[2] + s*m.d[2] - t*m.v[2]
	h := slack * (b.z1 - b.z0)
	if t >= -slack && t <= 1+slack && z >= b.z0-h && z <= b.z1+h && s-s == 0 {
		e.add(s)
	}
}

// caps adds the points of the disc of radius r at height z over the move.
func (m *skew) caps(b *slab, o [3]float64, z, r float64, e *extent) {
	// Along the line o.z + s·d.z - t·v.z = z of the (s, t) plane: s = s0 + t·s1, as d.z is not 0.
	s0, s1 := (z-o[2])/m.d[2], m.v[2]/m.d[2]
	x0, x1 := o[0]+s0*m.d[0], s1*m.d[0]-m.v[0]
	y0, y1 := o[1]+s0*m.d[1], s1*m.d[1]-m.v[1]
	inside := func(t float64) bool {
		x, y := x0+t*x1, y0+t*y1
		return x*x+y*y <= r*r*(1+slack)
	}
	for _, t := range [2]float64{0, 1} {
		if inside(t) {
			e.add(s0 + t*s1)
		}
	}
	for _, t := range roots(x1*x1+y1*y1, x0*x1+y0*y1, x0*x0+y0*y0-r*r) {
		if t >= -slack && t <= 1+slack {
			e.add(s0 + t*s1)
		}
	}
}
