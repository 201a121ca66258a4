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
	frame         geom.Frame
	origin        geom.Vec2 // of the grid, in the frame
	step          float64   // mm
	width, height int
	tip, lowest   []float64
	radius        float64 // mm, of the cutter
}

// Fineness of the grids.
const (
	perRadius = 16  // cells in the radius of a cutter
	perSide   = 500 // most cells along the longer side of the part
)

// access returns the reach of a mill in a setup.
func (j *job) access(mill, setup int) *access {
	key := place{mill, setup}
	if j.maps[key] == nil {
		j.maps[key] = newAccess(j.Mesh, j.Directions[setup], j.mills[mill].tool)
	}
	return j.maps[key]
}

func newAccess(m *mesh.Mesh, f geom.Frame, t *machining.Tool) *access {
	box := geom.EmptyBox()
	for _, p := range m.Points {
		box = box.Add(f.Local(p))
	}
	size := box.Size()
	a := &access{frame: f, radius: t.Diameter / 2}
	a.step = max(a.radius/perRadius, max(size.X, size.Y)/perSide)
	around := a.radius + 2*a.step
	a.origin = geom.Vec2{X: box.Min.X - around, Y: box.Min.Y - around}
	a.width, a.height = int(math.Ceil((size.X+2*around)/a.step)), int(math.Ceil((size.Y+2*around)/a.step))
	part := a.heights(m)
	a.tip = make([]float64, len(part))
	for i := range a.tip {
		a.tip[i] = math.Inf(-1)
	}
	for _, s := range steps(t) {
		for i, h := range a.dilated(part, s.Radius) {
			a.tip[i] = max(a.tip[i], h-s.Height)
		}
	}
	low := make([]float64, len(part))
	for i, h := range a.tip {
		low[i] = -h
	}
	a.lowest = a.dilated(low, a.radius)
	for i, h := range a.lowest {
		a.lowest[i] = -h
	}
	return a
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
func (a *access) heights(m *mesh.Mesh) []float64 {
	out := make([]float64, a.width*a.height)
	for i := range out {
		out[i] = math.Inf(-1)
	}
	points := make([]geom.Vec3, len(m.Points))
	for i, p := range m.Points {
		points[i] = a.frame.Local(p)
	}
	for _, t := range m.Triangles {
		scan(points[t[0]], points[t[1]], points[t[2]], a.origin, a.step, a.width, a.height, func(cell int, z float64) {
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

// dilated returns the largest value within a radius (mm), less a cell, of each cell.
func (a *access) dilated(in []float64, radius float64) []float64 {
	r := max(radius/a.step-1, 0)
	out := make([]float64, len(in))
	row := make([]float64, len(in))
	for i := range out {
		out[i] = math.Inf(-1)
	}
	known := -1
	for dy := 0; float64(dy) <= r && dy < a.height; dy++ {
		if half := int(math.Sqrt(r*r - float64(dy*dy))); half != known {
			known = half
			for j := range a.height {
				widened(in[j*a.width:(j+1)*a.width], row[j*a.width:(j+1)*a.width], half)
			}
		}
		for i := range len(out) - dy*a.width {
			low, high := i, i+dy*a.width
			out[low], out[high] = max(out[low], row[high]), max(out[high], row[low])
		}
	}
	return out
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
func (a *access) cell(x, y float64) (int, bool) {
	i, j := int(math.Floor((x-a.origin.X)/a.step)), int(math.Floor((y-a.origin.Y)/a.step))
	return j*a.width + i, i >= 0 && j >= 0 && i < a.width && j < a.height
}

// slack (mm) is the height by which chords of the mesh may hide a point of the part's own surface.
const slack = 0.05

// covers reports whether the cutter gets at a point, in part coordinates.
func (a *access) covers(p geom.Vec3) bool {
	q := a.frame.Local(p)
	c, ok := a.cell(q.X, q.Y)
	return !ok || a.lowest[c] <= q.Z+slack
}

// passes reports whether the cutter gets beside a wall down to a point of it, whose normal is given.
func (a *access) passes(p, normal geom.Vec3) bool {
	q, n := a.frame.Local(p), a.frame.LocalDir(normal)
	d := a.radius / math.Hypot(n.X, n.Y)
	c, ok := a.cell(q.X+n.X*d, q.Y+n.Y*d)
	return !ok || a.tip[c] <= q.Z+slack
}
