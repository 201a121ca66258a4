package visibility

import "math"

const (
	perCell = 4            // samples per cell on average
	slender = 4            // ratio of a cell's length along y to its width: rows cost time, columns do not
	tallied = 4            // one of this many samples is counted for the sizes of cells
	maxSide = mostBins / 4 // cells in a row or a column

	rowBits, columnBits = 3, 3 // a block has 8 × 8 cells
	windows             = 5    // the lowest sample is known for up to 2^windows cells
)

// grid contains the samples of a view, sorted by cells in rows. The cell of column c in row r has the samples
// start[r·w+c] to start[r·w+c+1], so the cells of one row from one column to another contain one run of samples.
type grid struct {
	x, y, z []int32 // z is blocked for a sample that is not visible; lanes more than there are samples
	id      []int32
	start   []int32
	cell    []int32 // scratch

	w, h       int  // cells
	across, up axis // x and y

	low    []int32 // lowest z of the samples per cell, then of 2, 4, ... cells from each on, in one long row
	stride int     // of low, from cells to pairs of cells and so on

	bw, bh int     // blocks
	blocks []int32 // lowest z of the samples per block, then of bands of 2, 4, ... rows of blocks
	bands  []int   // where those begin in blocks
}

// sort lays the grid over the samples, at least one, and puts them into it.
func (g *grid) sort(s []viewPoint) {
	g.lay(s)
	n := len(s)
	g.x, g.y, g.z = resize(g.x, n+lanes), resize(g.y, n+lanes), resize(g.z, n+lanes)
	g.id, g.cell = resize(g.id, n), resize(g.cell, n)
	g.start = resize(g.start, g.w*g.h+1)
	clear(g.start)
	low := g.low[:g.w*g.h]
	for i := range s {
		row, column := g.up.at(s[i].y), g.across.at(s[i].x)
		c := row*g.w + column
		g.cell[i] = int32(c)
		g.start[c]++
		low[c] = min(low[c], s[i].z)
	}
	g.lower()
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

// lay chooses cells so that perCell samples would fall into each if they were spread evenly over the non-empty lengths:
// if all samples lie in a few columns, there are more rows.
func (g *grid) lay(s []viewPoint) {
	x0, x1, y0, y1 := s[0].x, s[0].x, s[0].y, s[0].y
	for i := range s {
		x0, x1 = min(x0, s[i].x), max(x1, s[i].x)
		y0, y1 = min(y0, s[i].y), max(y1, s[i].y)
	}
	g.across.start(x0, x1, len(s))
	g.up.start(y0, y1, len(s))
	for i := 0; i < len(s); i += tallied {
		g.across.tally[g.across.bin(s[i].x)]++
		g.up.tally[g.up.bin(s[i].y)]++
	}
	wide, high := float64(x1-x0)+1, float64(y1-y0)+1 // steps
	cells := float64(len(s))/perCell + 1
	ratio := slender * wide * g.across.filled() / (high * g.up.filled())
	columns := int(min(math.Sqrt(cells*ratio), wide, maxSide)) + 1
	rows := int(min(math.Sqrt(cells/ratio), high, maxSide)) + 1
	g.across.divide(columns)
	g.up.divide(rows)
	g.w, g.h = g.across.count, g.up.count
	g.bw, g.bh = (g.w-1)>>columnBits+1, (g.h-1)>>rowBits+1
	g.stride = g.w*g.h + 1<<windows
	g.low = resize(g.low, (windows+1)*g.stride)
	for i := range g.low[:g.stride] {
		g.low[i] = blocked
	}
}

// lower computes the lowest samples of several cells from the lowest of each.
func (g *grid) lower() {
	for k := range windows {
		from, to := g.low[k*g.stride:(k+1)*g.stride], g.low[(k+1)*g.stride:(k+2)*g.stride]
		lowest(to, from, 1<<k)
	}
	g.blocks, g.bands = resize(g.blocks, 0), append(g.bands[:0], 0)
	eight := g.low[columnBits*g.stride:]
	for row := range g.bh {
		for column := range g.bw {
			low := int32(blocked)
			for r := row << rowBits; r < min((row+1)<<rowBits, g.h); r++ {
				low = min(low, eight[r*g.w+column<<columnBits])
			}
			g.blocks = append(g.blocks, low)
		}
	}
	for from, rows := 0, g.bh; rows > 1; {
		g.bands = append(g.bands, len(g.blocks))
		next := len(g.blocks)
		for i := range (rows + 1) / 2 * g.bw {
			at := from + (i/g.bw*2)*g.bw + i%g.bw
			low := g.blocks[at]
			if i/g.bw*2+1 < rows {
				low = min(low, g.blocks[at+g.bw])
			}
			g.blocks = append(g.blocks, low)
		}
		from, rows = next, (rows+1)/2
	}
}

// lowest sets dst[i] to the lower of src[i] and src[i+shift], beyond the end of src to src[i].
func lowest(dst, src []int32, shift int) {
	n := len(src) - shift
	done := 0
	if vectors {
		lowestVectors(&dst[0], &src[0], n/lanes, shift)
		done = n / lanes * lanes
	}
	for i := done; i < n; i++ {
		dst[i] = min(src[i], src[i+shift])
	}
	copy(dst[n:], src[n:])
}
