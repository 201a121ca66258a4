package sweep

// Rays across a tool that stays at its height.
//
// A ray meets the discs of its height, so rays as far beside the tool's axis are met alike where the tool is as wide:
// along a cylinder, as most tools are, at all heights. What one of them meets is computed once.

import (
	"math"
	"math/bits"
)

// alike is what rays at one distance beside the axis meet.
type alike struct {
	radius float64 // mm, of the discs; not a number: not known
	cuts   [][2]float64
	lo, hi float32 // all of them lie between
}

// level reports whether an action that rays across see stays at its height.
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
	for i := range c.alike {
		c.alike[i].radius = math.NaN()
	}
	for j := rays.j0; j < rays.j1; j++ {
		row := j - w.j0
		for todo := columns & open[row] & c.tile.filled[row]; todo != 0; todo &= todo - 1 {
			i := bits.TrailingZeros32(todo)
			y, z := v.turn((float64(w.i0+i)+0.5)*v.lattice.Step, (float64(j)+0.5)*v.lattice.Step)
			known := &c.alike[i]
			if turned {
				known = &c.alike[row]
			}
			c.strikeLevel(a, known, y, z)
			if k := row*tileSide + i; len(known.cuts) > 0 && c.tile.reaches(k, known.lo, known.hi) {
				removed += c.apply(known.cuts, k, j*c.columns+w.i0+i)
			}
		}
	}
	return removed
}

// strikeLevel sees to it that known is what the ray at (y, z) meets, by what it is at another height.
func (c *cutter) strikeLevel(a *action, known *alike, y, z float64) {
	height := a.slide.z
	if a.curved {
		height = a.arc.s
	}
	b := &c.bodies[0]
	r := b.radius(z - height)
	if r == known.radius {
		return
	}
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
