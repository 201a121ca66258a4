package leftover

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
)

// stretch is a part of a column between two coordinates.
type stretch struct{ lo, hi float64 }

// columns are lines along one axis through a box, one in each cell of a square grid.
type columns struct {
	axis, u, v    int // axes of the columns and of the grid
	box           box
	step          float64
	width, height int
	of            [][]stretch // ascending
}

// aside moves the lines off the middle of their cells, so that none runs along an edge of the part.
const aside = 0.5003

func grid(b box, axis int, step float64) *columns {
	c := &columns{axis: axis, u: (axis + 1) % 3, v: (axis + 2) % 3, box: b, step: step}
	c.width = max(int(math.Ceil((b.max[c.u]-b.min[c.u])/step-1e-9)), 1)
	c.height = max(int(math.Ceil((b.max[c.v]-b.min[c.v])/step-1e-9)), 1)
	c.of = make([][]stretch, c.width*c.height)
	return c
}

// cell returns the coordinates of a line and the area of its cell within the box.
func (c *columns) cell(i, j int) (u, v, area float64) {
	part := func(k, axis int) (at, size float64) {
		lo := c.box.min[axis] + float64(k)*c.step
		size = min(c.step, c.box.max[axis]-lo)
		return lo + aside*size, size
	}
	u, a := part(i, c.u)
	v, b := part(j, c.v)
	return u, v, a * b
}

// span returns the range of cells whose lines may have a coordinate between two values.
func (c *columns) span(axis, count int, lo, hi float64) (first, last int) {
	f := math.Floor((lo - c.box.min[axis]) / c.step)
	l := math.Floor((hi - c.box.min[axis]) / c.step)
	return int(min(max(f, 0), float64(count))), int(max(min(l, float64(count-1)), -1))
}

// cut removes from a column all between two coordinates.
func (c *columns) cut(i int, lo, hi float64) {
	list := c.of[i]
	first := slices.IndexFunc(list, func(s stretch) bool { return s.hi > lo })
	if first < 0 || list[first].lo >= hi {
		return
	}
	last := first
	for last+1 < len(list) && list[last+1].lo < hi {
		last++
	}
	head, tail := stretch{list[first].lo, lo}, stretch{hi, list[last].hi}
	var rest []stretch
	if head.lo < head.hi {
		rest = append(rest, head)
	}
	if tail.lo < tail.hi {
		rest = append(rest, tail)
	}
	c.of[i] = slices.Replace(list, first, last+1, rest...)
}

// stock fills the columns with the stock.
func (c *columns) stock(stock box) {
	whole := stretch{max(c.box.min[c.axis], stock.min[c.axis]), min(c.box.max[c.axis], stock.max[c.axis])}
	for j := range c.height {
		for i := range c.width {
			u, v, _ := c.cell(i, j)
			in := u > stock.min[c.u] && u < stock.max[c.u] && v > stock.min[c.v] && v < stock.max[c.v]
			if in && whole.lo < whole.hi {
				c.of[j*c.width+i] = []stretch{whole}
			}
		}
	}
}

// play removes what one pass removes.
func (c *columns) play(p *pass) {
	i0, i1 := c.span(c.u, c.width, p.box.min[c.u], p.box.max[c.u])
	j0, j1 := c.span(c.v, c.height, p.box.min[c.v], p.box.max[c.v])
	a := slices.Index(p.view.axis[:], c.axis)
	for j := j0; j <= j1; j++ {
		for i := i0; i <= i1; i++ {
			k := j*c.width + i
			if list := c.of[k]; len(list) == 0 || list[0].lo >= p.box.max[c.axis] || list[len(list)-1].hi <= p.box.min[c.axis] {
				continue
			}
			u, v, _ := c.cell(i, j)
			var q point
			for b := range 3 {
				switch p.view.axis[b] {
				case c.u:
					q[b] = p.view.local(b, u)
				case c.v:
					q[b] = p.view.local(b, v)
				}
			}
			emit := func(lo, hi float64) {
				s, e := p.view.outer(a, lo), p.view.outer(a, hi)
				c.cut(k, min(s, e), max(s, e))
			}
			switch a {
			case 2:
				if lo, hi, ok := p.down(geom.Vec2{X: q[0], Y: q[1]}); ok {
					emit(lo, hi)
				}
			case 1:
				p.across(true, q[0], q[2], emit)
			default:
				p.across(false, q[1], q[2], emit)
			}
		}
	}
}

// crossing is a place where a line enters or leaves the part.
type crossing struct {
	at float64
	in bool
}

// minus removes the part, a closed mesh. The triangles are all that the lines through the box may meet, also
// outside the box.
func (c *columns) minus(triangles []triangle) {
	crossings := make([][]crossing, len(c.of))
	for _, t := range triangles {
		c.scan(&t, crossings)
	}
	for k, list := range crossings {
		slices.SortFunc(list, func(a, b crossing) int { return cmp.Compare(a.at, b.at) })
		depth, from := 0, 0.0
		for _, x := range list {
			switch {
			case x.in:
				if depth++; depth == 1 {
					from = x.at
				}
			default:
				if depth--; depth == 0 {
					c.cut(k, from, x.at)
				}
			}
		}
	}
}

// scan finds the lines that meet a triangle, a row of cells at a time.
func (c *columns) scan(t *triangle, crossings [][]crossing) {
	p, q, r := t.corner[0], t.corner[1], t.corner[2]
	area := (q[c.u]-p[c.u])*(r[c.v]-p[c.v]) - (q[c.v]-p[c.v])*(r[c.u]-p[c.u])
	if area == 0 {
		return
	}
	du := ((q[c.axis]-p[c.axis])*(r[c.v]-p[c.v]) - (r[c.axis]-p[c.axis])*(q[c.v]-p[c.v])) / area
	dv := ((r[c.axis]-p[c.axis])*(q[c.u]-p[c.u]) - (q[c.axis]-p[c.axis])*(r[c.u]-p[c.u])) / area
	j0, j1 := c.span(c.v, c.height, min(p[c.v], q[c.v], r[c.v]), max(p[c.v], q[c.v], r[c.v]))
	for j := j0; j <= j1; j++ {
		_, v, _ := c.cell(0, j)
		lo, hi := math.Inf(1), math.Inf(-1)
		for k := range 3 {
			a, b := t.corner[k], t.corner[(k+1)%3]
			if a[c.v] > b[c.v] { // the same sum for both triangles at an edge
				a, b = b, a
			}
			if a[c.v] <= v && v < b[c.v] {
				x := a[c.u] + (v-a[c.v])*(b[c.u]-a[c.u])/(b[c.v]-a[c.v])
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		if lo > hi {
			continue
		}
		i0, i1 := c.span(c.u, c.width, lo, hi)
		for i := i0; i <= i1; i++ {
			if u, _, _ := c.cell(i, j); lo <= u && u < hi {
				k := j*c.width + i
				at := p[c.axis] + du*(u-p[c.u]) + dv*(v-p[c.v])
				crossings[k] = append(crossings[k], crossing{at, area < 0})
			}
		}
	}
}
