package datasheets

// Columns over a grid, and exact distances between its cells.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// view looks along a direction, which is its Z.
type view struct{ x, y, z geom.Vec3 }

func newView(dir geom.Vec3) view {
	least := geom.Vec3{X: 1}
	if math.Abs(dir.X) > math.Abs(dir.Y) {
		least = geom.Vec3{Y: 1}
	}
	x := least.Cross(dir).Unit()
	return view{x, dir.Cross(x), dir}
}

func (v *view) at(p geom.Vec3) geom.Vec2 { return geom.Vec2{X: p.Dot(v.x), Y: p.Dot(v.y)} }

// grid has square cells; cell i has its middle at (lo.X + (i%nx+½)·h, lo.Y + (i/nx+½)·h).
type grid struct {
	lo     geom.Vec2
	h      float64 // mm
	nx, ny int
}

// mostCells bounds the grids: finer ones say nothing more, but where a gap would have few cells.
const (
	mostCells   = 200_000
	mostForAGap = 3_000_000
)

// newGrid covers a box and a margin round it, as finely as h where that takes no more than mostCells, and as finely as
// a gap asks for where that takes no more than mostForAGap.
func newGrid(lo, hi geom.Vec2, margin, h, gap float64) grid {
	lo, hi = lo.Sub(geom.Vec2{X: margin, Y: margin}), hi.Add(geom.Vec2{X: margin, Y: margin})
	w := hi.Sub(lo)
	h = max(h, min(math.Sqrt(w.X*w.Y/mostCells), max(gap, math.Sqrt(w.X*w.Y/mostForAGap))), max(w.X, w.Y)/20_000)
	const odd = 0.3819 // no lines of a part run through all the middles of a row
	g := grid{lo: lo.Sub(geom.Vec2{X: (1 + odd) * h, Y: (1 + odd) * h}), h: h}
	g.nx, g.ny = int(w.X/h)+4, int(w.Y/h)+4
	return g
}

func (g *grid) middle(i int) geom.Vec2 {
	return geom.Vec2{X: g.lo.X + (float64(i%g.nx)+0.5)*g.h, Y: g.lo.Y + (float64(i/g.nx)+0.5)*g.h}
}

// cell returns the cell that a point lies in, -1 outside.
func (g *grid) cell(p geom.Vec2) int {
	x, y := math.Floor((p.X-g.lo.X)/g.h), math.Floor((p.Y-g.lo.Y)/g.h)
	if !(x >= 0 && y >= 0 && x < float64(g.nx) && y < float64(g.ny)) {
		return -1
	}
	return int(y)*g.nx + int(x)
}

// isRim reports whether a cell is one of the outermost.
func (g *grid) isRim(i int) bool {
	x, y := i%g.nx, i/g.nx
	return x == 0 || y == 0 || x == g.nx-1 || y == g.ny-1
}

// beside calls f with the four neighbors of a cell.
func (g *grid) beside(i int, f func(j int)) {
	x, y := i%g.nx, i/g.nx
	if x > 0 {
		f(i - 1)
	}
	if x < g.nx-1 {
		f(i + 1)
	}
	if y > 0 {
		f(i - g.nx)
	}
	if y < g.ny-1 {
		f(i + g.nx)
	}
}

// cast calls f for every cell whose middle a triangle lies over, with the height there.
func (g *grid) cast(v *view, a, b, c geom.Vec3, f func(cell int, z float64)) {
	n := b.Sub(a).Cross(c.Sub(a))
	nz := n.Dot(v.z)
	if math.Abs(nz) <= 1e-9*n.Norm() {
		return
	}
	p := [3]geom.Vec2{v.at(a), v.at(b), v.at(c)}
	slopeX, slopeY := -n.Dot(v.x)/nz, -n.Dot(v.y)/nz
	za := a.Dot(v.z)
	lo, hi := min(p[0].Y, p[1].Y, p[2].Y), max(p[0].Y, p[1].Y, p[2].Y)
	first := max(0, int(math.Ceil((lo-g.lo.Y)/g.h-0.5)))
	last := min(g.ny-1, int(math.Floor((hi-g.lo.Y)/g.h-0.5)))
	for row := first; row <= last; row++ {
		y := g.lo.Y + (float64(row)+0.5)*g.h
		from, to := math.Inf(1), math.Inf(-1)
		for k := range p {
			q, r := p[k], p[(k+1)%3]
			if (q.Y <= y) != (r.Y <= y) {
				x := q.X + (y-q.Y)/(r.Y-q.Y)*(r.X-q.X)
				from, to = min(from, x), max(to, x)
			}
		}
		left := max(0, int(math.Ceil((from-g.lo.X)/g.h-0.5)))
		for col := left; col < g.nx; col++ {
			x := g.lo.X + (float64(col)+0.5)*g.h
			if x >= to {
				break
			}
			f(row*g.nx+col, za+slopeX*(x-p[0].X)+slopeY*(y-p[0].Y))
		}
	}
}

