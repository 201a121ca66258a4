package distance

// Distance transforms on the processor.
//
// Method: the Euclidean distance is separable (A. Meijster, J. Roerdink, W. Hesselink, "A general algorithm for
// computing distance transforms in linear time", 2000; P. Felzenszwalb, D. Huttenlocher, "Distance transforms of
// sampled functions", 2012). First every column finds the nearest site above and below each of its cells; then every
// row takes the lower envelope of one parabola per column. Departures:
//
//   - All numbers are integers. While the envelope grows, the crossings of parabolas are compared as fractions, by
//     cross products. Only the final crossings are divided: the quotient is estimated with a stored reciprocal and
//     corrected by its remainder.
//   - Equal distances go to the site with the lowest number. The two sites of any pair swap at one column of a row,
//     ties included, as the envelope requires: a crossing moves to the left by less than its distance from any
//     column, where the right site wins the tie.
//   - The rows are cut into bands. A pass over the bands keeps the first and last site of each column of each band. A
//     scan over these gives every band the sites above and below it. Then each band runs both passes of its rows in
//     scratch memory that fits into the cache. There is no transposed copy, and the work does not depend on the
//     number of threads.
//
// Cost: O(cells), two reads of the field and one write of the result; 8 bytes of scratch per column and band and some 1
// MB per thread. Limits: those of Input.

import (
	"context"
	"math"
	"math/bits"

	"millwright.dev/millwright/compute/primitive"
)

const (
	bandCells = 1 << 17 // cells of a band: its scratch of 8 bytes each fits the second cache level
	bandRows  = 16      // minimum rows of a band, so that the data per band is a small share

	scanColumns = 4096 // columns of one task of the scan over the bands
)

const (
	// none is the position of an absent site. Every distance to it exceeds far, the squares of both stay within int64,
	// and as an unsigned number a distance upward to it exceeds all others.
	none = -1 << 29
	far  = 1 << 28

	reach = 4 // number of columns to each side that prune compares
)

// transform is one separable transform. Its rows are the rows of the grid or, for sites on horizontal lines of the
// grid, its columns. The first pass runs from row to row, the second along each row.
type transform struct {
	width, height int
	shift         uint // a cell has 1<<shift units
	byRow         bool // of equally near sites the one in the lower row wins, else the one in the lower column

	// fill lists the sites of rows lo to hi, row after row.
	fill func(lo, hi int, l *list)

	// emit takes the lower envelope of row j.
	emit func(s *scratch, j int)

	// flush is called after the last row of the band lo to hi.
	flush func(s *scratch, lo, hi int)

	band        int // rows of a band
	first, last []int32
	inverse     []float64 // of 4·d·unit² at d
}

// list contains the sites of a band. The sites of its row r have the numbers end[r-1] to end[r]-1. The position of a
// site across the rows is in units; in row j it lies in [j, j+1) cells.
type list struct {
	column, position []int32
	end              []int32
}

// add appends a site to the row that is being filled.
func (l *list) add(column, position int32) {
	n := len(l.column)
	l.column, l.position = l.column[:n+1], l.position[:n+1]
	l.column[n], l.position[n] = column, position
}

func (l *list) endRow()  { l.end = append(l.end, int32(len(l.column))) }
func (l *list) restart() { l.column, l.position, l.end = l.column[:0], l.position[:0], l.end[:0] }

func newList(t *transform) *list {
	n := t.band * t.width
	return &list{make([]int32, 0, n), make([]int32, 0, n), make([]int32, 0, t.band)}
}

// carry replaces the sites carried along by the sites of row r.
func (l *list) carry(carried []int32, r int) {
	lo, hi := int32(0), l.end[r]
	if r > 0 {
		lo = l.end[r-1]
	}
	position := l.position[lo:hi]
	for k, i := range l.column[lo:hi] {
		carried[i] = position[k]
	}
}

