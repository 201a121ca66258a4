package sweep

import (
	"math"
	"math/bits"

	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/dexel"
)

// joint (mm) is the maximum gap between two intervals of a ray that count as one, far below the resolution of float32.
const joint = 1e-7

// cutter is the memory of one goroutine.
type cutter struct {
	*sweeper
	*part                // current part
	skews       []skew   // of slanted rays: the bodies on the current move
	near        [][2]int // of slanted rays: where the ray beside met each body
	tile        *tile
	cuts        [][2]float64
	limits      limits                // of the current action
	radialCache [tileSide]radialCache // of a level action: rays as far beside the axis, by column or row
	open        [][tileSide]uint32    // by part and row: columns whose rays the next actions may take something of
	counted     int64                 // updates of the tile
	worst       gouged                // of the current action
}

func newCutter(s *sweeper, room *tile) *cutter {
	most := 0
	for i := range s.parts {
		most = max(most, len(s.parts[i].flat))
	}
	c := &cutter{sweeper: s, tile: room, skews: make([]skew, most), near: make([][2]int, most)}
	c.open = make([][tileSide]uint32, len(s.parts))
	for p := range c.open { // slanted rays are not surveyed
		for j := range c.open[p] {
			c.open[p][j] = math.MaxUint32
		}
	}
	return c
}

// strike stores in c.cuts the intervals in which the ray at (p, q) intersects the swept volume of a.
func (c *cutter) strike(a *action, p, q float64) {
	c.cuts = c.cuts[:0]
	switch c.view.kind {
	case along:
		for i := range c.bodies {
			c.strikeAlong(a, &c.bodies[i], p, q)
		}
	case across:
		y, z := c.view.turn(p, q)
		for i := range c.bodies {
			c.strikeAcross(a, &c.bodies[i], y, z)
		}
	default:
		c.slant(a, p, q)
	}
}

func (c *cutter) strikeAlong(a *action, b *body, p, q float64) {
	var lo, hi float64
	var ok bool
	switch {
	case a.curved && a.arc.rise != 0:
		first := len(c.cuts)
		c.cuts = a.arc.fall(c.cuts, b, p, q)
		if c.view.up < 0 {
			for i := range c.cuts[first:] {
				k := &c.cuts[first+i]
				k[0], k[1] = -k[1], -k[0]
			}
		}
		return
	case a.curved:
		lo, hi, ok = a.arc.meet(b, p, q)
	default:
		lo, hi, ok = a.straight.meet(b, p, q)
	}
	if !ok {
		return
	}
	if c.view.up < 0 {
		lo, hi = -hi, -lo
	}
	c.cuts = append(c.cuts, [2]float64{lo, hi})
}

func (c *cutter) strikeAcross(a *action, b *body, y, z float64) {
	switch {
	case a.curved && a.arc.rise != 0:
		c.cuts = a.arc.fallAcross(c.cuts, b, y, z)
	case a.curved:
		if r := b.radius(z - a.arc.s); r >= 0 {
			c.cuts = a.arc.cross(c.cuts, r, y)
		}
	default:
		if lo, hi, ok := a.slide.meet(b, y, z); ok {
			c.cuts = append(c.cuts, [2]float64{lo, hi})
		}
	}
}

// prepare makes the bodies ready for slanted rays of a tile.
func (c *cutter) prepare(a *action) {
	for i := range c.flat {
		c.skews[i].set(c.flat[i], c.view.dir, a.slant.by, a.slant.top)
		c.near[i] = [2]int{1, 1} // the lowest slab
	}
}

// slant is strike for a slanted ray.
func (c *cutter) slant(a *action, p, q float64) {
	o := c.seen(a, p, q)
	for i := range c.flat {
		if lo, hi := c.skews[i].meet(&o, &c.near[i]); lo <= hi {
			c.cuts = append(c.cuts, [2]float64{lo, hi})
		}
	}
}

// seen returns the start of an oblique ray relative to the tool at the start of the move.
func (c *cutter) seen(a *action, p, q float64) [3]float64 {
	v := c.view
	return [3]float64{
		v.origin[0] + p*v.right[0] + q*v.over[0] - a.slant.start[0],
		v.origin[1] + p*v.right[1] + q*v.over[1] - a.slant.start[1],
		v.origin[2] + p*v.right[2] + q*v.over[2] - a.slant.start[2],
	}
}

// apply removes intervals from ray k of the tile, whose number in the bundle is ray, and returns the length removed.
// For a part that does not cut, it returns the length of the contact.
func (c *cutter) apply(cuts [][2]float64, k, ray int) float64 {
	if len(cuts) == 0 {
		return 0
	}
	c.counted++
	sum := 0.0
	for _, s := range cuts {
		lo, hi := float32(s[0]), float32(s[1])
		if c.zone != toolprofile.Cutting {
			sum += overlap(c.tile.ray(k), lo, hi)
			continue
		}
		if c.keep != nil {
			c.guard(k, ray, lo, hi)
		}
		sum += c.tile.cut(k, lo, hi)
	}
	return sum
}

