package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// Parameters of the walk. Lengths are in radii of the cutter, curvatures in their inverse, arcs in bounds.
const (
	stepLength     = 0.1
	calmFactor     = 1.7 // of the step on a steady front
	low, aim       = 0.95, 0.98
	excess         = 1.03 // accepted where no direction is better
	sharpestRight  = 1 / 0.35
	approachRight  = 1 / 0.6 // before the first contact
	approachTurn   = 0.9     // rad, most turn to the right before the first contact
	pivot          = 0.7     // rad, most turn of a last attempt
	airAhead       = 1.5     // way without contact before the first one
	airBehind      = 0.6     // and after it
	contactArc     = 0.02    // rad, less does not count as contact
	escapeMargin   = 0.35    // rad: material further left than the bound and this must be avoidable
	attempts       = 5       // with halved steps
	strictAttempts = 2       // that have to be smooth, and to leave a way out
	mostSteps      = 1 << 20 // of one walk
)

// candidate is a possible end of the next step.
type candidate struct {
	contact
	at, dir   geom.Vec2
	curvature float64 // 1/mm, positive to the left
}

// walk is one way through material.
type walk struct {
	candidate
	begin, first int // indices in the path: of the first step, and of the first cut
	hasCut       bool
	turned, air  float64 // rad, mm
	calm         int     // steps on a steady front
}

// walker is a walk in progress.
type walker struct {
	*clearing
	walk
	isStrict bool
}

// walkFrom cuts from a position in cleared ground until no direction is allowed, or nothing is ahead. It appends the
// steps to the path, unless nothing was removed.
func (c *clearing) walkFrom(p, dir geom.Vec2) {
	w := &walker{clearing: c, walk: walk{begin: len(c.path), first: len(c.path)}}
	w.at, w.dir = p, dir
	c.removed, c.isNew, c.journal = 0, true, c.journal[:0]
	last := len(c.path)
	for range mostSteps {
		before := c.removed
		s, next, ok := w.next()
		if !ok {
			break
		}
		w.accept(next, s)
		if c.removed > before || next.arc > contactArc {
			last = len(c.path)
		}
		if w.air > airBehind*c.radius && (w.hasCut || w.air > airAhead*c.radius) {
			break
		}
	}
	if c.isNew {
		for i := len(c.journal) - 1; i >= 0; i-- {
			c.field[c.journal[i].cell] = c.journal[i].value
		}
		c.path, c.isNew = c.path[:w.begin], false
		for n := len(c.bridges); n > 0 && c.bridges[n-1].to >= w.begin; n-- {
			c.bridges = c.bridges[:n-1]
		}
		c.forget()
		return
	}
	c.path = c.path[:last]
	c.forget()
	c.last = w.walk
}

// next returns a permitted step and its length.
func (w *walker) next() (float64, candidate, bool) {
	s := stepLength * w.radius
	switch {
	case w.arc < 0.3*w.bound && w.top > -0.9*w.band:
		s /= 2
	case w.calm > 3:
		s *= calmFactor
	}
	for try := range attempts {
		w.isStrict = try < strictAttempts
		if next, ok := w.attempt(s); ok {
			return s, next, true
		}
		s /= 2
	}
	return 0, candidate{}, false
}

// attempt returns the best candidate for a step of some length.
func (w *walker) attempt(s float64) (candidate, bool) {
	right, left := -sharpestRight/w.radius, 1/(turnRadius*w.radius)
	if !w.isStrict {
		left = pivot / s
	}
	if !w.hasCut {
		right = -approachRight / w.radius
		if w.turned < -approachTurn {
			right = 0
		}
	}
	next, ok := w.steer(s, right, left)
	if !ok {
		return next, false
	}
	if w.wall(&next) < -tolerance*w.radius {
		if next, ok = w.leaveWall(next.curvature, left, s); !ok {
			return next, false
		}
	}
	turn := next.curvature * s
	if w.isStrict && (math.Abs(turn) > 0.3 || turn < -0.12 && next.arc > 0.85*w.bound) {
		return next, false
	}
	if math.Abs(next.left-w.left) > 0.2 || math.Abs(turn) > 0.08 || next.left > w.bound+0.2 {
		if !w.holdsBetween(&next, s) {
			return next, false
		}
	}
	line := planar.NewLine(w.at, next.at)
	return next, w.isAllowed(&line)
}

// candidateAt measures the end of a step of length s. A left turn comes first and a straight move follows, as the chord
// is the motion; a right turn is an arc, measured with the heading at its end.
func (w *walker) candidateAt(curvature, s float64) candidate {
	n := candidate{curvature: curvature, dir: turned(w.dir, curvature*s)}
	n.at = w.ahead(&n, s)
	n.contact = w.measure(n.at, n.dir)
	if w.isStrict && n.arc > 0 && n.arc <= w.bound && n.left > w.bound+escapeMargin && !w.canEscape(n.at, n.dir) {
		n.arc = max(1.2*w.bound, n.left)
	}
	return n
}

func (w *walker) ahead(n *candidate, s float64) geom.Vec2 {
	along := n.dir
	if n.curvature < 0 {
		along = turned(w.dir, n.curvature*s/2)
	}
	return w.at.Add(along.Scale(s))
}

