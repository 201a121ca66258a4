package crosscheck

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/fault"
	"millwright.dev/millwright/core/kernel/brep"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh/nearest"
)

// This file finds solids that share material, which is counted twice.
//
// Method: candidates are solids whose boxes overlap by more than the mesh deviation. A grid of lines cuts the common
// box along its shortest side. Winding numbers along a line give the intervals inside either solid. A midpoint of an
// interval inside both solids is certainly in both if it is deeper in each than twice the mesh deviation. Parts that
// touch, or that are pressed into each other by less, give no result.
//
// Cost: a few ns for each triangle of either solid and each line within its box, and a µs for each interval that is
// examined. The total is bounded, so for very many solids within each other's boxes some pairs are skipped. A warning
// says so where one is given.
//
// Not found: overlaps smaller than a cell of the grid, or smaller than the mesh deviation.

// Codes of the warnings.
const (
	SameSolids        = "same_solids"
	OverlappingSolids = "overlapping_solids"
)

const (
	linesAcross = 64          // of the grid, in each direction
	mostWork    = 100_000_000 // total of lines, triangles, and lines within the boxes of triangles
	stretchWork = 100         // cost of an interval, in these units
	// sameShare is the fraction of the length inside one of two solids and outside the other within which the solids
	// are the same. It allows for rounding of their positions.
	sameShare = 1e-3
)

// Overlaps returns a warning for identical solids at one place, and a warning for solids that overlap otherwise. The
// error is the error of ctx.
func Overlaps(ctx context.Context, p Subject) ([]fault.Warning, error) {
	if len(p.Model.Solids) < 2 {
		return nil, nil
	}
	o := overlaps{Subject: &p, grid: make([][]crossing, linesAcross*linesAcross)}
	for i := range p.Model.Solids {
		o.bodies = append(o.bodies, p.measure(brep.SolidID(i)))
	}
	first, count := map[string]shared{}, map[string]int{}
	for _, pair := range o.candidates() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if o.isSpent() {
			break
		}
		if s := o.compare(pair[0], pair[1]); s.code != "" {
			if count[s.code]++; count[s.code] == 1 {
				first[s.code] = s
			}
		}
	}
	var out []fault.Warning
	rest := ""
	if o.isSpent() {
		rest = "; not all solids were compared"
	}
	if s := first[SameSolids]; s.code != "" {
		out = append(out,
			fault.Warnf(SameSolids, count[s.code], "%s is the same as %s, or nearly, and stands in its place; its "+
				"volume counts twice%s", p.Model.SolidName(s.b), p.Model.SolidName(s.a), rest))
	}
	if s := first[OverlappingSolids]; s.code != "" {
		out = append(out,
			fault.Warnf(OverlappingSolids, count[s.code], "%s and %s overlap, as at %s mm; what they share counts "+
				"twice%s", p.Model.SolidName(s.a), p.Model.SolidName(s.b), place(s.at), rest))
	}
	return out, nil
}

// shared is the result for a pair of solids: the code of the warning, "" for no overlap, and a point in both.
type shared struct {
	code string
	a, b brep.SolidID
	at   geom.Vec3
}

// overlaps compares solids two by two.
type overlaps struct {
	*Subject
	bodies []measured
	grid   [][]crossing
	finder *nearest.Finder // created on first use
	work   int             // in triangles
}

// crossing is the intersection of a line with the mesh of the first or second solid of a pair: +1 enters, -1 leaves.
type crossing struct {
	height float64
	solid  int
	sign   int
}

// isSpent reports whether the work has reached its limit.
func (o *overlaps) isSpent() bool { return o.work > mostWork }

