// Package field holds the exact distance transforms of the processor.
//
// Method: the Euclidean distance is separable (A. Meijster, J. Roerdink, W. Hesselink, "A general algorithm
// for computing distance transforms in linear time", 2000; P. Felzenszwalb, D. Huttenlocher, "Distance
// transforms of sampled functions", 2012). First every column finds the nearest site above and below each
// of its cells; then every row takes the lower envelope of one parabola per column. Departures:
//
//   - All numbers are integers. Of two parabolas the row needs the first column where the right one wins. The
//     quotient is guessed by a product with a stored reciprocal and put right by its remainder, so no division
//     is left in the loop and no rounding either.
//   - Equal distances go to the site of the lowest number. The two sites of any pair change places at one
//     column of a row, ties included, which is all the envelope asks for.
//   - The rows are cut into bands. A pass over the bands keeps the first and last site of each column of each
//     band, a scan over these tells every band what lies above and below it, and then each band runs both
//     passes of its rows in scratch that stays in the cache. No transposed copy is made, and what the threads
//     do does not depend on their number.
//
// Cost: O(cells), two reads of the field and one write of the result; 8 bytes of scratch per column and band
// and some 1 MB per thread. Limits: those of kernel.DistanceInput.
package field

import (
	"context"
	"math"
)

// Each runs numbered tasks on all goroutines; every goroutine asks for its own worker.
type Each func(ctx context.Context, tasks int, worker func() func(task int)) error

const (
	bandCells = 1 << 17 // cells of a band: its scratch of 8 bytes each fits the second cache level
	bandRows  = 16      // rows of a band at least, so that what is kept per band stays a small share

	scanColumns = 4096 // columns of one task of the scan over the bands
)

// none marks the absence of a site.
const none = -1

// transform is one separable transform. Its rows are those of the grid or, for sites on horizontal lines of
// the grid, its columns; the first pass runs from row to row, the second along each row.
type transform struct {
	width, height int
	shift         uint // a cell has 1<<shift units
	byRow         bool // of equally near sites the one in the lower row wins, else the one in the lower column

	// fill writes the sites of rows lo to hi: their position across the rows, in units, or none. The one of
	// row j lies in [j, j+1) cells.
	fill func(lo, hi int, dst []int32)

	// emit takes the lower envelope of row j.
	emit func(s *scratch, j int)

	// flush is called after the last row of the band lo to hi.
	flush func(s *scratch, lo, hi int)

	band        int // rows of a band
	first, last []int32
	inverse     []float64 // of 2·d·unit² at d
}

// run computes the transform.
func (t *transform) run(ctx context.Context, each Each) error {
	if t.width == 0 || t.height == 0 {
		return ctx.Err()
	}
	t.band = min(max(bandCells/t.width, bandRows), t.height)
	bands := (t.height + t.band - 1) / t.band
	t.first, t.last = make([]int32, bands*t.width), make([]int32, bands*t.width)
	t.inverse = make([]float64, t.width)
	for d := 1; d < t.width; d++ {
		t.inverse[d] = 1 / float64(int64(d)<<(2*t.shift+1))
	}
	err := each(ctx, bands, func() func(int) {
		sites := make([]int32, t.band*t.width)
		return func(b int) { t.survey(b, sites) }
	})
	if err != nil {
		return err
	}
	scans := (t.width + scanColumns - 1) / scanColumns
	err = each(ctx, scans, func() func(int) {
		return func(i int) { t.scan(bands, i*scanColumns, min((i+1)*scanColumns, t.width)) }
	})
	if err != nil {
		return err
	}
	return each(ctx, bands, func() func(int) {
		s := newScratch(t)
		return func(b int) { t.rows(b, s) }
	})
}

func (t *transform) rowsOf(band int) (lo, hi int) {
	return band * t.band, min((band+1)*t.band, t.height)
}

// survey notes the first and the last site of every column of a band.
func (t *transform) survey(band int, sites []int32) {
	lo, hi := t.rowsOf(band)
	t.fill(lo, hi, sites)
	first, last := t.first[band*t.width:][:t.width], t.last[band*t.width:][:t.width]
	forget(first)
	forget(last)
	for r := range hi - lo {
		carry(last, sites[r*t.width:][:t.width])
	}
	for r := hi - lo - 1; r >= 0; r-- {
		carry(first, sites[r*t.width:][:t.width])
	}
}

