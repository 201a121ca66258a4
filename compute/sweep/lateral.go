package sweep

// Rays perpendicular to the tool's axis.
//
// In coordinates x along the ray, z along the tool and y across both, the tool at parameter t of a straight
// move meets the ray (y, z) in x between c(t) ∓ √(R(z - cz(t))² - (y - cy(t))²), with R the radius of a convex
// body over its height. The right end is a concave function of t, the left one convex, so the swept volume
// covers one interval of the ray, and its ends are where the derivative vanishes or at ends of the move.
//
// On a horizontal move R is constant and the tangent point known. Else the body is taken slab by slab: the
// square under the root is a quadratic Q(t) = q0 + 2·q1·t + q2·t² on lines and balls, and B·t + √Q(t) is
// stationary where n = Q'/2 fulfills n²·(B² - q2) = B²·(q1² - q0·q2) and has the sign of -B. On rounded corners
// the zero of the derivative is found by an iteration; the end depends on its error in second order only.

import "math"

// crossMove is a straight move in the coordinates of a bundle's rays perpendicular to the tool's axis.
type crossMove struct {
	x, y, z    float64 // mm, start
	vx, vy, vz float64 // mm, the move
	length     float64 // mm, of vx and vy together
}

func newSlide(from, to [3]float64) crossMove {
	m := crossMove{x: from[0], y: from[1], z: from[2], vx: to[0] - from[0], vy: to[1] - from[1], vz: to[2] - from[2]}
	m.length = math.Hypot(m.vx, m.vy)
	return m
}

// meet returns the range of x in which the ray at (y, z) meets the swept volume of b.
func (m *crossMove) meet(b *body, y, z float64) (lo, hi float64, ok bool) {
	y, z = y-m.y, z-m.z
	if math.Abs(m.vz) > still {
		return m.ramp(b, y, z)
	}
	r := b.radius(z)
	if r < 0 {
		return 0, 0, false
	}
	return m.level(r, y)
}

// level intersects the ray with the discs of radius r along the move.
func (m *crossMove) level(r, y float64) (lo, hi float64, ok bool) {
	t0, t1 := 0.0, 1.0
	if m.vy == 0 {
		if math.Abs(y) > r {
			return 0, 0, false
		}
		h := math.Sqrt(r*r - y*y)
		return m.x + min(m.vx, 0) - h, m.x + max(m.vx, 0) + h, true
	}
	a, b := (y-r)/m.vy, (y+r)/m.vy
	t0, t1 = max(t0, min(a, b)), min(t1, max(a, b))
	if t0 > t1 {
		return 0, 0, false
	}
	// The tangent points lie where the offset across the ray is ±r·vx/length.
	d := r * m.vx / m.length
	left, right := (y-d)/m.vy, (y+d)/m.vy
	if m.vy < 0 {
		left, right = right, left
	}
	left, right = min(max(left, t0), t1), min(max(right, t0), t1)
	dl, dr := y-m.vy*left, y-m.vy*right
	lo = m.x + m.vx*left - math.Sqrt(max(r*r-dl*dl, 0))
	hi = m.x + m.vx*right + math.Sqrt(max(r*r-dr*dr, 0))
	return lo, hi, true
}

// ramp takes the body slab by slab.
func (m *crossMove) ramp(b *body, y, z float64) (lo, hi float64, ok bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i := range b.slabs {
		s := &b.slabs[i]
		t0, t1 := (z-s.z0)/m.vz, (z-s.z1)/m.vz
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		t0, t1 = max(t0, 0), min(t1, 1)
		if t0 > t1 {
			continue
		}
		l, h := 0.0, 0.0
		found := false
		if s.arc && s.a != 0 {
			l, h, found = m.corner(s, y, z, t0, t1)
		} else {
			l, h, found = m.quadric(s, y, z, t0, t1)
		}
		if found {
			lo, hi, ok = min(lo, l), max(hi, h), true
		}
	}
	return m.x + lo, m.x + hi, ok
}

// within cuts [t0, t1] to where a + b·t ≥ 0.
func within(a, b, t0, t1 float64) (float64, float64) {
	switch {
	case b > 0:
		return max(t0, -a/b), t1
	case b < 0:
		return t0, min(t1, -a/b)
	case a < 0:
		return 1, 0
	}
	return t0, t1
}

// quadric intersects the ray with a slab of a cone, a cylinder or a ball whose height range contains it from t0 to t1.
func (m *crossMove) quadric(s *slab, y, z, t0, t1 float64) (lo, hi float64, ok bool) {
	var q0, q1, q2 float64
	if s.arc {
		w := z - s.h
		q0, q1, q2 = s.r*s.r-w*w-y*y, w*m.vz+y*m.vy, -(m.vz*m.vz + m.vy*m.vy)
		d := q1*q1 - q0*q2
		if d < 0 {
			return 0, 0, false
		}
		root, mid := math.Sqrt(d)/-q2, -q1/q2
		t0, t1 = max(t0, mid-root), min(t1, mid+root)
	} else {
		a, b := s.r0+s.slope*(z-s.z0), -s.slope*m.vz
		q0, q1, q2 = a*a-y*y, a*b+y*m.vy, b*b-m.vy*m.vy
		t0, t1 = within(a-y, b+m.vy, t0, t1)
		t0, t1 = within(a+y, b-m.vy, t0, t1)
	}
	if t0 > t1 {
		return 0, 0, false
	}
	half := func(t float64) float64 { return math.Sqrt(max(q0+t*(2*q1+t*q2), 0)) }
	h0, h1 := half(t0), half(t1)
	lo, hi = min(m.vx*t0-h0, m.vx*t1-h1), max(m.vx*t0+h0, m.vx*t1+h1)
	vx2 := m.vx * m.vx
	if f := vx2 - q2; f > 0 {
		n := math.Abs(m.vx) * math.Sqrt(max((q1*q1-q0*q2)/f, 0))
		if m.vx > 0 {
			n = -n
		}
		if t := tangent(n, q0, q1, q2, vx2, f); t > t0 && t < t1 {
			hi = max(hi, m.vx*t+half(t))
		}
		if t := tangent(-n, q0, q1, q2, vx2, f); t > t0 && t < t1 {
			lo = min(lo, m.vx*t-half(t))
		}
	}
	return lo, hi, true
}

