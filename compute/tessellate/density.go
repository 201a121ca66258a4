package tessellate

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// This file determines the maximum length of triangle sides on a face, from the curvature of its surface.
//
// Over a triangle with two sides h and k along the parameter lines, linear interpolation errs by at most (κu·h² +
// κv·k²)/8, and the normal turns by |∂n/∂u|·h and |∂n/∂v|·k; κ are the normal curvatures, each with the mixed term
// added. Over the triangles of an equilateral lattice the error is smaller. The reciprocal of the longest admissible
// side is the density, in sides per unit of the parameter. Densities are sampled on a grid over the face's parameter
// box and interpolated linearly. A direction with little curvature gets at least the density of the other divided by
// aspect, so that triangles do not become needles.
//
// If both directions need about the same length, points are best placed on a triangular lattice. If not, as on a
// fillet, such triangles would be obtuse and their normals far off. Then points are placed in rows and columns (lattice
// false).

const (
	// aspect is the largest ratio of the wanted side lengths in the two parameter directions.
	aspect = 20
	// latticeGain is the factor on the effective chord tolerance on a triangular lattice.
	latticeGain = 1.25
	// latticeAspect is the largest ratio of side lengths for which the triangular lattice is used.
	latticeAspect = 2
	// tilt is the share of the angle tolerance by which the bulge of a long side, κ·h²/8, may tilt
	// triangles over the short side of the other direction.
	tilt = 0.4
	// planned is the fraction of the chord tolerance that seeds use up where the surface is doubly curved. The
	// triangles between rows and boundary need the rest.
	planned = 0.9
)

// density is the sampled field of sides per unit parameter.
type density struct {
	nu, nv   int
	lo       geom.Vec2
	inverse  geom.Vec2 // grid cells per unit parameter
	u, v     []float64 // [i*nv+j]
	oneSided bool      // the surface bends in one of the two directions only
	// straightV means that v is the straighter direction, otherwise u.
	straightV bool
	lattice   bool
	sorted    []float64
}

// measure samples the field over the box lo … hi.
func (d *density) measure(s *shape, lo, hi geom.Vec2, chord, angle float64) {
	d.nu, d.nv = grid(s)
	if s.kind == surface.KindCone && math.Abs(s.r1*s.cos+lo.Y*s.sin) < math.Abs(s.r1*s.cos+hi.Y*s.sin) {
		lo, hi = hi, lo // the wide end decides: columns of a cone are rulings
	}
	d.lo = lo
	d.u, d.v, d.oneSided = d.u[:0], d.v[:0], true
	step := geom.Vec2{X: (hi.X - lo.X) / float64(max(1, d.nu-1)), Y: (hi.Y - lo.Y) / float64(max(1, d.nv-1))}
	d.inverse = geom.Vec2{}
	if d.nu > 1 && step.X > 0 {
		d.inverse.X = 1 / step.X
	}
	if d.nv > 1 && step.Y > 0 {
		d.inverse.Y = 1 / step.Y
	}
	var sum bend
	for i := range d.nu {
		for j := range d.nv {
			u, v := lo.X+step.X*(float64(i)+inset(i, d.nu)), lo.Y+step.Y*(float64(j)+inset(j, d.nv))
			b := bendOf(s.surf.D2(u, v))
			b.plan(chord, angle)
			d.u, d.v = append(d.u, b.u*b.lengthU), append(d.v, b.v*b.lengthV)
			d.oneSided = d.oneSided && b.oneSided()
			sum.u, sum.v = sum.u+b.u, sum.v+b.v
		}
	}
	d.level(d.u)
	d.level(d.v)
	d.straightV = sum.u > sum.v
	d.lattice = !d.oneSided && sum.u < latticeAspect*sum.v && sum.v < latticeAspect*sum.u
	even(d.u, d.lattice)
	even(d.v, d.lattice)
}

// coarsenStraight makes a singly curved surface sparser in its straight direction, where points only prevent needles.
// All seeds together should not outnumber the points of the boundary, unless that requires less than the given least
// share of them.
func (d *density) coarsenStraight(lo, hi geom.Vec2, boundary int, least float64) {
	if !d.oneSided {
		return
	}
	u, v := d.mean()
	seeds := u * (hi.X - lo.X) * v * (hi.Y - lo.Y)
	if seeds <= float64(boundary) {
		return
	}
	straight := d.u
	if d.straightV {
		straight = d.v
	}
	share := max(float64(boundary)/seeds, least)
	for i := range straight {
		straight[i] *= share
	}
}

