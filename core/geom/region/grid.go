package region

import (
	"math"
	"slices"

	"millwright/core/geom"
)

// Grid finds items by place: square cells, about as many as there are items, each with those whose boxes
// meet it. Items are known by the order in which they were given.
type Grid struct {
	lo     geom.Vec2
	cell   float64
	nx, ny int
	first  []int32 // of the entries of each cell
	items  []int32
	seen   []int32 // by item: the last query that met it
	query  int32
}

// maxSide bounds the cells along one side, for regions that are thin or far from square.
const maxSide = 256

// NewGrid enters items by their boxes, from lo to hi.
func NewGrid(lo, hi []geom.Vec2) *Grid {
	g := &Grid{seen: make([]int32, len(lo))}
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
		g.each(lo[i], hi[i], func(c int) { g.first[c+1]++ })
	}
	for c := 1; c < len(g.first); c++ {
		g.first[c] += g.first[c-1]
	}
	g.items = make([]int32, g.first[len(g.first)-1])
	at := append([]int32(nil), g.first...)
	for i := range lo {
		g.each(lo[i], hi[i], func(c int) {
			g.items[at[c]] = int32(i)
			at[c]++
		})
	}
	return g
}

// each visits the cells of a window.
func (g *Grid) each(lo, hi geom.Vec2, visit func(c int)) {
	x0, x1 := g.index(lo.X-g.lo.X, g.nx), g.index(hi.X-g.lo.X, g.nx)
	y0, y1 := g.index(lo.Y-g.lo.Y, g.ny), g.index(hi.Y-g.lo.Y, g.ny)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			visit(y*g.nx + x)
		}
	}
}

// index returns the cell along one side, the nearest one for what lies outside.
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

// within calls visit once for every item whose cells meet a window, until it returns false.
func (g *Grid) within(lo, hi geom.Vec2, visit func(i int) bool) {
	if len(g.items) == 0 {
		return
	}
	g.query++
	x0, x1 := g.index(lo.X-g.lo.X, g.nx), g.index(hi.X-g.lo.X, g.nx)
	y0, y1 := g.index(lo.Y-g.lo.Y, g.ny), g.index(hi.Y-g.lo.Y, g.ny)
	for y := y0; y <= y1; y++ {
		for c := y*g.nx + x0; c <= y*g.nx+x1; c++ {
			for _, i := range g.items[g.first[c]:g.first[c+1]] {
				if g.seen[i] == g.query {
					continue
				}
				g.seen[i] = g.query
				if !visit(int(i)) {
					return
				}
			}
		}
	}
}

// AppendWindow appends the items whose boxes may meet a window, ascending. Several goroutines may ask at
// once.
func (g *Grid) AppendWindow(dst []int32, lo, hi geom.Vec2) []int32 {
	if len(g.items) == 0 {
		return dst
	}
	n := len(dst)
	g.each(lo, hi, func(c int) { dst = append(dst, g.items[g.first[c]:g.first[c+1]]...) })
	slices.Sort(dst[n:])
	return dst[:n+len(slices.Compact(dst[n:]))]
}
