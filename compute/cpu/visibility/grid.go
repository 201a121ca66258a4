package visibility

import "math"

const (
	perCell   = 8 // samples per cell on average: what one step of the vectors takes
	tallied   = 4 // of so many samples one tells where cells are to be small
	blockBits = 3 // a block has 8 × 8 cells
	maxSide   = bins / 4
)

// grid holds the samples of a view, sorted by cells in rows. The cell of column c in row r has the samples
// start[r·w+c] to start[r·w+c+1], so the cells of one row from one column to another hold one run of samples.
type grid struct {
	x, y, z []int32 // z is blocked for a sample that is not visible; lanes more than there are samples
	id      []int32
	start   []int32
	cell    []int32 // scratch

	w, h       int  // cells
	across, up axis // x and y

	bw, bh int     // blocks
	low    []int32 // per block, the lowest z of its samples

	o    occluder // the triangle that is drawn
	runs []int32  // where: from which sample to which, without the last
}

// sort lays the grid over the samples, at least one, and puts them into it.
func (g *grid) sort(s []sample) {
	g.lay(s)
	n := len(s)
	g.x, g.y, g.z = resize(g.x, n+lanes), resize(g.y, n+lanes), resize(g.z, n+lanes)
	g.id, g.cell = resize(g.id, n), resize(g.cell, n)
	g.start = resize(g.start, g.w*g.h+1)
	clear(g.start)
	for i := range s {
		row, column := g.up.at(s[i].y), g.across.at(s[i].x)
		c := row*g.w + column
		g.cell[i] = int32(c)
		g.start[c]++
		b := row>>blockBits*g.bw + column>>blockBits
		g.low[b] = min(g.low[b], s[i].z)
	}
	sum := int32(0)
	for c, k := range g.start {
		sum += k
		g.start[c] = sum
	}
	for i := n - 1; i >= 0; i-- {
		p := &s[i]
		k := g.start[g.cell[i]] - 1
		g.start[g.cell[i]] = k
		g.x[k], g.y[k], g.z[k], g.id[k] = p.x, p.y, p.z, p.id
	}
	for i := n; i < n+lanes; i++ {
		g.x[i], g.y[i], g.z[i] = 0, 0, blocked
	}
}

// lay chooses cells so that perCell samples would fall into each if they were spread evenly.
func (g *grid) lay(s []sample) {
	x0, x1, y0, y1 := s[0].x, s[0].x, s[0].y, s[0].y
	for i := range s {
		x0, x1 = min(x0, s[i].x), max(x1, s[i].x)
		y0, y1 = min(y0, s[i].y), max(y1, s[i].y)
	}
	g.across.start(x0, x1)
	g.up.start(y0, y1)
	for i := 0; i < len(s); i += tallied {
		g.across.tally[g.across.bin(s[i].x)]++
		g.up.tally[g.up.bin(s[i].y)]++
	}
	wide, high := float64(x1-x0)+1, float64(y1-y0)+1 // steps
	cells := float64(len(s))/perCell + 1
	side := max(math.Sqrt(wide*high/cells), wide/maxSide, high/maxSide, 1)
	g.across.divide(int(wide/side) + 1)
	g.up.divide(int(high/side) + 1)
	g.w, g.h = g.across.count, g.up.count
	g.bw, g.bh = (g.w-1)>>blockBits+1, (g.h-1)>>blockBits+1
	g.low = resize(g.low, g.bw*g.bh)
	for i := range g.low {
		g.low[i] = blocked
	}
}
