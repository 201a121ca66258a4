package visibility

import (
	"math"
	"math/bits"
)

// margin (steps) widens the clipped range of a large triangle beyond rounding: of doubles, below 2^-20 of a step here,
// and of the ends of rows and columns to whole steps.
const margin = 2

// edge is a side of a large triangle that is not horizontal, from its lower end.
type edge struct {
	x, y, far float64 // lower end, y of the upper end
	x0, x1    float64 // extent
	slope     float64 // of x
	z, rise   float64 // z of the lower end, slope of z
	z1        float64 // the higher end
}

// outline contains the sides of a large triangle.
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
	e.z1 = float64(max(p.z, q.z))
	e.slope = (float64(q.x) - e.x) / (e.far - e.y)
	e.z, e.rise = float64(p.z), float64(q.z-p.z)/(e.far-e.y)
	l.edges[l.n] = e
	l.n++
}

// within returns the x range of the triangle between y0 and y1, with x1 < x0 if it is empty, and the highest z there.
func (l *outline) within(y0, y1 float64) (x0, x1, top float64) {
	y0, y1 = y0-margin, y1+margin
	x0, x1, top = math.Inf(1), math.Inf(-1), math.Inf(-1)
	for i := range l.edges[:l.n] {
		e := &l.edges[i]
		lo, hi := max(y0, e.y), min(y1, e.far)
		if lo > hi {
			continue
		}
		a, b := e.x+e.slope*(lo-e.y), e.x+e.slope*(hi-e.y)
		x0, x1 = min(x0, max(min(a, b), e.x0)), max(x1, min(max(a, b), e.x1))
		a, b = e.z+e.rise*(lo-e.y), e.z+e.rise*(hi-e.y)
		top = max(top, min(max(a, b), e.z1))
	}
	return x0 - margin, x1 + margin, top + margin
}

// cutting is a large triangle that is cut.
type cutting struct {
	outline
	record int32
	top    int32
}

// cutLarge adds the runs of the cells that the triangle of a record covers where there is a sample below it.
func (b *batch) cutLarge(g *grid, record int32) {
	o := &b.records[record]
	box, ok := o.set(g)
	if !ok {
		return
	}
	c := cutting{record: record, top: o.top}
	c.add(&o.p, &o.q)
	c.add(&o.q, &o.r)
	c.add(&o.r, &o.p)
	level := bits.Len(uint(box.r1>>rowBits - box.r0>>rowBits))
	for i := box.r0 >> (rowBits + level); i <= box.r1>>(rowBits+level); i++ {
		b.cutBand(g, &c, &box, level, i)
	}
}

// cutBand does so for the rows of box in a band of 2^level rows of blocks. It skips a band without a sample below the
// part of the triangle in it.
func (b *batch) cutBand(g *grid, c *cutting, box *span, level, band int) {
	first := band << (rowBits + level)
	part := span{box.c0, box.c1, max(first, box.r0), min(first+1<<(rowBits+level)-1, box.r1)}
	if part.r0 > part.r1 {
		return
	}
	top := g.columns(c, &part)
	g.lowBlocks(level, band, &part, top)
	switch {
	case part.c0 > part.c1:
	case level > 0:
		b.cutBand(g, c, &part, level-1, 2*band)
		b.cutBand(g, c, &part, level-1, 2*band+1)
	default:
		for row := part.r0; row <= part.r1; row++ {
			one := span{part.c0, part.c1, row, row}
			g.trim(row, &one, g.columns(c, &one))
			if one.c0 <= one.c1 {
				b.add(g, row, one.c0, one.c1, c.record)
			}
		}
	}
}

// columns cuts off the columns of s that the triangle does not cover in its rows, and returns its highest z
// there.
func (g *grid) columns(c *cutting, s *span) (top int32) {
	left, right, highest := c.within(float64(g.up.edge[s.r0]), float64(g.up.edge[s.r1+1]))
	if right < float64(g.across.lo) || left > float64(g.across.hi) || left > right {
		s.c1 = s.c0 - 1
		return 0
	}
	s.c0 = max(s.c0, g.across.at(max(int32(left), g.across.lo)))
	s.c1 = min(s.c1, g.across.at(min(int32(right), g.across.hi)))
	return min(c.top, int32(highest))
}

// lowBlocks cuts columns off both ends of s that lie in blocks of the band without a sample below top.
func (g *grid) lowBlocks(level, band int, s *span, top int32) {
	low := g.blocks[g.bands[level]+band*g.bw:]
	for s.c0 <= s.c1 && low[s.c0>>columnBits] >= top {
		s.c0 = (s.c0>>columnBits + 1) << columnBits
	}
	for s.c0 <= s.c1 && low[s.c1>>columnBits] >= top {
		s.c1 = s.c1>>columnBits<<columnBits - 1
	}
}

// trim removes cells without a sample below top from both ends of one row.
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
