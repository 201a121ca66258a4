package canonical

import (
	"math"

	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// rect is a parameter rectangle.
type rect struct{ u, v geom.Interval }

// natural returns the domain of a surface; ok is false where it is unbounded.
func natural(s surface.Surface) (rect, bool) {
	u, v := s.Domain()
	return rect{u, v}, u.IsFinite() && v.IsFinite()
}

// regionSamples is the number of pieces of an edge from which the region of a face is found.
const regionSamples = 8

// region returns the rectangle of the parameters of a face's boundary, within the domain of s where it is
// bounded. A direction around which the boundary runs is covered whole. Points of the boundary farther
// than gap from the surface make it useless.
func (r *recoverer) region(f brep.FaceID, s surface.Surface, gap float64) (rect, bool) {
	du, dv := s.Domain()
	pu, pv := s.Periods()
	u := geom.Interval{Lo: math.Inf(1), Hi: math.Inf(-1)}
	v := u
	ok := true
	var at geom.Vec2
	first := true
	r.eachEdge(f, func(e *brep.Edge) bool {
		for k := range regionSamples + 1 {
			p := e.Curve.At(e.Range.At(float64(k) / regionSamples))
			var dist float64
			if first {
				at, dist = s.Invert(p)
			} else {
				at, dist = s.InvertNear(p, at)
			}
			if first = false; !(dist <= gap) {
				if at, dist = s.Invert(p); !(dist <= gap) {
					ok = false
					return false
				}
			}
			u, v = grow(u, at.X), grow(v, at.Y)
		}
		return true
	})
	if first || !ok {
		return rect{}, false
	}
	for _, g := range s.Singularities() { // a face bounded by one ring ends at a pole
		if g.ConstV && isLine(v) {
			v = grow(v, g.Param)
		} else if !g.ConstV && isLine(u) {
			u = grow(u, g.Param)
		}
	}
	u, v = within(u, du, pu), within(v, dv, pv)
	return rect{u, v}, u.Hi > u.Lo && v.Hi > v.Lo && u.IsFinite() && v.IsFinite()
}

// isLine reports whether a range is no wider than rounding.
func isLine(iv geom.Interval) bool {
	return iv.Length() <= pieceShare*max(1, math.Abs(iv.Lo), math.Abs(iv.Hi))
}

func grow(iv geom.Interval, t float64) geom.Interval {
	return geom.Interval{Lo: min(iv.Lo, t), Hi: max(iv.Hi, t)}
}

// within cuts a range to the domain, or makes it the whole domain of a periodic direction unless it lies
// inside.
func within(iv, dom geom.Interval, period float64) geom.Interval {
	if period > 0 {
		if iv.Lo < dom.Lo || iv.Hi > dom.Hi {
			return dom
		}
		return iv
	}
	return geom.Interval{Lo: max(iv.Lo, dom.Lo), Hi: min(iv.Hi, dom.Hi)}
}

// samples evaluates a surface on a grid that comes close to the sides of the rectangle but not onto them,
// where it may be singular. It returns the box of the points too.
func samples(s surface.Surface, rect rect) ([]sample, geom.Box) {
	const side = 5 // samples in each direction
	x := nodes([]float64{0, 1}, side)
	out := make([]sample, 0, side*side)
	box := geom.EmptyBox()
	for _, a := range x {
		for _, b := range x {
			d := s.D2(rect.u.At(a), rect.v.At(b))
			k1, k2 := d.Curvatures()
			box = box.Add(d.P)
			out = append(out, sample{P: d.P, N: d.Du.Cross(d.Dv).Unit(), K1: k1, K2: k2})
		}
	}
	return out, box
}

// take remembers a point of a surface in the middle of a rectangle, or next to it where the surface is
// singular there.
func (c *candidate) take(s surface.Surface, part rect) {
	const clear = 0.1 // of the largest stretch: far from any pole
	places := [...][2]float64{{0.5, 0.5}, {0.4, 0.4}, {0.25, 0.25}, {0.75, 0.25}, {0.25, 0.75}, {0.75, 0.75}}
	var stretch [len(places)]float64
	largest := 0.0
	at := func(i int) geom.Vec2 { return geom.Vec2{X: part.u.At(places[i][0]), Y: part.v.At(places[i][1])} }
	for i := range places {
		uv := at(i)
		_, du, dv := s.D1(uv.X, uv.Y)
		stretch[i] = du.Cross(dv).Norm()
		largest = max(largest, stretch[i])
	}
	i := 0
	for stretch[i] < clear*largest {
		i++
	}
	c.uv, c.on = at(i), s
	c.at = s.At(c.uv.X, c.uv.Y)
}
