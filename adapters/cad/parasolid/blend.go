package parasolid

import (
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/curve"
)

// A blend is the surface left by a ball that rolls along the edge between two surfaces, its supports, and touches both.
// The center of the ball moves along the spine. So the blend is part of the pipe about the spine with the radius of the
// ball. The ball touches a support at the foot point of its center there. If the ball rolls along an edge instead of a
// surface (a cliff), the support is a blend of radius zero about that edge.

// pipeBlend is the traced surface of a blend. It stores the spine parameter of the last point.
type pipeBlend struct {
	spine  guide
	radius float64

	known     bool
	last      float64
	c, d1, d2 geom.Vec3 // point and derivatives of the spine at last
}

// pipeBlend returns the pipe that contains a blend.
func (g *geometry) pipeBlend(n xt.Node, depth int) (*pipeBlend, error) {
	if depth > maxChain {
		return nil, fail(n, "is built on itself")
	}
	if !n.Is("blend_type", 'R') && !n.Is("blend_type", 'E') {
		return nil, fail(n, "is a blend that is not rolled by a ball")
	}
	r := n.Reals("range")
	if len(r) < 2 || !(math.Abs(math.Abs(r[0])-math.Abs(r[1])) <= 1e-9*math.Abs(r[0])) {
		return nil, fail(n, "has a radius that varies")
	}
	spine, err := g.curve(n.To("spine"), depth+1)
	if err != nil {
		return nil, err
	}
	if !spine.Domain().IsFinite() {
		if _, isLine := spine.Curve.(curve.Line); !isLine {
			return nil, fail(n, "has a spine without ends")
		}
	}
	return &pipeBlend{spine: spine, radius: math.Abs(r[0]) * metre}, nil
}

func (s *pipeBlend) project(p geom.Vec3, _ float64) (q, n geom.Vec3) {
	t, _ := s.spine.Invert(p)
	s.goTo(t)
	return s.about(p)
}

// at implements tracedSurface. The file's spine parameter has no counterpart here, so ok is false.
func (s *pipeBlend) at(geom.Vec2) (q, n geom.Vec3, ok bool) { return q, n, false }

func (s *pipeBlend) goTo(t float64) {
	s.known, s.last = true, t
	s.c, s.d1, s.d2 = s.spine.D2(t)
}

// about returns the point nearest to p on the circle about the current spine point.
func (s *pipeBlend) about(p geom.Vec3) (q, n geom.Vec3) {
	if n = p.Sub(s.c).Unit(); n == (geom.Vec3{}) {
		n = s.d1.Perp()
	}
	return s.c.AddScaled(s.radius, n), n
}

func (s *pipeBlend) step(p geom.Vec3) (q, n geom.Vec3, moved float64) {
	if s.known {
		moved = s.roll(p)
		q, n = s.about(p)
	} else {
		q, n = s.project(p, 0)
	}
	return q, n, moved
}

func (s *pipeBlend) driftFrom(p, v geom.Vec3) geom.Vec3 {
	r := s.c.Sub(p)
	c := s.d1.Scale(v.Dot(s.d1) / (s.d1.Norm2() + r.Dot(s.d2)))
	if math.Abs(r.Dot(s.d1)) > tolerance*s.d1.Norm() {
		c = geom.Vec3{} // beyond an end of the spine, the foot point stays at the end
	}
	return c.AddScaled(s.radius, turning(r.Neg().Unit(), r.Neg(), v.Sub(c)))
}

// roll moves along the spine toward the point nearest to p by one Newton step. It returns the length of the step (mm).
func (s *pipeBlend) roll(p geom.Vec3) float64 {
	r := s.c.Sub(p)
	bend, speed := r.Dot(s.d2), s.d1.Norm2()
	const flat = 0.1 // of the squared speed; a smaller sum is near or past the spine's center of curvature
	if speed+bend < flat*speed {
		bend = 0
	}
	last := s.last
	if s.last -= r.Dot(s.d1) / (speed + bend); s.spine.Period() == 0 {
		s.last = s.spine.Domain().Clamp(s.last)
	}
	moved := math.Abs(s.last-last) * math.Sqrt(speed)
	if moved <= there {
		s.last = last
	} else {
		s.c, s.d1, s.d2 = s.spine.D2(s.last)
	}
	return moved
}

// rollTo steps along the spine toward the point nearest to p until a step is at most enough (mm) long. It returns the
// distance to p.
func (s *pipeBlend) rollTo(p geom.Vec3, enough float64) float64 {
	const most = 10
	for i := 0; i < most && s.roll(p) > enough; i++ {
	}
	return s.c.Dist(p)
}

// touch returns the point where the ball touches a support when its center is at c.
func (s *pipeBlend) touch(on tracedSurface, c geom.Vec3) geom.Vec3 {
	const share = 1e-3 // of the radius
	q, _, ok := settle(on, c, still)
	if !ok || !(math.Abs(q.Dist(c)-s.radius) <= share*s.radius) {
		q, _ = on.project(c, s.radius)
	}
	return q
}

// contact is the track of the points where the ball of a blend touches a surface.
type contact struct {
	*pipeBlend
	on   tracedSurface
	nth  int     // index of the surface among the two of the intersection
	side float64 // 1 if the ball is on the side of the surface's normal, or -1
}

// contact returns the track of a bound of a blend.
func (g *geometry) contact(bound, on xt.Node, nth, depth int) (track, error) {
	p, err := g.pipeBlend(bound.To("blend"), depth+1)
	if err != nil {
		return nil, err
	}
	s, err := g.tracedSurface(on, depth+1)
	return &contact{p, s, nth, 1}, err
}

func (c *contact) begin(at curvePoint) {
	q, n := land(c.on, at.p, at.uv[c.nth])
	if c.known && c.rollTo(q.AddScaled(c.side*c.radius, n), still) <= close {
		return
	}
	t0, d0 := c.spine.Invert(q.AddScaled(c.radius, n))
	t1, d1 := c.spine.Invert(q.AddScaled(-c.radius, n))
	if c.side = 1; d1 < d0 {
		t0, c.side = t1, -1
	}
	c.goTo(t0)
}

// near implements track. The point is the contact of the ball that touches nearest to p.
func (c *contact) near(p, along geom.Vec3) (s station, fails float64, ok bool) {
	const share = 0.1 // of the radius; a larger distance is another place of the ball
	if s, fails, ok = c.solve(p, along, share*c.radius); !ok {
		c.begin(spotAt(p))
		s, fails, ok = c.solve(p, along, c.radius)
	}
	return s, fails, ok
}

// solve returns the contact of the ball whose center is at most reach (mm) from its position for a contact at p.
func (c *contact) solve(p, along geom.Vec3, reach float64) (s station, fails float64, ok bool) {
	const nextTo = 0.01 // mm: a blend is unobstructed this far along the curve
	q, n, ok := settle(c.on, p, nextTo)
	if !ok || !(c.rollTo(q.AddScaled(c.side*c.radius, n), nextTo) <= reach) {
		return s, fails, false
	}
	s = station{p: c.touch(c.on, c.c), t: along}
	if fails = s.p.Dist(p); !(fails <= c.radius) {
		return s, fails, false
	}
	v := c.on.driftFrom(c.c, c.d1).Unit()
	if s.hasTangent = v.Norm() > 0.5; s.hasTangent {
		s.t = v
		if v.Dot(along) < 0 {
			s.t = v.Neg()
		}
	}
	return s, fails, true
}
