package sweep

// Limits of the material that rays can lose.
//
// Most rays that a tool passes have no material left within its reach: turns of a helix pass over earlier ones, and
// holders pass above the remaining stock. So before the intersection of a ray, its spans are compared with an interval
// that contains every possible cut. The interval is the range of the swept volume's box. For rays perpendicular to the
// tool it is the range of discs with the tool's radius at their height, around the box of its tip. The comparison is
// made for groups of legs, as the stock does not grow, and again for each leg.
//
// Oblique rays skip it: a search for one begins where the search for its neighbor ended, regardless of its result.

import (
	"math"
	"math/bits"

	"millwright.dev/millwright/core/cam/stock/dexel"
)

// box has a least and a greatest point in ray coordinates, mm.
type box struct{ lo, hi [3]float64 }

func (b *box) add(o *box) {
	for k := range 3 {
		b.lo[k], b.hi[k] = min(b.lo[k], o.lo[k]), max(b.hi[k], o.hi[k])
	}
}

// space is the volume of a tool part on one leg or on several.
type space struct {
	swept box // swept volume of the part
	tip   box
}

// rays returns the rays of a window that pass the swept volume.
func (s *space) rays(step float64, w window) window {
	i0, i1 := dexel.Cells(s.swept.lo[1], s.swept.hi[1], step, w.i0, w.i1)
	j0, j1 := dexel.Cells(s.swept.lo[2], s.swept.hi[2], step, w.j0, w.j1)
	return window{i0, i1, j0, j1}
}

// limits are intervals of the rays of a tile. They contain every cut of the rays, rounded to float32.
type limits struct {
	lo, hi float64 // mm, of all rays; of the axis if round

	// Only if round: the squared distance of the axis from a ray, and the squared radius of the tool at the ray's
	// height (below 0 where the tool is absent), by column and row, or by row and column.
	round, turned bool
	beside2, r2   [tileSide]float64
}

// loose is the margin of the intervals, as a share of the coordinates: the cuts inside are computed by other formulas.
const loose = 1e-9

// set computes the limits of some rays of a tile for a part of the tool.
func (l *limits) set(in *space, v *rayView, p *part, tile, rays window) {
	pad := loose
	for k := range 3 {
		pad = max(pad, loose*math.Abs(in.swept.lo[k]), loose*math.Abs(in.swept.hi[k]))
	}
	l.round = v.square()
	if !l.round {
		l.lo, l.hi = in.swept.lo[0]-pad, in.swept.hi[0]+pad
		return
	}
	l.lo, l.hi = in.tip.lo[0]-pad, in.tip.hi[0]+pad
	l.turned = v.axis[1] == 0
	side, height, up := 1, 2, v.axis[1] // coordinates
	if l.turned {
		side, height, up = 2, 1, v.axis[0]
	}
	of := [3][2]int{1: {rays.i0, rays.i1}, 2: {rays.j0, rays.j1}}
	from := [3]int{1: tile.i0, 2: tile.j0}
	for k := of[side][0]; k < of[side][1]; k++ {
		at := (float64(k) + 0.5) * v.lattice.Step
		d := max(in.tip.lo[side]-at, at-in.tip.hi[side], 0)
		l.beside2[k-from[side]] = d * d
	}
	for k := of[height][0]; k < of[height][1]; k++ {
		at := (float64(k) + 0.5) * v.lattice.Step
		low, high := at-in.tip.hi[height], at-in.tip.lo[height]
		if up < 0 {
			low, high = -high, -low
		}
		r := p.widest(low-pad, high+pad)
		if r >= 0 {
			r += pad
		}
		l.r2[k-from[height]] = math.Copysign(r*r, r)
	}
}

// at returns the interval of a ray; of nothing the ends are in the wrong order.
func (l *limits) at(column, row int) (lo, hi float32) {
	if !l.round {
		return float32(l.lo), float32(l.hi)
	}
	if l.turned {
		column, row = row, column
	}
	d := l.r2[row] - l.beside2[column]
	if !(d >= 0) {
		return math.MaxFloat32, -math.MaxFloat32
	}
	half := math.Sqrt(d)
	return float32(l.lo - half), float32(l.hi + half)
}

// widest returns the greatest radius of the part between two heights above the tip, below 0 where it has nothing there.
func (p *part) widest(low, high float64) float64 {
	r := -1.0
	for i := range p.bodies {
		for k := range p.bodies[i].slabs {
			// which widens or narrows over its whole height
			if s := &p.bodies[i].slabs[k]; s.z1 >= low && s.z0 <= high {
				r = max(r, s.radius(max(low, s.z0)), s.radius(min(high, s.z1)))
			}
		}
	}
	return r
}

// surveyed is the number of actions for which a tile is surveyed at a time.
const surveyed = 64

// survey finds the rays of the tile that some actions may take something of, by the part of the tool.
func (c *cutter) survey(actions []action, some []int32, w window) {
	for p := range c.parts {
		var all *space
		for _, k := range some {
			switch a := &actions[k]; {
			case int(a.part) != p:
			case all == nil:
				first := a.space
				all = &first
			default:
				all.swept.add(&a.swept)
				all.tip.add(&a.tip)
			}
		}
		c.open[p] = [tileSide]uint32{}
		if all == nil {
			continue
		}
		rays := all.rays(c.view.lattice.Step, w)
		c.limits.set(all, c.view, &c.parts[p], w, rays)
		for j := rays.j0; j < rays.j1; j++ {
			c.open[p][j-w.j0] = c.reached(j-w.j0, c.tile.filled[j-w.j0]&rays.columns(w))
		}
	}
}

// reached returns which of some rays of a row have spans within the limits.
func (c *cutter) reached(row int, among uint32) (out uint32) {
	for ; among != 0; among &= among - 1 {
		i := bits.TrailingZeros32(among)
		if lo, hi := c.limits.at(i, row); c.tile.reaches(row*tileSide+i, lo, hi) {
			out |= 1 << i
		}
	}
	return out
}

// columns returns the set of the columns of a tile that are in the window.
func (w *window) columns(tile window) uint32 {
	if w.i0 >= w.i1 {
		return 0
	}
	return uint32(1<<(w.i1-tile.i0) - 1<<(w.i0-tile.i0))
}