// candidates are the pairs of solids whose boxes overlap by more than the mesh deviation, in the order of the solids.
func (o *overlaps) candidates() (out [][2]int) {
	order := make([]int, len(o.bodies))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(o.bodies[a].box.Min.X, o.bodies[b].box.Min.X) })
	for k, i := range order {
		for _, j := range order[k+1:] {
			if o.bodies[j].box.Min.X > o.bodies[i].box.Max.X {
				break
			}
			if o.work++; o.isSpent() {
				return nil
			}
			size := intersection(o.bodies[i].box, o.bodies[j].box).Size()
			if min(size.X, size.Y, size.Z) > 2*o.depth(i, j) {
				out = append(out, [2]int{min(i, j), max(i, j)})
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
	return out
}

func intersection(a, b geom.Box) geom.Box {
	return geom.Box{
		Min: geom.Vec3{X: max(a.Min.X, b.Min.X), Y: max(a.Min.Y, b.Min.Y), Z: max(a.Min.Z, b.Min.Z)},
		Max: geom.Vec3{X: min(a.Max.X, b.Max.X), Y: min(a.Max.Y, b.Max.Y), Z: min(a.Max.Z, b.Max.Z)},
	}
}

// depth returns the least depth (mm) in both meshes of a point that counts as common.
func (o *overlaps) depth(i, j int) float64 { return 2 * max(o.bodies[i].reach, o.bodies[j].reach) }

// compare returns the overlap of two solids.
func (o *overlaps) compare(i, j int) shared {
	a, b := &o.bodies[i], &o.bodies[j]
	box := intersection(a.box, b.box)
	size := box.Size()
	axis := 0
	for k, s := range [3]float64{size.X, size.Y, size.Z} {
		if s < [3]float64{size.X, size.Y, size.Z}[axis] {
			axis = k
		}
	}
	for k := range o.grid {
		o.grid[k] = o.grid[k][:0]
	}
	o.work += len(o.grid)
	for solid, body := range [2]*measured{a, b} {
		for _, f := range body.faces {
			r := &o.Mesh.Regions[f]
			o.work += int(r.End - r.Start)
			for t := r.Start; t < r.End; t++ {
				if o.isSpent() {
					return shared{}
				}
				o.cross(t, solid, axis, box)
			}
		}
	}
	depth := o.depth(i, j)
	out := shared{a: brep.SolidID(i), b: brep.SolidID(j)}
	var within, outside float64 // mm, lengths inside both solids and inside one of them
	for k, line := range o.grid {
		both, one, stretches := walk(line, 2*depth)
		within, outside = within+both, outside+one
		for _, height := range stretches {
			if at := o.point(k, box, axis, height); out.code == "" && o.isDeep(at, i, j, depth) {
				out.code, out.at = OverlappingSolids, at
			}
		}
	}
	if out.code != "" && outside <= sameShare*within && apart(a.box, b.box) <= depth {
		out.code = SameSolids
	}
	return out
}

// lineAt returns the position of line k of the grid in the plane perpendicular to its axis.
func lineAt(k int, lo, hi geom.Vec2) geom.Vec2 {
	// Not in the center of the cell: the center plane of a part is often a plane of symmetry with edges in it.
	const u, v = 0.4142136, 0.6180340
	return geom.Vec2{
		X: lo.X + (hi.X-lo.X)*(float64(k%linesAcross)+u)/linesAcross,
		Y: lo.Y + (hi.Y-lo.Y)*(float64(k/linesAcross)+v)/linesAcross,
	}
}

// point returns the point of line k at a height.
func (o *overlaps) point(k int, box geom.Box, axis int, height float64) geom.Vec3 {
	lo, _ := turned(box.Min, axis)
	hi, _ := turned(box.Max, axis)
	q := lineAt(k, lo, hi)
	switch axis {
	case 0:
		return geom.Vec3{X: height, Y: q.X, Z: q.Y}
	case 1:
		return geom.Vec3{X: q.Y, Y: height, Z: q.X}
	}
	return geom.Vec3{X: q.X, Y: q.Y, Z: height}
}

// cross adds the intersections of the lines with a triangle. A line exactly through an edge may miss both triangles or
// count both. Its winding numbers then do not end at zero, and the line is ignored.
func (o *overlaps) cross(t int32, solid, axis int, box geom.Box) {
	lo, _ := turned(box.Min, axis)
	hi, _ := turned(box.Max, axis)
	var c [3]geom.Vec2
	var h [3]float64
	for k, v := range o.Mesh.Triangles[t] {
		c[k], h[k] = turned(o.Mesh.Points[v], axis)
	}
	first, last := lineAt(0, lo, hi), lineAt(len(o.grid)-1, lo, hi)
	step := geom.Vec2{X: (hi.X - lo.X) / linesAcross, Y: (hi.Y - lo.Y) / linesAcross}
	left, right := min(c[0].X, c[1].X, c[2].X), max(c[0].X, c[1].X, c[2].X)
	low, high := min(c[0].Y, c[1].Y, c[2].Y), max(c[0].Y, c[1].Y, c[2].Y)
	if right < first.X || left > last.X || high < first.Y || low > last.Y {
		return
	}
	from := func(x, first, step float64) int { return int(max(0, math.Ceil((x-first)/step))) }
	to := func(x, first, step float64) int { return int(min(linesAcross-1, math.Floor((x-first)/step))) }
	x0, x1 := from(left, first.X, step.X), to(right, first.X, step.X)
	for y := from(low, first.Y, step.Y); y <= to(high, first.Y, step.Y); y++ {
		o.work += max(0, x1-x0+1)
		for x := x0; x <= x1; x++ {
			k := y*linesAcross + x
			at := lineAt(k, lo, hi)
			var w [3]float64
			for i := range w {
				w[i] = c[(i+1)%3].Sub(at).Cross(c[(i+2)%3].Sub(at))
			}
			sign := -1 // seen from above, the triangle is counter-clockwise if the line leaves the solid
			if w[0] < 0 || w[1] < 0 || w[2] < 0 {
				if sign = 1; w[0] > 0 || w[1] > 0 || w[2] > 0 {
					continue
				}
			}
			if area := w[0] + w[1] + w[2]; area != 0 {
				height := (w[0]*h[0] + w[1]*h[1] + w[2]*h[2]) / area
				o.grid[k] = append(o.grid[k], crossing{height, solid, sign})
			}
		}
	}
}

// walk returns the lengths of a line inside both solids and inside only one. It also returns the midpoints of the
// intervals inside both that are longer than shortest.
func walk(line []crossing, shortest float64) (both, one float64, stretches []float64) {
	slices.SortFunc(line, func(a, b crossing) int {
		return cmp.Or(cmp.Compare(a.height, b.height), a.solid-b.solid, a.sign-b.sign)
	})
	var inside [2]int
	for i, c := range line {
		if i > 0 {
			length := c.height - line[i-1].height
			switch {
			case inside[0] > 0 && inside[1] > 0:
				if both += length; length > shortest {
					stretches = append(stretches, c.height-length/2)
				}
			case inside[0] > 0 || inside[1] > 0:
				one += length
			}
		}
		inside[c.solid] += c.sign
	}
	if inside != [2]int{} {
		return 0, 0, nil
	}
	return both, one, stretches
}

// isDeep reports whether no triangle of two solids is nearer to a point than depth, mm.
func (o *overlaps) isDeep(p geom.Vec3, i, j int, depth float64) bool {
	if o.finder == nil {
		o.finder = nearest.New(o.Mesh)
	}
	o.work += stretchWork
	isDeep := true
	o.finder.Within(p, depth, func(face int, _ float64) bool {
		solid := o.Model.Shells[o.Model.Faces[face].Shell].Solid
		isDeep = solid != brep.SolidID(i) && solid != brep.SolidID(j)
		return isDeep
	})
	return isDeep
}
