package delaunay

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// cells is a uniform grid of square cells over points of the plane, each with a list of items. The cells of a segment
// are found row by row, with a margin above rounding; so no cell is missed, and found items need an exact test.
type cells struct {
	lo     geom.Vec2
	size   float64 // of a cell
	nx, ny int
	head   []int32 // first entry of each cell
	next   []int32 // of each entry
	item   []int32
}

// margin (cells) is the safe extension of the parts of a segment beyond a row.
const margin = 0.25

// set empties the grid and places it over the finite points. It has about the wanted number of cells (three times as
// many for collinear points), each of at least the given size.
func (g *cells) set(points []geom.Vec2, wanted int, least float64) {
	lo, hi := extent(points)
	g.lo, g.nx, g.ny, g.size = lo, 1, 1, 1
	n, w, h := float64(max(1, wanted)), hi.X-lo.X, hi.Y-lo.Y
	if size := max(math.Sqrt(w)*math.Sqrt(h)/math.Sqrt(n), w/n, h/n, least); size > 0 && !math.IsInf(size, 0) {
		g.size, g.nx, g.ny = size, int(w/size)+1, int(h/size)+1
	}
	g.head = make([]int32, g.nx*g.ny)
	for i := range g.head {
		g.head[i] = none
	}
	g.next, g.item = g.next[:0], g.item[:0]
}

// extent returns the box of the finite points.
func extent(points []geom.Vec2) (lo, hi geom.Vec2) {
	inf := math.Inf(1)
	lo, hi = geom.Vec2{X: inf, Y: inf}, geom.Vec2{X: -inf, Y: -inf}
	for _, p := range points {
		if isFinite(p) {
			lo.X, lo.Y = min(lo.X, p.X), min(lo.Y, p.Y)
			hi.X, hi.Y = max(hi.X, p.X), max(hi.Y, p.Y)
		}
	}
	return lo, hi
}

func isFinite(p geom.Vec2) bool {
	sum := math.Abs(p.X) + math.Abs(p.Y)
	return sum <= math.MaxFloat64
}

// place returns p in units of cells.
func (g *cells) place(p geom.Vec2) geom.Vec2 {
	return geom.Vec2{X: (p.X - g.lo.X) / g.size, Y: (p.Y - g.lo.Y) / g.size}
}

// index returns the row or column, of n, at x, the nearest one for places outside.
func index(x float64, n int) int {
	switch {
	case !(x > 0):
		return 0
	case x >= float64(n):
		return n - 1
	}
	return int(x)
}

func (g *cells) cell(i, j int) int32 { return int32(j*g.nx + i) }

// add puts an item into a cell.
func (g *cells) add(cell, item int32) {
	g.next, g.item = append(g.next, g.head[cell]), append(g.item, item)
	g.head[cell] = int32(len(g.item) - 1)
}

// cover calls visit for the cells that the segment from a to b meets, and maybe for some beside them, until visit
// returns false. It returns the last result of visit.
func (g *cells) cover(a, b geom.Vec2, visit func(cell int32) bool) bool {
	p, q := g.place(a), g.place(b)
	if p.Y > q.Y {
		p, q = q, p
	}
	last := index(q.Y, g.ny)
	for j := index(p.Y, g.ny); j <= last; j++ {
		x, y := p.X, q.X
		if bottom := float64(j) - margin; p.Y < bottom {
			x = p.X + (q.X-p.X)*((bottom-p.Y)/(q.Y-p.Y))
		}
		if top := float64(j+1) + margin; q.Y > top {
			y = q.X + (p.X-q.X)*((q.Y-top)/(q.Y-p.Y))
		}
		end := index(max(x, y)+margin, g.nx)
		for i := index(min(x, y)-margin, g.nx); i <= end; i++ {
			if !visit(g.cell(i, j)) {
				return false
			}
		}
	}
	return true
}
