package planning

// What the plan does not make, and why.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/completeness"
	"millwright.dev/millwright/core/feature"
	"millwright.dev/millwright/core/feature/direction"
	"millwright.dev/millwright/core/feature/graph"
	"millwright.dev/millwright/core/kernel/geom"
	"millwright.dev/millwright/core/kernel/geom/surface"
)

// account names everything that no operation makes wholly, by feature and reason.
func (p *planner) account(steps []setup) {
	st := p.begin()
	for i := range steps {
		p.again(st, &steps[i])
	}
	var all []Unmachinable
	for q := range p.g.Patches {
		for _, f := range p.owners[q] {
			if t := p.taskOf[q]; !p.finished[q] && (t < 0 || !st.done[t]) {
				r := p.whyNot(int32(q), t, st)
				all = append(all, r.of(f, p.faces([]int32{int32(q)})))
			}
		}
	}
	all = append(all, p.leftovers(steps, st)...)
	all = append(all, p.ownerless()...)
	all = append(all, p.excludedFeatures()...)
	all = append(all, p.sharp...)
	for _, u := range gathered(all) {
		u.Price = p.priceOf(&u)
		p.plan.Unmachinable = append(p.plan.Unmachinable, u)
	}
}

// gathered joins what has one feature, reason and sentence, in the order of features; those of no feature last.
func gathered(all []Unmachinable) []Unmachinable {
	var out []Unmachinable
	for _, u := range all {
		i := slices.IndexFunc(out, func(o Unmachinable) bool {
			return o.Feature == u.Feature && o.Reason == u.Reason && o.Detail == u.Detail
		})
		if i < 0 {
			out = append(out, u)
			continue
		}
		o := &out[i]
		o.Regions = slices.Compact(slices.Sorted(slices.Values(append(o.Regions, u.Regions...))))
		o.Corners, o.Within = append(o.Corners, u.Corners...), max(o.Within, u.Within)
	}
	slices.SortStableFunc(out, func(a, b Unmachinable) int { return cmp.Compare(uint(a.Feature), uint(b.Feature)) })
	return out
}

// ownerless returns the faces of no feature, which are wanted where all is.
func (p *planner) ownerless() []Unmachinable {
	var out []Unmachinable
	if p.in.Only != nil {
		return nil
	}
	for _, u := range p.in.Run.Unmachined {
		if slices.Contains(p.in.DoneRegions, u.Region) {
			continue
		}
		reason := completeness.NotAccessible
		if u.Reason == feature.ReasonUndercut {
			reason = completeness.Undercut
		}
		out = append(out, Unmachinable{Feature: -1, Regions: []int{u.Region}, Reason: reason, Detail: u.Detail})
	}
	return out
}

// whyNot says why a patch is not made; t is its task, or -1.
func (p *planner) whyNot(q int32, t int, st *state) *rejection {
	for _, f := range p.owners[q] {
		if x := &p.in.Run.Features[f]; x.HasOuterThread() {
			return refuse(completeness.Turned,
				"A thread of diameter %.4g mm and pitch %.4g mm is modelled on its outside: it is cut on a lathe or "+
					"with a die, which is not planned yet.", round(x.Thread.Major), round(x.Thread.Pitch)).
				with("A lathe, or a die.")
		}
	}
	if t < 0 {
		return cmp.Or(p.oblique(q), p.whyNoApproach(q))
	}
	task := &p.tasks[t]
	held, short, below := false, (*tool)(nil), 0.0
	var first, own *rejection
	if r := p.unworthy(t, st); r != nil {
		return r
	}
	for s := side(0); s < sides; s++ {
		w := task.ways[s]
		if w != nil && w.short != nil {
			return w.short
		}
		if w != nil {
			if held = true; short == nil && task.shares == nil && !p.goesDown(task, w, s) {
				short = &p.tools[w.tool]
				below = s.span(p.part).Hi - s.span(task.box).Lo
			}
		}
		if first == nil {
			first = task.why[s]
		}
		if slices.ContainsFunc(p.owners[q], func(f int) bool { return p.isOwn(f, s) }) {
			own = task.why[s]
		}
	}
	switch {
	case short != nil:
		return refuse(completeness.OutOfReach,
			"Its foot is %.4g mm below the top of the part, and no end mill reaches as far from the sides that it is made from "+
				"(the best is %s).", round(below), short.measures()).
			with("An end mill that reaches %.4g mm deep there.", round(below))
	case held:
		if r := p.unheld(task, st); r != nil {
			return r
		}
		return refuse(completeness.HeldThere,
			"Where the part is held for the other faces the tool does not get past the jaws to all of it.").
			with("Lower jaws, or a setup that grips other faces.")
	}
	return cmp.Or(own, first, p.oblique(q), p.whyNoApproach(q))
}

