package parasolid

import (
	"math"

	"millwright/adapters/cad/parasolid/internal/xt"
	"millwright/core/geom"
	"millwright/core/geom/curve"
)

// A ball that rolls along the edge between two surfaces and touches both leaves a blend. Its centre runs along the
// spine, so the blend is part of the pipe of the ball's radius about the spine; where the ball touches a support is
// the foot of its centre there. Where it rolls along an edge instead of a surface (a cliff), the support is a blend of no
// radius about that edge.

// pipe is the locus of a blend.
type pipe struct {
	spine  guide
	radius float64
}

// pipe returns the pipe that a blend is part of.
func (g *geometry) pipe(n xt.Node, depth int) (*pipe, error) {
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
	return &pipe{spine, math.Abs(r[0]) * metre}, nil
}

func (s *pipe) foot(p geom.Vec3) (q, n geom.Vec3) {
	t, _ := s.spine.Invert(p)
	c := s.spine.At(t)
	if n = p.Sub(c).Unit(); n == (geom.Vec3{}) {
		_, d := s.spine.D1(t)
		n = d.Perp()
	}
	return c.AddScaled(s.radius, n), n
}

// contact is the track on which the ball of a blend touches a surface.
type contact struct {
	*pipe
	on locus
}

// contact returns the track of a bound of a blend.
func (g *geometry) contact(bound, on xt.Node, depth int) (track, error) {
	p, err := g.pipe(bound.To("blend"), depth+1)
	if err != nil {
		return nil, err
	}
	s, err := g.locus(on, depth+1)
	return contact{p, s}, err
}

// centre returns the parameter on the spine of the ball that touches next to p.
func (c contact) centre(p geom.Vec3) float64 {
	q, n := c.on.foot(p)
	t0, d0 := c.spine.Invert(q.AddScaled(c.radius, n))
	t1, d1 := c.spine.Invert(q.AddScaled(-c.radius, n))
	if d1 < d0 {
		return t1
	}
	return t0
}

// near implements track: the foot of the ball that touches next to p.
func (c contact) near(p, _ geom.Vec3) (q geom.Vec3, fails float64, ok bool) {
	q, _ = c.on.foot(c.spine.At(c.centre(p)))
	return q, q.Dist(p), q.IsFinite() && q.Dist(p) <= c.radius
}

func (c contact) tangent(p, along geom.Vec3) (geom.Vec3, bool) {
	t := c.centre(p)
	_, d := c.spine.D1(t)
	const step = 1e-4 // of the radius
	h := step * c.radius / d.Norm()
	dom := c.spine.Domain()
	lo, hi := t-h, t+h
	if c.spine.Period() == 0 {
		lo, hi = dom.Clamp(lo), dom.Clamp(hi)
	}
	a, _ := c.on.foot(c.spine.At(lo))
	b, _ := c.on.foot(c.spine.At(hi))
	v := b.Sub(a).Unit()
	if !(v.Norm() > 0.5) {
		return along, false
	}
	if v.Dot(along) < 0 {
		v = v.Neg()
	}
	return v, true
}
