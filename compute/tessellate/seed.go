package tessellate

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// This file places interior points on a face, with the density that its curvature requires. Rows of constant v are each
// divided evenly between the boundary segments to the left and right; on a triangular lattice every other row is
// shifted by half a step. Points too near the boundary above or below are omitted.

// crossing is the crossing of a line of constant v with the boundary.
type crossing struct {
	line int32
	u    float64
}

// seeder is the scratch of seeding.
type seeder struct {
	rows      []float64 // v of each row
	lines     []float64 // three per row: margin below, row, margin above; ascending
	crossings []crossing
	sorted    []crossing
	start     []int32 // crossings of line i are sorted[start[i]:start[i+1]]
	seeds     []geom.Vec2
}

const (
	// margin (rows) is the minimum distance of a seed from the boundary above and below.
	margin = 0.4
	// stepRounding forgives the rounding of a number of steps that is a whole number.
	stepRounding = 1e-6
	// mostSeeds limits the seeds of one face; a face that needs more has a wrong surface or tolerance.
	mostSeeds = 4 << 20
)

// seed returns interior points for the region of the rings.
func (w *worker) seed(lo, hi geom.Vec2) []geom.Vec2 {
	w.seeds = w.seeds[:0]
	if w.shape.isFlat() || !w.placeRows(lo.Y, hi.Y) {
		return nil
	}
	w.cross()
	for k, v := range w.rows {
		w.seedRow(k, v)
	}
	return w.seeds
}

// placeRows places rows between v = lo and hi; false if no row is needed.
func (w *worker) placeRows(lo, hi float64) bool {
	const steps = 64 // of the integral of the density
	var sum [steps + 1]float64
	h := (hi - lo) / steps
	for i := range steps {
		sum[i+1] = sum[i] + h*w.density.rowDensity(lo+(float64(i)+0.5)*h)
	}
	// Rows of a triangular lattice are √3/2 apart.
	total := sum[steps]
	if w.density.lattice {
		total *= 2 / math.Sqrt(3)
	}
	if !(total-stepRounding > 1) || total > mostSeeds {
		return false
	}
	first, last := w.edgeRow(lo), w.edgeRow(hi)
	n := math.Max(0, math.Ceil(total-first-last-stepRounding)) // steps between the first row and the last
	w.rows, w.lines = w.rows[:0], w.lines[:0]
	i := 0
	inverse := func(s float64) float64 {
		for i < steps-1 && sum[i+1] < s {
			i++
		}
		return lo + h*(float64(i)+(s-sum[i])/(sum[i+1]-sum[i]))
	}
	for k := 0.0; k <= n; k++ {
		at := total * (first + k) / (first + n + last) // all are nearer by the same share
		scale := sum[steps] / total
		below, row, above := inverse((at-margin)*scale), inverse(at*scale), inverse((at+margin)*scale)
		w.rows = append(w.rows, row)
		w.lines = append(w.lines, below, row, above)
	}
	return true
}

// edgeRow returns the distance (rows) of the outermost row from the end v of the face. The boundary's samples are not
// aligned with the row's, so the triangles between them are longer than elsewhere. Around a pole, which is one point,
// six triangles form a regular hexagon.
func (w *worker) edgeRow(v float64) float64 {
	const near, hexagon = 0.7, 1.15
	switch {
	case !w.density.lattice:
		return 1
	case slices.ContainsFunc(w.poles, func(i int32) bool { return w.uv[i].Y == v }):
		return hexagon
	}
	return near
}

// cross intersects all lines with all boundary segments and sorts the crossings along each line.
func (w *worker) cross() {
	w.crossings = w.crossings[:0]
	begin := int32(0)
	for _, end := range w.ringEnds {
		a := w.uv[end-1]
		for _, b := range w.uv[begin:end] {
			w.crossSegment(a, b)
			a = b
		}
		begin = end
	}
	n := len(w.lines)
	w.start = append(w.start[:0], make([]int32, n+1)...)
	for _, c := range w.crossings {
		w.start[c.line+1]++
	}
	for i := range n {
		w.start[i+1] += w.start[i]
	}
	w.sorted = append(w.sorted[:0], w.crossings...)
	for _, c := range w.crossings {
		w.sorted[w.start[c.line]] = c
		w.start[c.line]++
	}
	copy(w.start[1:], w.start[:n])
	w.start[0] = 0
	for i := range n {
		insertionSort(w.sorted[w.start[i]:w.start[i+1]])
	}
}

func (w *worker) crossSegment(a, b geom.Vec2) {
	lo, hi := min(a.Y, b.Y), max(a.Y, b.Y)
	first, _ := slices.BinarySearch(w.lines, lo)
	for i := first; i < len(w.lines) && w.lines[i] < hi; i++ {
		t := (w.lines[i] - a.Y) / (b.Y - a.Y)
		w.crossings = append(w.crossings, crossing{int32(i), a.X + t*(b.X-a.X)})
	}
}

func insertionSort(c []crossing) {
	for i := 1; i < len(c); i++ {
		x := c[i]
		j := i
		for ; j > 0 && c[j-1].u > x.u; j-- {
			c[j] = c[j-1]
		}
		c[j] = x
	}
}

// seedRow adds the seeds of row k at v.
func (w *worker) seedRow(k int, v float64) {
	below, here, above := w.line(3*k), w.line(3*k+1), w.line(3*k+2)
	for i := 0; i+1 < len(here); i += 2 {
		shift := 0.0
		if w.density.lattice && k%2 == 1 {
			shift = 0.5
		}
		below, above = w.seedSpan(here[i].u, here[i+1].u, v, shift, below, above)
	}
}

func (w *worker) line(i int) []crossing { return w.sorted[w.start[i]:w.start[i+1]] }

// seedSpan divides the span lo … hi of the row at v into equal shares of the density's integral. It also adds the
// division points that are inside on the lines above and below. It returns the rest of those lines to the right.
func (w *worker) seedSpan(lo, hi, v, shift float64, below, above []crossing) (b, a []crossing) {
	const most = 32
	steps := most
	if w.density.nu == 1 {
		steps = 1
	}
	var sum [most + 1]float64
	h := (hi - lo) / float64(steps)
	for i := range steps {
		du, _ := w.density.at(geom.Vec2{X: lo + (float64(i)+0.5)*h, Y: v})
		sum[i+1] = sum[i] + h*du
	}
	lack := 0.0 // of the first and last step, for the same reason as in edgeRow
	if w.density.lattice {
		lack = 0.15
	}
	n := math.Ceil(sum[steps] + 2*lack - stepRounding)
	if n+float64(len(w.seeds)) > mostSeeds {
		return below, above
	}
	i := 0
	for k := 1 - shift; k < n; k++ {
		s := (k - lack) / (n - 2*lack) * sum[steps]
		for i < steps-1 && sum[i+1] < s {
			i++
		}
		u := lo + h*(float64(i)+(s-sum[i])/(sum[i+1]-sum[i]))
		var in1, in2 bool
		in1, below = inside(below, u)
		in2, above = inside(above, u)
		if in1 && in2 {
			w.seeds = append(w.seeds, geom.Vec2{X: u, Y: v})
		}
	}
	return below, above
}

// inside reports whether u lies in the region on a line and drops the pairs of crossings left of u.
func inside(line []crossing, u float64) (bool, []crossing) {
	for len(line) >= 2 && line[1].u < u {
		line = line[2:]
	}
	return len(line) >= 2 && line[0].u < u, line
}
