package sweep

// Rays neither parallel nor perpendicular to the tool's axis.
//
// The point of the ray at s, relative to the tool at parameter t of a straight move, is o + s·d - t·v, linear in both.
// So the pairs (s, t) at which it lies in a convex body fill a convex region. Where the radius of a slab is R with R² =
// α·z² + β·z + γ (cones, cylinders, balls), the region is bounded by a conic; the heights of the slab and the ends of
// the move bound it by four lines. The least and the greatest s lie on the conic at an end of the move or where its
// tangent runs along t. Or they lie on the disc between two slabs, at an end of the move or where the disc meets the
// conic. Chords approximate rounded corners.
//
// The slopes of the bounds at such a point decide it at once. If they show that s gets no smaller (or no greater) along
// the region's bound, it is the least (or the greatest) of the whole body, as the region is convex. The search
// therefore starts at the places where the search for the adjacent ray ended. It normally ends after one or two of
// them, however many slabs there are.
//
// Cost: some 80 to 100 ns a ray, twice that on tools with rounded corners, which are dozens of slabs; about 30 ns for
// each slab where the ray misses the body.

import "math"

// margin widens the bounds in tests of a computed point, as a share of their range: points lie on a bound that others
// are tested against, and rounding must not drop a corner.
const margin = 1e-9

// grazing (mm) is half of the slope of a conic below which its sign is rounding: the ray touches the sweep, or passes
// the tip of a cone, whose other nappe begins there.
const grazing = 1e-7

// skew is one convex body on a straight move, for rays of one direction in the tool's axes. Places are numbered from
// below: disc i, below slab i, is place 2i, and slab i is place 2i + 1.
type skew struct {
	d, v  [3]float64 // unit direction of the rays, and the move, mm
	slabs []pass
	discs []disc
}

// pass is a slab on that move. With w = z - zero, R² = al·w² + 2·be·w + ga there. A point is inside if a·s² + 2b·st +
// c·t² + 2d·s + 2e·t + g ≤ 0, where a, b and c are the same for all rays.
type pass struct {
	z0, z1, room     float64 // mm: its heights, and their slack
	zero, al, be, ga float64
	a, b, c          float64
	perA, perC       float64 // 1/a and 1/c
	slope, a2, perA2 float64 // b/c; a - b²/c and one over it
}

// disc is the disc between two slabs, or at the lower or upper end of the body.
type disc struct {
	z, r2 float64 // mm and mm², height and squared radius
	kind  uint8
}

const (
	smooth = iota // the slabs go over into each other: nothing ends there
	kink
	bottom
	top
)

// set prepares the body of the slabs for a move, without slabs that begin above highest.
func (m *skew) set(slabs []slab, d, v [3]float64, highest float64) {
	m.d, m.v, m.slabs, m.discs = d, v, m.slabs[:0], m.discs[:0]
	for i := range slabs {
		k := &slabs[i]
		if k.z0 > highest {
			break
		}
		kind := uint8(bottom)
		if i > 0 {
			if kind = kink; math.Abs(steep(&slabs[i-1], k.z0)-steep(k, k.z0)) <= bend {
				kind = smooth
			}
		}
		m.discs = append(m.discs, disc{k.z0, k.r0 * k.r0, kind})
		m.slabs = append(m.slabs, newPass(k, d, v))
	}
	if n := len(m.slabs); n > 0 {
		last := &slabs[n-1]
		m.discs = append(m.discs, disc{last.z1, last.r1 * last.r1, top})
	}
}

func newPass(k *slab, d, v [3]float64) pass {
	p := pass{z0: k.z0, z1: k.z1, room: margin * (k.z1 - k.z0), zero: k.z0}
	p.al, p.be, p.ga = k.slope*k.slope, k.slope*k.r0, k.r0*k.r0
	if k.arc {
		p.zero, p.al, p.be, p.ga = k.h, -1, 0, k.r*k.r
	}
	p.a = d[0]*d[0] + d[1]*d[1] - p.al*d[2]*d[2]
	p.b = -(d[0]*v[0] + d[1]*v[1] - p.al*d[2]*v[2])
	p.c = v[0]*v[0] + v[1]*v[1] - p.al*v[2]*v[2]
	p.perA, p.perC = 1/p.a, 1/p.c
	p.slope = p.b * p.perC
	p.a2 = p.a - p.b*p.slope
	p.perA2 = 1 / p.a2
	return p
}

// reach is the known extent of a ray's region: the s of some of its points, and flags that mark them as the least and
// the greatest.
type reach struct {
	lo, hi           float64
	loFinal, hiFinal bool
	loAt, hiAt       int // places

	// Heights (mm) at which the conic of a slab, far beyond the slab itself, ends: near there it may be.
	loGuess, hiGuess float64
}

func (e *reach) done() bool { return e.loFinal && e.hiFinal }

