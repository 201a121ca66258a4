package region

// The discs that go round an outline among obstacles.
//
// At every point of the outline the disc that touches it there, on its left, can grow until it touches
// something else: for a point, a line or a circle that size is a closed form. The largest disc that
// goes all round is the smallest of these over the outline, the largest that reaches it anywhere is
// the greatest. At joints that stick out the disc rolls over all directions between the two normals.
// Extremes are bracketed by samples, even ones and those opposite the ends and nearest points of
// obstacles, and refined by golden section.
//
// The outline itself counts as an obstacle, except where a sharp corner lets no disc in: the pieces next to
// the one that is touched are left out.
//
// Cost: O(n·m) for n pieces of outline and m of obstacles, a hundred sizes per pair.

import (
	"math"
	"slices"

	"millwright/core/geom"
)

const (
	clearSamples = 16 // per piece, and per right angle at a joint that sticks out
	clearSearch  = 60 // steps of golden section
)

// Clearance limits the discs that go round an outline.
type Clearance struct {
	Full, Partial float64 // mm, diameters; infinite when nothing limits them
	Nearest       int     // the obstacle that limits Full, -1 when none does
}

// Around returns how large a disc can go round an outline, a chain of pieces with the discs on its
// left, whether closed or not, among obstacles.
func Around(outline, obstacles []Piece, closed bool) Clearance {
	c := clearer{outline: outline, obstacles: obstacles}
	out := Clearance{Full: math.Inf(1), Nearest: -1}
	if len(outline) == 0 {
		out.Partial = math.Inf(1)
		return out
	}
	for i := range outline {
		p := &outline[i]
		if p.Length() == 0 {
			continue
		}
		c.near(i)
		c.scan(&out, c.along(p), func(s float64) (geom.Vec2, geom.Vec2) {
			return p.At(s), left(p.Tangent(s))
		})
		k := i + 1
		if k == len(outline) {
			if !closed {
				break
			}
			k = 0
		}
		c.roundJoint(&out, i, k)
	}
	return out
}

// roundJoint rolls the disc over the joint of outline pieces i and k if it sticks out.
func (c *clearer) roundJoint(out *Clearance, i, k int) {
	turn := turnBetween(&c.outline[i], &c.outline[k])
	if turn >= -smoothTurn {
		return
	}
	c.alsoNear(k)
	at, n := c.outline[i].To, left(c.outline[i].Tangent(1))
	c.scan(out, c.evenly(clearSamples*math.Abs(turn)*2/math.Pi), func(s float64) (geom.Vec2, geom.Vec2) {
		return at, rotate(n, s*turn)
	})
}

// clearer measures discs at points of the outline.
type clearer struct {
	outline, obstacles []Piece
	skip               [4]int // pieces of the outline that are not in the way
	own                float64
	positions, values  []float64 // scratch
}

// near sets which pieces of the outline are not in the way of discs at piece i.
func (c *clearer) near(i int) {
	n := len(c.outline)
	c.skip = [4]int{i, (i + 1) % n, (i + n - 1) % n, i}
	c.own = math.Inf(1)
	if p := &c.outline[i]; p.Turn > 0 {
		c.own = p.Radius()
	}
}

func (c *clearer) alsoNear(k int) {
	c.skip[3] = (k + 1) % len(c.outline)
	c.own = math.Inf(1)
}

// scan takes the smallest and greatest disc over the positions s in [0, 1], ascending, and between them.
func (c *clearer) scan(out *Clearance, positions []float64, at func(s float64) (p, n geom.Vec2)) {
	size := func(s float64) float64 {
		p, n := at(s)
		d, _ := c.size(p, n)
		return d
	}
	c.values = c.values[:0]
	highest := 0
	for i, s := range positions {
		c.values = append(c.values, size(s))
		if c.values[i] > c.values[highest] {
			highest = i
		}
		c.take(out, at, s)
	}
	v, last := c.values, len(positions)-1
	for i := range v {
		isLow := v[i] <= v[max(i-1, 0)] && v[i] <= v[min(i+1, last)]
		if isLow && !math.IsInf(v[i], 1) && v[i] < 1.5*out.Full {
			c.take(out, at, golden(size, positions[max(i-1, 0)], positions[min(i+1, last)], clearSearch))
		}
	}
	if !math.IsInf(v[highest], 1) && !math.IsInf(out.Partial, 1) {
		lo, hi := positions[max(highest-1, 0)], positions[min(highest+1, last)]
		c.take(out, at, golden(func(s float64) float64 { return -size(s) }, lo, hi, clearSearch))
	}
}

