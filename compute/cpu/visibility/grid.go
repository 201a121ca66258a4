package visibility

import "math"

const (
	perCell   = 2 // samples per cell on average
	blockBits = 3 // a block has 8 × 8 cells
	maxSide   = 1 << 12
)

// grid holds the samples of a view, sorted by cells in rows. The cell of column c in row r has the samples
// start[r·w+c] to start[r·w+c+1], so the cells of one row from one column to another hold one run of samples.
type grid struct {
	x, y, z []float32 // z is blocked for a sample that is not visible
	id      []int32
	start   []int32
	cell    []int32 // scratch

	w, h   int     // cells
	x0, y0 float64 // low corner
	x1, y1 float32 // high corner: the last sample
	per    float64 // cells per step

	bw, bh int       // blocks
	low    []float32 // per block, the lowest z of its samples
}

// sort lays the grid over the samples, at least one, and puts them into it.
func (g *grid) sort(s []sample) {
	g.lay(s)
	n := len(s)
	g.x, g.y, g.z, g.id = resize(g.x, n), resize(g.y, n), resize(g.z, n), resize(g.id, n)
	g.cell = resize(g.cell, n)
	g.start = resize(g.start, g.w*g.h+1)
	clear(g.start)
	for i := range s {
		c := int32(g.row(s[i].y)*g.w + g.column(s[i].x))
		g.cell[i] = c
		g.start[c]++
		b := &g.low[g.block(int(c))]
		*b = min(*b, s[i].z)
	}
	sum := int32(0)
	for c, k := range g.start {
		sum += k
		g.start[c] = sum
	}
	for i := n - 1; i >= 0; i-- {
		c := g.cell[i]
		g.start[c]--
		k := g.start[c]
		g.x[k], g.y[k], g.z[k], g.id[k] = s[i].x, s[i].y, s[i].z, s[i].id
	}
}

// lay chooses cells so that perCell samples would fall into each if they were spread evenly.
func (g *grid) lay(s []sample) {
	x0, x1, y0, y1 := s[0].x, s[0].x, s[0].y, s[0].y
	for i := range s {
		x0, x1 = min(x0, s[i].x), max(x1, s[i].x)
		y0, y1 = min(y0, s[i].y), max(y1, s[i].y)
	}
	g.x0, g.y0, g.x1, g.y1 = float64(x0), float64(y0), x1, y1
	wide, high := float64(x1)-g.x0+1, float64(y1)-g.y0+1 // steps
	cells := float64(len(s))/perCell + 1
	side := max(math.Sqrt(wide*high/cells), wide/maxSide, high/maxSide, 1)
	g.per = 1 / side
	g.w, g.h = int(wide*g.per)+1, int(high*g.per)+1
	g.bw, g.bh = (g.w-1)>>blockBits+1, (g.h-1)>>blockBits+1
	g.low = resize(g.low, g.bw*g.bh)
	for i := range g.low {
		g.low[i] = blocked
	}
}

// column and row grow with their argument, so whatever lies between two samples lies between their cells.
func (g *grid) column(x float32) int { return int((float64(x) - g.x0) * g.per) }
func (g *grid) row(y float32) int    { return int((float64(y) - g.y0) * g.per) }

func (g *grid) block(cell int) int { return (cell / g.w >> blockBits * g.bw) + cell%g.w>>blockBits }
