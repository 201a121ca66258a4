package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Closest point on a surface from a start, for all surfaces without a closed form.
//
// Method: minimize f(u, v) = |S - p|²/2 in a rectangle by Newton's method with an active set (Nocedal and Wright,
// Numerical Optimization, 2nd ed., ch. 16.7): parameters at a border toward which f falls stay there. The rest take the
// Newton step where the second derivative is positive, else the Gauss–Newton step, else the steepest of the two
// parameters alone. A step is cut back to the border, with the other parameter chosen again, and halved until f falls.
// Quadratic near the solution. Cost: one D2 per iteration, three to four from a start within a few mm on a part of
// usual curvature. Only one local minimum is found: the caller chooses it by the start, and searches over all of them.

const (
	// settled (mm) is the length of a last Newton step. No further one is needed if the surface bends by less than
	// still over it: the remaining error is of the order of that bend.
	settled = 10 * geom.Resolution
	// still (mm) is the length below which a step counts as zero.
	still = 1e-3 * geom.Resolution
	// rounding is the relative error of a computed point. It changes f by the distance times as much,
	// while a last step s changes it by s²/2: below that f cannot judge a step any more.
	rounding = 1e-15
	// maxIterations ends iterations that do not converge; damped starts take about ten.
	maxIterations = 40
	// maxHalvings bounds the halvings of a step: if 2^-12 of it does not lower f, its direction is not a descent.
	maxHalvings = 12
	// definite is the determinant of a matrix over the product of its diagonal below which its
	// inverse is noise.
	definite = 1e-10
)

// rect is a parameter rectangle, its ends may be infinite, with the length of each first derivative
// below which its direction is noise.
type rect struct {
	u, v           geom.Interval
	slackU, slackV float64
}

func (r *rect) clamp(p geom.Vec2) geom.Vec2 { return geom.Vec2{X: r.u.Clamp(p.X), Y: r.v.Clamp(p.Y)} }

// footPoint is a candidate for the closest point.
type footPoint struct {
	uv     geom.Vec2
	dist   float64
	settle bool // the iteration converged
}

// descend returns the local minimum reached from start, which is moved into the rectangle first.
func descend(s Surface, p geom.Vec3, start geom.Vec2, r rect) footPoint {
	uv := r.clamp(start)
	d := s.D2(uv.X, uv.Y)
	for range maxIterations {
		q := newQuadric(&d, p, &r)
		step, newton := q.step(uv, r)
		length := q.length(step)
		f := q.r.Norm2()
		if length <= still {
			return footPoint{uv, math.Sqrt(f), true}
		}
		if newton && length <= settled && bend(&d, step) <= still {
			rest := q.r.AddScaled(step.X, d.Du).AddScaled(step.Y, d.Dv)
			return footPoint{r.clamp(uv.Add(step)), rest.Norm(), true}
		}
		blind := isBlind(length, f, d.P)
		next := r.clamp(uv.Add(step))
		d = s.D2(next.X, next.Y)
		for k := 0; !blind && !(d.P.Dist2(p) < f); k++ {
			if k == maxHalvings || length <= still {
				return footPoint{uv, math.Sqrt(f), length <= settled}
			}
			step, length = step.Scale(0.5), 0.5*length
			next = r.clamp(uv.Add(step))
			d = s.D2(next.X, next.Y)
		}
		uv = next
	}
	return footPoint{uv, d.P.Dist(p), false}
}

// isBlind reports whether a step of the given length from p changes f by less than rounding does.
func isBlind(length, f float64, p geom.Vec3) bool {
	dist := math.Sqrt(f)
	return length*length <= 4*rounding*dist*(dist+math.Abs(p.X)+math.Abs(p.Y)+math.Abs(p.Z))
}

// quadric is the model of f at a point: gradient, Hessian and metric.
type quadric struct {
	r             geom.Vec3 // S - p
	gu, gv        float64
	huu, huv, hvv float64
	muu, muv, mvv float64
}

