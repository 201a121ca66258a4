package planning

// How high the part is around a place.
//
// A raster of some 200 × 200 cells holds the highest point of the part over each cell, seen along a side: every
// triangle counts with the height of its plane over the cells that it touches, bounded by its corners, so no cell is
// too low. From the cells under some patches the exact distance of all others is found (Felzenszwalb, Huttenlocher,
// "Distance Transforms of Sampled Functions", Theory of Computing 8, 2012), and with it the highest point within every
// distance.
//
// Distances are short by up to a diagonal of a cell, which errs toward touching.

import (
	"math"
	"slices"

	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
)

const reliefCells = 200 // along the longer side

// heightField is the part seen along one side.
type heightField struct {
	g      *graph.Graph
	frame  geom.Frame // of the raster, in that of the part
	axes   [2]int     // of the workpiece, along x and y of the raster
	lo, hi geom.Vec2
	step   float64
	nx, ny int
	top    []float64 // by cell, -Inf where nothing is
	low    []float64 // by cell, the least of it and of those around it
	crest  []float64 // the highest of each column

	squares []float64 // by cell: room for squares of distances in cells
}

func newRelief(g *graph.Graph, s side, f geom.Frame, part geom.Box) *heightField {
	a, b := s.across()
	z := s.dir(f)
	r := &heightField{g: g, axes: [2]int{a, b},
		frame: geom.Frame{X: sideOf(a, true).dir(f), Y: sideOf(b, true).dir(f), Z: z}}
	x, y := along(part, a), along(part, b)
	r.step = max(x.Length(), y.Length(), 1e-3) / reliefCells
	r.lo, r.hi = geom.Vec2{X: x.Lo, Y: y.Lo}, geom.Vec2{X: x.Hi, Y: y.Hi}
	r.nx, r.ny = int(x.Length()/r.step)+1, int(y.Length()/r.step)+1
	r.top = make([]float64, r.nx*r.ny)
	for i := range r.top {
		r.top[i] = math.Inf(-1)
	}
	for p := range g.Patches {
		r.eachCell(int32(p), func(i int, z float64) { r.top[i] = max(r.top[i], z) })
	}
	r.low = r.lowered()
	r.crest = slices.Clone(r.top[:r.nx])
	for i, z := range r.top {
		r.crest[i%r.nx] = max(r.crest[i%r.nx], z)
	}
	r.squares = make([]float64, len(r.top))
	return r
}

func (r *heightField) cell(x, lo float64, n int) int { return min(max(int((x-lo)/r.step), 0), n-1) }

// eachCell visits the cells that a patch may touch, with how high it is there at most; some more than once.
func (r *heightField) eachCell(p int32, visit func(i int, z float64)) {
	r.g.EachTriangle(p, func(a, b, c geom.Vec3) bool {
		r.triangle([3]geom.Vec3{r.frame.LocalDir(a), r.frame.LocalDir(b), r.frame.LocalDir(c)}, visit)
		return true
	})
}

// triangle visits the cells that a triangle may touch, with how high it is there at most.
func (r *heightField) triangle(t [3]geom.Vec3, visit func(i int, z float64)) {
	box := geom.BoxOf(t[:]...)
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	x0, x1 := r.cell(box.Min.X, r.lo.X, r.nx), r.cell(box.Max.X, r.lo.X, r.nx)
	y0, y1 := r.cell(box.Min.Y, r.lo.Y, r.ny), r.cell(box.Max.Y, r.lo.Y, r.ny)
	const touch = 1 + 1e-6 // a face on the border of the raster touches its last cells in spite of rounding
	half := r.step / 2 * touch
	edges := edgesOf(t, n.Z, half)
	for j := y0; j <= y1; j++ {
		y := r.lo.Y + (float64(j)+0.5)*r.step
		first, last := r.row(edges, x0, x1, y)
		for i := first; i <= last; i++ {
			x := r.lo.X + (float64(i)+0.5)*r.step
			z := box.Max.Z
			if steep := math.Abs(n.X) + math.Abs(n.Y); math.Abs(n.Z) > steep*1e-6 {
				mid := t[0].Z - (n.X*(x-t[0].X)+n.Y*(y-t[0].Y))/n.Z
				z = min(z, max(mid+half*steep/math.Abs(n.Z), box.Min.Z))
			}
			visit(j*r.nx+i, z)
		}
	}
}

