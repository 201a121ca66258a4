package toolpath

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/motion"
	"millwright.dev/millwright/core/cam/planning"
	"millwright.dev/millwright/core/cam/planning/access"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/cam/toolpath/scallop"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/mesh"
	"millwright.dev/millwright/core/parallel"
)

// Slopes and free forms are finished by passes with ridges of one height (package scallop), on a mesh that is as fine
// as that of the proof. The body of the tool keeps access.Clearance from the part, and the tip stays where all of the
// tool is as far from jaws, and its body from stock.

const (
	// leastFlat and mostFlat bound the cosine of the steepest slope that the cells of the map carry.
	leastFlat, mostFlat = 0.1, 0.5
	// mostCells is the largest number of cells of a map.
	mostCells = 1.5e6
	// stockCell (mm) is the distance at which the height of the stock is looked at.
	stockCell = 0.4
	// deepestCut is the largest depth of a ball in stock, in depths of cut.
	deepestCut = 2
	// leastUncut is the share of a face that is reported if passes do not reach it.
	leastUncut = 0.05
)

// surface finishes the faces of the operation.
func (w *operationBuilder) surface() error {
	in, patch, free, err := w.region()
	if err != nil || in == nil {
		return err
	}
	out, err := scallop.Make(w.ctx, in)
	if err != nil {
		return err
	}
	below := w.in.slopes[w.setup]
	for i, pass := range out.Passes {
		if link := out.Links[i]; link != nil {
			for _, p := range link {
				w.line(p, motion.Cut, w.feed())
			}
		} else if i == 0 || !w.hop(in.Grid, free, pass[0]) {
			if err := w.over(flat(pass[0]), pass[0].Z, nil); err != nil {
				return err
			}
			w.line(pass[0], motion.LeadIn, w.plungeFeed())
		}
		for _, p := range pass[1:] {
			w.line(p, motion.Cut, w.feed())
		}
		below.pass(pass, w.radius, w.tool.Tool.CornerRadius)
	}
	if !w.sharesFaces(w.ofSameKind(true)) {
		w.declareUncut(in, out.Uncut, patch)
	}
	return nil
}

// hop moves the tip by rapids low over everything, and down to a place; false, without moves, where that saves nothing.
// Free are the heights of the tip from which on the tool is free.
func (w *operationBuilder) hop(g grid.Grid, free []float32, to geom.Vec3) bool {
	high := w.at.Z
	look := func(from, to geom.Vec2) bool {
		n := 1 + int(to.Dist(from)/g.Step)
		for k := range n + 1 {
			at := from.Lerp(to, float64(k)/float64(n))
			i, j := int(math.Round((at.X-g.X)/g.Step)), int(math.Round((at.Y-g.Y)/g.Step))
			if i < 0 || j < 0 || i >= g.Width || j >= g.Height {
				return false
			}
			high = max(high, float64(free[j*g.Width+i])+above)
		}
		return true
	}
	from, end := flat(w.at), flat(to)
	knee := w.knee(from, end)
	if !look(from, end) || !look(from, knee) || !look(knee, end) || high >= w.safe {
		return false
	}
	w.line(lift(from, high), motion.Rapid, 0)
	w.line(lift(end, high), motion.Rapid, 0)
	i, j := int(math.Round((to.X-g.X)/g.Step)), int(math.Round((to.Y-g.Y)/g.Step))
	w.line(lift(end, min(high, max(float64(free[j*g.Width+i])+above, to.Z))), motion.Rapid, 0)
	w.line(to, motion.LeadIn, w.plungeFeed())
	return true
}

