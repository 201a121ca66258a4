package planning

// The operations of a setup, in the order of the work: what clears the way, floors, walls, holes, edges.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
	"millwright.dev/millwright/core/kernel/geom"
)

// Shares of what roughing leaves for finishing.
const (
	leaveRadial, leaveAxial = 0.3, 0.1 // mm, of tools of leaveFull and more
	leaveFull               = 10.0     // mm
)

// cut is roughing from a side, down to a height along it.
type cut struct {
	side side
	low  float64
}

// writer writes one setup.
type writer struct {
	*planner
	step  *setup
	index int     // of the setup
	top   float64 // along the side: z of the origin
	first int     // roughing tool of the setup; -1 without one
	out   Setup
	spare map[int]bool    // mills that make no stage of anything, as that would not pay
	tail  map[int]float64 // s that finishing mills take to clear what the mills of the sequence leave
}

// write adds a setup to the plan. It returns the error of ctx, or of the height maps.
func (p *planner) write(ctx context.Context, step *setup) error {
	w := writer{planner: p, step: step, index: len(p.plan.Setups), first: -1, spare: map[int]bool{}, tail: map[int]float64{}}
	s := step.side
	before := s.span(step.before)
	w.top = before.Hi
	w.out.Frame = p.setupFrame(step)
	w.out.Before = w.box(step.before)
	w.out.Clamping = Clamping{
		Kind: step.clamping.kind, Text: step.clamping.text, Solid: []geom.Box{}, Device: step.clamping.deviceKind(),
		Making: p.making(&step.clamping),
	}
	high := w.out.Before.Max.Z
	for _, jaw := range slices.Concat(step.clamping.jaws, step.clamping.under) {
		b := w.box(jaw)
		high = max(high, b.Max.Z)
		w.out.Clamping.Solid = append(w.out.Clamping.Solid, b)
	}
	w.out.Safe = round(high + above)
	w.design()
	if p.isNamed(step.clamping) {
		why := "no pair of parallel faces stands where a vise could grip"
		if step.clamping.choice > 0 {
			why = "wherever a vise grips, its jaws obstruct the work there"
		}
		p.warn("fixture_named", "setup %d (%v up) needs a fixture: %s", w.index+1, s, why)
	}
	w.warnOfDevice()
	faced := w.face()
	later, err := w.rough(ctx, faced)
	if err != nil {
		return err
	}
	if !math.IsInf(step.low, 1) {
		p.cuts = append(p.cuts, cut{s, step.low})
	}
	w.mergeBalls()
	w.stairs()
	w.finish(faced, later)
	w.slopes()
	w.undercuts()
	w.holes()
	w.grooves()
	w.bevels()
	w.expect()
	w.out.Clamping.Hold = w.hold()
	p.plan.Setups = append(p.plan.Setups, w.out)
	return nil
}

// setupFrame returns the frame of a setup: X along the longer side of the workpiece where the travel allows it.
func (p *planner) setupFrame(step *setup) geom.Frame {
	s := step.side
	a, b := s.across()
	long, travel := a, p.in.Config.Machine.Travel
	sizeA, sizeB := along(step.before, a).Length(), along(step.before, b).Length()
	if sizeB > sizeA != (travel.Y > travel.X) {
		long = b
	}
	// The axis that makes the frame right-handed with its positive sense where it can be.
	x := sideOf(long, true)
	f := geom.NewFrame(geom.Vec3{}, s.dir(p.frame), x.dir(p.frame))
	f.X, f.Z = x.dir(p.frame), s.dir(p.frame)
	f.Y = f.Z.Cross(f.X)
	corner := [3]float64{}
	corner[s.axis()] = s.flip(geom.Interval{Lo: s.span(step.before).Hi, Hi: s.span(step.before).Hi}).Lo
	corner[long] = along(step.before, long).Lo
	third := 3 - s.axis() - long
	if y := sideOf(third, true).dir(p.frame); f.Y.Dot(y) > 0 {
		corner[third] = along(step.before, third).Lo
	} else {
		corner[third] = along(step.before, third).Hi
	}
	f.Origin = p.frame.Point(geom.Vec3{X: corner[0], Y: corner[1], Z: corner[2]})
	return f
}