// overlap returns the length of the intersection of [lo, hi] with spans.
func overlap(spans []dexel.Span, lo, hi float32) float64 {
	sum := 0.0
	for _, s := range spans {
		if a, b := max(s.Lo, lo), min(s.Hi, hi); a < b {
			sum += float64(b) - float64(a)
		}
	}
	return sum
}

// merge orders intervals and joins those that touch, so that rounding leaves no material between the slabs and bodies
// of a tool.
func merge(cuts [][2]float64) [][2]float64 {
	if len(cuts) < 2 {
		return cuts
	}
	for i := 1; i < len(cuts); i++ {
		for k := i; k > 0 && cuts[k][0] < cuts[k-1][0]; k-- {
			cuts[k], cuts[k-1] = cuts[k-1], cuts[k]
		}
	}
	n := 0
	for _, s := range cuts[1:] {
		if s[0] <= cuts[n][1]+joint {
			cuts[n][1] = max(cuts[n][1], s[1])
			continue
		}
		n++
		cuts[n] = s
	}
	return cuts[:n+1]
}

// cut applies the action to the rays of the tile at w and returns the length removed or touched.
func (c *cutter) cut(a *action, w window) float64 {
	v := c.view
	c.part = &c.parts[a.part]
	step := v.lattice.Step
	rays := a.rays(step, w)
	open := &c.open[a.part]
	if v.kind == slanted {
		c.prepare(a)
	} else {
		any, columns := uint32(0), rays.columns(w)
		for j := rays.j0; j < rays.j1; j++ {
			any |= open[j-w.j0] & columns
		}
		if any == 0 {
			return 0
		}
		if v.square() && len(c.bodies) == 1 && a.level() {
			return c.level(a, w, rays)
		}
		c.limits.set(&a.space, v, c.part, w, rays)
	}
	plain := len(c.bodies) == 1 && !a.curved && c.zone == toolprofile.Cutting && c.keep == nil
	removed := 0.0
	for j := rays.j0; j < rays.j1; j++ {
		if open[j-w.j0] == 0 {
			continue
		}
		q := (float64(j) + 0.5) * step
		row := window{i0: rays.i0, i1: rays.i1}
		if v.kind != across {
			row.i0, row.i1 = c.row(a, q, rays.i0, rays.i1)
		}
		todo := row.columns(w) & open[j-w.j0]
		if v.kind != slanted {
			todo = c.reached(j-w.j0, todo)
		}
		for ; todo != 0; todo &= todo - 1 {
			i := bits.TrailingZeros32(todo)
			p := (float64(w.i0+i) + 0.5) * step
			if k := (j-w.j0)*tileSide + i; plain {
				removed += c.single(a, p, q, k)
			} else {
				c.strike(a, p, q)
				removed += c.apply(merge(c.cuts), k, j*c.columns+w.i0+i)
			}
		}
	}
	return removed
}

// row returns the columns of rays that the tool may pass in a row. Seen along the tool, these are the columns of its
// widest disc; seen obliquely, the columns of that disc moved along the axis too.
func (c *cutter) row(a *action, q float64, i0, i1 int) (int, int) {
	lo, hi := math.Inf(1), math.Inf(-1)
	switch {
	case a.curved:
		if d, outer := q-a.arc.y, a.arc.radius+c.radius; math.Abs(d) <= outer {
			h := math.Sqrt(outer*outer - d*d)
			lo, hi = a.arc.x-h, a.arc.x+h
		}
	case c.view.kind == along:
		if l, h, ok := a.slide.level(c.radius, q-a.slide.y); ok {
			lo, hi = l, h
		}
	default: // the outline of a parallelogram with rounded corners is the outline of its sides
		for k := range a.slant.outlines {
			o := &a.slant.outlines[k]
			if l, h, ok := o.level(c.radius, q-o.y); ok {
				lo, hi = min(lo, l), max(hi, h)
			}
		}
	}
	if !(lo <= hi) {
		return 0, 0
	}
	return dexel.Cells(lo, hi, c.view.lattice.Step, i0, i1)
}

// single cuts ray k of the tile by a straight leg of a tool in one piece, and returns the length removed.
func (c *cutter) single(a *action, p, q float64, k int) float64 {
	b, v := &c.bodies[0], c.view
	var lo, hi float64
	var ok bool
	switch v.kind {
	case along:
		if lo, hi, ok = a.straight.meet(b, p, q); v.up < 0 {
			lo, hi = -hi, -lo
		}
	case across:
		y, z := v.turn(p, q)
		lo, hi, ok = a.slide.meet(b, y, z)
	default:
		o := c.seen(a, p, q)
		lo, hi = c.skews[0].meet(&o, &c.near[0])
		ok = lo <= hi
	}
	if !ok {
		return 0
	}
	c.counted++
	return c.tile.cut(k, float32(lo), float32(hi))
}
