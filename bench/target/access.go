package target

import (
	"math"

	"millwright.dev/millwright/bench/reach"
	"millwright.dev/millwright/bench/replay"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
)

// access is the reach of a tool in its holder from one direction, on a grid.
//
// tip is the lowest height of the tip above a cell at which nothing of the tool meets the part: the maximum over the
// steps of the tool of the part's heights within the radius of the step, minus the height of the step. lowest is the
// lowest height that the cutter covers above a cell: the minimum of tip within the radius of the cutter. Radii are
// smaller by a cell, so that a tool fits into a slot of its own width.
type access struct {
	*ground
	tip    []float64
	lowest []float64 // nil: not asked for yet
	radius float64   // mm, of the cutter
}

// ground is the part as a setup sees it, on a grid.
type ground struct {
	frame         geom.Frame
	origin        geom.Vec2 // of the grid, in the frame
	step          float64   // mm
	width, height int
	part          []float64
	widened       map[float64]*pool // by radius
}

// pool is the part's heights, widened, on cells that are coarse times as wide.
type pool struct {
	coarse, width int
	heights       []float64
}

// Fineness of the grids.
const (
	perRadius = 16  // cells in the radius of a cutter, or half as many
	perSide   = 256 // most cells along the longer side of the part
)

// site is a setup and the step of a grid.
type site struct {
	setup int
	step  float64
}

// access returns the reach of a mill in a setup.
func (j *job) access(mill, setup int) *access {
	key := place{mill, setup}
	if j.maps[key] == nil {
		j.maps[key] = j.ground(setup, j.mills[mill].tool).access(j.mills[mill].tool)
	}
	return j.maps[key]
}

// ground returns the part on a grid that suits a tool. Steps are powers of two apart, so that tools share grids.
func (j *job) ground(setup int, t *machining.Tool) *ground {
	box := geom.EmptyBox()
	for _, p := range j.Mesh.Points {
		box = box.Add(j.Directions[setup].Local(p))
	}
	size := box.Size()
	step := max(size.X, size.Y) / perSide
	for 2*step <= t.Diameter/2/perRadius {
		step *= 2
	}
	key := site{setup, step}
	if j.grounds[key] == nil {
		around := j.mills[0].tool.Diameter/2 + 2*step
		g := &ground{frame: j.Directions[setup], step: step, widened: map[float64]*pool{}}
		g.origin = geom.Vec2{X: box.Min.X - around, Y: box.Min.Y - around}
		g.width, g.height = int(math.Ceil((size.X+2*around)/step)), int(math.Ceil((size.Y+2*around)/step))
		g.part = g.heights(j.Mesh)
		j.grounds[key] = g
	}
	return j.grounds[key]
}

// access returns the reach of a tool.
func (g *ground) access(t *machining.Tool) *access {
	a := &access{ground: g, radius: t.Diameter / 2, tip: filled(len(g.part), math.Inf(-1))}
	for _, s := range steps(t) {
		p := g.within(s.Radius)
		for j := range g.height {
			row, wide := a.tip[j*g.width:(j+1)*g.width], p.heights[j/p.coarse*p.width:]
			for i, k, n := 0, 0, 0; i < len(row); i++ {
				row[i] = max(row[i], wide[k]-s.Height)
				if n++; n == p.coarse {
					k, n = k+1, 0
				}
			}
		}
	}
	return a
}

// sink sets the lowest heights that the cutter covers.
func (a *access) sink() {
	low := make([]float64, len(a.tip))
	for i, h := range a.tip {
		low[i] = -h
	}
	a.lowest = dilated(low, a.width, a.radius/a.step-1)
	for i, h := range a.lowest {
		a.lowest[i] = -h
	}
}

// within returns the largest heights of the part within a radius less a cell. Large radii use coarser cells
// with the largest height in each.
func (g *ground) within(radius float64) *pool {
	if p := g.widened[radius]; p != nil {
		return p
	}
	p := &pool{coarse: max(int(radius/g.step/perRadius), 1)}
	p.width = (g.width + p.coarse - 1) / p.coarse
	p.heights = filled(p.width*((g.height+p.coarse-1)/p.coarse), math.Inf(-1))
	for i, h := range g.part {
		k := i/g.width/p.coarse*p.width + i%g.width/p.coarse
		p.heights[k] = max(p.heights[k], h)
	}
	p.heights = dilated(p.heights, p.width, radius/g.step/float64(p.coarse)-1)
	g.widened[radius] = p
	return p
}