// box maps a box of the workpiece to the setup.
func (w *writer) box(b geom.Box) geom.Box {
	at := func(v geom.Vec3) geom.Vec3 {
		v = w.out.Frame.Local(w.frame.Point(v))
		return geom.Vec3{X: round(v.X), Y: round(v.Y), Z: round(v.Z)}
	}
	return geom.BoxOf(at(b.Min), at(b.Max))
}

// z maps a height along the side to the setup.
func (w *writer) z(along float64) float64 { return round(along - w.top) }

// add appends an operation, with its cutting data.
func (w *writer) add(o Operation, purpose cutting.Purpose, patches []int32, axial, radial float64) {
	t := &w.tools[o.Tool]
	data, err := w.held(w.step.clamping.strength, w.top+o.Top, t.Tool, purpose, axial, radial, w.tolerance(o.Features))
	if err != nil {
		return // usable has checked that data exist, for any purpose
	}
	o.ID = fmt.Sprintf("%d.%d", w.index+1, len(w.out.Operations)+1)
	o.Cutting, o.Coolant = data, w.coolant()
	o.Regions = w.faces(patches)
	if o.Holes == nil {
		o.Holes = []Hole{}
	}
	if o.Notes == nil {
		o.Notes = []string{}
	}
	if o.Beside == nil {
		o.Beside = []int{}
	}
	w.out.Operations = append(w.out.Operations, o)
}

// tolerance is the narrowest band of some features, mm.
func (w *writer) tolerance(features []int) float64 {
	best := math.Inf(1)
	for _, f := range features {
		if b := w.in.Sheets[f].ToleranceBand; b.RadialUpper > b.RadialLower {
			best = min(best, b.RadialUpper-b.RadialLower)
		}
	}
	if math.IsInf(best, 1) {
		return 0
	}
	return best
}

// face mills the top of the stock down to the highest planes of the part, if it has any there, and returns whether.
func (w *writer) face() bool {
	s := w.step.side
	high := s.span(w.part).Hi
	if w.top <= high+w.tol() {
		return false
	}
	var patches []int32
	for _, it := range w.step.items {
		if t := &w.tasks[it.task]; t.ways[s].kind == floor && it.bottom >= high-w.tol() {
			patches = append(patches, t.patches...)
		}
	}
	if len(patches) == 0 {
		return false
	}
	spot := place{side: s, patches: patches, bottom: high}
	test := func(t *tool) bool {
		depth := w.facingDepth(t, high)
		return w.clears(&spot, t) && depth >= min(leastFacing, w.top-high)-w.tol() && !w.rubs(t, cutting.Finish, depth)
	}
	list := w.choose(test, machining.FaceMill)
	if a, b := s.across(); len(list) > 0 { // a face mill much wider than the part gains nothing
		wide := min(along(w.step.before, a).Length(), along(w.step.before, b).Length())
		if mills := w.choose(test, machining.FlatEndMill); len(mills) > 0 && wide <= w.tools[mills[0]].Diameter {
			list = mills
		}
	} else {
		list = w.choose(test, machining.FlatEndMill, machining.BullNoseEndMill)
	}
	if len(list) == 0 {
		return false
	}
	w.add(Operation{Strategy: Face, Features: w.featuresOf(patches), Tool: list[0], Top: w.z(w.top), Bottom: w.z(high)},
		cutting.Finish, patches, w.facingDepth(&w.tools[list[0]], high), 0)
	return true
}

// leastFacing is the least depth of cut with which a tool faces stock that is thicker, mm.
const leastFacing = 0.5

// facingDepth returns the depth of cut of a tool that faces the stock down to a height, mm.
func (w *writer) facingDepth(t *tool, low float64) float64 {
	d, _ := w.resolve(t.Tool, cutting.Finish, 0, 0, 0)
	depth := min(w.top-low, d.Axial.Value)
	if h := w.step.clamping.strength; h != nil {
		e := w.engagement(t.Tool, &d)
		e.Axial = depth
		depth = h.deepest(e, h.top)
	}
	return depth
}

// leaveFor returns a tool's radial stock to leave on walls, mm.
func leaveFor(t *tool) float64 { return round(leaveRadial * min(1, t.Diameter/leaveFull)) }