// unworthy says of a blend or a chamfer that one setup more would make it, alone or with its other end; nil for others.
func (p *planner) unworthy(t int, st *state) *rejection {
	for s := side(0); s < sides; s++ {
		if !p.owed[t] && !st.before[s] && p.fits[s] && p.isWhole(&p.tasks[t], s) && p.canBeHeld(st, s) {
			return refuse(completeness.SetupCostsMore,
				"Only a setup of its own with %v of the workpiece up makes it, and what it adds costs less by hand.", s).
				with("One setup more, or a file.")
		}
	}
	return nil
}

// goesDown reports whether a way of a task from a side goes down to its foot.
func (p *planner) goesDown(t *task, w *approach, s side) bool {
	foot := s.span(t.box).Lo + w.lift
	if w.ends {
		foot -= 2 * w.lift
	}
	return w.z.Lo <= foot+p.tol()
}

// whyNoApproach says why no side can make a patch.
func (p *planner) whyNoApproach(q int32) *rejection {
	sh := &p.g.Patches[q].Shape
	best, share := side(0), 0.0
	across, slant := side(0), 0.0 // how much is seen at a slope
	for s := side(0); s < sides; s++ {
		if p.seen[s] == graph.None {
			continue
		}
		v := p.in.Run.Visibility.View(p.g, p.seen[s], q)
		if v.Relation == direction.Oblique && v.Share > slant {
			across, slant = s, v.Share
		}
		made := v.Relation == direction.Normal || v.Relation == direction.Parallel
		if high := p.lean(q, s); v.Relation == direction.Normal && v.Share >= direction.MinFloorVisibility &&
			high > flat {
			return refuse(completeness.NeedsMoreAxes,
				"It is a floor that leans by %.2g mm from end to end, and it is held along the axes of the stock only.",
				high).
				with("A fixture that tilts the part, or a machine with rotary axes.")
		}
		if made && !p.fits[s] {
			return refuse(completeness.ExceedsTravel,
				"It is made with %v of the workpiece up, in which position the stock does not fit the machine.", s).
				with("A machine with more travel.")
		}
		if made && v.Share > share {
			best, share = s, v.Share
		}
	}
	isSquare := sh.Kind == surface.KindPlane || sh.Kind == surface.KindCylinder && p.isUpright(sh)
	switch {
	case share > 0:
		return refuse(completeness.NotAccessible,
			"Other material stands over it: of all sides %v of the workpiece sees most of it, %.0f %%, and what several sides see in "+
				"part is not planned yet.", best, 100*share).
			with("Setups from several sides, each for the part that it sees.")
	case isSquare && slant > 0:
		return refuse(completeness.NotAccessible,
			"It is seen at a slope only, and in part: %.0f %% of it from %v of the workpiece.", 100*slant, across).
			with("A machine with more axes.")
	case isSquare:
		return refuse(completeness.NotAccessible,
			"Other material covers it in every direction along the axes of the stock.").
			with("A tool that reaches below other material, or a machine with more axes.")
	case sh.Kind == surface.KindCone && !sh.Hollow && p.isUpright(sh):
		return refuse(completeness.Turned,
			"It is turned about an axis of the stock, and no side sees all of it at a slope.").with("A lathe.")
	}
	for _, f := range p.owners[q] {
		if h, ok := p.in.Sheets[f].Facts.(*feature.HoleFacts); ok && sh.Kind == surface.KindCone && sh.Hollow &&
			p.isUpright(sh) {
			return refuse(completeness.NoToolFits,
				"It is the conical end of a bore of %.4g mm, and no drill of that diameter gets there.",
				round(h.Diameter)).with("A drill of %.4g mm that reaches it.", round(h.Diameter))
		}
	}
	return refuse(completeness.NotAccessible,
		"It slopes or is freeform, and no side of the stock sees as much of it as a ball end mill needs (the best is %v).",
		across).with("A machine with more axes.")
}

// isUpright reports whether the axis of a shape is one of the workpiece.
func (p *planner) isUpright(sh *graph.Shape) bool {
	for s := side(0); s < sides; s += 2 {
		if sh.Axis.Cross(s.dir(p.frame)).Norm() <= graph.DirectionTolerance {
			return true
		}
	}
	return false
}