// crossing is the intersection of a column with the surface: into the material, or out of it upward.
type crossing struct {
	cell  int32
	isOut bool
	z     float64
}

// columns are the crossings of all cells, upward.
type columns struct {
	all   []crossing
	first []int32
}

// newColumns casts columns through a whole mesh.
func newColumns(m *mesh.Mesh, v *view, g *grid) *columns {
	c := &columns{first: make([]int32, g.nx*g.ny+1)}
	for _, t := range m.Triangles {
		p, q, r := m.Points[t[0]], m.Points[t[1]], m.Points[t[2]]
		isOut := q.Sub(p).Cross(r.Sub(p)).Dot(v.z) > 0
		g.cast(v, p, q, r, func(cell int, z float64) {
			c.all = append(c.all, crossing{int32(cell), isOut, z})
		})
	}
	slices.SortFunc(c.all, func(a, b crossing) int {
		switch in := cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.z, b.z)); {
		case in != 0 || a.isOut == b.isOut:
			return in
		case a.isOut: // into it first
			return 1
		}
		return -1
	})
	for _, x := range c.all {
		c.first[x.cell+1]++
	}
	for i := 1; i < len(c.first); i++ {
		c.first[i] += c.first[i-1]
	}
	return c
}

// isSolid reports whether a column has material between two heights.
func (c *columns) isSolid(cell int, lo, hi float64) bool {
	depth, from := 0, 0.0
	for _, x := range c.all[c.first[cell]:c.first[cell+1]] {
		if !x.isOut {
			if depth == 0 {
				from = x.z
			}
			depth++
			continue
		}
		if depth--; depth == 0 && max(from, lo) < min(x.z, hi) {
			return true
		}
		depth = max(depth, 0)
	}
	return false
}

// distances returns for every cell how many cells away the nearest site is, and which (P. Felzenszwalb, D.
// Huttenlocher, "Distance transforms of sampled functions", 2012). Without any site all are infinitely far.
func distances(g *grid, isSite []bool) (far []float64, site []int32) {
	n := g.nx * g.ny
	far, site = make([]float64, n), make([]int32, n)
	for i := range far {
		far[i], site[i] = math.Inf(1), -1
		if isSite[i] {
			far[i], site[i] = 0, int32(i)
		}
	}
	side := max(g.nx, g.ny)
	f, s := make([]float64, side), make([]int32, side)
	v, z := make([]int, side), make([]float64, side+1)
	line := func(count int, at func(k int) int) {
		top := -1
		for k := range count {
			f[k], s[k] = far[at(k)], site[at(k)]
			if math.IsInf(f[k], 1) {
				continue
			}
			meet := math.Inf(-1)
			for top >= 0 {
				u := v[top]
				meet = (f[k] + float64(k*k) - f[u] - float64(u*u)) / float64(2*(k-u))
				if meet > z[top] {
					break
				}
				top--
			}
			if top < 0 {
				meet = math.Inf(-1)
			}
			top++
			v[top], z[top], z[top+1] = k, meet, math.Inf(1)
		}
		for k, u := 0, 0; k < count && top >= 0; k++ {
			for z[u+1] < float64(k) {
				u++
			}
			d := float64(k - v[u])
			far[at(k)], site[at(k)] = f[v[u]]+d*d, s[v[u]]
		}
	}
	for x := range g.nx {
		line(g.ny, func(k int) int { return k*g.nx + x })
	}
	for y := range g.ny {
		line(g.nx, func(k int) int { return y*g.nx + k })
	}
	for i := range far {
		far[i] = math.Sqrt(far[i])
	}
	return far, site
}

// parts numbers the connected pieces of the cells that are in a set, from 0, and counts their cells.
func parts(g *grid, in func(i int) bool) (part []int32, sizes []int) {
	part = make([]int32, g.nx*g.ny)
	for i := range part {
		part[i] = -1
	}
	var queue []int
	for i := range part {
		if part[i] >= 0 || !in(i) {
			continue
		}
		id := int32(len(sizes))
		part[i] = id
		size := 0
		for queue = append(queue[:0], i); len(queue) > 0; size++ {
			k := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			g.beside(k, func(j int) {
				if part[j] < 0 && in(j) {
					part[j] = id
					queue = append(queue, j)
				}
			})
		}
		sizes = append(sizes, size)
	}
	return part, sizes
}
