package offsetheight

// Offsetting a height map by a tool: out(x, y) = max over taps (i, j) of z(x + i, y + j) - h(|i|, |j|).
//
// Method: dilation by a structuring element that is symmetric in x and in y. The rows at +j and -j have the same taps.
// So the greater value of both is computed once for a whole row (the fold), and likewise for the columns at +i and -i.
// Subtracting the same tap preserves order, so the greatest of four cells needs one subtraction: three operations for
// four taps, on 8 cells at a time if the processor supports that (dilate_amd64.s).
//
// Where many adjacent taps are equal (the flat of an end mill), the greatest of 2^k cells in a row is tabulated
// beforehand, and a chord of the tool is covered by a few such windows (as in van Herk, Pattern Recognition Letters 13,
// 1992, with overlapping windows instead of running maxima).
//
// Large tools: a block of 32 cells skips 32 taps at a time if they cannot raise the lowest cell of the block. This is
// decided by the greatest height under these taps, less the smallest tap. Rows are processed in the order of their
// distance, so that the part directly under the tool gives high values first.
//
// Blocks without a cell that is asked for count as raised as high as can be.
//
// Cost: at most 3/4 operations per tap and cell; on parts, tools of 100 cells radius skip most of it. Limits: the tool
// is one of revolution.

import (
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/compute/primitive"
	"millwright.dev/millwright/compute/raster"
	"millwright.dev/millwright/core/cam/stock/grid"
)

const (
	blockSize = 32 // cells that are decided on together: four registers of 8
	stripSize = 64 // blocks of a row whose folded rows stay in the first-level cache
)

// onCPU is the twin on the processor.
func onCPU(ctx context.Context, on primitive.CPU, in *Input) (Output, error) {
	g := in.Grid
	out := Output{Z: grid.NewMap(g.Len())}
	if g.Len() == 0 {
		return out, ctx.Err()
	}
	f := newField(in)
	err := on.Each(ctx, raster.Bands(g.Height), func() func(int) {
		return func(band int) { f.load(in, band) }
	})
	if err != nil {
		return Output{}, err
	}
	err = on.Each(ctx, raster.Bands(g.Height), func() func(int) {
		w := newOffsetter(f)
		return func(band int) {
			lo, hi := raster.BandOf(band, g.Height)
			for j := lo; j < hi; j++ {
				row := out.Z[j*g.Width:][:g.Width]
				for s := 0; s < f.blocks; s += stripSize {
					w.strip(j, s, min(s+stripSize, f.blocks), row)
				}
				if in.At != nil {
					keep(row, in.At[j*g.Width:])
				}
			}
		}
	})
	if err != nil {
		return Output{}, err
	}
	return out, nil
}

// field is a height map with empty margins beside each row, and data that permits skipping parts of it.
type field struct {
	rows   []tapRow
	window int    // cells a window spans, 1 without windows
	height int    // rows
	margin int    // blocks on either side of a row
	blocks int    // blocks of a row without margins
	stride int    // cells from row to row
	asked  []bool // per block of a row without margins, nil: all

	z       []float32 // never -0
	windows []float32 // greatest of z at this and the next window-1 cells
	most    []float32 // greatest z per block, margins included
	top     []float32 // greatest z per row
}

// tapRow is a row of taps, negated: flat equal ones first, which windows cover, then one by one.
type tapRow struct {
	flat   int       // taps covered by windows, 0 if there are no windows
	pairs  int       // pairs of windows that cover them
	equal  []float32 // of the flat, one per pair
	single []float32 // all taps, flat ones included
}