// oblique names the direction that a plane, a hole or a wall of holes needs if it is not an axis of the workpiece.
func (p *planner) oblique(q int32) *rejection {
	sh := &p.g.Patches[q].Shape
	var dir geom.Vec3
	for _, f := range p.owners[q] {
		if x := &p.in.Run.Features[f]; x.Type != feature.Three && !p.isUpright(&graph.Shape{Axis: x.Direction}) {
			dir = x.Direction
		}
	}
	if dir == (geom.Vec3{}) && sh.Kind == surface.KindPlane && !p.isUpright(sh) {
		if i := p.in.Run.Visibility.Find(sh.Axis); i != graph.None && !p.isBevel(q) {
			dir = sh.Axis
		}
	}
	if dir == (geom.Vec3{}) {
		return nil
	}
	off := math.Inf(1)
	for s := side(0); s < sides; s++ {
		off = min(off, dir.Angle(s.dir(p.frame)))
	}
	return refuse(completeness.NeedsMoreAxes,
		"It is made from (%.4g, %.4g, %.4g), %.3g° oblique to the axes of the stock, and the machine sets those up only.",
		round(dir.X), round(dir.Y), round(dir.Z), geom.Degrees(off)).
		with("A machine with rotary axes, or a fixture that tilts the part by %.3g°.", geom.Degrees(off))
}

// isSloped reports whether a patch slopes toward some side that sees it: a ball makes it, if one reaches it.
func (p *planner) isSloped(q int32) bool {
	for s := side(0); s < sides; s++ {
		if p.fits[s] && p.seen[s] != graph.None && p.isSlope(q, s) {
			return true
		}
	}
	return false
}

// leftovers names the material that stays on machined faces: sharp inner corners, and floors that reach under other
// material.
func (p *planner) leftovers(steps []setup, st *state) []Unmachinable {
	var out []Unmachinable
	for i := range steps {
		s := steps[i].side
		var walls []int32
		tool := map[int32]int{}
		for _, it := range steps[i].items {
			task := &p.tasks[it.task]
			w := task.ways[s]
			q := task.patches[0]
			if w.gap != nil {
				out = p.left(out, task.patches, 0, w.gap)
			}
			switch w.kind {
			case wall:
				walls = append(walls, q)
				tool[q] = w.tool
				if r := p.covered(q, s); r != nil {
					out = p.left(out, []int32{q}, 0, r)
				}
				if c := p.tools[w.tool].CornerRadius; c > 0 && it.bottom <= w.z.Lo+p.tol() {
					for _, floor := range p.floorsAt(q, s) {
						out = p.left(out, []int32{q, floor}, c, refuse(completeness.SharpCorner,
							"The tool leaves a fillet of %.4g mm where the wall meets the floor.", c).
							with("An end mill with a square corner that reaches the floor."))
					}
				}
			case slope:
				out = p.ballCorners(out, q, s, &p.tools[w.tool])
			case hole:
				out = append(out, w.extra...)
			case floor:
				if v := p.in.Run.Visibility.Share[p.seen[s]][q]; v < direction.MinWallVisibility {
					out = p.left(out, []int32{q}, 0,
						refuse(completeness.Undercut, "Other material covers %.0f %% of the floor.", 100*(1-v)).
							with("A T-slot cutter or a setup from another direction."))
				}
			}
		}
		for _, x := range p.sharpCorners(walls, s) {
			a := &p.g.Arcs[x]
			r := max(p.tools[tool[a.A]].Diameter, p.tools[tool[a.B]].Diameter) / 2
			// The tool touches a wall at 2R cos²(θ/2) from the other one where they enclose an angle θ.
			far := math.Cos((math.Pi + a.Turn) / 2)
			out = p.left(out, []int32{a.A, a.B}, max(r, 2*r*far*far), refuse(completeness.SharpCorner,
				"Two walls meet in a sharp inner corner; the tool leaves a radius of %.4g mm.", round(r)).
				with("A radius in the corner, or a file."))
		}
	}
	return out
}

// left names something that stays on some patches, or within a distance (mm) of all of them, for each of their
// features.
func (p *planner) left(out []Unmachinable, patches []int32, within float64, r *rejection) []Unmachinable {
	for _, f := range p.featuresOf(patches) {
		u := r.of(f, p.faces(patches))
		if within > 0 {
			u.Corners, u.Within = [][]int{u.Regions}, within
		}
		out = append(out, u)
	}
	return out
}
