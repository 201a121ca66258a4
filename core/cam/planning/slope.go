package planning

// Slopes and free forms: faces that a ball end mill finishes along their surface.
//
// Method: the part is a field of heights over a grid, seen along a side. The lowest heights of the tip of a tool in its
// holder are the offset of this field by the tool. The tool leaves the offset of these heights back by the ball (the
// closing of the field; J. Serra, Image Analysis and Mathematical Morphology, 1982). A cell of a face is reached if
// this is no farther from it along the normal than the ridges that balls on the grid leave. A face takes the
// thickest ball that reaches as much of it as any other; thicker ones may make their share before (finish.go).
//
// Cost: two offsets of the field for each ball, from the thickest one until all faces have their tool.

import (
	"cmp"
	"context"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/cam/machining/toolprofile"
	"millwright.dev/millwright/core/cam/stock/grid"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

const (
	slopeCells = 400  // of the grid along the longer side of the slopes
	leastCell  = 0.1  // mm
	slopeMiss  = 0.02 // mm along the normal that a reached cell may stay covered, beside the ridges on the grid
	mostSteep  = 0.05 // cosine of the steepest slope that the ridges are computed for

	wholeSlope = 0.985 // share of a face that counts as all of it: the rest is at its borders
	leastSlope = 0.5   // share that is worth an operation
	asMuch     = 0.02  // share by which a thicker ball may reach less than the best one
	leastStage = 0.3   // share that a thicker ball must reach to make it before the last one
	fullSlope  = 0.9   // share from which on a slope counts as made

	slopeTurns = 1.5  // share by which the ends of passes and their turns make them slower
	stairCuts  = 0.6  // share of the levels of stairs at which something is left
	stairShare = 0.12 // of the diameter of a ball: the height of the stairs that roughing leaves to it
)

// terrain is the part as seen along a side, with its slopes.
type terrain struct {
	side    side
	grid    grid.Grid
	part    []float32
	slope   []int32      // by cell: the slope that is the highest there, graph.None
	isSlope []bool       // by cell: one is
	normal  [][3]float32 // by cell of a slope, unit
	slopes  []int32
	low     float64     // mm along the side, of all slopes
	whole   []float64   // by slope: area that is seen, mm²
	best    []ballReach // by slope
}

// slopeApproaches finds the ball end mills for the slopes that a side sees whole.
func (p *planner) slopeApproaches(ctx context.Context, s side, at []int) error {
	var slopes []int32
	for q := range p.g.Patches {
		if at[q] >= 0 && p.tasks[at[q]].ways[s] == nil && p.isSlope(int32(q), s) {
			slopes = append(slopes, int32(q))
		}
	}
	_, err := p.balls(ctx, s, slopes, at)
	return err
}

// balls finds the ball end mills for slopes from a side, and the terrain with their reach.
func (p *planner) balls(ctx context.Context, s side, slopes []int32, at []int) (*terrain, error) {
	if len(slopes) == 0 {
		return nil, nil
	}
	balls := p.choose(func(t *tool) bool { return p.fitsUpright(s, t) && p.stepover(t) > 0 }, machining.BallEndMill)
	if len(balls) == 0 {
		for _, q := range slopes {
			if p.tasks[at[q]].why[s] == nil {
				p.set(at[q], s, nil, refuse(completeness.NoToolFits,
					"It slopes as seen from %v of the workpiece, and no ball end mill is at hand.", s).
					with("A ball end mill."))
			}
		}
		return nil, nil
	}
	thickest := 0.0
	for _, i := range balls {
		thickest = max(thickest, p.tools[i].assembly.Outline.MaxRadius())
	}
	v, err := p.terrain(ctx, s, slopes, thickest)
	if err != nil {
		return nil, err
	}
	v.best = make([]ballReach, len(slopes))
	found := make([][]ballReach, len(slopes)) // by slope: each reaches more than the one before
	for _, i := range balls {
		if !slices.ContainsFunc(found, func(list []ballReach) bool { return lastOf(list).share < wholeSlope }) {
			break
		}
		reached, err := v.reach(ctx, p, i, p.tools[i].assembly.Outline)
		if err != nil {
			return nil, err
		}
		for k, q := range slopes {
			last := lastOf(found[k]).share
			if p.tools[i].mayCut([]int32{q}) && !p.isAvoided(s, []int32{q}, &p.tools[i]) && last < wholeSlope &&
				reached[k].share > last+asMuch {
				found[k] = append(found[k], reached[k])
			}
		}
	}
	var bare []ballReach // what the thinnest ball would reach without shank and holder
	for k, q := range slopes {
		found[k] = p.worthy(q, found[k])
		v.best[k] = lastOf(found[k])
		if v.best[k].share < leastSlope {
			if bare == nil {
				thin := balls[len(balls)-1]
				t := &p.tools[thin]
				if bare, err = v.reach(ctx, p, thin, toolprofile.EndMill(t.Diameter, t.CornerRadius, t.Diameter)); err != nil {
					return nil, err
				}
			}
			if p.tasks[at[q]].why[s] == nil || !p.isOfHole(q) { // else a pointed tool that is missing is named
				p.set(at[q], s, nil, p.noBall(q, s, balls, bare[k].share))
			}
			continue
		}
		p.set(at[q], s, p.ballApproach(q, s, found[k], v.whole[k]), nil)
	}
	return v, nil
}

// ballApproach is the way of a slope with some balls, each of which reaches more of it than the one before. The side
// sees an area of it, mm².
func (p *planner) ballApproach(q int32, s side, found []ballReach, area float64) *approach {
	best := lastOf(found)
	t := &p.tools[best.tool]
	whole := best.share * area
	w := &approach{kind: slope, tool: best.tool, rest: best.tool, wide: t.Diameter, whole: whole,
		z: geom.Interval{Lo: best.low, Hi: s.span(p.boxes[q]).Hi}, seconds: whole / p.slopeRate(q, t)}
	for _, b := range found[:len(found)-1] {
		if b.share >= leastStage {
			w.stages = append(w.stages, stage{b.tool, b.share * area})
		}
	}
	if len(w.stages) > 0 {
		w.seconds = w.stages[0].size/p.slopeRate(q, &p.tools[w.stages[0].tool]) + (whole-w.stages[0].size)/p.slopeRate(q, t)
	}
	if best.share < fullSlope && !p.endsInCorner(q) { // what balls leave in corners is named by itself
		w.short = refuse(completeness.NoToolFits, "A ball end mill of %.4g mm reaches %.0f %% of it from %v of the "+
			"workpiece, and thinner ones no more.", t.Diameter, 100*best.share, s).
			with("A thinner or longer ball end mill, or larger radii.")
	}
	return w
}

// worthy returns the balls for a slope without the last ones where these only make sharp inner corners less round and
// take longer for that than a file.
func (p *planner) worthy(q int32, list []ballReach) []ballReach {
	change := p.in.Config.Machine.ToolChangeSeconds + 2*p.in.Config.Machine.SpindleRampSeconds + approachSeconds
	for n := len(list) - 1; n > 0 && p.endsInCorner(q); n-- {
		gain := (list[n].share - list[n-1].share) * p.g.Patches[q].Area
		if gain*byHand >= change+gain/p.slopeRate(q, &p.tools[list[n].tool]) {
			break
		}
		list = list[:n]
	}
	return list
}

// endsInCorner reports whether a slope has a sharp inner edge.
func (p *planner) endsInCorner(q int32) bool {
	is := false
	p.neighbors(q, func(a *graph.Adjacency, _ int32) { is = is || a.Convexity == graph.Concave })
	return is
}

// lastOf returns the last of some balls; none reaches nothing.
func lastOf(list []ballReach) ballReach {
	if len(list) == 0 {
		return ballReach{tool: -1}
	}
	return list[len(list)-1]
}

// isSlope reports whether a patch slopes toward a side that sees it, everywhere. Of a hole only the cones that neither
// its own tools nor a chamfer mill makes are slopes.
func (p *planner) isSlope(q int32, s side) bool {
	if p.isOfHole(q) {
		if _, ok := p.bevelAngle(q, s); !ok || p.g.Patches[q].Kind != surface.KindCone {
			return false
		}
	}
	v := p.in.Run.Visibility.View(p.g, p.seen[s], q)
	if v.Relation == direction.Parallel || v.Relation == direction.Normal && p.lean(q, s) <= flat {
		return false
	}
	return v.Share >= direction.MinWallVisibility && p.g.Slopes(q, s.dir(p.frame)).Lo >= -graph.DirectionTolerance
}

// noBall says why no ball end mill makes a slope. Bare is the share that the thinnest ball would reach without its
// shank.
func (p *planner) noBall(q int32, s side, balls []int, bare float64) *rejection {
	thin := &p.tools[balls[len(balls)-1]]
	if r := p.filletRadius(q, s); r > 0 && r < thin.Diameter/2 {
		return refuse(completeness.NoToolFits,
			"It is a hollow of radius %.4g mm, and the thinnest ball end mill has %.4g mm.", round(r), thin.Diameter/2).
			with("A ball end mill of at most %.4g mm.", round(2*r))
	}
	if bare < leastSlope {
		return refuse(completeness.NoToolFits,
			"It slopes as seen from %v of the workpiece, and it is too narrow for the thinnest ball end mill, of %.4g mm.",
			s, thin.Diameter).with("A thinner ball end mill.")
	}
	deep := round(p.span(s).Hi - s.span(p.boxes[q]).Lo)
	return refuse(completeness.OutOfReach,
		"It slopes as seen from %v of the workpiece, and no ball end mill reaches it clear of shank and holder, %.4g mm "+
			"deep (the longest is %s).", s, deep, p.longest(balls)).
		with("A ball end mill that reaches %.4g mm deep.", deep)
}

// stepover returns the distance of passes at which a ball leaves ridges of the height that the cut config allows on a
// plane, mm.
func (p *planner) stepover(t *tool) float64 {
	return math.Sqrt(8 * t.CornerRadius * p.in.Config.ScallopHeight)
}

// slopeCut returns the cutting data of a ball on slopes.
func (p *planner) slopeCut(t *tool) (cutting.CuttingData, error) {
	return p.resolve(t.Tool, cutting.Finish, stairShare*t.Diameter, p.stepover(t), 0)
}

// slopeRate returns the area of a slope that a ball finishes in a second, mm². Around a rounded edge the center of the
// ball has a longer way than its contact.
func (p *planner) slopeRate(q int32, t *tool) float64 {
	d, err := p.slopeCut(t)
	if err != nil {
		return math.SmallestNonzeroFloat64
	}
	longer := 1.0
	if r := p.edgeRadius(q); r > 0 {
		longer += t.CornerRadius / r
	}
	return p.stepover(t) * d.Feed.Value / secondsPerMinute / (slopeTurns * longer)
}

// edgeRadius returns the radius of a patch that is round and not hollow, mm; 0 for others.
func (p *planner) edgeRadius(q int32) float64 {
	sh := &p.g.Patches[q].Shape
	switch {
	case sh.Hollow:
		return 0
	case sh.Kind == surface.KindTorus:
		return sh.Minor
	case sh.Kind == surface.KindCylinder, sh.Kind == surface.KindSphere:
		return sh.Radius
	}
	return 0
}

// terrain measures the part along a side, for tools up to a radius.
func (p *planner) terrain(ctx context.Context, s side, slopes []int32, thickest float64) (*terrain, error) {
	box := geom.EmptyBox()
	for _, q := range slopes {
		box = box.Union(p.boxes[q])
	}
	view, x, y := p.viewAlong(s, box)
	step := max(max(x.Length(), y.Length())/slopeCells, leastCell)
	beside := math.Ceil(thickest/step+1) * step
	v := &terrain{side: s, slopes: slopes, whole: make([]float64, len(slopes)), low: s.span(box).Lo, grid: grid.Grid{
		X: x.Lo - beside + step/2, Y: y.Lo - beside + step/2, Step: step,
		Width: int(math.Ceil((x.Length() + 2*beside) / step)), Height: int(math.Ceil((y.Length() + 2*beside) / step)),
	}}
	var err error
	if v.part, err = p.in.Mill.Heights(ctx, p.g.Mesh, view, v.grid); err != nil {
		return nil, err
	}
	v.slope, v.normal = slices.Repeat([]int32{graph.None}, len(v.part)), make([][3]float32, len(v.part))
	for k, q := range slopes {
		p.g.EachTriangle(q, func(a, b, c geom.Vec3) bool {
			v.cover([3]geom.Vec3{view.Local(a), view.Local(b), view.Local(c)}, int32(k))
			return true
		})
	}
	v.isSlope = make([]bool, len(v.slope))
	for i, k := range v.slope {
		if v.isSlope[i] = k != graph.None; v.isSlope[i] {
			v.whole[k] += step * step / max(float64(v.normal[i][2]), mostSteep)
		}
	}
	return v, nil
}

// viewAlong returns a right-handed frame at the origin of the workpiece that looks along a side, and the ranges of a
// box in its x and y.
func (p *planner) viewAlong(s side, box geom.Box) (view geom.Frame, x, y geom.Interval) {
	a, b := s.across()
	if s.sign() < 0 {
		a, b = b, a
	}
	view = geom.Frame{Origin: p.frame.Origin, X: sideOf(a, true).dir(p.frame), Y: sideOf(b, true).dir(p.frame),
		Z: s.dir(p.frame)}
	return view, along(box, a), along(box, b)
}

// cover notes the cells whose centers a triangle of a slope is over, if nothing is over it.
func (v *terrain) cover(t [3]geom.Vec3, k int32) {
	n := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
	n = n.Scale(1 / n.Norm())
	v.grid.Over(t, func(cell int, z float64) {
		if z >= float64(v.part[cell])-grid.SameHeight {
			v.slope[cell], v.normal[cell] = k, [3]float32{float32(n.X), float32(n.Y), float32(n.Z)}
		}
	})
}

// ballReach is the part of a slope that a ball reaches.
type ballReach struct {
	tool  int
	share float64 // of what the side sees
	low   float64 // of the tip, mm along the side
	cells []bool  // of all slopes
}

// reach measures the part of each slope that a ball reaches with a tool of some outline around it.
func (v *terrain) reach(ctx context.Context, p *planner, ball int, tool toolprofile.Profile) ([]ballReach, error) {
	t, out, done := &p.tools[ball], make([]ballReach, len(v.slopes)), make([]float64, len(v.slopes))
	cutter := toolprofile.EndMill(t.Diameter, t.CornerRadius, t.Diameter)
	if v.low-t.CornerRadius+t.foot() > v.side.span(p.part).Hi {
		tool = cutter // its body is over the part
	}
	near := v.grid.Around(v.isSlope, t.CornerRadius+v.grid.Step)
	tips, err := p.in.Mill.Tips(ctx, v.grid, v.part, tool, near)
	if err != nil {
		return nil, err
	}
	end := v.side.span(p.part).Lo
	ground := float32(end - p.under(end, v.side))
	for i := range tips {
		tips[i] = -max(tips[i], ground)
	}
	left, err := p.in.Mill.Tips(ctx, v.grid, tips, cutter, v.isSlope)
	if err != nil {
		return nil, err
	}
	cells := make([]bool, len(v.slope))
	for k := range out {
		out[k].tool, out[k].low, out[k].cells = ball, v.side.span(p.boxes[v.slopes[k]]).Hi, cells
	}
	for i, k := range v.slope {
		if k == graph.None {
			continue
		}
		n := v.normal[i]
		up := max(float64(n[2]), mostSteep)
		ridge := v.grid.Step * v.grid.Step / (8 * t.CornerRadius * up * up)
		if miss := -float64(left[i]) - float64(v.part[i]); miss*up > slopeMiss+2*ridge {
			continue
		}
		cells[i] = true
		done[k] += v.grid.Step * v.grid.Step / up
		x, y := i%v.grid.Width, i/v.grid.Width // of the tip
		x += int(math.Round(t.CornerRadius * float64(n[0]) / v.grid.Step))
		y += int(math.Round(t.CornerRadius * float64(n[1]) / v.grid.Step))
		tip := float64(v.part[i]) - t.CornerRadius*(1-float64(n[2]))
		out[k].low = min(out[k].low, max(tip, -float64(tips[y*v.grid.Width+x])))
	}
	for k := range out {
		out[k].share = done[k] / max(v.whole[k], geom.Resolution)
	}
	return out, nil
}

// ballCorners names the material that a ball leaves at the inner edges of a slope.
func (p *planner) ballCorners(out []Unmachinable, q int32, s side, t *tool) []Unmachinable {
	p.neighbors(q, func(a *graph.Adjacency, o int32) {
		if a.Convexity != graph.Concave {
			return
		}
		within := t.CornerRadius / math.Tan((math.Pi+a.Turn)/2) // from the edge to where the ball touches a face
		out = p.left(out, []int32{q, o}, within, refuse(completeness.SharpCorner,
			"The slope ends in a sharp inner edge; the ball leaves a radius of %.4g mm.", t.CornerRadius).
			with("A radius in the corner, or a file."))
	})
	return out
}

// foot returns the height over the tip at which a tool gets wider than its flutes; +Inf where it does not.
func (t *tool) foot() float64 {
	for _, s := range t.assembly.Outline {
		if s.To.X > t.Diameter/2+geom.Resolution {
			return s.From.Y
		}
	}
	return math.Inf(1)
}

// slopes finishes the slopes of the setup, the thickest ball first.
func (w *writer) slopes() {
	for _, b := range w.ballWork(func(item, int) bool { return true }) {
		d, err := w.slopeCut(&w.tools[b.tool])
		if err != nil {
			continue // stepover has checked that data exist
		}
		w.add(Operation{Strategy: Surface, Features: w.featuresOf(b.patches), Tool: b.tool, Top: w.z(b.top),
			Bottom: w.z(b.low), Scallop: w.in.Config.ScallopHeight, Tolerance: w.in.Config.ChordTolerance / 2,
			Expected: b.seconds}, cutting.Finish, b.patches, d.Axial.Value, d.Radial.Value)
	}
}

// ballWork collects the slopes of the setup that pass a test with a ball, by balls, the thickest first.
func (w *writer) ballWork(test func(it item, ball int) bool) []batch {
	var out []batch
	for _, b := range w.batches(slope, test) {
		if n := len(out); n > 0 && out[n-1].tool == b.tool {
			o := &out[n-1]
			o.low, o.top = min(o.low, b.low), max(o.top, b.top)
			o.patches, o.tasks = append(o.patches, b.patches...), append(o.tasks, b.tasks...)
			o.seconds += b.seconds
			continue
		}
		out = append(out, b)
	}
	return out
}

// mergeBalls gives the slopes of a ball to the next thinner one of the setup where that takes less time than to change
// the tool.
func (w *writer) mergeBalls() {
	work := w.ballWork(func(item, int) bool { return true })
	change := w.in.Config.Machine.ToolChangeSeconds + 2*w.in.Config.Machine.SpindleRampSeconds + approachSeconds
	for i := 0; i+1 < len(work); i++ {
		thin, seconds := work[i+1].tool, 0.0
		isStage := false
		for _, t := range work[i].tasks {
			seconds += w.tasks[t].weight / w.slopeRate(w.tasks[t].patches[0], &w.tools[thin])
			isStage = isStage || w.tasks[t].ways[w.step.side].tool != work[i].tool
		}
		if isStage || seconds > work[i].seconds+change {
			continue
		}
		for _, t := range work[i].tasks {
			w.tasks[t].ways[w.step.side].tool = thin
		}
		work[i+1].tasks = append(work[i+1].tasks, work[i].tasks...)
		work[i+1].seconds += seconds
	}
}

// stairs clears the stairs that the levels of roughing leave on slopes down to what the first ball takes, by one mill
// for each ball.
func (w *writer) stairs() {
	s := w.step.side
	for _, b := range w.ballWork(func(it item, ball int) bool { return ball == w.mills(it)[0] }) {
		ball := &w.tools[b.tool]
		list := slices.DeleteFunc(w.roughers(), func(i int) bool {
			return enough*w.tools[i].Diameter > ball.Diameter || !w.fitsUpright(s, &w.tools[i])
		})
		if len(list) == 0 {
			continue
		}
		deep := w.top - b.low
		mill := slices.MinFunc(list, func(i, j int) int { // which reaches it, the fastest first
			short := func(i int) float64 { return max(deep-w.tools[i].assembly.Stickout, 0) }
			return cmp.Or(cmp.Compare(round(short(i)), round(short(j))), cmp.Compare(round(w.removal(j)), round(w.removal(i))))
		})
		height := stairShare * ball.Diameter
		levels := math.Ceil((b.top - b.low) / height)
		seconds := stairCuts * levels * approachSeconds
		if d, err := w.resolve(w.tools[mill].Tool, cutting.Rough, height, 0, 0); err == nil {
			long := levels * w.tools[mill].Diameter // of the paths to and from a slope
			for _, q := range b.patches {
				long += w.g.Patches[q].Area / height
			}
			seconds += stairCuts * long / d.Feed.Value * secondsPerMinute
		}
		o := Operation{Strategy: Contour, Features: w.featuresOf(b.patches), Tool: mill, Top: w.z(min(b.top, w.top)),
			Bottom: w.z(b.low), LeaveRadial: w.leave(mill), LeaveAxial: leaveAxial, Beside: w.faces(b.patches),
			Notes: []string{"The stairs of larger levels on slopes."}, Expected: seconds}
		w.add(o, cutting.Rough, nil, height, 0)
		if w.isGentle(b.patches, height, w.tools[mill].Diameter) {
			o.Strategy, o.Expected = Pocket, 0
			w.add(o, cutting.Rough, nil, height, 0)
		}
	}
}

// isGentle reports whether one pass around slopes at each level of a height leaves some of them between its levels.
func (w *writer) isGentle(slopes []int32, height, wide float64) bool {
	return slices.ContainsFunc(slopes, func(q int32) bool {
		up := w.g.Slopes(q, w.step.side.dir(w.frame)).Hi
		return math.Sqrt(1-min(up*up, 1))*wide < height*up && w.g.Patches[q].Area > wide*wide
	})
}