// add adds a point of the region at which its bound runs along s with the given slope: negative at a least s. final
// means that s is extreme there.
func (e *reach) add(s, slope float64, final bool, place int) {
	if isLeast := final && slope < 0; !e.loFinal && (isLeast || s < e.lo) {
		e.lo, e.loAt, e.loFinal = min(e.lo, s), place, isLeast
	}
	if isGreatest := final && slope > 0; !e.hiFinal && (isGreatest || s > e.hi) {
		e.hi, e.hiAt, e.hiFinal = max(e.hi, s), place, isGreatest
	}
}

// meet returns the range of s in which the ray through o (mm, relative to the tool at the start) meets the sweep of the
// body; lo > hi if it misses it. It starts at the two places where the adjacent ray ended, and stores its end places
// there.
func (m *skew) meet(o *[3]float64, near *[2]int) (lo, hi float64) {
	e := reach{lo: math.Inf(1), hi: math.Inf(-1)}
	if len(m.slabs) == 0 {
		return e.lo, e.hi
	}
	last := 2 * len(m.slabs)
	first := min(near[0], last)
	m.try(o, first, &e)
	second := min(near[1], last)
	if second != first && !e.done() {
		m.try(o, second, &e)
	}
	from := m.follow(o, &e)
	for k := 0; !e.done() && (from-k >= 0 || from+k <= last); k++ {
		if i := from + k; i <= last && i != first && i != second {
			m.try(o, i, &e)
		}
		if i := from - k; i >= 0 && k > 0 && i != first && i != second && !e.done() {
			m.try(o, i, &e)
		}
	}
	if e.lo <= e.hi {
		near[0], near[1] = e.loAt, e.hiAt
	}
	return e.lo, e.hi
}

// follow moves from slab to slab as the results indicate, and returns the place where it ends.
func (m *skew) follow(o *[3]float64, e *reach) (place int) {
	const most = 4 // steps
	for range most {
		z := e.loGuess
		if e.loFinal {
			z = e.hiGuess
		}
		next := 2*m.slabAt(z) + 1
		if e.done() || next == place {
			break
		}
		place = next
		m.try(o, place, e)
	}
	return place
}

