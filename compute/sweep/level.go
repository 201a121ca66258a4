package sweep

// Rays perpendicular to a tool that stays at its height.
//
// A ray meets only the discs at its height. So rays at the same distance from the tool's axis have the same
// intersections wherever the tool has the same radius: on a cylinder, as most tools are, at all heights. They are
// computed for one ray.

import (
	"math"
	"math/bits"
)

// radialCache is the intersection of the rays at one distance from the axis.
type radialCache struct {
	radius float64 // mm, of the discs; not a number: not known
	cuts   [][2]float64
	lo, hi float32 // range of all of them
}

// level reports whether an action with perpendicular rays stays at its height.
func (a *action) level() bool {
	if a.curved {
		return a.arc.rise == 0
	}
	return math.Abs(a.slide.vz) <= still
}

// level is cut for a level action of a part in one piece, in a square view.
func (c *cutter) level(a *action, w, rays window) (removed float64) {
	v, open, columns := c.view, &c.open[a.part], rays.columns(w)
	turned := v.axis[1] == 0
	for i := range c.radialCache {
		c.radialCache[i].radius = math.NaN()
	}
	radius := math.NaN() // at the height of the row, or of each column
	var radii [tileSide]float64
	if turned {
		for i := rays.i0; i < rays.i1; i++ {
			radii[i-w.i0] = c.radiusAt(a, i, rays.j0)
		}
	}
	for j := rays.j0; j < rays.j1; j++ {
		row := j - w.j0
		todo := columns & open[row] & c.tile.filled[row]
		if todo != 0 && !turned {
			radius = c.radiusAt(a, rays.i0, j)
		}
		for ; todo != 0; todo &= todo - 1 {
			i := bits.TrailingZeros32(todo)
			known := &c.radialCache[i]
			if turned {
				known, radius = &c.radialCache[row], radii[i]
			}
			if radius != known.radius {
				c.strikeLevel(a, known, radius, w.i0+i, j)
			}
			if k := row*tileSide + i; len(known.cuts) > 0 && c.tile.reaches(k, known.lo, known.hi) {
				removed += c.apply(known.cuts, k, j*c.columns+w.i0+i)
			}
		}
	}
	return removed
}

// beside returns where the ray in a column and a row is across the tool and along it.
func (v *rayView) beside(column, row int) (y, z float64) {
	return v.turn((float64(column)+0.5)*v.lattice.Step, (float64(row)+0.5)*v.lattice.Step)
}

// radiusAt returns the radius of the tool on a level action at the height of a ray.
func (c *cutter) radiusAt(a *action, column, row int) float64 {
	height := a.slide.z
	if a.curved {
		height = a.arc.s
	}
	_, z := c.view.beside(column, row)
	return c.bodies[0].radius(z - height)
}

// strikeLevel updates known to the intersections of a ray with the tool at the given radius.
func (c *cutter) strikeLevel(a *action, known *radialCache, r float64, column, row int) {
	y, _ := c.view.beside(column, row)
	known.radius, known.cuts = r, known.cuts[:0]
	switch {
	case r < 0:
	case a.curved:
		known.cuts = merge(a.arc.cross(known.cuts, r, y))
	default:
		if lo, hi, ok := a.slide.level(r, y-a.slide.y); ok {
			known.cuts = append(known.cuts, [2]float64{lo, hi})
		}
	}
	if n := len(known.cuts); n > 0 {
		known.lo, known.hi = float32(known.cuts[0][0]), float32(known.cuts[n-1][1])
	}
}