func newField(in *Input) *field {
	taps := in.Footprint()
	f := &field{height: in.Grid.Height, window: windowOf(&taps)}
	f.margin = (taps.Reach() + 2*blockSize - 1) / blockSize // includes one block for windows that extend beyond
	f.blocks = (in.Grid.Width + blockSize - 1) / blockSize
	f.stride = (f.blocks + 2*f.margin) * blockSize
	for _, row := range taps.Rows {
		r := tapRow{single: make([]float32, len(row))}
		for i, h := range row {
			r.single[i] = -h
		}
		if n := level(row); f.window > 1 && 2*n-1 >= f.window {
			r.flat, r.pairs = n, pairs(n, f.window)
			r.equal = make([]float32, r.pairs)
			for i := range r.equal {
				r.equal[i] = -row[0]
			}
		}
		f.rows = append(f.rows, r)
	}
	if in.At != nil {
		f.asked = make([]bool, f.height*f.blocks)
		for j := range f.height {
			for i, is := range in.At[j*in.Grid.Width:][:in.Grid.Width] {
				if is {
					f.asked[j*f.blocks+i/blockSize] = true
				}
			}
		}
	}
	f.z = make([]float32, f.height*f.stride)
	f.most = make([]float32, f.height*f.stride/blockSize)
	f.top = make([]float32, f.height)
	if f.window > 1 {
		f.windows = make([]float32, len(f.z))
	}
	return f
}

// level returns the number of leading taps with equal values.
func level(row FootprintRow) int {
	n := 1
	for n < len(row) && row[n] == row[0] {
		n++
	}
	return n
}

// pairs returns the number of window pairs that cover the chord of n taps on either side of its middle.
func pairs(n, window int) int { return (2*n - 1 + 2*window - 1) / (2 * window) }

// windowOf returns the width of windows, a power of two, that costs the fewest operations.
func windowOf(taps *Footprint) int {
	best, least := 1, math.MaxInt
	for window := 1; window <= blockSize; window *= 2 {
		cost := 0
		for _, row := range taps.Rows {
			n := level(row)
			cost += len(row)
			if window > 1 && 2*n-1 >= window {
				cost += pairs(n, window) - n + 1 // and one to fold the row
			}
		}
		if cost < least {
			best, least = window, cost
		}
	}
	return best
}

// load copies a band of the input.
func (f *field) load(in *Input, band int) {
	width, left := in.Grid.Width, f.margin*blockSize
	lo, hi := raster.BandOf(band, f.height)
	for j := lo; j < hi; j++ {
		row := f.z[j*f.stride:][:f.stride]
		for i := range row[:left] {
			row[i] = grid.Nothing
		}
		for i, z := range in.Z[j*width:][:width] {
			row[left+i] = z + 0 // -0 would compare equal to 0 and differ in its bits
		}
		for i := left + width; i < len(row); i++ {
			row[i] = grid.Nothing
		}
		most := f.most[j*f.stride/blockSize:][:f.stride/blockSize]
		for k := range most {
			m := grid.Nothing
			for _, z := range row[k*blockSize:][:blockSize] {
				if z > m { // the built-in max also checks for NaNs and -0
					m = z
				}
			}
			most[k] = m
		}
		f.top[j] = slices.Max(most)
		if f.window > 1 {
			w := f.windows[j*f.stride:][:f.stride]
			copy(w, row)
			for s := 1; s < f.window; s *= 2 {
				maxRows(w[:len(w)-blockSize], w, w[s:])
			}
		}
	}
}

// offsetter does strips of rows, one at a time.
type offsetter struct {
	*field
	acc    []float32 // the strip
	lowest []float32 // of acc, per block
	most   []float32 // greatest of the folded row, per block, from the left margin on
	slide  []float32 // greatest of some adjacent values of most
	fold   [2]folded // of z and of windows
	todo   []bool    // per block
}

// folded is the greater of the rows at +j and -j, once it was asked for.
type folded struct {
	row  []float32
	done bool
}

func newOffsetter(f *field) *offsetter {
	blocks := min(stripSize, f.blocks)
	all := blocks + 2*f.margin
	w := &offsetter{
		field: f, acc: make([]float32, blocks*blockSize), lowest: make([]float32, blocks),
		most: make([]float32, all), slide: make([]float32, all), todo: make([]bool, blocks),
	}
	for k := range w.fold {
		w.fold[k].row = make([]float32, all*blockSize)
	}
	return w
}

