package planning

// How high the part is around a place.
//
// A raster of some 200 × 200 cells holds the highest point of the part over each cell, seen along a side: every
// triangle counts with the height of its plane over the cells that it touches, bounded by its corners, so no cell is
// too low. From the cells under some patches the exact distance of all others is found (Felzenszwalb, Huttenlocher,
// "Distance Transforms of Sampled Functions", Theory of Computing 8, 2012), and with it the highest point within every
// distance.
//
// Distances are short by up to a diagonal of a cell, which errs towards touching.

import (
	"math"

	"millwright/core/feature/graph"
	"millwright/core/geom"
)

const reliefCells = 200 // along the longer side

// relief is the part seen along one side.
type relief struct {
	g      *graph.Graph
	frame  geom.Frame // of the raster, in that of the part
	axes   [2]int     // of the workpiece, along x and y of the raster
	lo     geom.Vec2
	step   float64
	nx, ny int
	top    []float64 // by cell, -Inf where nothing is
	high   float64   // of all
}

func newRelief(g *graph.Graph, s side, f geom.Frame, part geom.Box) *relief {
	a, b := s.across()
	z := s.dir(f)
	r := &relief{g: g, axes: [2]int{a, b}, frame: geom.Frame{X: sideOf(a, true).dir(f), Y: sideOf(b, true).dir(f), Z: z},
		high: s.span(part).Hi}
	x, y := along(part, a), along(part, b)
	r.step = max(x.Length(), y.Length(), 1e-3) / reliefCells
	r.lo = geom.Vec2{X: x.Lo, Y: y.Lo}
	r.nx, r.ny = int(x.Length()/r.step)+1, int(y.Length()/r.step)+1
	r.top = make([]float64, r.nx*r.ny)
	for i := range r.top {
		r.top[i] = math.Inf(-1)
	}
	for p := range g.Patches {
		g.EachTriangle(int32(p), func(a, b, c geom.Vec3) bool {
			r.triangle([3]geom.Vec3{r.frame.LocalDir(a), r.frame.LocalDir(b), r.frame.LocalDir(c)}, func(i int, z float64) {
				r.top[i] = max(r.top[i], z)
			})
			return true
		})
	}
	return r
}

func (r *relief) cell(x, lo float64, n int) int { return min(max(int((x-lo)/r.step), 0), n-1) }

// triangle visits the cells that a triangle may touch, with how high it is there at most.
func (r *relief) triangle(t [3]geom.Vec3, visit func(i int, z float64)) {
	box := geom.BoxOf(t[:]...)
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	x0, x1 := r.cell(box.Min.X, r.lo.X, r.nx), r.cell(box.Max.X, r.lo.X, r.nx)
	y0, y1 := r.cell(box.Min.Y, r.lo.Y, r.ny), r.cell(box.Max.Y, r.lo.Y, r.ny)
	half := r.step / 2
	for j := y0; j <= y1; j++ {
		y := r.lo.Y + (float64(j)+0.5)*r.step
		for i := x0; i <= x1; i++ {
			x := r.lo.X + (float64(i)+0.5)*r.step
			if !touches(t, n.Z, x, y, half) {
				continue
			}
			z := box.Max.Z
			if steep := math.Abs(n.X) + math.Abs(n.Y); math.Abs(n.Z) > steep*1e-6 {
				mid := t[0].Z - (n.X*(x-t[0].X)+n.Y*(y-t[0].Y))/n.Z
				z = min(z, max(mid+half*steep/math.Abs(n.Z), box.Min.Z))
			}
			visit(j*r.nx+i, z)
		}
	}
}