func newQuadric(d *Derivs, p geom.Vec3, r *rect) (q quadric) {
	q.r = d.P.Sub(p)
	q.gu, q.gv = q.r.Dot(d.Du), q.r.Dot(d.Dv)
	q.muu, q.muv, q.mvv = d.Du.Norm2(), d.Du.Dot(d.Dv), d.Dv.Norm2()
	q.huu = q.muu + q.r.Dot(d.Duu)
	q.huv = q.muv + q.r.Dot(d.Duv)
	q.hvv = q.mvv + q.r.Dot(d.Dvv)
	if q.muu <= r.slackU*r.slackU {
		q.gu, q.muu, q.muv = 0, 0, 0
	}
	if q.mvv <= r.slackV*r.slackV {
		q.gv, q.mvv, q.muv = 0, 0, 0
	}
	return q
}

// length is the length in space of a step, to first order.
func (q *quadric) length(s geom.Vec2) float64 {
	return math.Sqrt(max(0, s.X*(q.muu*s.X+2*q.muv*s.Y)+q.mvv*s.Y*s.Y))
}

// bend returns the length of the second-order term of a step: its deviation from the linear prediction.
func bend(d *Derivs, s geom.Vec2) float64 {
	return 0.5 * d.Duu.Scale(s.X*s.X).AddScaled(2*s.X*s.Y, d.Duv).AddScaled(s.Y*s.Y, d.Dvv).Norm()
}

// step returns a descent step that stays in the rectangle, and whether it is Newton's in both
// parameters: after any other one the borders must be looked at again.
func (q *quadric) step(uv geom.Vec2, r rect) (s geom.Vec2, newton bool) {
	atU := uv.X <= r.u.Lo && q.gu >= 0 || uv.X >= r.u.Hi && q.gu <= 0
	atV := uv.Y <= r.v.Lo && q.gv >= 0 || uv.Y >= r.v.Hi && q.gv <= 0
	switch {
	case atU && atV:
		return s, false
	case atU:
		s.Y = r.v.Clamp(uv.Y+along(q.gv, q.hvv, q.mvv)) - uv.Y
		return s, false
	case atV:
		s.X = r.u.Clamp(uv.X+along(q.gu, q.huu, q.muu)) - uv.X
		return s, false
	}
	s, newton = q.free()
	u, v := r.u.Clamp(uv.X+s.X), r.v.Clamp(uv.Y+s.Y)
	cutU, cutV := u != uv.X+s.X, v != uv.Y+s.Y
	s = geom.Vec2{X: u - uv.X, Y: v - uv.Y}
	switch {
	case cutU && !cutV:
		s.Y = r.v.Clamp(uv.Y+along(q.gv+q.huv*s.X, q.hvv, q.mvv)) - uv.Y
	case cutV && !cutU:
		s.X = r.u.Clamp(uv.X+along(q.gu+q.huv*s.Y, q.huu, q.muu)) - uv.X
	}
	if newton = newton && !cutU && !cutV; !newton && q.gu*s.X+q.gv*s.Y >= 0 {
		s = q.steepest()
		s = r.clamp(uv.Add(s)).Sub(uv)
	}
	return s, newton
}

// free returns the step that ignores the borders, and whether it is Newton's.
func (q *quadric) free() (s geom.Vec2, newton bool) {
	if s, ok := solve(q.huu, q.huv, q.hvv, q.gu, q.gv); ok {
		return s, true
	}
	if s, ok := solve(q.muu, q.muv, q.mvv, q.gu, q.gv); ok {
		return s, false
	}
	return q.steepest(), false
}

// solve returns -H⁻¹g for a positive definite H.
func solve(huu, huv, hvv, gu, gv float64) (geom.Vec2, bool) {
	det := huu*hvv - huv*huv
	if !(huu > 0 && hvv > 0 && det > definite*huu*hvv) {
		return geom.Vec2{}, false
	}
	return geom.Vec2{X: (huv*gv - hvv*gu) / det, Y: (huv*gu - huu*gv) / det}, true
}

// steepest returns a step in the one parameter that lowers the Gauss–Newton model more, by g²/m.
func (q *quadric) steepest() (s geom.Vec2) {
	if q.muu > 0 && q.gu*q.gu*q.mvv >= q.gv*q.gv*q.muu {
		s.X = along(q.gu, q.muu, q.muu)
	} else {
		s.Y = along(q.gv, q.mvv, q.mvv)
	}
	return s
}

// along is the step in one parameter with derivative g, second derivative h and metric m.
func along(g, h, m float64) float64 {
	if h <= definite*m {
		h = m
	}
	if h == 0 {
		return 0
	}
	return -g / h
}
