package planning

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// beam is a straight line through the stock toward a side. It answers for the places of the line what isLeft answers
// for a point, by how high the part is at most over it.
type beam struct {
	sign    float64       // of the side
	in      geom.Interval // along the side: all beyond it is cut away
	rasters []beamRaster
}

// beamRaster is the part as seen from a side that looks across a beam, over the line.
type beamRaster struct {
	at   float64   // of the beam, along that side
	top  []float64 // by cell, from the first one of the line on
	by   int       // cells from one of the line to the next
	n    int       // cells of the line
	span geom.Interval
	step float64
}

// beamFrom returns the line through a place toward a side, in the memory of another one.
func (p *planner) beamFrom(st *state, at geom.Vec3, to side, rasters []beamRaster) beam {
	b := beam{sign: to.sign(), in: geom.Interval{Lo: math.Inf(-1), Hi: math.Inf(1)}, rasters: rasters[:0]}
	for _, c := range st.cuts {
		r, z := p.reliefOf(c.side), c.side.sign()*at.Coordinate(c.side.axis())
		switch {
		case c.side == to:
			b.in.Hi = min(b.in.Hi, max(c.low, r.highest(at)))
		case c.side == to.opposite():
			b.in.Lo = max(b.in.Lo, -max(c.low, r.highest(at)))
		case z > c.low:
			if line, ok := r.beam(at, z, to.axis()); ok {
				b.rasters = append(b.rasters, line)
			} else {
				b.in.Hi = math.Inf(-1)
			}
		}
	}
	return b
}

// beam returns the cells over a line along an axis through a place, which is at z along the side of the raster; false
// where nothing of the part is there.
func (r *heightField) beam(at geom.Vec3, z float64, axis int) (beamRaster, bool) {
	xs, ys := geom.Interval{Lo: r.lo.X, Hi: r.hi.X}, geom.Interval{Lo: r.lo.Y, Hi: r.hi.Y}
	x, y := at.Coordinate(r.axes[0]), at.Coordinate(r.axes[1])
	if axis == r.axes[0] {
		j := r.cell(y, ys.Lo, r.ny)
		return beamRaster{at: z, top: r.top[j*r.nx:], by: 1, n: r.nx, span: xs, step: r.step}, y >= ys.Lo && y <= ys.Hi
	}
	i := r.cell(x, xs.Lo, r.nx)
	return beamRaster{at: z, top: r.top[i:], by: r.nx, n: r.ny, span: ys, step: r.step}, x >= xs.Lo && x <= xs.Hi
}

// isLeft reports whether the place at a distance along the side was not cut away yet.
func (b *beam) isLeft(out float64) bool {
	if out > b.in.Hi || out < b.in.Lo {
		return false
	}
	x := b.sign * out
	for i := range b.rasters {
		r := &b.rasters[i]
		if x < r.span.Lo || x > r.span.Hi ||
			r.top[min(max(int((x-r.span.Lo)/r.step), 0), r.n-1)*r.by] < r.at {
			return false
		}
	}
	return true
}
