package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/planar"
)

// mostFitted bounds the steps under one arc, and so the cost of fitting.
const mostFitted = 60

// sharpestFit is the smallest radius of fitted arcs to the left, in radii.
const sharpestFit = 0.1

// idleWay is the way without contact, in radii, from which on a part of a walk is a link.
const idleWay = 0.3

// moves returns the path with arcs in place of steps.
func (c *clearing) moves() []Move {
	c.markIdle()
	out := make([]Move, 0, len(c.path)/3+8)
	bridges := c.bridges
	for i := c.replayed; i < len(c.path); {
		if len(bridges) > 0 && bridges[0].from == i {
			for _, p := range bridges[0].pieces {
				out = append(out, Move{To: p.To, Center: p.Center, Turn: p.Turn, Kind: Link})
			}
			i, bridges = bridges[0].to, bridges[1:]
			continue
		}
		s := &c.path[i]
		if i == 0 || s.kind == Enter || s.kind == Retract {
			out = append(out, Move{To: s.to, Kind: s.kind, Air: s.air, Helix: s.helix})
			i++
			continue
		}
		until := len(c.path)
		if len(bridges) > 0 {
			until = bridges[0].from
		}
		p, n := c.fit(i, until)
		m := Move{To: c.path[i+n-1].to, Center: p.Center, Turn: p.Turn, Kind: s.kind}
		for _, s := range c.path[i : i+n] {
			if s.kind == Cut {
				m.Arc = max(m.Arc, s.arc)
			}
		}
		out = append(out, m)
		i += n
	}
	return out
}

// markIdle makes links of the parts of walks that touch nothing.
func (c *clearing) markIdle() {
	for i := c.replayed + 1; i < len(c.path); {
		j, way := i, 0.0
		for ; j < len(c.path) && c.path[j].kind == Cut && c.path[j].idle; j++ {
			way += c.path[j].to.Dist(c.path[j-1].to)
		}
		if way > idleWay*c.radius {
			for k := i; k < j; k++ {
				c.path[k].kind = Link
			}
		}
		i = max(j, i+1)
	}
}

// fit returns the arc or line for the most steps of a kind from step i on, up to another one, and their number.
func (c *clearing) fit(i, until int) (planar.Segment, int) {
	from := c.path[i-1].to
	best, n := planar.NewLine(from, c.path[i].to), 1
	for j := i + 1; j < until && j < i+mostFitted && c.path[j].kind == c.path[i].kind; j++ {
		p, ok := c.through(i, j)
		if !ok {
			break
		}
		best, n = p, j-i+1
	}
	for n > 1 && !c.isAllowed(&best) {
		n /= 2
		if p, ok := c.through(i, i+n-1); n > 1 && ok {
			best = p
		} else {
			best, n = planar.NewLine(from, c.path[i].to), 1
		}
	}
	return best, n
}

// through returns the arc or line through the ends and the middle of steps i to j, and whether all of them are within
// the tolerance.
func (c *clearing) through(i, j int) (planar.Segment, bool) {
	const flattest, longest = 2e3, 3.0 // radii; rad
	limit := tolerance * c.radius
	a, m, b := c.path[i-1].to, c.path[(i-1+j)/2].to, c.path[j].to
	d, e := m.Sub(a), b.Sub(a)
	cross, k1, k2 := d.Cross(e), d.Norm2(), e.Norm2()
	if k2 < limit*limit {
		return planar.Segment{}, false
	}
	if math.Abs(cross)*flattest*c.radius*2 > math.Sqrt(k1*k2)*b.Dist(m) {
		center := a.Add(geom.Vec2{X: e.Y*k1 - d.Y*k2, Y: d.X*k2 - e.X*k1}.Scale(0.5 / cross))
		r := center.Dist(a)
		u, v := a.Sub(center), b.Sub(center)
		turn := math.Atan2(u.Cross(v), u.Dot(v))
		if turn != 0 && (turn > 0) != (cross > 0) {
			turn -= math.Copysign(2*math.Pi, turn)
		}
		// On sharp arcs to the left the heading lags behind that of the steps, which turn before they move.
		if math.Abs(turn) > longest || turn > 0 && r < sharpestFit*c.radius {
			return planar.Segment{}, false
		}
		last := a
		for k := i; k <= j; k++ {
			p := c.path[k].to
			if math.Abs(p.Dist(center)-r) > limit || math.Abs(last.Lerp(p, 0.5).Dist(center)-r) > 1.5*limit {
				return planar.Segment{}, false
			}
			last = p
		}
		return planar.Segment{From: a, To: b, Center: center, Turn: turn}, true
	}
	length := math.Sqrt(k2)
	for k := i; k < j; k++ {
		p := c.path[k].to.Sub(a)
		if math.Abs(p.Cross(e)) > limit*length || p.Dot(e) < 0 || p.Dot(e) > k2 {
			return planar.Segment{}, false
		}
	}
	return planar.NewLine(a, b), true
}
