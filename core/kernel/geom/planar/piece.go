package planar

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Segment is a line segment or a circular arc of a boundary, the interior on its left.
type Segment struct {
	From, To geom.Vec2
	Center   geom.Vec2 // of an arc
	Turn     float64   // rad, of an arc: positive counter-clockwise, at most a full turn; 0 = a segment
	Open     bool      // bounds the region, but does not stop a disc
	Joined   bool      // continues smoothly from the segment before: both approximate one curve
	Tight    float64   // mm, the smallest radius of the curve that an arc approximates; 0 = its own
	Tag      int32     // the caller's
}

// NewLine returns the straight segment between two points.
func NewLine(from, to geom.Vec2) Segment { return Segment{From: from, To: to} }

// NewArc returns the arc around center that turns by turn from a point on it.
func NewArc(center, from geom.Vec2, turn float64) Segment {
	return Segment{From: from, To: center.Add(rotate(from.Sub(center), turn)), Center: center, Turn: turn}
}

// Radius returns the radius of an arc, 0 for a segment.
func (p *Segment) Radius() float64 {
	if p.Turn == 0 {
		return 0
	}
	return p.From.Dist(p.Center)
}

// Length returns the length of the segment.
func (p *Segment) Length() float64 {
	if p.Turn == 0 {
		return p.From.Dist(p.To)
	}
	return p.Radius() * math.Abs(p.Turn)
}

// At returns the point at s in [0, 1] along the segment.
func (p *Segment) At(s float64) geom.Vec2 {
	if p.Turn == 0 {
		return p.From.Lerp(p.To, s)
	}
	return p.Center.Add(rotate(p.From.Sub(p.Center), s*p.Turn))
}

// Tangent returns the unit direction of travel at s.
func (p *Segment) Tangent(s float64) geom.Vec2 {
	if p.Turn == 0 {
		return unit(p.To.Sub(p.From))
	}
	t := left(unit(p.At(s).Sub(p.Center)))
	if p.Turn < 0 {
		t = t.Scale(-1)
	}
	return t
}

// Nearest returns the point of the segment closest to q, and whether it is an inner point.
func (p *Segment) Nearest(q geom.Vec2) (at geom.Vec2, inner bool) {
	if p.Turn == 0 {
		d := p.To.Sub(p.From)
		l2 := d.Norm2()
		if l2 == 0 {
			return p.From, false
		}
		switch s := q.Sub(p.From).Dot(d) / l2; {
		case s <= 0:
			return p.From, false
		case s >= 1:
			return p.To, false
		default:
			return addScaled(p.From, s, d), true
		}
	}
	w := q.Sub(p.Center)
	if n := w.Norm(); n > 0 && p.covers(w) {
		return addScaled(p.Center, p.Radius()/n, w), true
	}
	if q.Sub(p.From).Norm2() <= q.Sub(p.To).Norm2() {
		return p.From, false
	}
	return p.To, false
}

// Distance returns the distance of q from the segment.
func (p *Segment) Distance(q geom.Vec2) float64 {
	at, _ := p.Nearest(q)
	return q.Dist(at)
}

