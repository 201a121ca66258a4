package tessellate

import (
	"math"
	"slices"

	"millwright/core/geom"
	"millwright/core/geom/surface"
)

// This file finds how long the sides of triangles may be on a face, from the curvature of its surface.
//
// Linear interpolation of a function with second derivatives (L, M, N) over the triangles of an
// equilateral lattice of side h errs by h²·κ/6 at most, and by h²·κ/8 where it bends in one direction
// only; the normal turns by |∂n/∂u|·h. The reciprocal of the longest admissible side is the density, in
// sides per unit of the parameter. Densities are sampled on a grid over the face's parameter box and
// interpolated linearly. A direction with little curvature is made at least as dense as the other
// divided by aspect, so that triangles do not become needles.

// aspect is the largest ratio of the wanted side lengths in the two parameter directions.
const aspect = 10

// density is the sampled field of sides per unit parameter.
type density struct {
	nu, nv  int
	lo      geom.Vec2
	inverse geom.Vec2 // grid cells per unit parameter
	u, v    []float64 // [i*nv+j]
	oneWay  bool      // the surface bends in one of the two directions only
}

// measure samples the field over the box lo … hi.
func (d *density) measure(s *shape, lo, hi geom.Vec2, chord, angle float64) {
	d.nu, d.nv = grid(s)
	if s.kind == surface.KindCone && math.Abs(s.r1*s.cos+lo.Y*s.sin) < math.Abs(s.r1*s.cos+hi.Y*s.sin) {
		lo, hi = hi, lo // the wide end decides: columns of a cone are rulings
	}
	d.lo = lo
	d.u, d.v, d.oneWay = d.u[:0], d.v[:0], true
	step := geom.Vec2{X: (hi.X - lo.X) / float64(max(1, d.nu-1)), Y: (hi.Y - lo.Y) / float64(max(1, d.nv-1))}
	d.inverse = geom.Vec2{}
	if d.nu > 1 && step.X > 0 {
		d.inverse.X = 1 / step.X
	}
	if d.nv > 1 && step.Y > 0 {
		d.inverse.Y = 1 / step.Y
	}
	for i := range d.nu {
		for j := range d.nv {
			uv := geom.Vec2{X: lo.X + step.X*float64(i), Y: lo.Y + step.Y*float64(j)}
			a, b, oneWay := needed(s.surf.D2(uv.X, uv.Y), chord, angle)
			d.u, d.v = append(d.u, a), append(d.v, b)
			d.oneWay = d.oneWay && oneWay
		}
	}
	even(d.u)
	even(d.v)
}

// even raises what is far below the largest density: a sparse row between dense ones would be skipped
// by the triangles of its neighbours, because the plane is scaled alike everywhere.
func even(x []float64) {
	const least = 0.5 // of the largest
	floor := least * slices.Max(x)
	for i := range x {
		x[i] = max(x[i], floor)
	}
}

// grid returns how many samples a kind of surface needs in u and v: one where the density does not
// change.
func grid(s *shape) (nu, nv int) {
	switch s.kind {
	case surface.KindPlane, surface.KindCylinder, surface.KindCone:
		return 1, 1
	case surface.KindSphere, surface.KindTorus:
		return 1, 9
	case surface.KindExtrusion:
		return 17, 1
	default:
		return 9, 9
	}
}

// needed returns the densities at a point, and whether the surface bends in one of the directions only.
func needed(s surface.Derivs, chord, angle float64) (u, v float64, oneWay bool) {
	e, g := s.Du.Norm(), s.Dv.Norm()
	n, ok := unitCross(s.Du, s.Dv)
	if !ok || e == 0 || g == 0 {
		return 0, 0, true
	}
	// Second fundamental form per unit length, the mixed term shared out to both directions.
	l, m, o := math.Abs(s.Duu.Dot(n))/(e*e), math.Abs(s.Duv.Dot(n))/(e*g), math.Abs(s.Dvv.Dot(n))/(g*g)
	ku, kv := l+m, o+m
	if ku == 0 && kv == 0 {
		return 0, 0, true
	}
	const two, one = 5, 8
	ratio := min(1, aspect*aspect*min(ku, kv)/max(ku, kv))
	share := one - (one-two)*ratio
	u = max(math.Sqrt(ku/(share*chord)), math.Hypot(l, m)/angle)
	v = max(math.Sqrt(kv/(share*chord)), math.Hypot(o, m)/angle)
	u, v = max(u, v/aspect), max(v, u/aspect)
	const little = 0.02
	return u * e, v * g, ratio < little
}

// at interpolates both densities.
func (d *density) at(uv geom.Vec2) (u, v float64) {
	i, a := cell((uv.X-d.lo.X)*d.inverse.X, d.nu)
	j, b := cell((uv.Y-d.lo.Y)*d.inverse.Y, d.nv)
	k := i*d.nv + j
	right, up := 0, 0
	if d.nu > 1 {
		right = d.nv
	}
	if d.nv > 1 {
		up = 1
	}
	mix := func(f []float64) float64 {
		return (1-a)*((1-b)*f[k]+b*f[k+up]) + a*((1-b)*f[k+right]+b*f[k+right+up])
	}
	return mix(d.u), mix(d.v)
}

// cell splits a grid coordinate into the cell's index and the place in it, clamped to the grid.
func cell(x float64, n int) (i int, frac float64) {
	if n < 2 || !(x > 0) {
		return 0, 0
	}
	i = min(int(x), n-2)
	return i, min(1, x-float64(i))
}

// mean returns the means of both densities over the grid.
func (d *density) mean() (u, v float64) {
	for i := range d.u {
		u += d.u[i]
		v += d.v[i]
	}
	return u / float64(len(d.u)), v / float64(len(d.v))
}

// rowDensity returns for parameter v the largest v-density along u, but not more than twice its mean
// along u: a narrow peak is left to refinement.
func (d *density) rowDensity(v float64) float64 {
	j, b := cell((v-d.lo.Y)*d.inverse.Y, d.nv)
	up := 0
	if d.nv > 1 {
		up = 1
	}
	most, sum := 0.0, 0.0
	for i := range d.nu {
		k := i*d.nv + j
		x := (1-b)*d.v[k] + b*d.v[k+up]
		most, sum = max(most, x), sum+x
	}
	return min(most, 2*sum/float64(d.nu))
}