// row returns which cells of a row, the center of which is at y, edges do not part from a triangle: of x0 to x1, those
// from first to last.
func (r *heightField) row(edges []edge, x0, x1 int, y float64) (first, last int) {
	const level = 1e-9
	lo, hi := math.Inf(-1), math.Inf(1)
	for k := range edges {
		switch e := &edges[k]; {
		case math.Abs(e.dy) < level*math.Abs(e.dx): // rounding would be anywhere
		case e.dy > 0:
			hi = min(hi, e.x+(e.dx*(y-e.y)+e.slack)/e.dy)
		case e.dy < 0:
			lo = max(lo, e.x+(e.dx*(y-e.y)+e.slack)/e.dy)
		}
	}
	const rounding = 2 // cells
	inCells := func(x float64) float64 { return min(max((x-r.lo.X)/r.step, -rounding), float64(r.nx+rounding)) }
	first, last = max(x0, int(inCells(lo))-rounding), min(x1, int(inCells(hi))+rounding)
	parts := func(i int) bool {
		x := r.lo.X + (float64(i)+0.5)*r.step
		return slices.ContainsFunc(edges, func(e edge) bool { return e.parts(x, y) })
	}
	for first <= last && parts(first) {
		first++
	}
	for first < last && parts(last) {
		last--
	}
	return first, last
}

// edge is a line beside which a triangle lies, seen from above.
type edge struct {
	x, y, dx, dy float64
	slack        float64 // by how much a square may be on the other side of it and still meet it
}

// parts reports whether the square round (x, y) is beyond the line.
func (e *edge) parts(x, y float64) bool { return e.dx*(y-e.y)-e.dy*(x-e.x) < -e.slack }

// edgesOf returns the edges of a triangle that turns to the left, or to the right where turn is negative, for squares
// of some size; of an upright one those on both sides of the line that it is.
func edgesOf(t [3]geom.Vec3, turn, half float64) []edge {
	along := func(a, d geom.Vec3) edge {
		return edge{a.X, a.Y, d.X, d.Y, half * (math.Abs(d.X) + math.Abs(d.Y))}
	}
	if turn == 0 {
		d := t[1].Sub(t[0])
		if e := t[2].Sub(t[0]); e.X*e.X+e.Y*e.Y > d.X*d.X+d.Y*d.Y {
			d = e
		}
		return []edge{along(t[0], d), along(t[0], d.Neg())}
	}
	var edges [3]edge
	for k := range 3 {
		a, b := t[k], t[(k+1)%3]
		if edges[k] = along(a, b.Sub(a)); turn < 0 {
			edges[k] = along(a, a.Sub(b))
		}
	}
	return edges[:]
}

// over returns how high the part is at most over a point in the frame of the workpiece.
func (r *heightField) over(at geom.Vec3) float64 {
	i := r.cell(at.Coordinate(r.axes[0]), r.lo.X, r.nx)
	j := r.cell(at.Coordinate(r.axes[1]), r.lo.Y, r.ny)
	return r.top[j*r.nx+i]
}

// highest returns how high the part is at most over a point; −Inf beside the part.
func (r *heightField) highest(at geom.Vec3) float64 {
	x, y := at.Coordinate(r.axes[0]), at.Coordinate(r.axes[1])
	if x < r.lo.X || y < r.lo.Y || x > r.hi.X || y > r.hi.Y {
		return math.Inf(-1)
	}
	return r.over(at)
}

// least returns a lower bound of the part's height around a point, over the excess width of its raster; −Inf outside
// the part.
func (r *heightField) least(at geom.Vec3) float64 {
	x, y := at.Coordinate(r.axes[0]), at.Coordinate(r.axes[1])
	if x-r.step < r.lo.X || y-r.step < r.lo.Y || x+r.step > r.hi.X || y+r.step > r.hi.Y {
		return math.Inf(-1)
	}
	return r.low[r.cell(y, r.lo.Y, r.ny)*r.nx+r.cell(x, r.lo.X, r.nx)]
}