func filled(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// steps returns the tool as steps: from a height above the tip on it is at least so wide. A slope counts from its lower
// end.
func steps(t *machining.Tool) (out []replay.Ring) {
	s := reach.ShapeOf(t)
	body := s.Body()
	widest := 0.0
	for _, o := range []replay.Outline{body.Cutting, body.Behind} {
		for i, r := range o {
			if r.Radius <= widest {
				continue
			}
			from := r.Height
			if i > 0 && o[i-1].Height < r.Height && o[i-1].Radius < r.Radius {
				from = o[i-1].Height
			}
			widest = r.Radius
			if n := len(out); n > 0 && out[n-1].Height >= from-s.CornerRadius/2 && i > 0 {
				out[n-1].Radius = r.Radius // the chords of a rounded corner are a few steps
				continue
			}
			out = append(out, replay.Ring{Height: from, Radius: r.Radius})
		}
	}
	return out
}

// heights returns the largest height of the part above the middle of each cell.
func (g *ground) heights(m *mesh.Mesh) []float64 {
	out := filled(g.width*g.height, math.Inf(-1))
	points := make([]geom.Vec3, len(m.Points))
	for i, p := range m.Points {
		points[i] = g.frame.Local(p)
	}
	for _, t := range m.Triangles {
		scan(points[t[0]], points[t[1]], points[t[2]], g.origin, g.step, g.width, g.height, func(cell int, z float64) {
			out[cell] = max(out[cell], z)
		})
	}
	return out
}

// scan visits the cells of a grid whose middle is in a triangle as seen from above.
func scan(p, q, r geom.Vec3, origin geom.Vec2, step float64, width, height int, visit func(cell int, z float64)) {
	area := (q.X-p.X)*(r.Y-p.Y) - (q.Y-p.Y)*(r.X-p.X)
	if area == 0 {
		return
	}
	dx := ((q.Z-p.Z)*(r.Y-p.Y) - (r.Z-p.Z)*(q.Y-p.Y)) / area
	dy := ((r.Z-p.Z)*(q.X-p.X) - (q.Z-p.Z)*(r.X-p.X)) / area
	first := func(lo, from float64) int { return max(int(math.Ceil((lo-from)/step-0.5)), 0) }
	last := func(hi, from float64, n int) int { return min(int(math.Floor((hi-from)/step-0.5)), n-1) }
	for j := first(min(p.Y, q.Y, r.Y), origin.Y); j <= last(max(p.Y, q.Y, r.Y), origin.Y, height); j++ {
		y := origin.Y + (float64(j)+0.5)*step
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, e := range [3][2]geom.Vec3{{p, q}, {q, r}, {r, p}} {
			a, b := e[0], e[1]
			if a.Y > b.Y { // the same sum for both triangles at an edge
				a, b = b, a
			}
			if a.Y <= y && y < b.Y {
				x := a.X + (y-a.Y)*(b.X-a.X)/(b.Y-a.Y)
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		for i := first(lo, origin.X); lo < hi && i <= last(hi, origin.X, width); i++ {
			x := origin.X + (float64(i)+0.5)*step
			if lo <= x && x < hi {
				visit(j*width+i, p.Z+dx*(x-p.X)+dy*(y-p.Y))
			}
		}
	}
}

// dilated returns the largest value within a radius of each cell of a grid, in cells.
func dilated(in []float64, width int, r float64) []float64 {
	r = max(r, 0)
	height := len(in) / width
	out, row := filled(len(in), math.Inf(-1)), make([]float64, len(in))
	known := -1
	for dy := 0; float64(dy) <= r && dy < height; dy++ {
		if half := int(math.Sqrt(r*r - float64(dy*dy))); half != known {
			known = half
			for j := range height {
				widened(in[j*width:(j+1)*width], row[j*width:(j+1)*width], half)
			}
		}
		raise(out[:len(out)-dy*width], row[dy*width:])
		raise(out[dy*width:], row)
	}
	return out
}

// raise raises each value to another.
func raise(out, to []float64) {
	for i, v := range to[:len(out)] {
		if v > out[i] {
			out[i] = v
		}
	}
}

// widened sets out to the largest value of in up to half cells away (van Herk 1992: two running maxima a block).
func widened(in, out []float64, half int) {
	n, block := len(in), 2*half+1
	if half == 0 {
		copy(out, in)
		return
	}
	if half >= n {
		most := math.Inf(-1)
		for _, v := range in {
			most = max(most, v)
		}
		for i := range out {
			out[i] = most
		}
		return
	}
	at := func(i int) float64 {
		if i < 0 || i >= n {
			return math.Inf(-1)
		}
		return in[i]
	}
	left, right := make([]float64, block), make([]float64, block)
	for start := 0; start < n; start += block {
		// The window of cell start+k is from start+k−half to start+k+half: the end of one block, the start of the next.
		right[block-1] = at(start + half)
		for k := block - 2; k >= 0; k-- {
			right[k] = max(right[k+1], at(start-half+k))
		}
		left[0] = math.Inf(-1)
		for k := 1; k < block; k++ {
			left[k] = max(left[k-1], at(start+half+k))
		}
		for k := 0; k < block && start+k < n; k++ {
			out[start+k] = max(right[k], left[k])
		}
	}
}

// cell returns the cell of a place in the frame; false: outside the grid, where no part is.
func (g *ground) cell(x, y float64) (int, bool) {
	i, j := int(math.Floor((x-g.origin.X)/g.step)), int(math.Floor((y-g.origin.Y)/g.step))
	return j*g.width + i, i >= 0 && j >= 0 && i < g.width && j < g.height
}

// slack (mm) is the height by which chords of the mesh may hide a point of the part's own surface.
const slack = 0.05

// covers reports whether the cutter gets at a point, in part coordinates.
func (a *access) covers(p geom.Vec3) bool {
	if a.lowest == nil {
		a.sink()
	}
	q := a.frame.Local(p)
	c, ok := a.cell(q.X, q.Y)
	return !ok || a.lowest[c] <= q.Z+slack
}

// passes reports whether the cutter can touch a wall at a point with a given normal.
func (a *access) passes(p, normal geom.Vec3) bool {
	q, n := a.frame.Local(p), a.frame.LocalDir(normal)
	d := a.radius / math.Hypot(n.X, n.Y)
	c, ok := a.cell(q.X+n.X*d, q.Y+n.Y*d)
	return !ok || a.tip[c] <= q.Z+slack
}
