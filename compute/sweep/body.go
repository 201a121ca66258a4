package sweep

import (
	"math"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/kernel/geom"
)

// slab is the part of a tool between two heights: a disc whose radius changes with the height along a line or
// along an arc that bulges outward. It is convex.
type slab struct {
	z0, z1, r0, r1 float64 // mm

	slope float64 // of a line: radius per height

	arc  bool
	a, h float64 // mm, center of the arc: distance from the axis and height
	r    float64 // mm, its radius
}

// radius returns the radius at height z within the slab.
func (s *slab) radius(z float64) float64 {
	if !s.arc {
		return s.r0 + s.slope*(z-s.z0)
	}
	d := z - s.h
	return s.a + math.Sqrt(max(s.r*s.r-d*d, 0))
}

// lower returns the lowest height at which the slab, widening upward, has the radius rho in [r0, r1].
func (s *slab) lower(rho float64) float64 {
	if !s.arc {
		return s.z0 + (rho-s.r0)/s.slope
	}
	d := rho - s.a
	return max(s.h-math.Sqrt(max(s.r*s.r-d*d, 0)), s.z0)
}

// body is a convex part of a tool: stacked slabs whose radius is a concave function of the height. up contains the
// slabs that widen upward; the radius is greatest at and above the top of the last of them. down is the same seen from
// above, with heights negated.
type body struct {
	slabs      []slab
	z0, z1, r1 float64 // mm, its heights and greatest radius
	up, down   []slab
	low, high  float64 // mm, radius of the discs at the bottom and at the top
}

// bend (rad, and share of a radius) is the tolerance of a tool's outline, which is computed from a few dimensions. A
// body that is convex within it differs from its hull by less than rounding.
const bend = 1e-9

// bodies divides a profile into convex bodies.
func bodies(p toolprofile.Profile) []body {
	var slabs []slab
	for _, k := range p {
		slabs = appendSlabs(slabs, k)
	}
	var out []body
	for _, s := range slabs {
		if n := len(out); n > 0 {
			b := &out[n-1]
			last := &b.slabs[len(b.slabs)-1]
			if math.Abs(last.r1-s.r0) <= bend*(1+s.r0) && (steep(last, last.z1)+bend >= steep(&s, s.z0)) {
				b.slabs = append(b.slabs, s)
				continue
			}
		}
		out = append(out, body{slabs: []slab{s}})
	}
	for i := range out {
		out[i].finish()
	}
	return out
}

// steep returns the angle of the outline at height z against the axis, positive where it widens upward.
func steep(s *slab, z float64) float64 {
	if !s.arc {
		return math.Atan(s.slope)
	}
	return math.Asin(min(max((s.h-z)/s.r, -1), 1))
}

// appendSlabs appends the slabs of one piece of an outline: no slab for a horizontal line, two for an arc that crosses
// its greatest radius, chords for a concave arc.
func appendSlabs(slabs []slab, k toolprofile.Segment) []slab {
	c, arc := k.Center()
	switch {
	case k.To.Y <= k.From.Y:
		return slabs
	case !arc:
		return append(slabs, line(k.From, k.To))
	case k.Radius < 0:
		return appendChords(slabs, c, k)
	}
	s := slab{z0: k.From.Y, z1: k.To.Y, r0: k.From.X, r1: k.To.X, arc: true, a: c.X, h: c.Y, r: k.Radius}
	if math.Abs(s.a) <= bend*s.r {
		s.a = 0 // part of a ball
	}
	if s.z0 < s.h && s.h < s.z1 {
		lower, upper := s, s
		lower.z1, lower.r1 = s.h, s.a+s.r
		upper.z0, upper.r0 = s.h, s.a+s.r
		return append(slabs, lower, upper)
	}
	return append(slabs, s)
}

func line(from, to geom.Vec2) slab {
	return slab{z0: from.Y, z1: to.Y, r0: from.X, r1: to.X, slope: (to.X - from.X) / (to.Y - from.Y)}
}

// appendChords replaces an arc by chords with a deviation of at most Chord.
func appendChords(slabs []slab, c geom.Vec2, k toolprofile.Segment) []slab {
	a, b := k.From.Sub(c), k.To.Sub(c)
	angle := math.Atan2(a.Cross(b), a.Dot(b))
	n := chords(math.Abs(k.Radius), math.Abs(angle))
	from := k.From
	for i := 1; i <= n; i++ {
		s, co := math.Sincos(angle * float64(i) / float64(n))
		to := geom.Vec2{X: max(c.X+co*a.X-s*a.Y, 0), Y: c.Y + s*a.X + co*a.Y}
		if i == n {
			to = k.To
		}
		if to.Y > from.Y {
			slabs = append(slabs, line(from, to))
		}
		from = to
	}
	return slabs
}

// chords returns the number of equal chords, of half a turn at most, into which an arc has to be divided; a result over
// maxLegs means any greater number.
func chords(radius, angle float64) int {
	each := math.Pi
	if radius > Chord {
		each = 4 * math.Asin(math.Sqrt(Chord/(2*radius)))
	}
	return max(int(math.Ceil(min(angle/each, maxLegs+1))), 1)
}

func (b *body) finish() {
	first, last := &b.slabs[0], &b.slabs[len(b.slabs)-1]
	b.z0, b.z1, b.low, b.high = first.z0, last.z1, first.r0, last.r1
	for _, s := range b.slabs {
		b.r1 = max(b.r1, s.r0, s.r1)
		if s.r1 > s.r0 {
			b.up = append(b.up, s)
		}
	}
	for i := len(b.slabs) - 1; i >= 0; i-- {
		if s := b.slabs[i]; s.r0 > s.r1 {
			b.down = append(b.down, s.negated())
		}
	}
}

// negated returns the slab upside down.
func (s slab) negated() slab {
	s.z0, s.z1, s.r0, s.r1 = -s.z1, -s.z0, s.r1, s.r0
	s.slope, s.h = -s.slope, -s.h
	return s
}

// radius returns the radius of the body at height z, or a negative number beyond its ends.
func (b *body) radius(z float64) float64 {
	if z < b.z0 || z > b.z1 {
		return -1
	}
	for i := range b.slabs {
		if s := &b.slabs[i]; z <= s.z1 {
			return s.radius(z)
		}
	}
	return -1
}

// lowest returns the least height at which the slabs of up, above a disc of radius disc at height z0, have
// the radius rho or more.
func lowest(up []slab, disc, z0, rho float64) float64 {
	if rho <= disc {
		return z0
	}
	for i := range up {
		s := &up[i]
		if rho <= s.r1 {
			return s.lower(rho)
		}
	}
	if len(up) == 0 {
		return z0
	}
	return up[len(up)-1].z1
}

// flattened returns the body with its rounded corners replaced by chords. Arcs around a point of the axis,
// the parts of a ball, stay: they are quadrics.
func (b *body) flattened() []slab {
	var out []slab
	for i := range b.slabs {
		s := &b.slabs[i]
		if !s.arc || s.a == 0 {
			out = append(out, *s)
			continue
		}
		from, to := geom.Vec2{X: s.r0, Y: s.z0}, geom.Vec2{X: s.r1, Y: s.z1}
		out = appendChords(out, geom.Vec2{X: s.a, Y: s.h}, toolprofile.Segment{From: from, To: to, Radius: s.r})
	}
	return out
}