// forget sets all sites to none.
func forget(sites []int32) {
	for i := range sites {
		sites[i] = none
	}
}

// carry puts the sites of a row over those carried along.
func carry(carried, row []int32) {
	carried = carried[:len(row)]
	for i, p := range row {
		c := carried[i]
		if p >= 0 {
			c = p
		}
		carried[i] = c
	}
}

// scan turns the last site of each band into the last one below it and the first into the first one above.
func (t *transform) scan(bands, lo, hi int) {
	n := hi - lo
	carried, own := make([]int32, n), make([]int32, n)
	sweep := func(b int, sites []int32) {
		row := sites[b*t.width+lo:][:n]
		copy(own, row)
		copy(row, carried)
		carry(carried, own)
	}
	forget(carried)
	for b := range bands {
		sweep(b, t.last)
	}
	forget(carried)
	for b := bands - 1; b >= 0; b-- {
		sweep(b, t.first)
	}
}

// scratch is the memory of one goroutine. After envelope the parabola of part k is the lowest one of the
// columns start[k] to start[k+1]-1.
type scratch struct {
	sites, below []int32 // of the band
	carried      []int32

	parts    int
	start    []int32
	column   []int32
	position []int32 // across the rows, in units
	height   []int64 // squared distance across the rows

	squared []uint64 // of the band, for emit and flush
	nearest []int32
}

func newScratch(t *transform) *scratch {
	w, n := t.width, t.band*t.width
	return &scratch{
		sites: make([]int32, n), below: make([]int32, n), carried: make([]int32, w),
		start: make([]int32, w+1), column: make([]int32, w), position: make([]int32, w), height: make([]int64, w),
	}
}

// rows runs both passes over the rows of a band.
func (t *transform) rows(band int, s *scratch) {
	lo, hi := t.rowsOf(band)
	w := t.width
	t.fill(lo, hi, s.sites)
	copy(s.carried, t.last[band*w:])
	for r := range hi - lo {
		copy(s.below[r*w:], s.carried)
		carry(s.carried, s.sites[r*w:][:w])
	}
	copy(s.carried, t.first[band*w:])
	for r := hi - lo - 1; r >= 0; r-- {
		carry(s.carried, s.sites[r*w:][:w])
		t.envelope(s, lo+r, s.below[r*w:][:w], s.carried)
		t.emit(s, lo+r)
	}
	if t.flush != nil {
		t.flush(s, lo, hi)
	}
}

// envelope finds the parts of row j from the nearest sites below and above it. One below has won a tie when
// it is as near as the one above.
func (t *transform) envelope(s *scratch, j int, below, above []int32) {
	unit := int64(1) << (2 * t.shift)
	y := int64(j) << t.shift
	top := -1
	above = above[:len(below)]
	for i, p := range below {
		q := above[i]
		if p < 0 && q < 0 {
			continue
		}
		g := y - int64(p)
		if d := int64(q) - y; p < 0 || q >= 0 && d < g {
			g, p = d, q
		}
		g *= g
		n := int64(0) // u² - i² and the heights, times unit²
		for top >= 0 {
			k := int64(s.column[top])
			x := int64(s.start[top])
			// The new parabola less the old one, at the first column of the old one.
			n = g - s.height[top] + (int64(i)-k)*(int64(i)+k)*unit
			if v := n - 2*x*(int64(i)-k)*unit; v > 0 || v == 0 && !(t.byRow && p>>t.shift < s.position[top]>>t.shift) {
				break
			}
			top--
		}
		at := int64(0)
		if top >= 0 {
			if t.byRow && p>>t.shift < s.position[top]>>t.shift {
				n--
			}
			at = t.quotient(n, i-int(s.column[top])) + 1
			if at >= int64(t.width) {
				continue
			}
		}
		top++
		s.start[top], s.column[top], s.position[top], s.height[top] = int32(at), int32(i), p, g
	}
	s.parts = top + 1
	s.start[top+1] = int32(t.width)
}

// quotient returns ⌊n / 2·d·unit²⌋ for n ≥ 0.
func (t *transform) quotient(n int64, d int) int64 {
	m := int64(d) << (2*t.shift + 1)
	q := int64(float64(n) * t.inverse[d])
	switch r := n - q*m; {
	case r < 0:
		q--
	case r >= m:
		q++
	}
	return q
}

// noSquare is the squared distance where there is no site.
const noSquare = math.MaxUint64