// evenly returns about n positions from 0 to 1.
func (c *clearer) evenly(n float64) []float64 {
	steps := max(2, int(math.Ceil(n)))
	c.positions = c.positions[:0]
	for i := range steps + 1 {
		c.positions = append(c.positions, float64(i)/float64(steps))
	}
	return c.positions
}

// along returns where to measure on a piece: evenly, and opposite the ends and the nearest points of
// obstacles.
func (c *clearer) along(p *Piece) []float64 {
	c.evenly(clearSamples * max(1, math.Abs(p.Turn)*2/math.Pi))
	add := func(q geom.Vec2) {
		if at, inner := p.Nearest(q); inner {
			c.positions = append(c.positions, p.position(at))
		}
	}
	middle := p.At(0.5)
	if p.Turn != 0 {
		middle = p.Center
	}
	for i := range c.obstacles {
		o := &c.obstacles[i]
		add(o.From)
		add(o.To)
		q, _ := o.Nearest(middle)
		add(q)
	}
	slices.Sort(c.positions)
	return slices.Compact(c.positions)
}

// position returns where a point of the piece lies on it, in [0, 1].
func (p *Piece) position(at geom.Vec2) float64 {
	if p.Turn == 0 {
		return at.Dist(p.From) / p.Length()
	}
	a, b := p.From.Sub(p.Center), at.Sub(p.Center)
	turn := math.Atan2(a.Cross(b), a.Dot(b)) * sign(p.Turn)
	if turn < 0 {
		turn += 2 * math.Pi
	}
	return min(turn/math.Abs(p.Turn), 1)
}

// take enters the disc at s into the result.
func (c *clearer) take(out *Clearance, at func(s float64) (p, n geom.Vec2), s float64) {
	p, n := at(s)
	d, by := c.size(p, n)
	if d < out.Full {
		out.Full, out.Nearest = d, by
	}
	out.Partial = max(out.Partial, d)
}

// size returns the diameter of the largest disc that touches p with its centre along n, and the
// obstacle it then touches, -1 for the outline itself or none.
func (c *clearer) size(p, n geom.Vec2) (float64, int) {
	best, by := c.own, -1
	for i := range c.obstacles {
		if r := tangentRadius(p, n, &c.obstacles[i]); r < best {
			best, by = r, i
		}
	}
	for i := range c.outline {
		if i == c.skip[0] || i == c.skip[1] || i == c.skip[2] || i == c.skip[3] {
			continue
		}
		if r := tangentRadius(p, n, &c.outline[i]); r < best {
			best, by = r, -1
		}
	}
	return 2 * best, by
}

// tangentRadius returns the radius of the disc that touches p with its centre along the unit vector n
// and just reaches the piece.
func tangentRadius(p, n geom.Vec2, piece *Piece) float64 {
	best := min(pointRadius(p, n, piece.From), pointRadius(p, n, piece.To))
	if piece.Turn == 0 {
		t := piece.Tangent(0)
		m := left(t)
		h := p.Sub(piece.From).Dot(m)
		if h < 0 {
			h, m = -h, m.Scale(-1)
		}
		if grow := 1 - n.Dot(m); grow > 0 {
			r := h / grow
			foot := addScaled(p, r, n).Sub(piece.From).Dot(t)
			if foot >= 0 && foot <= piece.Length() {
				best = min(best, r)
			}
		}
		return best
	}
	w, radius := p.Sub(piece.Center), piece.Radius()
	outside := w.Norm2() - radius*radius
	// Touching from outside: |w + r·n| = R + r; from inside: |w + r·n| = R - r.
	if grow := 2 * (radius - n.Dot(w)); outside > 0 && grow > 0 {
		r := outside / grow
		if piece.covers(addScaled(w, r, n)) {
			best = min(best, r)
		}
	}
	if grow := 2 * (radius + n.Dot(w)); outside < 0 && grow > 0 {
		r := -outside / grow
		if piece.covers(addScaled(w, r, n)) {
			best = min(best, r)
		}
	}
	return best
}

func pointRadius(p, n, q geom.Vec2) float64 {
	d := q.Sub(p)
	if ahead := 2 * d.Dot(n); ahead > 0 {
		return d.Norm2() / ahead
	}
	return math.Inf(1)
}
