package surface

import (
	"math"
	"sync"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// A section is the plane curve behind a swept surface: the profile of an extrusion seen along the
// direction, or the meridian of a revolution. Inverting the surface is inverting its section.

// section is a plane curve with the parametrization of the profile. Kinds that cannot invert
// themselves get a table at the first global inversion.
type section struct {
	c     curve.Curve
	once  sync.Once
	table *curve.SampleTable
}

// invert returns the parameter of the closest point of the whole section.
func (s *section) invert(q geom.Vec3) (t, dist float64) {
	f, ok := s.c.(*flattened)
	if !ok {
		return s.c.Invert(q)
	}
	if l, ok := f.Curve.(curve.Line); ok {
		return s.ofSkewLine(l, q)
	}
	s.once.Do(func() { s.table = curve.NewTable(s.c, s.c.Domain()) })
	t, dist = s.table.InvertIn(q, s.c.Domain())
	if s.c.Period() > 0 {
		t = s.c.Domain().Wrap(t)
	}
	return t, dist
}

// ofSkewLine inverts the meridian of a line turned about the Z axis, one branch of a hyperbola, from
// where the line has the height of q and from both points where it has the distance from the axis.
func (s *section) ofSkewLine(l curve.Line, q geom.Vec3) (t, dist float64) {
	n := l.Dir.X*l.Dir.X + l.Dir.Y*l.Dir.Y
	nearest := 0.0
	if n > 0 {
		nearest = -(l.Origin.X*l.Dir.X + l.Origin.Y*l.Dir.Y) / n
	}
	p := l.At(nearest)
	half := math.Sqrt(max(0, q.X*q.X-p.X*p.X-p.Y*p.Y) / max(n, definite))
	starts := [3]float64{nearest - half, nearest + half, nearest}
	if l.Dir.Z != 0 {
		starts[2] = (q.Z - l.Origin.Z) / l.Dir.Z
	}
	dist = math.Inf(1)
	for _, start := range starts {
		if at, d, _ := s.descend(q, start, wholeLine); d < dist {
			t, dist = at, d
		}
	}
	return t, dist
}

// near is invert from a hint: the local minimum next to it if that is within trusted, else the closer of it and the
// closest point. In a periodic direction the result is on the hint's branch.
func (s *section) near(q geom.Vec3, hint float64) (t, dist float64) {
	dom, period := s.c.Domain(), s.c.Period()
	iv := dom
	if period > 0 {
		iv = wholeLine
	}
	t, dist, settled := s.descend(q, iv.Clamp(hint), iv)
	if !settled || dist > trusted {
		// A point twice as near is on another branch; in other cases the branch at the hint is meant.
		if t2, d2 := s.invert(q); d2 < 0.5*dist || !settled && d2 < dist {
			t, dist = t2, d2
		}
	}
	if period > 0 {
		t = unwrap(t, hint, period)
	}
	return t, dist
}

// descend is Newton's method for the distance from q, with Gauss–Newton steps where that is concave and halved steps
// where it grows; see closest.go for the constants.
func (s *section) descend(q geom.Vec3, t float64, iv geom.Interval) (at, dist float64, ok bool) {
	p, d1, d2 := s.c.D2(t)
	for range maxIterations {
		r := p.Sub(q)
		g, m := r.Dot(d1), d1.Norm2()
		f := r.Norm2()
		next := iv.Clamp(t + along(g, m+r.Dot(d2), m))
		length := math.Abs(next-t) * math.Sqrt(m)
		if length <= still {
			return t, math.Sqrt(f), true
		}
		blind := isBlind(length, f, p)
		p, d1, d2 = s.c.D2(next)
		for k := 0; !blind && !(p.Dist2(q) < f); k++ {
			if k == maxHalvings {
				return t, math.Sqrt(f), length <= settled
			}
			next = 0.5 * (t + next)
			p, d1, d2 = s.c.D2(next)
		}
		t = next
	}
	return t, p.Dist(q), false
}

// flattened is a curve mapped point by point into the plane of the section.
type flattened struct {
	curve.Curve
	flatten func(p, d1, d2 geom.Vec3) (q, q1, q2 geom.Vec3)
}

func (c *flattened) At(t float64) geom.Vec3 {
	q, _, _ := c.D2(t)
	return q
}

func (c *flattened) D1(t float64) (p, d1 geom.Vec3) {
	p, d1, _ = c.D2(t)
	return p, d1
}

func (c *flattened) D2(t float64) (p, d1, d2 geom.Vec3) { return c.flatten(c.Curve.D2(t)) }

// Breaks makes the table respect the breaks of the profile.
func (c *flattened) Breaks(dst []float64, iv geom.Interval) []float64 {
	return curve.Breaks(dst, c.Curve, iv)
}