// region returns the region of the operation with the patch of each of its cells, and the heights of the tip from which
// on the tool is free of everything; nil if it has none.
func (w *operationBuilder) region() (*scallop.Input, []int32, []float32, error) {
	part := w.in.Part
	if part == nil {
		part = w.in.Graph.Mesh
	}
	t, frame := &w.tool.Tool, w.setup.Frame
	box, level := geom.EmptyBox(), mostFlat
	w.triangles(part, func(_ int, c [3]geom.Vec3) {
		box = box.Union(geom.BoxOf(c[:]...))
		if n := c[1].Sub(c[0]).Cross(c[2].Sub(c[0])); n.Z > leastFlat*n.Norm() {
			level = min(level, n.Z/n.Norm())
		}
	})
	if box.IsEmpty() {
		return nil, nil, nil, nil
	}
	cutter, tool := w.undersides()
	if w.op.Bottom+cutter.Top() > w.site.StockHeight()+access.Clearance { // the body is always over everything
		tool = cutter
	}
	g := w.cells(box, tool.MaxRadius(), level)
	in := &scallop.Input{
		Mill: w.in.Mill, Grid: g, Tool: tool, Cutter: cutter, Radius: w.radius, Corner: t.CornerRadius,
		Scallop: w.op.Scallop, Tolerance: w.op.Tolerance, Leave: w.op.LeaveRadial, Region: make([]bool, g.Len()),
	}
	var err error
	if in.Heights, err = w.in.Mill.Heights(w.ctx, part, frame, g); err != nil {
		return nil, nil, nil, err
	}
	patch := make([]int32, g.Len())
	w.triangles(part, func(face int, c [3]geom.Vec3) {
		g.Over(c, func(cell int, z float64) {
			if z >= float64(in.Heights[cell])-grid.SameHeight {
				in.Region[cell], patch[cell] = true, w.in.Graph.PatchOf[face]
			}
		})
	})
	if err := w.withoutReached(in); err != nil {
		return nil, nil, nil, err
	}
	if in.Over, err = w.in.Mill.Over(w.ctx, part, frame); err != nil {
		return nil, nil, nil, err
	}
	var free []float32
	in.Allowed, free, err = w.allowed(in)
	return in, patch, free, err
}

// withoutReached removes from a region the cells that thicker tools have finished before: where the closing of the part
// by the tool (J. Serra, Image Analysis and Mathematical Morphology, 1982) is no farther above it than the ridges.
func (w *operationBuilder) withoutReached(in *scallop.Input) error {
	g := in.Grid
	left := in.Region
	for i := range w.setup.Operations {
		o := &w.setup.Operations[i]
		if o == w.op {
			break
		}
		if o.Strategy != planning.Surface || !w.sharesFaces([]*planning.Operation{o}) {
			continue
		}
		t := &w.in.Plan.Tools[o.Tool].Tool
		ball := toolprofile.EndMill(t.Diameter, t.CornerRadius, t.Diameter)
		tips, err := w.in.Mill.Tips(w.ctx, g, in.Heights, ball)
		if err != nil {
			return err
		}
		for k := range tips {
			tips[k] = -max(tips[k], float32(o.Bottom))
		}
		if tips, err = w.in.Mill.Tips(w.ctx, g, tips, ball); err != nil {
			return err
		}
		stays := make([]bool, len(left))
		for k, is := range left {
			stays[k] = is && w.misses(in, k, -tips[k], t.CornerRadius)
		}
		left = stays
	}
	if len(left) > 0 && &left[0] != &in.Region[0] {
		wider(left, g.Width, int(math.Sqrt(8*in.Corner*in.Scallop)/g.Step)+1)
		for k, is := range left {
			in.Region[k] = in.Region[k] && is
		}
	}
	return nil
}

// misses reports whether a ball of a radius, which reaches down to a height over a cell, leaves more there than ridges.
func (w *operationBuilder) misses(in *scallop.Input, cell int, low float32, radius float64) bool {
	const most = 0.02 // mm, as planned
	steep := secant(in, cell)
	ridge := in.Grid.Step * in.Grid.Step * steep * steep / (8 * radius)
	return float64(low-in.Heights[cell]) > (most+2*ridge)*steep
}

// secant returns the secant of the slope of the part at a cell, 1 at the border of the grid.
func secant(in *scallop.Input, cell int) float64 {
	g := in.Grid
	x, y := cell%g.Width, cell/g.Width
	if x == 0 || y == 0 || x == g.Width-1 || y == g.Height-1 {
		return 1
	}
	dx := float64(in.Heights[cell+1]-in.Heights[cell-1]) / (2 * g.Step)
	dy := float64(in.Heights[cell+g.Width]-in.Heights[cell-g.Width]) / (2 * g.Step)
	return math.Sqrt(1 + dx*dx + dy*dy)
}

