package replay

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// stretch is material on a column, heights in the frame of the setup.
type stretch struct{ lo, hi float64 }

// columns is a body by columns along Z of a frame, one in the middle of each cell.
type columns struct {
	box           geom.Box // of the grid; Z of the material at first
	step          float64
	width, height int
	of            [][]stretch // ascending
	top           float64
	scattered     bool // over their cells
}

func grid(box geom.Box, step float64) *columns {
	size := box.Size()
	c := &columns{box: box, step: step, width: max(int(math.Ceil(size.X/step)), 1), height: max(int(math.Ceil(size.Y/step)), 1)}
	c.of = make([][]stretch, c.width*c.height)
	c.top = math.Inf(-1)
	return c
}

func block(box geom.Box, step float64) *columns {
	c := grid(box, step)
	for i := range c.of {
		c.of[i] = []stretch{{box.Min.Z, box.Max.Z}}
	}
	c.top = box.Max.Z
	return c
}

// at is the place of a column: the middle of its cell, a little aside so that no column runs along an edge. Scattered
// ones are anywhere in their cells, evenly all in all (the R2 sequence of M. Roberts, 2018), so that some are next to
// any wall.
func (c *columns) at(i, j int) geom.Vec2 {
	const aside = 0.5003
	if c.scattered {
		const a, b = 0.7548776662466927, 0.5698402909980532
		_, u := math.Modf(aside + a*float64(i) + b*float64(j))
		_, v := math.Modf(aside + b*float64(i) + a*float64(j))
		return geom.Vec2{X: c.box.Min.X + (float64(i)+u)*c.step, Y: c.box.Min.Y + (float64(j)+v)*c.step}
	}
	return geom.Vec2{X: c.box.Min.X + (float64(i)+aside)*c.step, Y: c.box.Min.Y + (float64(j)+aside)*c.step}
}

// each visits the columns within a distance of a rectangle.
func (c *columns) each(lo, hi geom.Vec2, around float64, visit func(int, geom.Vec2)) {
	cell := func(v, min float64) int { return int(math.Floor((v - min) / c.step)) }
	i0, i1 := max(cell(lo.X-around, c.box.Min.X), 0), min(cell(hi.X+around, c.box.Min.X), c.width-1)
	j0, j1 := max(cell(lo.Y-around, c.box.Min.Y), 0), min(cell(hi.Y+around, c.box.Min.Y), c.height-1)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			visit(j*c.width+i, c.at(i, j))
		}
	}
}

// meets reports whether a column has material between two heights.
func (c *columns) meets(i int, lo, hi float64) bool {
	for _, s := range c.of[i] {
		if s.hi > lo && s.lo < hi {
			return true
		}
	}
	return false
}

// depth returns the longest stretch of a column's material between two heights.
func (c *columns) depth(i int, lo, hi float64) (most float64) {
	for _, s := range c.of[i] {
		most = max(most, min(s.hi, hi)-max(s.lo, lo))
	}
	return most
}

// cut removes the material between two heights, and returns its length.
func (c *columns) cut(i int, lo, hi float64) (gone float64) {
	c.of[i], gone = removed(c.of[i], lo, hi)
	return gone
}

// removed returns a list without the material between two heights, and the length of that material.
func removed(list []stretch, lo, hi float64) (left []stretch, gone float64) {
	for _, s := range list {
		gone += max(0, min(s.hi, hi)-max(s.lo, lo))
	}
	if gone <= 0 {
		return list, 0
	}
	for _, s := range list {
		if s.hi <= lo || s.lo >= hi {
			left = append(left, s)
			continue
		}
		if s.lo < lo {
			left = append(left, stretch{s.lo, lo})
		}
		if s.hi > hi {
			left = append(left, stretch{hi, s.hi})
		}
	}
	return left, gone
}

// minus returns the volume of c outside other, of the same grid.
func (c *columns) minus(other *columns) (volume float64) {
	for i := range c.of {
		for _, s := range c.of[i] {
			volume += s.hi - s.lo
			for _, k := range other.of[i] {
				volume -= max(0, min(s.hi, k.hi)-max(s.lo, k.lo))
			}
		}
	}
	return volume * c.step * c.step
}