// run computes the transform.
func (t *transform) run(ctx context.Context, on primitive.CPU) error {
	if t.width == 0 || t.height == 0 {
		return ctx.Err()
	}
	t.band = min(max(bandCells/t.width, bandRows), t.height)
	bands := (t.height + t.band - 1) / t.band
	t.first, t.last = make([]int32, bands*t.width), make([]int32, bands*t.width)
	t.inverse = make([]float64, t.width)
	for d := 1; d < t.width; d++ {
		t.inverse[d] = 1 / float64(int64(d)<<(2*t.shift+2))
	}
	err := on.Each(ctx, bands, func() func(int) {
		l := newList(t)
		return func(b int) { t.survey(b, l) }
	})
	if err != nil {
		return err
	}
	scans := (t.width + scanColumns - 1) / scanColumns
	err = on.Each(ctx, scans, func() func(int) {
		return func(i int) { t.scan(bands, i*scanColumns, min((i+1)*scanColumns, t.width)) }
	})
	if err != nil {
		return err
	}
	return on.Each(ctx, bands, func() func(int) {
		s := newScratch(t)
		return func(b int) { t.rows(b, s) }
	})
}

func (t *transform) rowsOf(band int) (lo, hi int) {
	return band * t.band, min((band+1)*t.band, t.height)
}

// survey notes the first and the last site of every column of a band.
func (t *transform) survey(band int, l *list) {
	lo, hi := t.rowsOf(band)
	l.restart()
	t.fill(lo, hi, l)
	first, last := t.first[band*t.width:][:t.width], t.last[band*t.width:][:t.width]
	forget(first)
	forget(last)
	for r := range hi - lo {
		l.carry(last, r)
	}
	for r := hi - lo - 1; r >= 0; r-- {
		l.carry(first, r)
	}
}

// forget sets all sites to none.
func forget(sites []int32) {
	for i := range sites {
		sites[i] = none
	}
}