// wider marks the cells within a square of some cells around each marked one.
func wider(marked []bool, width, by int) {
	for _, stride := range [2]int{1, width} {
		n := len(marked) / width // lines across the stride
		if stride == width {
			n = width
		}
		length := len(marked) / n
		row := make([]bool, length)
		for k := range n {
			first := k * width
			if stride == width {
				first = k
			}
			until := -1
			for i := range length {
				if i+by < length && marked[first+(i+by)*stride] {
					until = i + 2*by
				}
				if i == 0 {
					for j := range min(by, length) {
						if marked[first+j*stride] {
							until = max(until, j+by)
						}
					}
				}
				row[i] = i <= until
			}
			for i, is := range row {
				marked[first+i*stride] = is
			}
		}
	}
}

// triangles visits the triangles of the operation's faces in the frame of the setup.
func (w *operationBuilder) triangles(part *mesh.Mesh, visit func(face int, corners [3]geom.Vec3)) {
	for _, face := range w.op.Regions {
		r := &part.Regions[face]
		for _, t := range part.Triangles[r.Start:r.End] {
			var c [3]geom.Vec3
			for k := range t {
				c[k] = w.setup.Frame.Local(part.Points[t[k]])
			}
			visit(face, c)
		}
	}
}

// cells returns a grid over a box and some distance (mm) around it, fine enough for the passes of the operation on
// slopes with a cosine of at least level.
func (w *operationBuilder) cells(box geom.Box, around, level float64) grid.Grid {
	apart := math.Sqrt(8 * w.tool.Tool.CornerRadius * w.op.Scallop)
	size := box.Size()
	wide, high := size.X+2*around, size.Y+2*around
	step := max(apart*level/2, math.Sqrt(wide*high/mostCells))
	return grid.Grid{X: box.Min.X - around, Y: box.Min.Y - around, Step: step,
		Width: int(wide/step) + 2, Height: int(high/step) + 2}
}

// undersides returns the underside of the flutes, and that of the whole tool with the clearance of its body.
func (w *operationBuilder) undersides() (cutter, tool toolprofile.Profile) {
	t := &w.tool.Tool
	var body toolprofile.Profile
	top := w.assembly.Total()
	for i, s := range w.assembly.Outline {
		if w.assembly.Zones[i] == toolprofile.Cutting || max(s.From.X, s.To.X) <= w.radius+geom.Resolution {
			continue
		}
		s.From = geom.Vec2{X: max(s.From.X, w.radius) + access.Clearance, Y: s.From.Y - access.Clearance}
		s.To = geom.Vec2{X: max(s.To.X, w.radius) + access.Clearance, Y: s.To.Y - access.Clearance}
		if len(body) == 0 {
			top = s.From.Y
			body = append(body, toolprofile.Segment{From: geom.Vec2{X: w.radius, Y: top}, To: s.From})
		}
		if s.From != s.To {
			body = append(body, s)
		}
	}
	cutter = toolprofile.EndMill(2*w.radius, t.CornerRadius, top)
	return cutter, append(cutter[:len(cutter):len(cutter)], body...)
}