// fromMesh returns the columns of the space enclosed by a closed mesh of the part, in a frame.
func fromMesh(m *mesh.Mesh, f geom.Frame, box geom.Box, step float64, scattered bool) *columns {
	c := grid(box, step)
	c.scattered = scattered
	type crossing struct {
		z  float64
		in bool
	}
	crossings := make([][]crossing, len(c.of))
	for _, t := range m.Triangles {
		p, q, r := f.Local(m.Points[t[0]]), f.Local(m.Points[t[1]]), f.Local(m.Points[t[2]])
		area := flat(q).Sub(flat(p)).Cross(flat(r).Sub(flat(p)))
		if area == 0 {
			continue
		}
		b := geom.BoxOf(p, q, r)
		c.each(flat(b.Min), flat(b.Max), 0, func(i int, at geom.Vec2) {
			u := flat(q).Sub(at).Cross(flat(r).Sub(at)) / area
			v := flat(r).Sub(at).Cross(flat(p).Sub(at)) / area
			w := 1 - u - v
			if u >= 0 && v >= 0 && w >= 0 {
				crossings[i] = append(crossings[i], crossing{u*p.Z + v*q.Z + w*r.Z, area < 0})
			}
		})
	}
	for i, list := range crossings {
		slices.SortFunc(list, func(a, b crossing) int {
			switch {
			case a.z < b.z:
				return -1
			case a.z > b.z:
				return 1
			}
			return 0
		})
		depth, from := 0, 0.0
		for _, x := range list {
			switch {
			case x.in:
				if depth++; depth == 1 {
					from = x.z
				}
			default:
				if depth--; depth == 0 {
					c.of[i] = append(c.of[i], stretch{from, x.z})
					c.top = max(c.top, x.z)
				}
			}
		}
	}
	return c
}

// seen is the same body in another frame whose axes are along those of the first, or against them.
func (c *columns) seen(from, to geom.Frame, box geom.Box) *columns {
	out := grid(box, c.step)
	out.top = box.Max.Z
	cosine := to.Z.Dot(from.Z)
	for j := range out.height {
		for i := range out.width {
			p := out.at(i, j)
			switch {
			case math.Abs(cosine) > 0.5: // the same columns, from one end or the other
				q := from.Local(to.Point(geom.Vec3{X: p.X, Y: p.Y}))
				k, ok := c.cell(flat(q))
				if !ok {
					continue
				}
				for _, s := range c.of[k] {
					lo := to.Local(from.Point(geom.Vec3{X: q.X, Y: q.Y, Z: s.lo})).Z
					hi := to.Local(from.Point(geom.Vec3{X: q.X, Y: q.Y, Z: s.hi})).Z
					out.of[j*out.width+i] = append(out.of[j*out.width+i], stretch{min(lo, hi), max(lo, hi)})
				}
				if cosine < 0 {
					slices.Reverse(out.of[j*out.width+i])
				}
			default:
				out.of[j*out.width+i] = c.across(from, to, p, box)
			}
		}
	}
	return out
}

// across samples the columns along a line across them.
func (c *columns) across(from, to geom.Frame, p geom.Vec2, box geom.Box) (list []stretch) {
	n := int(math.Ceil(box.Size().Z / c.step))
	isIn := false
	for k := range n {
		z := box.Min.Z + (float64(k)+0.5)*c.step
		q := from.Local(to.Point(geom.Vec3{X: p.X, Y: p.Y, Z: z}))
		i, ok := c.cell(flat(q))
		has := ok && c.meets(i, q.Z-1e-9, q.Z+1e-9)
		switch {
		case has && !isIn:
			list = append(list, stretch{z - c.step/2, z + c.step/2})
		case has:
			list[len(list)-1].hi = z + c.step/2
		}
		isIn = has
	}
	return list
}

func (c *columns) cell(p geom.Vec2) (int, bool) {
	i, j := int(math.Floor((p.X-c.box.Min.X)/c.step)), int(math.Floor((p.Y-c.box.Min.Y)/c.step))
	return j*c.width + i, i >= 0 && j >= 0 && i < c.width && j < c.height
}
