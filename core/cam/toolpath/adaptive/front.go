package adaptive

import (
	"math"

	"millwright.dev/millwright/core/kernel/geom"
)

// samples is the number of intervals of the front half circle: six degrees each, 1.7 cells.
const samples = 30

// contact is the measured engagement of the cutter.
type contact struct {
	arc  float64 // rad, of the front half circle in material
	left float64 // rad, the leftmost material, counted from the right side of the cutter
	top  float64 // mm, a bound on the largest value of the field along the half circle
}

// measure returns the contact at a position, with the unit heading u. Each change between material and cleared ground
// is located by one step of false position.
func (c *clearing) measure(p, u geom.Vec2) (m contact) {
	const width = math.Pi / samples
	x0, y0 := c.cell(p)
	r := c.radius * c.inverse
	ux, uy := u.X*r, u.Y*r
	last, lx, ly := 0.0, 0.0, 0.0
	top := -c.band
	sure := float32(0.95 * c.band)
	for i := range samples + 1 {
		co, si := c.cosines[i], c.sines[i]
		x, y := x0+co*ux-si*uy, y0+si*ux+co*uy
		// A value near the cut-off at the nearest point decides the sign: the slope is at most 1.
		v := float64(0)
		if near := c.field[int(y+0.5)*c.nx+int(x+0.5)]; near >= sure || near <= -sure {
			v = float64(near)
		} else {
			v = c.valueAt(x, y)
		}
		top = max(top, v)
		if v > 0 {
			m.left = width * float64(i)
		}
		if i > 0 && (v > 0) != (last > 0) {
			s := last / (last - v)
			w := c.valueAt(lx+s*(x-lx), ly+s*(y-ly))
			if (w > 0) == (last > 0) {
				s += (1 - s) * w / (w - v)
			} else if w != last {
				s *= last / (last - w)
			}
			if last > 0 {
				m.arc += width * s
				m.left = width * (float64(i-1) + s)
			} else {
				m.arc += width * (1 - s)
			}
		} else if i > 0 && v > 0 {
			m.arc += width
		} else if i > 0 && v+last > -width*c.radius {
			// A rib may be between the samples.
			const out = 0.5 * 1.00137 // from the chord to the circle
			mx, my := x0+out*(x-x0+lx-x0), y0+out*(y-y0+ly-y0)
			if c.isRidge(mx, my) {
				if rib := c.exactAt(mx, my); rib > 0 {
					part := rib / (rib - v)
					m.arc += width / 2 * (rib/(rib-last) + part)
					m.left = width * (float64(i) - 0.5 + part/2)
					top = max(top, rib)
				}
			}
		}
		last, lx, ly = v, x, y
	}
	m.top = top
	return m
}

// valueAt returns the field at a place in cells.
func (c *clearing) valueAt(x, y float64) float64 {
	v := c.sample(c.field, x, y)
	if math.Abs(v) < ridge*c.step && c.isRidge(x, y) {
		return c.exactAt(x, y)
	}
	return v
}

// isRidge reports whether the field around a place is not that of a straight border.
func (c *clearing) isRidge(x, y float64) bool {
	k := int(y)*c.nx + int(x)
	low, high := c.field[k:k+2:k+2], c.field[k+c.nx:k+c.nx+2:k+c.nx+2]
	gx, gy := low[1]-low[0]+high[1]-high[0], high[0]-low[0]+high[1]-low[1]
	const straight = 0.85 // of the square of the slope
	step := float32(2 * c.step)
	return gx*gx+gy*gy < straight*step*step
}

// around returns the arc of the whole circle at a position in material.
func (c *clearing) around(p geom.Vec2) float64 {
	return c.measure(p, geom.Vec2{X: 1}).arc + c.measure(p, geom.Vec2{X: -1}).arc
}

// clearDisc removes a disc.
func (c *clearing) clearDisc(p geom.Vec2, radius float64) {
	x, y := c.cell(p)
	r := radius * c.inverse
	reach := r + bandCells
	j0, j1 := int(max(0, math.Ceil(y-reach))), int(min(float64(c.ny-1), math.Floor(y+reach)))
	for j := j0; j <= j1; j++ {
		dy := float64(j) - y
		half := math.Sqrt(max(0, reach*reach-dy*dy))
		i0, i1 := int(max(0, math.Ceil(x-half))), int(min(float64(c.nx-1), math.Floor(x+half)))
		for i := i0; i <= i1; i++ {
			dx := float64(i) - x
			c.lowerField(i, j, math.Sqrt(dx*dx+dy*dy)-r)
		}
	}
}

// lowerField lowers the distance of a cell to the cleared ground, given in cells.
func (c *clearing) lowerField(i, j int, d float64) {
	k := j*c.nx + i
	if d < 0 && c.marks[k]&reachable != 0 {
		c.remove(i, j)
	}
	if v := float32(max(d, -bandCells) * c.step); v < c.field[k] {
		c.set(k, v)
	}
}

// set lowers a value of the field.
func (c *clearing) set(k int, v float32) {
	if c.isNew {
		c.journal = append(c.journal, cellValue{k, c.field[k]})
	}
	c.field[k] = v
}

// capsule is the motion of the cutter along a line, in cells.
type capsule struct {
	ax, ay, bx, by float64
	ux, uy, length float64
	inner, outer   float64 // radii between which the field changes
}