// allowed returns the cells where the tip may be on the part: neither the tool is near jaws, nor its body near stock.
// It also returns the heights of the tip from which on the tool is free of part, jaws and stock.
func (w *operationBuilder) allowed(in *scallop.Input) (out []bool, free []float32, err error) {
	g := in.Grid
	tips, err := w.in.Mill.Tips(w.ctx, g, in.Heights, in.Cutter)
	if err != nil {
		return nil, nil, err
	}
	stock, err := w.stockHeights(in)
	if err != nil {
		return nil, nil, err
	}
	thick, thin := slices.Clone(stock), deepestCut*w.op.Cutting.Axial.Value
	for i, z := range stock {
		if float64(z-in.Heights[i]) <= thin*secant(in, i) { // the ball cuts it
			thick[i] = grid.Nothing
		}
	}
	jaws := grid.NewMap(g.Len())
	for _, jaw := range w.setup.Clamping.Solid {
		for j := range g.Height {
			for i := range g.Width {
				x, y := g.X+float64(i)*g.Step, g.Y+float64(j)*g.Step
				if x >= jaw.Min.X-access.Clearance && x <= jaw.Max.X+access.Clearance &&
					y >= jaw.Min.Y-access.Clearance && y <= jaw.Max.Y+access.Clearance {
					jaws[j*g.Width+i] = max(jaws[j*g.Width+i], float32(jaw.Max.Z+access.Clearance))
				}
			}
		}
	}
	out = make([]bool, g.Len())
	bottom := float32(w.op.Bottom - in.Tolerance)
	for i, z := range tips {
		out[i] = z >= bottom
	}
	body, foot := w.amidStock(in.Tool, len(in.Cutter))
	for _, o := range []struct {
		heights []float32
		tool    toolprofile.Profile
		foot    float32
	}{{jaws, in.Tool, 0}, {thick, body, float32(foot)}} {
		least, err := w.in.Mill.Tips(w.ctx, g, o.heights, o.tool)
		if err != nil {
			return nil, nil, err
		}
		for i, z := range least {
			out[i] = out[i] && tips[i]+o.foot >= z
		}
	}
	for i, z := range in.Heights {
		stock[i] = max(stock[i], jaws[i], z)
	}
	free, err = w.in.Mill.Tips(w.ctx, g, stock, in.Tool)
	return out, free, err
}

// amidStock returns the part of a tool that must be over stock, from its foot, and the height of the foot over the tip:
// the flutes above the deepest cut, and the body.
func (w *operationBuilder) amidStock(tool toolprofile.Profile, cutter int) (body toolprofile.Profile, foot float64) {
	foot = w.tool.Tool.CornerRadius + deepestCut*w.op.Cutting.Axial.Value
	body = toolprofile.Profile{{To: geom.Vec2{X: w.radius}}}
	at := body[0].To
	if len(tool) == cutter {
		return append(body, toolprofile.Segment{From: at, To: geom.Vec2{X: w.radius, Y: tool.Top()}}), foot
	}
	for _, s := range tool[cutter:] {
		s.From.Y, s.To.Y = max(s.From.Y-foot, 0), max(s.To.Y-foot, 0)
		for _, to := range [2]geom.Vec2{s.From, s.To} {
			if to != at {
				body = append(body, toolprofile.Segment{From: at, To: to})
			}
			at = to
		}
	}
	return body, foot
}

// stockHeights returns the height of the stock over the cells of the part.
func (w *operationBuilder) stockHeights(in *scallop.Input) ([]float32, error) {
	g := in.Grid
	below, out := w.in.slopes[w.setup], grid.NewMap(g.Len())
	n := max(int(stockCell/g.Step), 1)
	err := parallel.For(w.ctx, (g.Height+n-1)/n, 1, func(row int) {
		for i := 0; i < g.Width; i += n {
			at := geom.Vec2{X: g.X + (float64(i)+float64(n-1)/2)*g.Step, Y: g.Y + (float64(row*n)+float64(n-1)/2)*g.Step}
			z := float32(min(w.site.Stock.Over(at), below.over(at)))
			for j := row * n; j < min(row*n+n, g.Height); j++ {
				for k := i; k < min(i+n, g.Width); k++ {
					out[j*g.Width+k] = z
				}
			}
		}
	})
	return out, err
}

// declareUncut reports the patches of which much keeps more than the ridges.
func (w *operationBuilder) declareUncut(in *scallop.Input, uncut []bool, patch []int32) {
	all, left := map[int32]int{}, map[int32]int{}
	for i, is := range in.Region {
		if is {
			all[patch[i]]++
			if uncut[i] {
				left[patch[i]]++
			}
		}
	}
	for _, q := range slices.Sorted(maps.Keys(all)) {
		if q == graph.None || float64(left[q]) < leastUncut*float64(all[q]) {
			continue
		}
		w.left.add(leftover{
			reason: completeness.SharpCorner, patches: map[int32]bool{q: true},
			area: float64(left[q]) * in.Grid.Step * in.Grid.Step, bottom: w.op.Bottom, top: w.op.Bottom + in.Scallop,
			detail: fmt.Sprintf("the ball of %.4g mm leaves %.0f %% of it higher than its ridges.", 2*w.radius,
				100*float64(left[q])/float64(all[q])),
		})
	}
}
