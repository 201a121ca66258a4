package surface

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Inversion of a B-spline surface.
//
// InvertNear descends from the hint (closest.go). The result is final if the iteration converged and the point is
// within trusted of p, as it is for a point of the surface. Otherwise the surface is searched (bspline_search.go) for a
// point less than half as far, so that a neighboring sheet of a folded surface, or the far side of a pole, is not taken
// for the closest point. Invert searches the whole surface. On a net of many control points it first descends from the
// nearest of them, since the cells of the search cost as much as thousands of descents and the points of a file mostly
// lie on the surface. Nothing is allocated but the cells, once.

const (
	// trusted (mm) is the distance up to which a converged local minimum is not questioned: file
	// accuracy, below the thickness of anything made.
	trusted = 1e-3
	// coincident (mm) is the distance below which the search stops: no other cell can improve on it.
	coincident = 1e-3 * geom.Resolution
	// manyControls is the number of control points from which Invert first descends without building cells.
	manyControls = 64
)

// everywhere is the domain, with periodic directions unbounded.
func (s *BSpline) everywhere() rect {
	r := rect{s.u, s.v, s.slackU, s.slackV}
	if s.closedU {
		r.u = wholeLine
	}
	if s.closedV {
		r.v = wholeLine
	}
	return r
}

// Invert implements Surface.
func (s *BSpline) Invert(p geom.Vec3) (uv geom.Vec2, dist float64) {
	best := footPoint{dist: math.Inf(1)}
	if s.net.Controls() >= manyControls {
		best = descend(s, p, s.net.Nearest(p), s.everywhere())
	}
	if !best.settle || best.dist > trusted || s.nearCollapsed(p, best.dist) {
		best = s.search(p, footPoint{dist: math.Inf(1)})
		if len(s.singular) > 1 && best.dist > trusted {
			best = s.manyStarts(p, best)
		}
	}
	if s.closedU {
		best.uv.X = s.u.Wrap(best.uv.X)
	}
	if s.closedV {
		best.uv.Y = s.v.Wrap(best.uv.Y)
	}
	return best.uv, best.dist
}

// manyStarts descends from a grid of points and returns the closest point found, best included. In a corner where two
// collapsed sides meet, the bounds of the search are useless, and it may run out of nodes there.
func (s *BSpline) manyStarts(p geom.Vec3, best footPoint) footPoint {
	const grid = 6
	r := s.everywhere()
	for i := range grid {
		for j := range grid {
			start := geom.Vec2{X: s.u.At((float64(i) + 0.5) / grid), Y: s.v.At((float64(j) + 0.5) / grid)}
			if f := descend(s, p, start, r); f.dist < best.dist*(1-tieMargin) {
				best = f
			}
		}
	}
	return best
}

// InvertNear implements Surface.
func (s *BSpline) InvertNear(p geom.Vec3, hint geom.Vec2) (uv geom.Vec2, dist float64) {
	f := descend(s, p, hint, s.everywhere())
	switch {
	case !f.settle:
		f = s.search(p, f)
	case f.dist > trusted || f.dist > geom.Resolution && s.nearCollapsed(p, f.dist):
		if other := s.search(p, footPoint{dist: 0.5 * f.dist}); other.settle {
			f = other
		}
	}
	return s.onBranch(p, f.uv, hint), f.dist
}

// onBranch moves uv to the period of the hint, and to the hint's place along a collapsed side.
func (s *BSpline) onBranch(p geom.Vec3, uv, hint geom.Vec2) geom.Vec2 {
	if s.closedU {
		uv.X = unwrap(uv.X, hint.X, s.u.Length())
	}
	if s.closedV {
		uv.Y = unwrap(uv.Y, hint.Y, s.v.Length())
	}
	for i := range s.singular {
		g := &s.singular[i]
		if g.Point.Dist(p) > geom.Resolution && s.collapsedAt(uv) != g {
			continue
		}
		if g.ConstV {
			return geom.Vec2{X: s.freeU(hint.X), Y: g.Param}
		}
		return geom.Vec2{X: g.Param, Y: s.freeV(hint.Y)}
	}
	return uv
}

func (s *BSpline) freeU(u float64) float64 {
	if s.closedU {
		return u
	}
	return s.u.Clamp(u)
}

func (s *BSpline) freeV(v float64) float64 {
	if s.closedV {
		return v
	}
	return s.v.Clamp(v)
}

// collapsedAt returns the collapsed side that (u, v) lies on, or nil.
func (s *BSpline) collapsedAt(uv geom.Vec2) *Singularity {
	for i := range s.singular {
		if g := &s.singular[i]; g.ConstV && uv.Y == g.Param || !g.ConstV && uv.X == g.Param {
			return g
		}
	}
	return nil
}

// nearCollapsed reports whether p is about as near to a collapsed side as to its foot point: around a pole there is a
// local minimum on the far side too.
func (s *BSpline) nearCollapsed(p geom.Vec3, dist float64) bool {
	for i := range s.singular {
		if s.singular[i].Point.Dist(p) <= 2*dist {
			return true
		}
	}
	return false
}
