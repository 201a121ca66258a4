package parasolid

import (
	"math"

	"millwright.dev/millwright/adapters/cad/parasolid/internal/xt"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// tracedSurface is a surface under a traced curve. It stores the parameters of the last point and starts there.
type tracedSurface interface {
	// project returns the point of the surface nearest to p and the unit normal there, the file's normal before the
	// sense of the node is applied. If dist ≥ 0, a foot point at the distance dist (mm) from p is accepted without a
	// further search.
	project(p geom.Vec3, dist float64) (q, n geom.Vec3)
	// at returns the same as project, at a point of the file's parameter plane. ok is false where these parameters do
	// not determine it.
	at(uv geom.Vec2) (q, n geom.Vec3, ok bool)
	// step moves the last point toward the foot point of p by one Newton step of length moved (mm). On surfaces whose
	// foot points have a closed form, it moves to the foot point, and moved is 0.
	step(p geom.Vec3) (q, n geom.Vec3, moved float64)
	// driftFrom returns the velocity of the foot point of p when p moves with the velocity v, perpendicular to the
	// normal.
	driftFrom(p, v geom.Vec3) geom.Vec3
}

// close (mm) is the largest distance between a point of a file and the geometry that it should lie on.
const close = 1e-3

// still (mm) is the length of a Newton step that ends the iteration. The error falls with the square of the step: at a
// radius of curvature of 0.1 mm, 1e-7 mm remain.
const still = 1e-4

// there (mm) is a step too short for another evaluation.
const there = 1e-7

// land projects a point onto a surface. uv are the parameters that the file may state for it.
func land(l tracedSurface, p geom.Vec3, uv geom.Vec2) (q, n geom.Vec3) {
	if isSaid := !math.IsNaN(uv.X-uv.X) && !math.IsNaN(uv.Y-uv.Y); isSaid {
		if q, n, ok := l.at(uv); ok && q.Dist(p) <= close {
			return q, n
		}
	}
	return l.project(p, 0)
}

// settle finds the foot point of p by steps only, until a step is at most enough (mm) long. The steps may lead to a
// foot point that is not the nearest one. ok is false if they do not converge.
func settle(l tracedSurface, p geom.Vec3, enough float64) (q, n geom.Vec3, ok bool) {
	const most = 10
	for range most {
		var moved float64
		if q, n, moved = l.step(p); moved <= enough {
			return q, n, true
		}
	}
	return q, n, false
}

// tracedSurface returns the traced surface of a node.
func (g *geometry) tracedSurface(n xt.Node, depth int) (tracedSurface, error) {
	if n.Kind() == nodeBlendedEdge {
		return g.pipeBlend(n, depth)
	}
	if n.Kind() == nodeOffset && depth <= maxChain {
		base, err := g.tracedSurface(n.To("surface"), depth+1)
		return &lifted{tracedSurface: base, distance: offsetOf(n)}, err
	}
	c, err := g.surface(n, depth)
	if err != nil {
		return nil, err
	}
	return newSheet(c), nil
}

// sheet is the traced surface of a parametric surface, with the last parameters if they are known. Beyond its boundary
// the surface continues along its tangents, as in the source kernel: spines can end there, and balls can roll there.
type sheet struct {
	carrier
	u, v  geom.Interval // domain of the surface, unbounded where it is closed
	known bool
	last  geom.Vec2
	d     surface.Derivs // at last
	n     geom.Vec3
}

func newSheet(c carrier) *sheet {
	s := &sheet{carrier: c}
	s.u, s.v = c.Domain()
	perU, perV := c.Periods()
	if perU > 0 {
		s.u = geom.Unbounded
	}
	if perV > 0 {
		s.v = geom.Unbounded
	}
	return s
}

func (s *sheet) project(p geom.Vec3, dist float64) (q, n geom.Vec3) {
	isIt := func() bool { return math.Abs(q.Dist(p)-dist) <= close }
	if s.Kind() >= surface.KindBSpline && dist >= 0 {
		if s.known {
			if q, n = s.slide(p); isIt() {
				return q, n
			}
		}
		s.start(p)
		if q, n = s.slide(p); isIt() {
			return q, n
		}
	}
	s.known = true
	uv, _ := s.Invert(p)
	if q, n = s.goTo(uv); s.isBorder() {
		q, n = s.slide(p)
	}
	return q, n
}

func (s *sheet) at(uv geom.Vec2) (q, n geom.Vec3, ok bool) {
	if s.Kind() < surface.KindBSpline {
		return q, n, false // its foot points have a closed form
	}
	s.known = true
	q, n = s.goTo(s.params.apply(uv))
	return q, n, true
}

// start moves to a first estimate of the foot point of p.
func (s *sheet) start(p geom.Vec3) (q, n geom.Vec3) {
	s.known = true
	if b, ok := s.Surface.(*surface.BSpline); ok {
		return s.goTo(b.Net().Nearest(p))
	}
	uv, _ := s.Invert(p)
	return s.goTo(uv)
}

// slide moves toward the foot point of p as long as the steps converge.
func (s *sheet) slide(p geom.Vec3) (q, n geom.Vec3) {
	const most = 10
	for range most {
		by, moved, ok := s.way(p)
		if !ok {
			return s.goTo(s.last)
		}
		if q, n = s.goTo(s.last.Add(by)); moved <= still {
			break
		}
	}
	return q, n
}

// isBorder reports whether the last point is at the boundary of the surface or beyond it.
func (s *sheet) isBorder() bool {
	return s.last.X <= s.u.Lo || s.last.X >= s.u.Hi || s.last.Y <= s.v.Lo || s.last.Y >= s.v.Hi
}

// goTo moves to the parameters uv and evaluates the surface there.
func (s *sheet) goTo(uv geom.Vec2) (q, n geom.Vec3) {
	s.last = uv
	in := geom.Vec2{X: s.u.Clamp(uv.X), Y: s.v.Clamp(uv.Y)}
	s.d = s.D2(in.X, in.Y)
	if past := uv.Sub(in); past != (geom.Vec2{}) {
		d := &s.d
		d.P = d.P.AddScaled(past.X, d.Du).AddScaled(past.Y, d.Dv).AddScaled(past.X*past.Y, d.Duv)
		d.Du, d.Dv = d.Du.AddScaled(past.Y, d.Duv), d.Dv.AddScaled(past.X, d.Duv)
		if past.X != 0 {
			d.Duu = geom.Vec3{}
		}
		if past.Y != 0 {
			d.Dvv = geom.Vec3{}
		}
	}
	n = s.d.Du.Cross(s.d.Dv)
	const flat = 1e-6 // of the product of both lengths; a shorter cross product does not determine the normal
	if l := n.Norm(); l > flat*s.d.Du.Norm()*s.d.Dv.Norm() {
		n = n.Scale(1 / l)
	} else {
		n = s.Normal(in.X, in.Y)
	}
	if s.flipped {
		n = n.Neg()
	}
	s.n = n
	return s.d.P, n
}

func (s *sheet) step(p geom.Vec3) (q, n geom.Vec3, moved float64) {
	if s.Kind() < surface.KindBSpline {
		q, n = s.start(p)
		return q, n, 0
	}
	if !s.known {
		s.start(p)
	}
	by, moved, ok := s.way(p)
	if !ok {
		q, n = s.project(p, 0)
		return q, n, 0
	}
	if moved <= there {
		return s.d.P, s.n, moved
	}
	q, n = s.goTo(s.last.Add(by))
	return q, n, moved
}

func (s *sheet) driftFrom(p, v geom.Vec3) geom.Vec3 {
	d := &s.d
	r := d.P.Sub(p)
	by, _ := descent(d.Du.Norm2()+r.Dot(d.Duu), d.Du.Dot(d.Dv)+r.Dot(d.Duv), d.Dv.Norm2()+r.Dot(d.Dvv),
		-v.Dot(d.Du), -v.Dot(d.Dv))
	return d.Du.Scale(by.X).AddScaled(by.Y, d.Dv)
}

// way returns Newton's step to the foot point of p and its length. Where the distance has no minimum, it returns the
// step of Gauss and Newton.
func (s *sheet) way(p geom.Vec3) (by geom.Vec2, length float64, ok bool) {
	d := &s.d
	r := d.P.Sub(p)
	gu, gv := r.Dot(d.Du), r.Dot(d.Dv)
	uu, uv, vv := d.Du.Norm2(), d.Du.Dot(d.Dv), d.Dv.Norm2()
	if by, ok = descent(uu+r.Dot(d.Duu), uv+r.Dot(d.Duv), vv+r.Dot(d.Dvv), gu, gv); !ok {
		by, ok = descent(uu, uv, vv, gu, gv)
	}
	return by, d.Du.Scale(by.X).AddScaled(by.Y, d.Dv).Norm(), ok
}

// descent solves for the step to the minimum of a paraboloid; ok is false if it has no minimum.
func descent(uu, uv, vv, gu, gv float64) (by geom.Vec2, ok bool) {
	const flat = 1e-9 // of the product of the diagonal
	det := uu*vv - uv*uv
	return geom.Vec2{X: (uv*gv - vv*gu) / det, Y: (uv*gu - uu*gv) / det}, uu > 0 && det > flat*uu*vv
}

// lifted is the traced surface at a distance from another one along its normal.
type lifted struct {
	tracedSurface
	distance float64
	base, n  geom.Vec3 // last point and normal of the other surface
}

func (s *lifted) project(p geom.Vec3, dist float64) (q, n geom.Vec3) {
	apart := math.Abs(s.distance)
	if dist > close {
		apart = -1 // the side of p is unknown
	}
	s.base, s.n = s.tracedSurface.project(p, apart)
	if q = s.base.AddScaled(s.distance, s.n); apart >= 0 && q.Dist(p) > close {
		s.base, s.n = s.tracedSurface.project(p, -1) // the first one was the foot point of the other side
	}
	return s.base.AddScaled(s.distance, s.n), s.n
}

func (s *lifted) at(uv geom.Vec2) (q, n geom.Vec3, ok bool) {
	s.base, s.n, ok = s.tracedSurface.at(uv)
	return s.base.AddScaled(s.distance, s.n), s.n, ok
}

func (s *lifted) step(p geom.Vec3) (q, n geom.Vec3, moved float64) {
	s.base, s.n, moved = s.tracedSurface.step(p)
	return s.base.AddScaled(s.distance, s.n), s.n, moved
}

func (s *lifted) driftFrom(p, v geom.Vec3) geom.Vec3 {
	d := s.tracedSurface.driftFrom(p, v)
	return d.AddScaled(s.distance, turning(s.n, p.Sub(s.base), v.Sub(d)))
}

// turning is the velocity of the unit normal n, which is parallel to r, while r changes with the velocity v.
func turning(n, r, v geom.Vec3) geom.Vec3 {
	h := r.Dot(n)
	if math.Abs(h) <= tolerance {
		return geom.Vec3{}
	}
	return v.AddScaled(-v.Dot(n), n).Scale(1 / h)
}