// strip computes the blocks from first to last of row j, which is out.
func (w *offsetter) strip(j, first, last int, out []float32) {
	if w.asked != nil {
		asked := w.asked[j*w.blocks:][:w.blocks]
		for first < last && !asked[first] {
			first++
		}
		for first < last && !asked[last-1] {
			last--
		}
		if first == last {
			return
		}
	}
	n := last - first
	acc := w.acc[:n*blockSize]
	for i := range acc {
		acc[i] = grid.Nothing
	}
	for k := range w.lowest[:n] {
		w.lowest[k] = grid.Nothing
		if w.asked != nil && !w.asked[j*w.blocks+first+k] {
			w.lowest[k] = math.MaxFloat32
		}
	}
	least := grid.Nothing // of the lowest
	for d := range w.rows {
		a, b := j-d, j+d
		if a < 0 {
			a = b
		}
		if b >= w.height {
			b = a
		}
		if a < 0 || a >= w.height || b < 0 {
			continue
		}
		top := max(w.top[a], w.top[b])
		if top+w.rows[d].single[0] <= least {
			continue
		}
		w.rowPair(&w.rows[d], a, b, first, n, top, least)
		least = slices.Min(w.lowest[:n])
	}
	copy(out[first*blockSize:], acc)
}

// keep clears the cells of a row that are not asked for.
func keep(row []float32, asked []bool) {
	for i := range row {
		if !asked[i] {
			row[i] = grid.Nothing
		}
	}
}

// rowPair raises n blocks from the first on by the rows a and b, which share the taps of r and are no higher than top.
// No block is lower than least.
func (w *offsetter) rowPair(r *tapRow, a, b, first, n int, top, least float32) {
	all := n + 2*w.margin
	from := w.stride / blockSize
	ma, mb := w.field.most[a*from+first:][:all], w.field.most[b*from+first:][:all]
	most := w.most[:all]
	for k := range most {
		most[k] = max(ma[k], mb[k])
	}
	w.fold[0].done, w.fold[1].done = false, false
	if r.flat > 0 {
		reach := (r.flat + blockSize - 2) / blockSize
		slide, size := w.slide[:all], 1 // adjacent values
		for copy(slide, most); 2*size <= 2*reach+1; size *= 2 {
			for k := range slide[size:] {
				slide[k] = max(slide[k], slide[k+size])
			}
		}
		for k := range n {
			m := max(slide[k+w.margin-reach], slide[k+w.margin+reach+1-size])
			w.todo[k] = m+r.equal[0] > w.lowest[k]
		}
		left := r.flat - 1
		w.do(1, a, b, first, n, -left, left-w.window+1, -w.window, r.equal)
	}
	for i := r.flat; i < len(r.single) && top+r.single[i] > least; { // taps do not rise outward
		end := min((i/blockSize+1)*blockSize, len(r.single))
		c := i / blockSize
		for k := range n {
			x := k + w.margin
			m := max(most[x-c-1], most[x-c], most[x+c], most[x+c+1])
			w.todo[k] = m+r.single[i] > w.lowest[k]
		}
		w.do(0, a, b, first, n, -i, i, 1, r.single[i:end])
		i = end
	}
}

// do raises the blocks in w.todo by pairs of cells of the folded row: the pairs start at left and right of each
// cell and move apart by step.
func (w *offsetter) do(source, a, b, first, n, left, right, step int, taps []float32) {
	for k := 0; k < n; k++ {
		if !w.todo[k] {
			continue
		}
		end := k + 1
		for end < n && w.todo[end] {
			end++
		}
		row := w.folded(source, a, b, first, n)
		at := (k + w.margin) * blockSize
		dilate(w.acc[k*blockSize:end*blockSize], w.lowest[k:end], row, at+left, at+right, step, taps)
		k = end
	}
}

// folded returns the greater of the rows a and b.
func (w *offsetter) folded(source, a, b, first, n int) []float32 {
	f := &w.fold[source]
	from := w.z
	if source == 1 {
		from = w.windows
	}
	size := (n + 2*w.margin) * blockSize
	ra, rb := from[a*w.stride+first*blockSize:][:size], from[b*w.stride+first*blockSize:][:size]
	if a == b {
		return ra
	}
	if !f.done {
		f.done = true
		maxRows(f.row[:size], ra, rb)
	}
	return f.row[:size]
}
