package planar

// The smallest enclosing rectangle.
//
// Method: rotating calipers (G. Toussaint, "Solving geometric problems with the rotating calipers", 1983) on the convex
// hull of segments and arcs (hull.go). Between two segments the hull has a straight bridge, whose exact direction is
// the common tangent of the two. A rectangle around a polygon is smallest with a side on a bridge. Where arcs touch the
// rectangle its area may be smallest between two bridges too, so that every interval is searched as well, with the four
// sites that touch the rectangle in its middle.
//
// Cost: that of the hull, O(k log k) for k segments on it, and k times searchSteps supports of four sites.

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

const (
	wideGap     = 0.01 // rad: nearer bridges are searched between only beside the best of all
	searchSteps = 28   // of golden section between two bridges: the angle to 1e-6, the area to its square
	closeSteps  = 20   // beside the best: the angle to 1e-6
	sameArea    = 1e-9 // relative: rectangles so close are equal, and the smaller perimeter decides
)

// Rect is a rectangle: Length ≥ Width, U the direction of its length.
type Rect struct {
	Length, Width float64
	Center, U     geom.Vec2
}

// EnclosingRect returns the rectangle of smallest area that encloses the segments; of several, the one with the
// smallest perimeter. Without segments it is the zero Rect.
func EnclosingRect(pieces []Segment) Rect {
	if len(pieces) == 0 {
		return Rect{}
	}
	h := newHull(pieces)
	angles := h.bridges()
	var best Rect
	at := make([]Rect, len(angles)+1)
	for i, a := range angles {
		at[i] = h.rect(a)
		best = smaller(best, at[i], i == 0)
	}
	if !h.hasArc() {
		return best
	}
	at[len(angles)] = at[0]
	angles = append(angles, angles[0]+math.Pi/2)
	for i := 1; i < len(angles); i++ {
		// For a small turn the length changes by no more than the width, and the width by no more than the length.
		gap, a, b := angles[i]-angles[i-1], &at[i-1], &at[i]
		lost := gap / 2 * max(a.Length*a.Length+a.Width*a.Width, b.Length*b.Length+b.Width*b.Width)
		if gap > wideGap && (a.Length*a.Width+b.Length*b.Width)/2-lost < best.Length*best.Width {
			best = smaller(best, h.between(angles[i-1], angles[i]), false)
		}
	}
	angle := math.Atan2(best.U.Y, best.U.X)
	for _, side := range [2]float64{-wideGap, wideGap} {
		at := golden(func(a float64) float64 {
			r := h.rect(a)
			return r.Length * r.Width
		}, angle, angle+side, closeSteps)
		best = smaller(best, h.rect(at), false)
	}
	return best
}

func smaller(a, b Rect, first bool) Rect {
	if first {
		return b
	}
	areaA, areaB := a.Length*a.Width, b.Length*b.Width
	if d := areaB - areaA; math.Abs(d) > sameArea*max(areaA, areaB) {
		if d < 0 {
			return b
		}
		return a
	}
	if b.Length+b.Width < (a.Length+a.Width)*(1-sameArea) {
		return b
	}
	return a
}

// rect returns the enclosing rectangle with sides along and across angle.
func (h *hull) rect(angle float64) Rect {
	var reach [4]float64
	for i := range reach {
		u, s := h.touched(angle, i)
		reach[i] = s.reach(u)
	}
	sin, cos := math.Sincos(angle)
	u := geom.Vec2{X: cos, Y: sin}
	v := left(u)
	r := Rect{Length: reach[0] + reach[2], Width: reach[1] + reach[3], U: u}
	r.Center = addScaled(u.Scale((reach[0]-reach[2])/2), (reach[1]-reach[3])/2, v)
	if r.Length < r.Width {
		r.Length, r.Width, r.U = r.Width, r.Length, v
	}
	return r
}

// touched returns the outward normal of side i of the rectangle along angle, 0 to 3, and the site it touches.
func (h *hull) touched(angle float64, i int) (geom.Vec2, site) {
	sin, cos := math.Sincos(angle)
	u := [4]geom.Vec2{{X: cos, Y: sin}, {X: -sin, Y: cos}, {X: -cos, Y: -sin}, {X: sin, Y: -cos}}[i]
	return u, h.farthest(u, angle+float64(i)*math.Pi/2)
}

// between returns the smallest rectangle found between two angles. The touched sites change at the angles, except for
// arcs that are outermost for a short range in between: a second search finds those.
func (h *hull) between(lo, hi float64) Rect {
	var best Rect
	at := (lo + hi) / 2
	for n := range 2 {
		var s [4]site
		for i := range s {
			_, s[i] = h.touched(at, i)
		}
		at = golden(func(angle float64) float64 {
			sin, cos := math.Sincos(angle)
			u, v := geom.Vec2{X: cos, Y: sin}, geom.Vec2{X: -sin, Y: cos}
			return (s[0].reach(u) + s[2].reach(u.Scale(-1))) * (s[1].reach(v) + s[3].reach(v.Scale(-1)))
		}, lo, hi, searchSteps)
		best = smaller(best, h.rect(at), n == 0)
	}
	return best
}

// golden returns where f has a minimum between lo and hi by golden section.
func golden(f func(float64) float64, lo, hi float64, steps int) float64 {
	const g = 0.6180339887498949
	x1, x2 := hi-g*(hi-lo), lo+g*(hi-lo)
	f1, f2 := f(x1), f(x2)
	for range steps {
		if f1 <= f2 {
			hi, x2, f2 = x2, x1, f1
			x1 = hi - g*(hi-lo)
			f1 = f(x1)
		} else {
			lo, x1, f1 = x1, x2, f2
			x2 = lo + g*(hi-lo)
			f2 = f(x2)
		}
	}
	if f1 <= f2 {
		return x1
	}
	return x2
}
