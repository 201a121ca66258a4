package sweep

// Rays parallel to the tool's axis.
//
// A ray at the distance ρ from the axis meets a convex body from its lower function h(ρ), which grows with ρ and is
// convex, to its upper function, which is the same mirrored. Consider a straight move of length l, seen along the axis,
// and slope σ = rise/l, with the foot point of the ray at u along the move and at the lateral distance e. The swept
// volume begins at
//
// 	min over τ in [0, l] of  z + σ·τ + h(√(e² + (u-τ)²))
//
// a convex function of τ. Where the slope is 0 the nearest τ is best. Else, with y = |u-τ| and σ > 0, the derivative
// vanishes where h'(ρ)·y/ρ = σ. The left side grows with y, so the segments of the profile are tested outward, from
// y = 0 on, until one contains the solution. It is at σe/√(κ²-σ²) on a cone of slope κ and at σ√(r²-e²)/√(1+σ²) on a
// ball of radius r; on a rounded corner an iteration finds it. The minimum depends on an error of y in second order
// only. Convexity makes the solution clamped to [0, l] the minimum on the move.

import "math"

// axialMove is a straight move as the rays of a bundle see it along the tool's axis: s along the rays, upward
// from tip to spindle, and p, q across.
type axialMove struct {
	p, q, s   float64 // mm, start
	dp, dq, l float64 // unit direction across the rays and length
	rise      float64 // mm
	slope     float64 // rise / l
	roof      float64 // mm, upper end of the lattice; the height of the volume above it does not matter
}

// still (mm) is the length across the rays under which a move counts as a plunge. Its end is off by less.
const still = 1e-10

func newStraight(from, to [3]float64) axialMove {
	m := axialMove{s: from[0], p: from[1], q: from[2], rise: to[0] - from[0]}
	p, q := to[1]-from[1], to[2]-from[2]
	if l := math.Hypot(p, q); l > still {
		m.l, m.dp, m.dq, m.slope = l, p/l, q/l, m.rise/l
	} else {
		m.dp = 1
	}
	return m
}

// meet returns between which heights the ray at (p, q) meets the volume that b sweeps; ok is false where it
// does not.
func (m *axialMove) meet(b *body, p, q float64) (lo, hi float64, ok bool) {
	p, q = p-m.p, q-m.q
	u, e := p*m.dp+q*m.dq, p*m.dq-q*m.dp
	e2, r2 := e*e, b.r1*b.r1
	tau := min(max(u, 0), m.l)
	d2 := e2 + (u-tau)*(u-tau)
	if d2 > r2 {
		return 0, 0, false
	}
	if m.rise == 0 {
		rho := math.Sqrt(d2)
		return m.s + lowest(b.up, b.low, b.z0, rho), m.s - lowest(b.down, b.high, -b.z1, rho), true
	}
	if m.l == 0 {
		rho := math.Sqrt(d2)
		lo, hi = m.s+lowest(b.up, b.low, b.z0, rho), m.s-lowest(b.down, b.high, -b.z1, rho)
		return lo + min(m.rise, 0), hi + max(m.rise, 0), true
	}
	lo = m.s + m.ramp(b.up, b.low, b.z0, b.r1, u, e2, m.slope)
	if hi = m.s + min(m.rise, 0) + b.z1; len(b.down) > 0 || hi < m.roof {
		hi = m.s - m.ramp(b.down, b.high, -b.z1, b.r1, u, e2, -m.slope)
	}
	return lo, hi, true
}

// ramp returns the least of slope·τ + lowest(√(e² + (u-τ)²)) on the move.
func (m *axialMove) ramp(up []slab, disc, z0, r1, u, e2, slope float64) float64 {
	var tau float64
	if slope > 0 {
		tau = u - stationary(up, disc, e2, slope, u-m.l, u)
	} else {
		tau = u + stationary(up, disc, e2, -slope, -u, m.l-u)
	}
	tau = min(max(tau, 0), m.l)
	rho := min(math.Sqrt(e2+(u-tau)*(u-tau)), r1)
	return slope*tau + lowest(up, disc, z0, rho)
}

// stationary returns the y, up to the greatest that a ray beside the move by e can have within the body, where
// the left side of h'(ρ)·y/ρ = slope reaches the right one; any number on the same side where that is not between
// least and most, the ends of the move.
func stationary(up []slab, disc, e2, slope, least, most float64) float64 {
	y := 0.0
	if disc*disc > e2 {
		y = math.Sqrt(disc*disc - e2)
	}
	for i := range up {
		s := &up[i]
		if y >= most {
			return y
		}
		if s.r1*s.r1 <= e2 {
			continue
		}
		end := math.Sqrt(s.r1*s.r1 - e2)
		if at := s.stationary(max(y, least), min(end, most), e2, slope); at < end {
			return max(y, at)
		}
		y = end
	}
	return y
}

// stationary returns where the slab reaches the slope, if that is between lo and hi; else a number on the same
// side of both.
func (s *slab) stationary(lo, hi, e2, slope float64) float64 {
	switch {
	case !s.arc:
		if d := 1 - slope*slope*s.slope*s.slope; d > 0 {
			return slope * s.slope * math.Sqrt(e2/d)
		}
		return math.Inf(1)
	case s.a == 0:
		return slope * math.Sqrt(max(s.r*s.r-e2, 0)/(1+slope*slope))
	}
	return s.cornerStationary(lo, hi, e2, slope)
}

// cornerStationary solves (ρ-a)·y/ρ = slope·√(r²-(ρ-a)²) for y in [lo, hi] by false position, the Illinois
// variant.
func (s *slab) cornerStationary(lo, hi, e2, slope float64) float64 {
	excess := func(y float64) float64 {
		rho := math.Sqrt(e2 + y*y)
		along := 1.0
		if rho > 0 {
			along = y / rho
		}
		d := rho - s.a
		return d*along - slope*math.Sqrt(max(s.r*s.r-d*d, 0))
	}
	if !(lo < hi) {
		return lo
	}
	flo, fhi := excess(lo), excess(hi)
	if flo >= 0 {
		return lo
	}
	if fhi <= 0 {
		return hi
	}
	return illinois(excess, lo, hi, flo, fhi, settled*s.r)
}

const (
	// settled is the final width of the bracket of a tangent point, as a share of the radius of the corner. The
	// position error of the surface is the square of that share, times that radius.
	settled = 1e-6

	// brackets ends any iteration; false position needs about 8 steps and halving would need 40.
	brackets = 60
)

// illinois returns a zero of the growing function f, negative at lo and positive at hi.
func illinois(f func(float64) float64, lo, hi, flo, fhi, enough float64) float64 {
	side := 0
	for k := 0; k < brackets && hi-lo > enough; k++ {
		y := (lo*fhi - hi*flo) / (fhi - flo)
		if k%4 == 3 || !(y > lo && y < hi) {
			y = 0.5 * (lo + hi)
		}
		// A step below the wanted width closes the bracket when it crosses the zero.
		y = min(max(y, lo+0.4*enough), hi-0.4*enough)
		switch v := f(y); {
		case v == 0:
			return y
		case v < 0:
			lo, flo = y, v
			if side < 0 {
				fhi *= 0.5
			}
			side = -1
		default:
			hi, fhi = y, v
			if side > 0 {
				flo *= 0.5
			}
			side = 1
		}
	}
	return 0.5 * (lo + hi)
}