// slabAt returns the slab at a height, or the nearest one.
func (m *skew) slabAt(z float64) int {
	lo, hi := 0, len(m.slabs)-1
	for lo < hi {
		if mid := (lo + hi) / 2; z > m.slabs[mid].z1 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// try adds the points of a place.
func (m *skew) try(o *[3]float64, place int, e *reach) {
	if place%2 == 1 {
		m.onSlab(o, place, e)
		return
	}
	switch k := &m.discs[place/2]; k.kind {
	case kink:
		m.onRim(o, place, e)
	case bottom, top:
		if k.r2 > 0 {
			m.onDisc(o, place, e)
			m.onRim(o, place, e)
		}
	}
}

// linear returns the terms of the conic that depend on the ray.
func (m *skew) linear(k *pass, o *[3]float64) (d, e, g float64) {
	w := o[2] - k.zero
	q := k.al*w + k.be
	d = o[0]*m.d[0] + o[1]*m.d[1] - q*m.d[2]
	e = q*m.v[2] - o[0]*m.v[0] - o[1]*m.v[1]
	g = o[0]*o[0] + o[1]*o[1] - (q+k.be)*w - k.ga
	return d, e, g
}

// onSlab adds the points of the conic at the ends of the move and those with a tangent along t. At the start s
// gets no smaller, or no greater, where the conic's value grows with t, at the end where it falls.
func (m *skew) onSlab(o *[3]float64, place int, r *reach) {
	k := &m.slabs[place/2]
	d, e, g := m.linear(k, o)
	oz, dz := o[2], m.d[2]
	if lo, hi, half, ok := roots(k.a, k.perA, d, g); ok {
		r.offer(k, lo, oz+lo*dz, -half, k.b*lo+e >= 0, place)
		r.offer(k, hi, oz+hi*dz, half, k.b*hi+e >= 0, place)
	}
	if r.done() {
		return
	}
	oz -= m.v[2]
	if lo, hi, half, ok := roots(k.a, k.perA, d+k.b, g+2*e+k.c); ok {
		r.offer(k, lo, oz+lo*dz, -half, k.b*lo+k.c+e <= 0, place)
		r.offer(k, hi, oz+hi*dz, half, k.b*hi+k.c+e <= 0, place)
	}
	if r.done() || k.c == 0 {
		return
	}
	if lo, hi, half, ok := roots(k.a2, k.perA2, d-k.slope*e, g-e*e*k.perC); ok {
		m.onTangent(o[2], k, lo, -half, e, place, r)
		m.onTangent(o[2], k, hi, half, e, place, r)
	}
}

func (m *skew) onTangent(oz float64, k *pass, s, slope, e float64, place int, r *reach) {
	t := -(k.b*s + e) * k.perC
	if t >= -margin && t <= 1+margin {
		r.offer(k, s, oz+s*m.d[2]-t*m.v[2], slope, k.c > 0, place)
	}
}

// offer adds a point of the conic if its height z is within the slab. Within the slack it may be on the other nappe of
// a cone, to which the slopes do not apply.
func (e *reach) offer(k *pass, s, z, slope float64, final bool, place int) {
	switch {
	case z >= k.z0-k.room && z <= k.z1+k.room:
		e.add(s, slope, final && math.Abs(slope) > grazing && z >= k.z0 && z <= k.z1, place)
	case final && slope < 0:
		e.loGuess = z
	case final:
		e.hiGuess = z
	}
}

// roots returns the solutions of a·s² + 2b·s + c = 0, first the one where the values fall, and half the slope of the
// values there. Where a is 0, one solution is infinite or not a number. Rounding may lose a double solution, which
// occurs for a ray through the tip of a cone.
func roots(a, perA, b, c float64) (falling, rising, half float64, ok bool) {
	const rounding = 1e-14
	d := b*b - a*c
	if !(d >= 0) {
		if !(d >= -rounding*b*b) {
			return 0, 0, 0, false
		}
		d = 0
	}
	half = math.Sqrt(d)
	if b >= 0 {
		q := -(b + half)
		return q * perA, c / q, half, true
	}
	q := half - b
	return c / q, q * perA, half, true
}

// onDisc adds the points at which the ray passes the inside of an outer disc at an end of the move.
func (m *skew) onDisc(o *[3]float64, place int, e *reach) {
	k := &m.discs[place/2]
	per := 1 / m.d[2]
	s0, s1 := (k.z-o[2])*per, m.v[2]*per
	x0, x1, y0, y1 := o[0]+s0*m.d[0], s1*m.d[0]-m.v[0], o[1]+s0*m.d[1], s1*m.d[1]-m.v[1]
	// The bound is z0 - z ≤ 0 at the bottom, z - z1 ≤ 0 at the top, with these slopes along s and t.
	alongS, alongT := -m.d[2], m.v[2]
	if k.kind == top {
		alongS, alongT = -alongS, -alongT
	}
	if x0*x0+y0*y0 <= k.r2*(1+margin) {
		e.add(s0, alongS, alongT >= 0, place)
	}
	x0, y0 = x0+x1, y0+y1
	if x0*x0+y0*y0 <= k.r2*(1+margin) {
		e.add(s0+s1, alongS, alongT <= 0, place)
	}
}

// onRim adds the points at which the ray passes the rim of a disc in the course of the move: corners of the region
// between two bounds. One is extreme where the bounds' slopes along t have opposite signs, so that some mean of
// the bounds runs along s alone.
func (m *skew) onRim(o *[3]float64, place int, e *reach) {
	k := &m.discs[place/2]
	// At that height the point is at (s, t) = (s0, t0) + w·(v.z, d.z) for any w, however little the ray or the move
	// climbs.
	dz, vz := m.d[2], m.v[2]
	along := (k.z - o[2]) / (dz*dz + vz*vz)
	s0, t0 := along*dz, -along*vz
	x0, x1 := o[0]+s0*m.d[0]-t0*m.v[0], vz*m.d[0]-dz*m.v[0]
	y0, y1 := o[1]+s0*m.d[1]-t0*m.v[1], vz*m.d[1]-dz*m.v[1]
	a, b, c := x1*x1+y1*y1, x0*x1+y0*y1, x0*x0+y0*y0-k.r2
	w0, w1, _, ok := roots(a, 1/a, b, c)
	if !ok {
		return
	}
	for _, w := range [2]float64{w0, w1} {
		t := t0 + w*dz
		if !(t >= -margin && t <= 1+margin) {
			continue
		}
		s := s0 + w*vz
		belowS, belowT := -m.d[2], m.v[2]
		if k.kind != bottom {
			belowS, belowT = m.slopes(o, place/2-1, s, t)
		}
		aboveS, aboveT := m.d[2], -m.v[2]
		if k.kind != top {
			aboveS, aboveT = m.slopes(o, place/2, s, t)
		}
		down, up := math.Abs(aboveT)*belowS, math.Abs(belowT)*aboveS
		const clear = 1e-6 // of the terms: a sum with a sign
		isClear := math.Abs(down+up) > clear*(math.Abs(down)+math.Abs(up))
		e.add(s, down+up, isClear && belowT*aboveT <= 0, place)
	}
}

// slopes returns half the slopes of a slab's conic along s and along t.
func (m *skew) slopes(o *[3]float64, slab int, s, t float64) (alongS, alongT float64) {
	k := &m.slabs[slab]
	d, e, _ := m.linear(k, o)
	return k.a*s + k.b*t + d, k.b*s + k.c*t + e
}
