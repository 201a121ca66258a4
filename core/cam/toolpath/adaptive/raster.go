package adaptive

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/arcpoly"
)

// raster is a grid of cells; the value of a cell is the value at its point.
type raster struct {
	origin  geom.Vec2 // the point of the first cell
	step    float64   // mm, between points
	inverse float64   // 1/step
	nx, ny  int
}

func (r *raster) point(i, j int) geom.Vec2 {
	return geom.Vec2{X: r.origin.X + float64(i)*r.step, Y: r.origin.Y + float64(j)*r.step}
}

// cell returns coordinates in cells.
func (r *raster) cell(p geom.Vec2) (x, y float64) {
	return (p.X - r.origin.X) * r.inverse, (p.Y - r.origin.Y) * r.inverse
}

// chord is a straight piece of a boundary.
type chord struct{ from, to geom.Vec2 }

// chordsOf returns the boundary of an area as chords within a tolerance (mm) of it, clipped to rows of the raster.
func (r *raster) chordsOf(a *arcpoly.Area, tolerance, margin float64) []chord {
	lo, hi := r.origin.Y-margin, r.origin.Y+float64(r.ny)*r.step+margin
	var out []chord
	for _, l := range a.Loops() {
		for i := range l {
			p := &l[i]
			n := 1
			if p.Turn != 0 {
				most := 2 * math.Acos(max(0.5, 1-tolerance/max(p.Radius(), 2*tolerance)))
				n = max(1, int(math.Ceil(math.Abs(p.Turn)/most)))
			}
			from := p.From
			for k := 1; k <= n; k++ {
				to := l[(i+1)%len(l)].From
				if k < n {
					to = p.At(float64(k) / float64(n))
				}
				if max(from.Y, to.Y) >= lo && min(from.Y, to.Y) <= hi {
					out = append(out, chord{from, to})
				}
				from = to
			}
		}
	}
	return out
}

// inside calls f for the runs of cells, from i0 to i1-1, in the area bounded by chords.
func (r *raster) inside(chords []chord, f func(j, i0, i1 int)) {
	rows := func(c *chord) (lo, hi geom.Vec2, j0, j1 int) {
		lo, hi = c.from, c.to
		if lo.Y > hi.Y {
			lo, hi = hi, lo
		}
		j0 = max(0, int(math.Ceil((lo.Y-r.origin.Y)*r.inverse)))
		j1 = min(r.ny, int(math.Ceil((hi.Y-r.origin.Y)*r.inverse)))
		return lo, hi, j0, j1
	}
	ends := make([]int, r.ny+1)
	for k := range chords {
		_, _, j0, j1 := rows(&chords[k])
		for j := j0; j < j1; j++ {
			ends[j+1]++
		}
	}
	for j := range r.ny {
		ends[j+1] += ends[j]
	}
	crossings, fill := make([]float64, ends[r.ny]), slices.Clone(ends)
	for k := range chords {
		lo, hi, j0, j1 := rows(&chords[k])
		if j0 >= j1 {
			continue
		}
		slope := (hi.X - lo.X) / (hi.Y - lo.Y)
		for j := j0; j < j1; j++ {
			y := r.origin.Y + float64(j)*r.step
			crossings[fill[j]] = (lo.X + slope*(y-lo.Y) - r.origin.X) * r.inverse
			fill[j]++
		}
	}
	for j := range r.ny {
		row := crossings[ends[j]:ends[j+1]]
		slices.Sort(row)
		for k := 0; k+1 < len(row); k += 2 {
			i0, i1 := math.Ceil(max(row[k], 0)), math.Ceil(min(row[k+1], float64(r.nx)))
			if i0 < i1 {
				f(j, int(i0), int(i1))
			}
		}
	}
}

// distances returns the signed distances (mm) from the boundary of an area, positive inside, cut off at ±far.
func (r *raster) distances(chords []chord, far float64) []float32 {
	field := make([]float32, r.nx*r.ny)
	limit := float32(far)
	for i := range field {
		field[i] = -limit
	}
	r.inside(chords, func(j, i0, i1 int) {
		row := field[j*r.nx+i0 : j*r.nx+i1]
		for i := range row {
			row[i] = limit
		}
	})
	for k := range chords {
		r.near(field, &chords[k], far)
	}
	return field
}

// near lowers the distances around a chord.
func (r *raster) near(field []float32, c *chord, far float64) {
	ax, ay := r.cell(c.from)
	bx, by := r.cell(c.to)
	reach := far * r.inverse
	dx, dy := bx-ax, by-ay
	over := 0.0
	if n := dx*dx + dy*dy; n > 0 {
		over = 1 / n
	}
	j0, j1 := int(max(0, math.Ceil(min(ay, by)-reach))), int(min(float64(r.ny-1), math.Floor(max(ay, by)+reach)))
	for j := j0; j <= j1; j++ {
		lo, hi := capsuleRow(float64(j), ax, ay, bx, by, reach)
		if lo > hi {
			continue
		}
		i0, i1 := int(max(0, math.Ceil(lo))), int(min(float64(r.nx-1), math.Floor(hi)))
		y := float64(j) - ay
		for i := i0; i <= i1; i++ {
			x := float64(i) - ax
			t := max(0, min(1, (x*dx+y*dy)*over))
			ex, ey := x-t*dx, y-t*dy
			d := float32(math.Sqrt(ex*ex+ey*ey) * r.step)
			if v := &field[j*r.nx+i]; *v > 0 {
				*v = min(*v, d)
			} else {
				*v = max(*v, -d)
			}
		}
	}
}

// capsuleRow returns the extent in x of the points of row y within a distance of the line from a to b; lo > hi where
// there are none.
func capsuleRow(y, ax, ay, bx, by, reach float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if q := reach*reach - (y-ay)*(y-ay); q >= 0 {
		q = math.Sqrt(q)
		lo, hi = ax-q, ax+q
	}
	if q := reach*reach - (y-by)*(y-by); q >= 0 {
		q = math.Sqrt(q)
		lo, hi = min(lo, bx-q), max(hi, bx+q)
	}
	dx, dy := bx-ax, by-ay
	if dy == 0 {
		return lo, hi
	}
	// The two long sides: the row meets each between its ends.
	n := reach / math.Sqrt(dx*dx+dy*dy)
	for _, side := range [2]float64{n, -n} {
		if t := (y - ay - side*dx) / dy; t >= 0 && t <= 1 {
			x := ax - side*dy + t*dx
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	return lo, hi
}

// sample returns the bilinear value of a field at coordinates in cells, which must be inside.
func (r *raster) sample(field []float32, x, y float64) float64 {
	i, j := int(x), int(y)
	u, v := float32(x-float64(i)), float32(y-float64(j))
	k := j*r.nx + i
	low, high := field[k:k+2:k+2], field[k+r.nx:k+r.nx+2:k+r.nx+2]
	p := low[0] + u*(low[1]-low[0])
	q := high[0] + u*(high[1]-high[0])
	return float64(p + v*(q-p))
}