// touches reports whether the square round (x, y) and a triangle meet, seen from above: no edge parts them.
func touches(t [3]geom.Vec3, turn, x, y, half float64) bool {
	if turn == 0 { // upright: the box of a line, which is cut where the line is far from the square
		d := t[1].Sub(t[0])
		if e := t[2].Sub(t[0]); e.X*e.X+e.Y*e.Y > d.X*d.X+d.Y*d.Y {
			d = e
		}
		off := d.X*(y-t[0].Y) - d.Y*(x-t[0].X)
		return math.Abs(off) <= half*(math.Abs(d.X)+math.Abs(d.Y))
	}
	for k := range 3 {
		a, b := t[k], t[(k+1)%3]
		dx, dy := b.X-a.X, b.Y-a.Y
		off := dx*(y-a.Y) - dy*(x-a.X)
		if turn < 0 {
			off = -off
		}
		if off < -half*(math.Abs(dx)+math.Abs(dy)) {
			return false
		}
	}
	return true
}

// over returns how high the part is at most over a point in the frame of the workpiece.
func (r *relief) over(at geom.Vec3) float64 {
	i := r.cell(coordinate(at, r.axes[0]), r.lo.X, r.nx)
	j := r.cell(coordinate(at, r.axes[1]), r.lo.Y, r.ny)
	return r.top[j*r.nx+i]
}

// around returns how high the part is at most within a distance of some patches: at index k within k steps of the
// raster.
func (r *relief) around(patches []int32) []float64 {
	far := float64(r.nx + r.ny)
	d := make([]float64, len(r.top)) // squares of distances in cells
	for i := range d {
		d[i] = far * far
	}
	for _, p := range patches {
		r.g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
			r.triangle([3]geom.Vec3{r.frame.LocalDir(a), r.frame.LocalDir(b), r.frame.LocalDir(c)}, func(i int, _ float64) {
				d[i] = 0
			})
			return true
		})
	}
	line, env := make([]float64, max(r.nx, r.ny)), newEnvelope(max(r.nx, r.ny))
	for j := range r.ny {
		env.transform(d[j*r.nx:(j+1)*r.nx], line)
	}
	column := make([]float64, r.ny)
	for i := range r.nx {
		for j := range column {
			column[j] = d[j*r.nx+i]
		}
		env.transform(column, line)
		for j := range column {
			d[j*r.nx+i] = column[j]
		}
	}
	out := make([]float64, r.nx+r.ny+1)
	for k := range out {
		out[k] = math.Inf(-1)
	}
	for i, z := range r.top {
		k := min(int(math.Sqrt(d[i])), len(out)-1)
		out[k] = max(out[k], z)
	}
	for k := 1; k < len(out); k++ {
		out[k] = max(out[k], out[k-1])
	}
	return out
}

// within reads the answer of around at a distance (mm), on the safe side of the raster.
func (r *relief) within(around []float64, distance float64) float64 {
	const diagonal = 1.5 // cells
	k := int(distance/r.step + diagonal)
	if k < 0 {
		return math.Inf(-1)
	}
	return around[min(k, len(around)-1)]
}

// envelope is the lower envelope of the parabolas of a row.
type envelope struct {
	at   []int
	from []float64
}

func newEnvelope(n int) *envelope { return &envelope{make([]int, n), make([]float64, n+1)} }

// transform replaces the values of a row by the least of value + square of the distance to where it is.
func (e *envelope) transform(f, out []float64) {
	k := 0
	e.at[0], e.from[0], e.from[1] = 0, math.Inf(-1), math.Inf(1)
	for q := 1; q < len(f); q++ {
		meet := func() float64 {
			v := e.at[k]
			return (f[q] - f[v] + float64(q*q-v*v)) / float64(2*(q-v))
		}
		s := meet()
		for s <= e.from[k] {
			k--
			s = meet()
		}
		k++
		e.at[k], e.from[k], e.from[k+1] = q, s, math.Inf(1)
	}
	k = 0
	for q := range f {
		for e.from[k+1] < float64(q) {
			k++
		}
		v := e.at[k]
		out[q] = f[v] + float64((q-v)*(q-v))
	}
	copy(f, out)
}
