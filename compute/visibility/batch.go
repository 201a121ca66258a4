package visibility

import "math/bits"

const (
	lanes     = 8 // samples tested at once if the processor supports it
	perBatch  = 128
	manyHits  = 512
	smallRows = 8 // a triangle in more rows or columns of cells is large
	smallRuns = perBatch * smallRows

	smallColumns = 1 << windows

	// slipShare is the rounding of an edge function in single precision, as a share of wide · high: the extents (steps)
	// of a rectangle that contains the triangle and the samples. There x and y are within wide and high of the first
	// corner, the sides are at most as long and the area is at most their product. The factors and the area are rounded
	// once each, the sums twice: four roundings of 2^-24 of the sum of the absolute values, which is at most
	// 3·wide·high. Twice that is used, which covers the rounding of the slip itself.
	slipShare = 2 * 4 * 3.0 / (1 << 24)
)

// batch processes many triangles in stages, so that no stage waits for unpredictable branches. prepare finds the
// triangles that rays may enter, their cells, and the runs of samples that they may cover. test finds the groups of
// samples that they cover or nearly cover. settle decides.
type batch struct {
	triangles *[3]int32 // data of the view that the vectors read
	points    *viewPoint
	start     *int32
	columns   *uint16 // per bin
	rows      *uint16
	x, y, z   *int32
	low       *int32
	width     int64      // of a row of cells, in bytes
	stride    int64      // of low, in bytes
	lo, hi    [4]int32   // x and y of the first and of the last sample
	per       [4]uint32  // bins per step, x and after a gap y
	longest   [4]float32 // cells, x and y
	share     float32    // slipShare

	numbers [perBatch + lanes]int32 // of the triangles
	records [perBatch]occluder
	large   [perBatch]int32 // records of the triangles for which cells are cut row by row
	hits    [manyHits + 1]hit
	runs    []run
}

// occluder is a triangle that faces against the rays. Its edge functions belong to its sides opposite to the corners,
// relative to its first corner: twice the area between a point and a side, not negative inside. All are whole numbers
// below 2^53.
type occluder struct {
	p, q, r viewPoint
	area    float64       // twice the area: the constant sum of the edge functions
	sides   [3][2]float32 // of the vectors: the sides, and
	at      [2]float32    // the edge functions at the first corner, too large by slip
	top     int32         // highest z
	_       int32
}

// run is a run of samples, without the last, that a triangle is drawn over.
type run struct{ lo, hi, record int32 }

// hit is a group of samples, one vector wide, that a triangle may partly cover.
type hit [2]int32 // the first sample, the record

// begin sets b to the contents of a view.
func (b *batch) begin(v *view) {
	g := &v.grid
	b.triangles, b.points = &v.triangles[0], &v.points[0]
	b.start, b.columns, b.rows = &g.start[0], &g.across.cell[0], &g.up.cell[0]
	b.x, b.y, b.z = &g.x[0], &g.y[0], &g.z[0]
	b.low, b.width, b.stride = &g.low[0], int64(g.w)*4, int64(g.stride)*4
	b.lo, b.hi = [4]int32{g.across.lo, g.up.lo}, [4]int32{g.across.hi, g.up.hi}
	b.per = [4]uint32{uint32(g.across.per), 0, uint32(g.up.per), 0}
	b.longest = [4]float32{float32(g.across.longest), float32(g.up.longest)}
	b.share = slipShare
	if b.runs == nil {
		b.runs = make([]run, 0, 2*smallRuns)
	}
}

// draw blocks the samples below the first n triangles of numbers.
func (b *batch) draw(v *view, n int) {
	if n == 0 {
		return
	}
	large := b.prepare(v, n)
	for _, k := range b.large[:large] {
		b.cutLarge(&v.grid, k)
		if len(b.runs) >= smallRuns {
			b.test(&v.grid)
		}
	}
	b.test(&v.grid)
}

