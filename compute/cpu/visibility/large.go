package visibility

import "math"

// slack (steps) widens what is cut from a large triangle: beyond the rounding of doubles, which is below
// 2^-20 of a step here, and of a row's ends and a column's to whole steps.
const slack = 2

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
	x0, x1 = math.Inf(1), math.Inf(-1)
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

// cutLarge adds the runs of the cells that the triangle of a record covers, in blocks that hold a sample
// below its top.
func (b *batch) cutLarge(g *grid, record int32) {
	o := &b.records[record]
	box, ok := o.set(g)
	if !ok {
		return
	}
	var l outline
	l.add(&o.p, &o.q)
	l.add(&o.q, &o.r)
	l.add(&o.r, &o.p)
	edge := g.up.edge
	for block := box.r0 >> rowBits; block <= box.r1>>rowBits; block++ {
		first := block << rowBits
		part := span{c0: box.c0, c1: box.c1, r0: max(first, box.r0), r1: min(first+1<<rowBits-1, box.r1)}
		g.columns(&l, &part, edge[part.r0], edge[part.r1+1])
		g.lowBlocks(block, &part, o.top)
		if part.c0 > part.c1 {
			continue
		}
		for row := part.r0; row <= part.r1; row++ {
			one := span{c0: part.c0, c1: part.c1, r0: row, r1: row}
			g.columns(&l, &one, edge[row], edge[row+1])
			g.trim(row, &one, o.top)
			if one.c0 <= one.c1 {
				b.add(g, row, one.c0, one.c1, record)
			}
		}
	}
}

// columns cuts off the columns of s that l does not cover between y0 and y1.
func (g *grid) columns(l *outline, s *span, y0, y1 int32) {
	left, right := l.within(float64(y0), float64(y1))
	if right < float64(g.across.lo) || left > float64(g.across.hi) || left > right {
		s.c1 = s.c0 - 1
		return
	}
	s.c0 = max(s.c0, g.across.at(max(int32(left), g.across.lo)))
	s.c1 = min(s.c1, g.across.at(min(int32(right), g.across.hi)))
}

// lowBlocks cuts columns off both ends of s that lie in blocks of the row without a sample below top.
func (g *grid) lowBlocks(row int, s *span, top int32) {
	low := g.blocks[row*g.bw : (row+1)*g.bw]
	for s.c0 <= s.c1 && low[s.c0>>columnBits] >= top {
		s.c0 = (s.c0>>columnBits + 1) << columnBits
	}
	for s.c0 <= s.c1 && low[s.c1>>columnBits] >= top {
		s.c1 = s.c1>>columnBits<<columnBits - 1
	}
}

// trim cuts cells off both ends of one row that hold no sample below top.
func (g *grid) trim(row int, s *span, top int32) {
	const step = 1 << columnBits
	low := g.low[columnBits*g.stride+row*g.w:]
	for s.c0 <= s.c1 && low[s.c0] >= top {
		s.c0 += step
	}
	for s.c0+step <= s.c1+1 && low[s.c1+1-step] >= top {
		s.c1 -= step
	}
}