// bevels breaks edges.
func (w *writer) bevels() {
	for _, b := range w.batches(bevel, func(item, int) bool { return true }) {
		w.add(Operation{Strategy: Chamfer, Features: w.featuresOf(b.patches), Tool: b.tool, Top: w.z(b.top),
			Bottom: w.z(b.low)},
			cutting.Chamfering, b.patches, 0, 0)
	}
}

// holes makes the steps of all holes, phase by phase, tool by tool.
func (w *writer) holes() {
	type work struct {
		*step
		task int
	}
	var all []work
	for _, it := range w.step.items {
		if approach := w.tasks[it.task].ways[w.step.side]; approach.kind == hole {
			for i := range approach.hole {
				all = append(all, work{&approach.hole[i], it.task})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b work) int {
		return cmp.Or(cmp.Compare(a.phase, b.phase), cmp.Compare(a.strategy, b.strategy), cmp.Compare(a.tool, b.tool),
			cmp.Compare(a.purpose, b.purpose))
	})
	for len(all) > 0 {
		first := all[0]
		n := slices.IndexFunc(all, func(o work) bool {
			return o.phase != first.phase || o.strategy != first.strategy || o.tool != first.tool ||
				o.purpose != first.purpose
		})
		if n < 0 {
			n = len(all)
		}
		var patches []int32
		o := Operation{Strategy: first.strategy, Tool: first.tool, Top: math.Inf(-1), Bottom: math.Inf(1)}
		for _, x := range all[:n] {
			h := w.holeOf(x.step, x.task)
			o.Holes = append(o.Holes, h)
			o.Features = append(o.Features, h.Feature)
			o.Top, o.Bottom = max(o.Top, h.Top), min(o.Bottom, h.Bottom)
			o.Notes = append(o.Notes, x.notes...)
			patches = append(patches, x.patches...)
		}
		slices.Sort(o.Features)
		o.Features = slices.Compact(o.Features)
		slices.Sort(o.Notes)
		o.Notes = slices.Compact(o.Notes)
		o.Holes = inOrder(o.Holes)
		w.add(o, first.purpose, patches, 0, 0)
		all = all[n:]
	}
}

// holeOf maps a step to the setup.
func (w *writer) holeOf(st *step, task int) Hole {
	f := w.owners[w.tasks[task].patches[0]][0]
	for _, o := range w.owners[w.tasks[task].patches[0]] {
		if w.in.Run.Features[o].Hole != nil {
			f = o
		}
	}
	at := w.out.Frame.Local(w.in.Run.Features[f].Hole.TopCenter)
	return Hole{At: geom.Vec2{X: round(at.X), Y: round(at.Y)}, Top: w.z(w.opening(st.top,
		w.frame.Local(w.in.Run.Features[f].Hole.TopCenter))), Bottom: w.z(st.bottom),
		Diameter: round(st.diameter), Feature: f}
}

// opening returns the height at which material begins over a hole: above the cuts from all sides, this one included.
func (w *writer) opening(top float64, at geom.Vec3) float64 {
	const step = 1.0 // mm
	s := w.step.side
	for z := s.span(w.step.before).Hi; z > top+leaveAxial; z -= step {
		high := at
		high.SetCoordinate(s.axis(), s.sign()*z)
		if !w.isOpen(high) {
			return z
		}
	}
	return top + leaveAxial
}

// isOpen reports whether a point (in the frame of the workpiece) is in the cleared area of roughing.
func (w *writer) isOpen(at geom.Vec3) bool {
	for _, c := range w.cuts {
		z := c.side.sign() * at.Coordinate(c.side.axis())
		if z > c.low && w.reliefOf(c.side).over(at) < z {
			return true
		}
	}
	return false
}

// inOrder sorts holes so that each is followed by the nearest that is left, beginning with the least x, then y.
func inOrder(list []Hole) []Hole {
	slices.SortStableFunc(list, func(a, b Hole) int {
		return cmp.Or(cmp.Compare(a.At.X, b.At.X), cmp.Compare(a.At.Y,
			b.At.Y))
	})
	for i := 1; i < len(list); i++ {
		next := i
		for k := i + 1; k < len(list); k++ {
			if round(list[k].At.Dist(list[i-1].At)) < round(list[next].At.Dist(list[i-1].At)) {
				next = k
			}
		}
		h := list[next]
		copy(list[i+1:next+1], list[i:next])
		list[i] = h
	}
	return list
}