// tangent returns the t with q1 + q2·t = n, in the form that does not cancel.
func tangent(n, q0, q1, q2, vx2, f float64) float64 {
	if n*q1 > 0 {
		return (q1*q1 - vx2*q0) / (f * (n + q1))
	}
	return (n - q1) / q2
}

// corner intersects the ray with a slab of a torus whose height range contains it from t0 to t1.
func (m *crossMove) corner(s *slab, y, z, t0, t1 float64) (lo, hi float64, ok bool) {
	if t0, t1 = m.cornerRange(s, y, z, t0, t1); t0 > t1 {
		return 0, 0, false
	}
	// at returns half of the chord and its derivative by t.
	at := func(t float64) (half, slope float64) {
		w, d := z-m.vz*t-s.h, y-m.vy*t
		c := math.Sqrt(max(s.r*s.r-w*w, 0))
		r := s.a + c
		half = math.Sqrt(max(r*r-d*d, 0))
		return half, (r*w*m.vz/c + d*m.vy) / half
	}
	h0, s0 := at(t0)
	h1, s1 := at(t1)
	if !(h0 > settled*s.r) { // the chord begins here
		s0 = math.Inf(1)
	}
	if !(h1 > settled*s.r) {
		s1 = math.Inf(-1)
	}
	lo, hi = min(m.vx*t0-h0, m.vx*t1-h1), max(m.vx*t0+h0, m.vx*t1+h1)
	enough := settled * s.r / math.Hypot(m.length, m.vz)
	if best, found := m.stationary(at, m.vx, t0, t1, s0, s1, enough); found {
		h, _ := at(best)
		hi = max(hi, m.vx*best+h)
	}
	if best, found := m.stationary(at, -m.vx, t0, t1, s0, s1, enough); found {
		h, _ := at(best)
		lo = min(lo, m.vx*best-h)
	}
	return lo, hi, true
}

// stationary finds the maximum of b·t + half(t) between t0 and t1, where half has the slopes s0 and s1; at the ends of
// the chord these are infinite.
func (m *crossMove) stationary(at func(float64) (float64, float64), b, t0, t1, s0, s1, enough float64) (
	float64, bool) {
	f0, f1 := -(b + s0), -(b + s1)
	if f0 >= 0 || f1 <= 0 || !(t1 > t0) {
		return 0, false
	}
	// Slopes grow without bound at the ends of the chord, where false position would crawl.
	steepest := 4 * (math.Abs(b) + math.Hypot(m.vy, m.vz))
	falling := func(t float64) float64 {
		_, s := at(t)
		if math.IsNaN(s) {
			s = 0
		}
		return -min(max(b+s, -steepest), steepest)
	}
	return illinois(falling, t0, t1, max(f0, -steepest), min(f1, steepest), enough), true
}

// cornerRange cuts [t0, t1] to where the corner reaches the ray: where the ray passes the axis by less than a
// or the circle of radius r around the center of the corner on its side is crossed.
func (m *crossMove) cornerRange(s *slab, y, z, t0, t1 float64) (float64, float64) {
	if s.a < 0 {
		return m.cornerRangeBeyond(s, y, z, t0, t1)
	}
	// With d = y - vy·t: |d| ≤ a, or (|d| - a)² + w² ≤ r² where w = z - h - vz·t.
	lo, hi := math.Inf(1), math.Inf(-1)
	take := func(a, b float64) {
		if a <= b {
			lo, hi = min(lo, a), max(hi, b)
		}
	}
	a0, a1 := within(s.a-y, m.vy, t0, t1)
	take(within(s.a+y, -m.vy, a0, a1))
	for _, side := range [2]float64{1, -1} {
		b0, b1 := within(side*y-s.a, -side*m.vy, t0, t1)
		take(m.circle(y-side*s.a, z-s.h, s.r, b0, b1))
	}
	return lo, hi
}

// cornerRangeBeyond is cornerRange for an arc whose center lies beyond the axis: both circles must be satisfied.
func (m *crossMove) cornerRangeBeyond(s *slab, y, z, t0, t1 float64) (float64, float64) {
	t0, t1 = m.circle(y-s.a, z-s.h, s.r, t0, t1)
	return m.circle(y+s.a, z-s.h, s.r, t0, t1)
}

// circle cuts [t0, t1] to where (y - vy·t, z - vz·t) is within r of 0.
func (m *crossMove) circle(y, z, r, t0, t1 float64) (float64, float64) {
	v2 := m.vy*m.vy + m.vz*m.vz
	b := y*m.vy + z*m.vz
	d := b*b - v2*(y*y+z*z-r*r)
	if d < 0 {
		return 1, 0
	}
	root := math.Sqrt(d)
	return max(t0, (b-root)/v2), min(t1, (b+root)/v2)
}
