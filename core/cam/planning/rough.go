package planning

// Roughing: what clears the way before anything is finished.

import (
	"cmp"
	"math"
	"slices"

	"millwright.dev/millwright/core/cam/machining"
	"millwright.dev/millwright/core/cam/machining/cutting"
)

// enough is the share of a roughing tool's diameter from which a finishing tool takes by itself what the roughing tool
// leaves in corners: no more than 0.3 of its own diameter. A square corner keeps 0.21 of the difference of the
// diameters more after the thicker one.
const enough = 0.41

// rough clears the whole section of the stock down to the depth that is open to all sides, then deeper regions within
// the part. It returns the regions that thinner or longer tools have to clear after it.
func (w *writer) rough(faced bool) []restRoughing {
	s := w.step.side
	var open, deep []item
	for _, it := range w.step.items {
		approach := w.tasks[it.task].ways[s]
		if approach.kind != floor && approach.kind != wall || faced && approach.kind == floor && it.bottom >= s.span(w.part).Hi-w.tol() {
			continue
		}
		if it.bottom >= w.step.clamping.limit-w.tol() {
			open = append(open, it)
		} else {
			deep = append(deep, it)
		}
	}
	top := w.top
	if faced {
		top = s.span(w.part).Hi
	}
	main := w.clear(open, top, w.step.low, -1)
	if len(deep) > 0 {
		if down := w.clear(deep, top, math.Inf(1), main); main < 0 {
			main = down
		}
	}
	return w.remnants(slices.Concat(open, deep), main, top)
}

// clear adds the operation that clears the access to some items, and down to a height in any case. It takes the tool
// with the largest removal rate among those that reach; prefer is a tool already chosen. It returns the tool, -1
// without one.
func (w *writer) clear(items []item, top, bottom float64, prefer int) int {
	s := w.step.side
	widest := 0.0
	var patches []int32
	if len(items) == 0 { // a ring of stock round what is only faced or bevelled
		widest = math.Inf(1)
		for _, it := range w.step.items {
			patches = append(patches, w.tasks[it.task].patches...)
		}
	}
	for _, it := range items {
		approach := w.tasks[it.task].ways[s]
		bottom = min(bottom, it.bottom)
		patches = append(patches, w.tasks[it.task].patches...)
		widest = max(widest, w.clearance(it, approach))
	}
	if math.IsInf(bottom, 1) || top-bottom <= leaveAxial {
		return -1
	}
	deep := s.span(w.part).Hi - bottom
	best, most := -1, 0.0
	for _, i := range w.choose(func(t *tool) bool {
		return t.Diameter <= widest && t.assembly.Stickout >= deep+sideways && (t.RampDeg() > 0 || t.CutsCenter()) &&
			(t.ShankDiameter <= t.Diameter || t.FluteLength >= deep)
	}, machining.FlatEndMill, machining.BullNoseEndMill) {
		if rate := w.removal(i); rate > most || i == prefer && rate >= most/2 {
			best, most = i, rate
			if i == prefer {
				most *= 2
			}
		}
	}
	if best < 0 { // the longest tool clears down to its reach
		best = w.longestRougher(widest)
		if best < 0 {
			return -1
		}
		bottom = max(bottom, s.span(w.part).Hi-w.tools[best].assembly.Stickout+sideways)
		if top-bottom <= leaveAxial {
			return -1
		}
	}
	t := &w.tools[best]
	w.add(Operation{Strategy: Pocket, Features: w.featuresOf(patches), Tool: best, Top: w.z(top), Bottom: w.z(bottom),
		LeaveRadial: leaveFor(t), LeaveAxial: leaveAxial}, cutting.Rough, nil, 0, 0)
	return best
}

// clearance returns how wide a roughing tool may be for an item: as its finishing tool within hollows, anything
// outside.
func (w *writer) clearance(it item, approach *approach) float64 {
	g := &group{side: w.step.side, feature: w.owners[w.tasks[it.task].patches[0]][0]}
	if approach.gap != nil {
		return w.tools[approach.tool].Diameter
	}
	return w.widest(g) - 2*leaveRadial
}