// lowered returns for each cell the least height of it and of those around it. The cells of the border have wrong
// neighbors, and are not read.
func (r *heightField) lowered() []float64 {
	low := slices.Clone(r.top)
	for _, stride := range [2]int{1, r.nx} {
		was := slices.Clone(low)
		for i := range low {
			low[i] = min(was[i], was[max(i-stride, 0)], was[min(i+stride, len(was)-1)])
		}
	}
	return low
}

// around returns how high the part is at most within a distance of some patches: at index k within k steps of the
// raster, beyond the last one as high as within that. Only cells that are higher than those under the patches count, so
// where none is, no distance is looked for.
func (r *heightField) around(patches []int32) []float64 {
	d := r.squares
	for i := range d {
		d[i] = math.Inf(1)
	}
	base := math.Inf(-1)
	for _, p := range patches {
		r.eachCell(p, func(i int, _ float64) { d[i], base = 0, max(base, r.top[i]) })
	}
	if base >= slices.Max(r.crest) {
		return []float64{base}
	}
	var rows []int // that have some of the patches
	for j := range r.ny {
		if row := d[j*r.nx : (j+1)*r.nx]; spread(row) {
			rows = append(rows, j)
		}
	}
	out := slices.Repeat([]float64{base}, r.nx+r.ny+1)
	env, column, line := newEnvelope(rows), make([]float64, len(rows)), make([]float64, r.ny)
	for i := range r.nx {
		if r.crest[i] <= base {
			continue
		}
		for k, j := range rows {
			column[k] = d[j*r.nx+i]
		}
		env.transform(column, line)
		for j, far2 := range line {
			if z := r.top[j*r.nx+i]; z > base {
				k := int(min(math.Sqrt(far2), float64(len(out)-1)))
				out[k] = max(out[k], z)
			}
		}
	}
	for k := 1; k < len(out); k++ {
		out[k] = max(out[k], out[k-1])
	}
	return out
}

// within reads the answer of around at a distance (mm), on the safe side of the raster.
func (r *heightField) within(around []float64, distance float64) float64 {
	const diagonal = 1.5 // cells
	k := int(distance/r.step + diagonal)
	if k < 0 {
		return math.Inf(-1)
	}
	return around[min(k, len(around)-1)]
}

// spread gives every cell of a row the square of how far it is from the nearest one that has 0; false where none has.
func spread(row []float64) bool {
	last := -1
	for i, v := range row {
		if v != 0 {
			continue
		}
		first := 0 // of those that are nearer to this one than to the last
		if last >= 0 {
			first = (last + i + 1) / 2
			for k := last + 1; k < first; k++ {
				row[k] = float64((k - last) * (k - last))
			}
		}
		for k := first; k < i; k++ {
			row[k] = float64((i - k) * (i - k))
		}
		last = i
	}
	for k := last + 1; last >= 0 && k < len(row); k++ {
		row[k] = float64((k - last) * (k - last))
	}
	return last >= 0
}

// envelope is the lower envelope of parabolas over a line, with their feet at some places of it.
type envelope struct {
	feet []int // ascending
	at   []int // of the feet, which are in the envelope
	from []float64
}

func newEnvelope(feet []int) *envelope {
	return &envelope{feet, make([]int, len(feet)), make([]float64, len(feet)+1)}
}

// transform finds for each place the least of the values at the feet and the square of how far they are; without feet
// it is infinite.
func (e *envelope) transform(f, out []float64) {
	if len(f) == 0 {
		for q := range out {
			out[q] = math.Inf(1)
		}
		return
	}
	k := 0
	e.at[0], e.from[0], e.from[1] = 0, math.Inf(-1), math.Inf(1)
	for i := 1; i < len(f); i++ {
		q := e.feet[i]
		meet := func() float64 {
			v := e.feet[e.at[k]]
			return (f[i] - f[e.at[k]] + float64(q*q-v*v)) / float64(2*(q-v))
		}
		s := meet()
		for s <= e.from[k] {
			k--
			s = meet()
		}
		k++
		e.at[k], e.from[k], e.from[k+1] = i, s, math.Inf(1)
	}
	k = 0
	for q := range out {
		for e.from[k+1] < float64(q) {
			k++
		}
		v := e.feet[e.at[k]]
		out[q] = f[e.at[k]] + float64((q-v)*(q-v))
	}
}