// steer finds the curvature at which the front arc is just below the bound: by secants with the derivative of a
// straight front, and by bisection between an arc over the bound and one below.
func (w *walker) steer(s, right, left float64) (best candidate, ok bool) {
	k, over, hasOver := max(right, min(left, w.curvature)), right, false
	var n candidate
	for range 6 {
		n = w.candidateAt(k, s)
		slope := s + s*s/(2*w.radius*max(0.2, math.Sin(n.arc)))
		var goal float64
		if n.arc > w.bound {
			over, hasOver = k, true
			if k >= left-1e-9 {
				break
			}
			goal = k + (n.arc-aim*w.bound)/slope
			if ok {
				middle := (over + best.curvature) / 2
				goal = (min(goal, best.curvature) + middle) / 2
			}
		} else {
			best, ok = n, true
			near := 0.05 / w.radius
			if n.arc >= low*w.bound || k <= right+1e-9 || hasOver && k-over < near {
				return best, true
			}
			if goal = k - (aim*w.bound-n.arc)/slope; hasOver {
				goal = (over + k) / 2
			}
		}
		k = max(right, min(left, goal))
	}
	if ok {
		return best, true
	}
	return n, n.arc <= excess*w.bound
}

// wall returns the clearance at a candidate, less the depth of the curve that turns away from the wall.
func (w *walker) wall(n *candidate) float64 {
	d, gx, gy := w.slopeAt(n.at)
	depth := turnRadius * w.radius
	into := -(n.dir.X*gx + n.dir.Y*gy)
	if d > depth+w.step || into <= 0 {
		return d
	}
	into = min(1, into/math.Sqrt(gx*gx+gy*gy))
	return d - depth*(1-math.Sqrt(1-into*into))
}

// leaveWall returns the candidate of the smallest curvature to the left, from k on, that stays clear of the wall.
func (w *walker) leaveWall(k, left, s float64) (candidate, bool) {
	clear := func(k float64) bool {
		n := candidate{curvature: k, dir: turned(w.dir, k*s)}
		n.at = w.ahead(&n, s)
		return w.wall(&n) >= -tolerance*w.radius
	}
	if !clear(left) {
		return candidate{}, false
	}
	for range 8 {
		if m := (k + left) / 2; clear(m) {
			left = m
		} else {
			k = m
		}
	}
	n := w.candidateAt(left, s)
	return n, n.arc <= excess*w.bound
}

// holdsBetween reports whether the bound holds along the line of a step.
func (w *walker) holdsBetween(n *candidate, s float64) bool {
	d := n.at.Sub(w.at)
	u := d.Scale(1 / s)
	for _, t := range [3]float64{0.02, 0.35, 0.7} {
		if w.measure(w.at.Add(d.Scale(t)), u).arc > (excess+0.005)*w.bound {
			return false
		}
	}
	return true
}

// escapes are the turns, as sines and cosines of 25, 50, 80 and 115 degrees, that must stay permitted.
var escapes = [4][2]float64{{0.4226, 0.9063}, {0.7660, 0.6428}, {0.9848, 0.1736}, {0.9063, -0.4226}}

// canEscape reports whether the sharpest turn to the left leads away from the material ahead.
func (w *walker) canEscape(p, dir geom.Vec2) bool {
	rho := turnRadius * w.radius
	for _, e := range escapes {
		along, aside := e[0]*rho, (1-e[1])*rho
		q := geom.Vec2{X: p.X + along*dir.X - aside*dir.Y, Y: p.Y + along*dir.Y + aside*dir.X}
		u := geom.Vec2{X: e[1]*dir.X - e[0]*dir.Y, Y: e[1]*dir.Y + e[0]*dir.X}
		if w.clearanceAt(q) < -0.01*w.radius || w.measure(q, u).arc > w.bound {
			return false
		}
	}
	return true
}

// accept takes a step.
func (w *walker) accept(n candidate, s float64) {
	if len(w.path) == w.begin {
		w.clearDisc(w.at, w.radius)
	}
	if n.arc > contactArc && w.arc <= contactArc {
		w.bridgeTo(unit(n.at.Sub(w.at)))
	}
	removed := w.removed
	if n.top > -0.6*w.band {
		w.clearStep(w.at, n.at, n.left)
	}
	isIdle := w.removed == removed && w.arc <= linkArc && n.arc <= linkArc
	const steady, straight = 0.85, 0.1
	if min(w.arc, n.arc) > steady*w.bound && math.Abs(n.curvature-w.curvature)*w.radius < straight {
		w.calm++
	} else {
		w.calm = 0
	}
	w.turned += n.curvature * s
	w.candidate = n
	w.path = append(w.path, step{to: n.at, arc: n.arc, kind: Cut, idle: isIdle})
	w.trace()
	if n.arc <= contactArc {
		w.air += s
		return
	}
	if !w.hasCut {
		w.first, w.hasCut = len(w.path)-1, true
	}
	w.air = 0
	w.lastCut[w.nodeAt(n.at)] = int32(len(w.path))
}

func turned(u geom.Vec2, angle float64) geom.Vec2 {
	s, c := math.Sincos(angle)
	return geom.Vec2{X: u.X*c - u.Y*s, Y: u.X*s + u.Y*c}
}
