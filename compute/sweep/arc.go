package sweep

// Horizontal arcs of at most half a turn; helix.go has falling arcs.
//
// The tool's axis stays at a height and passes the points within the wedge between the ends of the arc at the distance
// A from its center. A ray along the axis needs only its distance from the arc. Where the body has the radius R, a
// perpendicular ray meets the ring between A - R and A + R inside the wedge, and the discs at both ends.

import "math"

// arc is an arc in a plane perpendicular to the tool's axis that begins at height s, and may fall along its path.
type arc struct {
	x, y, s        float64 // mm, center and height at the start
	fromX, fromY   float64 // mm, the start as seen from the center
	ahead0, ahead1 float64 // mm, the direction of the motion there, as long as the radius
	toX, toY       float64 // mm, the end as seen from the center
	back0, back1   float64 // mm, the direction of the motion at the end, backward
	radius         float64 // mm
	angle          float64 // rad, not negative
	rise           float64 // mm, not positive
}

// newArc takes the start and a quarter turn ahead as seen from the center.
func newArc(center [3]float64, from, ahead [2]float64, angle, rise float64) arc {
	s, c := math.Sincos(angle)
	m := arc{
		x: center[1], y: center[2], s: center[0],
		fromX: from[0], fromY: from[1], ahead0: ahead[0], ahead1: ahead[1],
		toX: c*from[0] + s*ahead[0], toY: c*from[1] + s*ahead[1],
		radius: math.Hypot(from[0], from[1]), angle: angle, rise: rise,
	}
	m.back0, m.back1 = s*from[0]-c*ahead[0], s*from[1]-c*ahead[1]
	return m
}

// distance2 returns the squared distance of (x, y) from the arc.
func (m *arc) distance2(x, y float64) float64 {
	x, y = x-m.x, y-m.y
	if x*m.ahead0+y*m.ahead1 >= 0 && x*m.back0+y*m.back1 >= 0 {
		d := math.Hypot(x, y) - m.radius
		return d * d
	}
	fx, fy, tx, ty := x-m.fromX, y-m.fromY, x-m.toX, y-m.toY
	return min(fx*fx+fy*fy, tx*tx+ty*ty)
}

// meet returns the height range in which the ray along the axis at (x, y) meets the swept volume of b on a level arc.
func (m *arc) meet(b *body, x, y float64) (lo, hi float64, ok bool) {
	d2 := m.distance2(x, y)
	if d2 > b.r1*b.r1 {
		return 0, 0, false
	}
	rho := math.Sqrt(d2)
	return m.s + lowest(b.up, b.low, b.z0, rho), m.s - lowest(b.down, b.high, -b.z1, rho), true
}

// cross appends the intervals of x in which the perpendicular ray at y meets the discs of radius r along the arc; they
// may overlap.
func (m *arc) cross(out [][2]float64, r, y float64) [][2]float64 {
	out = appendDisc(out, m.x+m.fromX, r, y-m.y-m.fromY)
	out = appendDisc(out, m.x+m.toX, r, y-m.y-m.toY)
	d := y - m.y
	outer, inner := m.radius+r, m.radius-r
	if math.Abs(d) > outer {
		return out
	}
	w0, w1 := within(d*m.ahead1, m.ahead0, math.Inf(-1), math.Inf(1))
	w0, w1 = within(d*m.back1, m.back0, w0, w1)
	xo := math.Sqrt(outer*outer - d*d)
	if inner <= math.Abs(d) {
		return appendCut(out, m.x, -xo, xo, w0, w1)
	}
	xi := math.Sqrt(inner*inner - d*d)
	out = appendCut(out, m.x, -xo, -xi, w0, w1)
	return appendCut(out, m.x, xi, xo, w0, w1)
}

func appendDisc(out [][2]float64, x, r, y float64) [][2]float64 {
	if math.Abs(y) > r {
		return out
	}
	h := math.Sqrt(r*r - y*y)
	return append(out, [2]float64{x - h, x + h})
}

// appendCut appends the intersection of [lo, hi] and [w0, w1], moved by x.
func appendCut(out [][2]float64, x, lo, hi, w0, w1 float64) [][2]float64 {
	if lo, hi = max(lo, w0), min(hi, w1); lo <= hi {
		out = append(out, [2]float64{x + lo, x + hi})
	}
	return out
}
