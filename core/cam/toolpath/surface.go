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
		} else if err := w.approach(in, free, pass[0]); err != nil {
			return err
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

// approach moves the tip to the start of a pass.
func (w *operationBuilder) approach(in *scallop.Input, free *relief, start geom.Vec3) error {
	if w.isBegun {
		if isThere, err := w.hop(in, free, start); err != nil || isThere {
			return err
		}
	}
	if err := w.over(flat(start), start.Z, nil); err != nil {
		return err
	}
	w.line(start, motion.LeadIn, w.plungeFeed())
	return nil
}

// hop moves the tip by rapids low over everything, and down to a place; false, without moves, where that saves nothing.
// Free are the heights of the tip from which on the tool is free of jaws and stock.
func (w *operationBuilder) hop(in *scallop.Input, free *relief, to geom.Vec3) (bool, error) {
	knee := lift(w.knee(flat(w.at), flat(to)), w.at.Z)
	end := lift(flat(to), w.at.Z)
	path := []motion.Segment{{From: w.at, To: end}, {From: w.at, To: knee}, {From: knee, To: end}}
	part, err := in.Over.Ceiling(w.ctx, in.Tool, path)
	if err != nil {
		return false, err
	}
	high := max(w.at.Z, slices.Max(part)+above)
	for _, s := range path {
		n := 1 + int(s.Length()/free.grid.Step)
		for k := range n + 1 {
			high = max(high, free.over(flat(s.At(float64(k)/float64(n))))+above)
		}
	}
	if high >= w.safe {
		return false, nil
	}
	w.line(lift(flat(w.at), high), motion.Rapid, 0)
	w.line(lift(flat(to), high), motion.Rapid, 0)
	w.line(lift(flat(to), min(high, max(free.over(flat(to)), to.Z)+above)), motion.Rapid, 0)
	w.line(to, motion.LeadIn, w.plungeFeed())
	return true, nil
}

// region returns the region of the operation with the patch of each of its cells, and the heights of the tip from which
// on the tool is free of jaws and stock; nil if it has none.
func (w *operationBuilder) region() (*scallop.Input, []int32, *relief, error) {
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
	var free *relief
	in.Least, free, err = w.bounds(in)
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
		tips, err := w.in.Mill.Tips(w.ctx, g, in.Heights, ball, g.Around(left, t.CornerRadius))
		if err != nil {
			return err
		}
		for k := range tips {
			tips[k] = -max(tips[k], float32(o.Bottom))
		}
		if tips, err = w.in.Mill.Tips(w.ctx, g, tips, ball, left); err != nil {
			return err
		}
		stays := make([]bool, len(left))
		for k, is := range left {
			stays[k] = is && w.misses(in, k, -tips[k], t.CornerRadius)
		}
		left = stays
	}
	if len(left) > 0 && &left[0] != &in.Region[0] {
		for k, is := range g.Around(left, math.Sqrt(8*in.Corner*in.Scallop)) {
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

// bounds returns the heights below which the tip may not be on the part, over the cells of the region: there the tool
// is near jaws, or its body near stock. It also returns those from which on the tool is free of jaws and stock.
func (w *operationBuilder) bounds(in *scallop.Input) (least []float32, free *relief, err error) {
	c, n := coarser(in.Grid)
	jaws := w.jaws(c)
	all, thick, err := w.stockOver(in, c, n)
	if err != nil {
		return nil, nil, err
	}
	for i, z := range jaws {
		all[i] = max(all[i], z)
	}
	body, foot := w.amidStock(in.Tool, len(in.Cutter))
	var tips [3][]float32
	for i, o := range []struct {
		heights []float32
		tool    toolprofile.Profile
	}{{jaws, in.Tool}, {thick, body}, {all, in.Tool}} {
		if tips[i], err = w.in.Mill.Tips(w.ctx, c, o.heights, o.tool, nil); err != nil {
			return nil, nil, err
		}
	}
	least = make([]float32, in.Grid.Len())
	for i := range least {
		k := i/in.Grid.Width/n*c.Width + i%in.Grid.Width/n
		least[i] = max(float32(w.op.Bottom-in.Tolerance), tips[0][k], tips[1][k]-float32(foot))
	}
	return least, &relief{c, tips[2]}, nil
}

// coarser returns a grid whose cells are squares of n × n cells, about stockCell wide.
func coarser(g grid.Grid) (c grid.Grid, n int) {
	n = max(int(stockCell/g.Step), 1)
	half := float64(n-1) / 2 * g.Step
	return grid.Grid{X: g.X + half, Y: g.Y + half, Step: float64(n) * g.Step,
		Width: (g.Width + n - 1) / n, Height: (g.Height + n - 1) / n}, n
}

// jaws returns the heights of jaws, with clearance, over the cells that they touch.
func (w *operationBuilder) jaws(g grid.Grid) []float32 {
	out := grid.NewMap(g.Len())
	by := access.Clearance + g.Step/2
	for _, jaw := range w.setup.Clamping.Solid {
		for k := range out {
			x, y := g.X+float64(k%g.Width)*g.Step, g.Y+float64(k/g.Width)*g.Step
			if x >= jaw.Min.X-by && x <= jaw.Max.X+by && y >= jaw.Min.Y-by && y <= jaw.Max.Y+by {
				out[k] = max(out[k], float32(jaw.Max.Z+access.Clearance))
			}
		}
	}
	return out
}

// stockOver returns the heights of stock over the part, in the cells beside it too, as it may end between cells: of all
// stock, and of the stock that is too thick for the ball.
func (w *operationBuilder) stockOver(in *scallop.Input, c grid.Grid, n int) (all, thick []float32, err error) {
	const least = 0.05 // mm, that counts
	g, below, stock := in.Grid, w.in.slopes[w.setup], grid.NewMap(c.Len())
	err = parallel.For(w.ctx, c.Height, 1, func(j int) {
		for i := range c.Width {
			at := geom.Vec2{X: c.X + float64(i)*c.Step, Y: c.Y + float64(j)*c.Step}
			stock[j*c.Width+i] = float32(min(w.site.Stock.Over(at), below.over(at)))
		}
	})
	all, thick = grid.NewMap(c.Len()), grid.NewMap(c.Len())
	for k, z := range stock {
		i, j := k%c.Width, k/c.Width
		at := min(j*n+n/2, g.Height-1)*g.Width + min(i*n+n/2, g.Width-1)
		over := float64(z - in.Heights[at])
		if over <= least {
			continue
		}
		isThick := over > deepestCut*w.op.Cutting.Axial.Value*secant(in, at)
		for y := max(j-1, 0); y <= min(j+1, c.Height-1); y++ {
			for x := max(i-1, 0); x <= min(i+1, c.Width-1); x++ {
				beside := y*c.Width + x
				all[beside] = max(all[beside], z)
				if isThick {
					thick[beside] = max(thick[beside], z)
				}
			}
		}
	}
	return all, thick, err
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