// clearStep removes the material that the cutter meets from a to b. The first disc is cleared already. So only cells
// ahead of a count; among these only cells right of the leftmost contact, as others were cleared before.
func (c *clearing) clearStep(a, b geom.Vec2, left float64) {
	d := b.Sub(a)
	length := d.Norm()
	if length < 1e-9*c.radius {
		return
	}
	s := capsule{ux: d.X / length, uy: d.Y / length, length: length * c.inverse}
	s.ax, s.ay = c.cell(a)
	s.bx, s.by = c.cell(b)
	r := c.radius * c.inverse
	s.inner, s.outer = r-bandCells, r+bandCells
	// The sector of cells that change: from a little behind the right side to beyond the leftmost contact.
	const behind, beyond = 1.77, 0.45 // rad
	sn, cs := math.Sincos(left + beyond - math.Pi/2)
	rx, ry := cs*s.ux-sn*s.uy, sn*s.ux+cs*s.uy
	sn, cs = math.Sincos(-behind)
	qx, qy := cs*s.ux-sn*s.uy, sn*s.ux+cs*s.uy
	isWide := left+beyond > 2.65
	y0, y1 := min(s.ay, s.by)-s.outer, max(s.ay, s.by)+s.outer
	if !isWide {
		y0, y1 = s.rows(qx, qy, rx, ry)
	}
	j0, j1 := int(max(0, math.Ceil(y0))), int(min(float64(c.ny-1), math.Floor(y1)))
	for j := j0; j <= j1; j++ {
		y := float64(j)
		lo, hi := s.row(y)
		lo, hi = clip(lo, hi, s.ux, s.uy*(y-s.ay)+0.5-s.ux*s.ax) // ahead of a, half a cell of slack
		if !isWide {
			lo, hi = clip(lo, hi, ry, -rx*(y-s.by)+1-ry*s.bx) // right of the leftmost ray, a cell of slack
		}
		if lo > hi {
			continue
		}
		i0, i1 := max(0, int(math.Ceil(lo))), min(c.nx-1, int(math.Floor(hi)))
		// The gap: cells well inside the first disc.
		g0, g1 := i1+1, i1
		if q := s.inner*s.inner - (y-s.ay)*(y-s.ay); q > 0 {
			q = math.Sqrt(q)
			g0, g1 = max(i0, int(math.Ceil(s.ax-q))), int(math.Floor(s.ax+q))
		}
		c.clearRow(&s, j, i0, min(g0-1, i1), r)
		c.clearRow(&s, j, max(i0, g1+1, g0), i1, r)
	}
}

// rows returns the extent in y of the sector between the directions q and r, counter-clockwise, of the two discs.
func (s *capsule) rows(qx, qy, rx, ry float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	add := func(y float64) {
		for _, reach := range [2]float64{s.inner, s.outer} {
			lo = min(lo, s.ay+reach*y, s.by+reach*y)
			hi = max(hi, s.ay+reach*y, s.by+reach*y)
		}
	}
	add(qy)
	add(ry)
	// The poles of the circle are extremes where they are in the sector, which is less than a half turn.
	for _, pole := range [2]float64{1, -1} {
		if qx*pole >= 0 && -rx*pole >= 0 {
			add(pole)
		}
	}
	return lo, hi
}

// row returns the extent in x of the outer discs in a row; between them the row is in the capsule for short steps.
func (s *capsule) row(y float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if q := s.outer*s.outer - (y-s.by)*(y-s.by); q > 0 {
		q = math.Sqrt(q)
		lo, hi = s.bx-q, s.bx+q
	}
	if q := s.outer*s.outer - (y-s.ay)*(y-s.ay); q > 0 {
		q = math.Sqrt(q)
		lo, hi = min(lo, s.ax-q), max(hi, s.ax+q)
	}
	return lo, hi
}

// clip limits an extent in x to the points with n·x + k ≥ 0.
func clip(lo, hi, n, k float64) (float64, float64) {
	switch {
	case n > 1e-9:
		return max(lo, -k/n), hi
	case n < -1e-9:
		return lo, min(hi, -k/n)
	case k < 0:
		return 1, 0
	}
	return lo, hi
}

// clearRow lowers the field in a row of cells by the distances to the line of a step.
func (c *clearing) clearRow(s *capsule, j, i0, i1 int, r float64) {
	if i0 > i1 {
		return
	}
	row, marks := c.field[j*c.nx:(j+1)*c.nx], c.marks[j*c.nx:(j+1)*c.nx]
	band, step := float32(c.band), float32(c.step)
	outer2, inner2, r2 := s.outer*s.outer, s.inner*s.inner, r*r
	ya, yb := float64(j)-s.ay, float64(j)-s.by
	for i := i0; i <= i1; i++ {
		if row[i] <= -band {
			continue
		}
		x := float64(i) - s.ax
		along := x*s.ux + ya*s.uy
		d := x*s.uy - ya*s.ux
		d *= d
		if along >= s.length {
			x = float64(i) - s.bx
			d = x*x + yb*yb
		} else if along < 0 {
			d = x*x + ya*ya
		}
		if d >= outer2 {
			continue
		}
		if d < r2 && marks[i]&reachable != 0 {
			c.remove(i, j)
		}
		v := -band
		if d >= inner2 {
			v = min(row[i], float32(math.Sqrt(d)-r)*step)
		}
		if c.isNew && v < row[i] {
			c.journal = append(c.journal, cellValue{j*c.nx + i, row[i]})
		}
		row[i] = v
	}
}