// Gap returns the distance between two segments, 0 where they meet. The points of p that may be nearest to q are the
// points nearest to its ends, the crossings of their lines and circles, and the points where one line is perpendicular
// to both.
func (p *Segment) Gap(q *Segment) float64 {
	gap := math.Inf(1)
	try := func(near geom.Vec2) {
		at, _ := p.Nearest(near)
		gap = min(gap, q.Distance(at))
	}
	for _, end := range [4]geom.Vec2{p.From, p.To, q.From, q.To} {
		try(end)
	}
	line, arc := p, q
	switch {
	case p.Turn == 0 && q.Turn == 0:
		d, e := p.To.Sub(p.From), q.To.Sub(q.From)
		if det := d.Cross(e); det != 0 {
			try(addScaled(p.From, q.From.Sub(p.From).Cross(e)/det, d))
		}
		return gap
	case p.Turn != 0 && q.Turn != 0:
		w, r := q.Center.Sub(p.Center), p.Radius()
		n := w.Norm()
		if n == 0 {
			return gap
		}
		w = w.Scale(1 / n)
		along := (n + (r-q.Radius())*(r+q.Radius())/n) / 2
		half := math.Sqrt(max(r*r-along*along, 0))
		for _, sense := range [2]float64{-1, 1} {
			try(addScaled(p.Center, sense*r, w))
			try(addScaled(addScaled(p.Center, along, w), sense*half, left(w)))
		}
		return gap
	case p.Turn != 0:
		line, arc = q, p
	}
	d := unit(line.To.Sub(line.From))
	foot := addScaled(line.From, arc.Center.Sub(line.From).Dot(d), d)
	half := math.Sqrt(max(arc.From.Sub(arc.Center).Norm2()-foot.Sub(arc.Center).Norm2(), 0))
	for _, along := range [3]float64{-half, 0, half} {
		try(addScaled(foot, along, d))
	}
	return gap
}

// covers reports whether an arc has a point in direction w from its center.
func (p *Segment) covers(w geom.Vec2) bool {
	a, b, turn := p.From.Sub(p.Center), p.To.Sub(p.Center), p.Turn
	if turn < 0 {
		a, b, turn = b, a, -turn
	}
	switch ahead, behind := a.Cross(w) >= 0, w.Cross(b) >= 0; {
	case turn >= 2*math.Pi:
		return true
	case turn > math.Pi:
		return ahead || behind
	default:
		return ahead && behind && (turn > 1 || w.Dot(a) > 0) // a short arc has an opposite, too
	}
}

// support returns the extent of the segment along the unit vector u.
func (p *Segment) support(u geom.Vec2) float64 {
	if p.Turn != 0 && p.covers(u) {
		return p.Center.Dot(u) + p.Radius()
	}
	return max(p.From.Dot(u), p.To.Dot(u))
}

// angleFrom returns the turn of the segment seen from q, counter-clockwise.
func (p *Segment) angleFrom(q geom.Vec2) float64 {
	if p.Turn != 0 && math.Abs(p.Turn) > math.Pi/2 { // halves keep the chord between q's side and the arc
		first, second := p.split()
		return first.angleFrom(q) + second.angleFrom(q)
	}
	a, b := p.From.Sub(q), p.To.Sub(q)
	angle := math.Atan2(a.Cross(b), a.Dot(b))
	if p.Turn == 0 {
		return angle
	}
	side := p.To.Sub(p.From).Cross(q.Sub(p.From)) // the arc bulges to the right of a left turn
	if q.Sub(p.Center).Norm() < p.Radius() && side*p.Turn < 0 {
		angle += 2 * math.Pi * sign(p.Turn)
	}
	return angle
}

// split cuts an arc in its middle.
func (p *Segment) split() (a, b Segment) {
	m := p.At(0.5)
	a, b = *p, *p
	a.To, b.From = m, m
	a.Turn /= 2
	b.Turn = p.Turn - a.Turn
	return a, b
}

func rotate(v geom.Vec2, angle float64) geom.Vec2 {
	s, c := math.Sincos(angle)
	return geom.Vec2{X: c*v.X - s*v.Y, Y: s*v.X + c*v.Y}
}

func left(v geom.Vec2) geom.Vec2 { return geom.Vec2{X: -v.Y, Y: v.X} }

func unit(v geom.Vec2) geom.Vec2 {
	n := v.Norm()
	if n == 0 {
		return geom.Vec2{}
	}
	return v.Scale(1 / n)
}

func sign(x float64) float64 {
	if x < 0 {
		return -1
	}
	return 1
}

func addScaled(a geom.Vec2, s float64, b geom.Vec2) geom.Vec2 {
	return geom.Vec2{X: a.X + s*b.X, Y: a.Y + s*b.Y}
}
