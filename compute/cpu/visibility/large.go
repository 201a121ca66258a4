package visibility

// slack (steps) widens what is cut from a large triangle: beyond the rounding of doubles, which is below
// 2^-20 of a step here.
const slack = 1

// edge is a side of a large triangle that is not horizontal, from its lower end.
type edge struct {
	x, y, far float64 // lower end, y of the upper end
	x0, x1    float64 // extent
	slope     float64 // of x
}

// outline holds the sides of a large triangle.
type outline struct {
	edges [3]edge
	n     int
}

func (l *outline) add(p, q *viewPoint) {
	if p.y > q.y {
		p, q = q, p
	}
	if p.y == q.y {
		return // its ends belong to the other two sides
	}
	e := edge{x: float64(p.x), y: float64(p.y), far: float64(q.y)}
	e.x0, e.x1 = float64(min(p.x, q.x)), float64(max(p.x, q.x))
	e.slope = (float64(q.x) - e.x) / (e.far - e.y)
	l.edges[l.n] = e
	l.n++
}

// within returns what the triangle covers of x between y0 and y1, x1 < x0 when that is nothing.
func (l *outline) within(y0, y1 float64) (x0, x1 float64) {
	y0, y1 = y0-slack, y1+slack
	x0, x1 = steps*2, -steps*2
	for i := range l.edges[:l.n] {
		e := &l.edges[i]
		lo, hi := max(y0, e.y), min(y1, e.far)
		if lo > hi {
			continue
		}
		a, b := e.x+e.slope*(lo-e.y), e.x+e.slope*(hi-e.y)
		x0, x1 = min(x0, max(min(a, b), e.x0)), max(x1, min(max(a, b), e.x1))
	}
	return x0 - slack, x1 + slack
}

// drawLarge draws a triangle over the blocks that it covers and that hold a sample below its top.
func (g *grid) drawLarge(o *occluder, s *span, corners [3]*viewPoint) {
	var l outline
	l.add(corners[0], corners[1])
	l.add(corners[1], corners[2])
	l.add(corners[2], corners[0])
	side := 1 / g.per // steps
	for b := s.r0 >> blockBits; b <= s.r1>>blockBits; b++ {
		r0, r1 := max(b<<blockBits, s.r0), min(b<<blockBits+1<<blockBits-1, s.r1)
		c0, c1 := g.columns(&l, s, g.y0+float64(r0)*side, g.y0+float64(r1+1)*side)
		c0, c1 = g.lowBlocks(b, c0, c1, o.top)
		if c0 > c1 {
			continue
		}
		part := span{c0: c0, c1: c1}
		for r := r0; r <= r1; r++ {
			from, to := g.columns(&l, &part, g.y0+float64(r)*side, g.y0+float64(r+1)*side)
			if from <= to {
				g.drawRow(o, r, from, to)
			}
		}
	}
}

// columns returns what l covers between y0 and y1 of the columns of s.
func (g *grid) columns(l *outline, s *span, y0, y1 float64) (c0, c1 int) {
	left, right := l.within(y0, y1)
	return max(int((left-g.x0)*g.per), s.c0), min(int((right-g.x0)*g.per), s.c1)
}

// lowBlocks cuts columns off both ends of a row of blocks that lie in blocks without a sample below z.
func (g *grid) lowBlocks(row, c0, c1 int, z float32) (int, int) {
	low := g.low[row*g.bw : (row+1)*g.bw]
	for c0 <= c1 && low[c0>>blockBits] >= z {
		c0 = (c0>>blockBits + 1) << blockBits
	}
	for c0 <= c1 && low[c1>>blockBits] >= z {
		c1 = c1>>blockBits<<blockBits - 1
	}
	return c0, c1
}