// removal returns the removal rate of a tool in roughing, mm³/min.
func (p *planner) removal(i int) float64 {
	d, err := p.resolve(p.tools[i].Tool, cutting.Rough, 0, 0, 0)
	if err != nil {
		return 0
	}
	return d.Axial.Value * d.Radial.Value * d.Feed.Value
}

// longestRougher returns the roughing mill with the largest stickout, -1 without one.
func (w *writer) longestRougher(widest float64) int {
	best := -1
	for _, i := range w.roughers() {
		t := &w.tools[i]
		if t.Diameter <= widest && (best < 0 || t.assembly.Stickout > w.tools[best].assembly.Stickout) {
			best = i
		}
	}
	return best
}

// restRoughing is the work of a thinner or longer tool after roughing.
type restRoughing struct {
	tool     int
	patches  []int32
	top, low float64
	floor    bool // the tool finishes a floor there
}

func isIn(list []restRoughing, tool int) bool {
	return slices.ContainsFunc(list, func(r restRoughing) bool { return r.tool == tool })
}

// remnants returns the rest roughing for finishing tools that are thinner or longer than the roughing tool, thick ones
// first. A ball, which takes many times as long, clears only where no end mill reaches that leaves as little in
// corners.
func (w *writer) remnants(items []item, main int, top float64) (list []restRoughing) {
	s := w.step.side
	add := func(tool int, it item, from float64) {
		i := slices.IndexFunc(list, func(r restRoughing) bool { return r.tool == tool })
		if i < 0 {
			i = len(list)
			list = append(list, restRoughing{tool: tool, top: math.Inf(-1), low: math.Inf(1)})
		}
		r, t := &list[i], &w.tasks[it.task]
		r.patches = append(r.patches, t.patches...)
		r.top, r.low = max(r.top, min(top, max(from, s.span(t.box).Hi))), min(r.low, it.bottom)
		r.floor = r.floor || t.ways[s].kind == floor && t.ways[s].tool == tool
	}
	for _, it := range items {
		approach := w.tasks[it.task].ways[s]
		t := &w.tools[approach.tool]
		from := top // top of the remaining stock
		if main >= 0 {
			m := &w.tools[main]
			from = s.span(w.part).Hi - m.assembly.Stickout + sideways
			reached := from <= it.bottom+leaveAxial
			fits := m.Diameter <= w.clearance(it, approach)+2*leaveRadial
			if reached && fits && (t.Diameter >= enough*m.Diameter || approach.kind == floor) {
				continue // the wall at a floor covers the corners of the floor
			}
		}
		if t.Kind == machining.BallEndMill {
			spot := place{side: s, patches: w.tasks[it.task].patches, bottom: it.bottom}
			if thick := w.choose(func(o *tool) bool {
				spot.beside = o.Diameter / 2
				return t.Diameter >= enough*o.Diameter && o.Diameter <= w.clearance(it, approach)+2*leaveRadial && w.clears(&spot, o)
			}, machining.FlatEndMill, machining.BullNoseEndMill); len(thick) > 0 {
				add(thick[0], it, from)
				continue
			}
		}
		add(approach.tool, it, from)
	}
	slices.SortStableFunc(list, func(a, b restRoughing) int {
		return cmp.Or(-cmp.Compare(w.tools[a.tool].Diameter, w.tools[b.tool].Diameter),
			cmp.Compare(w.balls(a.tool), w.balls(b.tool)), cmp.Compare(a.tool, b.tool))
	})
	return list
}

// balls is 1 for ball end mills, 0 for others.
func (w *writer) balls(tool int) int {
	if w.tools[tool].Kind == machining.BallEndMill {
		return 1
	}
	return 0
}

// rest clears what larger tools left, down to the floors that they have finished: a tool that finishes none here leaves
// nothing on them.
func (w *writer) rest(list []restRoughing) {
	for _, r := range list {
		leave := 0.0
		if r.floor {
			leave = leaveAxial
		}
		if r.top-r.low <= leaveAxial {
			continue
		}
		w.add(Operation{Strategy: Pocket, Features: w.featuresOf(r.patches), Tool: r.tool, Top: w.z(r.top),
			Bottom: w.z(r.low), LeaveRadial: leaveFor(&w.tools[r.tool]), LeaveAxial: leave,
			Beside: w.faces(r.patches), Notes: []string{"What larger tools left."}}, cutting.Rough, nil, 0, 0)
	}
}
