package planar

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// Grid finds items by position. It consists of square cells, about as many as items. Each cell lists the items whose
// boxes overlap it. Items are numbered in the given order. It is safe for concurrent queries.
type Grid struct {
	lo     geom.Vec2
	cell   float64
	nx, ny int
	first  []int32 // of the entries of each cell
	items  []int32
	corner [][2]int16 // by item: the column and row of its first cell
}

// maxSide bounds the cells along one side, for regions that are thin or far from square.
const maxSide = 256

// NewGrid enters items by their boxes, from lo to hi.
func NewGrid(lo, hi []geom.Vec2) *Grid {
	g := &Grid{corner: make([][2]int16, len(lo))}
	if len(lo) == 0 {
		return g
	}
	a, b := lo[0], hi[0]
	for i := range lo {
		a = geom.Vec2{X: min(a.X, lo[i].X), Y: min(a.Y, lo[i].Y)}
		b = geom.Vec2{X: max(b.X, hi[i].X), Y: max(b.Y, hi[i].Y)}
	}
	size := b.Sub(a)
	g.lo = a
	g.cell = max(math.Sqrt(size.X*size.Y/float64(len(lo))), max(size.X, size.Y)/maxSide, geom.Resolution)
	if !(g.cell < math.MaxFloat64) { // not a number, or without end
		g.cell = 1
	}
	g.nx, g.ny = min(int(size.X/g.cell)+1, maxSide+1), min(int(size.Y/g.cell)+1, maxSide+1)
	g.first = make([]int32, max(g.nx, 1)*max(g.ny, 1)+1)
	g.nx, g.ny = max(g.nx, 1), max(g.ny, 1)
	for i := range lo {
		w := g.window(lo[i], hi[i])
		g.corner[i] = [2]int16{int16(w.x0), int16(w.y0)}
		for y := w.y0; y <= w.y1; y++ {
			for c := y*g.nx + w.x0; c <= y*g.nx+w.x1; c++ {
				g.first[c+1]++
			}
		}
	}
	for c := 1; c < len(g.first); c++ {
		g.first[c] += g.first[c-1]
	}
	g.items = make([]int32, g.first[len(g.first)-1])
	at := append([]int32(nil), g.first...)
	for i := range lo {
		w := g.window(lo[i], hi[i])
		for y := w.y0; y <= w.y1; y++ {
			for c := y*g.nx + w.x0; c <= y*g.nx+w.x1; c++ {
				g.items[at[c]] = int32(i)
				at[c]++
			}
		}
	}
	return g
}

// window is a range of cells, the ends included.
type window struct{ x0, x1, y0, y1 int }

func (g *Grid) window(lo, hi geom.Vec2) window {
	return window{
		g.index(lo.X-g.lo.X, g.nx), g.index(hi.X-g.lo.X, g.nx),
		g.index(lo.Y-g.lo.Y, g.ny), g.index(hi.Y-g.lo.Y, g.ny),
	}
}

// index returns the cell along one side, the nearest one for coordinates outside.
func (g *Grid) index(d float64, n int) int {
	switch k := d / g.cell; {
	case !(k > 0):
		return 0
	case k >= float64(n):
		return n - 1
	default:
		return int(k)
	}
}

// Within calls visit once for every item whose cells meet a window, until it returns false: in the first of their
// common cells.
func (g *Grid) Within(lo, hi geom.Vec2, visit func(i int) bool) {
	if len(g.items) == 0 {
		return
	}
	w := g.window(lo, hi)
	for y := w.y0; y <= w.y1; y++ {
		for x := w.x0; x <= w.x1; x++ {
			c := y*g.nx + x
			for _, i := range g.items[g.first[c]:g.first[c+1]] {
				k := g.corner[i]
				if x != max(int(k[0]), w.x0) || y != max(int(k[1]), w.y0) {
					continue
				}
				if !visit(int(i)) {
					return
				}
			}
		}
	}
}
