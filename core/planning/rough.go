package planning

// Roughing: what clears the way before anything is finished.

import (
	"cmp"
	"math"
	"slices"

	"millwright/core/machining"
	"millwright/core/machining/cutting"
)

// enough is the share of a roughing tool's diameter from which a finishing tool takes by itself what the roughing tool
// leaves in corners: no more than 0.3 of its own diameter. A square corner keeps 0.21 of the difference of the
// diameters more after the thicker one.
const enough = 0.41

// rough clears the whole section of the stock down to what is open to all sides, then what lies deeper within the
// part, and then, with thinner or longer tools, what those could not reach.
func (w *writer) rough(faced bool) {
	s := w.step.side
	var open, deep []item
	for _, it := range w.step.items {
		way := w.tasks[it.task].ways[s]
		if way.kind != floor && way.kind != wall || faced && way.kind == floor && it.bottom >= s.span(w.part).Hi-w.tol() {
			continue
		}
		if it.bottom >= w.step.hold.limit-w.tol() {
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
	w.rest(slices.Concat(open, deep), main, top)
}

// clear adds the operation that clears the way to some items, and down to a height in any case, with the tool that
// removes most in a minute among those that reach; prefer is a tool that is set already. It returns the tool, -1 for
// none.
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
		way := w.tasks[it.task].ways[s]
		bottom = min(bottom, it.bottom)
		patches = append(patches, w.tasks[it.task].patches...)
		widest = max(widest, w.room(it, way))
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
	if best < 0 { // what reaches farthest clears as far as it reaches
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

// room returns how wide a roughing tool may be for an item: as its finishing tool within hollows, anything outside.
func (w *writer) room(it item, way *way) float64 {
	f := w.owners[w.tasks[it.task].patches[0]][0]
	return w.widest(&group{side: w.step.side, feature: f}) - 2*leaveRadial
}

// removal returns what a tool removes as it roughs, mm³/min.
func (w *writer) removal(i int) float64 {
	d, err := w.resolve(w.tools[i].Tool, cutting.Rough, 0, 0, 0)
	if err != nil {
		return 0
	}
	return d.Axial.Value * d.Radial.Value * d.Feed.Value
}

// longestRougher returns the mill that sticks out farthest of those that rough, -1 for none.
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

// rest clears the way for those finishing tools that are thinner or reach farther than what roughed before, thick ones
// first.
func (w *writer) rest(items []item, main int, top float64) {
	s := w.step.side
	type job struct {
		tool     int
		patches  []int32
		top, low float64
	}
	var jobs []job
	for _, it := range items {
		way := w.tasks[it.task].ways[s]
		t := &w.tools[way.tool]
		from := top // of what is still there
		if main >= 0 {
			m := &w.tools[main]
			from = s.span(w.part).Hi - m.assembly.Stickout + sideways
			reached := from <= it.bottom+leaveAxial
			fits := m.Diameter <= w.room(it, way)+2*leaveRadial
			if reached && fits && (t.Diameter >= enough*m.Diameter || way.kind == floor) {
				continue // of a floor, the wall beside it asks for what its corners need
			}
		}
		i := slices.IndexFunc(jobs, func(j job) bool { return j.tool == way.tool })
		if i < 0 {
			i = len(jobs)
			jobs = append(jobs, job{tool: way.tool, top: math.Inf(-1), low: math.Inf(1)})
		}
		j := &jobs[i]
		j.patches = append(j.patches, w.tasks[it.task].patches...)
		j.top, j.low = max(j.top, min(top, max(from, s.span(w.tasks[it.task].box).Hi))), min(j.low, it.bottom)
	}
	slices.SortStableFunc(jobs, func(a, b job) int {
		return cmp.Or(cmp.Compare(w.tools[b.tool].Diameter, w.tools[a.tool].Diameter), cmp.Compare(a.tool, b.tool))
	})
	for _, j := range jobs {
		if j.top-j.low <= leaveAxial {
			continue
		}
		t := &w.tools[j.tool]
		w.add(Operation{Strategy: Pocket, Features: w.featuresOf(j.patches), Tool: j.tool, Top: w.z(j.top),
			Bottom:      w.z(j.low),
			LeaveRadial: leaveFor(t), LeaveAxial: leaveAxial, Notes: []string{"What larger tools left."}}, cutting.Rough, nil,
			0, 0)
	}
}