// scan turns the last site of each band into the last one below it and the first into the first one above.
func (t *transform) scan(bands, lo, hi int) {
	carried, own := make([]int32, hi-lo), make([]int32, hi-lo)
	sweep := func(b int, sites []int32) {
		row := sites[b*t.width+lo:][:hi-lo]
		copy(own, row)
		copy(row, carried)
		for i, p := range own {
			if p >= 0 {
				carried[i] = p
			}
		}
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
	sites   *list
	below   []int32 // of the band
	carried []int32

	heights   []int64 // of column i at i + reach, far² beyond the ends
	positions []int32 // of the nearer site of every column
	kept      []int32 // columns that may own a part

	parts []part // lowest parabolas from left to right
	start []int32

	squared []uint64 // of the band, for emit and flush
	nearest []int32
}

// part is a parabola (x-column)²·unit² + height of the envelope.
type part struct {
	height   int64 // squared distance across the rows, in units
	cross    int64 // over 4·gap·unit²: where it leaves the part before it below, less a little at ties it wins
	gap      int32 // columns to the part before
	column   int32
	position int32 // across the rows, in units
	row      int32 // of the site where that decides ties, else 0
}

func newScratch(t *transform) *scratch {
	w := t.width
	s := &scratch{
		sites: newList(t), below: make([]int32, t.band*w), carried: make([]int32, w),
		heights: make([]int64, w+2*reach), positions: make([]int32, w), kept: make([]int32, w),
		parts: make([]part, w), start: make([]int32, w+1),
	}
	for k := range reach {
		s.heights[k], s.heights[w+reach+k] = far*far, far*far
	}
	return s
}

// rows runs both passes over the rows of a band.
func (t *transform) rows(band int, s *scratch) {
	lo, hi := t.rowsOf(band)
	w := t.width
	s.sites.restart()
	t.fill(lo, hi, s.sites)
	copy(s.carried, t.last[band*w:])
	for r := range hi - lo {
		copy(s.below[r*w:], s.carried)
		s.sites.carry(s.carried, r)
	}
	copy(s.carried, t.first[band*w:])
	for r := hi - lo - 1; r >= 0; r-- {
		s.sites.carry(s.carried, r)
		t.envelope(s, lo+r, s.below[r*w:][:w], s.carried)
		t.divide(s)
		t.emit(s, lo+r)
	}
	if t.flush != nil {
		t.flush(s, lo, hi)
	}
}

// nearer puts the nearer of the sites below and above every cell of row j into s; one below wins a tie.
func (t *transform) nearer(s *scratch, j int, below, above []int32) {
	y := int64(j) << t.shift
	above = above[:len(below)]
	heights, positions := s.heights[reach:][:len(below)], s.positions[:len(below)]
	for i, p := range below {
		q := above[i]
		d, e := uint64(y-int64(p)), uint64(int64(q)-y)
		if e < d {
			d, p = e, q
		}
		heights[i], positions[i] = int64(d*d), p
	}
}

// prune lists the columns with a site whose parabola may be the lowest somewhere. Each parabola is compared with those
// at the same distance to the left and to the right. If the three heights bend downward, it is nowhere the lowest. A
// loop without branches finds this at less cost than the envelope.
func (t *transform) prune(s *scratch) {
	unit := int64(2) << (2 * t.shift)
	n := 0
	h := s.heights
	kept := s.kept[:len(h)-2*reach]
	for i := range kept {
		g := h[i : i+2*reach+1 : i+2*reach+1]
		c := 2 * g[reach]
		drop := (g[reach-1] + g[reach+1] - c + unit) | (g[reach-2] + g[reach+2] - c + 4*unit) |
			(g[0] + g[2*reach] - c + 16*unit) | (2*far*far - 1 - c)
		kept[n] = int32(i)
		n += int(1 + drop>>63)
	}
	s.kept = kept[:n]
}

// envelope finds the parts of row j from the nearest sites below and above it.
func (t *transform) envelope(s *scratch, j int, below, above []int32) {
	s.kept = s.kept[:cap(s.kept)]
	t.nearer(s, j, below, above)
	t.prune(s)
	parts := s.parts[:cap(s.parts)]
	top := -1
	end := int64(t.width-1) << (2*t.shift + 2)
	twice := (2*t.shift + 1) & 63 // the masks spare tests of the shifts
	rowShift, rowMask := t.shift&31, int32(-1)
	if !t.byRow {
		rowMask = 0
	}
	heights := s.heights[reach:]
	for _, i := range s.kept {
		g, p := heights[i], s.positions[i]
		row := p >> rowShift & rowMask
		cross, gap := int64(0), int64(0)
		for top >= 0 {
			last := &parts[top]
			gap = int64(i - last.column)
			cross = (g-last.height)<<1 + (gap*int64(i+last.column))<<twice - int64(uint32(row-last.row)>>31)
			if cross >= 0 && (top == 0 || less(last.cross, int64(last.gap), cross, gap)) {
				break
			}
			top--
		}
		if top >= 0 && cross >= end*gap {
			continue
		}
		top++
		last := &parts[top]
		last.height, last.cross, last.gap = g, cross, int32(gap)
		last.column, last.position, last.row = i, p, row
	}
	s.parts = parts[:top+1]
}

// less reports whether a/b < c/d for a, c ≥ 0 and b, d > 0.
func less(a, b, c, d int64) bool {
	h0, l0 := bits.Mul64(uint64(a), uint64(d))
	h1, l1 := bits.Mul64(uint64(c), uint64(b))
	return h0 < h1 || h0 == h1 && l0 < l1
}

// divide computes where the parts start: at the first column beyond their crossing.
func (t *transform) divide(s *scratch) {
	for k := range s.parts {
		p := &s.parts[k]
		m := int64(p.gap) << (2*t.shift + 2)
		q := int64(float64(p.cross) * t.inverse[p.gap])
		switch r := p.cross - q*m; {
		case r < 0:
			q--
		case r >= m:
			q++
		}
		s.start[k] = int32(q + 1)
	}
	if len(s.parts) > 0 {
		s.start[0] = 0
	}
	s.start[len(s.parts)] = int32(t.width)
}

// noSquare is the squared distance if there is no site.
const noSquare = math.MaxUint64