// prepare computes the first n triangles of the numbered ones that face the rays, and the runs of the small ones. It
// returns the number of large triangles.
func (b *batch) prepare(v *view, n int) (large int) {
	if vectors {
		var runs int
		runs, large = prepareVectors(b, &b.runs[:1][0], n)
		b.runs = b.runs[:runs]
		return large
	}
	g, k := &v.grid, int32(0)
	for _, t := range b.numbers[:n] {
		o := &b.records[k]
		c := &v.triangles[t]
		o.p, o.q, o.r = v.points[c[0]], v.points[c[1]], v.points[c[2]]
		box, ok := o.set(g)
		switch {
		case !ok:
			continue
		case box.c1-box.c0 >= smallColumns || box.r1-box.r0 >= smallRows:
			b.large[large] = k
			large++
		default:
			low := g.low[bits.Len(uint(box.c1-box.c0))*g.stride:]
			for row := box.r0; row <= box.r1; row++ {
				if low[row*g.w+box.c0] < o.top {
					b.add(g, row, box.c0, box.c1, k)
				}
			}
		}
		k++
	}
	return large
}

// span is a rectangle of cells, ends included.
type span struct{ c0, c1, r0, r1 int }

// set returns the cells that the triangle's box touches, false if it touches none or if rays do not enter the triangle.
func (o *occluder) set(g *grid) (span, bool) {
	p, q, r := &o.p, &o.q, &o.r
	area := int64(q.y-p.y)*int64(r.x-p.x) - int64(q.x-p.x)*int64(r.y-p.y)
	o.area, o.top = float64(area), max(p.z, q.z, r.z)
	o.sides = [3][2]float32{
		{float32(r.x - q.x), float32(r.y - q.y)}, {float32(p.x - r.x), float32(p.y - r.y)},
		{float32(q.x - p.x), float32(q.y - p.y)},
	}
	left, right := min(p.x, q.x, r.x), max(p.x, q.x, r.x)
	near, far := min(p.y, q.y, r.y), max(p.y, q.y, r.y)
	x, y := &g.across, &g.up
	if area <= 0 || right < x.lo || left > x.hi || far < y.lo || near > y.hi {
		return span{}, false
	}
	wide := float32(right-left) + float32(x.longest)
	slip := float32(wide*(float32(far-near)+float32(y.longest))) * slipShare
	o.at = [2]float32{float32(o.area) + slip, slip}
	box := span{x.at(max(left, x.lo)), x.at(min(right, x.hi)), y.at(max(near, y.lo)), y.at(min(far, y.hi))}
	return box, true
}

// add adds the samples in columns c0 to c1 of a row to those that a record is drawn over.
func (b *batch) add(g *grid, row, c0, c1 int, record int32) {
	if lo, hi := g.start[row*g.w+c0], g.start[row*g.w+c1+1]; lo < hi {
		b.runs = append(b.runs, run{lo, hi, record})
	}
}

// test draws over all runs.
func (b *batch) test(g *grid) {
	for rest := b.runs; len(rest) > 0; {
		if vectors {
			done, hits := testVectors(b, &rest[0], len(rest), &b.hits[0])
			settleVectors(b, &b.hits[0], hits)
			rest = rest[done:]
			continue
		}
		r := &rest[0]
		b.records[r.record].block(g.x[r.lo:r.hi], g.y[r.lo:r.hi], g.z[r.lo:r.hi])
		rest = rest[1:]
	}
	b.runs = b.runs[:0]
}

// block marks the samples that o covers and lies above. The edge functions are exact in any order; the
// heights are made in one order everywhere, and a product is never joined with a sum, so that every
// processor gets the same bits.
func (o *occluder) block(x, y, z []int32) {
	p, q, r := &o.p, &o.q, &o.r
	x0, y0 := float64(r.x-q.x), float64(r.y-q.y)
	x1, y1 := float64(p.x-r.x), float64(p.y-r.y)
	x2, y2 := float64(q.x-p.x), float64(q.y-p.y)
	for i, h := range z {
		if h >= o.top {
			continue
		}
		dx, dy := float64(x[i]-p.x), float64(y[i]-p.y)
		u := y0*dx - x0*dy + o.area
		v := y1*dx - x1*dy
		w := y2*dx - x2*dy
		if u < 0 || v < 0 || w < 0 {
			continue
		}
		height := float64(float64(u*float64(p.z))+float64(v*float64(q.z))) + float64(w*float64(r.z))
		if height > float64(float64(h)*o.area) {
			z[i] = blocked
		}
	}
}