// leastModest is the least share of its seeds that a shape may be left with.
func leastModest(s *shape) float64 {
	if s.kind == surface.KindCylinder {
		return aspect / goalAspect
	}
	return 0
}

// seeds estimates the seeds of a region with the given area in the parameter plane.
func (d *density) seeds(area float64) float64 {
	u, v := d.mean()
	return u * v * math.Abs(area)
}

// thin makes both directions equally sparser, for a share of the seeds.
func (d *density) thin(share float64) {
	f := math.Sqrt(share)
	for i := range d.u {
		d.u[i] *= f
		d.v[i] *= f
	}
}

// inset moves the first and last sample of a direction inward, where poles, creases and knot spans of
// no length on the border do not spoil the derivatives.
func inset(i, n int) float64 {
	const share = 0.05 // of a grid cell
	switch {
	case n == 1:
		return 0
	case i == 0:
		return share
	case i == n-1:
		return -share
	}
	return 0
}

// level cuts peaks down to a multiple of the median: narrow peaks are left to refinement.
func (d *density) level(x []float64) {
	const highest = 5 // medians
	if len(x) == 1 {
		return
	}
	d.sorted = append(d.sorted[:0], x...)
	slices.Sort(d.sorted)
	limit := highest * d.sorted[len(x)/2]
	if limit == 0 {
		return
	}
	for i := range x {
		x[i] = min(x[i], limit)
	}
}

// even raises values far below the largest density: the triangles of neighboring rows would skip a sparse row between
// dense ones, because the plane has one scale everywhere. It applies the gain of the lattice.
func even(x []float64, lattice bool) {
	const least = 0.5 // of the largest
	gain := 1.0
	if lattice {
		gain = 1 / math.Sqrt(latticeGain)
	}
	floor := least * slices.Max(x)
	for i := range x {
		x[i] = gain * max(x[i], floor)
	}
}

// grid returns the number of samples of a surface type in u and v: one where the density is constant.
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

// bend is the second fundamental form at a point, per mm and rad/mm, and the densities planned from it.
type bend struct {
	lengthU, lengthV float64 // mm per unit parameter
	ku, kv           float64 // 1/mm, with the mixed term
	turnU, turnV     float64 // rad/mm
	u, v             float64 // sides per mm
}

func bendOf(s surface.Derivs) bend {
	e, g := s.Du.Norm(), s.Dv.Norm()
	n, ok := unitCross(s.Du, s.Dv)
	if !ok || e == 0 || g == 0 {
		return bend{}
	}
	l, m, o := math.Abs(s.Duu.Dot(n))/(e*e), math.Abs(s.Duv.Dot(n))/(e*g), math.Abs(s.Dvv.Dot(n))/(g*g)
	return bend{lengthU: e, lengthV: g, ku: l + m, kv: o + m, turnU: math.Hypot(l, m), turnV: math.Hypot(o, m)}
}

// oneSided reports whether one direction is so straight that even its longest side adds nothing.
func (b *bend) oneSided() bool {
	const little = 0.02 / (aspect * aspect)
	return min(b.ku, b.kv) <= little*max(b.ku, b.kv)
}

// plan divides the chord tolerance between the two directions: half to each, or the share that the other cannot use
// because of the angle.
func (b *bend) plan(chord, angle float64) {
	if b.ku == 0 && b.kv == 0 {
		return
	}
	if b.oneSided() {
		b.u, b.v = sides(b.ku, b.turnU, chord, angle), sides(b.kv, b.turnV, chord, angle)
	} else {
		chord *= planned
		b.v = sides(b.kv, b.turnV, chord/2, angle)
		b.u = sides(b.ku, b.turnU, chord-b.kv/(8*b.v*b.v), angle)
		b.v = sides(b.kv, b.turnV, chord-b.ku/(8*b.u*b.u), angle)
	}
	b.u = max(b.u, math.Sqrt(b.ku*b.v/(8*tilt*angle)))
	b.v = max(b.v, math.Sqrt(b.kv*b.u/(8*tilt*angle)))
	b.u, b.v = max(b.u, b.v/aspect), max(b.v, b.u/aspect)
}

// sides returns the sides per mm for a curvature and turn.
func sides(k, turn, chord, angle float64) float64 {
	return max(math.Sqrt(k/(8*chord)), turn/angle, math.SmallestNonzeroFloat32)
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
